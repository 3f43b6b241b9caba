// Fovea - reading a graph node by node.
// SPDX-License-Identifier: Apache-2.0
#include "fovea/spi/fov_graph_reading.h"

#include <string.h>

#include "fold/fov_fold.h"
#include "graph/fov_graph_types.h"
#include "ops/fov_convolution_parameters.h"
#include "ops/fov_op_channel_affine.h"
#include "ops/fov_op_detection.h"
#include "ops/fov_operation_table.h"
#include "weights/fov_weight_decode.h"

fov_status fov_graph_fold_for_reading(fov_graph *graph, fov_diagnostic *diagnostic) {
  return fov_graph_fold(graph, false, diagnostic);
}

// The node of this place among those that run.
static const fov_graph_node *find_node(const fov_graph *graph, size_t index) {
  for (size_t i = 0; i < graph->node_count; i++) {
    if (graph->nodes[i].removed) continue;
    if (index-- == 0) return &graph->nodes[i];
  }
  return NULL;
}

size_t fov_graph_reading_count(const fov_graph *graph) {
  size_t count = 0;
  for (size_t i = 0; i < graph->node_count; i++) count += !graph->nodes[i].removed;
  return count;
}

static const struct {
  const fov_operation *operation;
  fov_node_kind kind;
} kinds[] = {
    {&fov_operation_pixels, fov_node_kind_pixels},
    {&fov_operation_convolution, fov_node_kind_convolution},
    {&fov_operation_pooling, fov_node_kind_pooling},
    {&fov_operation_unary, fov_node_kind_unary},
    {&fov_operation_channel_affine, fov_node_kind_channel_affine},
    {&fov_operation_binary, fov_node_kind_binary},
    {&fov_operation_concat, fov_node_kind_concat},
    {&fov_operation_slice, fov_node_kind_slice},
    {&fov_operation_reshape, fov_node_kind_reshape},
    {&fov_operation_transpose, fov_node_kind_transpose},
    {&fov_operation_resize, fov_node_kind_resize},
    {&fov_operation_softmax, fov_node_kind_softmax},
    {&fov_operation_detection_confidence, fov_node_kind_detection_confidence},
    {&fov_operation_detection_coordinates, fov_node_kind_detection_coordinates},
};

static fov_node_kind kind_of(const fov_operation *operation) {
  for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
    if (kinds[i].operation == operation) return kinds[i].kind;
  }
  return fov_node_kind_other;
}

static void read_convolution(const fov_convolution_parameters *p, fov_node_reading *out) {
  out->convolution = p->convolution;
  out->input_channels = p->input_channels;
  out->has_activation = p->has_activation;
  out->unary = p->activation;
  out->bias = p->bias;
}

static void read_layout(const fov_detection_layout *layout, fov_node_reading *out) {
  out->labels = layout->classes;
  out->pixels_outermost = layout->pixels_outermost;
}

static void read_coordinates(const fov_detection_coordinates *p, fov_node_reading *out) {
  read_layout(&p->layout, out);
  out->has_squared_sizes = p->size == fov_detection_size_squared_sigmoid;
  out->center_scales = p->center_scales;
  out->terms = p->terms;
  out->row_count = p->row_count;
}

static void read_affine(const fov_channel_affine *p, fov_node_reading *out) {
  out->scale = p->scale;
  out->bias = p->bias;
}

static void read_parameters(const void *parameters, fov_node_reading *out) {
  switch (out->kind) {
    case fov_node_kind_pixels: out->pixels = *(const fov_pixels *)parameters; break;
    case fov_node_kind_convolution: read_convolution(parameters, out); break;
    case fov_node_kind_pooling: out->pooling = *(const fov_pooling *)parameters; break;
    case fov_node_kind_unary: out->unary = *(const fov_unary *)parameters; break;
    case fov_node_kind_channel_affine: read_affine(parameters, out); break;
    case fov_node_kind_binary: out->binary = *(const fov_binary_function *)parameters; break;
    case fov_node_kind_concat:
    case fov_node_kind_softmax: out->axis = *(const size_t *)parameters; break;
    case fov_node_kind_slice: out->slice = *(const fov_slice *)parameters; break;
    case fov_node_kind_reshape: out->shape = *(const fov_shape *)parameters; break;
    case fov_node_kind_transpose: memcpy(out->axes, parameters, sizeof out->axes); break;
    case fov_node_kind_resize: out->resize = *(const fov_resize *)parameters; break;
    case fov_node_kind_detection_confidence: read_layout(parameters, out); break;
    case fov_node_kind_detection_coordinates: read_coordinates(parameters, out); break;
    case fov_node_kind_other: break;
  }
}

