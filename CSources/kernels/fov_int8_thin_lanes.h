// Fovea - 1x1 convolutions of 16 channels at most with 512-bit vectors: a pixel in each lane.
// SPDX-License-Identifier: Apache-2.0
#ifndef FOV_INT8_THIN_LANES_H
#define FOV_INT8_THIN_LANES_H

#include "kernels/fov_int8_epilogue_body.h"

// Tiles of pixels and panels load every group of a pixel and store its bytes alone; where one panel has
// few groups, that is what takes the time. Here four pixels are one vector. A shuffle repeats one of
// their groups for four outputs of each, a quad, whose weights lie in all lanes alike:
//
//   codes      p0: g0 g1 g2 g3 | p1: g0 g1 g2 g3 | p2 ..       16 bytes of each pixel
//   shuffled   p0: g1 g1 g1 g1 | p1: g1 g1 g1 g1 | p2 ..
//   weights    w0 w1 w2 w3     | w0 w1 w2 w3     | w0 ..       of group 1 for outputs 0 ... 3
//
// Packing the sums of four quads gives the pixels' bytes in their order.
#define THIN_PIXELS 4
#define THIN_QUADS 4
#define THIN_CHANNELS 16

typedef struct thin_walk {
  const uint8_t *input, *residual;  // of pixel (0, 0), as `out`; residual: NULL if none
  uint8_t *out;
  ptrdiff_t row, pixel, residual_row, residual_pixel, out_row, out_pixel;
  size_t columns, channels;         // channels: that are stored
  code_range range;
  float residual_scale;
  const int8_t *weights;
  size_t groups;
  _Alignas(64) float factors[4][THIN_QUADS * VECTOR_LANES];  // in all lanes alike
} thin_walk;

// Groups that a pixel does not have meet weights of zero.
INLINE void thin_weights(const thin_walk *walk, int groups, int quads, __m512i *w) {
  UNROLLED for (int i = 0; i < groups * quads; i++) {
    const size_t group = (size_t)(i / quads);
    const int8_t *at = walk->weights + (group * FOV_PANEL + (size_t)(i % quads) * 4) * FOV_GROUP;
    w[i] = group < walk->groups
               ? _mm512_broadcast_i32x4(_mm_loadu_si128((const __m128i *)at))
               : _mm512_setzero_si512();
    __asm__("" : "+v"(w[i]));  // or they would be loaded for every product
  }
}

INLINE __m512i thin_group(__m512i codes, int group) {
  switch (group) {
    case 0: return _mm512_shuffle_epi32(codes, 0x00);
    case 1: return _mm512_shuffle_epi32(codes, 0x55);
    case 2: return _mm512_shuffle_epi32(codes, 0xAA);
    default: return _mm512_shuffle_epi32(codes, 0xFF);
  }
}

// The residual's codes of one quad, of four pixels.
INLINE vector_floats thin_residual(__m512i codes, int quad) {
  const __m512i order = _mm512_add_epi32(_mm512_broadcast_i32x4(_mm_setr_epi32(0, 1, 2, 3)),
                                         _mm512_set1_epi32((int)0x80808000 + 4 * quad));
  return _mm512_cvtepi32_ps(_mm512_shuffle_epi8(codes, order));
}

// Four neighbouring pixels.
INLINE void thin_pixels(const thin_walk *walk, const __m512i *w, const uint8_t *input,
                        const uint8_t *residual, uint8_t *out, int groups, int quads, bool slope) {
  const __m512i codes = lane_load(input, walk->pixel, walk->pixel == THIN_CHANNELS ? 1 : 4);
  vector_sums sums[THIN_QUADS];
  UNROLLED for (int q = 0; q < quads; q++) sums[q] = _mm512_setzero_si512();
  UNROLLED for (int g = 0; g < groups; g++) {
    const __m512i group = thin_group(codes, g);
    UNROLLED for (int q = 0; q < quads; q++) {
      sums[q] = _mm512_dpbusd_epi32(sums[q], group, w[g * quads + q]);
    }
  }
  const row_finish finish = {.scale = walk->factors[0],
                             .bias = walk->factors[1],
                             .negative_scale = walk->factors[2],
                             .negative_bias = walk->factors[3]};
  vector_floats v[THIN_QUADS];
  requantize(&finish, sums, 1, quads, slope, v);
  if (residual != NULL) {
    const __m512i added =
        lane_load(residual, walk->residual_pixel, walk->residual_pixel == THIN_CHANNELS ? 1 : 4);
    UNROLLED for (int q = 0; q < quads; q++) {
      v[q] = floats_fma(thin_residual(added, q), floats_of(walk->residual_scale), v[q]);
    }
  }
  const int third = quads == THIN_QUADS ? 2 : 0;
  const __m512i low = _mm512_packs_epi32(_mm512_cvtps_epi32(v[0]), _mm512_cvtps_epi32(v[1]));
  const __m512i high = third == 0 ? low
                                  : _mm512_packs_epi32(_mm512_cvtps_epi32(v[2]),
                                                       _mm512_cvtps_epi32(v[3]));
  const __m512i packed = clamp_codes(_mm512_packus_epi16(low, high), walk->range);
  const bool is_dense = walk->out_pixel == THIN_CHANNELS && walk->channels == THIN_CHANNELS;
  if (is_dense) {
    lane_store(packed, out, 0, 1, 4 * THIN_CHANNELS);
  } else {
    lane_store(packed, out, walk->out_pixel, 4, walk->channels);
  }
}

