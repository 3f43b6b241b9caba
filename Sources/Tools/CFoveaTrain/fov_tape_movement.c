// Fovea - values side by side, and elements in another order, on a tape.
// SPDX-License-Identifier: Apache-2.0
#include <string.h>

#include "fov_tape.h"

// MARK: Side by side

static void clear_gaps(const fov_tape_size *size, fov_real *values) {
  if (size->channels == size->stride) return;
  for (size_t p = 0; p < fov_tape_pixels(size); p++) {
    memset(values + p * size->stride + size->channels, 0,
           (size->stride - size->channels) * sizeof *values);
  }
}

static void forward_concat(const fov_tape_call *call) {
  const fov_tape_size *out = &fov_tape_output_slot(call)->size;
  size_t first = 0;
  for (size_t i = 0; i < call->node->input_count; i++) {
    const fov_tape_size *in = &fov_tape_input_slot(call, i)->size;
    for (size_t p = 0; p < fov_tape_pixels(out); p++) {
      memcpy(fov_tape_out(call) + p * out->stride + first, fov_tape_in(call, i) + p * in->stride,
             in->channels * sizeof(fov_real));
    }
    first += in->channels;
  }
  clear_gaps(out, fov_tape_out(call));
}

static void backward_concat(const fov_tape_call *call) {
  const fov_tape_size *out = &fov_tape_output_slot(call)->size;
  size_t first = 0;
  for (size_t i = 0; i < call->node->input_count; i++) {
    const fov_tape_size *in = &fov_tape_input_slot(call, i)->size;
    fov_real *to = fov_tape_in_gradient(call, i);
    for (size_t p = 0; to && p < fov_tape_pixels(out); p++) {
      const fov_real *from = fov_tape_out_gradient(call) + p * out->stride + first;
      if (call->node->adds[i]) {
        for (size_t c = 0; c < in->channels; c++) to[p * in->stride + c] += from[c];
      } else {
        memcpy(to + p * in->stride, from, in->channels * sizeof *to);
      }
    }
    if (to && !call->node->adds[i]) clear_gaps(in, to);
    first += in->channels;
  }
}

static const fov_tape_operation concat_operation = {.forward = forward_concat,
                                                    .backward = backward_concat};

fov_status fov_tape_add_concat(fov_tape *tape, const fov_tape_value *inputs, size_t input_count,
                               fov_tape_value *out_value, fov_diagnostic *diagnostic) {
  FOV_TRAIN_FORWARD(fov_tape_check(tape, inputs, input_count, diagnostic));
  if (input_count < 1) {
    return fov_tape_fail(diagnostic, fov_status_invalid_argument, "nothing lies side by side");
  }
  fov_tape_size out = tape->slots[inputs[0].index].size;
  out.channels = 0;
  for (size_t i = 0; i < input_count; i++) {
    const fov_tape_size in = tape->slots[inputs[i].index].size;
    if (in.rows != out.rows || in.columns != out.columns) {
      return fov_tape_fail(diagnostic, fov_status_shape_mismatch,
                           "%zu x %zu beside %zu x %zu pixels", in.rows, in.columns, out.rows,
                           out.columns);
    }
    out.channels += in.channels;
  }
  out.stride = fov_train_padded(out.channels);
  const char none = 0;
  return fov_tape_add_node(tape, &concat_operation, &none, sizeof none, inputs, input_count, &out,
                           out_value);
}

// MARK: Another order

typedef struct arrangement_parameters {
  int32_t *sources;  // in memory: of each element with gaps; owned
} arrangement_parameters;

static void forward_arrangement(const fov_tape_call *call) {
  const arrangement_parameters *p = call->node->parameters;
  const size_t count = fov_tape_elements(&fov_tape_output_slot(call)->size);
  const fov_real *in = fov_tape_in(call, 0);
  fov_real *out = fov_tape_out(call);
  for (size_t i = 0; i < count; i++) out[i] = p->sources[i] < 0 ? 0 : in[p->sources[i]];
}

static void backward_arrangement(const fov_tape_call *call) {
  const arrangement_parameters *p = call->node->parameters;
  const size_t count = fov_tape_elements(&fov_tape_output_slot(call)->size);
  const fov_real *gradient = fov_tape_out_gradient(call);
  fov_real *to = fov_tape_in_gradient(call, 0);
  if (!call->node->adds[0]) {
    memset(to, 0, fov_tape_elements(&fov_tape_input_slot(call, 0)->size) * sizeof *to);
  }
  for (size_t i = 0; i < count; i++) {
    if (p->sources[i] >= 0) to[p->sources[i]] += gradient[i];
  }
}

static void release_arrangement(void *parameters) {
  fov_train_release(((arrangement_parameters *)parameters)->sources);
}

static const fov_tape_operation arrangement_operation = {.forward = forward_arrangement,
                                                         .backward = backward_arrangement,
                                                         .release = release_arrangement};

// From the order without gaps to places in memory.
static bool find_places(const fov_tape_size *in, const fov_tape_size *out, const int32_t *sources,
                        int32_t *places) {
  const size_t elements = fov_tape_pixels(in) * in->channels;
  for (size_t i = 0; i < fov_tape_pixels(out); i++) {
    for (size_t c = 0; c < out->stride; c++) {
      const int32_t source = c < out->channels ? sources[i * out->channels + c] : -1;
      if (source >= 0 && (size_t)source >= elements) return false;
      const size_t place =
          source < 0 ? 0
                     : (size_t)source / in->channels * in->stride + (size_t)source % in->channels;
      places[i * out->stride + c] = source < 0 ? -1 : (int32_t)place;
    }
  }
  return true;
}

fov_status fov_tape_add_arrangement(fov_tape *tape, const fov_tape_size *size,
                                    const int32_t *sources, fov_tape_value input,
                                    fov_tape_value *out_value, fov_diagnostic *diagnostic) {
  FOV_TRAIN_FORWARD(fov_tape_check(tape, &input, 1, diagnostic));
  const fov_tape_size in = tape->slots[input.index].size;
  const fov_tape_size out = fov_tape_size_make(size->rows, size->columns, size->channels);
  if (out.rows > 65536 || out.columns > 65536 || out.channels > 65536 ||
      out.rows * out.columns > INT32_MAX / out.stride ||
      fov_tape_elements(&in) > (size_t)INT32_MAX) {
    return fov_status_overflow;
  }
  arrangement_parameters parameters = {
      fov_train_allocate(fov_tape_elements(&out), sizeof(int32_t))};
  if (!parameters.sources) return fov_status_out_of_memory;
  fov_status status = fov_status_ok;
  if (!find_places(&in, &out, sources, parameters.sources)) {
    status = fov_tape_fail(diagnostic, fov_status_invalid_argument,
                           "an element that the input does not have");
  } else {
    status = fov_tape_add_node(tape, &arrangement_operation, &parameters, sizeof parameters, &input,
                               1, &out, out_value);
  }
  if (status != fov_status_ok) release_arrangement(&parameters);
  return status;
}
