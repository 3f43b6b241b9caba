// Fovea - functions of elements, sums, products and constant factors on a tape.
// SPDX-License-Identifier: Apache-2.0
#include <string.h>

#include "fov_tape.h"

// MARK: Functions of one element

static void forward_unary(const fov_tape_call *call) {
  const fov_tape_slot *slot = fov_tape_output_slot(call);
  call->tape->kernels->apply(call->node->parameters, fov_tape_in(call, 0),
                             fov_tape_elements(&slot->size), fov_tape_out(call));
}

static void backward_unary(const fov_tape_call *call) {
  const fov_tape_slot *slot = fov_tape_output_slot(call);
  call->tape->kernels->derive(call->node->parameters, fov_tape_in(call, 0),
                              fov_tape_out_gradient(call), fov_tape_elements(&slot->size),
                              call->node->adds[0], fov_tape_in_gradient(call, 0));
}

static const fov_tape_operation unary_operation = {
    .forward = forward_unary, .backward = backward_unary, .keeps_input = true};

bool fov_tape_has_unary(fov_unary_function function) {
  switch (function) {
    case fov_unary_linear:
    case fov_unary_relu:
    case fov_unary_leaky_relu:
    case fov_unary_clip:
    case fov_unary_clamped_relu:
    case fov_unary_sigmoid:
    case fov_unary_hard_sigmoid:
    case fov_unary_tanh:
    case fov_unary_elu:
    case fov_unary_softplus:
    case fov_unary_silu:
    case fov_unary_hard_silu: return true;
    default: return false;
  }
}

fov_status fov_tape_add_unary(fov_tape *tape, const fov_unary *unary, fov_tape_value input,
                              fov_tape_value *out_value, fov_diagnostic *diagnostic) {
  FOV_TRAIN_FORWARD(fov_tape_check(tape, &input, 1, diagnostic));
  if (!fov_tape_has_unary(unary->function)) {
    return fov_tape_fail(diagnostic, fov_status_unsupported, "function %d has no gradient here",
                         (int)unary->function);
  }
  const fov_tape_size in = tape->slots[input.index].size;
  if (in.stride != fov_train_padded(in.channels)) {
    return fov_tape_fail(diagnostic, fov_status_unsupported, "a function of the picture itself");
  }
  return fov_tape_add_node(tape, &unary_operation, unary, sizeof *unary, &input, 1, &in, out_value);
}

// MARK: Two values

typedef struct binary_parameters {
  fov_binary_function function;
  bool is_spread;  // the right one is one pixel
} binary_parameters;

// Calls `body` for what is as long on both sides: the whole arrays, or pixel by pixel.
static void forward_binary(const fov_tape_call *call) {
  const binary_parameters *p = call->node->parameters;
  const fov_tape_size *size = &fov_tape_output_slot(call)->size;
  const fov_train_kernels *kernels = call->tape->kernels;
  const size_t count = p->is_spread ? size->stride : fov_tape_elements(size);
  const fov_real *a = fov_tape_in(call, 0), *b = fov_tape_in(call, 1);
  fov_real *out = fov_tape_out(call);
  for (size_t first = 0; first < fov_tape_elements(size); first += count) {
    if (p->function == fov_binary_multiply) {
      kernels->product(a + first, b, count, false, out + first);
    } else {
      kernels->sum(a + first, b, p->function == fov_binary_add ? 1 : -1, count, out + first);
    }
  }
}

// to = (or +=) factor * from.
static void hand_on(const fov_tape_call *call, const fov_real *from, fov_real factor, size_t count,
                    bool adds, fov_real *to) {
  if (!adds && factor == 1) {
    memcpy(to, from, count * sizeof *to);
    return;
  }
  if (!adds) memset(to, 0, count * sizeof *to);
  call->tape->kernels->sum(from, NULL, factor, count, to);
}

static void backward_sum(const fov_tape_call *call, size_t side, fov_real factor, bool is_spread) {
  fov_real *to = fov_tape_in_gradient(call, side);
  if (!to) return;
  const fov_tape_size *size = &fov_tape_output_slot(call)->size;
  const fov_real *g = fov_tape_out_gradient(call);
  const size_t count = is_spread ? size->stride : fov_tape_elements(size);
  bool adds = call->node->adds[side];
  for (size_t first = 0; first < fov_tape_elements(size); first += count) {
    hand_on(call, g + first, factor, count, adds, to);
    adds = true;
  }
}

static void backward_product(const fov_tape_call *call, size_t side, bool is_spread) {
  fov_real *to = fov_tape_in_gradient(call, side);
  if (!to) return;
  const fov_tape_size *size = &fov_tape_output_slot(call)->size;
  const fov_real *g = fov_tape_out_gradient(call), *other = fov_tape_in(call, 1 - side);
  const size_t count = is_spread ? size->stride : fov_tape_elements(size);
  bool adds = call->node->adds[side];
  for (size_t first = 0; first < fov_tape_elements(size); first += count) {
    const bool is_right = side == 1;
    call->tape->kernels->product(g + first, other + (is_spread && !is_right ? 0 : first), count,
                                 adds, to + (is_spread && is_right ? 0 : first));
    if (is_spread && is_right) adds = true;
  }
}

