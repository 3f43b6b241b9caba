// Fovea - depthwise 8-bit convolution with 512-bit vectors: a panel in each 128-bit lane.
// SPDX-License-Identifier: Apache-2.0
#ifndef FOV_INT8_DEPTHWISE_AVX512_H
#define FOV_INT8_DEPTHWISE_AVX512_H

#include "kernels/int8/fov_int8_epilogue_body.h"

// Instructions that interleave bytes work within 128-bit lanes. With a panel in each lane, they
// make groups (r0 r1 r2 r3) of 64 neighboring channels of up to four rows. In one lane:
//
//   row 0               a0 a1 .. a15
//   row 1               b0 b1 .. b15
//   bytes, lower half   a0 b0 a1 b1 .. a7 b7
//   16-bit integers of these and of rows 2 and 3:
//     quad 0            (a0 b0 c0 d0) .. channel 3
//     quad 1            channels 4 ... 7
//
// The lower half gives quads 0 and 1, the upper half 2 and 3. Weights and factors are brought into
// the same order beforehand. Packing sums to bytes restores the order of channels.
//
// If there are too few panels for the lanes, two or four rows of results share a vector. In an
// image of 16 channels without gaps, the lanes hold neighboring pixels.
//
// A column is interleaved once. Its products are added to the sums of all open results: those whose
// windows hold the column. Then the first open result is finished, and the others move up by one.
#define LANES 4
#define LANE_QUADS 4
#define LANE_CHANNELS (LANES * FOV_PANEL)
#define LANE_GROUPS 10       // those of a 5x5 kernel
#define MOST_OPEN_RESULTS 5  // whose windows hold one column, with a 5x5 kernel

typedef struct lane_loop {
  const fov_int8_depthwise *depthwise;
  const uint8_t *input;  // where the window of the first result begins
  size_t columns;        // results of a row
  tile_place place;
  _Alignas(64) int8_t weights[LANE_GROUPS * FOV_GROUP * LANE_CHANNELS];  // [column][group][quad]
  float scale[LANE_CHANNELS], bias[LANE_CHANNELS];                       // [quad], as the next two
  float negative_scale[LANE_CHANNELS], negative_bias[LANE_CHANNELS];
} lane_loop;

// What a row reads. It is a copy in registers, since stored bytes could change anything in memory:
// the original would be read again after every store.
typedef struct lane_pass {
  ptrdiff_t row, pixel, step;     // of the input; step: to the next row that shares the vector
  ptrdiff_t out_pixel, out_step;  // bytes
  size_t columns, channels;
  code_range range;
  const int8_t *weights;
  row_finish finish;  // only its factors, its kind of result and the bounds are set
} lane_pass;

INLINE lane_pass lane_pass_of(const lane_loop *loop, bool shares_rows) {
  const fov_int8_depthwise *k = loop->depthwise;
  const ptrdiff_t element = k->epilogue.result;
  const bool slope = k->epilogue.negative_scale != NULL;
  return (lane_pass){
      .row = k->input_row,
      .pixel = k->input_pixel,
      .step = shares_rows ? (ptrdiff_t)k->stride[0] * k->input_row : 0,
      .out_pixel = loop->place.pixel * element,
      .out_step = shares_rows ? loop->place.row * element : 0,
      .columns = loop->columns,
      .channels = loop->place.channels,
      .range = {k->epilogue.lowest, k->epilogue.highest},
      .weights = loop->weights,
      .finish = {.place = &loop->place,
                 .scale = loop->scale,
                 .bias = loop->bias,
                 .negative_scale = slope ? loop->negative_scale : NULL,
                 .negative_bias = slope ? loop->negative_bias : NULL,
                 .result = k->epilogue.result,
                 .lowest = k->epilogue.lowest_value,
                 .highest = k->epilogue.highest_value},
  };
}

