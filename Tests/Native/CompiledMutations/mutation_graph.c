// Fovea - a small graph of every operation that a compiled file can hold.
// SPDX-License-Identifier: Apache-2.0
#include "mutation_graph.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/fov_alloc.h"
#include "graph/fov_graph_types.h"
#include "ops/fov_op_detection.h"
#include "ops/fov_operation_table.h"

// Steps of building: the first failure ends it.
#define STEP(call)                                                    \
  do {                                                                \
    if ((call) != fov_status_ok) {                                    \
      fprintf(stderr, "line %d: %s\n", __LINE__, diagnostic.message); \
      return false;                                                   \
    }                                                                 \
  } while (0)

static float noise[8192];
static uint8_t codes[8192];
static mutation_kind wanted;

static void fill_noise(void) {
  uint32_t state = 7;
  for (size_t i = 0; i < sizeof noise / sizeof noise[0]; i++) {
    state = state * 1664525u + 1013904223u;
    noise[i] = ((float)(state >> 8) / 8388608.0f - 1.0f) * 0.4f;
    codes[i] = (uint8_t)(state >> 24);
  }
}

static fov_weights floats(size_t count) {
  return (fov_weights){
      .encoding = fov_weight_encoding_float32, .data = noise, .data_bytes = count * sizeof(float)};
}

// Weights in the encoding of the wanted kind.
static fov_weights encoded(size_t count) {
  static const float scale = 0.003f, shift = -0.4f;
  const fov_weights table = {.encoding = fov_weight_encoding_lookup_table,
                             .bits = 8,
                             .data = codes,
                             .data_bytes = count,
                             .table = noise,
                             .table_count = 256};
  const fov_weights linear = {.encoding = fov_weight_encoding_linear,
                              .bits = 8,
                              .data = codes,
                              .data_bytes = count,
                              .scale = &scale,
                              .scale_count = 1,
                              .bias = &shift,
                              .bias_count = 1};
  return wanted == mutation_float_table    ? table
         : wanted == mutation_float_linear ? linear
                                           : floats(count);
}

static fov_diagnostic diagnostic;

static bool convolve(fov_graph *graph, size_t inputs, size_t outputs, size_t groups, size_t kernel,
                     size_t stride, fov_value from, fov_value *out) {
  const size_t border = kernel / 2;
  const fov_convolution convolution = {.output_channels = outputs,
                                       .groups = groups,
                                       .kernel = {kernel, kernel},
                                       .stride = {stride, stride},
                                       .dilation = {1, 1},
                                       .before = {border, border},
                                       .after = {border, border}};
  fov_weights weights = encoded(outputs * inputs / groups * kernel * kernel);
  if (weights.table && outputs % 2 == 0) {
    // Tables of halves of the channels, and of columns of the kernel.
    weights.parts[0] = 2;
    weights.parts[3] = kernel;
    weights.table_count *= 2 * kernel;
  }
  const fov_weights bias = floats(outputs);
  STEP(fov_graph_add_convolution(graph, &convolution, &weights, &bias, from, out, &diagnostic));
  return true;
}

static bool activate(fov_graph *graph, fov_unary_function function, float alpha, fov_value from,
                     fov_value *out) {
  const fov_unary unary = {.function = function, .alpha = alpha, .beta = 0.5f};
  STEP(fov_graph_add_unary(graph, &unary, from, out, &diagnostic));
  return true;
}

// Codes that nothing but convolutions read and write, moved: they have a zero point for each
// channel.
static bool add_moved(fov_graph *graph, const fov_pooling *mean, const fov_resize *twice,
                      fov_value from) {
  fov_value x;
  STEP(fov_graph_add_pooling(graph, mean, from, &x, &diagnostic));
  const fov_value parts[2] = {x, from};
  STEP(fov_graph_add_concat(graph, 1, parts, 2, &x, &diagnostic));
  STEP(fov_graph_add_resize(graph, twice, x, &x, &diagnostic));
  if (!convolve(graph, 40, 4, 1, 3, 2, x, &x)) return false;
  STEP(fov_graph_mark_output(graph, x, "moved codes", &diagnostic));
  return true;
}

