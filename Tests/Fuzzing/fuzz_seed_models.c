// Fovea - small models whose compiled files fuzzing begins with.
// SPDX-License-Identifier: Apache-2.0
#include "fuzz_seed_models.h"

#include <stdlib.h>

#include "base/fov_alloc.h"
#include "fuzz_input.h"
#include "graph/fov_graph_types.h"
#include "ops/fov_op_detection.h"
#include "ops/fov_operation_table.h"

static fov_diagnostic diagnostic;

static void step(fov_status status, int line) {
  if (status != fov_status_ok) fuzz_fail("seed, line %d: %s", line, diagnostic.message);
}
#define STEP(call) step(call, __LINE__)

// MARK: Weights

static float numbers[2048];
static uint8_t codes[2048];

static void fill_arrays(void) {
  fuzz_noise noise = {7};
  for (size_t i = 0; i < sizeof codes; i++) {
    numbers[i] = 0.4f * fuzz_noise_float(&noise);
    codes[i] = (uint8_t)(fuzz_noise_bits(&noise) >> 24);
    // Halves of magnitudes below 2 where codes are read as such.
    if (i % 2 == 1) codes[i] &= 0xBF;
  }
}

static fov_weights floats(size_t count) {
  return (fov_weights){.data = numbers, .data_bytes = count * sizeof(float)};
}

static fov_weights encoded(const fuzz_seed *seed, size_t count, size_t channels) {
  static float scales[64], shifts[64];
  for (size_t c = 0; c < 64; c++) {
    scales[c] = 0.004f + 0.0001f * (float)c;
    shifts[c] = -scales[c] * (float)(1u << seed->bits) / 2;
  }
  fov_weights weights = {.encoding = seed->encoding, .bits = seed->bits, .data = codes};
  weights.data_bytes = (count * seed->bits + 7) / 8;
  switch (seed->encoding) {
    case fov_weight_encoding_float32: return floats(count);
    case fov_weight_encoding_float16: weights.data_bytes = 2 * count; break;
    case fov_weight_encoding_lookup_table:
      weights.table = numbers;
      weights.table_count = (size_t)1 << seed->bits;
      break;
    case fov_weight_encoding_linear:
      weights.scale = scales;
      weights.bias = shifts;
      weights.scale_count = weights.bias_count = seed->per_channel ? channels : 1;
  }
  return weights;
}

// Two parts of the output channels, and one of every column of the kernel.
static void cut(size_t outputs, size_t kernel, fov_weights *weights) {
  weights->parts[0] = outputs % 2 == 0 ? 2 : 1;
  weights->parts[3] = kernel;
  const size_t count = weights->parts[0] * kernel;
  if (weights->table) weights->table_count = count << weights->bits;
  if (weights->scale) weights->scale_count = weights->bias_count = count;
}

// MARK: Graphs

static fov_value convolve(const fuzz_seed *seed, fov_graph *graph, size_t outputs, size_t groups,
                          size_t kernel, fov_value from) {
  fov_shape shape;
  fov_value out;
  STEP(fov_graph_value_shape(graph, from, &shape));
  const size_t border = kernel / 2, inputs = shape.dims[shape.rank - 3];
  const fov_convolution convolution = {.output_channels = outputs,
                                       .groups = groups,
                                       .kernel = {kernel, kernel},
                                       .stride = {1, 1},
                                       .dilation = {1, 1},
                                       .before = {border, border},
                                       .after = {border, border}};
  fov_weights weights = encoded(seed, outputs * inputs / groups * kernel * kernel, outputs);
  if (seed->has_parts) cut(outputs, kernel, &weights);
  const fov_weights bias = floats(outputs);
  STEP(fov_graph_set_label(graph, kernel == 1 ? "pointwise" : "square"));
  STEP(fov_graph_add_convolution(graph, &convolution, &weights, &bias, from, &out, &diagnostic));
  return out;
}

static fov_value apply(fov_graph *graph, fov_unary_function function, float alpha, fov_value from) {
  const fov_unary unary = {.function = function, .alpha = alpha, .beta = 0.5f};
  STEP(fov_graph_add_unary(graph, &unary, from, &from, &diagnostic));
  return from;
}

static void mark(fov_graph *graph, fov_value value, const char *name) {
  STEP(fov_graph_mark_output(graph, value, name, &diagnostic));
}

static void add_one_convolution(const fuzz_seed *seed, fov_graph *graph) {
  const fov_shape shape = {.rank = 4, .dims = {1, 2, 5, 5}};
  fov_value x;
  STEP(fov_graph_add_input(graph, "x", fov_data_type_float32, &shape, &x, &diagnostic));
  x = convolve(seed, graph, 3, 1, 3, x);
  mark(graph, apply(graph, fov_unary_leaky_relu, 0.1f, x), "y");
}

