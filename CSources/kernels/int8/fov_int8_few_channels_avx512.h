// Fovea - 1x1 convolutions of one panel with 512-bit vectors: a pixel in each 128-bit lane.
// SPDX-License-Identifier: Apache-2.0
#ifndef FOV_INT8_FEW_CHANNELS_AVX512_H
#define FOV_INT8_FEW_CHANNELS_AVX512_H

#include "kernels/int8/fov_int8_epilogue_body.h"

// With only one panel, ordinary tiles load a group of each pixel for a single product, and store
// the bytes of each pixel alone. Here four pixels are one vector. A shuffle repeats one of their
// groups for a quad: four outputs of each pixel. The weights of a quad are the same in all lanes:
//
//   codes      p0: g0 g1 g2 g3 | p1: g0 g1 g2 g3 | p2 ..       16 bytes of each pixel
//   shuffled   p0: g1 g1 g1 g1 | p1: g1 g1 g1 g1 | p2 ..
//   weights    w0 w1 w2 w3     | w0 w1 w2 w3     | w0 ..       of group 1 for outputs 0 ... 3
//
// Packing the sums of four quads gives the bytes of the four pixels in order.
#define FEW_CHANNELS_BLOCK 16  // inputs of one pixel in a vector
#define FEW_CHANNELS_QUADS 4
#define FEW_CHANNELS_VECTORS 4  // of a tile

typedef struct few_channels_loop {
  const uint8_t *input, *residual;  // of pixel (0, 0), as `out`; residual: NULL if none
  uint8_t *out;
  ptrdiff_t row, pixel, residual_row, residual_pixel, out_row, out_pixel;
  size_t columns, blocks, channels;  // channels: that are stored
  code_range range;
  float residual_scale;
  const int8_t *weights;
  _Alignas(64) float factors[4][FEW_CHANNELS_QUADS * VECTOR_LANES];  // the same in all lanes
} few_channels_loop;

// Sixteen bytes of four pixels.
INLINE __m512i few_channels_load(const uint8_t *p, ptrdiff_t pixel) {
  return lane_load(p, pixel, pixel == FEW_CHANNELS_BLOCK ? 1 : 4);
}

INLINE __m512i few_channels_group(__m512i codes, int group) {
  switch (group) {
    case 0: return _mm512_shuffle_epi32(codes, 0x00);
    case 1: return _mm512_shuffle_epi32(codes, 0x55);
    case 2: return _mm512_shuffle_epi32(codes, 0xAA);
    default: return _mm512_shuffle_epi32(codes, 0xFF);
  }
}

// sums[vectors][quads]
INLINE void few_channels_sums(const few_channels_loop *loop, const uint8_t *input, int vectors,
                              int quads, vector_sums *sums) {
  const int8_t *weights = loop->weights;
  UNROLLED for (int i = 0; i < vectors * quads; i++) sums[i] = _mm512_setzero_si512();
  for (size_t left = loop->blocks; left != 0; left--) {
    __m512i codes[FEW_CHANNELS_VECTORS];
    UNROLLED for (int v = 0; v < vectors; v++) {
      codes[v] = few_channels_load(input + 4 * v * loop->pixel, loop->pixel);
    }
    UNROLLED for (int g = 0; g < FEW_CHANNELS_BLOCK / FOV_GROUP; g++) {
      __m512i group[FEW_CHANNELS_VECTORS];
      UNROLLED for (int v = 0; v < vectors; v++) group[v] = few_channels_group(codes[v], g);
      UNROLLED for (int q = 0; q < quads; q++) {
        const __m128i four = _mm_loadu_si128((const __m128i *)(weights + g * 64 + q * 16));
        const __m512i w = _mm512_broadcast_i32x4(four);
        UNROLLED for (int v = 0; v < vectors; v++) {
          sums[v * quads + q] = _mm512_dpbusd_epi32(sums[v * quads + q], group[v], w);
        }
      }
    }
    input += FEW_CHANNELS_BLOCK;
    weights += FEW_CHANNELS_BLOCK * FOV_PANEL;
  }
}

// Adds the residual's codes of four pixels to their values[quads].
INLINE void few_channels_residual(const few_channels_loop *loop, const uint8_t *residual, int quads,
                                  vector_floats *values) {
  const __m512i codes = few_channels_load(residual, loop->residual_pixel);
  const __m512i first = _mm512_broadcast_i32x4(_mm_setr_epi32(0, 1, 2, 3));
  UNROLLED for (int q = 0; q < quads; q++) {
    const __m512i order = _mm512_add_epi32(first, _mm512_set1_epi32((int)0x80808000 + 4 * q));
    const vector_floats added = _mm512_cvtepi32_ps(_mm512_shuffle_epi8(codes, order));
    values[q] = floats_fma(added, floats_of(loop->residual_scale), values[q]);
  }
}

INLINE void few_channels_store(const few_channels_loop *loop, const vector_floats *v, int quads,
                               uint8_t *out) {
  const __m512i low = _mm512_packs_epi32(_mm512_cvtps_epi32(v[0]), _mm512_cvtps_epi32(v[1]));
  __m512i high = low;
  if (quads == FEW_CHANNELS_QUADS) {
    high = _mm512_packs_epi32(_mm512_cvtps_epi32(v[2]), _mm512_cvtps_epi32(v[3]));
  }
  const __m512i codes = clamp_codes(_mm512_packus_epi16(low, high), loop->range);
  if (loop->out_pixel == FOV_PANEL && loop->channels == FOV_PANEL) {
    _mm512_storeu_si512(out, codes);
  } else {
    lane_store(codes, out, loop->out_pixel, 4, loop->channels);
  }
}

