// Fovea - packing: which values are codes, and what the codes mean.
// SPDX-License-Identifier: Apache-2.0
#include <math.h>

#include "graph/fov_packing.h"
#include "ops/fov_operation_table.h"
#include "packed/fov_packed_pixels.h"
#include "packed/fov_range.h"

// Values whose codes only move belong to one group, whose first value keeps what is known of all.
static uint32_t group_of(const fov_packing *packing, uint32_t value) {
  while (packing->values[value].group != value) value = packing->values[value].group;
  return value;
}

static void join(fov_packing *packing, uint32_t a, uint32_t b) {
  const uint32_t first = group_of(packing, a), second = group_of(packing, b);
  if (first < second) {
    packing->values[second].group = first;
  } else {
    packing->values[first].group = second;
  }
}

bool fov_pack_only_moves(const fov_graph_node *node) {
  return node->operation == &fov_operation_pooling || node->operation == &fov_operation_concat ||
         node->operation == &fov_operation_resize;
}

static void make_groups(fov_packing *packing) {
  const fov_graph *graph = packing->graph;
  for (size_t v = 0; v < graph->value_count; v++) {
    packing->values[v].group = (uint32_t)v;
    packing->values[v].range = fov_range_empty();
  }
  for (size_t n = 0; n < graph->node_count; n++) {
    const fov_graph_node *node = &graph->nodes[n];
    if (!packing->nodes[n].packed || !fov_pack_only_moves(node)) continue;
    for (size_t k = 0; k < node->input_count; k++) join(packing, node->inputs[k], node->output);
  }
}

fov_packing_value *fov_packing_group(const fov_packing *packing, uint32_t value) {
  return &packing->values[group_of(packing, value)];
}

static void extend(fov_packing *packing, uint32_t value, fov_range range) {
  fov_packing_value *first = fov_packing_group(packing, value);
  if (fov_range_is_known(range)) first->range = fov_range_union(first->range, range);
}

const fov_channel_range *fov_pack_channels(const fov_packing *packing, uint32_t value) {
  const fov_pack_options *options = packing->options;
  return options->channels ? options->channels + options->first[value] : NULL;
}

bool fov_pack_has_fixed_codes(const fov_packing *packing) {
  return packing->options->channels && !packing->options->measures_frames;
}

// Of all channels of a value together; an empty one where codes follow the frame.
static fov_range known_range(const fov_packing *packing, uint32_t value) {
  const fov_channel_range *channels = fov_pack_channels(packing, value);
  const size_t count = fov_range_channels(&packing->graph->values[value].shape);
  fov_range range = fov_range_empty();
  for (size_t c = 0; c < count && fov_pack_has_fixed_codes(packing); c++) {
    const fov_range channel = fov_range_of(&channels[c]);
    if (fov_range_is_known(channel)) range = fov_range_union(range, channel);
  }
  return range;
}

static size_t picture_channels(const fov_packing *packing, const fov_graph_node *node) {
  return fov_shape_planes(&packing->graph->values[node->output].shape).channels;
}

// What a byte can become is known without a calibration.
static fov_range pixel_range(const fov_packing *packing, const fov_graph_node *node) {
  const fov_pixels *pixels = node->parameters;
  fov_range range = {0.0f, 0.0f};
  for (size_t c = 0; c < picture_channels(packing, node); c++) {
    const fov_range ends = {pixels->bias[c], 255.0f * pixels->scale + pixels->bias[c]};
    range = fov_range_union(range, (fov_range){fminf(ends.low, ends.high),
                                               fmaxf(ends.low, ends.high)});
  }
  return range;
}

static void gather_ranges(fov_packing *packing) {
  const fov_graph *graph = packing->graph;
  for (size_t n = 0; n < graph->node_count; n++) {
    const fov_graph_node *node = &graph->nodes[n];
    if (!packing->nodes[n].packed) continue;
    extend(packing, node->output, known_range(packing, node->output));
    if (node->operation == &fov_operation_pixels) {
      extend(packing, node->output, pixel_range(packing, node));
    }
    if (fov_pack_only_moves(node)) continue;
    if (node->operation == &fov_operation_convolution) {
      const bool words = fov_pack_is_words(packing, node);
      if (words) packing->values[node->inputs[0]].word_readers++;
      if (words || !fov_pack_is_integer(packing, node)) continue;
    }
    for (size_t k = 0; k < node->input_count; k++) {
      fov_packing_group(packing, node->inputs[k])->wanted = true;
    }
  }
}

