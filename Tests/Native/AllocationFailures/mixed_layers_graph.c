// Fovea - a small network of what YOLOv3-tiny does without.
// SPDX-License-Identifier: Apache-2.0
#include "mixed_layers_graph.h"

#include <math.h>

#define CLASSES 3
#define ANCHORS 2
#define BOX_CHANNELS (5 + CLASSES)
#define CELLS 64

#define ADD(noun, ...) \
  WATCHED(watched, fov_graph_add_##noun(watched->graph, __VA_ARGS__, &watched->diagnostic))

// MARK: weights

static float numbers[8192];
static uint8_t codes[8192];

static void make_numbers(void) {
  uint32_t state = 11;
  for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++) {
    state = state * 1664525u + 1013904223u;
    numbers[i] = (float)(state >> 8) / 8388608.0f - 1.0f;
    codes[i] = (uint8_t)(state >> 24);
  }
}

static fov_weights floats(size_t count) {
  return (fov_weights){.encoding = fov_weight_encoding_float32,
                       .data = numbers,
                       .data_bytes = count * sizeof(float)};
}

static fov_weights encoded(fov_weight_encoding encoding, size_t count) {
  static const float scale = 0.004f, shift = -0.5f;
  if (encoding == fov_weight_encoding_float32) return floats(count);
  fov_weights weights = {.encoding = encoding, .bits = 8, .data = codes, .data_bytes = count};
  if (encoding == fov_weight_encoding_lookup_table) {
    weights.table = numbers;
    weights.table_count = 256;
  } else {
    weights.scale = &scale;
    weights.scale_count = 1;
    weights.bias = &shift;
    weights.bias_count = 1;
  }
  return weights;
}

// MARK: layers

typedef struct kernel {
  size_t inputs, outputs, groups, size;
  fov_weight_encoding encoding;
} kernel;

static fov_status convolve(watched_graph *watched, const char *label, kernel kernel,
                           fov_value *io_value) {
  const size_t border = kernel.size / 2;
  const fov_convolution convolution = {.output_channels = kernel.outputs,
                                       .groups = kernel.groups,
                                       .kernel = {kernel.size, kernel.size},
                                       .stride = {1, 1},
                                       .dilation = {1, 1},
                                       .before = {border, border},
                                       .after = {border, border}};
  const size_t taps = kernel.inputs / kernel.groups * kernel.size * kernel.size;
  fov_weights weights = encoded(kernel.encoding, kernel.outputs * taps);
  if (weights.table && kernel.outputs % 2 == 0) {
    // Tables of halves of the output channels, and of quarters of the input channels.
    weights.parts[0] = 2;
    weights.parts[1] = 4;
    weights.table_count *= 8;
  }
  const fov_weights bias = floats(kernel.outputs);
  float scales[64];
  for (size_t i = 0; i < 64; i++) scales[i] = 1.5f / sqrtf((float)taps);
  WATCHED_FORWARD(watched_graph_label(watched, label));
  ADD(convolution, &convolution, &weights, &bias, *io_value, io_value);
  ADD(channel_affine, kernel.outputs, scales, NULL, *io_value, io_value);
  return fov_status_ok;
}

static fov_status apply(watched_graph *watched, fov_unary_function function, float alpha,
                        float beta, fov_value *io_value) {
  const fov_unary unary = {.function = function, .alpha = alpha, .beta = beta};
  ADD(unary, &unary, *io_value, io_value);
  return fov_status_ok;
}

// A constant of one number for all, or one for each of 16 channels.
static fov_status combine(watched_graph *watched, fov_binary_function function, size_t channels,
                          fov_value *io_value) {
  const fov_shape shape = {.rank = 4, .dims = {1, channels, 1, 1}};
  const fov_weights weights = floats(channels);
  fov_value constant;
  ADD(constant, &shape, &weights, &constant);
  ADD(binary, function, *io_value, constant, io_value);
  return fov_status_ok;
}

// MARK: parts

static fov_status add_input(watched_graph *watched, fov_value *out_value) {
  const fov_shape shape = {.rank = 3, .dims = {16, 16, 3}};
  const fov_pixels pixels = {.scale = 1.0f / 255.0f, .bias = {-0.5f, -0.5f, -0.5f}};
  const fov_pooling halves = {
      .function = fov_pooling_maximum, .kernel = {2, 2}, .stride = {2, 2}, .output = {8, 8}};
  const kernel kernel = {3, 16, 1, 3, fov_weight_encoding_linear};
  fov_value image;
  ADD(input, "image", fov_data_type_uint8, &shape, &image);
  ADD(pixels, &pixels, image, out_value);
  WATCHED_FORWARD(convolve(watched, "stem", kernel, out_value));
  WATCHED_FORWARD(combine(watched, fov_binary_multiply, 1, out_value));
  WATCHED_FORWARD(combine(watched, fov_binary_add, 16, out_value));
  WATCHED_FORWARD(apply(watched, fov_unary_relu, 0.0f, 0.0f, out_value));
  ADD(pooling, &halves, *out_value, out_value);
  return fov_status_ok;
}

// The projection is added to what the bottleneck began with.
static fov_status add_bottleneck(watched_graph *watched, fov_value *io_value) {
  const kernel expansion = {16, 64, 1, 1, fov_weight_encoding_lookup_table};
  const kernel filter = {64, 64, 64, 3, fov_weight_encoding_float32};
  const kernel projection = {64, 16, 1, 1, fov_weight_encoding_lookup_table};
  const fov_value stream = *io_value;
  WATCHED_FORWARD(convolve(watched, "expansion", expansion, io_value));
  WATCHED_FORWARD(apply(watched, fov_unary_clip, 0.0f, 6.0f, io_value));
  WATCHED_FORWARD(convolve(watched, "filter", filter, io_value));
  WATCHED_FORWARD(apply(watched, fov_unary_clip, 0.0f, 6.0f, io_value));
  WATCHED_FORWARD(convolve(watched, "projection", projection, io_value));
  ADD(binary, fov_binary_add, stream, *io_value, io_value);
  return fov_status_ok;
}

