// Fovea - what channels-last operations demand of their values, with the words to refuse.
// SPDX-License-Identifier: Apache-2.0
#ifndef FOV_CHANNELS_LAST_CHECK_H
#define FOV_CHANNELS_LAST_CHECK_H

#include "base/fov_error.h"
#include "ops/fov_operation.h"
#include "tensor/fov_format.h"

// Who packs a graph knows that its nodes fit their values; who reads one from a file does not.
// Values have been looked at one by one before: channels-last ones have rank 3 or more, are float32
// uint8 or int16, and known quantizations have a scale above 0 and zero points that are codes.

// As many inputs as `count`, all channels last, as is the output, and none of 16-bit integers. Nothing but a conversion writes
// codes whose quantization is measured.
FOV_INTERNAL fov_status fov_channels_last_check_images(const fov_tensor *inputs, size_t input_count,
                                                  size_t count, const fov_tensor *output,
                                                  fov_diagnostic *diagnostic);

// The type of the output; and for operations that only move codes the quantization of its channels from
// `channel` on, which have to be there.
FOV_INTERNAL fov_status fov_channels_last_check_same_type(const fov_tensor *input,
                                                   const fov_tensor *output,
                                                   fov_diagnostic *diagnostic);
FOV_INTERNAL fov_status fov_channels_last_check_moved(const fov_tensor *input, const fov_tensor *output,
                                               size_t channel, fov_diagnostic *diagnostic);

// One zero point for all channels, if the tensor holds codes.
FOV_INTERNAL fov_status fov_channels_last_check_one_zero(const fov_tensor *tensor,
                                                  fov_diagnostic *diagnostic);

FOV_INTERNAL fov_status fov_channels_last_check_same_shape(const fov_tensor *input,
                                                    const fov_tensor *output,
                                                    fov_diagnostic *diagnostic);

// A code of the one, in steps of the other, stays below 2^28: sums of a few are rounded as they
// should be.
FOV_INTERNAL fov_status fov_channels_last_check_steps(fov_quantization from, fov_quantization to,
                                               fov_diagnostic *diagnostic);

// The output has the shape that the planar operation gives for these inputs.
FOV_INTERNAL fov_status fov_channels_last_check_inferred(const fov_operation *planar,
                                                  const void *parameters, const fov_tensor *input,
                                                  const fov_tensor *output,
                                                  fov_diagnostic *diagnostic);

// Numbers, in order; infinities are allowed.
FOV_INTERNAL fov_status fov_channels_last_check_bounds(float lowest, float highest,
                                                fov_diagnostic *diagnostic);

#endif
