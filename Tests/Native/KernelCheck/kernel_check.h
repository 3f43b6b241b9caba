// Fovea - what the parts of KernelCheck share.
// SPDX-License-Identifier: Apache-2.0
#ifndef KERNEL_CHECK_H
#define KERNEL_CHECK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "kernels/fov_kernel_set.h"
#include "random_choices.h"

typedef struct check_result {
  size_t comparisons;
  size_t differences;
} check_result;

// Each compares `count` random cases of every kernel. The scalar set is compared with a
// straightforward computation on unpacked weights, others with the scalar set.
check_result check_int8(const fov_kernel_set *set, const fov_kernel_set *scalar, size_t count,
                        uint64_t seed);
check_result check_int8_elements(const fov_kernel_set *set, size_t count, uint64_t seed);
check_result check_sampling(const fov_kernel_set *set, size_t count, uint64_t seed);

// The shape of a Winograd convolution: sums before pooling, and channels in blocks.
typedef struct winograd_shape {
  size_t rows, columns, channels, block, output_channels;
} winograd_shape;

// Computes a convolution in two bands of rows, with panels and rows of tiles in pieces, in memory
// of exactly the planned size. false when it cannot be planned.
bool check_winograd_run(const fov_winograd_kernels *kernels, const void *convolution,
                        const winograd_shape *shape, uint64_t seed);

// MARK: Memory with guards

// Zeroed memory. Ends the program when there is none.
void *check_allocate(size_t bytes);
// Every byte that a kernel must not write has this value.
#define GUARD_BYTE 0xA5

#endif
