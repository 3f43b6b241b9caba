// Fovea - what a tape holds: values, operations, convolutions, and the plan of its memory.
// SPDX-License-Identifier: Apache-2.0
#ifndef FOV_TAPE_H
#define FOV_TAPE_H

#include "fov_train_kernels.h"

#define FOV_TAPE_NONE UINT32_MAX

typedef struct fov_tape_operation fov_tape_operation;

typedef struct fov_tape_slot {
  fov_tape_size size;
  uint32_t writer;    // the node that makes it; NONE for the picture
  uint32_t readers;   // how many nodes read it
  bool has_gradient;  // whether weights lie in front of it
  bool is_output;
  size_t offset;           // in the arena, in elements
  size_t gradient_offset;  // likewise, if it has one
} fov_tape_slot;

typedef struct fov_tape_node {
  const fov_tape_operation *operation;
  void *parameters;  // one block, owned
  uint32_t *inputs;  // owned
  size_t input_count;
  uint32_t output;
  bool *adds;  // owned: whether the gradient of each input has been written before
} fov_tape_node;

// Where the weights of a convolution are among the parameters.
//
//   depthwise   [taps, stride of a pixel]
//   other       for each group [taps, stride of an input pixel or inputs of the group, row]
typedef struct fov_tape_weights {
  size_t taps, groups, inputs, outputs;  // inputs and outputs of one group
  size_t input_stride;                   // weights between two taps, in rows
  size_t row;                            // elements of a row: outputs, padded
  bool is_depthwise;
  size_t first, count;  // all groups
  size_t first_bias, bias_count;
  float rate;
} fov_tape_weights;

struct fov_tape {
  fov_tape_slot *slots;
  size_t slot_count, slot_capacity;
  fov_tape_node *nodes;
  size_t node_count, node_capacity;
  fov_tape_weights *weights;
  size_t weight_count, weight_capacity;
  uint32_t *outputs;
  size_t output_count, output_capacity;
  fov_real *initial;  // parameters
  size_t parameter_count, parameter_capacity;
  fov_pixels pixels;
  size_t arena_count;      // elements of values and gradients
  size_t workspace_count;  // elements that the hungriest operation needs beside them
  bool is_finished;
  const fov_train_kernels *kernels;
};

struct fov_tape_run {
  const fov_tape *tape;
  fov_real *arena;
  fov_real *workspace;
};

// One operation at work.
typedef struct fov_tape_call {
  const fov_tape *tape;
  const fov_tape_node *node;
  fov_real *arena;
  fov_real *workspace;
  const fov_real *parameters;
  fov_real *gradients;  // of parameters; NULL forward
} fov_tape_call;

struct fov_tape_operation {
  void (*forward)(const fov_tape_call *call);
  // Reads the gradient of the output, which it may destroy; writes those of inputs.
  void (*backward)(const fov_tape_call *call);
  // Elements of workspace; NULL: none.
  size_t (*workspace)(const fov_tape *tape, const fov_tape_node *node);
  void (*release)(void *parameters);  // what they own beside their block; NULL: nothing
  bool keeps_input;                   // backward reads the values of inputs
  bool keeps_output;                  // backward reads the value of the output
};

// MARK: During a run

static inline const fov_tape_slot *fov_tape_input_slot(const fov_tape_call *call, size_t i) {
  return &call->tape->slots[call->node->inputs[i]];
}
static inline const fov_tape_slot *fov_tape_output_slot(const fov_tape_call *call) {
  return &call->tape->slots[call->node->output];
}
static inline const fov_real *fov_tape_in(const fov_tape_call *call, size_t i) {
  return call->arena + fov_tape_input_slot(call, i)->offset;
}
static inline fov_real *fov_tape_out(const fov_tape_call *call) {
  return call->arena + fov_tape_output_slot(call)->offset;
}
// NULL where nothing in front of the input is trained.
static inline fov_real *fov_tape_in_gradient(const fov_tape_call *call, size_t i) {
  const fov_tape_slot *slot = fov_tape_input_slot(call, i);
  return slot->has_gradient ? call->arena + slot->gradient_offset : NULL;
}
static inline fov_real *fov_tape_out_gradient(const fov_tape_call *call) {
  return call->arena + fov_tape_output_slot(call)->gradient_offset;
}
static inline size_t fov_tape_pixels(const fov_tape_size *size) {
  return size->rows * size->columns;
}
static inline size_t fov_tape_elements(const fov_tape_size *size) {
  return size->rows * size->columns * size->stride;
}

// MARK: Building

FOV_TRAIN_HIDDEN fov_status fov_tape_fail(fov_diagnostic *diagnostic, fov_status status,
                                          const char *format, ...)
    __attribute__((format(printf, 3, 4)));

#define FOV_TRAIN_FORWARD(expression)                         \
  do {                                                        \
    const fov_status fov_forwarded = (expression);            \
    if (fov_forwarded != fov_status_ok) return fov_forwarded; \
  } while (0)

// Whether values may be added and read. The message says which is wrong.
FOV_TRAIN_HIDDEN fov_status fov_tape_check(const fov_tape *tape, const fov_tape_value *inputs,
                                           size_t input_count, fov_diagnostic *diagnostic);

// Adds a node and the value it makes. Copies `parameters` of parameter_bytes; what these own passes
// over to the tape, unless it fails.
FOV_TRAIN_HIDDEN fov_status fov_tape_add_node(fov_tape *tape, const fov_tape_operation *operation,
                                              const void *parameters, size_t parameter_bytes,
                                              const fov_tape_value *inputs, size_t input_count,
                                              const fov_tape_size *size, fov_tape_value *out_value);

// Sizes of a value: rows, columns, channels, and the stride that follows.
FOV_TRAIN_HIDDEN fov_tape_size fov_tape_size_make(size_t rows, size_t columns, size_t channels);

#endif
