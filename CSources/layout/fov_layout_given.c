// Fovea - the layout pass: codes whose meaning a file gives.
// SPDX-License-Identifier: Apache-2.0
#include <math.h>

#include "base/fov_size.h"
#include "channels_last/fov_channels_last_check.h"
#include "channels_last/fov_channels_last_convolution.h"
#include "channels_last/fov_channels_last_shuffle.h"
#include "layout/fov_layout_state.h"
#include "ops/fov_op_unary.h"
#include "ops/fov_operation_table.h"
#include "weights/fov_weight_integers.h"

// A file with quantized activations says what is rounded, where, and in which steps. int8 computes
// that. Ranges are not needed.
//
//   given     the result of fov_unary_quantized, and what is only moved from such values. It is
//             codes with the scale and the zero point of the file.
//   integer   all convolutions, since integers give the same bytes on every processor. Those that
//             read given values multiply
//               weights that are integers in the file:  the integers of the file
//               others, in dense layers:                16-bit integers, which lose next to nothing
//               others, in depthwise layers:            8-bit integers, to which they are rounded
//             Others read codes whose quantization follows the frame.
//   float     everything else, since the file does not round it.
//
// A node whose result only fov_unary_quantized reads writes the codes itself, and computes them in
// one step (fov_layout_rounder):
//
//   pixels              a table of bytes
//   convolution, sum    sums of integers times one factor, plus a bias, rounded
//   function            a table of codes; behind a convolution: fov_layout_table.c
//   average             sums of codes, if input and result have one meaning
//
// Others write floats, which are rounded as on other backends.
//
// A code may differ by one from that of the file where a result lies in the middle of two codes but
// for the last bit of a float: a file means scale * scale * sum + bias, divided by a scale, and
// each step is rounded. int8 rounds the factors once, and the sum of products and bias once. If
// scales are powers of two, both are exact: halves go to the code that is even without the zero
// point.

bool fov_layout_gives(const fov_graph_node *node) {
  return node->operation == &fov_operation_unary && fov_unary_is_quantized(node->parameters);
}

bool fov_graph_gives_codes(const fov_graph *graph) {
  for (size_t n = 0; n < graph->node_count; n++) {
    if (!graph->nodes[n].removed && fov_layout_gives(&graph->nodes[n])) return true;
  }
  return false;
}

// MARK: which values

static bool is_same(fov_quantization a, fov_quantization b) {
  return a.scale == b.scale && a.zero_point == b.zero_point;
}

static bool only_moves(const fov_graph_node *node) {
  const fov_operation *operation = node->operation;
  if (operation == &fov_operation_pooling) {
    return ((const fov_pooling *)node->parameters)->function == fov_pooling_maximum;
  }
  if (operation == &fov_operation_resize) {
    return ((const fov_resize *)node->parameters)->filter == fov_resize_nearest;
  }
  return operation == &fov_operation_concat || operation == &fov_operation_reshape ||
         operation == &fov_operation_transpose || operation == &fov_operation_slice ||
         operation == &fov_operation_channels_last_shuffle;
}

// Whether all inputs have codes of one meaning.
static bool agree(const fov_layout_state *state, const fov_graph_node *node) {
  const fov_layout_value *first = &state->values[node->inputs[0]];
  for (size_t k = 0; k < node->input_count; k++) {
    const fov_layout_value *value = &state->values[node->inputs[k]];
    if (!value->given || !is_same(value->quantization, first->quantization)) return false;
  }
  return true;
}

static bool is_stored(const fov_weight_store *weights) {
  float scale;
  for (size_t row = 0; row < weights->rows; row++) {
    if (!fov_weight_integers(weights, row, NULL, &scale)) return false;
  }
  return true;
}

static void choose_width(fov_layout_state *state, size_t index) {
  const fov_convolution_parameters *convolution = state->graph->nodes[index].parameters;
  fov_layout_node *plan = &state->nodes[index];
  plan->wants_int16 = state->values[plan->input].given &&
                      !fov_convolution_is_depthwise(convolution) &&
                      !is_stored(&convolution->weights);
}