// The quads of up to four rows of the kernel.
INLINE void lane_column(const lane_pass *pass, const uint8_t *input, int rows, int together,
                        __m512i quads[LANE_QUADS]) {
  const __m512i zero = _mm512_setzero_si512();
  __m512i codes[FOV_GROUP];
  UNROLLED for (int i = 0; i < FOV_GROUP; i++) {
    codes[i] = i < rows ? lane_load(input + i * pass->row, pass->step, together) : zero;
  }
  const __m512i low[2] = {_mm512_unpacklo_epi8(codes[0], codes[1]),
                          rows > 2 ? _mm512_unpacklo_epi8(codes[2], codes[3]) : zero};
  const __m512i high[2] = {_mm512_unpackhi_epi8(codes[0], codes[1]),
                           rows > 2 ? _mm512_unpackhi_epi8(codes[2], codes[3]) : zero};
  quads[0] = _mm512_unpacklo_epi16(low[0], low[1]);
  quads[1] = _mm512_unpackhi_epi16(low[0], low[1]);
  quads[2] = _mm512_unpacklo_epi16(high[0], high[1]);
  quads[3] = _mm512_unpackhi_epi16(high[0], high[1]);
}

// Weights of a 3x3 kernel stay in registers. They are hidden from the compiler, which would load
// them for every product.
#define KEEPS_WEIGHTS(size) ((size) == 3)

INLINE __m512i lane_weights(const lane_pass *pass, int index) {
  return _mm512_load_si512(pass->weights + index * 64);
}

INLINE void lane_keep_weights(const lane_pass *pass, int size, __m512i kept[3 * LANE_QUADS]) {
  UNROLLED for (int i = 0; i < 3 * LANE_QUADS && KEEPS_WEIGHTS(size); i++) {
    kept[i] = lane_weights(pass, i);
    __asm__("" : "+v"(kept[i]));
  }
}

// Adds the products of a column to the sums of all open results, sums[result][quad]. `column`
// counts from the window of the first.
INLINE void lane_products(const lane_pass *pass, const uint8_t *input, const __m512i *kept,
                          int column, int size, int stride, int together, vector_sums *sums) {
  const int groups = (size + FOV_GROUP - 1) / FOV_GROUP, open = (size - 1) / stride + 1;
  UNROLLED for (int group = 0; group < groups; group++) {
    const int rest = size - group * FOV_GROUP, rows = rest < FOV_GROUP ? rest : FOV_GROUP;
    __m512i quads[LANE_QUADS];
    lane_column(pass, input + group * FOV_GROUP * pass->row, rows, together, quads);
    UNROLLED for (int i = 0; i < open; i++) {
      const int kernel_column = column - i * stride;
      if (kernel_column < 0 || kernel_column >= size) continue;
      const int first = (kernel_column * groups + group) * LANE_QUADS;
      UNROLLED for (int q = 0; q < LANE_QUADS; q++) {
        const __m512i w = KEEPS_WEIGHTS(size) ? kept[first + q] : lane_weights(pass, first + q);
        vector_sums *sum = sums + i * LANE_QUADS + q;
        *sum = _mm512_dpbusd_epi32(*sum, quads[q], w);
      }
    }
  }
}

// A mask of the channels of a panel that exist.
INLINE __mmask16 lane_present(const lane_pass *pass, int panel) {
  return (__mmask16)(~0ull >> (64 - pass->channels) >> (panel * FOV_PANEL));
}

INLINE void lane_codes(const lane_pass *pass, const vector_sums *sums, uint8_t *out, bool slope,
                       int together) {
  vector_floats v[LANE_QUADS];
  requantize(&pass->finish, sums, 1, LANE_QUADS, slope, v);
  const __m512i low = _mm512_packs_epi32(_mm512_cvtps_epi32(v[0]), _mm512_cvtps_epi32(v[1]));
  const __m512i high = _mm512_packs_epi32(_mm512_cvtps_epi32(v[2]), _mm512_cvtps_epi32(v[3]));
  const __m512i packed = _mm512_packus_epi16(low, high);
  const __m512i codes = slope ? packed : clamp_codes(packed, pass->range);
  lane_store(codes, out, pass->out_step, together, pass->channels);
}

// Stores quads of four panels as 16-bit integers of panels, of which a row has `panels`.
INLINE void lane_int16(const lane_pass *pass, const vector_floats v[LANE_QUADS], uint8_t *out,
                       int panels) {
  const __m512i low = _mm512_packs_epi32(_mm512_cvtps_epi32(v[0]), _mm512_cvtps_epi32(v[1]));
  const __m512i high = _mm512_packs_epi32(_mm512_cvtps_epi32(v[2]), _mm512_cvtps_epi32(v[3]));
  const __m512i first = _mm512_setr_epi64(0, 1, 8, 9, 2, 3, 10, 11);
  const __m512i second = _mm512_setr_epi64(4, 5, 12, 13, 6, 7, 14, 15);
  const __m512i two[2] = {_mm512_permutex2var_epi64(low, first, high),
                          _mm512_permutex2var_epi64(low, second, high)};
  UNROLLED for (int i = 0; i < LANES; i++) {
    const __m256i int16 =
        i % 2 == 0 ? _mm512_castsi512_si256(two[i / 2]) : _mm512_extracti64x4_epi64(two[i / 2], 1);
    int16_t *to = (int16_t *)(void *)(out + i / panels * pass->out_step) + i % panels * FOV_PANEL;
    _mm256_mask_storeu_epi16(to, lane_present(pass, i % panels), int16);
  }
}

