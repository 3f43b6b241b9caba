// Fovea - models of libfovea: opening them, and what they say about themselves.
// SPDX-License-Identifier: Apache-2.0
#ifndef FOVEA_MODEL_H
#define FOVEA_MODEL_H

#include "fovea/fovea_base.h"

#ifdef __cplusplus
extern "C" {
#endif

// MARK: Opening

// A model that is ready to run, with its threads.
typedef struct fovea_model fovea_model;

typedef enum fovea_backend {
  fovea_backend_auto = 0,       // float; for a compiled file, what it was compiled for
  fovea_backend_reference = 1,  // scalar loops: the specification, and very slow
  fovea_backend_blas = 2,       // matrix products; least memory
  fovea_backend_float32 = 3,
  fovea_backend_int8 = 4  // ranges are measured in every frame; see `fovea compile`
} fovea_backend;

typedef enum fovea_outputs {
  // Those of the file. Those of a detector of another form are decoded to scores and boxes, which
  // fovea_detect needs: they follow the others.
  fovea_outputs_decoded = 0,
  // Those of the file and no others.
  fovea_outputs_declared = 1
} fovea_outputs;

typedef struct fovea_model_options {
  size_t size;
  int32_t backend;        // fovea_backend
  int32_t threads;        // that share the work of a run; 0: all that the process may use
  int32_t last_stage;     // the last stage of a pipeline to run, from 0; -1: all
  int32_t outputs;        // fovea_outputs
  int32_t coded_weights;  // 1: float keeps coded weights as codes: less memory, same results
  int32_t reserved;
  int64_t width, height;  // of the image input where the file allows several sizes; 0: its own
  const char *function;   // the function of an ML Program; NULL: the one that the file names
  const char *head;       // how a detector's outputs are read, as --head of the command; NULL
  const char *name;       // what messages call bytes; NULL: "model"
  uint64_t maximum_session_bytes;  // a model that needs more for a run is refused; 0: 4 GiB
  // For a model that reads an array and is given pictures, pixels * scale + bias: for red, green
  // and blue, or first alone for gray. 0 in scale[0]: scale and bias as the file or its kind says.
  double scale[3], bias[3];
  int32_t color;  // fovea_color of the array: rgb, bgr or gray; none: as the file says
  int32_t reserved_color;
  // What a detector's outputs mean, as --boxes, --scores and --task of the command say; NULL: as
  // the file, the graph and the numbers tell.
  const char *boxes, *scores, *task;
} fovea_model_options;

// Fills in the defaults. size: sizeof(fovea_model_options).
void fovea_model_options_init(fovea_model_options *options, size_t size);

// Opens a model: .mlmodel, .mlpackage, .mlmodelc or .fovea. options may be NULL. On failure
// *out_model is NULL.
//
// A detector or classifier that reads an array of 1 or 3 channels, rows and columns is given
// pictures by fovea_detect and fovea_classify, and arrays by fovea_model_run. The first run on
// arrays takes as long as opening, because the model is loaded again for them. With
// fovea_outputs_declared it reads arrays from the start.
//
// file, invalid_model, unsupported, out_of_memory, thread_failure; invalid_argument for options
// that do not fit the model.
FOVEA_NODISCARD fovea_status fovea_model_open(const char *path, const fovea_model_options *options,
                                              fovea_model **out_model, char **out_message);

// Opens the bytes of an .mlmodel or .fovea file, which are copied.
FOVEA_NODISCARD fovea_status fovea_model_open_bytes(const void *bytes, size_t byte_count,
                                                    const fovea_model_options *options,
                                                    fovea_model **out_model, char **out_message);

// Opens the detector inside the library: QR codes, barcodes, Data Matrix symbols, lines of text and
// documents.
FOVEA_NODISCARD fovea_status fovea_model_open_codes_and_text(const fovea_model_options *options,
                                                             fovea_model **out_model,
                                                             char **out_message);

// NULL and closed models are allowed.
void fovea_model_close(fovea_model *model);

// MARK: Description

// What follows is borrowed from the model and valid until it is closed. Texts are never NULL unless
// that is said.

typedef struct fovea_model_info {
  size_t size;
  const char *name;      // of the file, without folder and extension
  const char *backend;   // "reference", "blas", "float" or "int8"
  const char *function;  // the function of an ML Program that runs; NULL for others
  const char *short_description, *author, *license, *version;
  const char *predicted_label;          // a classifier's output for the best label; NULL
  const char *predicted_probabilities;  // its output for all probabilities; NULL
  int32_t specification_version;        // of Core ML
  int32_t detects;                      // 1: fovea_detect works
  int32_t classifies;                   // 1: fovea_classify works
  int32_t is_compiled;                  // 1: a .fovea file
  size_t input_count, output_count, label_count, function_count, metadata_count;
  int64_t width, height;  // of the input of a detector or classifier in pixels; else 0
  double confidence, iou, box_voting, soft_suppression;  // what a detection uses by default
  uint64_t file_bytes, session_bytes;                    // of the file; of a run at a time
  int32_t threads;
  int32_t reserved;
  // Of a detector or classifier that reads an array: what it becomes for pictures, as in the
  // options.
  const char *picture_input;   // the name of the input; NULL for others
  const char *picture_reason;  // why, in a few words behind "because"; NULL for others
  double scale[3], bias[3];    // in the order of the channels
  int32_t color;               // fovea_color
  int32_t reserved_color;
  // How a detector's outputs are read that are no scores and boxes themselves; NULL for others.
  const char *head;         // as --head of the command
  const char *head_reason;  // by what it was recognized; NULL for a compiled file
  const char *left_out;  // what the outputs hold that is not reported, such as masks; NULL: nothing
} fovea_model_info;

// NULL for a closed model.
const fovea_model_info *fovea_model_get_info(const fovea_model *model);

// The name of a class; NULL beyond label_count.
const char *fovea_model_label(const fovea_model *model, size_t index);

// The name of a function of an ML Program; NULL beyond function_count.
const char *fovea_model_function(const fovea_model *model, size_t index);

// The author's own entries, sorted by key; NULL beyond metadata_count.
const char *fovea_model_metadata_key(const fovea_model *model, size_t index);
const char *fovea_model_metadata_value(const fovea_model *model, size_t index);

// MARK: Inputs and outputs

typedef enum fovea_type {
  fovea_type_none = 0,  // the file does not say
  fovea_type_float32 = 1,
  fovea_type_float64 = 2,
  fovea_type_float16 = 3,
  fovea_type_uint8 = 4,
  fovea_type_int8 = 5,
  fovea_type_int16 = 6,
  fovea_type_int32 = 7,
  fovea_type_int64 = 8
} fovea_type;

typedef enum fovea_kind {
  fovea_kind_none = 0,
  fovea_kind_image = 1,
  fovea_kind_array = 2,
  fovea_kind_double = 3,
  fovea_kind_int64 = 4,
  fovea_kind_string = 5,
  fovea_kind_dictionary = 6,  // one number for each label
  fovea_kind_sequence = 7,
  fovea_kind_state = 8
} fovea_kind;

typedef enum fovea_color {
  fovea_color_none = 0,
  fovea_color_rgb = 1,
  fovea_color_bgr = 2,
  fovea_color_gray = 3,
  fovea_color_gray_float16 = 4
} fovea_color;

typedef enum fovea_shapes {
  fovea_shapes_fixed = 0,
  fovea_shapes_enumerated = 1,  // `allowed` has one shape a row
  fovea_shapes_ranges = 2       // `allowed` has two rows: the least and the greatest sizes
} fovea_shapes;

// An input or an output.
typedef struct fovea_feature {
  size_t size;
  const char *name, *short_description;
  int32_t kind;         // fovea_kind
  int32_t type;         // of an array's elements in the file: fovea_type
  int32_t color;        // of an image in the file: fovea_color
  int32_t is_optional;  // 1: an input that may be left out
  // What fovea_model_run takes or gives. Images are taken as bytes [height, width, 3], red first
  // whatever the network's order, or [height, width]; they and arrays are given as float32, images
  // as [channels, height, width]. Numbers are arrays of rank 0. none: it takes and gives nothing.
  int32_t run_type;  // fovea_type
  int32_t rank;
  const int64_t *shape;  // the shape in use; -1: known after a run only
  int32_t shapes;        // fovea_shapes
  int32_t reserved;
  size_t allowed_count;    // rows of `allowed`
  const int64_t *allowed;  // allowed_count x rank, or x 2 (height, width) for images; -1: no limit
} fovea_feature;

// Those of the file, in its order; then those that options add. NULL beyond the count.
const fovea_feature *fovea_model_input(const fovea_model *model, size_t index);
const fovea_feature *fovea_model_output(const fovea_model *model, size_t index);

#ifdef __cplusplus
}
#endif
#endif
