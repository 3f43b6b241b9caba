// Fovea - int8 and int16 convolutions of random shapes, compared byte by byte, with guards.
// SPDX-License-Identifier: Apache-2.0
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/fov_size.h"
#include "kernel_check.h"
#include "weights/fov_int8_packing.h"

// One convolution with everything that it reads; depthwise when shape.depthwise.
typedef enum case_kind { case_dense, case_depthwise, case_winograd, case_int16 } case_kind;

typedef struct test_case {
  case_kind kind;
  fov_int8_shape shape;
  fov_int8_convolution dense;
  fov_int8_depthwise depthwise;
  int8_t *rows;  // unpacked weights, [output channel][row length]
  size_t row_length;
  int8_t *weights;  // packed
  fov_int8_sums sums;
  uint8_t *input, *residual, *output;
  float *floats[4];  // scale, bias, negative scale, negative bias
  size_t input_bytes, output_bytes, output_begin;
} test_case;

// MARK: Making a case

static size_t pick(chance *chance, const size_t *choices, size_t count) {
  return choices[chance_below(chance, count)];
}

static void choose_shape(chance *chance, test_case *t) {
  const bool depthwise = t->kind == case_depthwise;
  static const size_t kernels[] = {1, 1, 1, 2, 3, 3, 3, 3, 5, 7};
  static const size_t channels[] = {1, 2, 3, 4, 4, 5, 7, 8, 13, 16, 16, 31, 32, 64, 97, 256};
  static const size_t outputs[] = {1,  3,  4,  7,  8,  11, 12, 15, 16,
                                   16, 17, 24, 29, 32, 33, 40, 48, 67};
  static const size_t sides[] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 14, 15, 17, 27};
  fov_int8_convolution *k = &t->dense;
  const size_t kernel = pick(chance, kernels, 10);
  const bool square = chance_below(chance, 4) != 0, plain = chance_below(chance, 3) != 0;
  for (int i = 0; i < 2; i++) {
    k->kernel[i] = square ? kernel : pick(chance, kernels, 10);
    k->stride[i] = plain ? 1 : chance_between(chance, 1, 3);
    k->dilation[i] = plain || chance_below(chance, 2) ? 1 : chance_between(chance, 1, 3);
  }
  if (chance_below(chance, 4) == 0) k->stride[0] = k->stride[1] = 2;
  for (int i = 0; i < 2 && t->kind == case_winograd; i++) {
    k->kernel[i] = 3;
    k->stride[i] = k->dilation[i] = 1;
  }
  k->rows = pick(chance, sides, 9);
  k->columns = pick(chance, sides, 16);
  k->pools = !depthwise && t->kind != case_int16 && chance_below(chance, 3) == 0;
  size_t inputs = pick(chance, channels, 16);
  if (t->kind == case_int16) inputs = (inputs + 1) / 2 * 2;  // bytes
  k->output_channels = pick(chance, outputs, 18);
  if (depthwise && chance_below(chance, 4) == 0 && k->kernel[0] == 7) k->kernel[1] = 11;
  // Keeps a case within half a million products, so that cases take similar time.
  const size_t products = k->kernel[0] * k->kernel[1] * (depthwise ? 1 : inputs) *
                          k->output_channels * (k->pools ? 4 : 1);
  while (k->rows * k->columns * products > 500000 && k->rows > 1) k->rows = (k->rows + 1) / 2;
  while (k->rows * k->columns * products > 500000 && inputs > 16) inputs /= 2;
  const size_t padded = fov_int8_padded_channels(inputs);
  const size_t blocks[] = {FOV_GROUP, 8, 16, 64, padded, padded, padded};
  k->channels = padded;
  k->block = pick(chance, blocks, 7);
  t->shape = (fov_int8_shape){.output_channels = k->output_channels,
                              .input_channels = depthwise ? 1 : inputs,
                              .kernel = {k->kernel[0], k->kernel[1]},
                              .block = k->block,
                              .depthwise = depthwise};
}

