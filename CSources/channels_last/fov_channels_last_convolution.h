// Fovea - convolution on channels-last images with packed weights.
// SPDX-License-Identifier: Apache-2.0
#ifndef FOV_CHANNELS_LAST_CONVOLUTION_H
#define FOV_CHANNELS_LAST_CONVOLUTION_H

#include "channels_last/fov_fused_activation.h"
#include "fovea/core/fov_model.h"
#include "kernels/fov_kernel_set.h"
#include "ops/fov_convolution_parameters.h"
#include "ops/fov_operation.h"
#include "tensor/fov_format.h"
#include "weights/fov_packed_weights.h"

// A convolution with packed weights (fov_packed_weights.h) and a fused activation.
typedef struct fov_channels_last_convolution {
  fov_convolution convolution;
  size_t input_channels;
  bool pools;         // maxima over 2x2 windows at a stride of 2
  bool measured;      // integer: each frame sets the input's quantization
  bool rounds_first;  // codes: sums are rounded before the zero point is added
  bool curves_codes;  // a curve comes between the sums and their codes; follows from the rest
  fov_fused_activation activation;
  fov_quantization before_table;  // with activation.has_table
  fov_packed_weights weights;     // integer: the input is codes; int16: of 16 bits, see the check
  const uint8_t *table;           // (256,) with activation.has_table
  uint8_t *owned_table;           // the same, unless it lies in a mapped file
  float *factors;   // (2, output channels) with activation.has_factors: behind the curve; owned
  float *epilogue;  // integer, not measured: four arrays, see fov_channels_last_epilogue; owned
} fov_channels_last_convolution;

// The convolution that the layout pass asks for.
typedef struct fov_channels_last_request {
  bool integer, int16, measured;
  bool keeps_codes;  // float: many weights that are codes in the file stay codes
  bool as_stored;    // integer: the weights are the integers of the file
  bool pools, rounds_first;
  fov_fused_activation activation;
  const uint8_t *table;               // (256,) with activation.has_table; copied
  fov_quantization before_table;      // what the codes that the table reads mean
  const float *factors;               // (2, output channels) with activation.has_factors; copied
  const fov_channel_summary *inputs;  // integer: (input channels,), for rounding weights, or NULL
} fov_channels_last_request;

// Decodes the weights, quantizes them when `request` says integer, and packs them. Copies.
FOV_INTERNAL fov_status fov_channels_last_convolution_create(
    const fov_convolution_parameters *source, const fov_channels_last_request *request,
    fov_channels_last_convolution **out_layer, fov_diagnostic *diagnostic);

// Frees what the layer owns, not the structure.
FOV_INTERNAL void fov_channels_last_convolution_release(void *parameters);

// The quantizations around an integer convolution. output NULL: the result is float. residual NULL:
// there is none.
typedef struct fov_channels_last_codes {
  fov_quantization input;
  const fov_quantization *output, *residual;
  bool to_int16;  // the result is 16-bit integers, not bytes
} fov_channels_last_codes;

// Results in steps of their codes stay below this, so that rounding them to integers is defined on
// all processors. Results of 16 bits are clamped before they are rounded, and only have to be
// finite.
#define FOV_LARGEST_RESULT 1073741824.0

// Computes the scales and offsets of the result (integer, not measured). Allocates. unsupported:
// results could leave the range in which rounding is defined.
FOV_INTERNAL fov_status fov_channels_last_convolution_prepare(fov_channels_last_convolution *layer,
                                                              fov_channels_last_codes codes,
                                                              fov_diagnostic *diagnostic);

// Writes scale, bias, negative scale and negative bias of every padded channel, one array after
// another: 4 * fov_packed_channels floats.
FOV_INTERNAL void fov_channels_last_epilogue(const fov_channels_last_convolution *layer,
                                             fov_channels_last_codes codes, float *out_arrays);

// In a compiled file, whose blocks hold weights, bias, scales and tables. fov_operation.h says what
// the three functions do.
FOV_INTERNAL void fov_channels_last_convolution_archive(fov_archive *archive, void *parameters);
FOV_INTERNAL fov_status fov_channels_last_convolution_check(const void *parameters,
                                                            const fov_tensor *inputs,
                                                            size_t input_count,
                                                            const fov_tensor *output,
                                                            fov_diagnostic *diagnostic);
// The same without the result's rows and columns.
FOV_INTERNAL fov_status fov_channels_last_convolution_check_values(
    const fov_channels_last_convolution *layer, const fov_tensor *inputs, size_t input_count,
    const fov_tensor *output, fov_diagnostic *diagnostic);
FOV_INTERNAL fov_status fov_channels_last_convolution_restore(void *parameters,
                                                              const fov_tensor *inputs,
                                                              const fov_tensor *output,
                                                              fov_diagnostic *diagnostic);

FOV_INTERNAL extern const fov_operation fov_operation_channels_last_convolution;

#endif
