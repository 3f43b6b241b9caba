// Fovea - copying a strided view of an array into a dense one.
// SPDX-License-Identifier: Apache-2.0
#include "kernels/fov_strided_copy.h"

#include <string.h>

#include "base/fov_size.h"
#include "fovea/spi/fov_parallel.h"

// The same elements in the same order, with as few dimensions as possible. Dimensions of 1 are
// removed, and neighboring dimensions that are contiguous in the source are merged. At least one
// stays.
static fov_strided_view merge_dimensions(const fov_strided_view *view) {
  fov_strided_view merged = {.rank = 0};
  for (size_t i = 0; i < view->rank; i++) {
    if (view->dims[i] == 1) continue;
    const size_t last = merged.rank - 1;
    if (merged.rank > 0 && merged.strides[last] == view->strides[i] * (ptrdiff_t)view->dims[i]) {
      merged.dims[last] *= view->dims[i];
      merged.strides[last] = view->strides[i];
    } else {
      merged.dims[merged.rank] = view->dims[i];
      merged.strides[merged.rank] = view->strides[i];
      merged.rank++;
    }
  }
  if (merged.rank == 0) {
    merged = (fov_strided_view){.rank = 1, .dims = {1}, .strides = {1}};
  }
  return merged;
}

// One run along the innermost dimension.
static void copy_run(const float *restrict source, ptrdiff_t stride, float *restrict destination,
                     size_t count) {
  if (stride == 1) {
    memcpy(destination, source, count * sizeof(float));
  } else if (stride == 0) {
    const float value = source[0];
    for (size_t i = 0; i < count; i++) destination[i] = value;
  } else {
    for (size_t i = 0; i < count; i++) destination[i] = source[(ptrdiff_t)i * stride];
  }
}

// The outer dimension to pair with the innermost one when that one goes forward in the source but
// is not contiguous, and another is: the two are transposed. The rank when there is none.
static size_t find_contiguous_dimension(const fov_strided_view *view) {
  const size_t inner = view->rank - 1;
  if (view->strides[inner] <= 1) return view->rank;
  for (size_t i = 0; i < inner; i++) {
    if (view->strides[i] == 1) return i;
  }
  return view->rank;
}

// A view whose dimensions are merged, all of it.
static void copy_view(const fov_strided_view *view, const float *source, float *destination,
                      const fov_float_kernels *kernels) {
  const fov_strided_view merged = *view;
  const size_t inner = merged.rank - 1;
  const size_t paired = find_contiguous_dimension(&merged);

  size_t pitches[FOV_MAX_RANK];
  size_t pitch = 1;
  for (size_t i = merged.rank; i-- > 0;) {
    pitches[i] = pitch;
    pitch *= merged.dims[i];
  }

  // Counts through every dimension but the innermost and its partner.
  size_t index[FOV_MAX_RANK] = {0};
  for (;;) {
    if (paired < merged.rank) {
      kernels->transpose(source, (size_t)merged.strides[inner], merged.dims[inner],
                         merged.dims[paired], destination, pitches[paired]);
    } else {
      copy_run(source, merged.strides[inner], destination, merged.dims[inner]);
    }
    size_t i = inner;
    for (;;) {
      if (i == 0) return;
      i--;
      if (i == paired) continue;
      if (++index[i] < merged.dims[i]) break;
      index[i] = 0;
      source -= (ptrdiff_t)(merged.dims[i] - 1) * merged.strides[i];
      destination -= (merged.dims[i] - 1) * pitches[i];
    }
    source += merged.strides[i];
    destination += pitches[i];
  }
}

// Units are ranges of the first dimension.
typedef struct copy {
  fov_strided_view view;
  const float *source;
  float *destination;
  const fov_float_kernels *kernels;
  size_t each, pitch;  // indices of a unit; elements of the destination from one to the next
} copy;

#define ELEMENTS_A_UNIT 16384

static void copy_unit(void *context, size_t unit, size_t thread) {
  (void)thread;
  const copy *copy = context;
  const size_t begin = unit * copy->each;
  fov_strided_view part = copy->view;
  part.dims[0] = fov_size_min(copy->each, copy->view.dims[0] - begin);
  copy_view(&part, copy->source + (ptrdiff_t)begin * part.strides[0],
            copy->destination + begin * copy->pitch, copy->kernels);
}

void fov_strided_copy(const fov_strided_view *view, const float *source, float *destination,
                      const fov_float_kernels *kernels, fov_pool *pool) {
  copy copy = {
      .view = merge_dimensions(view),
      .source = source,
      .destination = destination,
      .kernels = kernels,
  };
  copy.pitch = 1;
  for (size_t i = 1; i < copy.view.rank; i++) copy.pitch *= copy.view.dims[i];
  copy.each = fov_size_parts(ELEMENTS_A_UNIT, copy.pitch);
  fov_parallel_for(pool, fov_size_parts(copy.view.dims[0], copy.each), copy_unit, &copy);
}
