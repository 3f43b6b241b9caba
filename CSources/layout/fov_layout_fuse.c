// Fovea - the layout pass: fusing operations into a convolution.
// SPDX-License-Identifier: Apache-2.0
#include <math.h>

#include "base/fov_alloc.h"
#include "layout/fov_layout_state.h"
#include "ops/fov_op_channel_affine.h"
#include "ops/fov_op_unary.h"
#include "ops/fov_operation_table.h"

// A rule may only remove a value that exactly one node reads and that is no output:
//
//   pooling    convolution -> 2x2 maxima at a stride of 2: maxima of the sums
//   residual   convolution -> sum with an earlier value: added before rounding
//   bounds     convolution or sum -> activation that only clamps
//   curve      convolution -> sigmoid, SiLU, hard SiLU or GELU: computed on floats
//   factors    convolution with a curve -> a factor and an offset for each channel
//   table      convolution -> any other function of one element: a table of codes
//   codes      any of these -> codes that the file gives (fov_layout_given.c)
//
// What follows such codes reads them. Only maxima and tables may then move into the convolution,
// since they come after its rounding.
static fov_layout_node *plan_of(const fov_layout_state *state, const fov_graph_node *node) {
  return &state->nodes[node - state->graph->nodes];
}

static fov_graph_node *sole_channels_last(const fov_layout_state *state, uint32_t value) {
  fov_graph_node *producer = fov_graph_sole_producer(&state->users, value);
  return producer && plan_of(state, producer)->channels_last ? producer : NULL;
}

// What a convolution may compute already when an operation moves into it.
enum { also_codes = 1, also_curve = 2 };

// A convolution without fused operations, except slope, bounds and what `also` names.
static fov_graph_node *sole_convolution(const fov_layout_state *state, uint32_t value, int also) {
  fov_graph_node *producer = sole_channels_last(state, value);
  if (!producer || !fov_is_convolution(producer->operation)) return NULL;
  const fov_layout_node *plan = plan_of(state, producer);
  if (plan->rounded && !(also & also_codes)) return NULL;
  if (plan->activation.curve != fov_float_curve_none && !(also & also_curve)) return NULL;
  const fov_fused_activation *activation = &plan->activation;
  return plan->pools || activation->has_residual || activation->has_table || activation->has_factors
             ? NULL
             : producer;
}

static void absorb(fov_layout_state *state, fov_graph_node *producer, fov_graph_node *node) {
  plan_of(state, node)->channels_last = false;
  producer->output = node->output;
  fov_graph_users_move(&state->users, node->output, producer);
  fov_graph_node_release(node);
}

// MARK: pooling

static bool is_halving(const fov_pooling *pooling, const fov_shape *input) {
  const fov_planes planes = fov_shape_planes(input);
  const size_t sizes[2] = {planes.rows, planes.columns};
  for (int axis = 0; axis < 2; axis++) {
    if (pooling->kernel[axis] != 2 || pooling->stride[axis] != 2 || pooling->before[axis] != 0 ||
        pooling->output[axis] > sizes[axis] / 2) {
      return false;
    }
  }
  return pooling->function == fov_pooling_maximum;
}

static void fuse_pooling(fov_layout_state *state, fov_graph_node *node) {
  if (node->operation != &fov_operation_pooling) return;
  fov_graph_node *producer = sole_convolution(state, node->inputs[0], also_codes);
  if (!producer || producer->operation != &fov_operation_convolution) return;
  if (fov_convolution_is_depthwise(producer->parameters)) return;
  if (fov_layout_is_int16(state, producer)) return;
  if (!is_halving(node->parameters, &state->graph->values[node->inputs[0]].shape)) return;
  plan_of(state, producer)->pools = true;
  absorb(state, producer, node);
}

// Whether the convolution computes `result` as codes of integer sums.
static bool writes_codes(const fov_layout_state *state, const fov_graph_node *convolution,
                         uint32_t result) {
  return fov_layout_is_integer(state, convolution) && state->values[result].codes &&
         state->values[convolution->inputs[0]].known;
}

// MARK: residual

// For integer convolutions both operands have to be codes, and what is added to a curve floats.
static bool agree(const fov_layout_state *state, const fov_graph_node *convolution, uint32_t other,
                  uint32_t sum) {
  if (!state->options->integer) return true;
  if (plan_of(state, convolution)->activation.curve != fov_float_curve_none) return false;
  return writes_codes(state, convolution, sum) && state->values[other].codes;
}

