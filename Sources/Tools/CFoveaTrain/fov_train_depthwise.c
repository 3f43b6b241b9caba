// Fovea - convolutions of single channels, forward and backward.
// SPDX-License-Identifier: Apache-2.0
//
// Eight channels at a time. Kernels of 3 and 5 that are not dilated keep four pixels of a row in
// registers, where all their taps lie inside the image; the others go pixel by pixel.
#include "fov_train_loops.h"

#define BLOCK 4  // pixels of a row

// The taps [first, end) of one axis that lie inside the input for an output.
typedef struct tap_range {
  size_t first, end;
} tap_range;

FOV_TRAIN_INLINE tap_range taps_inside(const fov_depthwise *s, int axis, size_t output) {
  const size_t size = axis == 0 ? s->rows : s->columns;
  const size_t step = s->dilation[axis], start = output * s->step[axis];
  tap_range taps = {0, s->kernel[axis]};
  while (taps.first < taps.end && start + taps.first * step < s->before[axis]) taps.first++;
  while (taps.end > taps.first && start + (taps.end - 1) * step >= s->before[axis] + size) {
    taps.end--;
  }
  return taps;
}

// The outputs [first, end) of a row all of whose taps lie inside.
FOV_TRAIN_INLINE tap_range full_columns(const fov_depthwise *s) {
  tap_range full = {0, s->output_columns};
  while (full.first < full.end && full.first * s->step[1] < s->before[1]) full.first++;
  const size_t reach = (s->kernel[1] - 1) * s->dilation[1];
  while (full.end > full.first &&
         (full.end - 1) * s->step[1] + reach >= s->before[1] + s->columns) {
    full.end--;
  }
  return full;
}

FOV_TRAIN_INLINE bool is_common(const fov_depthwise *s) {
  return s->kernel[0] == s->kernel[1] && (s->kernel[0] == 3 || s->kernel[0] == 5) &&
         s->step[0] == s->step[1] && s->step[0] <= 2 && s->dilation[0] == 1 && s->dilation[1] == 1;
}

// Where the first row and column of an output's taps would be; only taps inside are read.
FOV_TRAIN_INLINE ptrdiff_t origin(const fov_depthwise *s, size_t y, size_t x) {
  const ptrdiff_t row = (ptrdiff_t)(y * s->step[0]) - (ptrdiff_t)s->before[0];
  const ptrdiff_t column = (ptrdiff_t)(x * s->step[1]) - (ptrdiff_t)s->before[1];
  return (row * (ptrdiff_t)s->columns + column) * (ptrdiff_t)s->channels;
}

// The index of a tap in the input, from the origin, and among the weights.
FOV_TRAIN_INLINE size_t tap_place(const fov_depthwise *s, size_t ky, size_t kx) {
  return (ky * s->dilation[0] * s->columns + kx * s->dilation[1]) * s->channels;
}

FOV_TRAIN_INLINE size_t weight_place(const fov_depthwise *s, size_t ky, size_t kx) {
  return (ky * s->kernel[1] + kx) * s->channels;
}

// MARK: Forward

static void forward_pixel(const fov_depthwise *s, const fov_real *in, const fov_real *weights,
                          size_t y, size_t x, tap_range rows, size_t c, bool adds, fov_real *out) {
  const tap_range columns = taps_inside(s, 1, x);
  const ptrdiff_t first = origin(s, y, x) + (ptrdiff_t)c;
  fov_real *to = out + (y * s->output_columns + x) * s->channels + c;
  fov_train_lanes sum = {0};
  if (adds) sum = FOV_LANES_FROM(to);
  for (size_t ky = rows.first; ky < rows.end; ky++) {
    for (size_t kx = columns.first; kx < columns.end; kx++) {
      sum += FOV_LANES_FROM(in + (first + (ptrdiff_t)tap_place(s, ky, kx))) *
             FOV_LANES_FROM(weights + weight_place(s, ky, kx) + c);
    }
  }
  FOV_LANES_AT(to) = sum;
}

