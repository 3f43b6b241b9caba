// Fovea - folding rules.
// SPDX-License-Identifier: Apache-2.0
#include "fold/fov_fold.h"

#include <math.h>

#include "base/fov_alloc.h"
#include "channels_last/fov_fused_activation.h"
#include "fold/fov_detection_head.h"
#include "fold/fov_fold_focus.h"
#include "fold/fov_fold_functions.h"
#include "graph/fov_graph_users.h"
#include "ops/fov_convolution_parameters.h"
#include "ops/fov_op_channel_affine.h"
#include "ops/fov_op_unary.h"
#include "ops/fov_operation_table.h"

// The convolution whose result only `node` reads, or NULL.
static fov_graph_node *sole_convolution(const fov_graph_users *users, const fov_graph_node *node) {
  fov_graph_node *producer = fov_graph_sole_producer(users, node->inputs[0]);
  return producer && fov_is_convolution(producer->operation) ? producer : NULL;
}

// The producer takes over the result of `node`, which is removed.
static void absorb(fov_graph_users *users, fov_graph_node *producer, fov_graph_node *node) {
  producer->output = node->output;
  fov_graph_users_move(users, node->output, producer);
  fov_graph_node_release(node);
}

// MARK: constant operand

// The constant as one value per channel of `shape`: 1 in every dimension but the channels'.
static bool is_per_channel(const fov_shape *constant, const fov_shape *shape) {
  if (constant->rank < 3 || shape->rank < 3 || constant->rank > shape->rank) return false;
  for (size_t i = 0; i < constant->rank; i++) {
    const size_t expected = i + 3 == constant->rank ? shape->dims[shape->rank - 3] : 1;
    if (constant->dims[i] != expected) return false;
  }
  return true;
}

static bool make_linear(fov_graph_node *node, bool adds, float constant) {
  const fov_unary unary = {.function = fov_unary_linear,
                           .alpha = adds ? 1.0f : constant,
                           .beta = adds ? constant : 0.0f};
  return fov_graph_node_replace(node, &fov_operation_unary,
                                fov_allocate_copy(&unary, sizeof unary));
}

// `negates`: the constants are subtracted, which adds their opposites.
static bool make_affine(fov_graph_node *node, bool adds, bool negates, const float *constant,
                        size_t channels) {
  fov_channel_affine *affine = fov_allocate(sizeof *affine);
  if (!affine) return false;
  if (fov_channel_affine_create(channels, adds ? NULL : constant, adds ? constant : NULL, affine) !=
      fov_status_ok) {
    fov_release(affine);
    return false;
  }
  for (size_t i = 0; negates && i < channels; i++) affine->bias[i] = -affine->bias[i];
  return fov_graph_node_replace(node, &fov_operation_channel_affine, affine);
}

static fov_status fold_constant_operand(fov_graph *graph, fov_graph_users *users,
                                        fov_graph_node *node) {
  if (node->operation != &fov_operation_binary) return fov_status_ok;
  const fov_binary_function function = *(const fov_binary_function *)node->parameters;
  const bool negates = function == fov_binary_subtract;
  const bool adds = function == fov_binary_add || negates;
  if (!adds && function != fov_binary_multiply) return fov_status_ok;
  // Of a difference, the second operand has to be the constant.
  for (size_t side = negates; side < 2; side++) {
    const fov_graph_value *constant = &graph->values[node->inputs[side]];
    const fov_graph_value *other = &graph->values[node->inputs[1 - side]];
    if (constant->kind != fov_value_constant || other->kind == fov_value_constant) continue;
    if (!fov_shape_equal(&graph->values[node->output].shape, &other->shape)) continue;
    const size_t count = fov_shape_count(&constant->shape);
    if (count != 1 && !is_per_channel(&constant->shape, &other->shape)) continue;
    // A NaN cannot be a number of a function, so that the sum or product stays.
    if (count == 1 && isnan(constant->constant[0])) continue;
    const float first = constant->constant[0];
    const bool replaced = count == 1 ? make_linear(node, adds, negates ? -first : first)
                                     : make_affine(node, adds, negates, constant->constant, count);
    if (!replaced) return fov_status_out_of_memory;
    fov_graph_users_remove(users, node->inputs[side]);
    node->inputs[0] = node->inputs[1 - side];
    node->input_count = 1;
    return fov_status_ok;
  }
  return fov_status_ok;
}

// MARK: affine and activation

// Multiplies rows and bias by `scale`, then adds `bias` to the bias. NULL: 1 and 0.
static fov_status scale_convolution(fov_convolution_parameters *convolution, const float *scale,
                                    const float *bias) {
  if (scale) FOV_FORWARD(fov_weight_store_scale_rows(&convolution->weights, scale));
  for (size_t c = 0; c < convolution->convolution.output_channels; c++) {
    if (scale) convolution->bias[c] *= scale[c];
    if (bias) convolution->bias[c] += bias[c];
  }
  return fov_status_ok;
}