// Transposes quads of four panels to panels of four quads.
INLINE void lane_panels(vector_floats v[LANE_QUADS]) {
  const vector_floats a = _mm512_shuffle_f32x4(v[0], v[1], 0x44);
  const vector_floats b = _mm512_shuffle_f32x4(v[2], v[3], 0x44);
  const vector_floats c = _mm512_shuffle_f32x4(v[0], v[1], 0xee);
  const vector_floats d = _mm512_shuffle_f32x4(v[2], v[3], 0xee);
  v[0] = _mm512_shuffle_f32x4(a, b, 0x88);
  v[1] = _mm512_shuffle_f32x4(a, b, 0xdd);
  v[2] = _mm512_shuffle_f32x4(c, d, 0x88);
  v[3] = _mm512_shuffle_f32x4(c, d, 0xdd);
}

INLINE void lane_values(const lane_pass *pass, const vector_sums *sums, uint8_t *out,
                        int together) {
  vector_floats v[LANE_QUADS];
  requantize(&pass->finish, sums, 1, LANE_QUADS, pass->finish.negative_scale != NULL, v);
  UNROLLED for (int i = 0; i < LANE_QUADS; i++) v[i] = bounded(&pass->finish, v[i]);
  const int panels = LANES / together;  // of one row
  if (pass->finish.result == fov_int8_result_int16) {
    lane_int16(pass, v, out, panels);
    return;
  }
  lane_panels(v);
  UNROLLED for (int i = 0; i < LANES; i++) {
    float *to = (float *)(void *)(out + i / panels * pass->out_step) + i % panels * FOV_PANEL;
    _mm512_mask_storeu_ps(to, lane_present(pass, i % panels), v[i]);
  }
}

// Few layers have 16-bit integers or floats. They use the form without a slope, also if they have
// one.
INLINE void lane_finish(const lane_pass *pass, const vector_sums *sums, uint8_t *out, bool slope,
                        int together) {
  if (!slope && pass->finish.result != fov_int8_result_codes) {
    lane_values(pass, sums, out, together);
  } else {
    lane_codes(pass, sums, out, slope, together);
  }
}

// A row of results, or `together` of them.
INLINE void lane_row(const lane_pass *pass, const uint8_t *input, uint8_t *out, const __m512i *kept,
                     int size, int stride, bool slope, int together) {
  const int open = (size - 1) / stride + 1, begun = size - stride;
  vector_sums sums[MOST_OPEN_RESULTS * LANE_QUADS];
  UNROLLED for (int i = 0; i < open * LANE_QUADS; i++) sums[i] = _mm512_setzero_si512();
  UNROLLED for (int column = 0; column < begun; column++, input += pass->pixel) {
    lane_products(pass, input, kept, column, size, stride, together, sums);
  }
  for (size_t x = 0; x < pass->columns; x++) {
    UNROLLED for (int i = 0; i < stride; i++) {
      lane_products(pass, input + i * pass->pixel, kept, begun + i, size, stride, together, sums);
    }
    lane_finish(pass, sums, out, slope, together);
    input += stride * pass->pixel;
    out += pass->out_pixel;
    UNROLLED for (int i = 0; i < open * LANE_QUADS; i++) {
      const bool last = i >= (open - 1) * LANE_QUADS;
      sums[i] = last ? _mm512_setzero_si512() : sums[i + LANE_QUADS];
    }
  }
}

