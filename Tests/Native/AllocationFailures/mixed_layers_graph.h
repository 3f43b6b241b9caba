// Fovea - a small network of what YOLOv3-tiny does without.
// SPDX-License-Identifier: Apache-2.0
#ifndef MIXED_LAYERS_GRAPH_H
#define MIXED_LAYERS_GRAPH_H

#include "watched_graph.h"

#define MIXED_LAYERS_IMAGE_BYTES (16 * 16 * 3)

// Weights of every encoding, scales and shifts that fold, a bottleneck with its sum, tables, a
// transposed convolution, planar layers, and a head whose boxes are scaled channel by channel.
fov_status mixed_layers_build(watched_graph *watched);

#endif
