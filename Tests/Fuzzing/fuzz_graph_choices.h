// Fovea - choosing the parameters of the steps of fuzzed graphs.
// SPDX-License-Identifier: Apache-2.0
#ifndef FUZZ_GRAPH_CHOICES_H
#define FUZZ_GRAPH_CHOICES_H

#include "fuzz_graph_program.h"

// Channels (3), rows (2), columns (1) of an image; 1 for what a shape does not have.
static inline size_t fuzz_side(const fov_shape *shape, size_t from_end) {
  return shape->rank >= from_end ? shape->dims[shape->rank - from_end] : 1;
}

static inline const fov_shape *fuzz_shape_of(const fuzz_program *program, fov_value value) {
  return &program->steps[value.index].shape;
}

// A value that is there, mostly one of the last.
fov_value fuzz_value_choose(fuzz_input *input, const fuzz_program *program);

// Each fills in what the operation of the step needs, for the input that it has. wild: with
// something at which arithmetic goes wrong.

void fuzz_pixels_choose(fuzz_input *input, fuzz_step *step, bool wild);
void fuzz_convolution_choose(fuzz_input *input, fuzz_program *program, fuzz_step *step, bool wild);
void fuzz_pooling_choose(fuzz_input *input, const fuzz_program *program, fuzz_step *step,
                         bool wild);
void fuzz_resize_choose(fuzz_input *input, const fuzz_program *program, fuzz_step *step, bool wild);

void fuzz_concat_choose(fuzz_input *input, const fuzz_program *program, fuzz_step *step, bool wild);
void fuzz_slice_choose(fuzz_input *input, const fuzz_program *program, fuzz_step *step, bool wild);
void fuzz_reshape_choose(fuzz_input *input, const fuzz_program *program, fuzz_step *step,
                         bool wild);
void fuzz_transpose_choose(fuzz_input *input, const fuzz_program *program, fuzz_step *step,
                           bool wild);
void fuzz_broadcast_choose(fuzz_input *input, const fuzz_program *program, fuzz_step *step,
                           bool wild);
void fuzz_padding_choose(fuzz_input *input, const fuzz_program *program, fuzz_step *step,
                         bool wild);

#endif
