// Fovea - finishing a graph: fold, drop what is not needed, plan, freeze.
// SPDX-License-Identifier: Apache-2.0
#include <math.h>
#include <string.h>

#include "base/fov_alloc.h"
#include "base/fov_size.h"
#include "channels_last/fov_range.h"
#include "equalize/fov_equalize.h"
#include "fold/fov_fold.h"
#include "fovea/core/fov_pool.h"
#include "kernels/fov_gemm.h"
#include "layout/fov_layout_pass.h"
#include "ops/fov_convolution_parameters.h"
#include "ops/fov_op_unary.h"
#include "ops/fov_operation_table.h"
#include "session/fov_model_types.h"

// Each thread has workspace of its own; more than this is no gain for networks this small.
#define MAXIMUM_DEFAULT_THREADS 8
#define MAXIMUM_THREADS 1024

fov_model_options fov_model_options_default(void) {
  return (fov_model_options){.struct_size = sizeof(fov_model_options),
                             .backend = fov_backend_float32,
                             .uses_winograd = true};
}

static bool uses_channels_last(fov_backend backend) {
  return backend == fov_backend_float32 || backend == fov_backend_int8;
}

fov_status fov_model_check_options(const fov_model_options *options, fov_diagnostic *diagnostic) {
  if (options->struct_size != sizeof(fov_model_options)) {
    return fov_fail(diagnostic, fov_status_invalid_argument,
                    "options of %u bytes, expected %zu: start from fov_model_options_default()",
                    options->struct_size, sizeof(fov_model_options));
  }
  if ((size_t)options->backend > fov_backend_int8) {
    return fov_fail(diagnostic, fov_status_unsupported, "unknown backend");
  }
  if (options->keep_all_nodes && uses_channels_last(options->backend)) {
    return fov_fail(diagnostic, fov_status_unsupported,
                    "all layers are kept by the backends reference and blas only");
  }
  if (options->records_ranges && (!uses_channels_last(options->backend) || options->ranges)) {
    return fov_fail(diagnostic, fov_status_unsupported,
                    "ranges are measured in float32, or in int8 without any");
  }
  if ((options->float_layer_count > 0 && !options->float_layers) ||
      (options->int16_layer_count > 0 && !options->int16_layers)) {
    return fov_fail(diagnostic, fov_status_invalid_argument,
                    "labels of layers are counted, but there is no list of them");
  }
  if (options->thread_count > MAXIMUM_THREADS) {
    return fov_fail(diagnostic, fov_status_invalid_argument, "more than %d threads",
                    MAXIMUM_THREADS);
  }
  return fov_status_ok;
}

// Closes the gaps that folding left between nodes.
static void compact(fov_graph *graph) {
  size_t kept = 0;
  for (size_t i = 0; i < graph->node_count; i++) {
    if (!graph->nodes[i].removed) graph->nodes[kept++] = graph->nodes[i];
  }
  graph->node_count = kept;
}

// Frees constants that only removed nodes read.
static fov_status drop_constants(fov_graph *graph) {
  bool *read = fov_allocate_array(graph->value_count, sizeof(bool));
  if (!read) return fov_status_out_of_memory;
  for (size_t i = 0; i < graph->node_count; i++) {
    for (size_t k = 0; k < graph->nodes[i].input_count; k++) {
      read[graph->nodes[i].inputs[k]] = true;
    }
  }
  for (size_t i = 0; i < graph->output_count; i++) read[graph->outputs[i].value] = true;
  for (size_t v = 0; v < graph->value_count; v++) {
    if (read[v]) continue;
    fov_graph_release_constant(&graph->values[v]);
  }
  fov_release(read);
  return fov_status_ok;
}

static fov_status collect_inputs(fov_model *model, fov_diagnostic *diagnostic) {
  const fov_graph *graph = model->graph;
  for (size_t v = 0; v < graph->value_count; v++) {
    if (graph->values[v].kind == fov_value_input) model->inputs[model->input_count++] = (uint32_t)v;
  }
  if (model->input_count == 0) {
    return fov_fail(diagnostic, fov_status_invalid_graph, "the graph has no input");
  }
  return fov_status_ok;
}

static void measure_weights(fov_model *model) {
  const fov_graph *graph = model->graph;
  for (size_t n = 0; n < graph->node_count; n++) {
    const fov_graph_node *node = &graph->nodes[n];
    model->node_input_count += node->input_count;
    if (node->operation->weight_bytes) {
      model->memory.weight_bytes += node->operation->weight_bytes(node->parameters);
    }
  }
  for (size_t v = 0; v < graph->value_count; v++) {
    if (graph->values[v].constant) {
      model->memory.weight_bytes += fov_shape_count(&graph->values[v].shape) * sizeof(float);
    }
  }
}

