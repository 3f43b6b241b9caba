// Fovea - depthwise 8-bit convolution with 256-bit vectors: two panels side by side.
// SPDX-License-Identifier: Apache-2.0
#ifndef FOV_INT8_DEPTHWISE_AVX2_H
#define FOV_INT8_DEPTHWISE_AVX2_H

#include "kernels/int8/fov_int8_epilogue_body.h"

// Instructions that interleave bytes work within 128-bit lanes. With a panel in each lane, they
// make groups (r0 r1 r2 r3) of 32 neighboring channels of up to four rows:
//
//   row 0               a0 a1 .. a15              | b0 b1 .. b15        channels of two panels
//   row 1               c0 c1 .. c15              | d0 d1 .. d15
//   bytes, lower half   a0 c0 a1 c1 .. a7 c7      | b0 d0 .. b7 d7
//   16-bit integers of these and of rows 2 and 3:
//     quad 0            (a0 c0 e0 g0) .. channel 3 | (b0 d0 f0 h0) .. channel 3
//     quad 1            channels 4 ... 7           | channels 4 ... 7
//
// The lower half gives quads 0 and 1, the upper half 2 and 3. A tile finishes the sums of one half
// before it begins the other, since registers cannot hold both. Weights and factors are brought
// into the same order beforehand. Packing sums to bytes restores the order of channels.
//
// In an image of 16 channels without gaps, the two lanes hold neighboring pixels. It is computed as
// an image of half as many results of 32 bytes, with windows two columns apart. A panel without a
// neighbor is computed twice.
#define PAIR_CHANNELS (2 * FOV_PANEL)
#define PAIR_PIXELS 5  // of a tile
#define PAIR_QUADS 4
#define PAIR_GROUPS 10  // those of a 5x5 kernel

typedef struct pair_loop {
  const fov_int8_depthwise *depthwise;
  const uint8_t *input;  // where the window of the first result begins
  size_t columns;        // results of a row
  tile_place place;
  _Alignas(32) int8_t weights[PAIR_GROUPS * PAIR_QUADS * 32];  // [column][group][quad]
  float scale[PAIR_CHANNELS], bias[PAIR_CHANNELS];             // [quad], as the next two
  float negative_scale[PAIR_CHANNELS], negative_bias[PAIR_CHANNELS];
} pair_loop;

// `quads` times 16 bytes for the lower lane and as many for the upper.
INLINE void pair_interleave(const void *lower, const void *upper, size_t quads, void *out) {
  for (size_t i = 0; i < quads; i++) {
    memcpy((uint8_t *)out + 32 * i, (const uint8_t *)lower + 16 * i, 16);
    memcpy((uint8_t *)out + 32 * i + 16, (const uint8_t *)upper + 16 * i, 16);
  }
}

// The first two or the last two quads of up to four rows.
typedef struct pair_codes {
  __m256i quads[2];
} pair_codes;

INLINE __m256i pair_unpack(__m256i a, __m256i b, int half) {
  return half == 0 ? _mm256_unpacklo_epi8(a, b) : _mm256_unpackhi_epi8(a, b);
}

INLINE pair_codes pair_load(const uint8_t *input, ptrdiff_t row, int rows, int half) {
  __m256i codes[FOV_GROUP];
  UNROLLED for (int i = 0; i < FOV_GROUP; i++) {
    codes[i] =
        i < rows ? _mm256_loadu_si256((const __m256i *)(input + i * row)) : _mm256_setzero_si256();
  }
  const __m256i first = pair_unpack(codes[0], codes[1], half);
  const __m256i second = pair_unpack(codes[2], codes[3], half);
  return (pair_codes){{_mm256_unpacklo_epi16(first, second), _mm256_unpackhi_epi16(first, second)}};
}

