// Fovea - YOLOv3-tiny through the C interface, with fewer channels and generated weights.
// SPDX-License-Identifier: Apache-2.0
#include "tiny_detector_graph.h"

#include <math.h>
#include <stdio.h>

#define CLASSES 80
#define ANCHORS 3
#define BOX_CHANNELS (5 + CLASSES)
#define LARGEST_CELLS (26 * 26)

typedef struct layers {
  watched_graph *watched;
  size_t divisor;
  size_t convolutions;  // added so far
} layers;

typedef struct image {
  fov_value value;
  size_t channels, side;
} image;

static fov_graph *graph_of(const layers *layers) { return layers->watched->graph; }

static fov_diagnostic *diagnostic_of(const layers *layers) { return &layers->watched->diagnostic; }

fov_status watched_graph_label(watched_graph *watched, const char *label) {
  fov_status status;
  do {
    status = fov_graph_set_label(watched->graph, label);
    snprintf(watched->diagnostic.message, sizeof watched->diagnostic.message, "%s",
             status == fov_status_ok ? "" : "no memory for a label");
  } while (status != fov_status_ok && watched_graph_repeats(watched, status));
  return status;
}

static fov_status name(const layers *layers, const char *kind, size_t number) {
  char label[32];
  snprintf(label, sizeof label, "%s%zu", kind, number);
  return watched_graph_label(layers->watched, label);
}

// MARK: weights

static uint32_t next_random(uint32_t *state) { return *state = *state * 1664525u + 1013904223u; }

// Of the widest layer, 512 to 1024 channels at 3x3; layers begin at different places.
#define MOST_CODES (512 * 1024 * 9 + 13 * 1021)

static const uint8_t *codes_of(size_t layer) {
  static uint8_t codes[MOST_CODES];
  static bool are_made = false;
  uint32_t state = 7;
  for (size_t i = 0; !are_made && i < MOST_CODES; i++) {
    codes[i] = (uint8_t)(next_random(&state) >> 24);
  }
  are_made = true;
  return codes + layer * 1021;
}

// 256 numbers that lie closer together around 0, as those of trained weights do; their deviation is
// `deviation` where all codes are equally frequent.
static void fill_table(float deviation, float *out_table) {
  for (size_t i = 0; i < 256; i++) {
    const float t = ((float)i - 127.5f) / 128.0f;
    out_table[i] = 1.0683f * deviation * t * (1.0f + t * t);
  }
}

static fov_weights coded(const uint8_t *codes, size_t count, const float *table) {
  return (fov_weights){.encoding = fov_weight_encoding_lookup_table,
                       .bits = 8,
                       .data = codes,
                       .data_bytes = count,
                       .table = table,
                       .table_count = 256};
}

// MARK: images

static fov_status convolve(layers *layers, size_t channels, size_t kernel, image *at) {
  const size_t border = kernel / 2, taps = at->channels * kernel * kernel;
  const fov_convolution convolution = {.output_channels = channels,
                                       .groups = 1,
                                       .kernel = {kernel, kernel},
                                       .stride = {1, 1},
                                       .dilation = {1, 1},
                                       .before = {border, border},
                                       .after = {border, border}};
  const uint8_t *codes = codes_of(layers->convolutions++);
  float weight_table[256], bias_table[256];
  fill_table(sqrtf(2.0f / (float)taps), weight_table);
  fill_table(0.1f, bias_table);
  const fov_weights weights = coded(codes, channels * taps, weight_table);
  const fov_weights bias = coded(codes, channels, bias_table);
  WATCHED_FORWARD(name(layers, "conv", layers->convolutions));
  WATCHED(layers->watched,
          fov_graph_add_convolution(graph_of(layers), &convolution, &weights, &bias, at->value,
                                    &at->value, diagnostic_of(layers)));
  at->channels = channels;
  return fov_status_ok;
}

// A convolution of so many channels in the whole network, and its activation.
static fov_status convolve_leaky(layers *layers, size_t channels, size_t kernel, image *at) {
  const fov_unary leaky = {.function = fov_unary_leaky_relu, .alpha = 0.1f};
  WATCHED_FORWARD(convolve(layers, channels / layers->divisor, kernel, at));
  WATCHED_FORWARD(name(layers, "leaky", layers->convolutions));
  WATCHED(layers->watched, fov_graph_add_unary(graph_of(layers), &leaky, at->value, &at->value,
                                               diagnostic_of(layers)));
  return fov_status_ok;
}

