// Fovea - packing: which codes have a zero point for each channel.
// SPDX-License-Identifier: Apache-2.0
#include <math.h>

#include "base/fov_alloc.h"
#include "graph/fov_packing.h"
#include "ops/fov_operation_table.h"
#include "packed/fov_range.h"

// tensor/fov_format.h says why. What is decided here:
//
//   who     groups none of whose values asks for one zero point (asks_for_one)
//   scale   of a group: the widest range that a channel of its sources has, in 255 steps
//   zeros   of a source: each channel's range in the middle of the codes
//           of what only moves: those of the channels that it moves
//
// A source is a value that does not only move: written by any other node, or by none that is packed. Nodes have been
// fused by now, so that what a convolution pools or adds before it rounds has no range of its own any more.

static size_t channels_of(const fov_packing *packing, uint32_t value) {
  return fov_range_channels(&packing->graph->values[value].shape);
}

// MARK: who

// Tables and bounds are made of codes of all channels, as bytes of pictures are. Who writes floats asks for nothing.
static bool asks_for_one(const fov_packing *packing, const fov_graph_node *node) {
  const fov_packing_node *plan = &packing->nodes[node - packing->graph->nodes];
  if (!packing->values[node->output].codes) return false;
  if (node->operation == &fov_operation_convolution) {
    return plan->finish.has_table || isfinite(plan->finish.lowest) || isfinite(plan->finish.highest);
  }
  return !fov_pack_only_moves(node);
}

static void ask(fov_packing *packing, const fov_graph_node *node) {
  if (!asks_for_one(packing, node)) return;
  fov_packing_group(packing, node->output)->has_one_zero = true;
  if (node->operation == &fov_operation_convolution) return;  // whatever it reads
  for (size_t k = 0; k < node->input_count; k++) {
    fov_packing_group(packing, node->inputs[k])->has_one_zero = true;
  }
}

// MARK: scale

static void widen(fov_packing *packing, uint32_t value) {
  fov_packing_value *group = fov_packing_group(packing, value);
  const fov_channel_range *channels = fov_pack_channels(packing, value);
  for (size_t c = 0; c < channels_of(packing, value); c++) {
    const fov_range range = fov_range_of(&channels[c]);
    if (fov_range_is_known(range)) group->width = fmaxf(group->width, fov_range_width(range));
  }
}

// The step of a value's codes; 0 where all channels have one zero point.
static float step_of(const fov_packing *packing, uint32_t value) {
  const fov_packing_value *group = fov_packing_group(packing, value);
  const float step = group->width / 255.0f;
  const bool has_channels = packing->graph->values[value].shape.rank >= 3;
  return has_channels && packing->values[value].known && !group->has_one_zero &&
                 fov_range_step_is_usable(step)
             ? step
             : 0.0f;
}

// MARK: zeros

// Of all values, where their ranges are.
static uint8_t *zeros_of(const fov_packing *packing, uint32_t value) {
  return packing->graph->zero_points + packing->options->first[value];
}

static void set(fov_packing *packing, uint32_t value, float step) {
  packing->values[value].quantization =
      (fov_quantization){.scale = step, .zero_points = zeros_of(packing, value)};
}

static void set_source(fov_packing *packing, uint32_t value) {
  const float step = step_of(packing, value);
  const fov_channel_range *channels = fov_pack_channels(packing, value);
  uint8_t *zeros = zeros_of(packing, value);
  if (step == 0.0f) return;
  for (size_t c = 0; c < channels_of(packing, value); c++) {
    const fov_range range = fov_range_of(&channels[c]);
    zeros[c] = fov_range_zero_point(fov_range_is_known(range) ? range : (fov_range){0.0f, 0.0f}, step);
  }
  set(packing, value, step);
}

// Inputs one after another are the output's channels; most have one.
static void set_moved(fov_packing *packing, const fov_graph_node *node) {
  const float step = step_of(packing, node->output);
  uint8_t *to = zeros_of(packing, node->output);
  if (step == 0.0f) return;
  for (size_t k = 0; k < node->input_count; k++) {
    const uint8_t *from = zeros_of(packing, node->inputs[k]);
    for (size_t c = 0; c < channels_of(packing, node->inputs[k]); c++) *to++ = from[c];
  }
  set(packing, node->output, step);
}

// MARK: all nodes

static bool is_live(const fov_packing *packing, size_t index) {
  return !packing->graph->nodes[index].removed && packing->nodes[index].packed;
}

static void decide(fov_packing *packing) {
  const fov_graph *graph = packing->graph;
  for (size_t n = 0; n < graph->node_count; n++) {
    const fov_graph_node *node = &graph->nodes[n];
    if (!is_live(packing, n)) continue;
    ask(packing, node);
    if (!fov_pack_only_moves(node)) widen(packing, node->output);
  }
  for (size_t v = 0; v < graph->value_count; v++) {
    if (packing->values[v].packed) continue;
    widen(packing, (uint32_t)v);
    set_source(packing, (uint32_t)v);
  }
  for (size_t n = 0; n < graph->node_count; n++) {
    const fov_graph_node *node = &graph->nodes[n];
    if (!is_live(packing, n)) continue;
    if (fov_pack_only_moves(node)) {
      set_moved(packing, node);
    } else {
      set_source(packing, node->output);
    }
  }
}

fov_status fov_pack_zeros(fov_packing *packing) {
  fov_graph *graph = packing->graph;
  const fov_pack_options *options = packing->options;
  if (!options->integer || !fov_pack_has_fixed_codes(packing)) return fov_status_ok;
  graph->zero_points = fov_allocate(options->first[graph->value_count]);
  if (!graph->zero_points) {
    return fov_fail(packing->diagnostic, fov_status_out_of_memory, "no memory for packing");
  }
  decide(packing);
  return fov_status_ok;
}