// sums[pixels][2] of one half.
INLINE void pair_sums(const pair_loop *loop, const uint8_t *input, int pixels, int size, int stride,
                      int half, vector_sums *sums) {
  const ptrdiff_t row = loop->depthwise->input_row, column_step = loop->depthwise->input_pixel;
  const int groups = (size + FOV_GROUP - 1) / FOV_GROUP;
  UNROLLED for (int i = 0; i < 2 * pixels; i++) sums[i] = _mm256_setzero_si256();
  UNROLLED for (int column = 0; column < (pixels - 1) * stride + size; column++) {
    UNROLLED for (int group = 0; group < groups; group++) {
      const int rest = size - group * FOV_GROUP;
      const int rows = rest < FOV_GROUP ? rest : FOV_GROUP;
      const pair_codes codes = pair_load(input + group * FOV_GROUP * row, row, rows, half);
      UNROLLED for (int p = 0; p < pixels; p++) {
        const int kernel_column = column - p * stride;
        if (kernel_column < 0 || kernel_column >= size) continue;
        const int first = (kernel_column * groups + group) * PAIR_QUADS + 2 * half;
        UNROLLED for (int i = 0; i < 2; i++) {
          const __m256i w = _mm256_load_si256((const __m256i *)(loop->weights + (first + i) * 32));
          sums[2 * p + i] = multiply_add(sums[2 * p + i], (group_codes){.bytes = codes.quads[i]},
                                         (group_weights){.bytes = w}, true);
          KEEP_ORDER(sums[2 * p + i]);
        }
      }
    }
    input += column_step;
    // The compiler must not keep weights in registers from column to column. Sums need them all.
    __asm__ volatile("" : "+r"(input) : : "memory");
  }
}

// The values of one half: values[pixels][2].
INLINE void pair_values(const pair_loop *loop, const row_finish *finish, const uint8_t *input,
                        int pixels, int size, int stride, bool slope, int half,
                        vector_floats *values) {
  vector_sums sums[2 * PAIR_PIXELS];
  pair_sums(loop, input, pixels, size, stride, half, sums);
  row_finish own = *finish;
  own.scale += half * FOV_PANEL;
  own.bias += half * FOV_PANEL;
  own.negative_scale += half * FOV_PANEL;
  own.negative_bias += half * FOV_PANEL;
  if (slope) {
    requantize(&own, sums, pixels, 2, true, values);
  } else {
    requantize(&own, sums, pixels, 2, false, values);
  }
}

// Each lane of values[pixels][2] is a quad of its panel.
SEPARATE void pair_store_values(const row_finish *finish, const vector_floats *values, int pixels,
                                int half, uint8_t *out) {
  const size_t element = finish->result, quad = 4 * element;
  for (int i = 0; i < 2 * pixels; i++) {
    _Alignas(float) uint8_t some[8 * sizeof(float)];
    const vector_floats value = bounded(finish, values[i]);
    if (finish->result == fov_int8_result_floats) {
      floats_store((float *)(void *)some, value);
    } else {
      int16_store_some((int16_t *)(void *)some, value, VECTOR_LANES);
    }
    uint8_t *pixel = out + i / 2 * finish->pixel;
    for (size_t panel = 0; panel < 2; panel++) {
      const size_t channel = panel * FOV_PANEL + (size_t)(2 * half + i % 2) * 4;
      uint8_t *to = pixel + channel * element;
      const uint8_t *from = some + quad * panel;
      if (channel + 4 > finish->channels) {
        if (channel < finish->channels) memcpy(to, from, (finish->channels - channel) * element);
      } else if (finish->result == fov_int8_result_floats) {
        memcpy(to, from, 4 * sizeof(float));
      } else {
        memcpy(to, from, 4 * sizeof(int16_t));
      }
    }
  }
}

