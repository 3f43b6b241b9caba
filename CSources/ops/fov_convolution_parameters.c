// Fovea - what convolutions of both directions own: geometry, weights, bias.
// SPDX-License-Identifier: Apache-2.0
#include "ops/fov_convolution_parameters.h"

#include "base/fov_alloc.h"
#include "base/fov_size.h"
#include "ops/fov_op_unary.h"
#include "ops/fov_operation_table.h"
#include "weights/fov_packed_weights.h"
#include "weights/fov_weight_transposition.h"

bool fov_is_convolution(const fov_operation *operation) {
  return operation == &fov_operation_convolution ||
         operation == &fov_operation_transposed_convolution;
}

size_t fov_convolution_taps(const fov_convolution_parameters *parameters) {
  const fov_convolution *c = &parameters->convolution;
  return parameters->input_channels / c->groups * c->kernel[0] * c->kernel[1];
}

bool fov_convolution_is_depthwise(const fov_convolution_parameters *parameters) {
  return fov_weights_are_depthwise(&parameters->convolution, parameters->input_channels);
}

static fov_status check_geometry(const fov_convolution *c, size_t input_channels,
                                 fov_diagnostic *diagnostic) {
  for (int axis = 0; axis < 2; axis++) {
    if (c->kernel[axis] == 0 || c->stride[axis] == 0 || c->dilation[axis] == 0) {
      return fov_fail(diagnostic, fov_status_invalid_argument,
                      "kernel, stride and dilation are at least 1, found %zu, %zu, %zu",
                      c->kernel[axis], c->stride[axis], c->dilation[axis]);
    }
    // Distances in memory are multiples of these two.
    if (c->stride[axis] > INT32_MAX || c->dilation[axis] > INT32_MAX) {
      return fov_fail(diagnostic, fov_status_overflow,
                      "a stride of %zu, a dilation of %zu; expected at most %d", c->stride[axis],
                      c->dilation[axis], INT32_MAX);
    }
  }
  if (c->groups == 0 || c->output_channels == 0 || input_channels % c->groups != 0 ||
      c->output_channels % c->groups != 0) {
    return fov_fail(diagnostic, fov_status_shape_mismatch,
                    "%zu groups do not divide %zu input and %zu output channels", c->groups,
                    input_channels, c->output_channels);
  }
  return fov_status_ok;
}

// The bias as floats, zero without one.
static fov_status create_bias(const fov_weights *bias, size_t channels, float **out_bias,
                              fov_diagnostic *diagnostic) {
  *out_bias = fov_allocate_array(channels, sizeof(float));
  if (!*out_bias) {
    return fov_fail(diagnostic, fov_status_out_of_memory, "no memory for %zu biases", channels);
  }
  if (!bias) return fov_status_ok;
  fov_weight_store store;
  const size_t dims[4] = {1, channels, 1, 1};
  FOV_FORWARD(fov_weight_store_create(bias, dims, 1, &store, diagnostic));
  fov_weight_store_panel(&store, 0, 1, 0, channels, *out_bias);
  fov_weight_store_release(&store);
  return fov_status_ok;
}

// The shape of the weights in a file.
static fov_status find_shape(const fov_convolution *convolution, size_t input_channels,
                             bool transposed, size_t out_dims[4], fov_diagnostic *diagnostic) {
  const size_t outer = transposed ? input_channels : convolution->output_channels;
  const size_t inner =
      (transposed ? convolution->output_channels : input_channels) / convolution->groups;
  size_t count;
  if (!fov_size_multiply(convolution->kernel[0], convolution->kernel[1], &count) ||
      !fov_size_multiply(count, inner, &count) || !fov_size_multiply(count, outer, &count)) {
    return fov_fail(diagnostic, fov_status_overflow, "the number of weights overflows");
  }
  out_dims[0] = outer;
  out_dims[1] = inner;
  out_dims[2] = convolution->kernel[0];
  out_dims[3] = convolution->kernel[1];
  return fov_status_ok;
}