// Rows [begin, end); the last pixels of a row are computed twice where they are too few.
INLINE void thin_rows(const thin_walk *shared, size_t begin, size_t end, int groups, int quads,
                      bool slope) {
  const thin_walk copy = *shared, *walk = &copy;  // what nobody else sees stays in registers
  __m512i w[THIN_QUADS * THIN_QUADS];
  thin_weights(walk, groups, quads, w);
  for (size_t y = begin; y < end; y++) {
    const uint8_t *input = walk->input + (ptrdiff_t)y * walk->row;
    const uint8_t *residual =
        walk->residual ? walk->residual + (ptrdiff_t)y * walk->residual_row : NULL;
    uint8_t *out = walk->out + (ptrdiff_t)y * walk->out_row;
    for (size_t i = 0; i < walk->columns; i += THIN_PIXELS) {
      const ptrdiff_t x = (ptrdiff_t)fov_size_min(i, walk->columns - THIN_PIXELS);
      thin_pixels(walk, w, input + x * walk->pixel,
                  residual ? residual + x * walk->residual_pixel : NULL, out + x * walk->out_pixel,
                  groups, quads, slope);
    }
  }
}

typedef void (*thin_function)(const thin_walk *walk, size_t begin, size_t end);

#define THIN_FUNCTION(name, groups, quads, slope)                       \
  SEPARATE void name(const thin_walk *walk, size_t begin, size_t end) { \
    thin_rows(walk, begin, end, groups, quads, slope);                  \
  }
#define THIN_FUNCTIONS(name, groups, quads)  \
  THIN_FUNCTION(name, groups, quads, false)  \
  THIN_FUNCTION(name##_with_slope, groups, quads, true)
THIN_FUNCTIONS(thin_2_2, 2, 2)
THIN_FUNCTIONS(thin_2_4, 2, 4)
THIN_FUNCTIONS(thin_4_2, 4, 2)
THIN_FUNCTIONS(thin_4_4, 4, 4)

INLINE thin_function thin_function_of(size_t groups, size_t channels, bool slope) {
  static const thin_function functions[2][2][2] = {
      {{thin_2_2, thin_2_2_with_slope}, {thin_2_4, thin_2_4_with_slope}},
      {{thin_4_2, thin_4_2_with_slope}, {thin_4_4, thin_4_4_with_slope}},
  };
  return functions[groups > 2][channels > 8][slope];
}

// More panels than one share what is loaded: tiles serve them better.
INLINE bool thin_applies(const fov_int8_convolution *k) {
  return k->kernel[0] * k->kernel[1] == 1 && k->channels <= THIN_CHANNELS &&
         k->output_channels <= THIN_CHANNELS && !k->pools && k->columns >= THIN_PIXELS &&
         !k->epilogue.to_float;
}

INLINE void thin_factors(thin_walk *walk, const fov_int8_epilogue *e) {
  const float *sources[4] = {e->scale, e->bias, e->negative_scale, e->negative_bias};
  for (size_t i = 0; i < 4 && sources[i] != NULL; i++) {
    for (size_t q = 0; q < THIN_QUADS; q++) {
      const __m128 four = _mm_loadu_ps(sources[i] + 4 * q);
      _mm512_store_ps(walk->factors[i] + q * VECTOR_LANES, _mm512_broadcast_f32x4(four));
    }
  }
}

// Rows [begin, end).
SEPARATE void thin_convolution(const fov_int8_convolution *k, size_t begin, size_t end) {
  const fov_int8_epilogue *e = &k->epilogue;
  thin_walk walk = {
      .input = k->input,
      .residual = e->residual,
      .out = k->output,
      .row = (ptrdiff_t)k->stride[0] * k->input_row,
      .pixel = (ptrdiff_t)k->stride[1] * k->input_pixel,
      .residual_row = e->residual_row,
      .residual_pixel = e->residual_pixel,
      .out_row = k->output_row,
      .out_pixel = k->output_pixel,
      .columns = k->columns,
      .channels = k->output_channels,
      .range = {e->lowest, e->highest},
      .residual_scale = e->residual_scale,
      .weights = k->weights,
      .groups = k->channels / FOV_GROUP,
  };
  thin_factors(&walk, e);
  thin_function_of(walk.groups, walk.channels, e->negative_scale != NULL)(&walk, begin, end);
  if (e->table == NULL) return;
  const tile_place place = {e, k->output, k->output_row, k->output_pixel, 0, walk.channels};
  for (size_t y = begin; y < end; y++) {
    look_up_pixels(&place, walk.out + (ptrdiff_t)y * walk.out_row, (int)k->columns);
  }
}

#endif