static void add_images(const fuzz_seed *seed, fov_graph *graph) {
  const fov_shape shape = {.rank = 3, .dims = {8, 8, 3}};
  const fov_pixels pixels = {.scale = 1.0f / 255.0f, .reverse_channels = true};
  const fov_pooling halves = {.kernel = {2, 2}, .stride = {2, 2}, .output = {4, 4}};
  const fov_pooling means = {.function = fov_pooling_average,
                             .kernel = {3, 3},
                             .stride = {1, 1},
                             .before = {1, 1},
                             .output = {4, 4},
                             .exclude_padding = true};
  const fov_resize twice = {.output = {8, 8}, .step = {0.5, 0.5}};
  fov_value image, a, b, c;
  STEP(fov_graph_add_input(graph, "image", fov_data_type_uint8, &shape, &image, &diagnostic));
  STEP(fov_graph_add_pixels(graph, &pixels, image, &a, &diagnostic));
  a = apply(graph, fov_unary_leaky_relu, 0.1f, convolve(seed, graph, 4, 1, 3, a));
  STEP(fov_graph_add_pooling(graph, &halves, a, &a, &diagnostic));
  b = apply(graph, fov_unary_relu, 0, convolve(seed, graph, 4, 4, 3, a));
  b = convolve(seed, graph, 4, 2, 1, b);
  STEP(fov_graph_add_binary(graph, fov_binary_add, a, b, &b, &diagnostic));
  b = apply(graph, fov_unary_sigmoid, 0, b);
  STEP(fov_graph_add_pooling(graph, &means, b, &c, &diagnostic));
  c = apply(graph, fov_unary_tanh, 0, c);
  STEP(fov_graph_add_binary(graph, fov_binary_add, b, c, &b, &diagnostic));
  const fov_value parts[3] = {a, b, c};
  STEP(fov_graph_add_concat(graph, 1, parts, 3, &a, &diagnostic));
  STEP(fov_graph_add_resize(graph, &twice, a, &a, &diagnostic));
  mark(graph, convolve(seed, graph, 3, 1, 1, a), "features");
}

static void add_planes(const fuzz_seed *seed, fov_graph *graph) {
  const fov_shape planes = {.rank = 4, .dims = {1, 4, 3, 3}};
  const fov_shape flat = {.rank = 3, .dims = {1, 4, 9}};
  const fov_shape wide = {.rank = 5, .dims = {2, 1, 4, 1, 1}};
  const fov_slice slice = {.begin = {0, 3, 0, 2}, .count = {1, 2, 3, 2}, .stride = {1, -2, 1, -1}};
  const fov_padding padding = {
      .mode = fov_padding_reflect, .before = {0, 0, 1, 1}, .after = {0, 0, 1, 0}};
  const fov_resize bilinear = {
      .filter = fov_resize_bilinear, .output = {4, 5}, .step = {0.6, 0.7}, .offset = {0.2, 0}};
  const fov_reduce reduce = {.function = fov_reduce_mean, .axes = 12, .keep_dimensions = true};
  const fov_local_response_normalization energy = {.size = 3, .alpha = 1, .beta = 0.75f, .k = 1};
  const fov_convolution transposed = {
      .output_channels = 2, .groups = 2, .kernel = {2, 2}, .stride = {2, 2}, .dilation = {1, 1}};
  const size_t axes[4] = {0, 2, 3, 1};
  const fov_weights values = floats(36);
  fov_weights weights = encoded(seed, 16, 1);
  if (seed->has_parts) cut(4, 2, &weights);
  fov_value x, y, constant;
  STEP(fov_graph_add_input(graph, "x", fov_data_type_float32, &planes, &x, &diagnostic));
  STEP(fov_graph_add_reshape(graph, &flat, x, &y, &diagnostic));
  STEP(fov_graph_add_softmax(graph, 2, y, &y, &diagnostic));
  STEP(fov_graph_add_reshape(graph, &planes, y, &y, &diagnostic));
  STEP(fov_graph_add_constant(graph, &planes, &values, &constant, &diagnostic));
  STEP(fov_graph_add_binary(graph, fov_binary_maximum, y, constant, &y, &diagnostic));
  STEP(fov_graph_add_channel_affine(graph, 4, numbers, numbers + 9, y, &y, &diagnostic));
  STEP(fov_graph_add_local_response_normalization(graph, &energy, y, &y, &diagnostic));
  STEP(
      fov_graph_add_transposed_convolution(graph, &transposed, &weights, NULL, y, &x, &diagnostic));
  mark(graph, x, "enlarged");
  STEP(fov_graph_add_slice(graph, &slice, y, &x, &diagnostic));
  STEP(fov_graph_add_padding(graph, &padding, x, &x, &diagnostic));
  STEP(fov_graph_add_resize(graph, &bilinear, x, &x, &diagnostic));
  STEP(fov_graph_add_transpose(graph, axes, x, &x, &diagnostic));
  mark(graph, x, "moved");
  STEP(fov_graph_add_reduce(graph, &reduce, y, &y, &diagnostic));
  STEP(fov_graph_add_broadcast(graph, &wide, y, &y, &diagnostic));
  mark(graph, y, "means");
}