static fov_status create(const fov_convolution *convolution, const fov_weights *weights,
                         const fov_weights *bias, size_t input_channels, bool transposed,
                         fov_convolution_parameters **out_parameters, fov_diagnostic *diagnostic) {
  *out_parameters = NULL;
  FOV_FORWARD(check_geometry(convolution, input_channels, diagnostic));
  size_t dims[4] = {0};
  FOV_FORWARD(find_shape(convolution, input_channels, transposed, dims, diagnostic));
  fov_convolution_parameters *made = fov_allocate(sizeof *made);
  if (!made) return fov_fail(diagnostic, fov_status_out_of_memory, "no memory for a convolution");
  made->convolution = *convolution;
  made->input_channels = input_channels;
  fov_status status =
      fov_weight_store_create(weights, dims, transposed ? 1 : 0, &made->weights, diagnostic);
  if (status == fov_status_ok && transposed) {
    status = fov_weight_store_swap_channels(&made->weights, convolution->groups);
    if (status != fov_status_ok) fov_fail(diagnostic, status, "no memory for %zu weights", dims[0]);
  }
  if (status == fov_status_ok) {
    status = create_bias(bias, convolution->output_channels, &made->bias, diagnostic);
  }
  if (status != fov_status_ok) {
    fov_convolution_release(made);
    fov_release(made);
    return status;
  }
  *out_parameters = made;
  return fov_status_ok;
}

fov_status fov_convolution_create(const fov_convolution *convolution, const fov_weights *weights,
                                  const fov_weights *bias, size_t input_channels,
                                  fov_convolution_parameters **out_parameters,
                                  fov_diagnostic *diagnostic) {
  return create(convolution, weights, bias, input_channels, false, out_parameters, diagnostic);
}

fov_status fov_transposed_convolution_create(const fov_convolution *convolution,
                                             const fov_weights *weights, const fov_weights *bias,
                                             size_t input_channels,
                                             fov_convolution_parameters **out_parameters,
                                             fov_diagnostic *diagnostic) {
  return create(convolution, weights, bias, input_channels, true, out_parameters, diagnostic);
}

void fov_convolution_release(void *parameters) {
  fov_convolution_parameters *owned = parameters;
  fov_weight_store_release(&owned->weights);
  fov_release(owned->bias);
}

size_t fov_convolution_weight_bytes(const void *parameters) {
  const fov_convolution_parameters *owned = parameters;
  return fov_weight_store_bytes(&owned->weights) +
         owned->convolution.output_channels * sizeof(float);
}

fov_status fov_convolution_infer_shape(const fov_convolution_parameters *parameters,
                                       const fov_shape *input, fov_convolution_size_rule rule,
                                       fov_shape *out_shape, fov_diagnostic *diagnostic) {
  char text[FOV_SHAPE_TEXT];
  if (input->rank < 3 || input->dims[input->rank - 3] != parameters->input_channels) {
    return fov_fail(diagnostic, fov_status_shape_mismatch,
                    "expected an input of %zu channels, found %s", parameters->input_channels,
                    fov_shape_describe(input, text));
  }
  *out_shape = *input;
  out_shape->dims[input->rank - 3] = parameters->convolution.output_channels;
  for (int axis = 0; axis < 2; axis++) {
    size_t *size = &out_shape->dims[input->rank - 2 + (size_t)axis];
    FOV_FORWARD(rule(&parameters->convolution, axis, *size, size, diagnostic));
  }
  return fov_status_ok;
}

// MARK: compiled files

void fov_convolution_archive(fov_archive *archive, fov_convolution *convolution,
                             size_t *input_channels) {
  fov_archive_size(archive, &convolution->output_channels);
  fov_archive_size(archive, &convolution->groups);
  fov_archive_sizes(archive, convolution->kernel, 2);
  fov_archive_sizes(archive, convolution->stride, 2);
  fov_archive_sizes(archive, convolution->dilation, 2);
  fov_archive_sizes(archive, convolution->before, 2);
  fov_archive_sizes(archive, convolution->after, 2);
  fov_archive_sizes(archive, convolution->output_extension, 2);
  fov_archive_size(archive, input_channels);
  if (!fov_archive_reads(archive)) return;
  archive->status = check_geometry(convolution, *input_channels, archive->diagnostic);
}

void fov_convolution_parameters_archive(fov_archive *archive, void *opaque) {
  fov_convolution_parameters *parameters = opaque;
  fov_convolution_archive(archive, &parameters->convolution, &parameters->input_channels);
  fov_archive_bool(archive, &parameters->has_activation);
  fov_unary_archive(archive, &parameters->activation);
  if (fov_archive_reads(archive)) {
    parameters->weights = (fov_weight_store){0};
    archive->status = find_shape(&parameters->convolution, parameters->input_channels, false,
                                 parameters->weights.parts.dims, archive->diagnostic);
  }
  fov_weight_store_archive(archive, &parameters->weights);
  fov_archive_block_owned(archive, (void **)&parameters->bias,
                          parameters->convolution.output_channels, sizeof(float), 0);
}