// Channels last: convolutions with everything that is fused to them, and what stands between them.
static bool add_images(fov_graph *graph, fov_value image, fov_value *out) {
  const fov_pixels pixels = {.scale = 1.0f / 255.0f};
  const fov_pooling halves = {
      .function = fov_pooling_maximum, .kernel = {2, 2}, .stride = {2, 2}, .output = {8, 8}};
  const fov_pooling mean = {.function = fov_pooling_average,
                            .kernel = {3, 3},
                            .stride = {1, 1},
                            .before = {1, 1},
                            .output = {8, 8},
                            .exclude_padding = true};
  const fov_resize twice = {.filter = fov_resize_nearest, .output = {16, 16}, .step = {0.5, 0.5}};
  fov_value x, a, b, c, d;
  STEP(fov_graph_add_pixels(graph, &pixels, image, &x, &diagnostic));
  if (!convolve(graph, 3, 20, 1, 3, 1, x, &a)) return false;
  if (!activate(graph, fov_unary_leaky_relu, 0.1f, a, &a)) return false;
  STEP(fov_graph_add_pooling(graph, &halves, a, &b, &diagnostic));
  if (!add_moved(graph, &mean, &twice, b)) return false;
  if (!convolve(graph, 20, 20, 20, 3, 1, b, &c)) return false;
  if (!activate(graph, fov_unary_relu, 0.0f, c, &c)) return false;
  if (!convolve(graph, 20, 20, 2, 1, 1, c, &d)) return false;
  STEP(fov_graph_add_binary(graph, fov_binary_add, b, d, &d, &diagnostic));
  if (!convolve(graph, 20, 8, 1, 1, 1, d, &c)) return false;
  if (!activate(graph, fov_unary_sigmoid, 0.0f, c, &c)) return false;
  STEP(fov_graph_add_pooling(graph, &mean, c, &x, &diagnostic));
  if (!activate(graph, fov_unary_tanh, 0.0f, x, &x)) return false;
  STEP(fov_graph_add_binary(graph, fov_binary_add, c, x, &x, &diagnostic));
  const fov_value parts[4] = {x, c, d, x};
  STEP(fov_graph_add_concat(graph, 1, parts, 4, &x, &diagnostic));
  STEP(fov_graph_add_resize(graph, &twice, x, &x, &diagnostic));
  if (!convolve(graph, 44, 12, 1, 3, 2, x, &x)) return false;
  STEP(fov_graph_mark_output(graph, x, "features", &diagnostic));
  return convolve(graph, 12, 6, 1, 1, 1, x, out);
}

// Planes: every operation that stays as it is.
static bool add_planes(fov_graph *graph, fov_value x) {
  const fov_shape flat = {.rank = 3, .dims = {1, 6, 64}};
  const fov_shape planes = {.rank = 4, .dims = {1, 6, 8, 8}};
  const fov_shape wide = {.rank = 5, .dims = {2, 1, 6, 1, 1}};
  const fov_slice slice = {.begin = {0, 5, 0, 7}, .count = {1, 3, 8, 4}, .stride = {1, -2, 1, -2}};
  const fov_padding padding = {
      .mode = fov_padding_reflect, .before = {0, 0, 1, 2}, .after = {0, 0, 1, 0}};
  const fov_resize bilinear = {
      .filter = fov_resize_bilinear, .output = {5, 7}, .step = {1.5, 0.8}, .offset = {0.2, 0}};
  const fov_reduce reduce = {
      .function = fov_reduce_mean, .axes = 1u << 2 | 1u << 3, .keep_dimensions = true};
  const fov_local_response_normalization energy = {
      .size = 3, .alpha = 1.0f, .beta = 0.75f, .k = 1.0f};
  const fov_convolution transposed = {
      .output_channels = 4, .groups = 2, .kernel = {2, 2}, .stride = {2, 2}, .dilation = {1, 1}};
  const size_t axes[4] = {0, 2, 3, 1};
  const float scale = 0.01f, shift = -1.0f;
  const fov_weights linear = {.encoding = fov_weight_encoding_linear,
                              .bits = 8,
                              .data = codes,
                              .data_bytes = 48,
                              .scale = &scale,
                              .scale_count = 1,
                              .bias = &shift,
                              .bias_count = 1};
  const fov_weights values = floats(384);
  fov_value y, constant;
  STEP(fov_graph_add_reshape(graph, &flat, x, &y, &diagnostic));
  STEP(fov_graph_add_softmax(graph, 2, y, &y, &diagnostic));
  STEP(fov_graph_add_reshape(graph, &planes, y, &y, &diagnostic));
  STEP(fov_graph_add_constant(graph, &planes, &values, &constant, &diagnostic));
  STEP(fov_graph_add_binary(graph, fov_binary_maximum, y, constant, &y, &diagnostic));
  STEP(fov_graph_add_channel_affine(graph, 6, noise, noise + 9, y, &y, &diagnostic));
  STEP(fov_graph_add_local_response_normalization(graph, &energy, y, &y, &diagnostic));
  STEP(fov_graph_add_transposed_convolution(graph, &transposed, &linear, NULL, y, &x, &diagnostic));
  STEP(fov_graph_mark_output(graph, x, "enlarged", &diagnostic));
  STEP(fov_graph_add_slice(graph, &slice, y, &x, &diagnostic));
  STEP(fov_graph_add_padding(graph, &padding, x, &x, &diagnostic));
  STEP(fov_graph_add_resize(graph, &bilinear, x, &x, &diagnostic));
  STEP(fov_graph_add_transpose(graph, axes, x, &x, &diagnostic));
  STEP(fov_graph_mark_output(graph, x, "moved", &diagnostic));
  STEP(fov_graph_add_reduce(graph, &reduce, y, &y, &diagnostic));
  STEP(fov_graph_add_broadcast(graph, &wide, y, &y, &diagnostic));
  STEP(fov_graph_mark_output(graph, y, "means", &diagnostic));
  return true;
}

