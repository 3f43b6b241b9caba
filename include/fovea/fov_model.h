// Fovea - a finished model: folded, planned, immutable.
// SPDX-License-Identifier: Apache-2.0
#ifndef FOV_MODEL_H
#define FOV_MODEL_H

#include <stdbool.h>

#include "fovea/fov_graph.h"
#include "fovea/fov_status.h"
#include "fovea/fov_types.h"

#ifdef __cplusplus
extern "C" {
#endif

FOV_ASSUME_NONNULL_BEGIN

// A graph after folding, with its weights and its memory plan. It never changes: any number of
// threads and sessions may use it at once. It must outlive its sessions.
typedef struct fov_model fov_model;

// What one channel of a value of the graph took on over the runs of a calibration: its least and its
// greatest element (low > high: it was never measured), the mean, and the mean square of the distance from it.
typedef struct fov_channel_summary {
  float low, high;
  float mean, variance;
} fov_channel_summary;

typedef struct fov_model_options {
  uint32_t struct_size;  // sizeof(fov_model_options); set by fov_model_options_default
  fov_backend backend;
  size_t thread_count;   // threads that sessions make use of: workspace is planned for so many;
                         // 0: fov_pool_default_thread_count(), at most 8
  bool keep_all_nodes;   // no folding, no fusing: for comparing layer by layer; reference and blas
  fov_instruction_set instruction_set;  // of float32 and int8; one that is not available is refused
  bool uses_winograd;    // float32 and int8: 3x3 convolutions with fewer products where that pays, the
                         // default. int8 gives the same bits either way; float32 rounds more often
  bool keeps_codes;      // float32: weights that are codes of up to 8 bits stay bytes, and become floats
                         // in the workspace shortly before they are multiplied: a quarter of the
                         // memory, the same results, and time in every frame
  bool records_ranges;  // float32, or int8 without ranges: sessions keep those of every channel, for
                         // calibration
  bool observes_nodes;   // sessions show what each node writes, see fov_session_set_observer; int8 keeps
                         // the factors of its rescaled channels for it, 4 bytes each
  const fov_channel_summary *_Nullable ranges;  // int8: what a calibration measured (borrows during
  size_t range_count;                         // creation); NULL: nothing is known
  bool dynamic_ranges;  // int8 with ranges: they serve to rescale channels and to round weights, while
                         // the codes of activations follow the range in every frame, as without any
  const char *_Nullable float_layers;  // int8: labels of convolutions that stay in float32, one a line
                                       // (borrows during creation); NULL: none
  const char *_Nullable int16_layers;  // int8 with ranges: labels of dense convolutions that multiply 16-bit
                                       // integers, one a line (borrows during creation); NULL: none
  bool float_sums;  // int8 with ranges: sums of narrow bottlenecks stay in float32
} fov_model_options;

fov_model_options fov_model_options_default(void);

// How many ranges a model with records_ranges keeps, and one with `ranges` takes: one for every channel of
// every value. The same for every model that is made from the same graph.
size_t fov_model_range_count(const fov_model *model);

// The backend that the model was made for.
fov_backend fov_model_backend(const fov_model *model);

// Takes the graph, also when it fails. The graph must have at least one input and one output.
FOV_NODISCARD fov_status fov_model_create(fov_graph *graph, const fov_model_options *options,
                                          fov_model *_Nullable *_Nonnull out_model,
                                          fov_diagnostic *_Nullable diagnostic);

// NULL is allowed. No session of the model may be left.
void fov_model_destroy(fov_model *_Nullable model);

// Where a model is written to and read from. The name is borrowed from the model.
typedef struct fov_port {
  const char *name;
  fov_data_type type;
  fov_shape shape;
} fov_port;

size_t fov_model_input_count(const fov_model *model);
size_t fov_model_output_count(const fov_model *model);
FOV_NODISCARD fov_status fov_model_input(const fov_model *model, size_t index, fov_port *out_port);
FOV_NODISCARD fov_status fov_model_output(const fov_model *model, size_t index, fov_port *out_port);

// No number of a value or a node.
#define FOV_NO_VALUE SIZE_MAX

// One operation as it will run, after folding. Strings are borrowed from the model.
typedef struct fov_node_information {
  const char *operation;   // "convolution"
  const char *label;       // the layer's name
  const char *activation;  // what is fused into it, "" for nothing: "leaky_relu, max pool"
  fov_shape output;
  uint64_t multiply_accumulates;
  bool is_depthwise;       // a convolution of every channel by itself
  size_t weight_bytes;     // as they stay in memory; 0 without weights
  fov_weight_encoding weight_encoding;  // meaningless without weights
  uint32_t weight_bits;    // of one stored weight; 0 without weights
  size_t workspace_bytes;
  size_t workspace_offset; // in the arena; meaningless without workspace
  size_t arena_offset;     // of the output
  size_t output_bytes;     // borders and gaps included; 0 for one that lies inside another
  size_t last_reader;      // the last node that reads the output's memory; the number of nodes for what
                           // the caller reads
  fov_data_type output_type;
  bool channels_last;      // the output's arrangement
  size_t value;            // the number of the value that it writes, which means the same in every model that
                           // is made from the same graph, whatever is fused there; or FOV_NO_VALUE, also
                           // for all nodes of a compiled file
  size_t input_count;
} fov_node_information;

size_t fov_model_node_count(const fov_model *model);
FOV_NODISCARD fov_status fov_model_node(const fov_model *model, size_t index,
                                        fov_node_information *out_information);

// The node that writes input `input` of a node; FOV_NO_VALUE where none does: it is an input of the
// model, or a constant.
FOV_NODISCARD fov_status fov_model_node_writer(const fov_model *model, size_t index, size_t input,
                                               size_t *out_node);

// Bytes that the model and each of its sessions hold. Exact: nothing else is allocated.
typedef struct fov_memory {
  size_t weight_bytes;    // packed weights, tables, biases, constants; once per model
  size_t arena_bytes;     // activations and workspace at their common peak; once per session
  size_t workspace_bytes; // the largest workspace of any operation, inside the arena
  size_t session_bytes;   // arena and bookkeeping: what fov_session_create allocates
} fov_memory;

fov_memory fov_model_memory(const fov_model *model);

FOV_ASSUME_NONNULL_END

#ifdef __cplusplus
}
#endif
#endif
