// Fovea - transposed convolution ("deconvolution").
// SPDX-License-Identifier: Apache-2.0
#include <limits.h>
#include <string.h>

#include "base/fov_size.h"
#include "kernels/fov_gemm.h"
#include "kernels/fov_im2col.h"
#include "ops/fov_convolution_parameters.h"
#include "ops/fov_op_unary.h"
#include "ops/fov_operation_table.h"
#include "pool/fov_parallel_slots.h"

// Every input element adds its value times the kernel to the output, at element * stride - before:
//
//   output[y * stride + ky - before, x * stride + kx - before] += input[y, x] * weight[ky, kx]
//
// `blas` computes the products of all taps of some output channels as one matrix, and then adds
// them where they belong. What sgemm does not suit is added plane by plane, as by the reference.
// Other backends have operations of their own, except for what those cannot do.

// (size - 1) * stride + kernel - before - after + extension
static fov_status output_size(const fov_convolution *c, int axis, size_t size, size_t *out_size,
                              fov_diagnostic *diagnostic) {
  size_t full, cut;
  if (!fov_size_multiply(size - 1, c->stride[axis], &full) ||
      !fov_size_add(full, c->kernel[axis], &full) ||
      !fov_size_add(full, c->output_extension[axis], &full) ||
      !fov_size_add(c->before[axis], c->after[axis], &cut)) {
    return fov_fail(diagnostic, fov_status_overflow, "the output size overflows");
  }
  if (full <= cut) {
    return fov_fail(diagnostic, fov_status_shape_mismatch, "cropping %zu of %zu %s leaves nothing",
                    cut, full, axis == 0 ? "rows" : "columns");
  }
  *out_size = full - cut;
  return fov_status_ok;
}

static fov_status infer_shape(const void *parameters, const fov_shape *inputs, size_t input_count,
                              fov_shape *out_shape, fov_diagnostic *diagnostic) {
  (void)input_count;
  const fov_convolution_parameters *p = parameters;
  if (p->convolution.dilation[0] != 1 || p->convolution.dilation[1] != 1) {
    return fov_fail(diagnostic, fov_status_unsupported,
                    "a transposed convolution has no dilation, found %zu x %zu",
                    p->convolution.dilation[0], p->convolution.dilation[1]);
  }
  return fov_convolution_infer_shape(p, &inputs[0], output_size, out_shape, diagnostic);
}

typedef struct transposed_context {
  const fov_run *run;
  const fov_convolution_parameters *parameters;
  fov_planes input, output;
  size_t block;  // output channels of a unit
  size_t tile;   // sgemm: rows of the input at a time
  size_t slot_floats;
} transposed_context;

// Adds `weight` times rows [row, row + rows) of the input at one tap. `from`: the first of them.
static void add_tap(const transposed_context *context, size_t tap, size_t row, size_t rows,
                    const float *restrict from, float weight, float *restrict out) {
  const fov_convolution *c = &context->parameters->convolution;
  const fov_planes *input = &context->input, *output = &context->output;
  const size_t ky = tap / c->kernel[1], kx = tap % c->kernel[1], step = c->stride[1];
  const fov_tap_range inside = fov_tap_outputs(c, 0, ky, output->rows, input->rows);
  const fov_tap_range columns = fov_tap_outputs(c, 1, kx, output->columns, input->columns);
  const size_t count = columns.end - columns.begin;
  if (count == 0) return;
  const size_t first = columns.begin * step + kx - c->before[1];
  const size_t end = fov_size_min(row + rows, inside.end);
  for (size_t y = fov_size_max(row, inside.begin); y < end; y++) {
    const float *restrict values = from + (y - row) * input->columns + columns.begin;
    const size_t line = y * c->stride[0] + ky - c->before[0];
    float *restrict to = out + line * output->columns + first;
    if (step == 1) {
      for (size_t i = 0; i < count; i++) to[i] += weight * values[i];
    } else if (step == 2) {
      for (size_t i = 0; i < count; i++) to[2 * i] += weight * values[i];
    } else {
      for (size_t i = 0; i < count; i++) to[i * step] += weight * values[i];
    }
  }
}