// At a stride of 1 the last windows hang over the border.
static fov_status pool(layers *layers, size_t stride, image *at) {
  const size_t side = at->side / stride;
  const fov_pooling pooling = {.function = fov_pooling_maximum,
                               .kernel = {2, 2},
                               .stride = {stride, stride},
                               .output = {side, side}};
  WATCHED_FORWARD(name(layers, "pool", layers->convolutions));
  WATCHED(layers->watched, fov_graph_add_pooling(graph_of(layers), &pooling, at->value, &at->value,
                                                 diagnostic_of(layers)));
  at->side = side;
  return fov_status_ok;
}

static fov_status join(layers *layers, image with, image *at) {
  const fov_value parts[2] = {at->value, with.value};
  WATCHED_FORWARD(name(layers, "route", layers->convolutions));
  WATCHED(layers->watched,
          fov_graph_add_concat(graph_of(layers), 1, parts, 2, &at->value, diagnostic_of(layers)));
  at->channels += with.channels;
  return fov_status_ok;
}

static fov_status enlarge(layers *layers, image *at) {
  const size_t side = 2 * at->side;
  const fov_resize twice = {
      .filter = fov_resize_nearest, .output = {side, side}, .step = {0.5, 0.5}};
  WATCHED_FORWARD(name(layers, "upsample", layers->convolutions));
  WATCHED(layers->watched, fov_graph_add_resize(graph_of(layers), &twice, at->value, &at->value,
                                                diagnostic_of(layers)));
  at->side = side;
  return fov_status_ok;
}

static fov_status add_input(layers *layers, image *out_image) {
  const fov_shape shape = {.rank = 3, .dims = {TINY_DETECTOR_SIDE, TINY_DETECTOR_SIDE, 3}};
  const fov_pixels pixels = {.scale = 1.0f / 255.0f};
  fov_value image;
  WATCHED(layers->watched, fov_graph_add_input(graph_of(layers), "image", fov_data_type_uint8,
                                               &shape, &image, diagnostic_of(layers)));
  WATCHED(layers->watched, fov_graph_add_pixels(graph_of(layers), &pixels, image, &out_image->value,
                                                diagnostic_of(layers)));
  out_image->channels = 3;
  out_image->side = TINY_DETECTOR_SIDE;
  return fov_status_ok;
}

static fov_status add_images(layers *layers, image out_heads[2]) {
  image at, route = {0};
  WATCHED_FORWARD(add_input(layers, &at));
  for (size_t channels = 16; channels <= 256; channels *= 2) {
    WATCHED_FORWARD(convolve_leaky(layers, channels, 3, &at));
    route = at;
    WATCHED_FORWARD(pool(layers, 2, &at));
  }
  WATCHED_FORWARD(convolve_leaky(layers, 512, 3, &at));
  WATCHED_FORWARD(pool(layers, 1, &at));
  WATCHED_FORWARD(convolve_leaky(layers, 1024, 3, &at));
  WATCHED_FORWARD(convolve_leaky(layers, 256, 1, &at));
  out_heads[0] = at;
  WATCHED_FORWARD(convolve_leaky(layers, 512, 3, &out_heads[0]));
  WATCHED_FORWARD(convolve(layers, ANCHORS * BOX_CHANNELS, 1, &out_heads[0]));
  WATCHED_FORWARD(convolve_leaky(layers, 128, 1, &at));
  WATCHED_FORWARD(enlarge(layers, &at));
  WATCHED_FORWARD(join(layers, route, &at));
  WATCHED_FORWARD(convolve_leaky(layers, 256, 3, &at));
  WATCHED_FORWARD(convolve(layers, ANCHORS * BOX_CHANNELS, 1, &at));
  out_heads[1] = at;
  return fov_status_ok;
}

// MARK: decoding

static const float anchor_sizes[2][ANCHORS][2] = {{{81, 82}, {135, 169}, {344, 319}},
                                                  {{10, 14}, {23, 27}, {37, 58}}};

// One head: [5 + CLASSES, ANCHORS, cells] once it is split.
typedef struct decoding {
  layers *layers;
  size_t head, side, cells;
  fov_value channels;
} decoding;