#define CLASSES 3
#define BOXES (2 * 8 * 8)

// The two operations that folding finds in detectors, on one head of two anchors.
static bool add_decoding(fov_graph *graph, fov_value features) {
  fov_detection_layout layout = {.classes = CLASSES,
                                 .output = {.rank = 2, .dims = {BOXES, CLASSES}}};
  fov_value head, out;
  if (!convolve(graph, 6, 2 * (5 + CLASSES), 1, 1, 1, features, &head)) return false;
  STEP(fov_graph_add_node(graph, &fov_operation_detection_confidence,
                          fov_allocate_copy(&layout, sizeof layout), &head, 1, &out, &diagnostic));
  STEP(fov_graph_mark_output(graph, out, "confidence", &diagnostic));
  fov_detection_coordinates *coordinates = fov_allocate(sizeof *coordinates);
  layout.output.dims[1] = 4;
  if (!coordinates) return false;
  STEP(fov_detection_coordinates_create(&layout, 1, BOXES, coordinates));
  for (size_t i = 0; i < 2; i++) coordinates->center_scales[i] = 0.125f;
  for (size_t i = 0; i < 4 * BOXES; i++) coordinates->terms[i] = noise[i];
  STEP(fov_graph_add_node(graph, &fov_operation_detection_coordinates, coordinates, &head, 1, &out,
                          &diagnostic));
  STEP(fov_graph_mark_output(graph, out, "coordinates", &diagnostic));
  return true;
}

static bool build(fov_graph *graph) {
  const fov_shape shape = {.rank = 3, .dims = {16, 16, 3}};
  fov_value image, features;
  STEP(fov_graph_add_input(graph, "image", fov_data_type_uint8, &shape, &image, &diagnostic));
  return add_images(graph, image, &features) && add_planes(graph, features) &&
         add_decoding(graph, features);
}

static fov_model *make(fov_model_options options) {
  fov_graph *graph = NULL;
  fov_model *model = NULL;
  if (fov_graph_create(&graph) != fov_status_ok) return NULL;
  if (!build(graph)) {
    fov_graph_destroy(graph);
    return NULL;
  }
  options.thread_count = 2;
  if (fov_model_create(graph, &options, &model, &diagnostic) != fov_status_ok) {
    fprintf(stderr, "%s\n", diagnostic.message);
  }
  return model;
}

// Ranges of one run on a gradient; the caller frees them.
static fov_channel_summary *measure(size_t *out_count) {
  fov_model_options options = fov_model_options_default();
  options.backend = fov_backend_float32;
  options.records_ranges = true;
  fov_model *model = make(options);
  fov_session *session = NULL;
  void *image = NULL;
  size_t bytes = 0;
  if (!model || fov_session_create(model, NULL, &session) != fov_status_ok ||
      fov_session_input(session, 0, &image, &bytes) != fov_status_ok) {
    return NULL;
  }
  for (size_t i = 0; i < bytes; i++) ((uint8_t *)image)[i] = (uint8_t)(i * 37);
  fov_session_run(session);
  *out_count = fov_model_range_count(model);
  fov_channel_summary *ranges = calloc(*out_count, sizeof *ranges);
  fov_session_ranges(session, ranges, *out_count);
  fov_session_destroy(session);
  fov_model_destroy(model);
  return ranges;
}

fov_model *mutation_model(mutation_kind kind) {
  const bool is_integer = kind == mutation_int8 || kind == mutation_int8_calibrated;
  fill_noise();
  wanted = kind;
  fov_model_options options = fov_model_options_default();
  options.backend = is_integer ? fov_backend_int8 : fov_backend_float32;
  options.keeps_codes = true;
  if (kind != mutation_int8_calibrated) return make(options);
  fov_channel_summary *ranges = measure(&options.range_count);
  options.ranges = ranges;
  fov_model *model = ranges ? make(options) : NULL;
  free(ranges);
  return model;
}
