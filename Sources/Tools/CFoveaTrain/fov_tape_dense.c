// Fovea - convolutions as products of matrices, forward and backward.
// SPDX-License-Identifier: Apache-2.0
//
// Tiles of pixels go through all steps while they are in the cache.
//
//   forward    out[pixels x outputs] = patches[pixels x taps] W[taps x outputs], bias, activation
//   backward   g = gradient of out before the activation
//              gradient of W += patches' g        gradient of patches = g W'
//
// Where the kernel is one pixel, the input is the patches.
#include <string.h>

#include "fov_tape_convolution.h"

// Elements of patches, results and gradients of a tile: half of a second-level cache.
#define TILE_ELEMENTS 131072
#define LEAST_PIXELS 64
#define MOST_PIXELS 2048

typedef struct dense_work {
  const fov_tape_call *call;
  const fov_tape_weights *weights;
  const fov_tape_size *in, *out;
  bool is_direct;
  size_t depth;  // elements of a patch
  size_t tile;   // pixels
} dense_work;

static bool is_direct(const fov_convolution *c) {
  return c->groups == 1 && c->kernel[0] == 1 && c->kernel[1] == 1 && c->stride[0] == 1 &&
         c->stride[1] == 1 && c->before[0] + c->before[1] + c->after[0] + c->after[1] == 0;
}

static size_t tile_of(const fov_tape_weights *w) {
  const size_t width = w->taps * w->input_stride + w->row;
  const size_t pixels = TILE_ELEMENTS / width / LEAST_PIXELS * LEAST_PIXELS;
  return pixels < LEAST_PIXELS ? LEAST_PIXELS : pixels > MOST_PIXELS ? MOST_PIXELS : pixels;
}

static dense_work work_of(const fov_tape_call *call) {
  const fov_tape_weights *w = fov_tape_weights_of(call);
  return (dense_work){.call = call,
                      .weights = w,
                      .in = &fov_tape_input_slot(call, 0)->size,
                      .out = &fov_tape_output_slot(call)->size,
                      .is_direct = is_direct(&fov_tape_convolution_of(call)->convolution),
                      .depth = w->taps * w->input_stride,
                      .tile = tile_of(w)};
}

static fov_tape_patches patches_of(const dense_work *work, size_t group) {
  const fov_tape_weights *w = work->weights;
  return (fov_tape_patches){.convolution = &fov_tape_convolution_of(work->call)->convolution,
                            .in = work->in,
                            .out = work->out,
                            .first_channel = group * w->inputs,
                            .channels = w->input_stride};
}

// The patches of pixels, in the workspace unless they are the input.
static fov_matrix patch_matrix(const dense_work *work, size_t group, size_t pixel, size_t count) {
  const fov_real *in = fov_tape_in(work->call, 0);
  if (work->is_direct) {
    return (fov_matrix){in + pixel * work->in->stride, work->in->stride, false};
  }
  const fov_tape_patches patches = patches_of(work, group);
  fov_tape_gather(&patches, in, pixel, count, work->call->workspace);
  return (fov_matrix){work->call->workspace, work->depth, false};
}

// Groups write their own channels; without groups a product fills the pixel to its end.
static size_t product_columns(const fov_tape_weights *w) {
  return w->groups == 1 ? w->row : w->outputs;
}

static size_t group_place(const fov_tape_weights *w, size_t group) {
  return w->first + group * w->taps * w->input_stride * w->row;
}

static size_t tile_end(const dense_work *work, size_t pixel) {
  const size_t pixels = fov_tape_pixels(work->out);
  return pixel + work->tile < pixels ? pixel + work->tile : pixels;
}

static void run_forward(const fov_tape_call *call) {
  const dense_work work = work_of(call);
  const fov_tape_weights *w = work.weights;
  fov_real *out = fov_tape_out(call);
  const size_t stride = work.out->stride;
  if (w->groups > 1) memset(out, 0, fov_tape_elements(work.out) * sizeof *out);
  for (size_t p = 0; p < fov_tape_pixels(work.out); p += work.tile) {
    const size_t count = tile_end(&work, p) - p;
    for (size_t g = 0; g < w->groups; g++) {
      const fov_matrix right = {call->parameters + group_place(w, g), w->row, false};
      fov_train_multiply(count, product_columns(w), work.depth, patch_matrix(&work, g, p, count),
                         right, false, out + p * stride + g * w->outputs, stride);
    }
    call->tape->kernels->finish(fov_tape_activation_of(call), call->parameters + w->first_bias,
                                count, stride, out + p * stride);
  }
}

static void add_weight_gradient(const dense_work *work, size_t group, size_t pixel, size_t count,
                                fov_matrix gradient) {
  const fov_tape_weights *w = work->weights;
  fov_matrix left = patch_matrix(work, group, pixel, count);
  left.is_turned = true;
  fov_real *to = work->call->gradients + group_place(w, group);
  fov_train_multiply(work->depth, product_columns(w), count, left, gradient, true, to, w->row);
}

static void find_in_gradient(const dense_work *work, size_t group, size_t pixel, size_t count,
                             fov_matrix gradient, fov_real *in_gradient) {
  const fov_tape_weights *w = work->weights;
  const fov_matrix right = {work->call->parameters + group_place(w, group), w->row, true};
  if (work->is_direct) {
    fov_train_multiply(count, work->depth, product_columns(w), gradient, right,
                       work->call->node->adds[0], in_gradient + pixel * work->in->stride,
                       work->in->stride);
    return;
  }
  fov_real *patches = work->call->workspace;
  fov_train_multiply(count, work->depth, product_columns(w), gradient, right, false, patches,
                     work->depth);
  const fov_tape_patches places = patches_of(work, group);
  fov_tape_scatter(&places, patches, pixel, count, in_gradient);
}

static void run_backward(const fov_tape_call *call) {
  const dense_work work = work_of(call);
  const fov_tape_weights *w = work.weights;
  fov_real *gradient = fov_tape_out_gradient(call), *in_gradient = fov_tape_in_gradient(call, 0);
  const size_t stride = work.out->stride;
  if (in_gradient && !work.is_direct && !call->node->adds[0]) {
    memset(in_gradient, 0, fov_tape_elements(work.in) * sizeof *in_gradient);
  }
  for (size_t p = 0; p < fov_tape_pixels(work.out); p += work.tile) {
    const size_t count = tile_end(&work, p) - p;
    call->tape->kernels->unfinish(fov_tape_activation_of(call), fov_tape_out(call) + p * stride,
                                  count, stride, gradient + p * stride,
                                  call->gradients + w->first_bias);
    for (size_t g = 0; g < w->groups; g++) {
      const fov_matrix part = {gradient + p * stride + g * w->outputs, stride, false};
      add_weight_gradient(&work, g, p, count, part);
      if (in_gradient) find_in_gradient(&work, g, p, count, part, in_gradient);
    }
  }
}

static size_t workspace(const fov_tape *tape, const fov_tape_node *node) {
  const fov_tape_convolution *c = node->parameters;
  const fov_tape_weights *w = &tape->weights[c->weights];
  return is_direct(&c->convolution) ? 0 : tile_of(w) * w->taps * w->input_stride;
}

const fov_tape_operation fov_tape_dense = {
    .forward = run_forward, .backward = run_backward, .workspace = workspace, .keeps_input = true};
const fov_tape_operation fov_tape_dense_activated = {.forward = run_forward,
                                                     .backward = run_backward,
                                                     .workspace = workspace,
                                                     .keeps_input = true,
                                                     .keeps_output = true};
