// Fovea - a finished model: folded, planned, immutable.
// SPDX-License-Identifier: Apache-2.0
#ifndef FOV_MODEL_H
#define FOV_MODEL_H

#include <stdbool.h>

#include "fovea/core/fov_graph.h"
#include "fovea/core/fov_status.h"
#include "fovea/core/fov_types.h"

#ifdef __cplusplus
extern "C" {
#endif

FOV_ASSUME_NONNULL_BEGIN

// A graph after folding, with its weights and its memory plan. A model never changes: any number
// of threads and sessions may use it at once. It must outlive its sessions.
typedef struct fov_model fov_model;

// MARK: options

// What a calibration says of one channel of a value: the mean, the variance, and the range from the
// least to the greatest element, and on to where those of further images are expected. A channel
// that was never measured has low > high.
typedef struct fov_channel_summary {
  float low, high;
  float mean, variance;
} fov_channel_summary;

// Start from fov_model_options_default() and change what you need.
typedef struct fov_model_options {
  // sizeof(fov_model_options), set by fov_model_options_default.
  uint32_t struct_size;

  // Default: float32, the fastest backend that needs nothing but the model.
  fov_backend backend;

  // The number of threads that sessions use at most; workspace is planned for as many.
  // Default: 0, which means fov_pool_default_thread_count(), but at most 8.
  size_t thread_count;

  // reference and blas: neither folds nor fuses operations, so that every layer can be compared.
  bool keep_all_nodes;

  // float32 and int8: the instruction set of the kernels. Default: automatic. A set that this
  // processor or build lacks is refused.
  fov_instruction_set instruction_set;

  // float32 and int8: computes 3x3 convolutions with fewer products where that is faster.
  // Default: true. int8 gives the same bits either way; float32 rounds in more places.
  bool uses_winograd;

  // float32: weights that are codes of up to 8 bits stay bytes. The kernels decode them in every
  // frame. The model takes a quarter of the memory, gives the same results and is slower.
  bool keeps_codes;

  // float32, or int8 without ranges: sessions record the range of every channel, for a calibration.
  bool records_ranges;

  // Sessions can show what each node writes; see fov_session_set_observer. int8 then keeps one
  // more float for each channel.
  bool observes_nodes;

  // int8: what a calibration measured, range_count elements. Borrowed during creation.
  // NULL: nothing is known, and sessions measure the ranges of activations in every frame.
  const fov_channel_summary *_Nullable ranges;
  size_t range_count;

  // int8 with ranges: the ranges serve to rescale channels and to round weights, but the codes of
  // activations follow the range that every frame has.
  bool dynamic_ranges;

  // int8: the labels of convolutions that stay in float32. Borrowed during creation.
  const char *_Nonnull const *_Nullable float_layers;
  size_t float_layer_count;

  // int8 with ranges: the labels of dense convolutions that multiply 16-bit integers. Borrowed
  // during creation.
  const char *_Nonnull const *_Nullable int16_layers;
  size_t int16_layer_count;

  // int8 with ranges: the sums of narrow bottlenecks stay in float32.
  bool float_sums;
} fov_model_options;

fov_model_options fov_model_options_default(void);

// MARK: creating

// Takes the graph, also when it fails. The graph must have at least one input and one output.
FOV_NODISCARD fov_status fov_model_create(fov_graph *graph, const fov_model_options *options,
                                          fov_model *_Nullable *_Nonnull out_model,
                                          fov_diagnostic *_Nullable diagnostic);

// All sessions of the model must be destroyed before. NULL is allowed.
void fov_model_destroy(fov_model *_Nullable model);

// The backend that the model was made for.
fov_backend fov_model_backend(const fov_model *model);

// The number of ranges that a model with records_ranges keeps, and that `ranges` must have: one for
// every channel of every value. It is the same for all models that are made from one graph.
size_t fov_model_range_count(const fov_model *model);

// MARK: inputs and outputs

// What an input or an output holds.
//
//   array   floats, dense and row-major
//   image   bytes [height, width] of a gray image, or [height, width, channels], red first
typedef enum FOV_CLOSED_ENUM fov_port_kind {
  fov_port_kind_array = 0,
  fov_port_kind_image = 1,
} fov_port_kind;

// One input or output of a model.
typedef struct fov_port {
  const char *name;    // borrowed from the model
  fov_data_type type;  // float32, or uint8 for an image
  fov_shape shape;
  fov_port_kind kind;
  size_t width, height;  // of an image, in pixels; 0 for an array
  size_t channels;       // of an image: 1 to 4; 0 for an array
} fov_port;

size_t fov_model_input_count(const fov_model *model);
size_t fov_model_output_count(const fov_model *model);

// invalid_argument: there is no port of this index.
FOV_NODISCARD fov_status fov_model_input(const fov_model *model, size_t index, fov_port *out_port);
FOV_NODISCARD fov_status fov_model_output(const fov_model *model, size_t index, fov_port *out_port);

// MARK: nodes

// Stands for the number of a value or node where there is none.
#define FOV_NO_VALUE SIZE_MAX

// One operation as it will run, after folding. Strings are borrowed from the model.
typedef struct fov_node_information {
  const char *operation;   // for example "convolution"
  const char *label;       // the name of its layer
  const char *activation;  // what is fused into it, for example "leaky_relu, max pool"; or ""
  fov_shape output;
  uint64_t multiply_accumulates;
  bool is_depthwise;                    // a convolution that treats every channel by itself
  size_t weight_bytes;                  // in memory; 0 without weights
  fov_weight_encoding weight_encoding;  // meaningless without weights
  uint32_t weight_bits;                 // of one stored weight; 0 without weights
  size_t workspace_bytes;
  size_t workspace_offset;  // in the arena; meaningless without workspace
  size_t arena_offset;      // of the output
  size_t output_bytes;      // borders and gaps included; 0 where the output lies inside another one
  size_t last_reader;       // the last node that reads the output's memory; the number of nodes for
                            // an output of the model
  fov_data_type output_type;
  bool channels_last;  // whether the output's channels lie side by side
  size_t value;        // the number of the value that the node writes: the same in all models
                       // that are made from one graph. FOV_NO_VALUE where the value is not in
                       // the graph, and in every model of a compiled file
  size_t input_count;
} fov_node_information;

size_t fov_model_node_count(const fov_model *model);

// invalid_argument: there is no node of this index.
FOV_NODISCARD fov_status fov_model_node(const fov_model *model, size_t index,
                                        fov_node_information *out_information);

// The node that writes input `input` of a node. FOV_NO_VALUE for an input of the model or a
// constant. invalid_argument: there is no such node or input.
FOV_NODISCARD fov_status fov_model_node_writer(const fov_model *model, size_t index, size_t input,
                                               size_t *out_node);

// MARK: memory

// The bytes that a model and each of its sessions allocate. Exact.
typedef struct fov_memory {
  size_t weight_bytes;     // weights, tables, biases and constants; once for the model
  size_t arena_bytes;      // activations and workspace; once for each session
  size_t workspace_bytes;  // the largest workspace of an operation, inside the arena
  size_t session_bytes;    // all that fov_session_create allocates, the arena included
} fov_memory;

fov_memory fov_model_memory(const fov_model *model);

FOV_ASSUME_NONNULL_END

#ifdef __cplusplus
}
#endif
#endif
