// Fovea - Winograd convolution of 8-bit codes, for any vectors of 16-bit integers.
// SPDX-License-Identifier: Apache-2.0
#ifndef FOV_INT8_WINOGRAD_BODY_H
#define FOV_INT8_WINOGRAD_BODY_H

#include "kernels/int8/fov_int8_epilogue_body.h"

// Included after a header of 16-bit integers. Defines what WINOGRAD_KERNEL_TABLE names.
typedef fov_int8_convolution winograd_convolution;
typedef uint8_t winograd_input;
typedef int8_t winograd_tap;
typedef int16_t winograd_element;
typedef int32_t winograd_number;

INLINE size_t winograd_panel(const fov_int8_convolution *k) { return k->panel_bytes; }

// From 576 * sums modulo 2^32 to 64 * sums, of which maxima can be taken, and to the sums.
#define INVERSE_OF_9 0x38E38E39
INLINE vector_sums sums_ordered(vector_sums scaled) { return sums_times(scaled, INVERSE_OF_9); }
INLINE vector_sums sums_of_ordered(vector_sums ordered) { return sums_halve(ordered, 6); }

INLINE void winograd_finish(const fov_int8_convolution *k, const vector_sums *sums, size_t pixels,
                            size_t panel, size_t y, size_t x) {
  const size_t channel = panel * FOV_PANEL;
  const tile_place place = {&k->epilogue,  k->output,
                            k->output_row, k->output_pixel,
                            channel,       fov_size_min(k->output_channels - channel, FOV_PANEL)};
  const row_finish finish = finish_row(&place, y);
  finish_tile(&finish, sums, (int)pixels, PANEL_VECTORS, y, x);
}

#include "kernels/winograd/fov_winograd_body.h"

#endif