static size_t kernel_of(const fov_convolution_parameters *p) {
  return p->convolution.kernel[0] * p->convolution.kernel[1];
}

static size_t group_inputs_of(const fov_convolution_parameters *p) {
  return p->input_channels / p->convolution.groups;
}

// MARK: plane by plane

static void add_plane(const transposed_context *context, size_t channel, const float *planes,
                      float *weights, float *out) {
  const fov_convolution_parameters *p = context->parameters;
  const size_t kernel = kernel_of(p), pixels = context->input.rows * context->input.columns;
  for (size_t i = 0; i < group_inputs_of(p); i++) {
    fov_weight_store_panel(&p->weights, channel, 1, i * kernel, kernel, weights);
    for (size_t tap = 0; tap < kernel; tap++) {
      add_tap(context, tap, 0, context->input.rows, planes + i * pixels, weights[tap], out);
    }
  }
}

// MARK: sgemm
//
//   products[m, n] = weights[m, k] * input[k, n]
//
//   m  output channels of a unit x kernel
//   k  input channels of the group
//   n  pixels of a tile
#define PRODUCT_ROWS 256       // m, unless one channel has more
#define WANTED_UNITS 4         // of a group
#define PRODUCTS (128 * 1024)  // m x n, unless one row of the input has more
#define FEWEST_ROWS 4
#define FEWEST_INPUTS 8

static bool suits_gemm(const fov_convolution_parameters *p, fov_backend backend) {
  const size_t outputs = p->convolution.output_channels / p->convolution.groups;
  return backend == fov_backend_blas && outputs * kernel_of(p) >= FEWEST_ROWS &&
         group_inputs_of(p) >= FEWEST_INPUTS;
}

static void decode_weights(const transposed_context *context, size_t channel, size_t channels,
                           float *row, float *panel) {
  const fov_convolution_parameters *p = context->parameters;
  const size_t kernel = kernel_of(p), inputs = group_inputs_of(p);
  for (size_t c = 0; c < channels; c++, panel += kernel * inputs) {
    fov_weight_store_panel(&p->weights, channel + c, 1, 0, inputs * kernel, row);
    for (size_t i = 0; i < inputs * kernel; i++) panel[i % kernel * inputs + i / kernel] = row[i];
  }
}

static void add_products(const transposed_context *context, size_t channel, size_t channels,
                         const float *planes, float *memory, float *out) {
  const fov_planes *input = &context->input, *output = &context->output;
  const size_t kernel = kernel_of(context->parameters);
  const size_t inputs = group_inputs_of(context->parameters);
  float *products = memory + context->block * kernel * inputs;
  decode_weights(context, channel, channels, products, memory);
  for (size_t row = 0; row < input->rows; row += context->tile) {
    const size_t rows = fov_size_min(context->tile, input->rows - row);
    const size_t pixels = rows * input->columns;
    fov_gemm(channels * kernel, pixels, inputs, memory, inputs, planes + row * input->columns,
             input->rows * input->columns, false, products, pixels);
    for (size_t i = 0; i < channels * kernel; i++) {
      add_tap(context, i % kernel, row, rows, products + i * pixels, 1.0f,
              out + i / kernel * output->rows * output->columns);
    }
  }
}

// MARK: units

// How work is cut depends on shapes only. false when sizes overflow, or sgemm could not count them.
static bool plan(const fov_convolution_parameters *p, fov_backend backend, const fov_planes *input,
                 transposed_context *out) {
  const size_t kernel = kernel_of(p), inputs = group_inputs_of(p);
  const size_t outputs = p->convolution.output_channels / p->convolution.groups;
  out->block = 1;
  out->slot_floats = kernel;
  if (!suits_gemm(p, backend)) return true;
  const size_t wanted = fov_size_parts(outputs, WANTED_UNITS);
  out->block = fov_size_max(1, fov_size_min(wanted, PRODUCT_ROWS / kernel));
  const size_t rows = out->block * kernel;
  const size_t a_row = fov_size_max(1, rows * input->columns);
  out->tile = fov_size_max(1, fov_size_min(input->rows, PRODUCTS / a_row));
  size_t panel, products, row;
  return rows <= INT_MAX && inputs <= INT_MAX && out->tile * input->columns <= INT_MAX &&
         input->rows <= INT_MAX / input->columns && fov_size_multiply(rows, inputs, &panel) &&
         fov_size_multiply(rows, out->tile * input->columns, &products) &&
         fov_size_multiply(kernel, inputs, &row) &&
         fov_size_add(panel, fov_size_max(products, row), &out->slot_floats);
}

