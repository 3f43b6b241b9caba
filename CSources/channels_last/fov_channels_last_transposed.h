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
//
// Each convolution fills the channels of a panel. Where that wastes half of the work, and kernels
// do not overlap, one convolution of floats computes all phases as channels of its result, which is
// then spread. Heads of text detectors have such layers, of one channel.
typedef struct fov_channels_last_transposed {
  fov_convolution convolution;
  size_t input_channels;
  bool is_joint;                           // one convolution for all phases
  fov_channels_last_convolution **phases;  // (fov_channels_last_phases,), owned
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

// Convolutions of a layer.
static inline size_t fov_channels_last_phases(const fov_channels_last_transposed *layer) {
  return layer->is_joint ? 1 : layer->convolution.stride[0] * layer->convolution.stride[1];
}

// Whether one convolution of floats can compute all phases as its channels, and whether that is
// faster.
FOV_INTERNAL bool fov_channels_last_can_join(const fov_convolution *convolution);
FOV_INTERNAL bool fov_channels_last_should_join(const fov_convolution *convolution);

// The convolution of a phase, and the pixels of the result that it computes: of a joint one, those
// of the input's size. The border has what it reads behind the image.
FOV_INTERNAL fov_convolution fov_channels_last_phase(const fov_channels_last_transposed *layer,
                                                     size_t phase);
FOV_INTERNAL fov_channels_last_part
fov_channels_last_phase_part(const fov_channels_last_transposed *layer, size_t phase);

// The weights of a phase. Integers stay integers if `as_stored`, and others become floats.
FOV_INTERNAL fov_status fov_channels_last_phase_weights(const fov_channels_last_transposed *layer,
                                                        const fov_weight_store *source,
                                                        size_t phase, bool as_stored,
                                                        fov_weight_store *out_store,
                                                        fov_diagnostic *diagnostic);

#endif
