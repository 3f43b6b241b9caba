// Fovea - 1x1 convolutions of one panel with 512-bit vectors: a pixel in each 128-bit lane.
// SPDX-License-Identifier: Apache-2.0
#ifndef FOV_INT8_THIN_LANES_H
#define FOV_INT8_THIN_LANES_H

#include "kernels/fov_int8_epilogue_body.h"

// Tiles of pixels load a group of every pixel for a single product where there is one panel, and store
// its bytes alone. Here four pixels are one vector. A shuffle repeats one of their groups for four
// outputs of each, a quad, whose weights lie in all lanes alike:
//
//   codes      p0: g0 g1 g2 g3 | p1: g0 g1 g2 g3 | p2 ..       16 bytes of each pixel
//   shuffled   p0: g1 g1 g1 g1 | p1: g1 g1 g1 g1 | p2 ..
//   weights    w0 w1 w2 w3     | w0 w1 w2 w3     | w0 ..       of group 1 for outputs 0 ... 3
//
// Packing the sums of four quads gives the pixels' bytes in their order.
#define THIN_BLOCK 16   // inputs that a vector holds of a pixel
#define THIN_QUADS 4
#define THIN_VECTORS 4  // of a tile

typedef struct thin_walk {
  const uint8_t *input, *residual;  // of pixel (0, 0), as `out`; residual: NULL if none
  uint8_t *out;
  ptrdiff_t row, pixel, residual_row, residual_pixel, out_row, out_pixel;
  size_t columns, blocks, channels;  // channels: that are stored
  code_range range;
  float residual_scale;
  const int8_t *weights;
  _Alignas(64) float factors[4][THIN_QUADS * VECTOR_LANES];  // in all lanes alike
} thin_walk;

// Sixteen bytes of four pixels.
INLINE __m512i thin_load(const uint8_t *p, ptrdiff_t pixel) {
  return lane_load(p, pixel, pixel == THIN_BLOCK ? 1 : 4);
}

INLINE __m512i thin_group(__m512i codes, int group) {
  switch (group) {
    case 0: return _mm512_shuffle_epi32(codes, 0x00);
    case 1: return _mm512_shuffle_epi32(codes, 0x55);
    case 2: return _mm512_shuffle_epi32(codes, 0xAA);
    default: return _mm512_shuffle_epi32(codes, 0xFF);
  }
}

// sums[vectors][quads]
INLINE void thin_sums(const thin_walk *walk, const uint8_t *input, int vectors, int quads,
                      vector_sums *sums) {
  const int8_t *weights = walk->weights;
  UNROLLED for (int i = 0; i < vectors * quads; i++) sums[i] = _mm512_setzero_si512();
  for (size_t left = walk->blocks; left != 0; left--) {
    __m512i codes[THIN_VECTORS];
    UNROLLED for (int v = 0; v < vectors; v++) {
      codes[v] = thin_load(input + 4 * v * walk->pixel, walk->pixel);
    }
    UNROLLED for (int g = 0; g < THIN_BLOCK / FOV_GROUP; g++) {
      __m512i group[THIN_VECTORS];
      UNROLLED for (int v = 0; v < vectors; v++) group[v] = thin_group(codes[v], g);
      UNROLLED for (int q = 0; q < quads; q++) {
        const __m128i four = _mm_loadu_si128((const __m128i *)(weights + g * 64 + q * 16));
        const __m512i w = _mm512_broadcast_i32x4(four);
        UNROLLED for (int v = 0; v < vectors; v++) {
          sums[v * quads + q] = _mm512_dpbusd_epi32(sums[v * quads + q], group[v], w);
        }
      }
    }
    input += THIN_BLOCK;
    weights += THIN_BLOCK * FOV_PANEL;
  }
}

// Adds the residual's codes of four pixels to their values[quads].
INLINE void thin_residual(const thin_walk *walk, const uint8_t *residual, int quads,
                          vector_floats *values) {
  const __m512i codes = thin_load(residual, walk->residual_pixel);
  const __m512i first = _mm512_broadcast_i32x4(_mm_setr_epi32(0, 1, 2, 3));
  UNROLLED for (int q = 0; q < quads; q++) {
    const __m512i order = _mm512_add_epi32(first, _mm512_set1_epi32((int)0x80808000 + 4 * q));
    const vector_floats added = _mm512_cvtepi32_ps(_mm512_shuffle_epi8(codes, order));
    values[q] = floats_fma(added, floats_of(walk->residual_scale), values[q]);
  }
}

