// Fovea - what every operation of a graph can do.
// SPDX-License-Identifier: Apache-2.0
#ifndef FOV_OPERATION_H
#define FOV_OPERATION_H

#include <stdbool.h>
#include <stdint.h>

#include "base/fov_archive.h"
#include "base/fov_error.h"
#include "fovea/core/fov_operations.h"
#include "fovea/core/fov_pool.h"
#include "fovea/core/fov_program_operations.h"
#include "tensor/fov_tensor.h"

// Kernels for the processor: kernels/fov_kernel_set.h.
typedef struct fov_kernel_set fov_kernel_set;

// An operation is one file: a parameter structure and one fov_operation table.
//
//   added to a graph     infer_shape    checks the parameters against the input shapes
//   model is made        workspace      bytes that a run needs beside inputs and output
//   every frame          run, or decode reads inputs, writes the output; cannot fail
//   compiled file        archive        reads and writes the parameters
//                        check          channels last: as infer_shape for planar operations
//                        restore        channels last: computes what the file does not hold
//
// Each node has parameters in one block of the heap. The operation's create function makes them, or
// they are a copy of a public structure. They do not change once the model is made. An operation
// knows nothing of graphs, plans or sessions.
typedef struct fov_operation fov_operation;

// For what a workspace is planned.
typedef struct fov_workspace_request {
  const fov_shape *inputs;  // in the node's order
  const fov_shape *output;
  fov_backend backend;
  size_t slots;  // threads at once
  const fov_kernel_set *kernels;
} fov_workspace_request;

// One run of an operation. Inputs are in the node's order. The output may have the data of input 0
// when in_place is set.
typedef struct fov_run {
  const void *parameters;
  const fov_tensor *inputs;
  size_t input_count;
  fov_tensor output;
  void *workspace;  // workspace() bytes, aligned to FOV_ALIGNMENT; NULL for 0
  fov_backend backend;
  fov_pool *pool;  // may be NULL
  size_t slots;    // units that may run at once: what workspace() was asked for
  const fov_kernel_set *kernels;
  fov_timing *timing;  // phases to add to; NULL when timing is off
} fov_run;

struct fov_operation {
  const char *name;  // "convolution", as tables and messages print it

  // Checks the parameters and gives the output's shape. The graph checks types: float32 everywhere
  // except the input of `pixels`. NULL: a channels-last operation, which only the layout pass adds.
  fov_status (*infer_shape)(const void *parameters, const fov_shape *inputs, size_t input_count,
                            fov_shape *out_shape, fov_diagnostic *diagnostic);

  // Bytes for a run. NULL: none.
  fov_status (*workspace)(const void *parameters, const fov_workspace_request *request,
                          size_t *out_bytes);

  void (*run)(const fov_run *run);

  // In place of run, for an operation that decodes boxes. Boxes with a confidence below the floor
  // need not be decoded. 0: all are decoded.
  void (*decode)(const fov_run *run, float confidence_floor);

  // Multiply-accumulates of one run. NULL: few.
  uint64_t (*multiply_accumulates)(const void *parameters, const fov_shape *inputs,
                                   const fov_shape *output);

  // Bytes of weights that stay in memory. NULL: none.
  size_t (*weight_bytes)(const void *parameters);

  // Frees what the parameters own, not their block. NULL: they own nothing. Parameters that are all
  // zero are allowed.
  void (*release)(void *parameters);

  // Names the parameters' fields for a compiled file. Reading sets parameters that are all zero. It
  // makes the archive fail where a field breaks a rule that infer_shape or check assume. NULL: no
  // compiled file can hold the operation.
  void (*archive)(fov_archive *archive, void *parameters);
  size_t parameter_bytes;  // of the structure; 0: it has no parameters

  // Channels-last operations, where infer_shape is NULL: checks all that run assumes. Tensors have
  // shapes, types and arrangements, but no data and no distances yet.
  fov_status (*check)(const void *parameters, const fov_tensor *inputs, size_t input_count,
                      const fov_tensor *output, fov_diagnostic *diagnostic);

  // Channels-last operations: computes, after check, what a compiled file does not hold. NULL:
  // nothing.
  fov_status (*restore)(void *parameters, const fov_tensor *inputs, const fov_tensor *output,
                        fov_diagnostic *diagnostic);

  size_t input_count;    // 0: one or more
  bool in_place;         // the output may overwrite input 0, which has the same number of bytes
  bool alias;            // the output is input 0's bytes, untouched: they may share memory
  bool byte_input;       // input 0 is uint8
  bool any_arrangement;  // inputs may be channels-last floats as well as dense
};

static inline const float *fov_run_input(const fov_run *run, size_t index) {
  return (const float *)run->inputs[index].data;
}

static inline float *fov_run_output(const fov_run *run) { return (float *)run->output.data; }

#endif
