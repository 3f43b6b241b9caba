// Fovea - colors from luma and chroma in plain C.
// SPDX-License-Identifier: Apache-2.0
#ifndef FOV_SAMPLING_COLORS_H
#define FOV_SAMPLING_COLORS_H

#include "kernels/fov_inlining.h"
#include "kernels/sampling/fov_sampling_kernels.h"

#define COLOR_STEP 16  // divides FOV_COLOR_RUN

// Loops of constant length over arrays, which compilers vectorize.
INLINE void color_plane(const int32_t *luma, const int32_t *u, const int32_t *v, int32_t u_factor,
                        int32_t v_factor, uint8_t *out) {
  for (size_t i = 0; i < COLOR_STEP; i++) {
    const int32_t value = (luma[i] + u_factor * u[i] + v_factor * v[i]) >> 16;
    out[i] = (uint8_t)(value < 0 ? 0 : value > 255 ? 255 : value);
  }
}

INLINE void color_run(const fov_yuv_matrix *matrix, const uint8_t *y, const uint8_t *u,
                      const uint8_t *v, uint8_t *red, uint8_t *green, uint8_t *blue) {
  int32_t luma[COLOR_STEP], u_signed[COLOR_STEP], v_signed[COLOR_STEP];
  for (size_t i = 0; i < COLOR_STEP; i++) {
    luma[i] = matrix->luma * (y[i] - matrix->black) + (1 << 15);
    u_signed[i] = u[i] - 128;
    v_signed[i] = v[i] - 128;
  }
  color_plane(luma, u_signed, v_signed, 0, matrix->red_v, red);
  color_plane(luma, u_signed, v_signed, matrix->green_u, matrix->green_v, green);
  color_plane(luma, u_signed, v_signed, matrix->blue_u, 0, blue);
}

static void colors(const fov_yuv_matrix *matrix, const uint8_t *y, const uint8_t *u,
                   const uint8_t *v, size_t count, const fov_color_planes *out) {
  ONE_BY_ONE for (size_t i = 0; i < count; i += COLOR_STEP) {
    color_run(matrix, y + i, u + i, v + i, out->red + i, out->green + i, out->blue + i);
  }
}

#endif
