// Fovea - the sigmoid and its like of neighboring floats, for any width of vectors.
// SPDX-License-Identifier: Apache-2.0
#ifndef FOV_FLOAT_LOGISTIC_BODY_H
#define FOV_FLOAT_LOGISTIC_BODY_H

#include <stddef.h>
#include <string.h>

#include "kernels/float/fov_float_kernels.h"
#include "kernels/float/fov_logistic.h"
#include "kernels/fov_inlining.h"

// Included after VECTOR_LANES is defined. Defines logistic and finish_pixels. The compiler makes
// vectors of the loops. Each element has the same roundings for all widths of vectors.
INLINE void logistic_vector(const float *x, float numerator, float *out) {
  float results[VECTOR_LANES];
  for (size_t i = 0; i < VECTOR_LANES; i++) results[i] = fov_logistic(x[i], numerator);
  memcpy(out, results, sizeof results);
}

static void logistic(const float *x, float numerator, float *out, size_t count) {
  size_t i = 0;
  for (; i + VECTOR_LANES <= count; i += VECTOR_LANES) {
    logistic_vector(x + i, numerator, out + i);
  }
  if (i == count) return;
  float rest[VECTOR_LANES] = {0};
  memcpy(rest, x + i, (count - i) * sizeof *x);
  logistic_vector(rest, numerator, rest);
  memcpy(out + i, rest, (count - i) * sizeof *out);
}

// `vectors` vectors of one pixel. Without a residual, zeros are added again and again: their step
// is 0. There is one loop for sigmoid and SiLU, since its code would else be there many times.
SEPARATE void finish_vectors(const fov_float_finish *f, const float *sums, const float *added,
                             size_t added_step, float *out, size_t vectors) {
  const bool is_silu = f->curve == fov_float_curve_silu;
  const float alpha = f->alpha, least = f->least;
  if (f->curve == fov_float_curve_hard_silu) {
    for (size_t v = 0; v < vectors; v++, sums += VECTOR_LANES, added += added_step) {
      float results[VECTOR_LANES];
      for (size_t i = 0; i < VECTOR_LANES; i++) {
        results[i] = fov_hard_silu(sums[i], alpha, least) + added[i];
      }
      memcpy(out + v * VECTOR_LANES, results, sizeof results);
    }
    return;
  }
  if (f->curve == fov_float_curve_gelu) {
    for (size_t v = 0; v < vectors; v++, sums += VECTOR_LANES, added += added_step) {
      float results[VECTOR_LANES];
      for (size_t i = 0; i < VECTOR_LANES; i++) results[i] = fov_gelu(sums[i]) + added[i];
      memcpy(out + v * VECTOR_LANES, results, sizeof results);
    }
    return;
  }
  for (size_t v = 0; v < vectors; v++, sums += VECTOR_LANES, added += added_step) {
    float results[VECTOR_LANES];
    for (size_t i = 0; i < VECTOR_LANES; i++) {
      const float x = sums[i];
      results[i] = fov_logistic_or_zero(x, is_silu ? x : 1.0f) + added[i];
    }
    memcpy(out + v * VECTOR_LANES, results, sizeof results);
  }
}

// Pixels without gaps and residuals are one run of elements.
static void finish_pixels(const fov_float_finish *f) {
  const float zeros[VECTOR_LANES] = {0};
  const bool adjoin = f->residual == NULL && f->pixel == (ptrdiff_t)f->channels;
  const size_t pixels = adjoin ? 1 : f->pixels;
  const size_t channels = adjoin ? f->pixels * f->channels : f->channels;
  const size_t vectors = channels / VECTOR_LANES, whole = vectors * VECTOR_LANES;
  const size_t rest = channels - whole;
  for (size_t p = 0; p < pixels; p++) {
    const float *sums = f->sums + (ptrdiff_t)p * f->pixel;
    float *out = f->results + (ptrdiff_t)p * f->pixel;
    const float *residual =
        f->residual != NULL ? f->residual + (ptrdiff_t)p * f->residual_pixel : NULL;
    finish_vectors(f, sums, residual != NULL ? residual : zeros,
                   residual != NULL ? VECTOR_LANES : 0, out, vectors);
    if (rest == 0) continue;
    float last[VECTOR_LANES] = {0}, added[VECTOR_LANES] = {0};
    memcpy(last, sums + whole, rest * sizeof *last);
    if (residual != NULL) memcpy(added, residual + whole, rest * sizeof *added);
    finish_vectors(f, last, added, 0, last, 1);
    memcpy(out + whole, last, rest * sizeof *last);
  }
}

#endif