// A few indices, some of them wild.
static fov_value indices(fov_graph *graph, const fov_shape *shape) {
  static const float some[8] = {0, -1, 2, 1e30f, -7, 1, 0.5f, 3};
  const fov_weights weights = {.data = some, .data_bytes = fov_shape_count(shape) * sizeof(float)};
  fov_value made;
  STEP(fov_graph_add_constant(graph, shape, &weights, &made, &diagnostic));
  return made;
}

static void add_program(const fuzz_seed *seed, fov_graph *graph) {
  const fov_shape image = {.rank = 4, .dims = {1, 4, 3, 3}}, flat = {.rank = 3, .dims = {1, 4, 9}};
  const fov_shape row = {.rank = 1, .dims = {3}}, pairs = {.rank = 2, .dims = {3, 2}};
  const fov_shape grid = {.rank = 4, .dims = {1, 6, 3, 2}}, boxes = {.rank = 2, .dims = {3, 4}};
  const fov_shape rows = {.rank = 3, .dims = {1, 9, 4}}, along = {.rank = 3, .dims = {1, 4, 1}};
  const fov_matrix_product product = {.transpose_left = true};
  const fov_layer_normalization normalization = {.axes = 4, .epsilon = 1e-5f};
  const fov_cumulative_sum sum = {.axis = 1, .exclusive = true, .reverse = true};
  const fov_top_k top = {.axis = 2, .count = 3, .ascending = true};
  const fov_gather take = {.axis = 2, .batch_dimensions = 0};
  const fov_gather one = {.kind = fov_gather_kind_along_axis, .axis = 2};
  const fov_gather nd = {.kind = fov_gather_kind_nd, .batch_dimensions = 0};
  const fov_resample resample = {.filter = fov_resample_bilinear,
                                 .value = 0.5f,
                                 .coordinates = fov_resample_normalized_zero_to_one,
                                 .padding = fov_resample_padding_reflection};
  const fov_crop_resize crop = {.output = {2, 3},
                                .spatial_scale = 3,
                                .pad_value = 1,
                                .box = fov_crop_box_center_width_first,
                                .grid = fov_crop_grid_unalign_corners};
  const fov_box_suppression suppression = {
      .iou_threshold = 0.5f, .score_threshold = 0.1f, .maximum_boxes = 4, .per_class = true};
  const fov_weights samples = floats(36), corners = floats(12);
  fov_value x, y, z, other;
  STEP(fov_graph_add_input(graph, "x", fov_data_type_float32, &image, &x, &diagnostic));
  x = convolve(seed, graph, 4, 1, 3, x);
  STEP(fov_graph_add_constant(graph, &grid, &samples, &other, &diagnostic));
  STEP(fov_graph_add_resample(graph, &resample, x, other, &y, &diagnostic));
  mark(graph, y, "resampled");
  STEP(fov_graph_add_constant(graph, &boxes, &corners, &other, &diagnostic));
  STEP(fov_graph_add_crop_resize(graph, &crop, x, other, indices(graph, &row), &y, &diagnostic));
  mark(graph, convolve(seed, graph, 2, 1, 1, y), "cropped");
  STEP(fov_graph_add_reshape(graph, &flat, x, &x, &diagnostic));
  STEP(fov_graph_add_layer_normalization(graph, &normalization, x, &x, &diagnostic));
  STEP(fov_graph_add_top_k_indices(graph, &top, x, &y, &diagnostic));
  mark(graph, y, "least");
  STEP(fov_graph_add_matrix_product(graph, &product, x, x, &y, &diagnostic));
  STEP(fov_graph_add_cumulative_sum(graph, &sum, y, &y, &diagnostic));
  STEP(fov_graph_add_gather(graph, &take, y, indices(graph, &row), &z, &diagnostic));
  mark(graph, z, "taken");
  STEP(fov_graph_add_gather(graph, &one, x, indices(graph, &along), &y, &diagnostic));
  STEP(fov_graph_add_binary(graph, fov_binary_less, x, y, &z, &diagnostic));
  z = apply(graph, fov_unary_logical_not, 0, z);
  STEP(fov_graph_add_select(graph, z, x, y, &x, &diagnostic));
  STEP(fov_graph_add_gather(graph, &nd, x, indices(graph, &pairs), &y, &diagnostic));
  mark(graph, y, "points");
  STEP(fov_graph_add_reshape(graph, &rows, x, &x, &diagnostic));
  STEP(fov_graph_add_suppression_indices(graph, &suppression, x, x, &x, &diagnostic));
  mark(graph, x, "kept");
}

