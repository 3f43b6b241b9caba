// Fovea - folding "focus", every second row and column side by side, into its convolution.
// SPDX-License-Identifier: Apache-2.0
#ifndef FOV_FOLD_FOCUS_H
#define FOV_FOLD_FOCUS_H

#include "graph/fov_graph_users.h"

// YOLOv5 and YOLOX begin with four slices of the image, each with every second row and column. They
// are concatenated, and a convolution reads them:
//
//   a b a b          a a    b b    c c    d d
//   c d c d   --->   a a    b b    c c    d d    --->   3x3 convolution of 12 channels
//   a b a b
//   c d c d
//
// This is one convolution of the image with twice the kernel, stride and border. Its row 2 ky + dy
// and column 2 kx + dx have the weights of row ky and column kx for the slice that begins at (dy,
// dx). Does that if `node` is such a convolution. out_of_memory: the graph is as it was.
FOV_INTERNAL fov_status fov_fold_focus(fov_graph *graph, fov_graph_users *users,
                                       fov_graph_node *node);

#endif
