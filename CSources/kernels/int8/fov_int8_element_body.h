// Fovea - 8-bit operations on runs of neighboring elements.
// SPDX-License-Identifier: Apache-2.0
#ifndef FOV_INT8_ELEMENT_BODY_H
#define FOV_INT8_ELEMENT_BODY_H

#include "kernels/int8/fov_int8_curve_body.h"
#include "kernels/int8/fov_int8_epilogue_body.h"
#include "kernels/int8/fov_int8_vectors.h"

// Elements of a step of `maximum`.
#define MAXIMUM_RUN 32

INLINE void maximum_run(const uint8_t *a, uint8_t *out) {
  uint8_t x[MAXIMUM_RUN], y[MAXIMUM_RUN];
  memcpy(x, a, MAXIMUM_RUN);
  memcpy(y, out, MAXIMUM_RUN);
  for (size_t i = 0; i < MAXIMUM_RUN; i++) y[i] = x[i] > y[i] ? x[i] : y[i];
  memcpy(out, y, MAXIMUM_RUN);
}

// The last run overlaps with the one before, which does not change the maxima.
static void maximum(const uint8_t *a, uint8_t *out, size_t count) {
  size_t i = 0;
  for (; i + MAXIMUM_RUN <= count; i += MAXIMUM_RUN) maximum_run(a + i, out + i);
  if (i == count) return;
  if (count >= MAXIMUM_RUN) {
    maximum_run(a + count - MAXIMUM_RUN, out + count - MAXIMUM_RUN);
    return;
  }
  for (; i < count; i++) out[i] = a[i] > out[i] ? a[i] : out[i];
}

// Buffers for the last elements, if they are fewer than a panel.
typedef struct element_run {
  uint8_t a[FOV_PANEL], b[FOV_PANEL], codes[FOV_PANEL], zeros[FOV_PANEL];
  float values[FOV_PANEL], biases[FOV_PANEL];
} element_run;

INLINE void add_panel(const uint8_t *a, const uint8_t *b, vector_floats a_scale,
                      vector_floats b_scale, vector_floats bias, float zero, code_range range,
                      uint8_t *out) {
  vector_floats values[PANEL_VECTORS];
  UNROLLED for (int v = 0; v < PANEL_VECTORS; v++) {
    const size_t i = (size_t)v * VECTOR_LANES;
    values[v] = floats_fma(floats_from_codes(a + i), a_scale, bias);
    values[v] = floats_fma(floats_from_codes(b + i), b_scale, values[v]);
  }
  if (zero != 0.0f) add_zero(zero, PANEL_VECTORS, values);
  store_codes(values, 1, PANEL_VECTORS, out, 0, FOV_PANEL, range);
}

static void add(const uint8_t *a, const uint8_t *b, float a_scale, float b_scale, float bias,
                float zero, uint8_t lowest, uint8_t highest, uint8_t *out, size_t count) {
  const vector_floats as = floats_of(a_scale), bs = floats_of(b_scale), offset = floats_of(bias);
  const code_range range = {lowest, highest};
  size_t i = 0;
  for (; i + FOV_PANEL <= count; i += FOV_PANEL) {
    add_panel(a + i, b + i, as, bs, offset, zero, range, out + i);
  }
  if (i == count) return;
  element_run run = {.a = {0}};
  memcpy(run.a, a + i, count - i);
  memcpy(run.b, b + i, count - i);
  add_panel(run.a, run.b, as, bs, offset, zero, range, run.codes);
  memcpy(out + i, run.codes, count - i);
}

INLINE void store_bounded(vector_floats *values, uint8_t *out) {
  bound_codes(PANEL_VECTORS, values);
  store_codes(values, 1, PANEL_VECTORS, out, 0, FOV_PANEL, (code_range){0, 255});
}

INLINE void scale_panel(const uint8_t *a, const float *scales, const float *biases, uint8_t *out) {
  vector_floats values[PANEL_VECTORS];
  UNROLLED for (int v = 0; v < PANEL_VECTORS; v++) {
    const size_t i = (size_t)v * VECTOR_LANES;
    const vector_floats scale = floats_load(scales + i), bias = floats_load(biases + i);
    values[v] = floats_fma(floats_from_codes(a + i), scale, bias);
  }
  store_bounded(values, out);
}

