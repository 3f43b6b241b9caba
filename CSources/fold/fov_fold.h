// Fovea - folding: the same function in fewer operations.
// SPDX-License-Identifier: Apache-2.0
#ifndef FOV_FOLD_H
#define FOV_FOLD_H

#include "graph/fov_graph_types.h"

// Converters write a convolution, a batch normalization and an activation as three layers. Together
// they need only one pass over memory:
//
//   convolution -> channel affine -> unary   becomes   convolution (scaled, biased, activated)
//
// Each rule is a function, which is tried on every node in running order. A rule may only remove a
// value that exactly one node reads and that is no output:
//
//   constant operand   an addition, a difference or a product with one constant, or with one for
//                      each channel, becomes a linear unary or a channel affine
//   gates              a value times its sigmoid becomes SiLU, a function of one element; the same
//                      for hard sigmoids, and for sigmoids that are rounded to codes
//   affine             a channel affine or a linear unary after a convolution moves into its
//                      weights and bias
//   activation         a unary after a convolution becomes its activation, which is applied while
//                      the result is in the cache. For a graph that gets channels-last layouts,
//                      this holds only for those of fov_fused_activation.h
//   detection heads    the layers that decode boxes become two operations: fov_detection_head.h
//   dead               a node whose result is not read is removed
//
// Values change only by float rounding. Removed nodes are marked and stay in their place.
FOV_INTERNAL fov_status fov_graph_fold(fov_graph *graph, bool gets_layouts,
                                       fov_diagnostic *diagnostic);

// The last rule alone.
FOV_INTERNAL fov_status fov_graph_drop_dead(fov_graph *graph, fov_diagnostic *diagnostic);

#endif