void fov_layout_given(fov_layout_state *state) {
  const fov_graph *graph = state->graph;
  for (size_t n = 0; n < graph->node_count; n++) {
    const fov_graph_node *node = &graph->nodes[n];
    fov_layout_value *value = &state->values[node->output];
    if (node->removed) continue;
    if (fov_layout_gives(node)) {
      value->quantization = fov_unary_quantization(node->parameters);
    } else if (only_moves(node) && agree(state, node)) {
      value->quantization = state->values[node->inputs[0]].quantization;
    } else {
      if (fov_is_convolution(node->operation)) choose_width(state, n);
      continue;
    }
    value->given = value->known = true;
    value->codes = state->nodes[n].channels_last;
  }
}

// MARK: which nodes write codes

// The largest sum in steps of the input, whatever the codes are. Padding to whole groups makes up
// to four products of one.
static double largest_sum(const fov_weight_store *weights, size_t row) {
  const double count = (double)weights->columns;
  float scale, largest = 0.0f, some[64];
  if (fov_weight_integers(weights, row, NULL, &scale)) {
    return 255.0 * 128.0 * 4.0 * count * (double)scale;
  }
  for (size_t begin = 0; begin < weights->columns; begin += 64) {
    const size_t these = fov_size_min(64, weights->columns - begin);
    fov_weight_store_panel(weights, row, 1, begin, these, some);
    for (size_t i = 0; i < these; i++) largest = fmaxf(largest, fabsf(some[i]));
  }
  // Bounds the largest sum of 16-bit integers, too, whatever their scale is.
  return 1e5 * count * (double)largest;
}

static bool sums_stay_small(const fov_layout_state *state, const fov_graph_node *node,
                            fov_quantization result) {
  const fov_convolution_parameters *convolution = node->parameters;
  const double step = (double)state->values[node->inputs[0]].quantization.scale;
  for (size_t row = 0; row < convolution->weights.rows; row++) {
    const double largest = largest_sum(&convolution->weights, row) * step;
    const double bias = fabs((double)convolution->bias[row]);
    if (!((largest + bias) / (double)result.scale < FOV_LARGEST_RESULT)) return false;
  }
  return true;
}

static bool may_be_added(const fov_layout_value *value, fov_quantization result) {
  return value->given &&
         fov_channels_last_check_steps(value->quantization, result, NULL) == fov_status_ok;
}

bool fov_layout_writes(const fov_layout_state *state, const fov_graph_node *node,
                       fov_quantization result) {
  const fov_layout_node *plan = &state->nodes[node - state->graph->nodes];
  return fov_layout_is_integer(state, node) && state->values[node->inputs[0]].given &&
         !plan->activation.has_residual && !plan->activation.has_table &&
         plan->activation.curve == fov_float_curve_none && sums_stay_small(state, node, result);
}

static bool can_round(const fov_layout_state *state, const fov_graph_node *node,
                      fov_quantization result) {
  const fov_layout_node *plan = &state->nodes[node - state->graph->nodes];
  const fov_operation *operation = node->operation;
  if (!plan->channels_last || plan->rounded) return false;
  if (operation == &fov_operation_pixels) return true;
  if (fov_is_convolution(operation)) return fov_layout_writes(state, node, result);
  if (fov_layout_multiplies(node)) return false;
  if (operation == &fov_operation_binary) {
    return may_be_added(&state->values[node->inputs[0]], result) &&
           may_be_added(&state->values[node->inputs[1]], result);
  }
  const fov_layout_value *input = &state->values[node->inputs[0]];
  if (operation == &fov_operation_unary) return !fov_layout_gives(node) && input->given;
  return operation == &fov_operation_pooling && input->given &&
         is_same(input->quantization, result);
}

fov_graph_node *fov_layout_rounder(const fov_layout_state *state, const fov_graph_node *node) {
  fov_graph_node *producer = fov_graph_sole_producer(&state->users, node->inputs[0]);
  const fov_quantization result = state->values[node->output].quantization;
  return producer && can_round(state, producer, result) ? producer : NULL;
}

bool fov_layout_skip(fov_layout_state *state, fov_graph_node *node) {
  const uint32_t from = node->output, to = node->inputs[0];
  const fov_layout_value *input = &state->values[to];
  if (!input->given || !is_same(input->quantization, state->values[from].quantization)) {
    return false;
  }
  state->nodes[node - state->graph->nodes].channels_last = false;
  fov_graph_node_release(node);
  state->values[from].read_instead = to;
  state->users.readers[to] += state->users.readers[from] - 1;
  state->users.readers[from] = 0;
  return true;
}
