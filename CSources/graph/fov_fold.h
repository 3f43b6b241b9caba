// Fovea - folding: the same function in fewer operations.
// SPDX-License-Identifier: Apache-2.0
#ifndef FOV_FOLD_H
#define FOV_FOLD_H

#include "graph/fov_graph_types.h"

// Converters write a convolution, a batch normalization and an activation as three layers. They are
// one pass over memory:
//
//   convolution -> channel affine -> unary      becomes      convolution (scaled, biased, activated)
//
// Rules, each a function, tried on every node in running order. A rule may only touch a value
// that one node reads and nobody outside:
//
//   constant operand   add or multiply with one constant per channel, or a single one, is a channel
//                      affine or a linear unary
//   affine             a channel affine, or a linear unary, behind a convolution moves into its weights and bias
//   activation         a unary behind a convolution is applied while its result is in the cache;
//                      where a graph gets channels-last layouts, only one that channels-last convolutions apply
//   detection heads    the layers that decode boxes become two operations: fov_detection_head.h
//   dead               a node whose result nobody reads is dropped
//
// Values change only by float rounding. Removed nodes are marked and stay in their place.
FOV_INTERNAL fov_status fov_graph_fold(fov_graph *graph, bool packs, fov_diagnostic *diagnostic);

// The last rule alone.
FOV_INTERNAL fov_status fov_graph_drop_dead(fov_graph *graph, fov_diagnostic *diagnostic);

#endif
