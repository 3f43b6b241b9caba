// Fovea - fuzzed operations that move elements.
// SPDX-License-Identifier: Apache-2.0
#include "base/fov_size.h"
#include "fuzz_graph_choices.h"
#include "tensor/fov_tensor.h"

static bool fits_concat(const fov_shape *a, const fov_shape *b, size_t axis) {
  if (a->rank != b->rank) return false;
  for (size_t i = 0; i < a->rank; i++) {
    if (i != axis && a->dims[i] != b->dims[i]) return false;
  }
  return true;
}

void fuzz_concat_choose(fuzz_input *input, const fuzz_program *program, fuzz_step *step,
                        bool wild) {
  const fov_shape *first = fuzz_shape_of(program, step->inputs[0]);
  const uint8_t kind = fuzz_byte(input);
  const size_t usual = first->rank >= 3 ? first->rank - 3 : 0;
  step->as.axis = wild ? fuzz_wild_size(input) : kind < 200 ? usual : kind % (first->rank + 1);
  step->input_count = fuzz_between(input, 1, FUZZ_MOST_INPUTS);
  for (size_t k = 1; k < step->input_count; k++) {
    step->inputs[k] = fuzz_value_choose(input, program);
    for (size_t i = 0; i < program->count && !wild; i++) {
      if (fits_concat(first, fuzz_shape_of(program, step->inputs[k]), step->as.axis)) break;
      step->inputs[k].index = (step->inputs[k].index + 1) % program->count;
    }
  }
}

void fuzz_slice_choose(fuzz_input *input, const fuzz_program *program, fuzz_step *step, bool wild) {
  const fov_shape *shape = fuzz_shape_of(program, step->inputs[0]);
  for (size_t i = 0; i < FOV_MAX_RANK; i++) {
    const size_t size = i < shape->rank ? shape->dims[i] : 1;
    const uint8_t kind = fuzz_byte(input);
    step->as.slice.begin[i] = 0;
    step->as.slice.count[i] = size;
    step->as.slice.stride[i] = 1;
    if (kind < 100) continue;
    const size_t step_size = 1 + kind % 3, begin = fuzz_byte(input) % size;
    const bool backwards = kind & 4;
    const size_t most = 1 + (backwards ? begin : size - 1 - begin) / step_size;
    step->as.slice.begin[i] = begin;
    step->as.slice.count[i] = 1 + fuzz_byte(input) % most;
    step->as.slice.stride[i] = backwards ? -(int64_t)step_size : (int64_t)step_size;
  }
  if (!wild) return;
  const size_t i = fuzz_byte(input) % FOV_MAX_RANK;
  if (fuzz_bool(input)) step->as.slice.begin[i] = fuzz_wild_size(input);
  if (fuzz_bool(input)) step->as.slice.count[i] = fuzz_wild_size(input);
  step->as.slice.stride[i] = fuzz_wild_integer(input);
}

// Moves factors from one dimension to another, or adds and removes dimensions.
void fuzz_reshape_choose(fuzz_input *input, const fuzz_program *program, fuzz_step *step,
                         bool wild) {
  const fov_shape *shape = fuzz_shape_of(program, step->inputs[0]);
  fov_shape result = {.rank = fuzz_between(input, 1, 5)};
  size_t left = fov_shape_count(shape);
  for (size_t i = 0; i + 1 < result.rank; i++) {
    const bool keeps = i < shape->rank && fuzz_bool(input);
    const size_t wanted = keeps ? shape->dims[i] : fuzz_between(input, 1, 12);
    result.dims[i] = left % wanted == 0 ? wanted : 1;
    left /= result.dims[i];
  }
  result.dims[result.rank - 1] = left;
  if (wild) {
    result.rank = fuzz_byte(input) % (FOV_MAX_RANK + 2);
    for (size_t i = 0; i < fov_size_min(result.rank, FOV_MAX_RANK); i++) {
      result.dims[i] = fuzz_wild_size(input);
    }
  }
  step->as.shape = result;
}

void fuzz_transpose_choose(fuzz_input *input, const fuzz_program *program, fuzz_step *step,
                           bool wild) {
  const size_t rank = fuzz_shape_of(program, step->inputs[0])->rank;
  for (size_t i = 0; i < FOV_MAX_RANK; i++) step->as.axes[i] = i;
  for (size_t i = rank; i > 1; i--) {
    const size_t other = fuzz_byte(input) % i, kept = step->as.axes[i - 1];
    step->as.axes[i - 1] = step->as.axes[other];
    step->as.axes[other] = kept;
  }
  if (!wild) return;
  const size_t which = fuzz_byte(input) % FOV_MAX_RANK;
  step->as.axes[which] = fuzz_wild_size(input);
}

void fuzz_broadcast_choose(fuzz_input *input, const fuzz_program *program, fuzz_step *step,
                           bool wild) {
  fov_shape shape = *fuzz_shape_of(program, step->inputs[0]);
  for (size_t i = 0; i < shape.rank; i++) {
    if (shape.dims[i] == 1) shape.dims[i] = fuzz_between(input, 1, 4);
  }
  if (fuzz_byte(input) >= 200 && shape.rank < FOV_MAX_RANK) {
    for (size_t i = shape.rank++; i > 0; i--) shape.dims[i] = shape.dims[i - 1];
    shape.dims[0] = fuzz_between(input, 1, 3);
  }
  if (wild) {
    shape.rank = fuzz_byte(input) % (FOV_MAX_RANK + 2);
    const size_t which = fuzz_byte(input) % FOV_MAX_RANK;
    shape.dims[which] = fuzz_wild_size(input);
  }
  step->as.shape = shape;
}

void fuzz_padding_choose(fuzz_input *input, const fuzz_program *program, fuzz_step *step,
                         bool wild) {
  const fov_shape *shape = fuzz_shape_of(program, step->inputs[0]);
  fov_padding *padding = &step->as.padding;
  padding->mode = fuzz_byte(input) % 3;
  padding->value = fuzz_tame_float(input);
  for (size_t i = 0; i < shape->rank; i++) {
    const uint8_t bits = fuzz_byte(input);
    if (bits < 100) continue;
    const size_t most = padding->mode == fov_padding_reflect ? shape->dims[i] : 4;
    padding->before[i] = (bits & 3) % most;
    padding->after[i] = (bits >> 2 & 3) % most;
  }
  if (!wild) return;
  const uint8_t which = fuzz_byte(input);
  size_t *const numbers = which & 8 ? padding->before : padding->after;
  numbers[which % FOV_MAX_RANK] = fuzz_wild_size(input);
  padding->value = fuzz_wild_float(input);
  if (fuzz_byte(input) >= 240) padding->mode = fuzz_byte(input);
}