#define CLASSES 2
#define BOXES (2 * 3 * 3)

// The two operations that folding finds in detectors.
static void add_detection(const fuzz_seed *seed, fov_graph *graph) {
  const fov_shape shape = {.rank = 4, .dims = {1, 2, 3, 3}};
  fov_detection_layout layout = {.classes = CLASSES,
                                 .output = {.rank = 2, .dims = {BOXES, CLASSES}}};
  fov_value x, out;
  STEP(fov_graph_add_input(graph, "x", fov_data_type_float32, &shape, &x, &diagnostic));
  const fov_value head = convolve(seed, graph, 2 * (5 + CLASSES), 1, 1, x);
  STEP(fov_graph_add_node(graph, &fov_operation_detection_confidence,
                          fov_allocate_copy(&layout, sizeof layout), &head, 1, &out, &diagnostic));
  mark(graph, out, "confidence");
  fov_detection_coordinates *coordinates = fov_allocate(sizeof *coordinates);
  layout.output.dims[1] = 4;
  STEP(fov_detection_coordinates_create(&layout, 1, BOXES, coordinates));
  for (size_t i = 0; i < 2; i++) coordinates->center_scales[i] = 0.125f;
  for (size_t i = 0; i < 4 * BOXES; i++) coordinates->terms[i] = numbers[i];
  STEP(fov_graph_add_node(graph, &fov_operation_detection_coordinates, coordinates, &head, 1, &out,
                          &diagnostic));
  mark(graph, out, "coordinates");
}

// MARK: Models

static fov_model *make(const fuzz_seed *seed, const fov_model_options *options) {
  fov_graph *graph = NULL;
  fov_model *model = NULL;
  STEP(fov_graph_create(&graph));
  switch (seed->graph) {
    case fuzz_seed_one_convolution: add_one_convolution(seed, graph); break;
    case fuzz_seed_images: add_images(seed, graph); break;
    case fuzz_seed_planes: add_planes(seed, graph); break;
    case fuzz_seed_program: add_program(seed, graph); break;
    case fuzz_seed_detection: add_detection(seed, graph); break;
  }
  STEP(fov_model_create(graph, options, &model, &diagnostic));
  return model;
}

// Ranges of one run; the caller frees them.
static fov_channel_summary *measure(const fuzz_seed *seed, size_t *out_count) {
  fov_model_options options = fov_model_options_default();
  options.backend = fov_backend_float32;
  options.records_ranges = true;
  fov_model *model = make(seed, &options);
  fov_session *session = NULL;
  void *data = NULL;
  size_t bytes = 0;
  STEP(fov_session_create(model, NULL, &session));
  STEP(fov_session_input(session, 0, &data, &bytes));
  for (size_t i = 0; i < bytes; i++) ((uint8_t *)data)[i] = (uint8_t)(i * 37 % 64);
  fov_session_run(session);
  *out_count = fov_model_range_count(model);
  fov_channel_summary *ranges = fuzz_allocate(*out_count * sizeof *ranges);
  fov_session_ranges(session, ranges, *out_count);
  fov_session_destroy(session);
  fov_model_destroy(model);
  return ranges;
}

fov_model *fuzz_seed_model(const fuzz_seed *seed) {
  fov_channel_summary *ranges = NULL;
  fov_model_options options = fov_model_options_default();
  fill_arrays();
  options.backend = seed->backend;
  options.keeps_codes = seed->keeps_codes;
  if (seed->ranges != fuzz_seed_without_ranges) {
    options.ranges = ranges = measure(seed, &options.range_count);
  }
  options.dynamic_ranges = seed->ranges == fuzz_seed_with_frames;
  options.float_sums = seed->ranges == fuzz_seed_with_float_sums;
  const char *const layers[] = {"square"};
  options.float_layers = options.int16_layers = layers;
  options.float_layer_count = seed->ranges == fuzz_seed_with_float_layer;
  options.int16_layer_count = seed->ranges == fuzz_seed_with_int16_layer;
  fov_model *model = make(seed, &options);
  free(ranges);
  return model;
}
