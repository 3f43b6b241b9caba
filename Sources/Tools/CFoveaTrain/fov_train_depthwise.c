// Fovea - convolutions of single channels, forward and backward.
// SPDX-License-Identifier: Apache-2.0
//
// Eight or sixteen channels at a time. Kernels of 3 and 5 that are not dilated keep four pixels of
// a row in registers, where all their taps lie inside the image; the others go pixel by pixel.
#include "fov_train_bounds.h"
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

// MARK: Widths

#define LANES fov_train_lanes
#define WIDTH FOV_TRAIN_LANES
#define NAMED(name) name##_narrow
#define END end_narrow
#if defined(FOV_TRAIN_HAS_WIDE)
#define FIRST(channels) ((channels) / (2 * FOV_TRAIN_LANES) * (2 * FOV_TRAIN_LANES))
#else
#define FIRST(channels) ((void)(channels), (size_t)0)
#endif
#include "fov_train_depthwise_rows.h"
#undef LANES
#undef WIDTH
#undef NAMED
#undef END
#undef FIRST

#if defined(FOV_TRAIN_HAS_WIDE)
#define LANES fov_train_wide
#define WIDTH (2 * FOV_TRAIN_LANES)
#define NAMED(name) name##_wide
#define END end_wide
#define FIRST(channels) ((void)(channels), (size_t)0)
#include "fov_train_depthwise_rows.h"
#undef LANES
#undef WIDTH
#undef NAMED
#undef END
#undef FIRST
#define BOTH(name, ...) (name##_wide(__VA_ARGS__), name##_narrow(__VA_ARGS__))
#else
#define BOTH(name, ...) name##_narrow(__VA_ARGS__)
#endif

// MARK: Kernels of one size

FOV_TRAIN_KERNEL void fov_train_depthwise_forward(const fov_depthwise *s, const fov_real *in,
                                                  const fov_real *weights, bool adds,
                                                  fov_real *out) {
  if (!is_common(s)) {
    BOTH(forward_rows, s, in, weights, adds, 0, 0, out);
  } else if (s->kernel[0] == 3 && s->step[0] == 1) {
    BOTH(forward_rows, s, in, weights, adds, 3, 1, out);
  } else if (s->kernel[0] == 3) {
    BOTH(forward_rows, s, in, weights, adds, 3, 2, out);
  } else if (s->step[0] == 1) {
    BOTH(forward_rows, s, in, weights, adds, 5, 1, out);
  } else {
    BOTH(forward_rows, s, in, weights, adds, 5, 2, out);
  }
}

FOV_TRAIN_KERNEL void fov_train_depthwise_weights(const fov_depthwise *s, const fov_real *in,
                                                  const fov_real *out_gradient,
                                                  fov_real *weight_gradient) {
  if (!is_common(s)) {
    BOTH(weights_rows, s, in, out_gradient, 0, 0, weight_gradient);
  } else if (s->kernel[0] == 3 && s->step[0] == 1) {
    BOTH(weights_rows, s, in, out_gradient, 3, 1, weight_gradient);
  } else if (s->kernel[0] == 3) {
    BOTH(weights_rows, s, in, out_gradient, 3, 2, weight_gradient);
  } else if (s->step[0] == 1) {
    BOTH(weights_rows, s, in, out_gradient, 5, 1, weight_gradient);
  } else {
    BOTH(weights_rows, s, in, out_gradient, 5, 2, weight_gradient);
  }
}

FOV_TRAIN_KERNEL void fov_train_depthwise_spread(const fov_depthwise *s,
                                                 const fov_real *out_gradient,
                                                 const fov_real *weights, fov_real *in_gradient) {
  BOTH(spread, s, out_gradient, weights, in_gradient);
}
