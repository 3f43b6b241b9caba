// Fovea - recognizing the decoding of detector heads.
// SPDX-License-Identifier: Apache-2.0
#ifndef FOV_DETECTION_HEAD_H
#define FOV_DETECTION_HEAD_H

#include "graph/fov_graph_users.h"

// Detectors carry their decoding (ops/fov_op_detection.h) as layers, dozens of passes over arrays:
//
//   head -> reshape -> transpose -+-> slice -> sigmoid -> + grid -> * scale -+-> concat -> ...
//                                 +-> slice -> exp -> * anchors -------------+      coordinates
//                                 +-> slice -> sigmoid -+-> product -> transpose -> reshape -> ...
//                                 +-> slice -> sigmoid -+                           confidence
//
// The rule looks for two outputs that are such a decoding, whatever layers it is written in, and
// replaces it by two operations that read the heads:
//
//   head, head, ... -> detection_confidence      head, head, ... -> detection_coordinates
//
// How it knows: it walks back from both outputs to the values that no layer of a decoding makes,
// the heads, and then runs the layers between on symbols (fov_symbolic_array.h) instead of numbers.
// Each element of the outputs then says from which elements of which head it comes, by which
// function, with which constants. Only when all of them are what the operations compute is the graph
// changed; so the names, the order and the number of the layers do not matter, and nothing that merely
// resembles a decoding is taken for one.
//
// Values between are not touched when anybody else reads them, a model output included. Results
// change by float rounding.
FOV_INTERNAL fov_status fov_fold_detection_heads(fov_graph *graph, fov_graph_users *users);

#endif
