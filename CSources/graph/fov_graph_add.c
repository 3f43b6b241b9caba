// Fovea - one function for each operation that a graph can hold.
// SPDX-License-Identifier: Apache-2.0
#include "base/fov_alloc.h"
#include "graph/fov_graph_types.h"
#include "ops/fov_convolution_parameters.h"
#include "ops/fov_op_channel_affine.h"
#include "ops/fov_operation_table.h"

// A node with a copy of plain parameters.
static fov_status add_plain(fov_graph *graph, const fov_operation *operation,
                            const void *parameters, size_t bytes, const fov_value *inputs,
                            size_t input_count, fov_value *out_value, fov_diagnostic *diagnostic) {
  return fov_graph_add_node(graph, operation, fov_allocate_copy(parameters, bytes), inputs,
                            input_count, out_value, diagnostic);
}

// Operations whose parameters are a plain structure, with one input or two.
#define ADD_PLAIN(noun, type)                                                                 \
  fov_status fov_graph_add_##noun(fov_graph *graph, const type *parameters, fov_value input,  \
                                  fov_value *out_value, fov_diagnostic *diagnostic) {         \
    return add_plain(graph, &fov_operation_##noun, parameters, sizeof *parameters, &input, 1, \
                     out_value, diagnostic);                                                  \
  }

#define ADD_PLAIN_OF_TWO(noun, type)                                                          \
  fov_status fov_graph_add_##noun(fov_graph *graph, const type *parameters, fov_value first,  \
                                  fov_value second, fov_value *out_value,                     \
                                  fov_diagnostic *diagnostic) {                               \
    const fov_value inputs[2] = {first, second};                                              \
    return add_plain(graph, &fov_operation_##noun, parameters, sizeof *parameters, inputs, 2, \
                     out_value, diagnostic);                                                  \
  }

ADD_PLAIN(pixels, fov_pixels)
ADD_PLAIN(pooling, fov_pooling)
ADD_PLAIN(unary, fov_unary)
ADD_PLAIN(slice, fov_slice)
ADD_PLAIN(reshape, fov_shape)
ADD_PLAIN(broadcast, fov_shape)
ADD_PLAIN(padding, fov_padding)
ADD_PLAIN(resize, fov_resize)
ADD_PLAIN(reduce, fov_reduce)
ADD_PLAIN(local_response_normalization, fov_local_response_normalization)
ADD_PLAIN(top_k_indices, fov_top_k)
ADD_PLAIN(cumulative_sum, fov_cumulative_sum)
ADD_PLAIN(layer_normalization, fov_layer_normalization)
ADD_PLAIN_OF_TWO(matrix_product, fov_matrix_product)
ADD_PLAIN_OF_TWO(gather, fov_gather)
ADD_PLAIN_OF_TWO(resample, fov_resample)
ADD_PLAIN_OF_TWO(suppression_indices, fov_box_suppression)

fov_status fov_graph_add_select(fov_graph *graph, fov_value condition, fov_value if_true,
                                fov_value if_false, fov_value *out_value,
                                fov_diagnostic *diagnostic) {
  const fov_value inputs[3] = {condition, if_true, if_false};
  return fov_graph_add_node(graph, &fov_operation_select, fov_allocate(1), inputs, 3, out_value,
                            diagnostic);
}

fov_status fov_graph_add_crop_resize(fov_graph *graph, const fov_crop_resize *parameters,
                                     fov_value input, fov_value boxes, fov_value images,
                                     fov_value *out_value, fov_diagnostic *diagnostic) {
  const fov_value inputs[3] = {input, boxes, images};
  return add_plain(graph, &fov_operation_crop_resize, parameters, sizeof *parameters, inputs, 3,
                   out_value, diagnostic);
}

fov_status fov_graph_add_softmax(fov_graph *graph, size_t axis, fov_value input,
                                 fov_value *out_value, fov_diagnostic *diagnostic) {
  return add_plain(graph, &fov_operation_softmax, &axis, sizeof axis, &input, 1, out_value,
                   diagnostic);
}

