// Fovea - the steps of fuzzed graphs: which operation, of what, with which parameters.
// SPDX-License-Identifier: Apache-2.0
#include <math.h>

#include "base/fov_size.h"
#include "fuzz_graph_choices.h"
#include "tensor/fov_tensor.h"

// Most steps fit what is there. One in ten has a parameter at which arithmetic goes wrong; few of
// these are accepted, and what is accepted has to work.

// A value that is there, mostly one of the last.
fov_value fuzz_value_choose(fuzz_input *input, const fuzz_program *program) {
  const uint8_t bits = fuzz_byte(input);
  const size_t back = bits < 160 ? 0 : bits % program->count;
  return (fov_value){(uint32_t)(program->count - 1 - back)};
}

// MARK: What is given

static fov_shape choose_shape(fuzz_input *input) {
  const size_t channels = fuzz_between(input, 1, 20);
  const size_t rows = fuzz_between(input, 1, 24), columns = fuzz_between(input, 1, 24);
  switch (fuzz_byte(input) % 12) {
    case 0: return (fov_shape){.rank = 3, .dims = {channels, rows, columns}};
    case 1: return (fov_shape){.rank = 5, .dims = {1, 1, channels, rows, columns}};
    case 2: return (fov_shape){.rank = 4, .dims = {2, channels, rows, columns}};
    case 3: return (fov_shape){.rank = 2, .dims = {rows, columns}};
    case 4: return (fov_shape){.rank = channels & 1, .dims = {rows}};
    // Channels for the widest vectors, and images for which Winograd's algorithm pays.
    case 5:
      return (fov_shape){.rank = 4,
                         .dims = {1, 16 * (channels % 5 + 1), rows % 8 + 1, columns % 8 + 1}};
    case 6: return (fov_shape){.rank = 4, .dims = {1, 16, 16 + rows / 2, 16 + columns / 2}};
    default: return (fov_shape){.rank = 4, .dims = {1, channels, rows, columns}};
  }
}

static void choose_input(fuzz_input *input, fuzz_step *step, bool wild) {
  fov_shape shape = choose_shape(input);
  const uint8_t kind = fuzz_byte(input);
  step->operation = fuzz_input_value;
  if (kind >= 170) {
    step->type = fov_data_type_uint8;
    const size_t channels = 1 + kind % 4;
    shape = (fov_shape){.rank = kind & 4 ? 3 : 2,
                        .dims = {fuzz_side(&shape, 2), fuzz_side(&shape, 1), channels}};
  }
  if (wild) {
    shape.rank = fuzz_byte(input) % (FOV_MAX_RANK + 2);
    for (size_t i = 0; i < fov_size_min(shape.rank, FOV_MAX_RANK); i++) {
      shape.dims[i] = fuzz_wild_size(input);
    }
    step->type = fuzz_byte(input) % 5;
  }
  step->as.shape = shape;
}

// One number, one for each channel, or one for each element of a value.
static void choose_constant(fuzz_input *input, fuzz_program *program, fuzz_step *step) {
  const fov_shape *like = fuzz_shape_of(program, fuzz_value_choose(input, program));
  fov_shape shape = {.rank = 0};
  const uint8_t kind = fuzz_byte(input) % 4;
  if (kind == 3 && fov_shape_count(like) <= 4096) shape = *like;
  const size_t channels = fov_size_min(fuzz_side(like, 3), 4096);
  const size_t columns = fov_size_min(fuzz_side(like, 1), 4096);
  if (kind == 2 && like->rank >= 3) shape = (fov_shape){.rank = 3, .dims = {channels, 1, 1}};
  if (kind == 1 && like->rank > 0) shape = (fov_shape){.rank = 1, .dims = {columns}};
  step->operation = fuzz_constant;
  step->as.shape = shape;
  const size_t outer = shape.rank > 0 ? shape.dims[0] : 1;
  const size_t count = fov_shape_count(&shape);
  // A gain of 1 for each number.
  const size_t dims[4] = {1, outer, 1, count / outer};
  step->weights = fuzz_weights_choose(input, program, dims, 1, 1);
}