fov_status fov_model_find_kernels(fov_model *model, fov_diagnostic *diagnostic) {
  const fov_instruction_set set = model->options.instruction_set;
  const fov_kernel_set *kernels = fov_kernel_set_find(set);
  if (!kernels) {
    const char *name = fov_instruction_set_name(set);
    return fov_fail(diagnostic, fov_status_unsupported, "this processor has no instruction set %s",
                    name ? name : "of that number");
  }
  model->kernels = *kernels;
  if (!model->options.uses_winograd) {
    model->kernels.int8_winograd = NULL;
    model->kernels.float_winograd = NULL;
  }
  return fov_status_ok;
}

// Numbers the channels of all values, whose ranges are kept apart.
static fov_status number_ranges(fov_model *model, fov_diagnostic *diagnostic) {
  const fov_graph *graph = model->graph;
  model->first_ranges = fov_allocate_array(graph->value_count + 1, sizeof(size_t));
  if (!model->first_ranges) {
    return fov_fail(diagnostic, fov_status_out_of_memory, "no memory for a model");
  }
  model->measured_count = graph->value_count;
  for (size_t v = 0; v < graph->value_count; v++) {
    const size_t channels = fov_range_channels(&graph->values[v].shape);
    if (!fov_size_add(model->first_ranges[v], channels, &model->first_ranges[v + 1])) {
      return fov_fail(diagnostic, fov_status_overflow, "the number of channels overflows");
    }
  }
  model->range_count = model->first_ranges[graph->value_count];
  return fov_status_ok;
}

static fov_status pack_with(fov_model *model, const fov_channel_summary *channels,
                            const size_t *first, fov_diagnostic *diagnostic) {
  const fov_model_options *options = &model->options;
  const fov_layout_options packing = {
      .integer = options->backend == fov_backend_int8,
      .fuses = !options->records_ranges,
      .keeps_codes = options->keeps_codes,
      .channels = channels,
      .first = first,
      .dynamic_ranges = options->dynamic_ranges,
      .float_layers = options->float_layers,
      .float_layer_count = options->float_layer_count,
      .int16_layers = options->int16_layers,
      .int16_layer_count = options->int16_layer_count,
      .float_sums = options->float_sums,
  };
  return fov_graph_assign_layouts(model->graph, &packing, diagnostic);
}

// Numbers the channels of all values of an equalized graph. Those of new values have no ranges.
static fov_status number_all(const fov_model *model, const fov_channel_summary *channels,
                             size_t **out_first, fov_channel_summary **out_channels) {
  const fov_graph *graph = model->graph;
  size_t count = model->range_count;
  size_t *first = fov_allocate_array(graph->value_count + 1, sizeof(size_t));
  if (!first) return fov_status_out_of_memory;
  memcpy(first, model->first_ranges, (model->measured_count + 1) * sizeof(size_t));
  for (size_t v = model->measured_count; v < graph->value_count; v++) {
    if (!fov_size_add(count, fov_range_channels(&graph->values[v].shape), &count)) {
      return fov_status_overflow;
    }
    first[v + 1] = count;
  }
  fov_channel_summary *all = fov_allocate_array(count, sizeof *all);
  *out_first = first;
  *out_channels = all;
  if (!all) return fov_status_out_of_memory;
  memcpy(all, channels, model->range_count * sizeof *all);
  for (size_t c = model->range_count; c < count; c++) {
    all[c] = (fov_channel_summary){.low = INFINITY, .high = -INFINITY};
  }
  return fov_status_ok;
}

static fov_status pack_equalized(fov_model *model, const fov_channel_summary *channels,
                                 fov_diagnostic *diagnostic) {
  size_t *first = NULL;
  fov_channel_summary *all = NULL;
  fov_status status = number_all(model, channels, &first, &all);
  status = status == fov_status_ok ? pack_with(model, all, first, diagnostic)
                                   : fov_fail(diagnostic, status, "no memory for ranges");
  fov_release(first);
  fov_release(all);
  return status;
}

// Equalizing changes the ranges: those of the options are the caller's.
static fov_status pack_calibrated(fov_model *model, fov_diagnostic *diagnostic) {
  if (model->options.observes_nodes) {
    model->divisors = fov_allocate_array(model->range_count, sizeof(float));
    if (!model->divisors) {
      return fov_fail(diagnostic, fov_status_out_of_memory, "no memory for a model");
    }
  }
  fov_channel_summary *channels = fov_allocate_array(model->range_count, sizeof *channels);
  if (!channels) return fov_fail(diagnostic, fov_status_out_of_memory, "no memory for ranges");
  memcpy(channels, model->options.ranges, model->range_count * sizeof *channels);
  fov_status status =
      fov_graph_equalize(model->graph, model->first_ranges, channels, model->divisors, diagnostic);
  if (status == fov_status_ok) status = pack_equalized(model, channels, diagnostic);
  fov_release(channels);
  return status;
}