static int8_t choose_weight(chance *chance, size_t kind) {
  static const int8_t extremes[] = {-128, -127, 127, 0};
  switch (kind) {
    case 0: return (int8_t)(chance_below(chance, 129) - 64);  // pairs fit
    case 1: return extremes[chance_below(chance, 4)];
    case 2: return 127;
    case 3: return -128;
    default: return (int8_t)chance_bits(chance);
  }
}

static void choose_weights(chance *chance, test_case *t) {
  const size_t outputs = t->shape.output_channels, panels = fov_int8_panels(outputs);
  t->row_length = t->shape.input_channels * t->shape.kernel[0] * t->shape.kernel[1];
  size_t bytes;
  if (!fov_int8_packed_bytes(&t->shape, &t->dense.panel_bytes, &bytes)) exit(1);
  t->rows = check_allocate(outputs * t->row_length);
  t->weights = check_allocate(bytes);
  t->sums.weight_sums = check_allocate(panels * FOV_PANEL * sizeof(int32_t));
  t->sums.pairs_fit = check_allocate(panels);
  size_t kind = 0;
  for (size_t c = 0; c < outputs; c++) {
    if (c % FOV_PANEL == 0) kind = chance_below(chance, 3) ? 0 : chance_between(chance, 1, 4);
    int8_t *row = t->rows + c * t->row_length;
    for (size_t i = 0; i < t->row_length; i++) row[i] = choose_weight(chance, kind);
    fov_int8_pack_row(&t->shape, c, row, t->weights);
  }
  fov_int8_sum_panels(t->weights, panels, t->dense.panel_bytes, &t->sums);
}

// Weights of one sign of a channel, times `sign`.
static int64_t one_sided_sum(const test_case *t, size_t channel, int sign) {
  int64_t sum = 0;
  for (size_t i = 0; i < t->row_length; i++) {
    const int weight = sign * t->rows[channel * t->row_length + i];
    if (weight > 0) sum += weight;
  }
  return sum;
}

// Whether pairs of neighboring bytes of a panel fit, counted one by one.
static bool pairs_fit(const int8_t *panel, size_t bytes) {
  for (size_t i = 0; i + 1 < bytes; i += 2) {
    const int a = panel[i], b = panel[i + 1];
    const int positive = (a > 0 ? a : 0) + (b > 0 ? b : 0);
    if (255 * positive > INT16_MAX || 255 * (a + b - positive) < INT16_MIN) return false;
  }
  return true;
}

// Sums of weights times zero points of their inputs, counted in the rows.
static bool weighed_sums_agree(const test_case *t) {
  const size_t inputs = t->shape.input_channels, positions = t->row_length / inputs;
  uint8_t *zeros = check_allocate(inputs);
  bool agree = true;
  for (size_t i = 0; i < inputs; i++) zeros[i] = (uint8_t)(i * 151 + t->row_length);
  for (size_t c = 0; c < t->shape.output_channels; c++) {
    int32_t sums[FOV_PANEL];
    int64_t expected = 0;
    fov_int8_weigh_panel(&t->shape, t->weights + c / FOV_PANEL * t->dense.panel_bytes,
                         t->sums.weight_sums + c / FOV_PANEL * FOV_PANEL, zeros, sums);
    for (size_t i = 0; i < t->row_length; i++) {
      expected += (int64_t)zeros[i / positions] * t->rows[c * t->row_length + i];
    }
    agree = agree && sums[c % FOV_PANEL] == expected;
  }
  free(zeros);
  return agree;
}

