// Fovea - reading a graph node by node: for those who train it or write it anew.
// SPDX-License-Identifier: Apache-2.0
#ifndef FOV_GRAPH_READING_H
#define FOV_GRAPH_READING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "fovea/core/fov_graph.h"

#ifdef __cplusplus
extern "C" {
#endif

FOV_ASSUME_NONNULL_BEGIN

// What a node does; `other` for what is not told here.
typedef enum FOV_CLOSED_ENUM fov_node_kind {
  fov_node_kind_other = 0,
  fov_node_kind_pixels = 1,
  fov_node_kind_convolution = 2,
  fov_node_kind_pooling = 3,
  fov_node_kind_unary = 4,
  fov_node_kind_channel_affine = 5,
  fov_node_kind_binary = 6,
  fov_node_kind_concat = 7,
  fov_node_kind_slice = 8,
  fov_node_kind_reshape = 9,
  fov_node_kind_transpose = 10,
  fov_node_kind_resize = 11,
  fov_node_kind_softmax = 12,
  fov_node_kind_detection_confidence = 13,
  fov_node_kind_detection_coordinates = 14,
} fov_node_kind;

// A node. Pointers are borrowed from the graph. Only the fields of its kind mean something.
typedef struct fov_node_reading {
  fov_node_kind kind;
  const char *operation;  // "convolution"
  const char *label;      // the name of its layer
  const uint32_t *inputs;
  size_t input_count;
  uint32_t output;

  fov_pixels pixels;
  fov_convolution convolution;
  size_t input_channels;         // of a convolution
  bool has_activation;           // of a convolution; then `unary` follows its bias
  fov_unary unary;               // of unary
  const float *_Nullable scale;  // of channel_affine, for each channel
  const float *_Nullable bias;   // of convolution and channel_affine, for each channel
  fov_pooling pooling;
  fov_binary_function binary;
  size_t axis;  // of concat and softmax
  fov_slice slice;
  fov_shape shape;            // of reshape
  size_t axes[FOV_MAX_RANK];  // of transpose
  fov_resize resize;

  // Of detection_coordinates and, up to `pixels_outermost`, detection_confidence: see
  // CSources/ops/fov_op_detection.h.
  size_t labels;
  bool pixels_outermost;
  bool has_squared_sizes;
  const float *_Nullable center_scales;  // (heads, 2)
  const float *_Nullable terms;          // (rows, 4)
  size_t row_count;
} fov_node_reading;

// A value. `constant` is borrowed, and NULL for what is no constant.
typedef struct fov_value_reading {
  fov_shape shape;
  bool is_input;
  const float *_Nullable constant;
} fov_value_reading;

// Folds a graph as a model of all layers in planes is folded: normalizations and activations move
// into convolutions, and the decoding of heads with anchors becomes two nodes.
FOV_NODISCARD fov_status fov_graph_fold_for_reading(fov_graph *graph,
                                                    fov_diagnostic *_Nullable diagnostic);

// Nodes in the order in which they run, without those that were folded away.
size_t fov_graph_reading_count(const fov_graph *graph);
FOV_NODISCARD fov_status fov_graph_read_node(const fov_graph *graph, size_t index,
                                             fov_node_reading *out_reading);

// Decodes the weights of a convolution: [output channels, input channels / groups, kernel rows,
// kernel columns]. invalid_argument: no convolution, or not `count` weights.
FOV_NODISCARD fov_status fov_graph_read_weights(const fov_graph *graph, size_t index,
                                                float *out_weights, size_t count);

// How the weights of a convolution are stored, for those who write them as small as they were:
//
//   float16        half * factor[row]
//   lookup_table   table[code] * factor[row]
//   linear         (code * scale[k] + bias[k]) * factor[row]      k = row * scale_count / rows
//
// float32 stands for all other forms, which fov_graph_read_weights decodes. Pointers are borrowed
// from the graph.
typedef struct fov_weights_reading {
  fov_weight_encoding encoding;
  uint32_t bits;                  // of a code
  size_t rows;                    // output channels
  const float *_Nullable table;   // (2^bits,)
  const float *_Nullable scale;   // (scale_count,)
  const float *_Nullable bias;    // (scale_count,)
  size_t scale_count;             // 1 ... rows
  const float *_Nullable factor;  // (rows,); NULL: 1
} fov_weights_reading;

// Writes a code in a byte, or a half in two (the lower byte first), for each of `count` weights.
// invalid_argument: no convolution, or not `count` weights.
FOV_NODISCARD fov_status fov_graph_read_codes(const fov_graph *graph, size_t index,
                                              uint8_t *out_codes, size_t count,
                                              fov_weights_reading *out_reading);

FOV_NODISCARD fov_status fov_graph_read_value(const fov_graph *graph, uint32_t value,
                                              fov_value_reading *out_reading);

size_t fov_graph_output_count(const fov_graph *graph);
FOV_NODISCARD fov_status fov_graph_read_output(const fov_graph *graph, size_t index,
                                               uint32_t *out_value,
                                               const char *_Nullable *_Nonnull out_name);

FOV_ASSUME_NONNULL_END

#ifdef __cplusplus
}
#endif
#endif