// MARK: Elements

static void choose_unary(fuzz_input *input, fuzz_step *step, bool wild) {
  // Functions that convolutions take over, more often than the others.
  static const fov_unary_function frequent[] = {
      fov_unary_relu,    fov_unary_leaky_relu, fov_unary_clip,         fov_unary_linear,
      fov_unary_sigmoid, fov_unary_tanh,       fov_unary_clamped_relu, fov_unary_threshold};
  const uint8_t kind = fuzz_byte(input);
  step->as.unary = (fov_unary){
      .function = kind < 128 ? frequent[kind & 7] : (kind - 128) % (fov_unary_coded_silu + 1),
      .alpha = fuzz_tame_float(input),
      .beta = fuzz_tame_float(input),
  };
  // Every eighth function is one of codes.
  if (kind % 8 == 5) {
    step->as.unary =
        (fov_unary){.function = kind < 192 ? fov_unary_quantized : fov_unary_coded_silu,
                    .alpha = ldexpf((float)(1 + kind), -10),
                    .beta = (float)fuzz_byte(input)};
  }
  if (!wild) return;
  step->as.unary.alpha = fuzz_wild_float(input);
  step->as.unary.beta = fuzz_wild_float(input);
  if (fuzz_byte(input) >= 240) step->as.unary.function = fuzz_wild_integer(input);
}

static void choose_affine(fuzz_input *input, fuzz_program *program, fuzz_step *step, bool wild) {
  const uint8_t kind = fuzz_byte(input);
  const size_t channels = fov_size_min(fuzz_side(fuzz_shape_of(program, step->inputs[0]), 3), 4096);
  step->as.channels = wild ? fuzz_wild_size(input) % 4096 : channels;
  if (kind & 3) step->scale = fuzz_floats_choose(input, program, step->as.channels);
  if (kind & 12) step->shift = fuzz_floats_choose(input, program, step->as.channels);
}

// A value that fits the first one, if there is any among the last.
static void choose_binary(fuzz_input *input, const fuzz_program *program, fuzz_step *step,
                          bool wild) {
  const uint8_t kind = fuzz_byte(input);
  step->as.binary = kind < 100   ? fov_binary_add
                    : kind < 160 ? fov_binary_multiply
                                 : kind % (fov_binary_truncated_divide + 1);
  step->input_count = 2;
  step->inputs[1] = fuzz_value_choose(input, program);
  fov_shape together;
  const fov_shape *first = fuzz_shape_of(program, step->inputs[0]);
  for (size_t i = 0; i < program->count && !wild; i++) {
    if (fov_shape_broadcast(first, fuzz_shape_of(program, step->inputs[1]), &together)) break;
    step->inputs[1].index = (step->inputs[1].index + 1) % program->count;
  }
  if (fuzz_bool(input)) {
    const fov_value kept = step->inputs[0];
    step->inputs[0] = step->inputs[1];
    step->inputs[1] = kept;
  }
  if (wild && fuzz_byte(input) >= 128) step->as.binary = fuzz_wild_integer(input);
}

// MARK: Sums over dimensions

static void choose_reduce(fuzz_input *input, const fuzz_program *program, fuzz_step *step,
                          bool wild) {
  const size_t rank = fuzz_shape_of(program, step->inputs[0])->rank;
  const uint8_t kind = fuzz_byte(input);
  step->as.reduce = (fov_reduce){
      .function = kind % 11,
      .axes = fuzz_byte(input) & ((1u << rank) - 1),
      .keep_dimensions = fuzz_bool(input),
      .epsilon = kind >= 128 ? fuzz_tame_float(input) : 0,
  };
  if (kind < 64 && rank >= 2) step->as.reduce.axes = 3u << (rank - 2);
  if (step->as.reduce.axes == 0) step->as.reduce.axes = 1;
  if (!wild) return;
  step->as.reduce.axes = (uint32_t)fuzz_wild_size(input);
  step->as.reduce.epsilon = fuzz_wild_float(input);
  if (fuzz_bool(input)) step->as.reduce.function = fuzz_byte(input);
}

