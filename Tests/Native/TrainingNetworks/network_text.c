// Fovea - networks as make_networks.py writes them.
// SPDX-License-Identifier: Apache-2.0
#include "network_text.h"

#include <stdlib.h>
#include <string.h>

float network_number(uint64_t *state) {
  *state = *state * 6364136223846793005u + 1442695040888963407u;
  return (float)(int64_t)(*state >> 33) / (float)(1u << 30) - 1;
}

static bool number(network_text *text, size_t *out_number) {
  return fscanf(text->file, "%zu", out_number) == 1;
}

// A value that is there.
static bool source(network_text *text, fov_tape_value *out_value) {
  size_t place;
  if (!number(text, &place) || place >= text->value_count) return false;
  *out_value = text->values[place];
  return true;
}

static bool keep(network_text *text, fov_status status, fov_tape_value value) {
  if (status != fov_status_ok || text->value_count == MOST_VALUES) return false;
  text->values[text->value_count++] = value;
  return true;
}

static fov_tape_size size_of(const network_text *text, fov_tape_value value) {
  return fov_tape_size_of(text->tape, value);
}

// NULL where none follows.
static const fov_unary *activation_named(const char *name, fov_unary *function) {
  if (strcmp(name, "none") == 0) return NULL;
  *function = strcmp(name, "leaky") == 0   ? (fov_unary){fov_unary_leaky_relu, 0.1f, 0}
              : strcmp(name, "relu6") == 0 ? (fov_unary){fov_unary_clip, 0, 6}
                                           : (fov_unary){fov_unary_silu, 0, 0};
  return function;
}

static float *numbers_of(network_text *text, size_t count, float scale) {
  float *numbers = malloc(count * sizeof *numbers);
  for (size_t i = 0; numbers && i < count; i++) numbers[i] = network_number(&text->numbers) * scale;
  return numbers;
}

static bool add_convolution(network_text *text) {
  fov_tape_value in, out = {0};
  size_t n[6];  // outputs, kernel, stride, before, after, groups
  float scale;
  char name[16];
  if (!source(text, &in)) return false;
  for (size_t i = 0; i < 6; i++) {
    if (!number(text, &n[i])) return false;
  }
  if (fscanf(text->file, "%f %15s", &scale, name) != 2) return false;
  const fov_convolution convolution = {.output_channels = n[0],
                                       .groups = n[5],
                                       .kernel = {n[1], n[1]},
                                       .stride = {n[2], n[2]},
                                       .dilation = {1, 1},
                                       .before = {n[3], n[3]},
                                       .after = {n[4], n[4]}};
  const size_t taps = n[0] * (size_of(text, in).channels / n[5]) * n[1] * n[1];
  float *weights = numbers_of(text, taps, scale), *bias = numbers_of(text, n[0], 0.1f);
  fov_unary function;
  const fov_status status =
      weights && bias ? fov_tape_add_convolution(text->tape, &convolution, weights, bias,
                                                 activation_named(name, &function), in, &out, NULL)
                      : fov_status_out_of_memory;
  free(weights);
  free(bias);
  text->taps[text->convolution_count] = taps;
  text->channels[text->convolution_count++] = n[0];
  return keep(text, status, out);
}

static bool add_binary(network_text *text, fov_binary_function function) {
  fov_tape_value left, right, out = {0};
  if (!source(text, &left) || !source(text, &right)) return false;
  return keep(text, fov_tape_add_binary(text->tape, function, left, right, &out, NULL), out);
}

static bool add_sigmoid(network_text *text) {
  const fov_unary sigmoid = {fov_unary_sigmoid, 0, 0};
  fov_tape_value in, out = {0};
  if (!source(text, &in)) return false;
  return keep(text, fov_tape_add_unary(text->tape, &sigmoid, in, &out, NULL), out);
}

static bool add_mean(network_text *text) {
  fov_tape_value in, out = {0};
  if (!source(text, &in)) return false;
  const fov_tape_size size = size_of(text, in);
  const fov_pooling pooling = {.function = fov_pooling_average,
                               .kernel = {size.rows, size.columns},
                               .stride = {1, 1},
                               .output = {1, 1}};
  return keep(text, fov_tape_add_pooling(text->tape, &pooling, in, &out, NULL), out);
}

