// Fovea - folding rules of functions of one element.
// SPDX-License-Identifier: Apache-2.0
#include "fold/fov_fold_functions.h"

#include <math.h>

#include "base/fov_alloc.h"
#include "ops/fov_op_unary.h"
#include "ops/fov_operation_table.h"

static fov_unary *unary_of(const fov_graph_node *node) {
  return node && node->operation == &fov_operation_unary ? node->parameters : NULL;
}

static bool is_product(const fov_graph_node *node) {
  return node && node->operation == &fov_operation_binary &&
         *(const fov_binary_function *)node->parameters == fov_binary_multiply;
}

// What a node multiplies its first input by, if it does nothing else; 0 for other nodes. Divisors
// count where what is divided was just a product, so that no whole numbers are meant.
static float factor_of(const fov_graph_users *users, const fov_graph_node *node) {
  const fov_unary *unary = unary_of(node);
  if (unary && unary->function == fov_unary_linear && unary->beta == 0.0f) return unary->alpha;
  if (!node || node->operation != &fov_operation_binary ||
      *(const fov_binary_function *)node->parameters != fov_binary_divide) {
    return 0.0f;
  }
  const fov_graph_value *values = users->graph->values, *divisor = &values[node->inputs[1]];
  const bool is_number =
      divisor->kind == fov_value_constant && fov_shape_count(&divisor->shape) == 1 &&
      fov_shape_equal(&values[node->inputs[0]].shape, &values[node->output].shape);
  const float factor = is_number ? 1.0f / divisor->constant[0] : 0.0f;
  return isfinite(factor) ? factor : 0.0f;
}

// MARK: gates

// What x is multiplied by: `function` is x * gate(x) / factor.
typedef struct gate {
  fov_unary function;
  float factor;
} gate;

// SiLU, or its like of straight lines.
static bool find_gated(const fov_unary *unary, gate *out_gate) {
  *out_gate = (gate){{.function = fov_unary_silu}, 1.0f};
  if (unary->function == fov_unary_sigmoid) return true;
  out_gate->function =
      (fov_unary){.function = fov_unary_hard_silu, .alpha = unary->alpha, .beta = -INFINITY};
  return unary->function == fov_unary_hard_sigmoid && unary->beta == 0.5f;
}

// In files with codes, a sigmoid whose results are rounded.
static bool find_coded(const fov_graph_users *users, const fov_graph_node *node, uint32_t gated,
                       gate *out_gate) {
  const fov_graph_node *sigmoid = fov_graph_sole_producer(users, node->inputs[0]);
  *out_gate = (gate){*unary_of(node), 1.0f};
  out_gate->function.function = fov_unary_coded_silu;
  return fov_unary_is_quantized(unary_of(node)) && unary_of(sigmoid) &&
         sigmoid->inputs[0] == gated && unary_of(sigmoid)->function == fov_unary_sigmoid;
}

// min(max(a x + h / 2, 0), h), which is h times a hard sigmoid.
static bool find_bounded(const fov_graph_users *users, const fov_graph_node *node, uint32_t gated,
                         gate *out_gate) {
  const fov_unary *clip = unary_of(node);
  if (clip->function != fov_unary_clip || clip->alpha != 0.0f) return false;
  const fov_graph_node *before = fov_graph_sole_producer(users, node->inputs[0]);
  const fov_unary *linear = unary_of(before);
  if (!linear || linear->function != fov_unary_linear || before->inputs[0] != gated) return false;
  const float height = clip->beta, slope = linear->alpha / height;
  *out_gate = (gate){{.function = fov_unary_hard_silu, .alpha = slope, .beta = -INFINITY}, height};
  return height > 0.0f && isfinite(slope) && slope > 0.0f && linear->beta / height == 0.5f;
}

// The gate of the value `gated` at the end of `node`, which nothing else reads.
static bool find_gate(const fov_graph_users *users, const fov_graph_node *node, uint32_t gated,
                      gate *out_gate) {
  const fov_unary *unary = unary_of(node);
  if (unary && node->inputs[0] == gated) return find_gated(unary, out_gate);
  if (unary && find_coded(users, node, gated, out_gate)) return true;
  if (unary && find_bounded(users, node, gated, out_gate)) return true;
  const float factor = factor_of(users, node);
  const fov_graph_node *clip =
      factor != 0.0f ? fov_graph_sole_producer(users, node->inputs[0]) : NULL;
  if (!unary_of(clip) || !find_bounded(users, clip, gated, out_gate)) return false;
  out_gate->factor *= factor;
  return true;
}

// The operand of a product whose gate is the other one; its number of inputs where there is none.
static size_t find_gated_operand(const fov_graph_users *users, const fov_graph_node *node,
                                 gate *out_gate) {
  for (size_t side = 0; is_product(node) && side < 2; side++) {
    const fov_graph_node *gate = fov_graph_sole_producer(users, node->inputs[1 - side]);
    if (find_gate(users, gate, node->inputs[side], out_gate)) return side;
  }
  return node->input_count;
}