static void choose_energy(fuzz_input *input, fuzz_step *step, bool wild) {
  step->as.energy = (fov_local_response_normalization){
      .size = fuzz_between(input, 1, 6), .alpha = fuzz_tame_float(input), .beta = 0.75f, .k = 1};
  if (!wild) return;
  step->as.energy.size = fuzz_wild_size(input);
  step->as.energy.beta = fuzz_wild_float(input);
  step->as.energy.k = fuzz_wild_float(input);
}

// MARK: Any step

static const fuzz_operation operations[] = {
    fuzz_convolution, fuzz_unary,       fuzz_convolution, fuzz_pooling, fuzz_binary,
    fuzz_concat,      fuzz_unary,       fuzz_convolution, fuzz_binary,  fuzz_resize,
    fuzz_affine,      fuzz_constant,    fuzz_pooling,     fuzz_slice,   fuzz_reshape,
    fuzz_transpose,   fuzz_broadcast,   fuzz_padding,     fuzz_reduce,  fuzz_softmax,
    fuzz_energy,      fuzz_transposed,  fuzz_input_value, fuzz_pixels,  fuzz_concat,
    fuzz_binary,      fuzz_convolution, fuzz_unary,
};

static void choose_parameters(fuzz_input *input, fuzz_program *program, fuzz_step *step,
                              bool wild) {
  switch (step->operation) {
    case fuzz_input_value: choose_input(input, step, wild); return;
    case fuzz_constant: choose_constant(input, program, step); return;
    case fuzz_pixels: fuzz_pixels_choose(input, step, wild); return;
    case fuzz_convolution:
    case fuzz_transposed: fuzz_convolution_choose(input, program, step, wild); return;
    case fuzz_pooling: fuzz_pooling_choose(input, program, step, wild); return;
    case fuzz_unary: choose_unary(input, step, wild); return;
    case fuzz_affine: choose_affine(input, program, step, wild); return;
    case fuzz_binary: choose_binary(input, program, step, wild); return;
    case fuzz_concat: fuzz_concat_choose(input, program, step, wild); return;
    case fuzz_slice: fuzz_slice_choose(input, program, step, wild); return;
    case fuzz_reshape: fuzz_reshape_choose(input, program, step, wild); return;
    case fuzz_transpose: fuzz_transpose_choose(input, program, step, wild); return;
    case fuzz_broadcast: fuzz_broadcast_choose(input, program, step, wild); return;
    case fuzz_padding: fuzz_padding_choose(input, program, step, wild); return;
    case fuzz_resize: fuzz_resize_choose(input, program, step, wild); return;
    case fuzz_reduce: choose_reduce(input, program, step, wild); return;
    case fuzz_softmax:
      step->as.axis = fuzz_byte(input) % (fuzz_shape_of(program, step->inputs[0])->rank + 1);
      return;
    case fuzz_energy: choose_energy(input, step, wild); return;
  }
}

void fuzz_step_choose(fuzz_input *input, fuzz_program *program, fuzz_step *step) {
  const uint8_t which = fuzz_byte(input);
  const bool wild = fuzz_byte(input) >= 230;
  if (program->count == 0) {
    choose_input(input, step, wild);
    return;
  }
  step->operation = operations[which % (sizeof operations / sizeof operations[0])];
  step->inputs[0] = fuzz_value_choose(input, program);
  step->input_count = 1;
  const fov_data_type type = program->steps[step->inputs[0].index].type;
  if (type == fov_data_type_uint8 && !wild) step->operation = fuzz_pixels;
  if (wild && fuzz_byte(input) >= 240) step->inputs[0].index = (uint32_t)fuzz_wild_size(input);
  if (step->inputs[0].index < program->count) {
    choose_parameters(input, program, step, wild);
  } else {
    // Nothing is there to choose by. Operations that look at shapes of their own have none.
    step->operation = fuzz_unary;
    choose_unary(input, step, wild);
  }
}