// Sums of more products than this could leave int32.
#define MOST_TAPS ((size_t)INT32_MAX / (255 * 128))

bool fov_pack_is_integer(const fov_packing *packing, const fov_graph_node *node) {
  const bool stays_float = packing->nodes[node - packing->graph->nodes].stays_float;
  return packing->options->integer && !stays_float &&
         fov_convolution_taps(node->parameters) <= MOST_TAPS;
}

// Codes are clipped at the ends of what a calibration saw; words have room for twice as much.
#define WORD_HEADROOM 2.0f

float fov_pack_word_scale(const fov_packing *packing, uint32_t value) {
  const fov_range range = known_range(packing, value);
  if (!fov_range_is_known(range)) return 0.0f;
  const float largest = fmaxf(fabsf(range.low), fabsf(range.high));
  const float scale = WORD_HEADROOM * largest / FOV_LARGEST_WORD;
  return fov_range_step_is_usable(scale) ? scale : 0.0f;
}

bool fov_pack_is_words(const fov_packing *packing, const fov_graph_node *node) {
  return packing->nodes[node - packing->graph->nodes].wants_words &&
         fov_pack_is_integer(packing, node) &&
         fov_pack_word_scale(packing, node->inputs[0]) > 0.0f;
}

// A bottleneck widens a narrow stream, filters what it made, projects it back and adds it. With codes for sums the whole
// stream would be rounded in every bottleneck, and the errors of all would add up. It stays in floats, and who multiplies
// it makes codes of a copy: little is read and written, as the stream is narrow.
static bool is_projection(const fov_packing *packing, uint32_t value) {
  const fov_graph_node *node = packing->users.producers[value];
  if (!node || node->operation != &fov_operation_convolution) return false;
  const fov_packing_node *plan = &packing->nodes[node - packing->graph->nodes];
  const fov_graph_value *values = packing->graph->values;
  return plan->packed && plan->finish.slope == 1.0f && !isfinite(plan->finish.lowest) &&
         !isfinite(plan->finish.highest) &&
         2 * fov_shape_planes(&values[value].shape).channels <=
             fov_shape_planes(&values[node->inputs[0]].shape).channels;
}

static void keep_streams(fov_packing *packing) {
  const fov_graph *graph = packing->graph;
  for (size_t n = 0; n < graph->node_count; n++) {
    const fov_graph_node *node = &graph->nodes[n];
    if (!packing->nodes[n].packed || node->operation != &fov_operation_binary) continue;
    const uint32_t *inputs = node->inputs;
    if (!is_projection(packing, inputs[0]) && !is_projection(packing, inputs[1])) continue;
    packing->values[node->output].in_stream = true;
    for (size_t k = 0; k < 2; k++) packing->values[inputs[k]].in_stream = true;
  }
}

// Values that are not packed themselves are turned into codes when a convolution reads them.
static void note_planes(fov_packing *packing) {
  const fov_graph *graph = packing->graph;
  for (size_t v = 0; v < graph->value_count; v++) {
    fov_packing_value *value = &packing->values[v];
    const fov_range range = known_range(packing, (uint32_t)v);
    if (value->packed || !fov_range_is_known(range)) continue;
    value->known = true;
    value->quantization = fov_range_quantization(range);
  }
}

void fov_pack_types(fov_packing *packing) {
  if (!packing->options->integer) return;
  const fov_graph *graph = packing->graph;
  make_groups(packing);
  gather_ranges(packing);
  note_planes(packing);
  if (packing->options->float_sums) keep_streams(packing);
  for (size_t n = 0; n < graph->node_count; n++) {
    const fov_graph_node *node = &graph->nodes[n];
    fov_packing_value *value = &packing->values[node->output];
    const fov_packing_value *first = fov_packing_group(packing, node->output);
    const bool pixels = node->operation == &fov_operation_pixels;
    if (!packing->nodes[n].packed || !fov_range_is_known(first->range)) continue;
    if (!fov_pack_has_fixed_codes(packing) && !pixels) continue;
    value->known = true;
    value->codes = first->wanted && !value->in_stream;
    value->quantization =
        pixels ? fov_packed_pixels_quantization(node->parameters, picture_channels(packing, node))
               : fov_range_quantization(first->range);
  }
}
