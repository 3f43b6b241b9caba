// Fovea - checks of the values of channels-last operations, with messages.
// SPDX-License-Identifier: Apache-2.0
#ifndef FOV_CHANNELS_LAST_CHECK_H
#define FOV_CHANNELS_LAST_CHECK_H

#include "base/fov_error.h"
#include "ops/fov_operation.h"
#include "tensor/fov_format.h"

// The layout pass makes nodes that fit their values. A graph from a file has to be checked. Each
// value has been checked by itself before: it has rank 3 or more, it is float32, uint8 or int16,
// and a known quantization has a scale above 0 and zero points that are codes.

// There are `count` inputs. All of them and the output are channels last, and none is int16. Only a
// conversion writes codes whose quantization is measured.
FOV_INTERNAL fov_status fov_channels_last_check_images(const fov_tensor *inputs, size_t input_count,
                                                       size_t count, const fov_tensor *output,
                                                       fov_diagnostic *diagnostic);

// The input has the type of the output. For operations that only move codes, it also has the
// quantization of the output's channels from `channel` on, which have to exist.
FOV_INTERNAL fov_status fov_channels_last_check_same_type(const fov_tensor *input,
                                                          const fov_tensor *output,
                                                          fov_diagnostic *diagnostic);
FOV_INTERNAL fov_status fov_channels_last_check_moved(const fov_tensor *input,
                                                      const fov_tensor *output, size_t channel,
                                                      fov_diagnostic *diagnostic);

// One zero point for all channels, if the tensor holds codes.
FOV_INTERNAL fov_status fov_channels_last_check_one_zero(const fov_tensor *tensor,
                                                         fov_diagnostic *diagnostic);

FOV_INTERNAL fov_status fov_channels_last_check_same_shape(const fov_tensor *input,
                                                           const fov_tensor *output,
                                                           fov_diagnostic *diagnostic);

// A code of `from`, in steps of `to`, stays below 2^28, so that sums of a few codes are rounded
// correctly. `diagnostic` may be NULL.
FOV_INTERNAL fov_status fov_channels_last_check_steps(fov_quantization from, fov_quantization to,
                                                      fov_diagnostic *diagnostic);

// The output has the shape that the planar operation infers for this input.
FOV_INTERNAL fov_status fov_channels_last_check_inferred(const fov_operation *planar,
                                                         const void *parameters,
                                                         const fov_tensor *input,
                                                         const fov_tensor *output,
                                                         fov_diagnostic *diagnostic);

// Bounds are numbers in ascending order. Infinities are allowed.
FOV_INTERNAL fov_status fov_channels_last_check_bounds(float lowest, float highest,
                                                       fov_diagnostic *diagnostic);

#endif
