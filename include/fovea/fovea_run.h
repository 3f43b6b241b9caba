// Fovea - running models on arrays.
// SPDX-License-Identifier: Apache-2.0
#ifndef FOVEA_RUN_H
#define FOVEA_RUN_H

#include "fovea/fovea_model.h"

#ifdef __cplusplus
extern "C" {
#endif

// MARK: Arrays

// An array of numbers in memory, borrowed for the time of a call. Elements of an input may lie
// anywhere in the memory; elements of an output must not share bytes. What reaches beyond the
// memory is refused.
typedef struct fovea_array {
  size_t size;
  const char *name;        // of the input or output
  int32_t type;            // fovea_type
  int32_t rank;            // 0 for one number; at most 32
  const int64_t *shape;    // rank sizes, outermost first
  const int64_t *strides;  // rank distances in bytes, also negative; NULL: row-major without gaps
  void *data;              // the memory. An input is only read.
  size_t byte_count;       // of the memory
  size_t offset;           // where in it the first element lies, in bytes
} fovea_array;

// A result of the library: what a run, a detection or a classification found.
typedef struct fovea_result fovea_result;

// MARK: Running

// Runs the whole model once on named arrays, with its suppression stage. inputs: input_count
// structures, inputs->size bytes apart.
//
// An array input takes every type, converted to float32. An image input takes uint8 of exactly the
// shape of the input, [height, width, 3] in the order red, green, blue, or [height, width]. Numbers
// such as iouThreshold are arrays of one element, and optional. Where the model allows several
// shapes, it runs at those of the arrays. The first run of a shape takes longer, because the model
// is loaded again for it; the four shapes that were used last are kept.
//
// The result has one array for each output that is computed. It is given to fovea_result_free. On
// failure *out_result is NULL.
//
// invalid_argument: an unknown name, a missing input, a wrong type, a rank or size below 0;
// shape_mismatch; buffer_too_small; invalid_output; out_of_memory.
FOVEA_NODISCARD fovea_status fovea_model_run(const fovea_model *model, const fovea_array *inputs,
                                             size_t input_count, fovea_result **out_result,
                                             char **out_message);

// The same into memory of the caller. outputs: output_count structures, outputs->size bytes apart,
// each with the name of an output, its shape, and memory of any type but float16. Floats are
// rounded to the nearest integer and held in the type's range, NaN becomes 0. Outputs that are not
// named are left out. After a failure the memory may have been written.
//
// Also shape_mismatch: an output of another shape than was computed.
FOVEA_NODISCARD fovea_status fovea_model_run_into(const fovea_model *model,
                                                  const fovea_array *inputs, size_t input_count,
                                                  const fovea_array *outputs, size_t output_count,
                                                  char **out_message);

// MARK: Results of a run

// The number of arrays; 0 for a result of another kind.
size_t fovea_result_array_count(const fovea_result *result);

// An array: float32, row-major without gaps. Borrowed from the result; NULL beyond the count. The
// outputs are in the order of fovea_model_output. Its elements may be written.
const fovea_array *fovea_result_array(const fovea_result *result, size_t index);

// NULL and freed results are allowed.
void fovea_result_free(fovea_result *result);

#ifdef __cplusplus
}
#endif
#endif