// Checks the sums and flags of packed weights against rows and bytes.
static bool sums_agree(const test_case *t) {
  bool agree = true, small = true;
  for (size_t c = 0; c < t->shape.output_channels; c++) {
    const int64_t positive = one_sided_sum(t, c, 1), negative = one_sided_sum(t, c, -1);
    agree = agree && t->sums.weight_sums[c] == positive - negative;
    small = small && 255 * positive < 1 << 25 && 255 * negative < 1 << 25;
  }
  for (size_t i = 0; i < fov_int8_panels(t->shape.output_channels); i++) {
    const int8_t *panel = t->weights + i * t->dense.panel_bytes;
    agree = agree && t->sums.pairs_fit[i] == pairs_fit(panel, t->dense.panel_bytes);
  }
  agree = agree && t->sums.are_small == small && (t->shape.depthwise || weighed_sums_agree(t));
  if (!agree) printf("KernelCheck: sums of packed weights differ\n");
  return agree;
}

static void choose_input(chance *chance, test_case *t) {
  fov_int8_convolution *k = &t->dense;
  const size_t channels = t->shape.depthwise ? k->output_channels : k->channels;
  const bool tight = chance_below(chance, 2) == 0;
  const size_t pixel = channels + (tight ? 0 : chance_between(chance, 1, 40));
  const size_t scale = k->pools ? 2 : 1;
  const size_t rows =
      (k->rows * scale - 1) * k->stride[0] + (k->kernel[0] - 1) * k->dilation[0] + 1;
  const size_t columns =
      (k->columns * scale - 1) * k->stride[1] + (k->kernel[1] - 1) * k->dilation[1] + 1;
  const size_t row = columns * pixel + chance_below(chance, 9);
  t->input_bytes = (rows - 1) * row + (columns - 1) * pixel + channels + 64;  // FOV_FORMAT_SLACK
  t->input = malloc(t->input_bytes);
  if (t->input == NULL) exit(1);
  const size_t kind = chance_below(chance, 4);
  for (size_t i = 0; i < t->input_bytes; i++) {
    const uint32_t bits = chance_bits(chance);
    t->input[i] = kind == 0 ? 255 : kind == 1 ? (uint8_t)(bits & 1 ? 255 : 0) : (uint8_t)bits;
  }
  k->input = t->input;
  k->input_pixel = (ptrdiff_t)pixel;
  k->input_row = (ptrdiff_t)row;
}

static void choose_epilogue(chance *chance, test_case *t) {
  fov_int8_epilogue *e = &t->dense.epilogue;
  const size_t padded = fov_int8_panels(t->shape.output_channels) * FOV_PANEL;
  for (int i = 0; i < 4; i++) t->floats[i] = check_allocate(padded * sizeof(float));
  // Sums spread like the root of their count times the largest product; codes then spread over
  // and beyond 0 ... 255. Every fourth case has steps of exactly one half.
  const float spread = 127.0f * 255.0f * sqrtf((float)t->row_length);
  const bool halves = chance_below(chance, 4) == 0;
  for (size_t c = 0; c < t->shape.output_channels; c++) {
    const float scale = halves ? 0.5f : chance_float(chance, 50.0f, 400.0f) / spread;
    const float slope = halves ? 0.25f : chance_float(chance, 0.0f, 1.0f);
    t->floats[0][c] = scale;
    t->floats[1][c] = halves ? 100.0f : chance_float(chance, -100.0f, 300.0f);
    t->floats[2][c] = scale * slope;
    t->floats[3][c] = t->floats[1][c] * slope;
  }
  e->scale = t->floats[0];
  e->bias = t->floats[1];
  if (chance_below(chance, 2)) {
    e->negative_scale = t->floats[2];
    e->negative_bias = t->floats[3];
  }
  static const fov_int8_result rare[2] = {fov_int8_result_int16, fov_int8_result_floats};
  e->result = chance_below(chance, 3) == 0 ? rare[chance_below(chance, 2)] : fov_int8_result_codes;
  e->lowest = (uint8_t)(chance_below(chance, 2) ? chance_below(chance, 128) : 0);
  e->highest = (uint8_t)(chance_below(chance, 2) ? chance_between(chance, 128, 254) : 255);
  if (chance_below(chance, 4) == 0) e->zero = (float)chance_below(chance, 256);
  const float most = e->result == fov_int8_result_int16 ? (float)FOV_LARGEST_INT16 : INFINITY;
  e->lowest_value = chance_below(chance, 2) ? -most : -10.0f;
  e->highest_value = chance_below(chance, 2) ? most : 200.5f;
  if (!t->dense.pools && chance_below(chance, 3) == 0) {
    const size_t pixel = t->shape.output_channels + chance_below(chance, 20);
    const size_t row = t->dense.columns * pixel + chance_below(chance, 5);
    const size_t bytes = t->dense.rows * row + 64;
    t->residual = malloc(bytes);
    if (t->residual == NULL) exit(1);
    for (size_t i = 0; i < bytes; i++) t->residual[i] = (uint8_t)chance_bits(chance);
    e->residual = t->residual;
    e->residual_pixel = (ptrdiff_t)pixel;
    e->residual_row = (ptrdiff_t)row;
    e->residual_scale = halves ? 0.5f : chance_float(chance, -2.0f, 2.0f);
  }
}

