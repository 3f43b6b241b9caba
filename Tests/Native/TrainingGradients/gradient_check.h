// Fovea - derivatives of a tape beside differences, in double precision.
// SPDX-License-Identifier: Apache-2.0
#ifndef GRADIENT_CHECK_H
#define GRADIENT_CHECK_H

#include "fov_train.h"
#include "native_test.h"

// Numbers between -1 and 1 that follow from a seed.
double gradient_check_random(uint64_t *seed);

// A small picture, 9 x 11 with 3 channels, and a convolution to `channels` behind it: so that what
// follows has an input with a gradient.
fov_tape *gradient_check_begin(size_t channels, fov_tape_value *out_value);

// Another convolution: kernel, stride and groups; no activation for NULL.
fov_tape_value gradient_check_convolution(fov_tape *tape, fov_tape_value input, size_t outputs,
                                          size_t kernel, size_t stride, size_t groups,
                                          const fov_unary *activation);

// Makes the value the output, and compares the derivative of a weighted sum of its elements by
// every parameter with a difference. Destroys the tape.
void gradient_check_end(fov_tape *tape, fov_tape_value output);

// Losses, which have a file of their own.
void gradient_check_losses(void);

#endif
