// Fovea - from nodes to the planner's records and back.
// SPDX-License-Identifier: Apache-2.0
#include "base/fov_alloc.h"
#include "base/fov_size.h"
#include "fovea/spi/fov_plan.h"
#include "session/fov_model_types.h"

// A step is a node. Inputs live from before the first step to the end, so that a session can run
// again on what it was given; outputs live to the end. Each node's workspace lives for its step.
typedef struct planning {
  const fov_model *model;
  fov_plan_block *blocks;  // values in the order in which they come about, then workspaces
  size_t *places;          // (values,): where in blocks a value stands
  size_t *roots;           // (values,): the block whose memory a value has in the end
  size_t *lasts;           // (values,): the last step at which a root's memory is in use
} planning;

// Whoever gave the value its format made sure that the bytes do not overflow. A view has none of
// its own.
static size_t value_bytes(const fov_graph_value *value) {
  size_t bytes = 0;
  return !value->is_view && fov_format_bytes(&value->format, &value->shape, value->type, &bytes)
             ? bytes
             : 0;
}

static fov_plan_block *block_of(const planning *plan, size_t value) {
  return &plan->blocks[plan->places[value]];
}

// What is there from the start comes first, then the results of nodes as they run.
static void set_places(planning *plan) {
  const fov_graph *graph = plan->model->graph;
  size_t place = graph->value_count;
  for (size_t v = 0; v < graph->value_count; v++) plan->places[v] = SIZE_MAX;
  for (size_t n = graph->node_count; n-- > 0;) plan->places[graph->nodes[n].output] = --place;
  for (size_t v = graph->value_count; v-- > 0;) {
    if (plan->places[v] == SIZE_MAX) plan->places[v] = --place;
  }
}

static void set_lives(planning *plan) {
  const fov_graph *graph = plan->model->graph;
  const size_t steps = graph->node_count;
  for (size_t v = 0; v < graph->value_count; v++) {
    const fov_graph_value *value = &graph->values[v];
    fov_plan_block *block = block_of(plan, v);
    *block = (fov_plan_block){.shares = FOV_PLAN_NONE};
    if (value->kind == fov_value_input) {
      block->bytes = value_bytes(value);
      block->last = steps;
    }
  }
  for (size_t n = 0; n < graph->node_count; n++) {
    const fov_graph_node *node = &graph->nodes[n];
    fov_plan_block *block = block_of(plan, node->output);
    block->bytes = value_bytes(&graph->values[node->output]);
    block->first = block->last = n;
    for (size_t k = 0; k < node->input_count; k++) {
      fov_plan_block *input = block_of(plan, node->inputs[k]);
      input->last = fov_size_max(input->last, n);
    }
  }
  for (size_t i = 0; i < graph->output_count; i++) {
    block_of(plan, graph->outputs[i].value)->last = steps;
  }
}

// What views are written into lives from the first of them to the last reader of any.
static void join_views(planning *plan) {
  const fov_graph *graph = plan->model->graph;
  for (size_t v = 0; v < graph->value_count; v++) {
    if (!graph->values[v].is_view) continue;
    const fov_plan_block *part = block_of(plan, v);
    fov_plan_block *whole = block_of(plan, graph->values[v].view_of);
    whole->first = fov_size_min(whole->first, part->first);
    whole->last = fov_size_max(whole->last, part->last);
  }
}

static bool is_like(const fov_graph_value *a, const fov_graph_value *b) {
  const fov_format *x = &a->format, *y = &b->format;
  return !a->is_view && !b->is_view && a->type == b->type && x->arrangement == y->arrangement &&
         x->measured == y->measured && x->pixel == y->pixel && x->top == y->top &&
         x->left == y->left && x->bottom == y->bottom && x->right == y->right;
}

// Lets a result continue its first input's memory: always for an alias, which changes nothing; for
// an operation that works in place only when nobody reads that memory afterwards.
static void share_memory(planning *plan) {
  const fov_graph *graph = plan->model->graph;
  for (size_t v = 0; v < graph->value_count; v++) {
    plan->roots[v] = v;
    plan->lasts[v] = block_of(plan, v)->last;
  }
  for (size_t n = 0; n < graph->node_count; n++) {
    const fov_graph_node *node = &graph->nodes[n];
    const size_t input = node->inputs[0];
    const size_t root = plan->roots[input];
    if (graph->values[input].kind == fov_value_constant) continue;
    fov_plan_block *output = block_of(plan, node->output);
    if (block_of(plan, input)->bytes != output->bytes) continue;
    if (!is_like(&graph->values[input], &graph->values[node->output])) continue;
    const bool in_place = node->operation->in_place && plan->lasts[root] == n;
    if (!node->operation->alias && !in_place) continue;
    output->shares = plan->places[input];
    plan->roots[node->output] = root;
    plan->lasts[root] = fov_size_max(plan->lasts[root], output->last);
  }
}