static void choose_output(chance *chance, test_case *t) {
  fov_int8_convolution *k = &t->dense;
  const size_t element = k->epilogue.result;
  const size_t pixel = k->output_channels + chance_below(chance, 2) * chance_between(chance, 1, 30);
  const size_t row = k->columns * pixel + chance_below(chance, 7);
  t->output_begin = (80 + chance_below(chance, 20)) * element;
  t->output_bytes = t->output_begin + (k->rows * row + 80) * element;
  t->output = check_allocate(t->output_bytes);
  k->output = t->output + t->output_begin;
  k->output_pixel = (ptrdiff_t)pixel;
  k->output_row = (ptrdiff_t)row;
}

static void make_case(chance *chance, test_case *t, case_kind kind) {
  *t = (test_case){.kind = kind};
  choose_shape(chance, t);
  choose_weights(chance, t);
  choose_input(chance, t);
  choose_epilogue(chance, t);
  choose_output(chance, t);
  fov_int8_convolution *k = &t->dense;
  k->weights = t->weights;
  k->weight_sums = t->sums.weight_sums;
  k->pairs_fit = t->sums.pairs_fit;
  t->depthwise = (fov_int8_depthwise){.input = k->input,
                                      .input_row = k->input_row,
                                      .input_pixel = k->input_pixel,
                                      .kernel = {k->kernel[0], k->kernel[1]},
                                      .stride = {k->stride[0], k->stride[1]},
                                      .dilation = {k->dilation[0], k->dilation[1]},
                                      .weights = k->weights,
                                      .weight_sums = k->weight_sums,
                                      .pairs_fit = k->pairs_fit,
                                      .rows = k->rows,
                                      .columns = k->columns,
                                      .channels = k->output_channels,
                                      .output = k->output,
                                      .output_row = k->output_row,
                                      .output_pixel = k->output_pixel,
                                      .epilogue = k->epilogue};
}

static void release_case(test_case *t) {
  free(t->rows);
  free(t->weights);
  free(t->sums.weight_sums);
  free(t->sums.pairs_fit);
  free(t->input);
  free(t->residual);
  free(t->output);
  for (int i = 0; i < 4; i++) free(t->floats[i]);
}

// MARK: The straightforward computation

// The product of one byte, or of the 16-bit integer that begins there. `position` is the distance
// to the row's next input channel.
static int64_t product(case_kind kind, const uint8_t *input, const int8_t *weight,
                       size_t position) {
  if (kind != case_int16) return (int64_t)input[0] * weight[0];
  const int8_t both[2] = {weight[0], weight[position]};
  int16_t a, w;
  memcpy(&a, input, sizeof a);
  memcpy(&w, both, sizeof w);
  return (int64_t)a * w;
}