static fov_status move(const decoding *decoding, const size_t axes[3], const fov_shape *shape,
                       fov_value *io_value) {
  layers *layers = decoding->layers;
  WATCHED(layers->watched, fov_graph_add_transpose(graph_of(layers), axes, *io_value, io_value,
                                                   diagnostic_of(layers)));
  WATCHED(layers->watched, fov_graph_add_reshape(graph_of(layers), shape, *io_value, io_value,
                                                 diagnostic_of(layers)));
  return fov_status_ok;
}

static fov_status split(decoding *decoding, fov_value head) {
  layers *layers = decoding->layers;
  const fov_shape shape = {.rank = 3, .dims = {ANCHORS, BOX_CHANNELS, decoding->cells}};
  const size_t axes[3] = {1, 0, 2};
  fov_value parts;
  WATCHED(layers->watched,
          fov_graph_add_reshape(graph_of(layers), &shape, head, &parts, diagnostic_of(layers)));
  WATCHED(layers->watched, fov_graph_add_transpose(graph_of(layers), axes, parts,
                                                   &decoding->channels, diagnostic_of(layers)));
  return fov_status_ok;
}

// A function of `count` channels from `begin` on.
static fov_status take(const decoding *decoding, size_t begin, size_t count,
                       fov_unary_function function, fov_value *out_value) {
  layers *layers = decoding->layers;
  const fov_slice slice = {
      .begin = {begin, 0, 0}, .count = {count, ANCHORS, decoding->cells}, .stride = {1, 1, 1}};
  const fov_unary unary = {.function = function};
  fov_value part;
  WATCHED(layers->watched, fov_graph_add_slice(graph_of(layers), &slice, decoding->channels, &part,
                                               diagnostic_of(layers)));
  WATCHED(layers->watched,
          fov_graph_add_unary(graph_of(layers), &unary, part, out_value, diagnostic_of(layers)));
  return fov_status_ok;
}

// `io_value` and a constant of its shape, [2, ANCHORS, cells].
static fov_status combine(const decoding *decoding, fov_binary_function function,
                          const uint8_t *codes, const float *table, fov_value *io_value) {
  layers *layers = decoding->layers;
  const fov_shape shape = {.rank = 3, .dims = {2, ANCHORS, decoding->cells}};
  const fov_weights weights = coded(codes, 2 * ANCHORS * decoding->cells, table);
  fov_value constant;
  WATCHED(layers->watched, fov_graph_add_constant(graph_of(layers), &shape, &weights, &constant,
                                                  diagnostic_of(layers)));
  WATCHED(layers->watched, fov_graph_add_binary(graph_of(layers), function, *io_value, constant,
                                                io_value, diagnostic_of(layers)));
  return fov_status_ok;
}

static fov_status add_centers(const decoding *decoding, fov_value *out_value) {
  layers *layers = decoding->layers;
  const fov_unary scale = {.function = fov_unary_linear, .alpha = 1.0f / (float)decoding->side};
  uint8_t codes[2 * ANCHORS * LARGEST_CELLS];
  float table[256];
  for (size_t i = 0; i < 256; i++) table[i] = (float)i;
  for (size_t i = 0; i < 2 * ANCHORS * decoding->cells; i++) {
    const size_t cell = i % decoding->cells, is_row = i / (ANCHORS * decoding->cells);
    codes[i] = (uint8_t)(is_row ? cell / decoding->side : cell % decoding->side);
  }
  WATCHED_FORWARD(take(decoding, 0, 2, fov_unary_sigmoid, out_value));
  WATCHED_FORWARD(combine(decoding, fov_binary_add, codes, table, out_value));
  WATCHED(layers->watched, fov_graph_add_unary(graph_of(layers), &scale, *out_value, out_value,
                                               diagnostic_of(layers)));
  return fov_status_ok;
}

static fov_status add_sizes(const decoding *decoding, fov_value *out_value) {
  uint8_t codes[2 * ANCHORS * LARGEST_CELLS];
  float table[256] = {0};
  for (size_t i = 0; i < 2 * ANCHORS; i++) {
    table[i] = anchor_sizes[decoding->head][i % ANCHORS][i / ANCHORS] / TINY_DETECTOR_SIDE;
  }
  for (size_t i = 0; i < 2 * ANCHORS * decoding->cells; i++) {
    codes[i] = (uint8_t)(i / decoding->cells);
  }
  WATCHED_FORWARD(take(decoding, 2, 2, fov_unary_exp, out_value));
  return combine(decoding, fov_binary_multiply, codes, table, out_value);
}

