// Fovea - building a graph: values, operations, inputs and outputs.
// SPDX-License-Identifier: Apache-2.0
#ifndef FOV_GRAPH_H
#define FOV_GRAPH_H

#include <stdbool.h>

#include "fovea/core/fov_operations.h"
#include "fovea/core/fov_program_operations.h"
#include "fovea/core/fov_status.h"
#include "fovea/core/fov_types.h"

#ifdef __cplusplus
extern "C" {
#endif

FOV_ASSUME_NONNULL_BEGIN

// A network under construction. Add operations in the order in which they run. Each reads values
// that exist and makes one new value, whose shape is known at once:
//
//   image (uint8 8x8x3) --pixels--> 1x3x8x8 --convolution--> 1x16x8x8 --unary--> "features"
//
// A graph belongs to one thread at a time. Every add function copies its parameters and weights. If
// it fails, the diagnostic says why, and the graph is as before.
typedef struct fov_graph fov_graph;

// A value of a graph: an input, a constant or the result of an operation.
typedef struct fov_value {
  uint32_t index;
} fov_value;

FOV_NODISCARD fov_status fov_graph_create(fov_graph *_Nullable *_Nonnull out_graph);

// NULL is allowed.
void fov_graph_destroy(fov_graph *_Nullable graph);

// Sets the label of the operations that are added from now on: the name of the layer that they come
// from, as messages and tables show it. Copied.
FOV_NODISCARD fov_status fov_graph_set_label(fov_graph *graph, const char *label);

FOV_NODISCARD fov_status fov_graph_value_shape(const fov_graph *graph, fov_value value,
                                               fov_shape *out_shape);

// MARK: inputs, constants, outputs

// Adds an input: an array of type float32, or an image of type uint8. An image is [rows, columns]
// or [rows, columns, channels], red first, and only fov_graph_add_pixels reads it. The name is
// copied; no two inputs may have the same.
FOV_NODISCARD fov_status fov_graph_add_input(fov_graph *graph, const char *name, fov_data_type type,
                                             const fov_shape *shape, fov_value *out_value,
                                             fov_diagnostic *_Nullable diagnostic);

// Adds a constant of type float32. Its weights are decoded at once.
FOV_NODISCARD fov_status fov_graph_add_constant(fov_graph *graph, const fov_shape *shape,
                                                const fov_weights *weights, fov_value *out_value,
                                                fov_diagnostic *_Nullable diagnostic);

// Makes a value an output, which can be read after a run. The name is copied. A value may be
// several outputs.
FOV_NODISCARD fov_status fov_graph_mark_output(fov_graph *graph, fov_value value, const char *name,
                                               fov_diagnostic *_Nullable diagnostic);

// MARK: operations
// fov_operations.h and fov_program_operations.h have the structures and say what they compute.

FOV_NODISCARD fov_status fov_graph_add_pixels(fov_graph *graph, const fov_pixels *parameters,
                                              fov_value input, fov_value *out_value,
                                              fov_diagnostic *_Nullable diagnostic);

// weights: [output_channels, input channels / groups, kernel rows, kernel columns].
// bias: (output_channels,) or NULL.
FOV_NODISCARD fov_status fov_graph_add_convolution(fov_graph *graph,
                                                   const fov_convolution *parameters,
                                                   const fov_weights *weights,
                                                   const fov_weights *_Nullable bias,
                                                   fov_value input, fov_value *out_value,
                                                   fov_diagnostic *_Nullable diagnostic);

// weights: [input channels, output_channels / groups, kernel rows, kernel columns].
FOV_NODISCARD fov_status fov_graph_add_transposed_convolution(fov_graph *graph,
                                                              const fov_convolution *parameters,
                                                              const fov_weights *weights,
                                                              const fov_weights *_Nullable bias,
                                                              fov_value input, fov_value *out_value,
                                                              fov_diagnostic *_Nullable diagnostic);

FOV_NODISCARD fov_status fov_graph_add_pooling(fov_graph *graph, const fov_pooling *parameters,
                                               fov_value input, fov_value *out_value,
                                               fov_diagnostic *_Nullable diagnostic);

FOV_NODISCARD fov_status fov_graph_add_unary(fov_graph *graph, const fov_unary *parameters,
                                             fov_value input, fov_value *out_value,
                                             fov_diagnostic *_Nullable diagnostic);

// y = x * scale[c] + bias[c] over channels (dimension -3). Either array may be NULL (1, 0).
FOV_NODISCARD fov_status fov_graph_add_channel_affine(fov_graph *graph, size_t channels,
                                                      const float *_Nullable scale,
                                                      const float *_Nullable bias, fov_value input,
                                                      fov_value *out_value,
                                                      fov_diagnostic *_Nullable diagnostic);

// Shapes are aligned at their last dimension. A dimension of 1 is repeated.
FOV_NODISCARD fov_status fov_graph_add_binary(fov_graph *graph, fov_binary_function function,
                                              fov_value left, fov_value right, fov_value *out_value,
                                              fov_diagnostic *_Nullable diagnostic);

FOV_NODISCARD fov_status fov_graph_add_concat(fov_graph *graph, size_t axis,
                                              const fov_value *inputs, size_t input_count,
                                              fov_value *out_value,
                                              fov_diagnostic *_Nullable diagnostic);

FOV_NODISCARD fov_status fov_graph_add_slice(fov_graph *graph, const fov_slice *parameters,
                                             fov_value input, fov_value *out_value,
                                             fov_diagnostic *_Nullable diagnostic);

// The same elements in the same order under another shape.
FOV_NODISCARD fov_status fov_graph_add_reshape(fov_graph *graph, const fov_shape *shape,
                                               fov_value input, fov_value *out_value,
                                               fov_diagnostic *_Nullable diagnostic);

// Output dimension i is input dimension axes[i]; axes holds as many entries as the input's rank.
FOV_NODISCARD fov_status fov_graph_add_transpose(fov_graph *graph, const size_t *axes,
                                                 fov_value input, fov_value *out_value,
                                                 fov_diagnostic *_Nullable diagnostic);

// Repeats dimensions of 1 up to `shape`, aligned at the last dimension.
FOV_NODISCARD fov_status fov_graph_add_broadcast(fov_graph *graph, const fov_shape *shape,
                                                 fov_value input, fov_value *out_value,
                                                 fov_diagnostic *_Nullable diagnostic);

FOV_NODISCARD fov_status fov_graph_add_padding(fov_graph *graph, const fov_padding *parameters,
                                               fov_value input, fov_value *out_value,
                                               fov_diagnostic *_Nullable diagnostic);

FOV_NODISCARD fov_status fov_graph_add_resize(fov_graph *graph, const fov_resize *parameters,
                                              fov_value input, fov_value *out_value,
                                              fov_diagnostic *_Nullable diagnostic);

FOV_NODISCARD fov_status fov_graph_add_reduce(fov_graph *graph, const fov_reduce *parameters,
                                              fov_value input, fov_value *out_value,
                                              fov_diagnostic *_Nullable diagnostic);

FOV_NODISCARD fov_status fov_graph_add_softmax(fov_graph *graph, size_t axis, fov_value input,
                                               fov_value *out_value,
                                               fov_diagnostic *_Nullable diagnostic);

FOV_NODISCARD fov_status fov_graph_add_local_response_normalization(
    fov_graph *graph, const fov_local_response_normalization *parameters, fov_value input,
    fov_value *out_value, fov_diagnostic *_Nullable diagnostic);

// MARK: operations of ML Programs

FOV_NODISCARD fov_status fov_graph_add_matrix_product(fov_graph *graph,
                                                      const fov_matrix_product *parameters,
                                                      fov_value left, fov_value right,
                                                      fov_value *out_value,
                                                      fov_diagnostic *_Nullable diagnostic);

FOV_NODISCARD fov_status fov_graph_add_gather(fov_graph *graph, const fov_gather *parameters,
                                              fov_value input, fov_value indices,
                                              fov_value *out_value,
                                              fov_diagnostic *_Nullable diagnostic);

FOV_NODISCARD fov_status fov_graph_add_top_k_indices(fov_graph *graph, const fov_top_k *parameters,
                                                     fov_value input, fov_value *out_value,
                                                     fov_diagnostic *_Nullable diagnostic);

FOV_NODISCARD fov_status fov_graph_add_resample(fov_graph *graph, const fov_resample *parameters,
                                                fov_value input, fov_value coordinates,
                                                fov_value *out_value,
                                                fov_diagnostic *_Nullable diagnostic);

// if_true where the condition is not 0, else if_false. Shapes are aligned as those of binary.
FOV_NODISCARD fov_status fov_graph_add_select(fov_graph *graph, fov_value condition,
                                              fov_value if_true, fov_value if_false,
                                              fov_value *out_value,
                                              fov_diagnostic *_Nullable diagnostic);

FOV_NODISCARD fov_status fov_graph_add_cumulative_sum(fov_graph *graph,
                                                      const fov_cumulative_sum *parameters,
                                                      fov_value input, fov_value *out_value,
                                                      fov_diagnostic *_Nullable diagnostic);

FOV_NODISCARD fov_status fov_graph_add_suppression_indices(fov_graph *graph,
                                                           const fov_box_suppression *parameters,
                                                           fov_value boxes, fov_value scores,
                                                           fov_value *out_value,
                                                           fov_diagnostic *_Nullable diagnostic);

FOV_NODISCARD fov_status fov_graph_add_crop_resize(fov_graph *graph,
                                                   const fov_crop_resize *parameters,
                                                   fov_value input, fov_value boxes,
                                                   fov_value images, fov_value *out_value,
                                                   fov_diagnostic *_Nullable diagnostic);

FOV_NODISCARD fov_status fov_graph_add_layer_normalization(
    fov_graph *graph, const fov_layer_normalization *parameters, fov_value input,
    fov_value *out_value, fov_diagnostic *_Nullable diagnostic);

FOV_ASSUME_NONNULL_END

#ifdef __cplusplus
}
#endif
#endif
