// Fovea - graphs as a list of steps that follow from bytes.
// SPDX-License-Identifier: Apache-2.0
#ifndef FUZZ_GRAPH_PROGRAM_H
#define FUZZ_GRAPH_PROGRAM_H

#include <stdbool.h>

#include "fovea/core/fov_core.h"
#include "fuzz_input.h"

typedef enum fuzz_operation {
  fuzz_input_value,
  fuzz_constant,
  fuzz_pixels,
  fuzz_convolution,
  fuzz_transposed,
  fuzz_pooling,
  fuzz_unary,
  fuzz_affine,
  fuzz_binary,
  fuzz_concat,
  fuzz_slice,
  fuzz_reshape,
  fuzz_transpose,
  fuzz_broadcast,
  fuzz_padding,
  fuzz_resize,
  fuzz_reduce,
  fuzz_softmax,
  fuzz_energy,
} fuzz_operation;

#define FUZZ_MOST_STEPS 80
#define FUZZ_MOST_INPUTS 4
#define FUZZ_MOST_OUTPUTS 4

// What adds one value to a graph; step i makes value i.
typedef struct fuzz_step {
  fuzz_operation operation;
  fov_value inputs[FUZZ_MOST_INPUTS];
  size_t input_count;
  fov_data_type type;  // of the result
  fov_shape shape;     // of the result
  union {
    fov_pixels pixels;
    fov_convolution convolution;
    fov_pooling pooling;
    fov_unary unary;
    fov_binary_function binary;
    size_t axis;  // of concat and softmax
    fov_slice slice;
    fov_shape shape;  // of reshape and broadcast
    size_t axes[FOV_MAX_RANK];
    fov_padding padding;
    fov_resize resize;
    fov_reduce reduce;
    fov_local_response_normalization energy;
    size_t channels;  // of affine
  } as;
  fov_weights weights;         // of convolutions and constants
  fov_weights bias;            // data NULL: none
  const float *scale, *shift;  // of affine; may be NULL
} fuzz_step;

// Arrays lie in memory of exactly their sizes, which the program owns.
typedef struct fuzz_program {
  fuzz_step steps[FUZZ_MOST_STEPS];
  size_t count;
  uint32_t outputs[FUZZ_MOST_OUTPUTS];
  size_t output_count;
  bool has_heads;     // the first two outputs are scores and boxes of decoded heads
  uint64_t work;      // about what a run of it costs, in products
  bool is_too_large;  // to be run
  void *kept[8 * FUZZ_MOST_STEPS];
  size_t kept_count;
} fuzz_program;

// A run of more products than this, or of values of more elements, takes too long.
#define FUZZ_MOST_WORK ((uint64_t)1 << 21)
#define FUZZ_MOST_ELEMENTS ((size_t)1 << 16)

// Adds the step to a graph.
fov_status fuzz_step_add(fov_graph *graph, const fuzz_step *step, size_t index,
                         fov_value *out_value, fov_diagnostic *diagnostic);

// Adds what a run of the step costs.
void fuzz_step_weigh(fuzz_program *program, const fuzz_step *step);

// Adds the step to the graph and the program, if the graph accepts it; looks at how it refuses.
bool fuzz_program_add(fov_graph *graph, fuzz_program *program, fuzz_step *step);

// Adds the decoding of one or two heads, and its outputs: 46 steps at most.
void fuzz_program_add_heads(fuzz_input *input, fuzz_program *program, fov_graph *graph);

// Reads steps and outputs. Steps that a graph refuses are left out.
// false: there is nothing to run.
bool fuzz_program_read(fuzz_input *input, fuzz_program *out_program);
void fuzz_program_release(fuzz_program *program);

// The graph. Never fails.
fov_graph *fuzz_program_build(const fuzz_program *program);

// Fills in operation, inputs, parameters and arrays of a step behind those of the program.
void fuzz_step_choose(fuzz_input *input, fuzz_program *program, fuzz_step *out_step);

// Memory that the program frees.
void *fuzz_program_keep(fuzz_program *program, size_t bytes);

// In words, on standard error; targets do so when FUZZ_PRINT is in the environment.
void fuzz_program_print(const fuzz_program *program);

// MARK: Weights

// Weights of a shape in any form. The sum of the magnitudes of so many `columns` is about 1, unless
// they are wild.
fov_weights fuzz_weights_choose(fuzz_input *input, fuzz_program *program, const size_t dims[4],
                                size_t channel_axis, size_t columns);

// Floats of magnitudes up to about 1, or wild ones.
float *fuzz_floats_choose(fuzz_input *input, fuzz_program *program, size_t count);

#endif