// A table behind a convolution, and images that are moved.
static fov_status add_features(watched_graph *watched, fov_value *io_value) {
  const kernel gate = {16, 16, 1, 1, fov_weight_encoding_lookup_table};
  const kernel last = {32, 16, 1, 3, fov_weight_encoding_linear};
  const fov_pooling mean = {.function = fov_pooling_average,
                            .kernel = {3, 3},
                            .stride = {1, 1},
                            .before = {1, 1},
                            .output = {8, 8},
                            .exclude_padding = true};
  fov_value parts[2] = {*io_value, *io_value};
  WATCHED_FORWARD(convolve(watched, "gate", gate, &parts[0]));
  WATCHED_FORWARD(apply(watched, fov_unary_sigmoid, 0.0f, 0.0f, &parts[0]));
  ADD(pooling, &mean, parts[1], &parts[1]);
  ADD(concat, 1, parts, 2, io_value);
  return convolve(watched, "features", last, io_value);
}

static fov_status add_planes(watched_graph *watched, fov_value features) {
  const fov_convolution doubling = {
      .output_channels = 8, .groups = 2, .kernel = {2, 2}, .stride = {2, 2}, .dilation = {1, 1}};
  const fov_reduce reduce = {.function = fov_reduce_mean, .axes = 1u << 2 | 1u << 3};
  const fov_weights weights = encoded(fov_weight_encoding_linear, 16 * 4 * 4);
  const fov_weights bias = floats(8);
  fov_value enlarged, means;
  ADD(transposed_convolution, &doubling, &weights, &bias, features, &enlarged);
  WATCHED(watched,
          fov_graph_mark_output(watched->graph, enlarged, "enlarged", &watched->diagnostic));
  ADD(reduce, &reduce, features, &means);
  ADD(softmax, 1, means, &means);
  WATCHED(watched, fov_graph_mark_output(watched->graph, means, "means", &watched->diagnostic));
  return fov_status_ok;
}

// MARK: decoding

static fov_status take(watched_graph *watched, fov_value head, size_t begin, size_t count,
                       fov_value *out_value) {
  const fov_slice slice = {
      .begin = {begin, 0, 0}, .count = {count, ANCHORS, CELLS}, .stride = {1, 1, 1}};
  ADD(slice, &slice, head, out_value);
  return apply(watched, fov_unary_sigmoid, 0.0f, 0.0f, out_value);
}

static fov_status mark_rows(watched_graph *watched, fov_value value, size_t columns,
                            const char *name) {
  const fov_shape rows = {.rank = 2, .dims = {ANCHORS * CELLS, columns}};
  const size_t axes[3] = {1, 2, 0};
  ADD(transpose, axes, value, &value);
  ADD(reshape, &rows, value, &value);
  WATCHED(watched, fov_graph_mark_output(watched->graph, value, name, &watched->diagnostic));
  return fov_status_ok;
}

static fov_status add_boxes(watched_graph *watched, fov_value head) {
  static const float scales[2] = {0.125f, 0.125f}, shifts[2] = {0.25f, -0.25f};
  const fov_shape anchor_shape = {.rank = 3, .dims = {2, ANCHORS, 1}};
  const fov_weights anchor_sizes = floats(2 * ANCHORS);
  fov_value parts[2], anchors, boxes;
  WATCHED_FORWARD(take(watched, head, 0, 2, &parts[0]));
  ADD(channel_affine, 2, scales, shifts, parts[0], &parts[0]);
  WATCHED_FORWARD(take(watched, head, 2, 2, &parts[1]));
  WATCHED_FORWARD(apply(watched, fov_unary_power, 2.0f, 0.0f, &parts[1]));
  ADD(constant, &anchor_shape, &anchor_sizes, &anchors);
  ADD(binary, fov_binary_multiply, parts[1], anchors, &parts[1]);
  ADD(concat, 0, parts, 2, &boxes);
  return mark_rows(watched, boxes, 4, "coordinates");
}

static fov_status add_decoding(watched_graph *watched, fov_value features) {
  const fov_shape split = {.rank = 3, .dims = {ANCHORS, BOX_CHANNELS, CELLS}};
  const size_t axes[3] = {1, 0, 2};
  fov_value head, object, classes;
  ADD(reshape, &split, features, &head);
  ADD(transpose, axes, head, &head);
  WATCHED_FORWARD(take(watched, head, 4, 1, &object));
  WATCHED_FORWARD(take(watched, head, 5, CLASSES, &classes));
  ADD(binary, fov_binary_multiply, object, classes, &classes);
  WATCHED_FORWARD(mark_rows(watched, classes, CLASSES, "confidence"));
  return add_boxes(watched, head);
}

fov_status mixed_layers_build(watched_graph *watched) {
  const kernel head = {16, ANCHORS * BOX_CHANNELS, 1, 1, fov_weight_encoding_lookup_table};
  fov_value value;
  make_numbers();
  WATCHED_FORWARD(add_input(watched, &value));
  // Two, so that there are nearly 64 values and those that packing adds make their array grow.
  WATCHED_FORWARD(add_bottleneck(watched, &value));
  WATCHED_FORWARD(add_bottleneck(watched, &value));
  WATCHED_FORWARD(add_features(watched, &value));
  WATCHED_FORWARD(add_planes(watched, value));
  WATCHED_FORWARD(convolve(watched, "head", head, &value));
  return add_decoding(watched, value);
}