fov_status fov_graph_add_transpose(fov_graph *graph, const size_t *axes, fov_value input,
                                   fov_value *out_value, fov_diagnostic *diagnostic) {
  const fov_shape *shape = fov_graph_shape(graph, input);
  if (!shape) return fov_fail(diagnostic, fov_status_invalid_graph, "the input is no value");
  size_t copy[FOV_MAX_RANK] = {0};
  for (size_t i = 0; i < shape->rank; i++) copy[i] = axes[i];
  return add_plain(graph, &fov_operation_transpose, copy, sizeof copy, &input, 1, out_value,
                   diagnostic);
}

fov_status fov_graph_add_concat(fov_graph *graph, size_t axis, const fov_value *inputs,
                                size_t input_count, fov_value *out_value,
                                fov_diagnostic *diagnostic) {
  return add_plain(graph, &fov_operation_concat, &axis, sizeof axis, inputs, input_count, out_value,
                   diagnostic);
}

fov_status fov_graph_add_binary(fov_graph *graph, fov_binary_function function, fov_value left,
                                fov_value right, fov_value *out_value, fov_diagnostic *diagnostic) {
  const fov_value inputs[2] = {left, right};
  return add_plain(graph, &fov_operation_binary, &function, sizeof function, inputs, 2, out_value,
                   diagnostic);
}

fov_status fov_graph_add_channel_affine(fov_graph *graph, size_t channels, const float *scale,
                                        const float *bias, fov_value input, fov_value *out_value,
                                        fov_diagnostic *diagnostic) {
  fov_channel_affine *parameters = fov_allocate(sizeof *parameters);
  const fov_status status = parameters
                                ? fov_channel_affine_create(channels, scale, bias, parameters)
                                : fov_status_out_of_memory;
  if (status != fov_status_ok) {
    fov_release(parameters);
    return fov_fail(diagnostic, status, "no scale and bias for %zu channels: %s", channels,
                    fov_status_name(status));
  }
  return fov_graph_add_node(graph, &fov_operation_channel_affine, parameters, &input, 1, out_value,
                            diagnostic);
}

static fov_status channels_of(const fov_graph *graph, fov_value input, size_t *out_channels,
                              fov_diagnostic *diagnostic) {
  const fov_shape *shape = fov_graph_shape(graph, input);
  if (!shape) return fov_fail(diagnostic, fov_status_invalid_graph, "the input is no value");
  char text[FOV_SHAPE_TEXT];
  if (shape->rank < 3) {
    return fov_fail(diagnostic, fov_status_shape_mismatch,
                    "expected channels, rows and columns, found %s",
                    fov_shape_describe(shape, text));
  }
  *out_channels = shape->dims[shape->rank - 3];
  return fov_status_ok;
}

fov_status fov_graph_add_convolution(fov_graph *graph, const fov_convolution *parameters,
                                     const fov_weights *weights, const fov_weights *bias,
                                     fov_value input, fov_value *out_value,
                                     fov_diagnostic *diagnostic) {
  size_t channels = 0;
  FOV_FORWARD(channels_of(graph, input, &channels, diagnostic));
  fov_convolution_parameters *made = NULL;
  FOV_FORWARD(fov_convolution_create(parameters, weights, bias, channels, &made, diagnostic));
  return fov_graph_add_node(graph, &fov_operation_convolution, made, &input, 1, out_value,
                            diagnostic);
}

fov_status fov_graph_add_transposed_convolution(fov_graph *graph, const fov_convolution *parameters,
                                                const fov_weights *weights, const fov_weights *bias,
                                                fov_value input, fov_value *out_value,
                                                fov_diagnostic *diagnostic) {
  size_t channels = 0;
  FOV_FORWARD(channels_of(graph, input, &channels, diagnostic));
  fov_convolution_parameters *made = NULL;
  FOV_FORWARD(
      fov_transposed_convolution_create(parameters, weights, bias, channels, &made, diagnostic));
  return fov_graph_add_node(graph, &fov_operation_transposed_convolution, made, &input, 1,
                            out_value, diagnostic);
}
