// Fovea - elements of the last dimensions, brought to a mean of 0 and a variance of 1.
// SPDX-License-Identifier: Apache-2.0
#include <math.h>

#include "base/fov_size.h"
#include "kernels/fov_loop.h"
#include "ops/fov_operation_table.h"
#include "pool/fov_parallel_slots.h"

// Each group of elements is read three times, from the cache: for the mean, for the variance, for
// the results. Sums are kept in double precision. Before, up to BLOCK elements are added as floats,
// in LANES sums side by side. Only the number of elements decides on the order. NaN: a group with a
// NaN or an infinity becomes NaN.

// The first of the dimensions that are normalized over; the rank if `axes` are not the last ones.
static size_t first_axis(const fov_layer_normalization *normalization, size_t rank) {
  for (size_t first = 0; first < rank; first++) {
    if (normalization->axes == (1u << rank) - (1u << first)) return first;
  }
  return rank;
}

static fov_status infer_shape(const void *parameters, const fov_shape *inputs, size_t input_count,
                              fov_shape *out_shape, fov_diagnostic *diagnostic) {
  (void)input_count;
  const fov_layer_normalization *normalization = parameters;
  if (first_axis(normalization, inputs[0].rank) == inputs[0].rank) {
    return fov_fail(diagnostic, fov_status_invalid_argument,
                    "normalization over the axes of mask 0x%x; expected the last ones of rank %zu",
                    normalization->axes, inputs[0].rank);
  }
  if (!(normalization->epsilon >= 0.0f) || isinf(normalization->epsilon)) {
    return fov_fail(diagnostic, fov_status_invalid_argument,
                    "normalization with epsilon %g; expected a finite number from 0 on",
                    (double)normalization->epsilon);
  }
  *out_shape = inputs[0];
  return fov_status_ok;
}

#define LANES 16
#define BLOCK 128

// The sum of (x - center) ^ power over a group; power is 1 or 2, and a constant.
static inline double sum_of(const float *x, size_t count, float center, int power) {
  double sum = 0.0;
  for (size_t begin = 0; begin < count; begin += BLOCK) {
    const size_t end = fov_size_min(begin + BLOCK, count);
    float lanes[LANES] = {0};
    size_t i = begin;
    for (; i + LANES <= end; i += LANES) {
      for (size_t l = 0; l < LANES; l++) {
        const float difference = x[i + l] - center;
        lanes[l] += power == 2 ? difference * difference : difference;
      }
    }
    for (size_t l = 0; i < end; i++, l++) {
      const float difference = x[i] - center;
      lanes[l] += power == 2 ? difference * difference : difference;
    }
    for (size_t l = 0; l < LANES; l++) sum += (double)lanes[l];
  }
  return sum;
}

static void normalize(const float *in, float *out, size_t count, float epsilon) {
  const float mean = (float)(sum_of(in, count, 0.0f, 1) / (double)count);
  const double variance = sum_of(in, count, mean, 2) / (double)count;
  const float factor = (float)(1.0 / sqrt(variance + (double)epsilon));
  FOV_INDEPENDENT_ITERATIONS for (size_t i = 0; i < count; i++) {
    const float difference = in[i] - mean;
    out[i] = difference * factor;
  }
}

typedef struct groups {
  const fov_run *run;
  size_t count, elements;  // of all groups; of one
  size_t each;             // groups of a unit
} groups;

#define UNIT_ELEMENTS 16384

static void run_unit(void *context, size_t unit, size_t slot) {
  (void)slot;
  const groups *groups = context;
  const fov_layer_normalization *normalization = groups->run->parameters;
  const size_t first = unit * groups->each;
  const size_t end = fov_size_min(first + groups->each, groups->count);
  for (size_t g = first; g < end; g++) {
    normalize(fov_run_input(groups->run, 0) + g * groups->elements,
              fov_run_output(groups->run) + g * groups->elements, groups->elements,
              normalization->epsilon);
  }
}

static void run(const fov_run *run) {
  const fov_shape *shape = run->output.shape;
  const size_t first = first_axis(run->parameters, shape->rank);
  groups groups = {
      .run = run,
      .count = fov_shape_count_range(shape, 0, first),
      .elements = fov_shape_count_range(shape, first, shape->rank),
  };
  groups.each = fov_size_max(1, UNIT_ELEMENTS / groups.elements);
  fov_parallel_for(run->pool, fov_size_parts(groups.count, groups.each), run_unit, &groups);
}

static void archive(fov_archive *archive, void *parameters) {
  fov_layer_normalization *normalization = parameters;
  fov_archive_u32(archive, &normalization->axes);
  fov_archive_f32(archive, &normalization->epsilon);
}

const fov_operation fov_operation_layer_normalization = {
    .name = "layer_normalization",
    .infer_shape = infer_shape,
    .run = run,
    .archive = archive,
    .parameter_bytes = sizeof(fov_layer_normalization),
    .input_count = 1,
    .in_place = true,
};