// Removes the functions between `value`, which nothing else reads, and `end`.
static void remove_functions(fov_graph_users *users, uint32_t value, uint32_t end) {
  while (value != end) {
    fov_graph_node *node = fov_graph_sole_producer(users, value);
    for (size_t k = 1; k < node->input_count; k++) fov_graph_users_remove(users, node->inputs[k]);
    fov_graph_users_remove(users, value);
    value = node->inputs[0];
    fov_graph_node_release(node);
  }
  fov_graph_users_remove(users, end);
}

static fov_status replace_product(fov_graph_users *users, fov_graph_node *node, size_t side,
                                  const fov_unary *function) {
  const uint32_t gated = node->inputs[side], gate = node->inputs[1 - side];
  if (!fov_graph_node_replace(node, &fov_operation_unary,
                              fov_allocate_copy(function, sizeof *function))) {
    return fov_status_out_of_memory;
  }
  remove_functions(users, gate, gated);
  node->inputs[0] = gated;
  node->input_count = 1;
  return fov_status_ok;
}

// Makes a product of a value and a function of it one function.
static fov_status fold_gate(fov_graph_users *users, fov_graph_node *node) {
  gate gate;
  const size_t side = find_gated_operand(users, node, &gate);
  if (side == node->input_count || gate.factor != 1.0f) return fov_status_ok;
  return replace_product(users, node, side, &gate.function);
}

// Makes a division by a number a product.
static fov_status make_linear(fov_graph_users *users, fov_graph_node *node, float factor) {
  const fov_unary linear = {.function = fov_unary_linear, .alpha = factor};
  const uint32_t divisor = node->inputs[1];
  if (!fov_graph_node_replace(node, &fov_operation_unary,
                              fov_allocate_copy(&linear, sizeof linear))) {
    return fov_status_out_of_memory;
  }
  fov_graph_users_remove(users, divisor);
  node->input_count = 1;
  return fov_status_ok;
}

static bool is_linear(const fov_graph_node *node) {
  return unary_of(node) && unary_of(node)->function == fov_unary_linear;
}

// The same for a product whose factor the linear function or the division behind it takes.
static fov_status fold_scaled_gate(fov_graph_users *users, fov_graph_node *node) {
  const float factor = is_linear(node) ? unary_of(node)->alpha : factor_of(users, node);
  fov_graph_node *product = fov_graph_sole_producer(users, node->inputs[0]);
  if (factor == 0.0f || !product) return fov_status_ok;
  gate gate;
  const size_t side = find_gated_operand(users, product, &gate);
  if (side == product->input_count || !isfinite(factor * gate.factor)) return fov_status_ok;
  if (!is_linear(node)) FOV_FORWARD(make_linear(users, node, factor));
  unary_of(node)->alpha = factor * gate.factor;
  return replace_product(users, product, side, &gate.function);
}

// Exports of hard SiLU first put 0 for what is below a threshold, where the function is 0 as well.
static void fold_threshold(fov_graph_users *users, fov_graph_node *node) {
  fov_unary *unary = unary_of(node);
  if (!unary || unary->function != fov_unary_hard_silu) return;
  fov_graph_node *producer = fov_graph_sole_producer(users, node->inputs[0]);
  const fov_unary *threshold = unary_of(producer);
  if (!threshold || threshold->function != fov_unary_thresholded_relu) return;
  unary->beta = fmaxf(unary->beta, threshold->alpha);
  node->inputs[0] = producer->inputs[0];
  fov_graph_users_remove(users, producer->output);
  fov_graph_node_release(producer);
}

// MARK: linear functions

// Makes two linear functions one.
static void fold_linear(fov_graph_users *users, fov_graph_node *node) {
  fov_graph_node *producer = fov_graph_sole_producer(users, node->inputs[0]);
  if (!is_linear(node) || !is_linear(producer)) return;
  fov_unary *unary = unary_of(node);
  const fov_unary *before = unary_of(producer);
  const fov_unary both = {.function = fov_unary_linear,
                          .alpha = unary->alpha * before->alpha,
                          .beta = unary->alpha * before->beta + unary->beta};
  if (!isfinite(both.alpha) || !isfinite(both.beta)) return;
  *unary = both;
  node->inputs[0] = producer->inputs[0];
  fov_graph_users_remove(users, producer->output);
  fov_graph_node_release(producer);
}

// Removes a function that gives what it is given. The node before it writes its result.
static void fold_identity(fov_graph_users *users, fov_graph_node *node) {
  if (!is_linear(node) || unary_of(node)->alpha != 1.0f || unary_of(node)->beta != 0.0f) return;
  fov_graph_node *producer = fov_graph_sole_producer(users, node->inputs[0]);
  if (!producer) return;
  producer->output = node->output;
  fov_graph_users_move(users, node->output, producer);
  fov_graph_node_release(node);
}

fov_status fov_fold_functions(fov_graph_users *users, fov_graph_node *node) {
  FOV_FORWARD(fold_gate(users, node));
  FOV_FORWARD(fold_scaled_gate(users, node));
  fold_threshold(users, node);
  fold_linear(users, node);
  fold_identity(users, node);
  return fov_status_ok;
}
