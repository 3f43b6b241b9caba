// Fovea - im2col, a row of a tile at a time.
// SPDX-License-Identifier: Apache-2.0
#include "kernels/fov_im2col.h"

#include <string.h>

#include "base/fov_size.h"

fov_tap_range fov_tap_outputs(const fov_convolution *convolution, int axis, size_t kernel,
                              size_t size, size_t outputs) {
  const size_t stride = convolution->stride[axis];
  const size_t before = convolution->before[axis];
  const size_t offset = kernel * convolution->dilation[axis];
  // The first output with o * stride + offset >= before, and the first beyond size + before.
  const size_t begin = offset >= before ? 0 : fov_size_parts(before - offset, stride);
  const size_t end = size + before > offset ? fov_size_parts(size + before - offset, stride) : 0;
  fov_tap_range range = {fov_size_min(begin, outputs), fov_size_min(end, outputs)};
  if (range.end < range.begin) range.end = range.begin;
  return range;
}

// Outputs [column, column + count) of one output row.
static void gather_row(const float *restrict line, const fov_convolution *convolution,
                       fov_tap_range inside, size_t shift, size_t column, size_t count,
                       float *restrict out) {
  const size_t stride = convolution->stride[1];
  const size_t before = convolution->before[1];
  size_t i = 0;
  for (; i < count && column + i < inside.begin; i++) out[i] = 0;
  const size_t stop = inside.end > column ? fov_size_min(count, inside.end - column) : 0;
  if (i < stop) {
    const float *from = line + ((column + i) * stride + shift - before);
    if (stride == 1) {
      memcpy(out + i, from, (stop - i) * sizeof(float));
    } else {
      for (size_t j = 0; j < stop - i; j++) out[i + j] = from[j * stride];
    }
    i = stop;
  }
  for (; i < count; i++) out[i] = 0;
}

void fov_im2col_row(const fov_im2col *source, size_t tap, size_t pixel, size_t count,
                    float *restrict out) {
  const fov_convolution *convolution = source->convolution;
  const size_t kernel_column = tap % convolution->kernel[1];
  const size_t kernel_row = tap / convolution->kernel[1] % convolution->kernel[0];
  const size_t channel = tap / convolution->kernel[1] / convolution->kernel[0];
  const float *plane = source->planes + channel * source->rows * source->columns;
  const fov_tap_range rows =
      fov_tap_outputs(convolution, 0, kernel_row, source->rows, source->output_rows);
  const fov_tap_range columns =
      fov_tap_outputs(convolution, 1, kernel_column, source->columns, source->output_columns);
  const size_t row_shift = kernel_row * convolution->dilation[0];
  const size_t column_shift = kernel_column * convolution->dilation[1];

  while (count > 0) {
    const size_t row = pixel / source->output_columns;
    const size_t column = pixel % source->output_columns;
    const size_t run = fov_size_min(count, source->output_columns - column);
    if (row < rows.begin || row >= rows.end) {
      memset(out, 0, run * sizeof(float));
    } else {
      const size_t line = row * convolution->stride[0] + row_shift - convolution->before[0];
      gather_row(plane + line * source->columns, convolution, columns, column_shift, column, run,
                 out);
    }
    out += run;
    pixel += run;
    count -= run;
  }
}