fov_status fov_graph_read_node(const fov_graph *graph, size_t index,
                               fov_node_reading *out_reading) {
  const fov_graph_node *node = find_node(graph, index);
  if (!node) return fov_status_invalid_argument;
  *out_reading = (fov_node_reading){
      .kind = kind_of(node->operation),
      .operation = node->operation->name,
      .label = node->label ? node->label : "",
      .inputs = node->inputs,
      .input_count = node->input_count,
      .output = node->output,
  };
  read_parameters(node->parameters, out_reading);
  return fov_status_ok;
}

fov_status fov_graph_read_weights(const fov_graph *graph, size_t index, float *out_weights,
                                  size_t count) {
  const fov_graph_node *node = find_node(graph, index);
  if (!node || node->operation != &fov_operation_convolution) return fov_status_invalid_argument;
  const fov_weight_store *store = &((const fov_convolution_parameters *)node->parameters)->weights;
  if (count != store->rows * store->columns) return fov_status_invalid_argument;
  fov_weight_store_panel(store, 0, store->rows, 0, store->columns, out_weights);
  return fov_status_ok;
}

// Whether all weights have one table, or those of a row one scale.
static bool has_plain_parts(const fov_weight_store *store) {
  const fov_weight_parts *parts = &store->parts;
  if (store->encoding == fov_weight_encoding_float16) return true;
  if (parts->vector != 1 || parts->columns) return false;
  return store->encoding == fov_weight_encoding_linear ||
         (store->encoding == fov_weight_encoding_lookup_table && parts->numbers == parts->entries);
}

fov_status fov_graph_read_codes(const fov_graph *graph, size_t index, uint8_t *out_codes,
                                size_t count, fov_weights_reading *out_reading) {
  const fov_graph_node *node = find_node(graph, index);
  if (!node || node->operation != &fov_operation_convolution) return fov_status_invalid_argument;
  const fov_weight_store *store = &((const fov_convolution_parameters *)node->parameters)->weights;
  if (count != store->rows * store->columns) return fov_status_invalid_argument;
  *out_reading = (fov_weights_reading){.encoding = fov_weight_encoding_float32};
  if (!has_plain_parts(store)) return fov_status_ok;
  *out_reading = (fov_weights_reading){.encoding = store->encoding,
                                       .bits = store->bits,
                                       .rows = store->rows,
                                       .table = store->table,
                                       .scale = store->scale,
                                       .bias = store->bias,
                                       .scale_count = store->scale ? store->parts.numbers : 0,
                                       .factor = store->row_factor};
  if (store->encoding == fov_weight_encoding_float16) {
    memcpy(out_codes, store->codes, 2 * count);
  } else {
    fov_weight_codes(store, 0, count, out_codes);
  }
  return fov_status_ok;
}

fov_status fov_graph_read_value(const fov_graph *graph, uint32_t value,
                                fov_value_reading *out_reading) {
  if (value >= graph->value_count) return fov_status_invalid_argument;
  const fov_graph_value *found = &graph->values[value];
  *out_reading = (fov_value_reading){.shape = found->shape,
                                     .is_input = found->kind == fov_value_input,
                                     .constant = found->constant};
  return fov_status_ok;
}

size_t fov_graph_output_count(const fov_graph *graph) { return graph->output_count; }

fov_status fov_graph_read_output(const fov_graph *graph, size_t index, uint32_t *out_value,
                                 const char **out_name) {
  if (index >= graph->output_count) return fov_status_invalid_argument;
  *out_value = graph->outputs[index].value;
  *out_name = graph->outputs[index].name;
  return fov_status_ok;
}
