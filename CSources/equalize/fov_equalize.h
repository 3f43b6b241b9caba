// Fovea - equalization: channels of one value that fill the range of its codes alike.
// SPDX-License-Identifier: Apache-2.0
#ifndef FOV_EQUALIZE_H
#define FOV_EQUALIZE_H

#include "fovea/core/fov_model.h"
#include "graph/fov_graph_types.h"

// Rescales the weights of a folded graph so that codes of 8 bits lose less. The graph computes the
// same, except for float rounding. Behind curves, nodes with a new value each are inserted, so that
// there may be more values than before; those before keep their numbers. `ranges` has one range for
// each channel of each value, those of value v from first[v] on. They are rescaled too.
// out_divisors: the divisor of each channel, or NULL.
FOV_INTERNAL fov_status fov_graph_equalize(fov_graph *graph, const size_t *first,
                                           fov_channel_summary *ranges, float *out_divisors,
                                           fov_diagnostic *diagnostic);

#endif