static fov_status scale_convolution_uniformly(fov_convolution_parameters *convolution, float alpha,
                                              float beta) {
  const size_t channels = convolution->convolution.output_channels;
  float *values = fov_allocate_array(channels, 2 * sizeof(float));
  if (!values) return fov_status_out_of_memory;
  for (size_t c = 0; c < channels; c++) {
    values[c] = alpha;
    values[channels + c] = beta;
  }
  const fov_status status =
      scale_convolution(convolution, alpha == 1.0f ? NULL : values, values + channels);
  fov_release(values);
  return status;
}

// A linear function of a bounded result: with a > 0,
//
//   a * clamp(x, low, high) + b = clamp(a * x + b, a * low + b, a * high + b)
//
// Returns false where the activation is no such bound.
static bool move_bounds(fov_convolution_parameters *convolution, const fov_unary *linear) {
  fov_fused_activation bounds;
  if (!fov_fused_activation_from_unary(&convolution->activation, &bounds) || bounds.slope != 1.0f ||
      !(linear->alpha > 0.0f)) {
    return false;
  }
  const fov_unary moved = {.function = fov_unary_clip,
                           .alpha = linear->alpha * bounds.lowest + linear->beta,
                           .beta = linear->alpha * bounds.highest + linear->beta};
  if (isnan(moved.alpha) || isnan(moved.beta)) return false;
  convolution->activation = moved;
  return true;
}

static fov_status fold_affine(fov_graph_users *users, fov_graph_node *node, bool *out_folded) {
  const bool affine = node->operation == &fov_operation_channel_affine;
  const fov_unary *unary = node->operation == &fov_operation_unary ? node->parameters : NULL;
  if (!affine && !(unary && unary->function == fov_unary_linear)) return fov_status_ok;
  fov_graph_node *producer = sole_convolution(users, node);
  fov_convolution_parameters *convolution = producer ? producer->parameters : NULL;
  if (!convolution) return fov_status_ok;
  if (convolution->has_activation && (affine || !move_bounds(convolution, unary))) {
    return fov_status_ok;
  }
  if (affine) {
    const fov_channel_affine *by = node->parameters;
    FOV_FORWARD(scale_convolution(convolution, by->scale, by->bias));
  } else {
    FOV_FORWARD(scale_convolution_uniformly(convolution, unary->alpha, unary->beta));
  }
  absorb(users, producer, node);
  *out_folded = true;
  return fov_status_ok;
}

static void fold_activation(fov_graph_users *users, fov_graph_node *node, bool gets_layouts) {
  fov_fused_activation activation;
  if (node->operation != &fov_operation_unary) return;
  if (gets_layouts && !fov_fused_activation_from_unary(node->parameters, &activation)) return;
  fov_graph_node *producer = sole_convolution(users, node);
  fov_convolution_parameters *convolution = producer ? producer->parameters : NULL;
  if (!convolution || convolution->has_activation) return;
  convolution->has_activation = true;
  convolution->activation = *(const fov_unary *)node->parameters;
  absorb(users, producer, node);
}

// MARK: all of them

static void drop_dead(fov_graph *graph, fov_graph_users *users) {
  for (size_t i = graph->node_count; i-- > 0;) {
    fov_graph_node *node = &graph->nodes[i];
    if (node->removed || fov_graph_is_read(users, node->output)) continue;
    for (size_t k = 0; k < node->input_count; k++) fov_graph_users_remove(users, node->inputs[k]);
    fov_graph_node_release(node);
  }
}

fov_status fov_graph_drop_dead(fov_graph *graph, fov_diagnostic *diagnostic) {
  fov_graph_users users;
  FOV_FORWARD(fov_graph_users_create(graph, &users, diagnostic));
  drop_dead(graph, &users);
  fov_graph_users_release(&users);
  return fov_status_ok;
}

static fov_status fold_nodes(fov_graph *graph, fov_graph_users *users, bool gets_layouts) {
  for (size_t i = 0; i < graph->node_count; i++) {
    fov_graph_node *node = &graph->nodes[i];
    if (node->removed) continue;
    bool folded = false;
    FOV_FORWARD(fov_fold_focus(graph, users, node));
    FOV_FORWARD(fold_constant_operand(graph, users, node));
    FOV_FORWARD(fov_fold_functions(users, node));
    if (node->removed) continue;
    FOV_FORWARD(fold_affine(users, node, &folded));
    if (!folded) fold_activation(users, node, gets_layouts);
  }
  return fov_status_ok;
}

fov_status fov_graph_fold(fov_graph *graph, bool gets_layouts, fov_diagnostic *diagnostic) {
  fov_graph_users users;
  FOV_FORWARD(fov_graph_users_create(graph, &users, diagnostic));
  drop_dead(graph, &users);
  fov_status status = fold_nodes(graph, &users, gets_layouts);
  // Functions that later nodes have completed.
  if (status == fov_status_ok) status = fold_nodes(graph, &users, gets_layouts);
  if (status == fov_status_ok) status = fov_fold_detection_heads(graph, &users);
  drop_dead(graph, &users);
  fov_graph_users_release(&users);
  return status == fov_status_ok ? status : fov_fail(diagnostic, status, "no memory for folding");
}