// 4 * vectors neighboring pixels.
INLINE void few_channels_tile(const few_channels_loop *loop, const row_finish *factors,
                              const uint8_t *input, const uint8_t *residual, uint8_t *out,
                              int vectors, int quads) {
  vector_sums sums[FEW_CHANNELS_VECTORS * FEW_CHANNELS_QUADS];
  vector_floats values[FEW_CHANNELS_VECTORS * FEW_CHANNELS_QUADS];
  few_channels_sums(loop, input, vectors, quads, sums);
  if (factors->negative_scale != NULL) {
    requantize(factors, sums, vectors, quads, true, values);
  } else {
    requantize(factors, sums, vectors, quads, false, values);
  }
  UNROLLED for (int v = 0; v < vectors && residual != NULL; v++) {
    few_channels_residual(loop, residual + 4 * v * loop->residual_pixel, quads, values + v * quads);
  }
  UNROLLED for (int v = 0; v < vectors; v++) {
    few_channels_store(loop, values + v * quads, quads, out + 4 * v * loop->out_pixel);
  }
}

// Tiles of nearly equal width. If the number of pixels is no multiple of four, some are computed
// twice.
INLINE void few_channels_row(const few_channels_loop *loop, const row_finish *factors, size_t y,
                             int quads) {
  const uint8_t *input = loop->input + (ptrdiff_t)y * loop->row;
  const uint8_t *residual = loop->residual;
  if (residual != NULL) residual += (ptrdiff_t)y * loop->residual_row;
  uint8_t *out = loop->out + (ptrdiff_t)y * loop->out_row;
  const size_t all = fov_size_parts(loop->columns, 4);
  const size_t widest = 4 * all == loop->columns ? all : all - 1;  // no tile is wider than the row
  const size_t tiles = fov_size_parts(all, fov_size_min(widest, FEW_CHANNELS_VECTORS));
  const size_t width = all / tiles, wider = all % tiles;
  size_t vector = 0;
  for (size_t i = 0; i < tiles; i++) {
    const size_t own = i < wider ? width + 1 : width;
    const ptrdiff_t x = (ptrdiff_t)fov_size_min(4 * vector, loop->columns - 4 * own);
    const uint8_t *from = input + x * loop->pixel;
    const uint8_t *added = residual ? residual + x * loop->residual_pixel : NULL;
    uint8_t *to = out + x * loop->out_pixel;
    switch (own) {
      case 1: few_channels_tile(loop, factors, from, added, to, 1, quads); break;
      case 2: few_channels_tile(loop, factors, from, added, to, 2, quads); break;
      case 3: few_channels_tile(loop, factors, from, added, to, 3, quads); break;
      default: few_channels_tile(loop, factors, from, added, to, 4, quads); break;
    }
    vector += own;
  }
}

SEPARATE void few_channels_rows(const few_channels_loop *shared, size_t begin, size_t end,
                                bool slope) {
  const few_channels_loop copy = *shared,
                          *loop = &copy;  // a local copy is not read again after stores
  const row_finish factors = {.scale = shared->factors[0],
                              .bias = shared->factors[1],
                              .negative_scale = slope ? shared->factors[2] : NULL,
                              .negative_bias = slope ? shared->factors[3] : NULL};
  for (size_t y = begin; y < end; y++) {
    if (loop->channels > FOV_PANEL / 2) {
      few_channels_row(loop, &factors, y, 4);
    } else {
      few_channels_row(loop, &factors, y, 2);
    }
  }
}

INLINE bool few_channels_applies(const fov_int8_convolution *k) {
  return k->kernel[0] * k->kernel[1] == 1 && k->channels % FEW_CHANNELS_BLOCK == 0 &&
         k->output_channels <= FOV_PANEL && !k->pools && k->columns >= 4 &&
         k->epilogue.result == fov_int8_result_codes && k->epilogue.zero == 0.0f;
}

INLINE void few_channels_factors(few_channels_loop *loop, const fov_int8_epilogue *e) {
  const float *sources[4] = {e->scale, e->bias, e->negative_scale, e->negative_bias};
  for (size_t i = 0; i < 4 && sources[i] != NULL; i++) {
    for (size_t q = 0; q < FEW_CHANNELS_QUADS; q++) {
      const __m128 four = _mm_loadu_ps(sources[i] + 4 * q);
      _mm512_store_ps(loop->factors[i] + q * VECTOR_LANES, _mm512_broadcast_f32x4(four));
    }
  }
}

// Rows [begin, end).
SEPARATE void few_channels_convolution(const fov_int8_convolution *k, size_t begin, size_t end) {
  const fov_int8_epilogue *e = &k->epilogue;
  few_channels_loop loop = {
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
      .blocks = k->channels / FEW_CHANNELS_BLOCK,
      .channels = k->output_channels,
      .range = {e->lowest, e->highest},
      .residual_scale = e->residual_scale,
      .weights = k->weights,
  };
  few_channels_factors(&loop, e);
  few_channels_rows(&loop, begin, end, e->negative_scale != NULL);
}

#endif
