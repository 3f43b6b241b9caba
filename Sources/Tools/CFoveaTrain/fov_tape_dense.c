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

// Elements of patches, results and gradients of a tile: a quarter of a second-level cache.
#define TILE_ELEMENTS 65536
#define LEAST_PIXELS 64
#define MOST_PIXELS 1024

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

// Rows of numbers, from one to the next.
typedef struct number_rows {
  const fov_real *first;
  size_t stride;
} number_rows;

// The patches of pixels, in the workspace unless they are the input.
static number_rows patch_rows(const dense_work *work, size_t group, size_t pixel, size_t count) {
  const fov_real *in = fov_tape_in(work->call, 0);
  if (work->is_direct) return (number_rows){in + pixel * work->in->stride, work->in->stride};
  const fov_tape_patches patches = patches_of(work, group);
  fov_tape_gather(&patches, in, pixel, count, work->call->workspace);
  return (number_rows){work->call->workspace, work->depth};
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
  const fov_train_kernels *kernels = call->tape->kernels;
  fov_real *out = fov_tape_out(call);
  const size_t stride = work.out->stride;
  fov_train_end end = {0};
  const bool ends = w->groups == 1 && fov_train_end_of(fov_tape_activation_of(call), &end);
  if (ends) end.bias = call->parameters + w->first_bias;
  if (w->groups > 1) memset(out, 0, fov_tape_elements(work.out) * sizeof *out);
  for (size_t p = 0; p < fov_tape_pixels(work.out); p += work.tile) {
    const size_t count = tile_end(&work, p) - p;
    for (size_t g = 0; g < w->groups; g++) {
      const number_rows patches = patch_rows(&work, g, p, count);
      kernels->multiply(&(fov_train_product){.rows = count,
                                             .columns = product_columns(w),
                                             .depth = work.depth,
                                             .a = patches.first,
                                             .a_row = patches.stride,
                                             .a_step = 1,
                                             .b = call->parameters + group_place(w, g),
                                             .b_step = w->row,
                                             .out = out + p * stride + g * w->outputs,
                                             .out_row = stride,
                                             .end = end});
    }
    if (ends) continue;
    kernels->finish(fov_tape_activation_of(call), call->parameters + w->first_bias, count, stride,
                    out + p * stride);
  }
}

static void add_weight_gradient(const dense_work *work, size_t group, size_t pixel, size_t count,
                                number_rows gradient) {
  const fov_tape_weights *w = work->weights;
  const number_rows patches = patch_rows(work, group, pixel, count);
  work->call->tape->kernels->multiply(
      &(fov_train_product){.rows = work->depth,
                           .columns = product_columns(w),
                           .depth = count,
                           .a = patches.first,
                           .a_row = 1,
                           .a_step = patches.stride,
                           .b = gradient.first,
                           .b_step = gradient.stride,
                           .out = work->call->gradients + group_place(w, group),
                           .out_row = w->row,
                           .adds = true});
}

// Where the transposed weights of all groups lie, behind the patches.
static fov_real *turned_weights(const dense_work *work) {
  return work->call->workspace + (work->is_direct ? 0 : work->tile * work->depth);
}

// W' [outputs, depth] for each group.
static void turn_weights(const dense_work *work) {
  const fov_tape_weights *w = work->weights;
  const size_t columns = product_columns(w);
  fov_real *to = turned_weights(work);
  for (size_t g = 0; g < w->groups; g++) {
    const fov_real *from = work->call->parameters + group_place(w, g);
    for (size_t o = 0; o < columns; o++) {
      for (size_t d = 0; d < work->depth; d++) *to++ = from[d * w->row + o];
    }
  }
}

static void find_in_gradient(const dense_work *work, size_t group, size_t pixel, size_t count,
                             number_rows gradient, fov_real *in_gradient) {
  const fov_tape_weights *w = work->weights;
  const size_t columns = product_columns(w);
  fov_train_product product = {.rows = count,
                               .columns = work->depth,
                               .depth = columns,
                               .a = gradient.first,
                               .a_row = gradient.stride,
                               .a_step = 1,
                               .b = turned_weights(work) + group * columns * work->depth,
                               .b_step = work->depth,
                               .out = work->call->workspace,
                               .out_row = work->depth};
  if (work->is_direct) {
    product.out = in_gradient + pixel * work->in->stride;
    product.out_row = work->in->stride;
    product.adds = work->call->node->adds[0];
  }
  work->call->tape->kernels->multiply(&product);
  if (work->is_direct) return;
  const fov_tape_patches places = patches_of(work, group);
  fov_tape_scatter(&places, work->call->workspace, pixel, count, in_gradient);
}

static void run_backward(const fov_tape_call *call) {
  const dense_work work = work_of(call);
  const fov_tape_weights *w = work.weights;
  fov_real *gradient = fov_tape_out_gradient(call), *in_gradient = fov_tape_in_gradient(call, 0);
  const size_t stride = work.out->stride;
  if (in_gradient) turn_weights(&work);
  if (in_gradient && !work.is_direct && !call->node->adds[0]) {
    memset(in_gradient, 0, fov_tape_elements(work.in) * sizeof *in_gradient);
  }
  for (size_t p = 0; p < fov_tape_pixels(work.out); p += work.tile) {
    const size_t count = tile_end(&work, p) - p;
    call->tape->kernels->unfinish(fov_tape_activation_of(call), fov_tape_out(call) + p * stride,
                                  count, stride, gradient + p * stride,
                                  call->gradients + w->first_bias);
    for (size_t g = 0; g < w->groups; g++) {
      const number_rows part = {gradient + p * stride + g * w->outputs, stride};
      add_weight_gradient(&work, g, p, count, part);
      if (in_gradient) find_in_gradient(&work, g, p, count, part, in_gradient);
    }
  }
}

static size_t workspace(const fov_tape *tape, const fov_tape_node *node) {
  const fov_tape_convolution *c = node->parameters;
  const fov_tape_weights *w = &tape->weights[c->weights];
  const size_t patches = is_direct(&c->convolution) ? 0 : tile_of(w) * w->taps * w->input_stride;
  return patches + w->groups * product_columns(w) * w->taps * w->input_stride;
}

const fov_tape_operation fov_tape_dense = {
    .forward = run_forward, .backward = run_backward, .workspace = workspace, .keeps_input = true};
const fov_tape_operation fov_tape_dense_activated = {.forward = run_forward,
                                                     .backward = run_backward,
                                                     .workspace = workspace,
                                                     .keeps_input = true,
                                                     .keeps_output = true};