// Codes as 16-bit integers, of 16 channels of one half of each pixel. If the result is int16 or
// floats, stores it to `out`.
INLINE void pair_int16(const pair_loop *loop, const row_finish *finish, const uint8_t *input,
                       int pixels, int size, int stride, bool slope, int half, uint8_t *out,
                       __m256i *int16) {
  vector_floats values[2 * PAIR_PIXELS];
  pair_values(loop, finish, input, pixels, size, stride, slope, half, values);
  if (finish->result != fov_int8_result_codes) {
    vector_floats kept[2 * PAIR_PIXELS];
    UNROLLED for (int i = 0; i < 2 * pixels; i++) kept[i] = values[i];
    pair_store_values(finish, kept, pixels, half, out);
    return;
  }
  UNROLLED for (int p = 0; p < pixels; p++) {
    int16[p] = _mm256_packs_epi32(_mm256_cvtps_epi32(values[2 * p]),
                                  _mm256_cvtps_epi32(values[2 * p + 1]));
    KEEP_ORDER(int16[p]);
  }
}

INLINE void pair_store(const row_finish *finish, const __m256i *lower, const __m256i *upper,
                       int pixels, uint8_t *out) {
  __m256i codes[PAIR_PIXELS];
  UNROLLED for (int p = 0; p < pixels; p++) {
    codes[p] = clamp_codes(_mm256_packus_epi16(lower[p], upper[p]), finish->range);
  }
  if (finish->channels == PAIR_CHANNELS) {
    UNROLLED for (int p = 0; p < pixels; p++) {
      _mm256_storeu_si256((__m256i *)(out + p * finish->pixel), codes[p]);
    }
    return;
  }
  if (finish->channels == FOV_PANEL) {
    UNROLLED for (int p = 0; p < pixels; p++) {
      _mm_storeu_si128((__m128i *)(out + p * finish->pixel), _mm256_castsi256_si128(codes[p]));
    }
    return;
  }
  for (int p = 0; p < pixels; p++) {
    uint8_t some[PAIR_CHANNELS];
    _mm256_storeu_si256((__m256i *)some, codes[p]);
    memcpy(out + p * finish->pixel, some, finish->channels);
  }
}

INLINE void pair_tile(const pair_loop *loop, const row_finish *finish, const uint8_t *input,
                      size_t x, int pixels, int size, int stride, bool slope) {
  __m256i lower[PAIR_PIXELS], upper[PAIR_PIXELS];
  input += (ptrdiff_t)(x * (size_t)stride) * loop->depthwise->input_pixel;
  uint8_t *out = finish->out + (ptrdiff_t)x * finish->pixel;
  pair_int16(loop, finish, input, pixels, size, stride, slope, 0, out, lower);
  pair_int16(loop, finish, input, pixels, size, stride, slope, 1, out, upper);
  if (finish->result != fov_int8_result_codes) return;
  pair_store(finish, lower, upper, pixels, out);
}

// Two widths make up nearly all rows: tiles of four, until the rest is a multiple of five.
INLINE void pair_row(const pair_loop *loop, size_t y, int size, int stride, bool slope) {
  const fov_int8_depthwise *k = loop->depthwise;
  const uint8_t *input = loop->input + (ptrdiff_t)(y * k->stride[0]) * k->input_row;
  const size_t columns = loop->columns;
  row_finish finish = finish_row(&loop->place, y);
  finish.scale = loop->scale;
  finish.bias = loop->bias;
  finish.negative_scale = loop->negative_scale;
  finish.negative_bias = loop->negative_bias;
  for (size_t x = 0; x < columns;) {
    const size_t left = columns - x;
    if (left % PAIR_PIXELS == 0) {
      pair_tile(loop, &finish, input, x, PAIR_PIXELS, size, stride, slope);
      x += PAIR_PIXELS;
    } else if (left >= PAIR_PIXELS - 1) {
      pair_tile(loop, &finish, input, x, PAIR_PIXELS - 1, size, stride, slope);
      x += PAIR_PIXELS - 1;
    } else {
      pair_tile(loop, &finish, input, x, 1, size, stride, slope);
      x++;
    }
  }
}