static void backward_binary(const fov_tape_call *call) {
  const binary_parameters *p = call->node->parameters;
  if (p->function == fov_binary_multiply) {
    backward_product(call, 0, p->is_spread);
    backward_product(call, 1, p->is_spread);
  } else {
    backward_sum(call, 0, 1, false);
    backward_sum(call, 1, p->function == fov_binary_add ? 1 : -1, p->is_spread);
  }
}

static const fov_tape_operation sum_operation = {.forward = forward_binary,
                                                 .backward = backward_binary};
static const fov_tape_operation product_operation = {
    .forward = forward_binary, .backward = backward_binary, .keeps_input = true};

fov_status fov_tape_add_binary(fov_tape *tape, fov_binary_function function, fov_tape_value left,
                               fov_tape_value right, fov_tape_value *out_value,
                               fov_diagnostic *diagnostic) {
  const fov_tape_value inputs[2] = {left, right};
  FOV_TRAIN_FORWARD(fov_tape_check(tape, inputs, 2, diagnostic));
  if (function != fov_binary_add && function != fov_binary_subtract &&
      function != fov_binary_multiply) {
    return fov_tape_fail(diagnostic, fov_status_unsupported, "function %d has no gradient here",
                         (int)function);
  }
  const fov_tape_size a = tape->slots[left.index].size, b = tape->slots[right.index].size;
  const bool is_same = a.rows == b.rows && a.columns == b.columns;
  const bool is_spread = !is_same && b.rows == 1 && b.columns == 1;
  if (a.channels != b.channels || a.stride != b.stride || !(is_same || is_spread)) {
    return fov_tape_fail(diagnostic, fov_status_shape_mismatch,
                         "%zu x %zu x %zu and %zu x %zu x %zu do not meet", a.rows, a.columns,
                         a.channels, b.rows, b.columns, b.channels);
  }
  const binary_parameters parameters = {function, is_spread};
  return fov_tape_add_node(tape,
                           function == fov_binary_multiply ? &product_operation : &sum_operation,
                           &parameters, sizeof parameters, inputs, 2, &a, out_value);
}

// MARK: Constant factors

typedef struct affine_parameters {
  size_t stride;
  fov_real *scale, *bias;  // owned
} affine_parameters;

static void forward_affine(const fov_tape_call *call) {
  const affine_parameters *p = call->node->parameters;
  const fov_tape_size *size = &fov_tape_output_slot(call)->size;
  const fov_real *in = fov_tape_in(call, 0);
  fov_real *out = fov_tape_out(call);
  for (size_t first = 0; first < fov_tape_elements(size); first += p->stride) {
    for (size_t c = 0; c < p->stride; c++) {
      out[first + c] = in[first + c] * p->scale[c] + p->bias[c];
    }
  }
}

static void backward_affine(const fov_tape_call *call) {
  const affine_parameters *p = call->node->parameters;
  const fov_tape_size *size = &fov_tape_output_slot(call)->size;
  const fov_real *g = fov_tape_out_gradient(call);
  fov_real *to = fov_tape_in_gradient(call, 0);
  for (size_t first = 0; first < fov_tape_elements(size); first += p->stride) {
    call->tape->kernels->product(g + first, p->scale, p->stride, call->node->adds[0], to + first);
  }
}

static void release_affine(void *parameters) {
  affine_parameters *p = parameters;
  fov_train_release(p->scale);
  fov_train_release(p->bias);
}

static const fov_tape_operation affine_operation = {
    .forward = forward_affine, .backward = backward_affine, .release = release_affine};

fov_status fov_tape_add_affine(fov_tape *tape, const float *scale, const float *bias,
                               fov_tape_value input, fov_tape_value *out_value,
                               fov_diagnostic *diagnostic) {
  FOV_TRAIN_FORWARD(fov_tape_check(tape, &input, 1, diagnostic));
  const fov_tape_size size = tape->slots[input.index].size;
  const fov_tape_size out = fov_tape_size_make(size.rows, size.columns, size.channels);
  if (size.stride != out.stride) {
    return fov_tape_fail(diagnostic, fov_status_unsupported, "a function of the picture itself");
  }
  affine_parameters parameters = {.stride = size.stride,
                                  .scale = fov_train_allocate(size.stride, sizeof(fov_real)),
                                  .bias = fov_train_allocate(size.stride, sizeof(fov_real))};
  fov_status status = fov_status_out_of_memory;
  if (parameters.scale && parameters.bias) {
    for (size_t c = 0; c < size.channels; c++) {
      parameters.scale[c] = scale[c];
      parameters.bias[c] = bias[c];
    }
    status = fov_tape_add_node(tape, &affine_operation, &parameters, sizeof parameters, &input, 1,
                               &out, out_value);
  }
  if (status != fov_status_ok) release_affine(&parameters);
  return status;
}