INLINE void thin_store(const thin_walk *walk, const vector_floats *v, int quads, uint8_t *out) {
  const __m512i low = _mm512_packs_epi32(_mm512_cvtps_epi32(v[0]), _mm512_cvtps_epi32(v[1]));
  __m512i high = low;
  if (quads == THIN_QUADS) {
    high = _mm512_packs_epi32(_mm512_cvtps_epi32(v[2]), _mm512_cvtps_epi32(v[3]));
  }
  const __m512i codes = clamp_codes(_mm512_packus_epi16(low, high), walk->range);
  if (walk->out_pixel == FOV_PANEL && walk->channels == FOV_PANEL) {
    _mm512_storeu_si512(out, codes);
  } else {
    lane_store(codes, out, walk->out_pixel, 4, walk->channels);
  }
}

// 4 * vectors neighbouring pixels.
INLINE void thin_tile(const thin_walk *walk, const row_finish *factors, const uint8_t *input,
                      const uint8_t *residual, uint8_t *out, int vectors, int quads) {
  vector_sums sums[THIN_VECTORS * THIN_QUADS];
  vector_floats values[THIN_VECTORS * THIN_QUADS];
  thin_sums(walk, input, vectors, quads, sums);
  if (factors->negative_scale != NULL) {
    requantize(factors, sums, vectors, quads, true, values);
  } else {
    requantize(factors, sums, vectors, quads, false, values);
  }
  UNROLLED for (int v = 0; v < vectors && residual != NULL; v++) {
    thin_residual(walk, residual + 4 * v * walk->residual_pixel, quads, values + v * quads);
  }
  UNROLLED for (int v = 0; v < vectors; v++) {
    thin_store(walk, values + v * quads, quads, out + 4 * v * walk->out_pixel);
  }
}

// Tiles of nearly equal width. Where pixels are no multiple of four, some are computed twice.
INLINE void thin_row(const thin_walk *walk, const row_finish *factors, size_t y, int quads) {
  const uint8_t *input = walk->input + (ptrdiff_t)y * walk->row;
  const uint8_t *residual = walk->residual;
  if (residual != NULL) residual += (ptrdiff_t)y * walk->residual_row;
  uint8_t *out = walk->out + (ptrdiff_t)y * walk->out_row;
  const size_t all = fov_size_parts(walk->columns, 4);
  const size_t widest = 4 * all == walk->columns ? all : all - 1;  // no tile is wider than the row
  const size_t tiles = fov_size_parts(all, fov_size_min(widest, THIN_VECTORS));
  const size_t width = all / tiles, wider = all % tiles;
  size_t vector = 0;
  for (size_t i = 0; i < tiles; i++) {
    const size_t own = i < wider ? width + 1 : width;
    const ptrdiff_t x = (ptrdiff_t)fov_size_min(4 * vector, walk->columns - 4 * own);
    const uint8_t *from = input + x * walk->pixel;
    const uint8_t *added = residual ? residual + x * walk->residual_pixel : NULL;
    uint8_t *to = out + x * walk->out_pixel;
    switch (own) {
      case 1: thin_tile(walk, factors, from, added, to, 1, quads); break;
      case 2: thin_tile(walk, factors, from, added, to, 2, quads); break;
      case 3: thin_tile(walk, factors, from, added, to, 3, quads); break;
      default: thin_tile(walk, factors, from, added, to, 4, quads); break;
    }
    vector += own;
  }
}

SEPARATE void thin_rows(const thin_walk *shared, size_t begin, size_t end, bool slope) {
  const thin_walk copy = *shared, *walk = &copy;  // what nobody else sees is not read again
  const row_finish factors = {.scale = shared->factors[0],
                              .bias = shared->factors[1],
                              .negative_scale = slope ? shared->factors[2] : NULL,
                              .negative_bias = slope ? shared->factors[3] : NULL};
  for (size_t y = begin; y < end; y++) {
    if (walk->channels > FOV_PANEL / 2) {
      thin_row(walk, &factors, y, 4);
    } else {
      thin_row(walk, &factors, y, 2);
    }
  }
}

INLINE bool thin_applies(const fov_int8_convolution *k) {
  return k->kernel[0] * k->kernel[1] == 1 && k->channels % THIN_BLOCK == 0 &&
         k->output_channels <= FOV_PANEL && !k->pools && k->columns >= 4 &&
         k->epilogue.result == fov_int8_result_codes;
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
      .blocks = k->channels / THIN_BLOCK,
      .channels = k->output_channels,
      .range = {e->lowest, e->highest},
      .residual_scale = e->residual_scale,
      .weights = k->weights,
  };
  thin_factors(&walk, e);
  thin_rows(&walk, begin, end, e->negative_scale != NULL);
  if (e->table == NULL) return;
  const tile_place place = {e, k->output, k->output_row, k->output_pixel, 0, walk.channels};
  for (size_t y = begin; y < end; y++) {
    look_up_pixels(&place, walk.out + (ptrdiff_t)y * walk.out_row, (int)k->columns);
  }
}

#endif
