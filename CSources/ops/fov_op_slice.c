// Fovea - a slice: a beginning, a size and a stride for each dimension.
// SPDX-License-Identifier: Apache-2.0
#include "kernels/fov_kernel_set.h"
#include "kernels/fov_strided_copy.h"
#include "ops/fov_operation_table.h"

// Steps of `stride` from begin that stay inside [0, size). begin < size, stride != 0.
static uint64_t steps_inside(uint64_t size, uint64_t begin, int64_t stride) {
  return stride > 0 ? (size - 1 - begin) / (uint64_t)stride : begin / (0 - (uint64_t)stride);
}

static fov_status infer_shape(const void *parameters, const fov_shape *inputs, size_t input_count,
                              fov_shape *out_shape, fov_diagnostic *diagnostic) {
  (void)input_count;
  const fov_slice *slice = parameters;
  fov_shape result = {.rank = inputs[0].rank};
  for (size_t i = 0; i < result.rank; i++) {
    const size_t size = inputs[0].dims[i];
    if (slice->begin[i] >= size) {
      return fov_fail(diagnostic, fov_status_invalid_argument,
                      "dimension %zu is sliced from %zu; expected less than its size %zu", i,
                      slice->begin[i], size);
    }
    if (slice->stride[i] == 0 || slice->count[i] == 0) {
      return fov_fail(diagnostic, fov_status_invalid_argument,
                      "the slice of dimension %zu has a %s of 0", i,
                      slice->stride[i] == 0 ? "stride" : "count");
    }
    if (slice->count[i] - 1 > steps_inside(size, slice->begin[i], slice->stride[i])) {
      return fov_fail(diagnostic, fov_status_invalid_argument,
                      "%zu elements from %zu in steps of %lld leave dimension %zu of size %zu",
                      slice->count[i], slice->begin[i], (long long)slice->stride[i], i, size);
    }
    result.dims[i] = slice->count[i];
  }
  *out_shape = result;
  return fov_status_ok;
}

static void run(const fov_run *run) {
  const fov_slice *slice = run->parameters;
  size_t strides[FOV_MAX_RANK];
  fov_shape_strides(run->inputs[0].shape, strides);
  fov_strided_view view = {.rank = run->output.shape->rank};
  const float *source = fov_run_input(run, 0);
  for (size_t i = 0; i < view.rank; i++) {
    view.dims[i] = slice->count[i];
    // The stride of a single element is not used, and may be any number.
    view.strides[i] =
        slice->count[i] == 1 ? 0 : (ptrdiff_t)slice->stride[i] * (ptrdiff_t)strides[i];
    source += slice->begin[i] * strides[i];
  }
  fov_strided_copy(&view, source, fov_run_output(run), run->kernels->float32, run->pool);
}

size_t fov_slice_first_channel(const fov_slice *slice, const fov_shape *input) {
  if (input->rank < 3) return SIZE_MAX;
  const size_t channels = input->rank - 3;
  for (size_t i = 0; i < input->rank; i++) {
    if (slice->count[i] != 1 && slice->stride[i] != 1) return SIZE_MAX;
    if (i != channels && slice->count[i] != input->dims[i]) return SIZE_MAX;
  }
  return slice->begin[channels];
}

void fov_slice_archive(fov_archive *archive, void *parameters) {
  fov_slice *slice = parameters;
  fov_archive_sizes(archive, slice->begin, FOV_MAX_RANK);
  fov_archive_sizes(archive, slice->count, FOV_MAX_RANK);
  for (size_t i = 0; i < FOV_MAX_RANK; i++) fov_archive_i64(archive, &slice->stride[i]);
}

const fov_operation fov_operation_slice = {
    .name = "slice",
    .infer_shape = infer_shape,
    .run = run,
    .archive = fov_slice_archive,
    .parameter_bytes = sizeof(fov_slice),
    .input_count = 1,
};
