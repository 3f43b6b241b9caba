// Fovea - pooling on a tape.
// SPDX-License-Identifier: Apache-2.0
#include <string.h>

#include "fov_tape.h"

// The part of a window that lies inside, [top, bottom) and [left, right).
typedef struct pool_window {
  size_t top, bottom, left, right;
} pool_window;

static void cut(const fov_pooling *p, int axis, size_t output, size_t size, size_t *out_first,
                size_t *out_end) {
  const ptrdiff_t start = (ptrdiff_t)(output * p->stride[axis]) - (ptrdiff_t)p->before[axis];
  const ptrdiff_t end = start + (ptrdiff_t)p->kernel[axis];
  *out_first = start < 0 ? 0 : (size_t)start;
  *out_end = end < 0 ? 0 : (size_t)end < size ? (size_t)end : size;
}

static pool_window window_of(const fov_pooling *p, const fov_tape_size *in, size_t y, size_t x) {
  pool_window w;
  cut(p, 0, y, in->rows, &w.top, &w.bottom);
  cut(p, 1, x, in->columns, &w.left, &w.right);
  return w;
}

// The factor of a mean: padding counts, but for what lies beyond the far border.
static fov_real share_of(const fov_pooling *p, const pool_window *w) {
  const size_t inside = (w->bottom - w->top) * (w->right - w->left);
  const size_t count = p->exclude_padding ? inside : p->kernel[0] * p->kernel[1];
  return count > 0 ? 1 / (fov_real)count : 0;
}

static void pool_pixel(const fov_pooling *p, const fov_tape_size *in, const fov_real *from,
                       const pool_window *w, fov_real *restrict out) {
  const bool is_maximum = p->function == fov_pooling_maximum;
  bool is_first = true;
  for (size_t c = 0; c < in->stride; c++) out[c] = 0;
  for (size_t y = w->top; y < w->bottom; y++) {
    for (size_t x = w->left; x < w->right; x++) {
      const fov_real *restrict row = from + (y * in->columns + x) * in->stride;
      if (is_first) {
        for (size_t c = 0; c < in->stride; c++) out[c] = row[c];
      } else if (is_maximum) {
        for (size_t c = 0; c < in->stride; c++) out[c] = row[c] > out[c] ? row[c] : out[c];
      } else {
        for (size_t c = 0; c < in->stride; c++) out[c] += row[c];
      }
      is_first = false;
    }
  }
  if (is_maximum) return;
  const fov_real share = share_of(p, w);
  for (size_t c = 0; c < in->stride; c++) out[c] *= share;
}

static void forward(const fov_tape_call *call) {
  const fov_pooling *p = call->node->parameters;
  const fov_tape_size *in = &fov_tape_input_slot(call, 0)->size;
  const fov_tape_size *out = &fov_tape_output_slot(call)->size;
  for (size_t i = 0; i < fov_tape_pixels(out); i++) {
    const pool_window w = window_of(p, in, i / out->columns, i % out->columns);
    pool_pixel(p, in, fov_tape_in(call, 0), &w, fov_tape_out(call) + i * out->stride);
  }
}

// The first of equal maxima takes the gradient, which is then 0 for the others.
static void spread_maximum(const fov_tape_size *in, const fov_real *from, const pool_window *w,
                           const fov_real *restrict greatest, fov_real *restrict gradient,
                           fov_real *to) {
  for (size_t y = w->top; y < w->bottom; y++) {
    for (size_t x = w->left; x < w->right; x++) {
      const size_t place = (y * in->columns + x) * in->stride;
      const fov_real *restrict row = from + place;
      fov_real *restrict row_gradient = to + place;
      for (size_t c = 0; c < in->stride; c++) {
        const fov_real taken = row[c] == greatest[c] ? gradient[c] : 0;
        row_gradient[c] += taken;
        gradient[c] -= taken;
      }
    }
  }
}

static void spread_mean(const fov_tape_size *in, const pool_window *w, fov_real share,
                        const fov_real *restrict gradient, fov_real *to) {
  for (size_t y = w->top; y < w->bottom; y++) {
    for (size_t x = w->left; x < w->right; x++) {
      fov_real *restrict row = to + (y * in->columns + x) * in->stride;
      for (size_t c = 0; c < in->stride; c++) row[c] += share * gradient[c];
    }
  }
}

static void backward(const fov_tape_call *call) {
  const fov_pooling *p = call->node->parameters;
  const fov_tape_size *in = &fov_tape_input_slot(call, 0)->size;
  const fov_tape_size *out = &fov_tape_output_slot(call)->size;
  fov_real *to = fov_tape_in_gradient(call, 0);
  if (!call->node->adds[0]) memset(to, 0, fov_tape_elements(in) * sizeof *to);
  for (size_t i = 0; i < fov_tape_pixels(out); i++) {
    const pool_window w = window_of(p, in, i / out->columns, i % out->columns);
    fov_real *gradient = fov_tape_out_gradient(call) + i * out->stride;
    if (p->function == fov_pooling_maximum) {
      spread_maximum(in, fov_tape_in(call, 0), &w, fov_tape_out(call) + i * out->stride, gradient,
                     to);
    } else {
      spread_mean(in, &w, share_of(p, &w), gradient, to);
    }
  }
}

static const fov_tape_operation maximum_operation = {
    .forward = forward, .backward = backward, .keeps_input = true, .keeps_output = true};
static const fov_tape_operation mean_operation = {.forward = forward, .backward = backward};

static bool is_sound(const fov_pooling *p) {
  for (int axis = 0; axis < 2; axis++) {
    if (p->kernel[axis] < 1 || p->stride[axis] < 1 || p->output[axis] < 1 ||
        p->kernel[axis] > 65536 || p->stride[axis] > 65536 || p->output[axis] > 65536 ||
        p->before[axis] > 65536) {
      return false;
    }
  }
  return true;
}

fov_status fov_tape_add_pooling(fov_tape *tape, const fov_pooling *pooling, fov_tape_value input,
                                fov_tape_value *out_value, fov_diagnostic *diagnostic) {
  FOV_TRAIN_FORWARD(fov_tape_check(tape, &input, 1, diagnostic));
  if (!is_sound(pooling)) {
    return fov_tape_fail(diagnostic, fov_status_invalid_argument, "a window without pixels");
  }
  if (pooling->function == fov_pooling_l2) {
    return fov_tape_fail(diagnostic, fov_status_unsupported, "roots of squares");
  }
  const fov_tape_size in = tape->slots[input.index].size;
  const fov_tape_size out = fov_tape_size_make(pooling->output[0], pooling->output[1], in.channels);
  if (in.stride != out.stride) {
    return fov_tape_fail(diagnostic, fov_status_unsupported, "pooling of the picture itself");
  }
  const bool is_maximum = pooling->function == fov_pooling_maximum;
  return fov_tape_add_node(tape, is_maximum ? &maximum_operation : &mean_operation, pooling,
                           sizeof *pooling, &input, 1, &out, out_value);
}