// The lanes hold neighboring pixels. The three columns of four windows are these four pixels, and
// the pixels one and two further on, from the lanes of these and of the next four.
INLINE void pixel_row(const lane_pass *pass, const uint8_t *input, uint8_t *out,
                      const __m512i *kept, bool slope) {
  __m512i here[LANE_QUADS];
  lane_column(pass, input, 3, 1, here);
  for (size_t x = 0; x < pass->columns; x++) {
    __m512i next[LANE_QUADS];
    vector_sums sums[LANE_QUADS];
    input += LANE_CHANNELS;
    lane_column(pass, input, 3, 1, next);
    UNROLLED for (int q = 0; q < LANE_QUADS; q++) {
      const __m512i one = _mm512_alignr_epi32(next[q], here[q], 4);
      const __m512i two = _mm512_alignr_epi32(next[q], here[q], 8);
      sums[q] = _mm512_dpbusd_epi32(_mm512_setzero_si512(), here[q], kept[q]);
      sums[q] = _mm512_dpbusd_epi32(sums[q], one, kept[LANE_QUADS + q]);
      sums[q] = _mm512_dpbusd_epi32(sums[q], two, kept[2 * LANE_QUADS + q]);
      here[q] = next[q];
    }
    lane_finish(pass, sums, out, slope, 1);
    out += pass->out_pixel;
  }
}

// Rows [begin, end), `together` at a time. If the last rows are too few, some are computed twice. A
// single row fills all lanes.
INLINE void lane_rows(const lane_loop *loop, size_t begin, size_t end, int size, int stride,
                      bool slope, int together) {
  const size_t shared = (size_t)together <= end - begin ? (size_t)together : 1;
  const lane_pass pass = lane_pass_of(loop, shared > 1);
  const ptrdiff_t input_row = (ptrdiff_t)loop->depthwise->stride[0] * pass.row;
  const ptrdiff_t element = loop->place.epilogue->result;
  const ptrdiff_t out_row = loop->place.row * element;
  const uint8_t *input = loop->input;
  uint8_t *out = (uint8_t *)loop->place.output + loop->place.channel * (size_t)element;
  __m512i kept[3 * LANE_QUADS];
  lane_keep_weights(&pass, size, kept);
  for (size_t i = begin; i < end; i += shared) {
    const ptrdiff_t y = (ptrdiff_t)fov_size_min(i, end - shared);
    const uint8_t *from = input + y * input_row;
    uint8_t *to = out + y * out_row;
    if (stride == LANES) {
      pixel_row(&pass, from, to, kept, slope);
    } else {
      lane_row(&pass, from, to, kept, size, stride, slope, together);
    }
  }
}

// MARK: One function for each form

typedef void (*lane_function)(const lane_loop *loop, size_t begin, size_t end);

#define LANE_FUNCTION(name, size, stride, slope, together)              \
  SEPARATE void name(const lane_loop *loop, size_t begin, size_t end) { \
    lane_rows(loop, begin, end, size, stride, slope, together);         \
  }
