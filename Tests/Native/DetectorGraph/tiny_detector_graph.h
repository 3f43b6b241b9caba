// Fovea - YOLOv3-tiny through the C interface, with fewer channels and generated weights.
// SPDX-License-Identifier: Apache-2.0
#ifndef TINY_DETECTOR_GRAPH_H
#define TINY_DETECTOR_GRAPH_H

#include "watched_graph.h"

// Rows and columns of the image, which is bytes [rows, columns, 3].
#define TINY_DETECTOR_SIDE 416

#define TINY_DETECTOR_IMAGE_BYTES (3 * TINY_DETECTOR_SIDE * TINY_DETECTOR_SIDE)

// Adds the 80 layers that Core ML files of the network have: 13 convolutions, whose weights are
// tables of 256 entries, and the decoding of two heads to "confidence" (2535, 80) and "coordinates"
// (2535, 4). The convolutions are labeled "conv1" ... "conv13". `divisor` is what the channels of
// all but the image and the heads are divided by: 1, 2, 4, 8 or 16.
fov_status tiny_detector_build(watched_graph *watched, size_t divisor);

// An image that no other seed gives, TINY_DETECTOR_IMAGE_BYTES: a gradient with noise.
void tiny_detector_image(uint32_t seed, uint8_t *out_bytes);

#endif