static bool is_written_before(const fov_layout_state *state, uint32_t value,
                              const fov_graph_node *node) {
  const fov_graph_node *producer = state->users.producers[value];
  return producer && producer < node;
}

static fov_status fuse_residual(fov_layout_state *state, fov_graph_node *node) {
  if (node->operation != &fov_operation_binary || fov_layout_multiplies(node)) {
    return fov_status_ok;
  }
  for (size_t side = 2; side-- > 0;) {
    const uint32_t other = node->inputs[1 - side];
    fov_graph_node *producer = sole_convolution(state, node->inputs[side], also_curve);
    if (!producer || other == node->inputs[side]) continue;
    if (!is_written_before(state, other, producer)) continue;
    fov_layout_node *plan = plan_of(state, producer);
    if (!fov_fused_activation_is_linear(&plan->activation)) continue;
    if (!agree(state, producer, other, node->output)) continue;
    uint32_t *inputs = fov_allocate_array(2, sizeof(uint32_t));
    if (!inputs) return fov_status_out_of_memory;
    inputs[0] = producer->inputs[0];
    inputs[1] = other;
    fov_release(producer->inputs);
    producer->inputs = inputs;
    producer->input_count = 2;
    plan->activation.has_residual = true;
    absorb(state, producer, node);
    return fov_status_ok;
  }
  return fov_status_ok;
}

// MARK: bounds, tables and curves

static bool fuse_bounds(fov_layout_state *state, fov_graph_node *node) {
  fov_graph_node *producer = sole_channels_last(state, node->inputs[0]);
  if (!producer || fov_layout_multiplies(producer)) return false;
  fov_fused_activation bounds;
  if ((!fov_is_convolution(producer->operation) && producer->operation != &fov_operation_binary) ||
      !fov_fused_activation_from_unary(node->parameters, &bounds) || bounds.slope != 1.0f) {
    return false;
  }
  fov_layout_node *plan = plan_of(state, producer);
  if (plan->activation.has_table || plan->rounded ||
      plan->activation.curve != fov_float_curve_none) {
    return false;
  }
  // The result may have bounds already. If the two ranges do not meet, the later bounds count.
  plan->activation.lowest = fminf(fmaxf(plan->activation.lowest, bounds.lowest), bounds.highest);
  plan->activation.highest = fmaxf(fminf(plan->activation.highest, bounds.highest), bounds.lowest);
  absorb(state, producer, node);
  return true;
}

// Codes that a file gives come from tables, so that they are those of the file.
static bool takes_curve(const fov_layout_state *state, const fov_graph_node *convolution,
                        uint32_t result) {
  return !state->has_given || !fov_layout_is_integer(state, convolution) ||
         !state->values[result].codes;
}

static bool fuse_curve(fov_layout_state *state, fov_graph_node *node) {
  const fov_unary *unary = node->parameters;
  const fov_float_curve curve = fov_unary_curve(unary);
  fov_graph_node *producer = sole_convolution(state, node->inputs[0], 0);
  if (curve == fov_float_curve_none || !producer) return false;
  if (!takes_curve(state, producer, node->output)) return false;
  fov_layout_node *plan = plan_of(state, producer);
  if (!fov_fused_activation_is_linear(&plan->activation)) return false;
  plan->activation.curve = curve;
  plan->activation.alpha = unary->alpha;
  plan->activation.least = unary->beta;
  absorb(state, producer, node);
  return true;
}

// Factors and offsets behind a curve.
static float *factors_of(const fov_graph_node *node, size_t channels) {
  const bool is_affine = node->operation == &fov_operation_channel_affine;
  const fov_channel_affine *affine = is_affine ? node->parameters : NULL;
  const fov_unary *linear = is_affine ? NULL : node->parameters;
  float *factors = fov_allocate_array(channels, 2 * sizeof(float));
  for (size_t c = 0; factors && c < channels; c++) {
    factors[c] = affine ? affine->scale[c] : linear->alpha;
    factors[channels + c] = affine ? affine->bias[c] : linear->beta;
  }
  return factors;
}

static fov_status fuse_factors(fov_layout_state *state, fov_graph_node *node) {
  fov_graph_node *producer = sole_convolution(state, node->inputs[0], also_curve);
  if (!producer || plan_of(state, producer)->activation.curve == fov_float_curve_none) {
    return fov_status_ok;
  }
  const fov_convolution_parameters *convolution = producer->parameters;
  fov_layout_node *plan = plan_of(state, producer);
  plan->factors = factors_of(node, convolution->convolution.output_channels);
  if (!plan->factors) return fov_status_out_of_memory;
  plan->activation.has_factors = true;
  absorb(state, producer, node);
  return fov_status_ok;
}

