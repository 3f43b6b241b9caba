// Fovea - packing: what moves into a convolution.
// SPDX-License-Identifier: Apache-2.0
#include <math.h>

#include "base/fov_alloc.h"
#include "graph/fov_packing.h"
#include "ops/fov_operation_table.h"

// A rule may only remove a value that one node reads and nobody outside:
//
//   pooling    convolution -> 2x2 maxima at a stride of 2: taken of the sums
//   residual   convolution -> sum with an earlier value: added before rounding
//   bounds     convolution or sum -> activation that only limits
//   table      convolution -> any function of one element: a look-up of the code
static fov_packing_node *plan_of(const fov_packing *packing, const fov_graph_node *node) {
  return &packing->nodes[node - packing->graph->nodes];
}

static fov_graph_node *sole_packed(const fov_packing *packing, uint32_t value,
                                   const fov_operation *operation) {
  fov_graph_node *producer = fov_graph_sole_producer(&packing->users, value);
  if (!producer || producer->operation != operation) return NULL;
  return plan_of(packing, producer)->packed ? producer : NULL;
}

// A convolution that nothing has been fused to yet.
static fov_graph_node *sole_convolution(const fov_packing *packing, uint32_t value) {
  fov_graph_node *producer = sole_packed(packing, value, &fov_operation_convolution);
  if (!producer) return NULL;
  const fov_packing_node *plan = plan_of(packing, producer);
  return plan->pools || plan->finish.has_residual || plan->finish.has_table ? NULL : producer;
}

static void absorb(fov_packing *packing, fov_graph_node *producer, fov_graph_node *node) {
  plan_of(packing, node)->packed = false;
  producer->output = node->output;
  fov_graph_users_move(&packing->users, node->output, producer);
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

static void fuse_pooling(fov_packing *packing, fov_graph_node *node) {
  if (node->operation != &fov_operation_pooling) return;
  fov_graph_node *producer = sole_convolution(packing, node->inputs[0]);
  if (!producer || fov_convolution_is_depthwise(producer->parameters)) return;
  if (fov_pack_is_words(packing, producer)) return;
  if (!is_halving(node->parameters, &packing->graph->values[node->inputs[0]].shape)) return;
  plan_of(packing, producer)->pools = true;
  absorb(packing, producer, node);
}

// Whether the convolution's result, called `result`, comes as codes from integer sums.
static bool writes_codes(const fov_packing *packing, const fov_graph_node *convolution,
                         uint32_t result) {
  return fov_pack_is_integer(packing, convolution) && packing->values[result].codes &&
         packing->values[convolution->inputs[0]].known;
}

// MARK: residual

// Both operands of integer convolutions are codes, or the sum is done in floats elsewhere.
static bool agree(const fov_packing *packing, const fov_graph_node *convolution, uint32_t other,
                  uint32_t sum) {
  if (!packing->options->integer) return true;
  return writes_codes(packing, convolution, sum) && packing->values[other].codes;
}

static bool is_written_before(const fov_packing *packing, uint32_t value,
                              const fov_graph_node *node) {
  const fov_graph_node *producer = packing->users.producers[value];
  return producer && producer < node;
}

static fov_status fuse_residual(fov_packing *packing, fov_graph_node *node) {
  if (node->operation != &fov_operation_binary) return fov_status_ok;
  for (size_t side = 2; side-- > 0;) {
    const uint32_t other = node->inputs[1 - side];
    fov_graph_node *producer = sole_convolution(packing, node->inputs[side]);
    if (!producer || other == node->inputs[side]) continue;
    if (!is_written_before(packing, other, producer)) continue;
    fov_packing_node *plan = plan_of(packing, producer);
    if (plan->finish.slope != 1.0f || isfinite(plan->finish.lowest) ||
        isfinite(plan->finish.highest) || !agree(packing, producer, other, node->output)) {
      continue;
    }
    uint32_t *inputs = fov_allocate_array(2, sizeof(uint32_t));
    if (!inputs) return fov_status_out_of_memory;
    inputs[0] = producer->inputs[0];
    inputs[1] = other;
    fov_release(producer->inputs);
    producer->inputs = inputs;
    producer->input_count = 2;
    plan->finish.has_residual = true;
    absorb(packing, producer, node);
    return fov_status_ok;
  }
  return fov_status_ok;
}

// MARK: bounds and tables

static bool fuse_bounds(fov_packing *packing, fov_graph_node *node) {
  fov_graph_node *producer = sole_packed(packing, node->inputs[0], &fov_operation_binary);
  if (!producer) {
    producer = sole_packed(packing, node->inputs[0], &fov_operation_convolution);
  }
  fov_packed_finish bounds;
  if (!producer || !fov_pack_finish(node->parameters, &bounds) || bounds.slope != 1.0f) {
    return false;
  }
  fov_packing_node *plan = plan_of(packing, producer);
  if (plan->finish.has_table) return false;
  // Bounds of what is bounded already: the ones behind win where the two do not meet.
  plan->finish.lowest = fminf(fmaxf(plan->finish.lowest, bounds.lowest), bounds.highest);
  plan->finish.highest = fmaxf(fminf(plan->finish.highest, bounds.highest), bounds.lowest);
  absorb(packing, producer, node);
  return true;
}

static void fuse_table(fov_packing *packing, fov_graph_node *node) {
  fov_graph_node *producer = sole_convolution(packing, node->inputs[0]);
  if (!producer || !writes_codes(packing, producer, node->output)) return;
  if (!packing->values[node->inputs[0]].known) return;
  fov_packing_node *plan = plan_of(packing, producer);
  plan->finish.has_table = true;
  plan->table = *(const fov_unary *)node->parameters;
  plan->before_table = node->inputs[0];
  absorb(packing, producer, node);
}

fov_status fov_pack_fuse(fov_packing *packing) {
  fov_graph *graph = packing->graph;
  for (size_t n = 0; n < graph->node_count; n++) {
    fov_graph_node *node = &graph->nodes[n];
    if (node->removed || !packing->nodes[n].packed) continue;
    if (node->operation == &fov_operation_unary) {
      if (!fuse_bounds(packing, node)) fuse_table(packing, node);
      continue;
    }
    fuse_pooling(packing, node);
    if (node->removed) continue;
    if (fuse_residual(packing, node) != fov_status_ok) {
      return fov_fail(packing->diagnostic, fov_status_out_of_memory, "no memory for packing");
    }
  }
  return fov_status_ok;
}
