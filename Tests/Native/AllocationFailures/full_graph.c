// Fovea - a graph of as many values as there may be, which packing cannot add any to.
// SPDX-License-Identifier: Apache-2.0
#include "full_graph.h"

#include <stdio.h>

#include "failing_memory.h"
#include "fovea/core/fov_core.h"
#include "graph/fov_graph_types.h"

// Activations of planes and, last, a convolution, whose input has to be packed.
static fov_status build(fov_graph *graph, fov_diagnostic *diagnostic) {
  static const float weight = 1.0f;
  const fov_shape shape = {.rank = 4, .dims = {1, 1, 4, 4}};
  const fov_unary relu = {.function = fov_unary_relu};
  const fov_convolution convolution = {
      .output_channels = 1, .groups = 1, .kernel = {1, 1}, .stride = {1, 1}, .dilation = {1, 1}};
  const fov_weights weights = {
      .encoding = fov_weight_encoding_float32, .data = &weight, .data_bytes = sizeof weight};
  fov_value value;
  FOV_FORWARD(
      fov_graph_add_input(graph, "plane", fov_data_type_float32, &shape, &value, diagnostic));
  for (size_t i = 0; i < FOV_MAXIMUM_VALUES - 2; i++) {
    FOV_FORWARD(fov_graph_add_unary(graph, &relu, value, &value, diagnostic));
  }
  FOV_FORWARD(
      fov_graph_add_convolution(graph, &convolution, &weights, NULL, value, &value, diagnostic));
  return fov_graph_mark_output(graph, value, "result", diagnostic);
}

bool full_graph_is_refused(void) {
  fov_model_options options = fov_model_options_default();
  options.backend = fov_backend_float32;
  fov_diagnostic diagnostic = {""};
  fov_graph *graph = NULL;
  fov_model *model = NULL;
  fault_begin(fault_none, 0);
  fov_status status = fov_graph_create(&graph);
  if (status == fov_status_ok) status = build(graph, &diagnostic);
  if (status == fov_status_ok) {
    status = fov_model_create(graph, &options, &model, &diagnostic);
  } else {
    fov_graph_destroy(graph);
  }
  fov_model_destroy(model);
  const bool is_refused =
      status == fov_status_unsupported && diagnostic.message[0] != 0 && fault_live() == 0;
  if (!is_refused) {
    fprintf(stderr, "full graph: %s, with the words \"%s\"\n", fov_status_name(status),
            diagnostic.message);
  }
  return is_refused;
}