static int64_t plain_sum(const test_case *t, size_t y, size_t x, size_t c) {
  const fov_int8_convolution *k = &t->dense;
  const size_t position = k->kernel[0] * k->kernel[1], step = t->kind == case_int16 ? 2 : 1;
  int64_t sum = 0;
  for (size_t input = 0; input < t->shape.input_channels; input += step) {
    for (size_t i = 0; i < k->kernel[0]; i++) {
      for (size_t j = 0; j < k->kernel[1]; j++) {
        const size_t row = y * k->stride[0] + i * k->dilation[0];
        const size_t column = x * k->stride[1] + j * k->dilation[1];
        const size_t channel = t->shape.depthwise ? c : input;
        const size_t at = row * (size_t)k->input_row + column * (size_t)k->input_pixel + channel;
        const size_t weight = (input * k->kernel[0] + i) * k->kernel[1] + j;
        sum += product(t->kind, t->input + at, t->rows + c * t->row_length + weight, position);
      }
    }
  }
  return t->kind == case_int16 ? (int32_t)(uint32_t)sum : sum;
}

// What the header says, in double where float is exact anyway: |sum| < 2^24 makes no difference,
// and beyond it the conversion to float comes first.
static void plain_element(const test_case *t, size_t y, size_t x, size_t c, uint8_t *output) {
  const fov_int8_convolution *k = &t->dense;
  const fov_int8_epilogue *e = &k->epilogue;
  int64_t sum = INT64_MIN;
  if (k->pools) {
    for (size_t i = 0; i < 4; i++) {
      const int64_t one = plain_sum(t, 2 * y + i / 2, 2 * x + i % 2, c);
      if (one > sum) sum = one;
    }
  } else {
    sum = plain_sum(t, y, x, c);
  }
  const float f = (float)sum;
  float v = fmaf(f, e->scale[c], e->bias[c]);
  if (e->negative_scale != NULL) v = fmaxf(v, fmaf(f, e->negative_scale[c], e->negative_bias[c]));
  if (e->residual != NULL) {
    const size_t at = y * (size_t)e->residual_row + x * (size_t)e->residual_pixel + c;
    v = fmaf((float)e->residual[at], e->residual_scale, v);
  }
  const size_t element = y * (size_t)k->output_row + x * (size_t)k->output_pixel + c;
  if (e->result != fov_int8_result_codes) {
    v = fminf(fmaxf(v, e->lowest_value), e->highest_value);
    if (e->result == fov_int8_result_floats) {
      memcpy(output + element * sizeof v, &v, sizeof v);
    } else {
      const int16_t rounded = (int16_t)nearbyintf(v);
      memcpy(output + element * sizeof rounded, &rounded, sizeof rounded);
    }
    return;
  }
  const float code = fminf(fmaxf(nearbyintf(v) + e->zero, e->lowest), e->highest);
  output[element] = (uint8_t)code;
}

static void plain_computation(const test_case *t, uint8_t *output) {
  const fov_int8_convolution *k = &t->dense;
  for (size_t y = 0; y < k->rows; y++) {
    for (size_t x = 0; x < k->columns; x++) {
      for (size_t c = 0; c < k->output_channels; c++) {
        plain_element(t, y, x, c, output + t->output_begin);
      }
    }
  }
}

// MARK: Comparing

// Runs a kernel in up to four pieces, as threads do.
static void run(const fov_kernel_set *set, const test_case *t, chance *chance) {
  const fov_int8_kernels *kernels = set->int8;
  const size_t rows = t->dense.rows, cut = chance_below(chance, rows + 1);
  if (t->shape.depthwise) {
    kernels->depthwise(&t->depthwise, 0, cut);
    kernels->depthwise(&t->depthwise, cut, rows);
    return;
  }
  const size_t panels = fov_int8_panels(t->dense.output_channels);
  const size_t panel_cut = chance_below(chance, panels + 1);
  const fov_int8_convolution_kernel convolution =
      t->kind == case_int16 ? set->int16->convolution : kernels->convolution;
  convolution(&t->dense, 0, cut, 0, panel_cut);
  convolution(&t->dense, cut, rows, 0, panel_cut);
  convolution(&t->dense, 0, rows, panel_cut, panels);
}

