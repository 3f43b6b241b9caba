// Fovea - a graph of as many values as there may be, which packing cannot add any to.
// SPDX-License-Identifier: Apache-2.0
#ifndef FULL_GRAPH_H
#define FULL_GRAPH_H

#include <stdbool.h>

// Whether a float32 model of it is refused in words, and nothing is left of it.
bool full_graph_is_refused(void);

#endif
