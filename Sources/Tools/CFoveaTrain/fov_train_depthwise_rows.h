// Fovea - convolutions of single channels, so many at a time.
// SPDX-License-Identifier: Apache-2.0
//
// Included without a guard, once for each width: LANES are WIDTH channels, NAMED makes names, FIRST
// gives the first channel, and END stores a sum with what follows it.

#define FROM(pointer) (*(const LANES *)(const void *)(pointer))
#define AT(pointer) (*(LANES *)(void *)(pointer))

// MARK: Forward

static void NAMED(forward_pixel)(const fov_depthwise *s, const fov_real *in,
                                 const fov_real *weights, size_t y, size_t x, tap_range rows,
                                 size_t c, bool adds, fov_real *out) {
  const tap_range columns = taps_inside(s, 1, x);
  const ptrdiff_t first = origin(s, y, x) + (ptrdiff_t)c;
  fov_real *to = out + (y * s->output_columns + x) * s->channels + c;
  LANES sum = {0};
  if (adds) sum = FROM(to);
  for (size_t ky = rows.first; ky < rows.end; ky++) {
    for (size_t kx = columns.first; kx < columns.end; kx++) {
      sum += FROM(in + (first + (ptrdiff_t)tap_place(s, ky, kx))) *
             FROM(weights + weight_place(s, ky, kx) + c);
    }
  }
  if (adds) {
    AT(to) = sum;
  } else {
    END(&sum, &s->end, c, to);
  }
}

FOV_TRAIN_INLINE void NAMED(forward_block)(const fov_depthwise *s, const fov_real *in,
                                           const fov_real *weights, tap_range rows, size_t c,
                                           const size_t k, const size_t step, bool adds,
                                           fov_real *out) {
  const size_t n = s->channels;
  LANES sum[BLOCK];
  FOV_TRAIN_UNROLLED for (size_t i = 0; i < BLOCK; i++) {
    sum[i] = adds ? FROM(out + i * n) : (LANES){0};
  }
  for (size_t ky = rows.first; ky < rows.end; ky++) {
    const fov_real *row = in + ky * s->columns * n, *w = weights + ky * k * n;
    LANES x[(BLOCK - 1) * 2 + 5];
    FOV_TRAIN_UNROLLED for (size_t i = 0; i < (BLOCK - 1) * step + k; i++) {
      x[i] = FROM(row + i * n);
    }
    FOV_TRAIN_UNROLLED for (size_t kx = 0; kx < k; kx++) {
      const LANES factor = FROM(w + kx * n);
      FOV_TRAIN_UNROLLED for (size_t i = 0; i < BLOCK; i++) sum[i] += x[i * step + kx] * factor;
    }
  }
  FOV_TRAIN_UNROLLED for (size_t i = 0; i < BLOCK; i++) {
    if (adds) {
      AT(out + i * n) = sum[i];
    } else {
      END(&sum[i], &s->end, c, out + i * n);
    }
  }
}

FOV_TRAIN_INLINE void NAMED(forward_rows)(const fov_depthwise *s, const fov_real *in,
                                          const fov_real *weights, bool adds, const size_t k,
                                          const size_t step, fov_real *out) {
  const tap_range full = k > 0 ? full_columns(s) : (tap_range){0, 0};
  for (size_t y = s->first_row; y < s->end_row; y++) {
    const tap_range rows = taps_inside(s, 0, y);
    for (size_t c = FIRST(s->channels); c + WIDTH <= s->channels; c += WIDTH) {
      size_t x = 0;
      while (x < s->output_columns) {
        if (k > 0 && x >= full.first && x + BLOCK <= full.end) {
          NAMED(forward_block)
          (s, in + (origin(s, y, x) + (ptrdiff_t)c), weights + c, rows, c, k, step, adds,
           out + (y * s->output_columns + x) * s->channels + c);
          x += BLOCK;
        } else {
          NAMED(forward_pixel)(s, in, weights, y, x++, rows, c, adds, out);
        }
      }
    }
  }
}

// MARK: Gradients

static void NAMED(spread)(const fov_depthwise *s, const fov_real *out_gradient,
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
          for (size_t c = FIRST(s->channels); c + WIDTH <= s->channels; c += WIDTH) {
            AT(to + c) += FROM(from + c) * FROM(w + c);
          }
        }
      }
    }
  }
}

static void NAMED(weights_pixel)(const fov_depthwise *s, const fov_real *in,
                                 const fov_real *gradient, size_t y, size_t x, size_t ky, size_t c,
                                 fov_real *weight_gradient) {
  const tap_range columns = taps_inside(s, 1, x);
  const ptrdiff_t first = origin(s, y, x) + (ptrdiff_t)c;
  for (size_t kx = columns.first; kx < columns.end; kx++) {
    AT(weight_gradient + weight_place(s, ky, kx) + c) +=
        FROM(gradient) * FROM(in + (first + (ptrdiff_t)tap_place(s, ky, kx)));
  }
}

FOV_TRAIN_INLINE void NAMED(weights_row)(const fov_depthwise *s, const fov_real *in,
                                         const fov_real *g, size_t blocks, const size_t k,
                                         const size_t step, fov_real *weight_gradient) {
  const size_t n = s->channels;
  LANES sum[5];
  FOV_TRAIN_UNROLLED for (size_t kx = 0; kx < k; kx++) sum[kx] = (LANES){0};
  for (size_t block = 0; block < blocks; block++) {
    LANES x[(BLOCK - 1) * 2 + 5];
    FOV_TRAIN_UNROLLED for (size_t i = 0; i < (BLOCK - 1) * step + k; i++) {
      x[i] = FROM(in + i * n);
    }
    FOV_TRAIN_UNROLLED for (size_t i = 0; i < BLOCK; i++) {
      const LANES gradient = FROM(g + i * n);
      FOV_TRAIN_UNROLLED for (size_t kx = 0; kx < k; kx++) sum[kx] += x[i * step + kx] * gradient;
    }
    in += BLOCK * step * n;
    g += BLOCK * n;
  }
  FOV_TRAIN_UNROLLED for (size_t kx = 0; kx < k; kx++) { AT(weight_gradient + kx * n) += sum[kx]; }
}

FOV_TRAIN_INLINE void NAMED(weights_rows)(const fov_depthwise *s, const fov_real *in,
                                          const fov_real *out_gradient, const size_t k,
                                          const size_t step, fov_real *weight_gradient) {
  const tap_range full = k > 0 ? full_columns(s) : (tap_range){0, 0};
  const size_t blocks = (full.end - full.first) / BLOCK, end = full.first + blocks * BLOCK;
  for (size_t y = s->first_row; y < s->end_row; y++) {
    const tap_range rows = taps_inside(s, 0, y);
    const fov_real *row = out_gradient + y * s->output_columns * s->channels;
    for (size_t c = FIRST(s->channels); c + WIDTH <= s->channels; c += WIDTH) {
      for (size_t ky = rows.first; ky < rows.end; ky++) {
        for (size_t x = 0; x < s->output_columns; x++) {
          if (blocks > 0 && x == full.first) x = end;
          if (x == s->output_columns) break;
          NAMED(weights_pixel)(s, in, row + x * s->channels + c, y, x, ky, c, weight_gradient);
        }
        if (blocks == 0) continue;
        const ptrdiff_t first = origin(s, y, full.first) + (ptrdiff_t)(tap_place(s, ky, 0) + c);
        NAMED(weights_row)
        (s, in + first, row + full.first * s->channels + c, blocks, k, step,
         weight_gradient + weight_place(s, ky, 0) + c);
      }
    }
  }
}

#undef FROM
#undef AT
