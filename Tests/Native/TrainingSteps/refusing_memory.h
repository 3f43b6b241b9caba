// Fovea - memory of training that is refused at a chosen request.
// SPDX-License-Identifier: Apache-2.0
#ifndef REFUSING_MEMORY_H
#define REFUSING_MEMORY_H

#include <stddef.h>

// refusing_memory.c stands in for fov_train_memory.c. Requests are numbered from 1; 0 refuses none.
void refusing_memory_begin(size_t refused);

// Requests since then, and blocks that are there now.
size_t refusing_memory_requests(void);
size_t refusing_memory_live(void);

#endif
