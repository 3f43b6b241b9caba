// Fovea - one operation in a graph of its own, run in a session, and arrays for its oracles.
// SPDX-License-Identifier: Apache-2.0
#ifndef SINGLE_OPERATION_H
#define SINGLE_OPERATION_H

#include <float.h>
#include <string.h>

#include "fovea/core/fov_core.h"
#include "native_test.h"
#include "random_choices.h"

// MARK: Arrays

// Dense and row-major, of floats; of `bytes` where these are not NULL. They live as long as the
// test.
typedef struct array {
  fov_shape shape;
  size_t count;
  float *values;
  const uint8_t *bytes;
} array;

#define SHAPE(...) ((fov_shape){COUNT(((const size_t[]){__VA_ARGS__})), {__VA_ARGS__}})
#define SCALAR ((fov_shape){0})
#define ARRAY(shape, ...) array_of(shape, (const float[]){__VA_ARGS__})
// A shape alone.
#define SIZED(...) ((array){.shape = SHAPE(__VA_ARGS__)})

array array_make(fov_shape shape);
array array_of(fov_shape shape, const float *values);
// The elements 0, 1, 2 ..., which say where they stand.
array array_counting(fov_shape shape);
array array_random(fov_shape shape, float low, float high, chance *chance);
// Sizes around the widths of vectors and tiles, with at most `limit` elements in all.
fov_shape shape_random(size_t rank, size_t limit, chance *chance);

// The index of a position, and the element at an index, which has to be inside.
void index_of(fov_shape shape, size_t position, size_t *out_index);
float *element(array array, const size_t *index);
// The element that an index of a result reads, aligned at the last dimension, with dimensions of 1
// read at 0.
float broadcast_element(array array, fov_shape result, const size_t *index);
// The shape of the result of shapes that are broadcast to each other.
fov_shape broadcast_shape(fov_shape left, fov_shape right);

// Runs for each position of an array, with its index.
#define EACH_INDEX(array, position, index)       \
  for (size_t index[FOV_MAX_RANK], position = 0; \
       position < (array).count && (index_of((array).shape, position, index), true); position++)

// MARK: Operations

// Adds an operation to a graph.
typedef fov_status (*add_operation)(fov_graph *graph, const void *parameters,
                                    const fov_value *inputs, fov_value *out_value,
                                    fov_diagnostic *diagnostic);

// Defines add_NAME for an operation with parameters and one input.
#define ADD_FUNCTION(name)                                                                        \
  static fov_status add_##name(fov_graph *graph, const void *parameters, const fov_value *inputs, \
                               fov_value *out, fov_diagnostic *why) {                             \
    return fov_graph_add_##name(graph, parameters, inputs[0], out, why);                          \
  }

// Where an operation finds its inputs: in the graph's inputs, which a run keeps, or in results of
// other operations, which it may overwrite.
typedef enum input_place { from_inputs, from_results } input_place;

typedef struct run_options {
  fov_backend backend;
  size_t threads;
  input_place place;
  bool is_compiled;  // runs what a compiled file holds of the model
  fov_instruction_set set;
} run_options;

array compute_with(run_options options, add_operation add, const void *parameters,
                   const array *inputs, size_t count);
// On the reference backend, by one thread.
array compute(input_place place, add_operation add, const void *parameters, const array *inputs,
              size_t count);
#define ARRAYS(...) (const array[]){__VA_ARGS__}, COUNT(((const array[]){__VA_ARGS__}))
#define COMPUTE(place, add, parameters, ...) compute(place, add, parameters, ARRAYS(__VA_ARGS__))

// The status with which an operation on inputs of these shapes is refused, or ok. A refusal has to
// have a reason, which contains a text.
fov_status status_of(add_operation add, const void *parameters, const char *text,
                     const array *inputs, size_t count);
#define CHECK_STATUS(status, add, parameters, ...) \
  CHECK_EQUAL(status_of(add, parameters, "", ARRAYS(__VA_ARGS__)), fov_status_##status)
#define CHECK_REFUSAL(status, text, add, parameters, ...) \
  CHECK_EQUAL(status_of(add, parameters, text, ARRAYS(__VA_ARGS__)), fov_status_##status)

// Whether an operation writes its result over its first input when nobody else needs that.
bool works_in_place(add_operation add, const void *parameters, const array *inputs, size_t count);

// Equal shapes, and elements within absolute + relative * |expected|; NaN and infinities match
// exactly. Says the first difference.
bool check_close(array found, array expected, double relative, double absolute, int line);
#define CHECK_CLOSE(found, expected, relative, absolute) \
  check_close(found, expected, relative, absolute, __LINE__)
#define CHECK_VALUES(found, ...) \
  CHECK_CLOSE(found, ARRAY(SHAPE(COUNT(((const float[]){__VA_ARGS__}))), __VA_ARGS__), 0, 0)

// The same everywhere: within bounds on every backend, and the same bytes with two threads, from a
// compiled file, and where inputs are results themselves.
void check_everywhere(array expected, double relative, double absolute, add_operation add,
                      const void *parameters, const array *inputs, size_t count);

#define EACH_PLACE(place) for (place = from_inputs; place <= from_results; place++)

// Half as many bits as a size, less one: two such sizes have a product, but not one of bytes.
#define HUGE_SIZE ((size_t)1 << (sizeof(size_t) * 4 - 1))

#endif