static fov_status add_workspaces(fov_model *model, fov_plan_block *blocks,
                                 fov_diagnostic *diagnostic) {
  const fov_graph *graph = model->graph;
  fov_shape *shapes = NULL;
  for (size_t n = 0; n < graph->node_count; n++) {
    const fov_graph_node *node = &graph->nodes[n];
    blocks[n] = (fov_plan_block){.first = n, .last = n, .shares = FOV_PLAN_NONE};
    if (!node->operation->workspace) continue;
    fov_release(shapes);
    shapes = fov_allocate_array(node->input_count, sizeof(fov_shape));
    if (!shapes) return fov_fail(diagnostic, fov_status_out_of_memory, "no memory for the plan");
    for (size_t k = 0; k < node->input_count; k++) {
      shapes[k] = graph->values[node->inputs[k]].shape;
    }
    const fov_workspace_request request = {
        .inputs = shapes,
        .output = &graph->values[node->output].shape,
        .backend = model->options.backend,
        .slots = model->options.thread_count,
        .kernels = &model->kernels,
    };
    const fov_status status =
        node->operation->workspace(node->parameters, &request, &blocks[n].bytes);
    if (status != fov_status_ok) {
      fov_release(shapes);
      return fov_fail(diagnostic, status, "the workspace of %s \"%s\" overflows",
                      node->operation->name, node->label);
    }
    model->memory.workspace_bytes = fov_size_max(model->memory.workspace_bytes, blocks[n].bytes);
  }
  fov_release(shapes);
  return fov_status_ok;
}

static void take_offsets(fov_model *model, const planning *plan) {
  const fov_graph *graph = model->graph;
  for (size_t v = 0; v < graph->value_count; v++) {
    const fov_graph_value *value = &graph->values[v];
    const fov_plan_block *block = block_of(plan, value->is_view ? value->view_of : v);
    model->value_offsets[v] = block->bytes ? block->offset : FOV_NOWHERE;
    model->value_bytes[v] = value->is_view ? 0 : block->bytes;
    model->value_lasts[v] = block_of(plan, v)->last;
  }
  for (size_t n = 0; n < graph->node_count; n++) {
    const fov_plan_block *block = &plan->blocks[graph->value_count + n];
    model->workspace_bytes[n] = block->bytes;
    model->workspace_offsets[n] = block->bytes ? block->offset : FOV_NOWHERE;
  }
}

static fov_status plan_blocks(fov_model *model, planning *plan, fov_diagnostic *diagnostic) {
  const fov_graph *graph = model->graph;
  set_places(plan);
  set_lives(plan);
  join_views(plan);
  share_memory(plan);
  FOV_FORWARD(add_workspaces(model, plan->blocks + graph->value_count, diagnostic));
  const fov_status status = fov_plan_blocks(plan->blocks, graph->value_count + graph->node_count,
                                            &model->memory.arena_bytes);
  if (status != fov_status_ok) {
    return fov_fail(diagnostic, status, "the arena cannot be planned: %s", fov_status_name(status));
  }
  take_offsets(model, plan);
  return fov_status_ok;
}

fov_status fov_model_plan(fov_model *model, fov_diagnostic *diagnostic) {
  const size_t values = model->graph->value_count;
  const size_t nodes = model->graph->node_count;
  planning plan = {
      .model = model,
      .blocks = fov_allocate_array(values + nodes, sizeof(fov_plan_block)),
      .places = fov_allocate_array(values, sizeof(size_t)),
      .roots = fov_allocate_array(values, sizeof(size_t)),
      .lasts = fov_allocate_array(values, sizeof(size_t)),
  };
  fov_status status = fov_status_ok;
  if (!plan.blocks || !plan.places || !plan.roots || !plan.lasts) {
    status = fov_fail(diagnostic, fov_status_out_of_memory, "no memory for the plan");
  } else {
    status = plan_blocks(model, &plan, diagnostic);
  }
  fov_release(plan.blocks);
  fov_release(plan.places);
  fov_release(plan.roots);
  fov_release(plan.lasts);
  return status;
}
