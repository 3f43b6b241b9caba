// Fovea - Winograd convolution of floats, for any vector header.
// SPDX-License-Identifier: Apache-2.0
//
// Included after a vector header. Defines what WINOGRAD_KERNEL_TABLE names.
#ifndef FOV_FLOAT_WINOGRAD_BODY_H
#define FOV_FLOAT_WINOGRAD_BODY_H

#include "kernels/float/fov_float_epilogue_body.h"
#include "kernels/fov_inlining.h"

// See fov_winograd_body.h: a step takes one channel.
#define ELEMENT_LANES VECTOR_LANES
#define TAP_VECTORS (FOV_PANEL / VECTOR_LANES)
#define STEP_CHANNELS 1
#define TAPS_TOGETHER 1
#define WINOGRAD_PANELS (VECTOR_LANES < FOV_PANEL ? 1 : 2)
#define WINOGRAD_TILES TILE_PIXELS(WINOGRAD_PANELS *TAP_VECTORS)
#define WINOGRAD_DEPTH 64
#define KEEP_STEP_ORDER() KEEP_LOADS_IN_ORDER()

typedef fov_float_convolution winograd_convolution;
typedef float winograd_input;
typedef float winograd_tap;
typedef float winograd_element;
typedef float winograd_number;
typedef vector vector_elements;
typedef vector vector_sums;

INLINE size_t winograd_panel(const fov_float_convolution *k) { return k->panel_floats; }

INLINE vector_elements elements_load(const float *p, size_t lanes) {
  return lanes == ELEMENT_LANES ? vector_load(p) : vector_load_part(p, lanes);
}
INLINE vector_elements elements_again(const float *p) { return vector_load(p); }
INLINE void elements_store(float *p, vector_elements a) { vector_store(p, a); }
INLINE vector_elements elements_zero(void) { return vector_fill(0); }
INLINE vector_elements elements_add(vector_elements a, vector_elements b) {
  return vector_add(a, b);
}
INLINE vector_elements elements_subtract(vector_elements a, vector_elements b) {
  return vector_subtract(a, b);
}
INLINE vector_elements elements_add_shifted(vector_elements a, vector_elements b, int shift) {
  return vector_fma(b, vector_fill((float)(1 << shift)), a);
}
INLINE vector_elements elements_subtract_shifted(vector_elements a, vector_elements b, int shift) {
  return vector_fma(b, vector_fill(-(float)(1 << shift)), a);
}
INLINE vector_elements elements_times_4(vector_elements a) {
  return vector_multiply(a, vector_fill(4));
}
INLINE vector_elements elements_times_6(vector_elements a) {
  return vector_multiply(a, vector_fill(6));
}

INLINE vector_sums sums_load(const float *p) { return vector_load(p); }
INLINE void sums_store(float *p, vector_sums s) { vector_store(p, s); }
INLINE vector_sums sums_zero(void) { return vector_fill(0); }
INLINE vector_sums sums_add(vector_sums a, vector_sums b) { return vector_add(a, b); }
INLINE vector_sums sums_subtract(vector_sums a, vector_sums b) { return vector_subtract(a, b); }
INLINE vector_sums sums_add_shifted(vector_sums a, vector_sums b, int shift) {
  return elements_add_shifted(a, b, shift);
}
INLINE vector_sums sums_shifted_subtract(vector_sums a, int shift, vector_sums b) {
  return vector_subtract(vector_multiply(a, vector_fill((float)(1 << shift))), b);
}
INLINE vector_sums sums_greater(vector_sums a, vector_sums b) { return vector_maximum(a, b); }

INLINE vector_sums sums_ordered(vector_sums scaled) { return scaled; }
INLINE vector_sums sums_of_ordered(vector_sums ordered) {
  return vector_multiply(ordered, vector_fill(1.0f / 576.0f));
}

INLINE void taps_load(const float *tap, size_t channel, int vector, bool there,
                      vector_elements out[1]) {
  const float *panel = tap + channel * FOV_PANEL;
  out[0] = there ? vector_load(panel + vector * VECTOR_LANES) : elements_zero();
}

typedef pixel_inputs step_inputs;
INLINE step_inputs step_inputs_load(const float *p) { return pixel_inputs_load(p); }

INLINE void step_multiply_add(vector_sums *sums, const vector_elements *taps, step_inputs inputs,
                              int step) {
  UNROLLED for (int v = 0; v < TAP_VECTORS; v++) {
    sums[v] = vector_fma_input(taps[v], inputs, (size_t)step, sums[v]);
  }
}

INLINE void winograd_finish(const fov_float_convolution *k, vector_sums *sums, size_t pixels,
                            size_t panel, size_t y, size_t x) {
  const fov_float_epilogue *e = &k->epilogue;
  const size_t channel = panel * FOV_PANEL;
  store_target target = {
      .output = k->output + (ptrdiff_t)y * k->output_row + (ptrdiff_t)x * k->output_pixel + channel,
      .output_pixel = k->output_pixel,
      .residual_pixel = e->residual_pixel,
      .lanes = fov_size_min(k->output_channels - channel, FOV_PANEL),
  };
  if (e->residual != NULL) {
    target.residual = e->residual + (ptrdiff_t)y * e->residual_row +
                      (ptrdiff_t)x * e->residual_pixel + (ptrdiff_t)channel;
  }
  UNROLLED for (size_t v = 0; v < TAP_VECTORS; v++) {
    const vector bias = vector_load(e->bias + channel + v * VECTOR_LANES);
    UNROLLED for (size_t p = 0; p < pixels; p++) {
      sums[p * TAP_VECTORS + v] = vector_add(sums[p * TAP_VECTORS + v], bias);
    }
  }
  target_write(&target, e, pixels, TAP_VECTORS, sums);
}

#include "kernels/winograd/fov_winograd_body.h"

#endif
