// Fovea - arrays of symbols: elements that say which logits they are computed from.
// SPDX-License-Identifier: Apache-2.0
#ifndef FOV_SYMBOLIC_ARRAY_H
#define FOV_SYMBOLIC_ARRAY_H

#include "graph/fov_graph_types.h"

// An element stands for
//
//   function(logit) * scale + offset          or          sigmoid(logit) * sigmoid(partner)
//
// where a logit is one element of one head, numbered over all heads. An array that would hold the
// same value for all elements is left out. All arrays have elements of 4 bytes, so that operations
// that only move elements can be run on each of them.
typedef enum fov_symbol_function {
  fov_symbol_logit,  // the logit itself
  fov_symbol_sigmoid,
  fov_symbol_exponential,
  fov_symbol_squared_sigmoid,
  fov_symbol_product,  // of two sigmoids
} fov_symbol_function;

// A symbol: the number of a logit, and the function of it. As a float it is a normal number, so
// that copying it as a float does not change it.
#define FOV_SYMBOL_BITS 28
#define FOV_MAXIMUM_LOGITS ((size_t)1 << FOV_SYMBOL_BITS)

static inline uint32_t fov_symbol_logit_of(uint32_t symbol) {
  return symbol & (FOV_MAXIMUM_LOGITS - 1);
}

static inline fov_symbol_function fov_symbol_function_of(uint32_t symbol) {
  return (fov_symbol_function)(symbol >> FOV_SYMBOL_BITS);
}

typedef struct fov_symbolic_array {
  size_t count;        // elements; 0: not made yet
  uint32_t *symbols;   // NULL: constants, whose values are the offsets
  uint32_t *partners;  // of products: a logit; NULL: there are no products
  float *scales;       // NULL: 1
  float *offsets;      // NULL: 0
} fov_symbolic_array;

// The result of an attempt. `unknown` is no failure: an element does not have the form above.
typedef enum fov_symbolic_result {
  fov_symbolic_done,
  fov_symbolic_unknown,
  fov_symbolic_out_of_memory,
} fov_symbolic_result;

// An array of the logits first ..< first + count. An array of copied constants.
FOV_INTERNAL fov_symbolic_result fov_symbolic_logits(size_t first, size_t count,
                                                     fov_symbolic_array *out_array);
FOV_INTERNAL fov_symbolic_result fov_symbolic_constants(const float *values, size_t count,
                                                        fov_symbolic_array *out_array);

// Whether fov_symbolic_run can run the operation, so that a decoding may contain it.
FOV_INTERNAL bool fov_symbolic_supports(const fov_operation *operation);

// Runs a node on symbols. arrays: (values,). Makes arrays[node->output].
FOV_INTERNAL fov_symbolic_result fov_symbolic_run(const fov_graph *graph,
                                                  const fov_graph_node *node,
                                                  fov_symbolic_array *arrays);

// Leaves it empty.
FOV_INTERNAL void fov_symbolic_release(fov_symbolic_array *array);

#endif
