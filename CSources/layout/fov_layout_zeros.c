// Fovea - the layout pass: which codes have a zero point for each channel.
// SPDX-License-Identifier: Apache-2.0
#include <math.h>

#include "base/fov_alloc.h"
#include "channels_last/fov_channels_last_shuffle.h"
#include "channels_last/fov_range.h"
#include "layout/fov_layout_state.h"
#include "ops/fov_operation_table.h"

// tensor/fov_format.h says why channels have zero points. This file decides:
//
//   groups  with zero points of channels: those without a value that needs one for all (needs_one)
//   scale   of a group: the widest range of a channel of its sources, in 255 steps
//   zeros   of a source: the range of each channel is put into the middle of the codes
//           of a moved value: those of the channels that it holds
//
// A source is a value that is not only moved. Nodes are fused before this, so that what a
// convolution pools or adds before it rounds no longer counts as a value.

static size_t channels_of(const fov_layout_state *state, uint32_t value) {
  return fov_range_channels(&state->graph->values[value].shape);
}

// MARK: groups

// A table or a bound holds for the codes of all channels, and the bytes of an image have one
// meaning. Nodes that write floats need no zero point.
static bool needs_one(const fov_layout_state *state, const fov_graph_node *node) {
  const fov_layout_node *plan = &state->nodes[node - state->graph->nodes];
  if (!state->values[node->output].codes || fov_layout_multiplies(node)) return false;
  if (fov_is_convolution(node->operation)) {
    return plan->activation.has_table || isfinite(plan->activation.lowest) ||
           isfinite(plan->activation.highest);
  }
  return !fov_layout_only_moves(node) && node->operation != &fov_operation_transpose;
}

static void note_needs(fov_layout_state *state, const fov_graph_node *node) {
  if (!needs_one(state, node)) return;
  fov_layout_group(state, node->output)->has_one_zero = true;
  if (fov_is_convolution(node->operation)) return;  // it can read any codes
  for (size_t k = 0; k < node->input_count; k++) {
    fov_layout_group(state, node->inputs[k])->has_one_zero = true;
  }
}

// MARK: scale

static void widen(fov_layout_state *state, uint32_t value) {
  fov_layout_value *group = fov_layout_group(state, value);
  const fov_channel_summary *channels = fov_layout_channels(state, value);
  for (size_t c = 0; c < channels_of(state, value); c++) {
    const fov_range range = fov_range_of(&channels[c]);
    if (fov_range_is_known(range)) group->width = fmaxf(group->width, fov_range_width(range));
  }
}

// The step of a value's codes; 0 where all channels have one zero point.
static float step_of(const fov_layout_state *state, uint32_t value) {
  const fov_layout_value *group = fov_layout_group(state, value);
  const float step = group->width / 255.0f;
  const bool has_channels = state->graph->values[value].shape.rank >= 3;
  return has_channels && state->values[value].known && !group->has_one_zero &&
                 fov_range_step_is_usable(step)
             ? step
             : 0.0f;
}

// MARK: zeros

// The zero points of a value are at the index of its ranges.
static uint8_t *zeros_of(const fov_layout_state *state, uint32_t value) {
  return state->graph->zero_points + state->options->first[value];
}

static void set(fov_layout_state *state, uint32_t value, float step) {
  state->values[value].quantization =
      (fov_quantization){.scale = step, .zero_points = zeros_of(state, value)};
}

static void set_source(fov_layout_state *state, uint32_t value) {
  const float step = step_of(state, value);
  const fov_channel_summary *channels = fov_layout_channels(state, value);
  uint8_t *zeros = zeros_of(state, value);
  if (step == 0.0f) return;
  for (size_t c = 0; c < channels_of(state, value); c++) {
    const fov_range range = fov_range_of(&channels[c]);
    zeros[c] =
        fov_range_zero_point(fov_range_is_known(range) ? range : (fov_range){0.0f, 0.0f}, step);
  }
  set(state, value, step);
}

static void shuffle(const fov_layout_state *state, const fov_graph_node *node, uint8_t *to) {
  const size_t channels = channels_of(state, node->output);
  const size_t groups = *(const size_t *)node->parameters;
  for (size_t c = 0; c < channels; c++) {
    const fov_shuffle_source source =
        fov_channels_last_shuffled(c, channels, groups, node->input_count);
    to[c] = zeros_of(state, node->inputs[source.input])[source.channel];
  }
}

// The output's channels are those of the inputs, one input after another, or some of them, or all
// in another order. Most nodes have one input.
static void set_moved(fov_layout_state *state, const fov_graph_node *node) {
  const float step = step_of(state, node->output);
  uint8_t *to = zeros_of(state, node->output);
  if (step == 0.0f) return;
  const bool shuffles = node->operation == &fov_operation_channels_last_shuffle;
  if (shuffles) shuffle(state, node, to);
  for (size_t k = 0; !shuffles && k < node->input_count; k++) {
    const fov_shape *input = &state->graph->values[node->inputs[k]].shape;
    const bool slices = node->operation == &fov_operation_slice;
    const size_t begin = slices ? fov_slice_first_channel(node->parameters, input) : 0;
    const uint8_t *from = zeros_of(state, node->inputs[k]) + begin;
    const size_t count = channels_of(state, slices ? node->output : node->inputs[k]);
    for (size_t c = 0; c < count; c++) *to++ = from[c];
  }
  set(state, node->output, step);
}

// MARK: all nodes

static bool is_live(const fov_layout_state *state, size_t index) {
  return !state->graph->nodes[index].removed && state->nodes[index].channels_last;
}

static void decide(fov_layout_state *state) {
  const fov_graph *graph = state->graph;
  for (size_t n = 0; n < graph->node_count; n++) {
    const fov_graph_node *node = &graph->nodes[n];
    if (!is_live(state, n)) continue;
    note_needs(state, node);
    if (!fov_layout_only_moves(node)) widen(state, node->output);
  }
  for (size_t v = 0; v < graph->value_count; v++) {
    if (state->values[v].channels_last) continue;
    widen(state, (uint32_t)v);
    set_source(state, (uint32_t)v);
  }
  for (size_t n = 0; n < graph->node_count; n++) {
    const fov_graph_node *node = &graph->nodes[n];
    if (!is_live(state, n)) continue;
    if (fov_layout_only_moves(node)) {
      set_moved(state, node);
    } else {
      set_source(state, node->output);
    }
  }
}

fov_status fov_layout_zeros(fov_layout_state *state) {
  fov_graph *graph = state->graph;
  const fov_layout_options *options = state->options;
  if (!options->integer || !fov_layout_has_fixed_codes(state)) return fov_status_ok;
  graph->zero_points = fov_allocate(options->first[graph->value_count]);
  if (!graph->zero_points) {
    return fov_fail(state->diagnostic, fov_status_out_of_memory, "no memory for state");
  }
  decide(state);
  return fov_status_ok;
}