FOV_TRAIN_INLINE void forward_block(const fov_depthwise *s, const fov_real *in,
                                    const fov_real *weights, tap_range rows, const size_t k,
                                    const size_t step, bool adds, fov_real *out) {
  const size_t n = s->channels;
  fov_train_lanes sum[BLOCK];
  FOV_TRAIN_UNROLLED for (size_t i = 0; i < BLOCK; i++) {
    sum[i] = adds ? FOV_LANES_FROM(out + i * n) : (fov_train_lanes){0};
  }
  for (size_t ky = rows.first; ky < rows.end; ky++) {
    const fov_real *row = in + ky * s->columns * n, *w = weights + ky * k * n;
    fov_train_lanes x[(BLOCK - 1) * 2 + 5];
    FOV_TRAIN_UNROLLED for (size_t i = 0; i < (BLOCK - 1) * step + k; i++) {
      x[i] = FOV_LANES_FROM(row + i * n);
    }
    FOV_TRAIN_UNROLLED for (size_t kx = 0; kx < k; kx++) {
      const fov_train_lanes factor = FOV_LANES_FROM(w + kx * n);
      FOV_TRAIN_UNROLLED for (size_t i = 0; i < BLOCK; i++) sum[i] += x[i * step + kx] * factor;
    }
  }
  FOV_TRAIN_UNROLLED for (size_t i = 0; i < BLOCK; i++) FOV_LANES_AT(out + i * n) = sum[i];
}

FOV_TRAIN_INLINE void forward_rows(const fov_depthwise *s, const fov_real *in,
                                   const fov_real *weights, bool adds, const size_t k,
                                   const size_t step, fov_real *out) {
  const tap_range full = k > 0 ? full_columns(s) : (tap_range){0, 0};
  for (size_t y = s->first_row; y < s->end_row; y++) {
    const tap_range rows = taps_inside(s, 0, y);
    for (size_t c = 0; c < s->channels; c += FOV_TRAIN_LANES) {
      size_t x = 0;
      while (x < s->output_columns) {
        if (k > 0 && x >= full.first && x + BLOCK <= full.end) {
          forward_block(s, in + (origin(s, y, x) + (ptrdiff_t)c), weights + c, rows, k, step, adds,
                        out + (y * s->output_columns + x) * s->channels + c);
          x += BLOCK;
        } else {
          forward_pixel(s, in, weights, y, x++, rows, c, adds, out);
        }
      }
    }
  }
}

FOV_TRAIN_KERNEL void fov_train_depthwise_forward(const fov_depthwise *s, const fov_real *in,
                                                  const fov_real *weights, bool adds,
                                                  fov_real *out) {
  if (!is_common(s)) {
    forward_rows(s, in, weights, adds, 0, 0, out);
  } else if (s->kernel[0] == 3 && s->step[0] == 1) {
    forward_rows(s, in, weights, adds, 3, 1, out);
  } else if (s->kernel[0] == 3) {
    forward_rows(s, in, weights, adds, 3, 2, out);
  } else if (s->step[0] == 1) {
    forward_rows(s, in, weights, adds, 5, 1, out);
  } else {
    forward_rows(s, in, weights, adds, 5, 2, out);
  }
}

// MARK: Gradients

FOV_TRAIN_KERNEL void fov_train_depthwise_spread(const fov_depthwise *s,
                                                 const fov_real *out_gradient,
                                                 const fov_real *weights, fov_real *in_gradient) {
  for (size_t y = s->first_row; y < s->end_row; y++) {
    const tap_range rows = taps_inside(s, 0, y);
    for (size_t x = 0; x < s->output_columns; x++) {
      const tap_range columns = taps_inside(s, 1, x);
      const fov_real *from = out_gradient + (y * s->output_columns + x) * s->channels;
      for (size_t ky = rows.first; ky < rows.end; ky++) {
        for (size_t kx = columns.first; kx < columns.end; kx++) {
          const fov_real *w = weights + weight_place(s, ky, kx);
          fov_real *to = in_gradient + (origin(s, y, x) + (ptrdiff_t)tap_place(s, ky, kx));
          for (size_t c = 0; c < s->channels; c += FOV_TRAIN_LANES) {
            FOV_LANES_AT(to + c) += FOV_LANES_FROM(from + c) * FOV_LANES_FROM(w + c);
          }
        }
      }
    }
  }
}