static void scale_channels(const uint8_t *a, const float *scales, const float *biases, uint8_t *out,
                           size_t count) {
  size_t i = 0;
  for (; i + FOV_PANEL <= count; i += FOV_PANEL) {
    scale_panel(a + i, scales + i, biases + i, out + i);
  }
  if (i == count) return;
  element_run run = {.a = {0}};
  memcpy(run.a, a + i, count - i);
  memcpy(run.values, scales + i, (count - i) * sizeof *scales);
  memcpy(run.biases, biases + i, (count - i) * sizeof *biases);
  scale_panel(run.a, run.values, run.biases, run.codes);
  memcpy(out + i, run.codes, count - i);
}

// zeros: zero points of channels. NULL: all are zero_point.
INLINE void quantize_panel(const float *x, vector_floats scale, vector_floats zero_point,
                           const uint8_t *zeros, uint8_t *out) {
  vector_floats values[PANEL_VECTORS];
  UNROLLED for (int v = 0; v < PANEL_VECTORS; v++) {
    const vector_floats zero = zeros ? floats_from_codes(zeros + v * VECTOR_LANES) : zero_point;
    values[v] = floats_fma(floats_load(x + v * VECTOR_LANES), scale, zero);
  }
  store_bounded(values, out);
}

// zeros: as for a panel. Inlined for both cases.
INLINE void quantize_run(const float *x, vector_floats scale, vector_floats zero_point,
                         const uint8_t *zeros, uint8_t *out, size_t count) {
  size_t i = 0;
  for (; i + FOV_PANEL <= count; i += FOV_PANEL) {
    quantize_panel(x + i, scale, zero_point, zeros ? zeros + i : NULL, out + i);
  }
  if (i == count) return;
  element_run run = {.values = {0}};
  memcpy(run.values, x + i, (count - i) * sizeof *x);
  if (zeros) memcpy(run.zeros, zeros + i, count - i);
  quantize_panel(run.values, scale, zero_point, zeros ? run.zeros : NULL, run.codes);
  memcpy(out + i, run.codes, count - i);
}

static void quantize(const float *x, float inverse_scale, float zero_point, uint8_t *out,
                     size_t count) {
  quantize_run(x, floats_of(inverse_scale), floats_of(zero_point), NULL, out, count);
}

static void quantize_channels(const float *x, float inverse_scale, const uint8_t *zero_points,
                              uint8_t *out, size_t count) {
  quantize_run(x, floats_of(inverse_scale), floats_of(0.0f), zero_points, out, count);
}

// zeros: zero points of channels; the bias is zero point * factor. NULL: the bias is factor.
INLINE void dequantize_panel(const uint8_t *a, vector_floats scale, vector_floats factor,
                             const uint8_t *zeros, float *out) {
  UNROLLED for (int v = 0; v < PANEL_VECTORS; v++) {
    const vector_floats codes = floats_from_codes(a + v * VECTOR_LANES);
    const vector_floats bias =
        zeros ? floats_fma(floats_from_codes(zeros + v * VECTOR_LANES), factor, floats_of(0.0f))
              : factor;
    floats_store(out + v * VECTOR_LANES, floats_fma(codes, scale, bias));
  }
}

INLINE void dequantize_run(const uint8_t *a, vector_floats scale, vector_floats factor,
                           const uint8_t *zeros, float *out, size_t count) {
  size_t i = 0;
  for (; i + FOV_PANEL <= count; i += FOV_PANEL) {
    dequantize_panel(a + i, scale, factor, zeros ? zeros + i : NULL, out + i);
  }
  if (i == count) return;
  element_run run = {.a = {0}};
  memcpy(run.a, a + i, count - i);
  if (zeros) memcpy(run.zeros, zeros + i, count - i);
  dequantize_panel(run.a, scale, factor, zeros ? run.zeros : NULL, run.values);
  memcpy(out + i, run.values, (count - i) * sizeof *out);
}

static void dequantize(const uint8_t *a, float scale, float bias, float *out, size_t count) {
  dequantize_run(a, floats_of(scale), floats_of(bias), NULL, out, count);
}

static void dequantize_channels(const uint8_t *a, float scale, const uint8_t *zero_points,
                                float *out, size_t count) {
  dequantize_run(a, floats_of(scale), floats_of(-scale), zero_points, out, count);
}

// clang-format off
#define INT8_KERNEL_TABLE                  \
  {.convolution = convolution,             \
   .depthwise = depthwise,                 \
   .maximum = maximum,                     \
   .add = add,                             \
   .scale_channels = scale_channels,       \
   .quantize = quantize,                   \
   .dequantize = dequantize,               \
   .quantize_channels = quantize_channels, \
   .dequantize_channels = dequantize_channels, \
   .curve = curve}
// clang-format on

#endif