static void fuse_table(fov_layout_state *state, fov_graph_node *node) {
  fov_graph_node *producer = sole_convolution(state, node->inputs[0], also_codes);
  if (!producer || !writes_codes(state, producer, node->output)) return;
  if (!state->values[node->inputs[0]].known) return;
  fov_layout_node *plan = plan_of(state, producer);
  plan->activation.has_table = true;
  plan->table = *(const fov_unary *)node->parameters;
  plan->before_table = node->inputs[0];
  absorb(state, producer, node);
}

// MARK: given codes

// A convolution, a function that reads its floats, and the codes of the result.
static void fuse_function(fov_layout_state *state, fov_graph_node *node) {
  fov_graph_node *function = sole_channels_last(state, node->inputs[0]);
  if (!function || function->operation != &fov_operation_unary || fov_layout_gives(function)) {
    return;
  }
  fov_layout_value *before = &state->values[function->inputs[0]];
  const fov_graph_node *convolution = sole_convolution(state, function->inputs[0], 0);
  fov_quantization sums;
  if (!convolution || before->given ||
      !fov_layout_table_input(function->parameters, state->values[node->output].quantization,
                              &sums) ||
      !fov_layout_writes(state, convolution, sums)) {
    return;
  }
  before->known = true;
  before->quantization = sums;
  absorb(state, function, node);
  fuse_table(state, function);
}

static void fuse_codes(fov_layout_state *state, fov_graph_node *node) {
  fov_graph_node *producer = fov_layout_rounder(state, node);
  if (!producer) {
    fuse_function(state, node);
    return;
  }
  plan_of(state, producer)->rounded = true;
  absorb(state, producer, node);
  if (producer->operation == &fov_operation_unary) fuse_table(state, producer);
}

// Functions that no given codes follow, or whose codes need more than a table.
static void fuse_curves_left(fov_layout_state *state) {
  for (size_t n = 0; state->has_given && n < state->graph->node_count; n++) {
    fov_graph_node *node = &state->graph->nodes[n];
    if (!node->removed && state->nodes[n].channels_last &&
        node->operation == &fov_operation_unary && !fov_layout_gives(node)) {
      fuse_curve(state, node);
    }
  }
}

// Replaces the inputs of a node whose own nodes were skipped. They come before it.
static void read_instead(fov_layout_state *state, fov_graph_node *node) {
  fov_layout_node *plan = plan_of(state, node);
  for (size_t k = 0; k < node->input_count; k++) {
    node->inputs[k] = state->values[node->inputs[k]].read_instead;
  }
  plan->input = state->values[plan->input].read_instead;
}

static fov_status no_memory(const fov_layout_state *state) {
  return fov_fail(state->diagnostic, fov_status_out_of_memory, "no memory for state");
}

fov_status fov_layout_fuse(fov_layout_state *state) {
  fov_graph *graph = state->graph;
  for (size_t v = 0; v < graph->value_count; v++) state->values[v].read_instead = (uint32_t)v;
  for (size_t n = 0; n < graph->node_count; n++) {
    fov_graph_node *node = &graph->nodes[n];
    if (node->removed) continue;
    read_instead(state, node);
    const bool gives = state->has_given && fov_layout_gives(node);
    if (gives && fov_layout_skip(state, node)) continue;
    if (!state->nodes[n].channels_last) continue;
    if (state->nodes[n].follows_curve) {
      if (fuse_factors(state, node) != fov_status_ok) return no_memory(state);
      if (node->removed) continue;
    }
    if (node->operation == &fov_operation_unary) {
      if (gives) {
        fuse_codes(state, node);
      } else if (!fuse_bounds(state, node) && (state->has_given || !fuse_curve(state, node))) {
        fuse_table(state, node);
      }
      continue;
    }
    fuse_pooling(state, node);
    if (node->removed) continue;
    if (fuse_residual(state, node) != fov_status_ok) {
      return no_memory(state);
    }
  }
  for (size_t i = 0; i < graph->output_count; i++) {
    graph->outputs[i].value = state->values[graph->outputs[i].value].read_instead;
  }
  fuse_curves_left(state);
  return fov_status_ok;
}
