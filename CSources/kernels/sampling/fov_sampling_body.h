// Fovea - sampling images, for any vectors.
// SPDX-License-Identifier: Apache-2.0
#ifndef FOV_SAMPLING_BODY_H
#define FOV_SAMPLING_BODY_H

#include <string.h>

#include "base/fov_size.h"
#include "kernels/fov_inlining.h"
#include "kernels/sampling/fov_sampling_kernels.h"

// A set defines before it: eight doubles, and functions of them,
//
//   eight_doubles           eight_of(x)            eight_load(p)     eight_store(p, v)
//   eight_multiply(a, b)    eight_add(a, b)        eight_subtract(a, b)
//   eight_from_bytes(p)
//   eight_to_bytes(p, v)    floor(v), for 0 <= v < 256
//
// of floats, if BILINEAR_HAS_FLOATS is 1,
//
//   some_floats             FLOATS of them         floats_of(x)      floats_load(p)
//   floats_from_bytes(p)    floats_mix(a, b, w)    a + (b - a) w, fused or not
//   floats_settle(p, v, d)  stores floor(v + 1/2), for 0 <= v < 256, as bytes; whether all
//                           fractions are closer than d to 1/2
//
// and of the area filter and the colors
//
//   AREA_RUN                samples of a step along rows
//   area_run(rows, weights, taps, offset, out)     area_rows from `offset`, AREA_RUN samples
//   area_color(levels, weights, taps, out)        one pixel; four levels are written
//   area_gray(levels, weights, taps)               one level
//   window_samples(row, window, left, right)       of eight columns
//   colors                                         see fov_sampling_kernels
//   interleave_colors(red, green, blue, out)       16 pixels of three planes

// MARK: Bilinear

typedef struct eight_weights {
  eight_doubles low, high;
} eight_weights;

INLINE eight_weights weights_of(eight_doubles high) {
  return (eight_weights){eight_subtract(eight_of(1), high), high};
}

INLINE eight_doubles eight_mix(eight_doubles low, eight_doubles high, eight_weights weights) {
  return eight_add(eight_multiply(low, weights.low), eight_multiply(high, weights.high));
}

INLINE eight_doubles bilinear_eight(const fov_bilinear_run *run, bool rows_first, size_t i) {
  const eight_weights columns = weights_of(eight_load(run->weights + i));
  const eight_weights rows = weights_of(eight_of(run->row_weight));
  const eight_doubles a = eight_from_bytes(run->first[0] + i);
  const eight_doubles b = eight_from_bytes(run->second[0] + i);
  const eight_doubles c = eight_from_bytes(run->first[1] + i);
  const eight_doubles d = eight_from_bytes(run->second[1] + i);
  if (rows_first) return eight_mix(eight_mix(a, c, rows), eight_mix(b, d, rows), columns);
  return eight_mix(eight_mix(a, b, columns), eight_mix(c, d, columns), rows);
}

INLINE void exact_step(const fov_bilinear_run *run, bool rows_first, size_t i, uint8_t *out) {
  eight_to_bytes(out, eight_add(bilinear_eight(run, rows_first, i), eight_of(0.5)));
}

// count >= 8. The last step computes some samples again.
INLINE void exact_run(const fov_bilinear_run *run, bool rows_first, size_t count, uint8_t *out) {
  ONE_BY_ONE for (size_t i = 0; i < count; i += 8) {
    const size_t begin = fov_size_min(i, count - 8);
    exact_step(run, rows_first, begin, out + begin);
  }
}

static void bilinear_exact(const fov_bilinear_run *run, size_t count, uint8_t *out) {
  if (count < 8) {
    uint8_t eight[8];
    bilinear_exact(run, 8, eight);
    memcpy(out, eight, count);
  } else if (run->rows_first) {
    exact_run(run, true, count, out);
  } else {
    exact_run(run, false, count, out);
  }
}

static void bilinear_sums(const fov_bilinear_run *run, size_t count, double *out) {
  ONE_BY_ONE for (size_t i = 0; i < count; i += 8) {
    const eight_doubles sums =
        run->rows_first ? bilinear_eight(run, true, i) : bilinear_eight(run, false, i);
    eight_store(out + i, sums);
  }
}

#if BILINEAR_HAS_FLOATS
// Floats give the same byte, unless the sum is very close to where rounding changes. Then doubles
// decide. Let a unit be 2^-16. Values are below 256, so that each operation errs by at most half a
// unit:
//
//   a weight as a float errs by 2^-25, which changes a mix by less than half a unit
//   t = a + (b - a) w     exact difference; weight, product and sum: 1.5 units
//   u = t + (t' - t) v    1.5 of t and t'; difference, weight, product and sum: 3.5 units
//   u + 1/2               may be 256, where half the distance of floats is a unit: 4.5 units
//
// Doubles err by less than 2^-43. So if u + 1/2 is more than 8 units = 2^-13 away from integers,
// both have the same floor. This holds for both orders of the axes.
//
// If all weights are multiples of 2^-8, every value is a multiple of 2^-16 below 2^8. It has 24
// bits, so that floats and doubles are exact. Ties are frequent in this case.
#define FLOATS_SETTLED (0.5f - 0x1p-13f)