static bool add_maximum(network_text *text) {
  fov_tape_value in, out = {0};
  size_t kernel, stride, before;
  if (!source(text, &in) || !number(text, &kernel) || !number(text, &stride) ||
      !number(text, &before)) {
    return false;
  }
  const fov_tape_size size = size_of(text, in);
  const fov_pooling pooling = {.function = fov_pooling_maximum,
                               .kernel = {kernel, kernel},
                               .stride = {stride, stride},
                               .before = {before, before},
                               .output = {(size.rows + 2 * before - kernel) / stride + 1,
                                          (size.columns + 2 * before - kernel) / stride + 1}};
  return keep(text, fov_tape_add_pooling(text->tape, &pooling, in, &out, NULL), out);
}

static bool add_doubled(network_text *text) {
  fov_tape_value in, out = {0};
  if (!source(text, &in)) return false;
  const fov_tape_size size = size_of(text, in);
  const fov_resize resize = {.filter = fov_resize_nearest,
                             .output = {2 * size.rows, 2 * size.columns},
                             .step = {0.5, 0.5}};
  return keep(text, fov_tape_add_resize(text->tape, &resize, in, &out, NULL), out);
}

static bool add_concatenation(network_text *text) {
  fov_tape_value inputs[8], out = {0};
  size_t count;
  if (!number(text, &count) || count > 8) return false;
  for (size_t i = 0; i < count; i++) {
    if (!source(text, &inputs[i])) return false;
  }
  return keep(text, fov_tape_add_concat(text->tape, inputs, count, &out, NULL), out);
}

// Channels of a value.
static bool add_part(network_text *text) {
  fov_tape_value in, out = {0};
  size_t first, count;
  if (!source(text, &in) || !number(text, &first) || !number(text, &count)) return false;
  fov_tape_size size = size_of(text, in);
  const size_t pixels = size.rows * size.columns, channels = size.channels;
  int32_t *sources = malloc(pixels * count * sizeof *sources);
  if (!sources) return false;
  for (size_t i = 0; i < pixels * count; i++) {
    sources[i] = (int32_t)(i / count * channels + first + i % count);
  }
  size.channels = count;
  const fov_status status = fov_tape_add_arrangement(text->tape, &size, sources, in, &out, NULL);
  free(sources);
  return keep(text, status, out);
}

static bool add_picture(network_text *text) {
  const fov_pixels pixels = {.scale = 1.0f / 255};
  fov_tape_value out = {0};
  if (!number(text, &text->rows) || !number(text, &text->columns)) return false;
  return keep(text,
              fov_tape_add_picture(text->tape, text->rows, text->columns, 3, &pixels, &out, NULL),
              out);
}

static bool add_output(network_text *text) {
  fov_tape_value value;
  if (!source(text, &value)) return false;
  text->output_count++;
  return fov_tape_add_output(text->tape, value, NULL) == fov_status_ok;
}

static bool add(network_text *text, const char *word) {
  if (strcmp(word, "picture") == 0) return add_picture(text);
  if (strcmp(word, "convolution") == 0) return add_convolution(text);
  if (strcmp(word, "sum") == 0) return add_binary(text, fov_binary_add);
  if (strcmp(word, "product") == 0) return add_binary(text, fov_binary_multiply);
  if (strcmp(word, "sigmoid") == 0) return add_sigmoid(text);
  if (strcmp(word, "mean") == 0) return add_mean(text);
  if (strcmp(word, "maximum") == 0) return add_maximum(text);
  if (strcmp(word, "doubled") == 0) return add_doubled(text);
  if (strcmp(word, "concatenation") == 0) return add_concatenation(text);
  if (strcmp(word, "part") == 0) return add_part(text);
  return strcmp(word, "output") == 0 && add_output(text);
}

bool network_text_open(network_text *text, const char *path) {
  *text = (network_text){.file = fopen(path, "r"), .numbers = 2};
  if (!text->file || fov_tape_create(&text->tape) != fov_status_ok) {
    fprintf(stderr, "%s: cannot be opened\n", path);
    return false;
  }
  char word[32];
  while (fscanf(text->file, "%31s", word) == 1) {
    if (strcmp(word, "expected") == 0) {
      return fov_tape_finish(text->tape, NULL) == fov_status_ok;
    }
    if (!add(text, word)) break;
  }
  fprintf(stderr, "%s: value %zu cannot be made\n", path, text->value_count);
  return false;
}

void network_text_close(network_text *text) {
  fov_tape_destroy(text->tape);
  if (text->file) fclose(text->file);
}
