// Fovea - resizing on a tape.
// SPDX-License-Identifier: Apache-2.0
#include <math.h>
#include <string.h>

#include "fov_tape.h"

// Where an output lies between two elements of the input, along one axis.
typedef struct sample_place {
  size_t low, high;
  fov_real weight;  // of `high`
} sample_place;

typedef struct resize_parameters {
  sample_place *rows, *columns;  // owned
} resize_parameters;

static void mix(const fov_tape_call *call, bool is_forward) {
  const resize_parameters *p = call->node->parameters;
  const fov_tape_size *in = &fov_tape_input_slot(call, 0)->size;
  const fov_tape_size *out = &fov_tape_output_slot(call)->size;
  const fov_train_kernels *kernels = call->tape->kernels;
  for (size_t i = 0; i < fov_tape_pixels(out); i++) {
    const sample_place y = p->rows[i / out->columns], x = p->columns[i % out->columns];
    const struct {
      size_t row, column;
      fov_real weight;
    } corners[4] = {{y.low, x.low, (1 - y.weight) * (1 - x.weight)},
                    {y.low, x.high, (1 - y.weight) * x.weight},
                    {y.high, x.low, y.weight * (1 - x.weight)},
                    {y.high, x.high, y.weight * x.weight}};
    for (int k = 0; k < 4; k++) {
      if (corners[k].weight == 0) continue;
      const size_t place = (corners[k].row * in->columns + corners[k].column) * in->stride;
      const size_t own = i * out->stride;
      if (is_forward) {
        kernels->sum(fov_tape_in(call, 0) + place, NULL, corners[k].weight, in->stride,
                     fov_tape_out(call) + own);
      } else {
        kernels->sum(fov_tape_out_gradient(call) + own, NULL, corners[k].weight, in->stride,
                     fov_tape_in_gradient(call, 0) + place);
      }
    }
  }
}

static void forward(const fov_tape_call *call) {
  const fov_tape_size *out = &fov_tape_output_slot(call)->size;
  memset(fov_tape_out(call), 0, fov_tape_elements(out) * sizeof(fov_real));
  mix(call, true);
}

static void backward(const fov_tape_call *call) {
  const fov_tape_size *in = &fov_tape_input_slot(call, 0)->size;
  if (!call->node->adds[0]) {
    memset(fov_tape_in_gradient(call, 0), 0, fov_tape_elements(in) * sizeof(fov_real));
  }
  mix(call, false);
}

static void release(void *parameters) {
  resize_parameters *p = parameters;
  fov_train_release(p->rows);
  fov_train_release(p->columns);
}

static const fov_tape_operation operation = {
    .forward = forward, .backward = backward, .release = release};

static void find_places(const fov_resize *r, int axis, size_t size, sample_place *places) {
  for (size_t i = 0; i < r->output[axis]; i++) {
    const double x = (double)i * r->step[axis] + r->offset[axis], last = (double)(size - 1);
    const double inside = !(x > 0) ? 0 : x > last ? last : x;
    const size_t low = (size_t)floor(inside);
    places[i] = (sample_place){.low = low, .high = low + 1 < size ? low + 1 : low};
    if (r->filter == fov_resize_bilinear) places[i].weight = (fov_real)(inside - floor(inside));
  }
}

fov_status fov_tape_add_resize(fov_tape *tape, const fov_resize *resize, fov_tape_value input,
                               fov_tape_value *out_value, fov_diagnostic *diagnostic) {
  FOV_TRAIN_FORWARD(fov_tape_check(tape, &input, 1, diagnostic));
  const fov_tape_size in = tape->slots[input.index].size;
  const fov_tape_size out = fov_tape_size_make(resize->output[0], resize->output[1], in.channels);
  if (out.rows > 65536 || out.columns > 65536 || in.stride != out.stride) {
    return fov_tape_fail(diagnostic, fov_status_unsupported, "a picture that is resized");
  }
  resize_parameters parameters = {fov_train_allocate(out.rows, sizeof(sample_place)),
                                  fov_train_allocate(out.columns, sizeof(sample_place))};
  fov_status status = fov_status_out_of_memory;
  if (parameters.rows && parameters.columns) {
    find_places(resize, 0, in.rows, parameters.rows);
    find_places(resize, 1, in.columns, parameters.columns);
    status = fov_tape_add_node(tape, &operation, &parameters, sizeof parameters, &input, 1, &out,
                               out_value);
  }
  if (status != fov_status_ok) release(&parameters);
  return status;
}