static fov_status pack(fov_model *model, fov_diagnostic *diagnostic) {
  const fov_model_options *options = &model->options;
  if (options->ranges && options->range_count != model->range_count) {
    return fov_fail(diagnostic, fov_status_invalid_argument,
                    "%zu ranges for a model of %zu channels: they were measured on another one",
                    options->range_count, model->range_count);
  }
  const bool calibrated = options->backend == fov_backend_int8 && options->ranges &&
                          !fov_graph_gives_codes(model->graph);
  const fov_status status = calibrated ? pack_calibrated(model, diagnostic)
                                       : pack_with(model, NULL, model->first_ranges, diagnostic);
  model->options.ranges = NULL;
  model->options.float_layers = NULL;
  model->options.float_layer_count = 0;
  model->options.int16_layers = NULL;
  model->options.int16_layer_count = 0;
  return status;
}

fov_status fov_model_freeze(fov_model *model, fov_diagnostic *diagnostic) {
  const fov_graph *graph = model->graph;
  if (graph->output_count == 0) {
    return fov_fail(diagnostic, fov_status_invalid_graph, "the graph has no output");
  }
  if (model->options.thread_count == 0) {
    model->options.thread_count =
        fov_size_min(fov_pool_default_thread_count(), MAXIMUM_DEFAULT_THREADS);
  }
  model->value_offsets = fov_allocate_array(graph->value_count, sizeof(size_t));
  model->value_bytes = fov_allocate_array(graph->value_count, sizeof(size_t));
  model->value_lasts = fov_allocate_array(graph->value_count, sizeof(size_t));
  model->workspace_offsets = fov_allocate_array(graph->node_count, sizeof(size_t));
  model->workspace_bytes = fov_allocate_array(graph->node_count, sizeof(size_t));
  model->inputs = fov_allocate_array(graph->value_count, sizeof(uint32_t));
  if (!model->value_offsets || !model->value_bytes || !model->value_lasts ||
      !model->workspace_offsets || !model->workspace_bytes || !model->inputs) {
    return fov_fail(diagnostic, fov_status_out_of_memory, "no memory for a model");
  }
  FOV_FORWARD(collect_inputs(model, diagnostic));
  measure_weights(model);
  FOV_FORWARD(fov_model_plan(model, diagnostic));
  const fov_status status = fov_session_bytes(model, &model->memory.session_bytes);
  return status == fov_status_ok ? status
                                 : fov_fail(diagnostic, status, "the size of a session overflows");
}

static fov_status build(fov_model *model, fov_diagnostic *diagnostic) {
  fov_graph *graph = model->graph;
  FOV_FORWARD(fov_model_check_options(&model->options, diagnostic));
  FOV_FORWARD(fov_model_find_kernels(model, diagnostic));
  if (graph->output_count == 0) {
    return fov_fail(diagnostic, fov_status_invalid_graph, "the graph has no output");
  }
  const bool packs = uses_channels_last(model->options.backend);
  FOV_FORWARD(model->options.keep_all_nodes ? fov_graph_drop_dead(graph, diagnostic)
                                            : fov_graph_fold(graph, packs, diagnostic));
  compact(graph);
  FOV_FORWARD(number_ranges(model, diagnostic));
  if (packs) FOV_FORWARD(pack(model, diagnostic));
  if (drop_constants(graph) != fov_status_ok) {
    return fov_fail(diagnostic, fov_status_out_of_memory, "no memory for a model");
  }
  if (model->options.backend == fov_backend_blas) fov_gemm_prepare();
  return fov_model_freeze(model, diagnostic);
}

fov_status fov_model_create(fov_graph *graph, const fov_model_options *options,
                            fov_model **out_model, fov_diagnostic *diagnostic) {
  *out_model = NULL;
  fov_model *model = fov_allocate(sizeof *model);
  if (!model) {
    fov_graph_destroy(graph);
    return fov_fail(diagnostic, fov_status_out_of_memory, "no memory for a model");
  }
  model->graph = graph;
  model->options = *options;
  const fov_status status = build(model, diagnostic);
  if (status != fov_status_ok) {
    fov_model_destroy(model);
    return status;
  }
  *out_model = model;
  return fov_status_ok;
}

void fov_model_destroy(fov_model *model) {
  if (!model) return;
  fov_graph_destroy(model->graph);
  fov_release(model->first_ranges);
  fov_release(model->divisors);
  fov_release(model->value_offsets);
  fov_release(model->value_bytes);
  fov_release(model->value_lasts);
  fov_release(model->workspace_offsets);
  fov_release(model->workspace_bytes);
  fov_release(model->inputs);
  fov_release(model);
}