static fov_status workspace(const void *parameters, const fov_workspace_request *request,
                            size_t *out_bytes) {
  const fov_planes input = fov_shape_planes(&request->inputs[0]);
  transposed_context context;
  size_t floats;
  return plan(parameters, request->backend, &input, &context) &&
                 fov_size_multiply(context.slot_floats, request->slots, &floats) &&
                 fov_size_multiply(floats, sizeof(float), out_bytes)
             ? fov_status_ok
             : fov_status_overflow;
}

// Computes some output channels of one group of one image.
static void compute_unit(void *opaque, size_t unit, size_t slot) {
  const transposed_context *context = opaque;
  const fov_run *run = context->run;
  const fov_convolution_parameters *p = context->parameters;
  const size_t groups = p->convolution.groups, outputs = p->convolution.output_channels / groups;
  const size_t blocks = fov_size_parts(outputs, context->block);
  const size_t image = unit / blocks / groups, group = unit / blocks % groups;
  const size_t begin = unit % blocks * context->block;
  const size_t channels = fov_size_min(context->block, outputs - begin);
  const size_t channel = group * outputs + begin;
  const size_t pixels = context->output.rows * context->output.columns;
  const float *planes = fov_run_input(run, 0) + (image * groups + group) * group_inputs_of(p) *
                                                    context->input.rows * context->input.columns;
  float *memory = (float *)run->workspace + slot * context->slot_floats;
  float *out = fov_run_output(run) + (image * p->convolution.output_channels + channel) * pixels;
  memset(out, 0, channels * pixels * sizeof(float));
  if (suits_gemm(p, run->backend)) {
    add_products(context, channel, channels, planes, memory, out);
  } else {
    add_plane(context, channel, planes, memory, out);
  }
  for (size_t c = 0; c < channels; c++) {
    fov_unary_finish(p->has_activation ? &p->activation : NULL, p->bias[channel + c],
                     out + c * pixels, pixels);
  }
}

static void run_transposed(const fov_run *run) {
  transposed_context context = {
      .run = run,
      .parameters = run->parameters,
      .input = fov_shape_planes(run->inputs[0].shape),
      .output = fov_shape_planes(run->output.shape),
  };
  plan(run->parameters, run->backend, &context.input, &context);
  const fov_convolution *c = &context.parameters->convolution;
  const size_t blocks = fov_size_parts(c->output_channels / c->groups, context.block);
  fov_parallel_for_slots(run->pool, context.output.batch * c->groups * blocks, run->slots,
                         compute_unit, &context);
}

static uint64_t multiply_accumulates(const void *parameters, const fov_shape *inputs,
                                     const fov_shape *output) {
  (void)output;
  const fov_convolution_parameters *p = parameters;
  const uint64_t outputs = p->convolution.output_channels / p->convolution.groups;
  return (uint64_t)fov_shape_count(&inputs[0]) * outputs * kernel_of(p);
}

const fov_operation fov_operation_transposed_convolution = {
    .name = "transposed convolution",
    .infer_shape = infer_shape,
    .workspace = workspace,
    .run = run_transposed,
    .multiply_accumulates = multiply_accumulates,
    .weight_bytes = fov_convolution_weight_bytes,
    .release = fov_convolution_release,
    .archive = fov_convolution_parameters_archive,
    .parameter_bytes = sizeof(fov_convolution_parameters),
    .input_count = 1,
};
