// Fovea - what convolutions of both directions own: geometry, weights, bias.
// SPDX-License-Identifier: Apache-2.0
#ifndef FOV_CONVOLUTION_PARAMETERS_H
#define FOV_CONVOLUTION_PARAMETERS_H

#include "ops/fov_operation.h"
#include "weights/fov_weight_store.h"

typedef struct fov_convolution_parameters {
  fov_convolution convolution;
  size_t input_channels;
  fov_weight_store weights;  // output_channels x (input_channels / groups * kernel), see the store;
                             // the same in both directions
  float *bias;               // (output_channels,); never NULL, so that folding can change it
  bool has_activation;
  fov_unary activation;  // applied after the bias
} fov_convolution_parameters;

// Whether these are the parameters of an operation: those of convolutions of both directions.
FOV_INTERNAL bool fov_is_convolution(const fov_operation *operation);

// Copies weights and bias. Checks all that does not depend on the input's rows and columns.
FOV_INTERNAL fov_status fov_convolution_create(const fov_convolution *convolution,
                                               const fov_weights *weights, const fov_weights *bias,
                                               size_t input_channels,
                                               fov_convolution_parameters **out_parameters,
                                               fov_diagnostic *diagnostic);
FOV_INTERNAL fov_status fov_transposed_convolution_create(
    const fov_convolution *convolution, const fov_weights *weights, const fov_weights *bias,
    size_t input_channels, fov_convolution_parameters **out_parameters, fov_diagnostic *diagnostic);

FOV_INTERNAL void fov_convolution_release(void *parameters);
FOV_INTERNAL size_t fov_convolution_weight_bytes(const void *parameters);

// The geometry in a compiled file. Reading checks it as fov_convolution_create does.
FOV_INTERNAL void fov_convolution_archive(fov_archive *archive, fov_convolution *convolution,
                                          size_t *input_channels);
// All parameters in a compiled file. Weights are copied.
FOV_INTERNAL void fov_convolution_parameters_archive(fov_archive *archive, void *parameters);

// The size of the output on one axis (0 rows, 1 columns), or why there is none.
typedef fov_status (*fov_convolution_size_rule)(const fov_convolution *convolution, int axis,
                                                size_t size, size_t *out_size,
                                                fov_diagnostic *diagnostic);

// The input's shape with output_channels channels and both sizes by the rule.
FOV_INTERNAL fov_status fov_convolution_infer_shape(const fov_convolution_parameters *parameters,
                                                    const fov_shape *input,
                                                    fov_convolution_size_rule rule,
                                                    fov_shape *out_shape,
                                                    fov_diagnostic *diagnostic);

// Weights of one output channel: input channels of its group x kernel rows x kernel columns.
FOV_INTERNAL size_t fov_convolution_taps(const fov_convolution_parameters *parameters);

// Whether each output channel has one input channel to itself, and there is more than one.
FOV_INTERNAL bool fov_convolution_is_depthwise(const fov_convolution_parameters *parameters);

#endif