SEPARATE void bilinear_again(const fov_bilinear_run *run, size_t i, uint8_t *out) {
  fov_bilinear_run part = *run;
  for (int row = 0; row < 2; row++) {
    part.first[row] += i;
    part.second[row] += i;
  }
  part.weights += i;
  bilinear_exact(&part, FLOATS, out);
}

// Whether floats were exact enough.
INLINE bool bilinear_step(const fov_bilinear_run *run, size_t i, uint8_t *out) {
  const some_floats columns = floats_load(run->near_weights + i);
  const some_floats rows = floats_of((float)run->row_weight);
  const some_floats top = floats_mix(floats_from_bytes(run->first[0] + i),
                                     floats_from_bytes(run->second[0] + i), columns);
  const some_floats bottom = floats_mix(floats_from_bytes(run->first[1] + i),
                                        floats_from_bytes(run->second[1] + i), columns);
  const bool is_settled = floats_settle(out, floats_mix(top, bottom, rows), FLOATS_SETTLED);
  if (run->is_coarse || is_settled) return true;
  bilinear_again(run, i, out);
  return false;
}

static size_t bilinear(const fov_bilinear_run *run, size_t count, uint8_t *out) {
  if (count < FLOATS) {
    bilinear_exact(run, count, out);
    return 0;
  }
  size_t steps = 0;
  for (size_t i = 0; i < count; i += FLOATS) {
    const size_t begin = fov_size_min(i, count - FLOATS);
    steps += !bilinear_step(run, begin, out + begin);
  }
  return steps * FLOATS * 256 / (count + FLOATS);
}
#else
static size_t bilinear(const fov_bilinear_run *run, size_t count, uint8_t *out) {
  bilinear_exact(run, count, out);
  return 0;
}
#endif

// MARK: Area

// The last step computes some samples again.
static void area_rows(const uint8_t *const *rows, const int16_t *weights, size_t taps, size_t count,
                      int16_t *out) {
  if (count >= AREA_RUN) {
    ONE_BY_ONE for (size_t i = 0; i < count; i += AREA_RUN) {
      const size_t begin = fov_size_min(i, count - AREA_RUN);
      area_run(rows, weights, taps, begin, out + begin);
    }
    return;
  }
  ONE_BY_ONE for (size_t i = 0; i < count; i++) {
    int32_t sum = 1 << (FOV_AREA_WEIGHT_BITS - FOV_AREA_LEVEL_BITS - 1);
    ONE_BY_ONE for (size_t k = 0; k < taps; k++) sum += weights[k] * rows[k][i];
    out[i] = (int16_t)(sum >> (FOV_AREA_WEIGHT_BITS - FOV_AREA_LEVEL_BITS));
  }
}

static void area_columns(const fov_area_columns *columns, const int16_t *levels, int16_t *out) {
  const size_t taps = columns->taps;
  const int16_t *weights = columns->weights;
  ONE_BY_ONE for (size_t i = 0; i < columns->count; i++, weights += taps) {
    const size_t start = columns->starts[i];
    if (columns->channels == 3) {
      area_color(levels + 3 * start, weights, taps, out + 3 * i);
    } else {
      out[i] = area_gray(levels + start, weights, taps);
    }
  }
}

// MARK: Pairs

static void pairs(const uint8_t *row, const fov_sample_window *windows, size_t count, uint8_t *left,
                  uint8_t *right) {
  ONE_BY_ONE for (size_t i = 0; i < count; i++) {
    window_samples(row + windows[i].begin, &windows[i], left, right);
    left += windows[i].count;
    right += windows[i].count;
  }
}

// MARK: Colors

static void interleave(const fov_color_planes *planes, size_t count, uint8_t *rgb) {
  const size_t whole = count / 16 * 16;
  ONE_BY_ONE for (size_t i = 0; i < whole; i += 16) {
    interleave_colors(planes->red + i, planes->green + i, planes->blue + i, rgb + 3 * i);
  }
  if (whole == count) return;
  uint8_t last[48];
  interleave_colors(planes->red + whole, planes->green + whole, planes->blue + whole, last);
  memcpy(rgb + 3 * whole, last, 3 * (count - whole));
}

#define SAMPLING_KERNEL_TABLE                                                               \
  {                                                                                         \
    .bilinear = bilinear, .bilinear_exact = bilinear_exact, .bilinear_sums = bilinear_sums, \
    .area_rows = area_rows, .area_columns = area_columns, .pairs = pairs, .colors = colors, \
    .interleave = interleave,                                                               \
  }

#endif