static fov_status add_boxes(const decoding *decoding, fov_value *out_value) {
  layers *layers = decoding->layers;
  const fov_shape rows = {.rank = 3, .dims = {ANCHORS * decoding->cells, 1, 4}};
  const size_t axes[3] = {1, 2, 0};
  fov_value parts[2];
  WATCHED_FORWARD(add_centers(decoding, &parts[0]));
  WATCHED_FORWARD(add_sizes(decoding, &parts[1]));
  WATCHED(layers->watched,
          fov_graph_add_concat(graph_of(layers), 0, parts, 2, out_value, diagnostic_of(layers)));
  return move(decoding, axes, &rows, out_value);
}

// The objectness is repeated by a concatenation of copies.
static fov_status add_scores(const decoding *decoding, fov_value *out_value) {
  layers *layers = decoding->layers;
  const fov_shape rows = {.rank = 3, .dims = {ANCHORS * decoding->cells, 1, CLASSES}};
  const size_t axes[3] = {1, 2, 0};
  fov_value object, classes, copies[CLASSES];
  WATCHED_FORWARD(take(decoding, 4, 1, fov_unary_sigmoid, &object));
  WATCHED_FORWARD(take(decoding, 5, CLASSES, fov_unary_sigmoid, &classes));
  for (size_t i = 0; i < CLASSES; i++) copies[i] = object;
  WATCHED(layers->watched, fov_graph_add_concat(graph_of(layers), 0, copies, CLASSES, &object,
                                                diagnostic_of(layers)));
  WATCHED(layers->watched, fov_graph_add_binary(graph_of(layers), fov_binary_multiply, classes,
                                                object, out_value, diagnostic_of(layers)));
  return move(decoding, axes, &rows, out_value);
}

static fov_status add_output(layers *layers, const char *name, const fov_value parts[2],
                             const fov_shape *shape) {
  fov_value value;
  WATCHED(layers->watched,
          fov_graph_add_concat(graph_of(layers), 0, parts, 2, &value, diagnostic_of(layers)));
  WATCHED(layers->watched,
          fov_graph_add_reshape(graph_of(layers), shape, value, &value, diagnostic_of(layers)));
  WATCHED(layers->watched,
          fov_graph_mark_output(graph_of(layers), value, name, diagnostic_of(layers)));
  return fov_status_ok;
}

fov_status tiny_detector_build(watched_graph *watched, size_t divisor) {
  layers layers = {.watched = watched, .divisor = divisor};
  image heads[2];
  fov_value boxes[2], scores[2];
  size_t count = 0;
  WATCHED_FORWARD(add_images(&layers, heads));
  for (size_t i = 0; i < 2; i++) {
    const size_t side = heads[i].side;
    decoding decoding = {.layers = &layers, .head = i, .side = side, .cells = side * side};
    count += ANCHORS * decoding.cells;
    WATCHED_FORWARD(name(&layers, "head", i));
    WATCHED_FORWARD(split(&decoding, heads[i].value));
    WATCHED_FORWARD(add_boxes(&decoding, &boxes[i]));
    WATCHED_FORWARD(add_scores(&decoding, &scores[i]));
  }
  const fov_shape scores_shape = {.rank = 2, .dims = {count, CLASSES}};
  const fov_shape boxes_shape = {.rank = 2, .dims = {count, 4}};
  WATCHED_FORWARD(add_output(&layers, "confidence", scores, &scores_shape));
  return add_output(&layers, "coordinates", boxes, &boxes_shape);
}

// MARK: input

void tiny_detector_image(uint32_t seed, uint8_t *out_bytes) {
  uint32_t state = seed * 2654435761u + 1u;
  for (size_t i = 0; i < TINY_DETECTOR_IMAGE_BYTES; i++) {
    const size_t row = i / (3 * TINY_DETECTOR_SIDE), column = i / 3 % TINY_DETECTOR_SIDE;
    const size_t slope = (seed % 5 * row + (3 + seed % 7) * column) / 16 + 40 * (i % 3);
    out_bytes[i] = (uint8_t)(slope + (next_random(&state) >> 27));
  }
}