#define LANE_FUNCTIONS(name, size, stride, together) \
  LANE_FUNCTION(name, size, stride, false, together) \
  LANE_FUNCTION(name##_with_slope, size, stride, true, together)
#define LANE_NAMES(name) \
  { name, name##_with_slope }

LANE_FUNCTIONS(lanes_3x3, 3, 1, 1)
LANE_FUNCTIONS(lanes_3x3_two_rows, 3, 1, 2)
LANE_FUNCTIONS(lanes_3x3_four_rows, 3, 1, 4)
LANE_FUNCTIONS(lanes_3x3_stride_2, 3, 2, 1)
LANE_FUNCTIONS(lanes_3x3_stride_2_two_rows, 3, 2, 2)
LANE_FUNCTIONS(lanes_3x3_stride_2_four_rows, 3, 2, 4)
LANE_FUNCTIONS(lanes_3x3_pixels, 3, LANES, 1)
LANE_FUNCTIONS(lanes_5x5, 5, 1, 1)
LANE_FUNCTIONS(lanes_5x5_stride_2, 5, 2, 1)

INLINE lane_function lane_function_of(size_t size, size_t stride, size_t together, bool slope) {
  // [stride - 1][together / 2][slope]
  static const lane_function of_3x3[2][3][2] = {
      {LANE_NAMES(lanes_3x3), LANE_NAMES(lanes_3x3_two_rows), LANE_NAMES(lanes_3x3_four_rows)},
      {LANE_NAMES(lanes_3x3_stride_2), LANE_NAMES(lanes_3x3_stride_2_two_rows),
       LANE_NAMES(lanes_3x3_stride_2_four_rows)},
  };
  static const lane_function of_5x5[2][2] = {LANE_NAMES(lanes_5x5), LANE_NAMES(lanes_5x5_stride_2)};
  static const lane_function of_pixels[2] = LANE_NAMES(lanes_3x3_pixels);
  if (stride == LANES) return of_pixels[slope];
  return size == 5 ? of_5x5[stride - 1][slope] : of_3x3[stride - 1][together / 2][slope];
}

// Whether the lanes hold neighboring pixels.
INLINE bool lanes_are_pixels(const fov_int8_depthwise *k) {
  return k->channels == FOV_PANEL && k->input_pixel == FOV_PANEL && k->output_pixel == FOV_PANEL &&
         k->stride[1] == 1 && k->columns % LANES == 0 && k->kernel[0] == 3;
}

// How many rows share a vector.
INLINE size_t lane_rows_together(const fov_int8_depthwise *k, size_t panels) {
  if (k->kernel[0] != 3 || lanes_are_pixels(k)) return 1;
  return panels == 1 ? 4 : panels == 2 ? 2 : 1;
}

INLINE bool lanes_apply(const fov_int8_depthwise *k) {
  const bool sizes = k->kernel[0] == k->kernel[1] && (k->kernel[0] == 3 || k->kernel[0] == 5);
  const bool steps =
      k->dilation[0] == 1 && k->dilation[1] == 1 && (k->stride[1] == 1 || k->stride[1] == 2);
  const finish_kind kind = finish_kind_of(&k->epilogue, k->channels);
  const bool values = k->epilogue.result != fov_int8_result_codes && k->epilogue.residual == NULL;
  return sizes && steps && (kind == finish_kind_plain || kind == finish_kind_slope || values);
}

// MARK: Weights and factors

// `quads` times 16 bytes for each lane. Lanes of more rows or pixels, or without a panel, repeat
// the first panels.
INLINE void lane_interleave(const void *panels, size_t panel_bytes, size_t panels_there,
                            size_t quads, void *out) {
  for (size_t lane = 0; lane < LANES; lane++) {
    const uint8_t *from = (const uint8_t *)panels + lane % panels_there * panel_bytes;
    uint8_t *to = (uint8_t *)out + 16 * lane;
    for (size_t i = 0; i < quads; i++) memcpy(to + 16 * LANES * i, from + 16 * i, 16);
  }
}

INLINE void lane_factors(lane_loop *loop, size_t channel, size_t panels) {
  const fov_int8_epilogue *e = loop->place.epilogue;
  const size_t bytes = FOV_PANEL * sizeof(float);
  lane_interleave(e->scale + channel, bytes, panels, LANE_QUADS, loop->scale);
  lane_interleave(e->bias + channel, bytes, panels, LANE_QUADS, loop->bias);
  if (e->negative_scale == NULL) return;
  lane_interleave(e->negative_scale + channel, bytes, panels, LANE_QUADS, loop->negative_scale);
  lane_interleave(e->negative_bias + channel, bytes, panels, LANE_QUADS, loop->negative_bias);
}

// Rows [begin, end) of at most LANE_CHANNELS channels from `channel` on.
SEPARATE void depthwise_lanes(const fov_int8_depthwise *k, size_t channel, size_t begin,
                              size_t end) {
  const fov_int8_epilogue *e = &k->epilogue;
  const bool of_pixels = lanes_are_pixels(k), codes = e->result == fov_int8_result_codes;
  const size_t groups = fov_size_parts(k->kernel[0], FOV_GROUP) * k->kernel[1];
  const size_t channels = fov_size_min(k->channels - channel, LANE_CHANNELS);
  const size_t panels = fov_size_parts(channels, FOV_PANEL);
  lane_loop loop = {
      .depthwise = k,
      .input = k->input + channel,
      .columns = of_pixels ? k->columns / LANES : k->columns,
      .place = {e, k->output, k->output_row, k->output_pixel, channel, channels},
  };
  if (of_pixels) loop.place.pixel = loop.place.channels = LANE_CHANNELS;
  lane_interleave(k->weights + channel * groups * FOV_GROUP, FOV_PANEL * groups * FOV_GROUP, panels,
                  groups * LANE_QUADS, loop.weights);
  lane_factors(&loop, channel, panels);
  lane_function_of(k->kernel[0], of_pixels ? LANES : k->stride[1], lane_rows_together(k, panels),
                   e->negative_scale != NULL && codes)(&loop, begin, end);
}

#endif
