// Fovea - transposed convolution on channels-last images, as convolutions of phases.
// SPDX-License-Identifier: Apache-2.0
#ifndef FOV_CHANNELS_LAST_TRANSPOSED_H
#define FOV_CHANNELS_LAST_TRANSPOSED_H

#include "channels_last/fov_channels_last_convolution.h"
#include "channels_last/fov_channels_last_part.h"

// At a stride of s, every s-th pixel of the result reads the same taps of the kernel: its phase.
// The pixels of a phase are the result of a convolution at a stride of 1, whose kernel holds these
// taps backwards. Along one axis, with a stride of 2:
//
//   input                x0      x1      x2         kernel k0 k1 k2 k3, one pixel cut off before
//   result            y0  y1  y2  y3  y4  y5
//     phase 0         y0      y2      y4            x[j - 1] k3 + x[j] k1
//     phase 1             y1      y3      y5        x[j] k2 + x[j + 1] k0
//
// So a layer is stride rows x stride columns ordinary convolutions. Each writes its pixels where
// they belong, between those of the others. Nothing is multiplied by zeros, and all that kernels
// and epilogues of convolutions can do holds for it.
typedef struct fov_channels_last_transposed {
  fov_convolution convolution;
  size_t input_channels;
  fov_channels_last_convolution **phases;  // (stride rows * stride columns,), owned
} fov_channels_last_transposed;

// Whether a transposed convolution can be computed so. Few are not: those with very large strides,
// and those that cut off more than their kernel.
FOV_INTERNAL bool fov_channels_last_can_transpose(const fov_convolution *convolution);

// As fov_channels_last_convolution_create; request->pools is false.
FOV_INTERNAL fov_status fov_channels_last_transposed_create(
    const fov_convolution_parameters *source, const fov_channels_last_request *request,
    fov_channels_last_transposed **out_layer, fov_diagnostic *diagnostic);

// Frees what the layer owns, not the structure.
FOV_INTERNAL void fov_channels_last_transposed_release(void *parameters);

// As fov_channels_last_convolution_prepare.
FOV_INTERNAL fov_status fov_channels_last_transposed_prepare(fov_channels_last_transposed *layer,
                                                             fov_channels_last_codes codes,
                                                             fov_diagnostic *diagnostic);

// In a compiled file: fov_operation.h.
FOV_INTERNAL void fov_channels_last_transposed_archive(fov_archive *archive, void *parameters);
FOV_INTERNAL fov_status fov_channels_last_transposed_check(const void *parameters,
                                                           const fov_tensor *inputs,
                                                           size_t input_count,
                                                           const fov_tensor *output,
                                                           fov_diagnostic *diagnostic);
FOV_INTERNAL fov_status fov_channels_last_transposed_restore(void *parameters,
                                                             const fov_tensor *inputs,
                                                             const fov_tensor *output,
                                                             fov_diagnostic *diagnostic);

// MARK: phases

static inline size_t fov_channels_last_phases(const fov_convolution *convolution) {
  return convolution->stride[0] * convolution->stride[1];
}

// The convolution of a phase, and the pixels of the result that it computes. The border has what it
// reads behind the image.
FOV_INTERNAL fov_convolution fov_channels_last_phase(const fov_convolution *convolution,
                                                     size_t phase);
FOV_INTERNAL fov_channels_last_part fov_channels_last_phase_part(const fov_convolution *convolution,
                                                                 size_t phase);

// The weights of a phase. Integers stay integers if `as_stored`, and others become floats.
FOV_INTERNAL fov_status fov_channels_last_phase_weights(const fov_convolution_parameters *source,
                                                        size_t phase, bool as_stored,
                                                        fov_weight_store *out_store,
                                                        fov_diagnostic *diagnostic);

#endif