static void weights_pixel(const fov_depthwise *s, const fov_real *in, const fov_real *gradient,
                          size_t y, size_t x, size_t ky, size_t c, fov_real *weight_gradient) {
  const tap_range columns = taps_inside(s, 1, x);
  const ptrdiff_t first = origin(s, y, x) + (ptrdiff_t)c;
  for (size_t kx = columns.first; kx < columns.end; kx++) {
    FOV_LANES_AT(weight_gradient + weight_place(s, ky, kx) + c) +=
        FOV_LANES_FROM(gradient) * FOV_LANES_FROM(in + (first + (ptrdiff_t)tap_place(s, ky, kx)));
  }
}

FOV_TRAIN_INLINE void weights_row(const fov_depthwise *s, const fov_real *in, const fov_real *g,
                                  size_t blocks, const size_t k, const size_t step,
                                  fov_real *weight_gradient) {
  const size_t n = s->channels;
  fov_train_lanes sum[5];
  FOV_TRAIN_UNROLLED for (size_t kx = 0; kx < k; kx++) sum[kx] = (fov_train_lanes){0};
  for (size_t block = 0; block < blocks; block++) {
    fov_train_lanes x[(BLOCK - 1) * 2 + 5];
    FOV_TRAIN_UNROLLED for (size_t i = 0; i < (BLOCK - 1) * step + k; i++) {
      x[i] = FOV_LANES_FROM(in + i * n);
    }
    FOV_TRAIN_UNROLLED for (size_t i = 0; i < BLOCK; i++) {
      const fov_train_lanes gradient = FOV_LANES_FROM(g + i * n);
      FOV_TRAIN_UNROLLED for (size_t kx = 0; kx < k; kx++) sum[kx] += x[i * step + kx] * gradient;
    }
    in += BLOCK * step * n;
    g += BLOCK * n;
  }
  FOV_TRAIN_UNROLLED for (size_t kx = 0; kx < k; kx++) {
    FOV_LANES_AT(weight_gradient + kx * n) += sum[kx];
  }
}

FOV_TRAIN_INLINE void weights_rows(const fov_depthwise *s, const fov_real *in,
                                   const fov_real *out_gradient, const size_t k, const size_t step,
                                   fov_real *weight_gradient) {
  const tap_range full = k > 0 ? full_columns(s) : (tap_range){0, 0};
  const size_t blocks = (full.end - full.first) / BLOCK, end = full.first + blocks * BLOCK;
  for (size_t y = s->first_row; y < s->end_row; y++) {
    const tap_range rows = taps_inside(s, 0, y);
    const fov_real *row = out_gradient + y * s->output_columns * s->channels;
    for (size_t c = 0; c < s->channels; c += FOV_TRAIN_LANES) {
      for (size_t ky = rows.first; ky < rows.end; ky++) {
        for (size_t x = 0; x < s->output_columns; x++) {
          if (blocks > 0 && x == full.first) x = end;
          if (x == s->output_columns) break;
          weights_pixel(s, in, row + x * s->channels + c, y, x, ky, c, weight_gradient);
        }
        if (blocks == 0) continue;
        const ptrdiff_t first = origin(s, y, full.first) + (ptrdiff_t)(tap_place(s, ky, 0) + c);
        weights_row(s, in + first, row + full.first * s->channels + c, blocks, k, step,
                    weight_gradient + weight_place(s, ky, 0) + c);
      }
    }
  }
}

FOV_TRAIN_KERNEL void fov_train_depthwise_weights(const fov_depthwise *s, const fov_real *in,
                                                  const fov_real *out_gradient,
                                                  fov_real *weight_gradient) {
  if (!is_common(s)) {
    weights_rows(s, in, out_gradient, 0, 0, weight_gradient);
  } else if (s->kernel[0] == 3 && s->step[0] == 1) {
    weights_rows(s, in, out_gradient, 3, 1, weight_gradient);
  } else if (s->kernel[0] == 3) {
    weights_rows(s, in, out_gradient, 3, 2, weight_gradient);
  } else if (s->step[0] == 1) {
    weights_rows(s, in, out_gradient, 5, 1, weight_gradient);
  } else {
    weights_rows(s, in, out_gradient, 5, 2, weight_gradient);
  }
}