static void run_winograd(const fov_winograd_kernels *kernels, const test_case *t, chance *chance) {
  const fov_int8_convolution *k = &t->dense;
  const size_t windows = k->pools ? 2 : 1;
  const winograd_shape shape = {k->rows * windows, k->columns * windows, k->channels, k->block,
                                k->output_channels};
  if (!check_winograd_run(kernels, k, &shape, chance_bits(chance))) exit(1);
}

static void report(const test_case *t, const char *name, const uint8_t *expected) {
  const fov_int8_convolution *k = &t->dense;
  const fov_int8_epilogue *e = &k->epilogue;
  static const char *const kinds[] = {"convolution", "depthwise", "winograd", "int16"};
  static const char *const results[] = {[fov_int8_result_codes] = "",
                                        [fov_int8_result_int16] = ", to int16",
                                        [fov_int8_result_floats] = ", to floats"};
  size_t at = 0;
  while (t->output[at] == expected[at]) at++;
  printf(
      "KernelCheck: %s: %s differs at byte %td: %zux%zu kernel, stride %zux%zu, "
      "dilation %zux%zu, %zu -> %zu channels in blocks of %zu, %zu x %zu pixels of %td, "
      "input pixels of %td%s%s%s%s\n",
      name, kinds[t->kind], (ptrdiff_t)at - (ptrdiff_t)t->output_begin, k->kernel[0], k->kernel[1],
      k->stride[0], k->stride[1], k->dilation[0], k->dilation[1], t->shape.input_channels,
      k->output_channels, k->block, k->rows, k->columns, k->output_pixel, k->input_pixel,
      k->pools ? ", pooled" : "", e->negative_scale != NULL ? ", slope" : "",
      e->residual != NULL ? ", residual" : "", results[e->result]);
}

static bool same(const fov_kernel_set *set, const fov_kernel_set *scalar, chance *chance,
                 case_kind kind) {
  test_case t;
  make_case(chance, &t, kind);
  uint8_t *expected = check_allocate(t.output_bytes);
  memset(t.output, GUARD_BYTE, t.output_bytes);
  if (set == scalar) {
    memset(expected, GUARD_BYTE, t.output_bytes);
    plain_computation(&t, expected);
  } else {
    run(scalar, &t, chance);
    memcpy(expected, t.output, t.output_bytes);
    memset(t.output, GUARD_BYTE, t.output_bytes);
  }
  if (kind == case_winograd && set->int8_winograd != NULL && t.sums.are_small) {
    run_winograd(set->int8_winograd, &t, chance);
  } else {
    run(set, &t, chance);
  }
  const bool results_equal = memcmp(t.output, expected, t.output_bytes) == 0;
  const bool equal = results_equal && sums_agree(&t);
  if (!results_equal) report(&t, fov_instruction_set_name(set->instruction_set), expected);
  free(expected);
  release_case(&t);
  return equal;
}

check_result check_int8(const fov_kernel_set *set, const fov_kernel_set *scalar, size_t count,
                        uint64_t seed) {
  chance chance = {seed};
  check_result result = {4 * count, 0};
  for (size_t i = 0; i < count && result.differences < 20; i++) {
    if (!same(set, scalar, &chance, case_dense)) result.differences++;
    if (!same(set, scalar, &chance, case_depthwise)) result.differences++;
    if (!same(set, scalar, &chance, case_winograd)) result.differences++;
    if (!same(set, scalar, &chance, case_int16)) result.differences++;
  }
  return result;
}
