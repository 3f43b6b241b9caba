// Fovea - from the floats of a block to codes, through a curve.
// SPDX-License-Identifier: Apache-2.0
#ifndef FOV_INT8_CURVE_BODY_H
#define FOV_INT8_CURVE_BODY_H

#include "kernels/float/fov_logistic.h"
#include "kernels/int8/fov_int8_epilogue_body.h"

// Pixels of a panel whose curves are computed together.
#define CURVE_PIXELS 4

// Values of one panel of some pixels. The compiler makes vectors of the inner loops. Each element
// has the same roundings for all widths.
#define CURVE_FUNCTION(name, result)                                                  \
  SEPARATE void name(const fov_int8_curve *k, const float *restrict x, size_t pixels, \
                     float *restrict out) {                                           \
    const float alpha = k->alpha, least = k->least;                                   \
    (void)alpha, (void)least;                                                         \
    for (size_t p = 0; p < pixels; p++, x += k->value_pixel, out += FOV_PANEL) {      \
      for (size_t i = 0; i < FOV_PANEL; i++) out[i] = result;                         \
    }                                                                                 \
  }
CURVE_FUNCTION(curve_silu, fov_logistic_or_zero(x[i], x[i]))
CURVE_FUNCTION(curve_sigmoid, fov_logistic_or_zero(x[i], 1.0f))
CURVE_FUNCTION(curve_gelu, fov_gelu(x[i]))
CURVE_FUNCTION(curve_hard_silu, fov_hard_silu(x[i], alpha, least))

typedef void (*curve_function)(const fov_int8_curve *k, const float *restrict x, size_t pixels,
                               float *restrict out);

INLINE curve_function curve_function_of(fov_float_curve curve) {
  switch (curve) {
    case fov_float_curve_silu: return curve_silu;
    case fov_float_curve_sigmoid: return curve_sigmoid;
    case fov_float_curve_gelu: return curve_gelu;
    default: return curve_hard_silu;
  }
}

typedef struct curve_codes {
  vector_floats scales[PANEL_VECTORS], zeros[PANEL_VECTORS];
  size_t channels;  // of the panel
  ptrdiff_t pixel;
} curve_codes;

INLINE curve_codes curve_codes_of(const fov_int8_curve *k, size_t channel) {
  const size_t left = k->channels - channel, channels = left < FOV_PANEL ? left : FOV_PANEL;
  curve_codes codes = {.channels = channels, .pixel = k->output_pixel};
  float scales[FOV_PANEL] = {0.0f}, zeros[FOV_PANEL] = {0.0f};
  for (size_t i = 0; i < channels; i++) {
    const size_t c = channel + i;
    const float offset = k->offsets ? k->inverse_scale * k->offsets[c] : 0.0f;
    scales[i] = k->inverse_scale * (k->factors ? k->factors[c] : 1.0f);
    zeros[i] = (k->zero_points ? (float)k->zero_points[c] : k->zero_point) + offset;
  }
  UNROLLED for (int v = 0; v < PANEL_VECTORS; v++) {
    codes.scales[v] = floats_load(scales + v * VECTOR_LANES);
    codes.zeros[v] = floats_load(zeros + v * VECTOR_LANES);
  }
  return codes;
}

INLINE void curve_store(const curve_codes *codes, const float *x, int pixels, uint8_t *out) {
  vector_floats values[CURVE_PIXELS * PANEL_VECTORS];
  UNROLLED for (int i = 0; i < pixels * PANEL_VECTORS; i++) {
    const vector_floats value = floats_load(x + i * VECTOR_LANES);
    values[i] =
        floats_fma(value, codes->scales[i % PANEL_VECTORS], codes->zeros[i % PANEL_VECTORS]);
  }
  bound_codes(pixels * PANEL_VECTORS, values);
  store_codes(values, pixels, PANEL_VECTORS, out, codes->pixel, codes->channels,
              (code_range){0, 255});
}

static void curve(const fov_int8_curve *k) {
  const curve_function compute = curve_function_of(k->curve);
  float results[CURVE_PIXELS * FOV_PANEL];
  for (size_t c = 0; c < k->channels; c += FOV_PANEL) {
    const curve_codes codes = curve_codes_of(k, c);
    const float *from = k->values + c;
    uint8_t *out = k->output + c;
    size_t p = 0;
    for (; p + CURVE_PIXELS <= k->pixels; p += CURVE_PIXELS) {
      compute(k, from + p * k->value_pixel, CURVE_PIXELS, results);
      curve_store(&codes, results, CURVE_PIXELS, out + (ptrdiff_t)p * k->output_pixel);
    }
    for (; p < k->pixels; p++) {
      compute(k, from + p * k->value_pixel, 1, results);
      curve_store(&codes, results, 1, out + (ptrdiff_t)p * k->output_pixel);
    }
  }
}

#endif