#define PAIR_FUNCTION(name, size, stride)                           \
  SEPARATE void name(const pair_loop *loop, size_t y, bool slope) { \
    pair_row(loop, y, size, stride, slope);                         \
  }
PAIR_FUNCTION(pair_3x3, 3, 1)
PAIR_FUNCTION(pair_3x3_stride_2, 3, 2)
PAIR_FUNCTION(pair_5x5, 5, 1)
PAIR_FUNCTION(pair_5x5_stride_2, 5, 2)

typedef void (*pair_row_function)(const pair_loop *loop, size_t y, bool slope);

INLINE pair_row_function pair_function(size_t size, size_t stride) {
  static const pair_row_function functions[2][2] = {{pair_3x3, pair_3x3_stride_2},
                                                    {pair_5x5, pair_5x5_stride_2}};
  return functions[size == 5][stride == 2];
}

// Whether the two lanes hold neighboring pixels of 16 channels.
INLINE bool pair_is_of_pixels(const fov_int8_depthwise *k) {
  return k->channels == FOV_PANEL && k->input_pixel == FOV_PANEL && k->output_pixel == FOV_PANEL &&
         k->stride[1] == 1 && k->columns % 2 == 0;
}

INLINE bool pair_applies(const fov_int8_depthwise *k, size_t channel) {
  const bool sizes = k->kernel[0] == k->kernel[1] && (k->kernel[0] == 3 || k->kernel[0] == 5);
  const bool steps =
      k->dilation[0] == 1 && k->dilation[1] == 1 && (k->stride[1] == 1 || k->stride[1] == 2);
  if (!sizes || !steps || k->epilogue.residual != NULL || k->epilogue.zero != 0.0f) return false;
  const uint8_t *fit = k->pairs_fit + channel / FOV_PANEL;
  return !PAIRS_SATURATE || (fit[0] != 0 && (k->channels - channel <= FOV_PANEL || fit[1] != 0));
}

// Rows [row_begin, row_end) of 32 channels from `channel` on, or of the 16 that are left.
SEPARATE void depthwise_pair(const fov_int8_depthwise *k, size_t channel, size_t row_begin,
                             size_t row_end) {
  const bool of_pixels = pair_is_of_pixels(k), alone = k->channels - channel <= FOV_PANEL;
  const size_t groups = fov_size_parts(k->kernel[0], FOV_GROUP) * k->kernel[1];
  const size_t next_panel = alone ? 0 : FOV_PANEL;
  const fov_int8_epilogue *e = &k->epilogue;
  pair_loop loop = {
      .depthwise = k,
      .input = k->input + channel,
      .columns = of_pixels ? k->columns / 2 : k->columns,
      .place = {e, k->output, k->output_row, k->output_pixel, channel,
                fov_size_min(k->channels - channel, PAIR_CHANNELS)},
  };
  if (of_pixels) {
    loop.place.pixel = PAIR_CHANNELS;
    loop.place.channels = PAIR_CHANNELS;
  }
  const int8_t *weights = k->weights + channel * groups * FOV_GROUP;
  pair_interleave(weights, weights + next_panel * groups * FOV_GROUP, groups * PAIR_QUADS,
                  loop.weights);
  const float *scale = e->scale + channel, *bias = e->bias + channel;
  pair_interleave(scale, scale + next_panel, PAIR_QUADS, loop.scale);
  pair_interleave(bias, bias + next_panel, PAIR_QUADS, loop.bias);
  const bool slope = e->negative_scale != NULL;
  if (slope) {
    scale = e->negative_scale + channel;
    bias = e->negative_bias + channel;
    pair_interleave(scale, scale + next_panel, PAIR_QUADS, loop.negative_scale);
    pair_interleave(bias, bias + next_panel, PAIR_QUADS, loop.negative_bias);
  }
  const pair_row_function run = pair_function(k->kernel[0], of_pixels ? 2 : k->stride[1]);
  for (size_t y = row_begin; y < row_end; y++) run(&loop, y, slope);
}

#endif
