// Fovea - recognizing the decoding of detector heads.
// SPDX-License-Identifier: Apache-2.0
#ifndef FOV_DETECTION_HEAD_H
#define FOV_DETECTION_HEAD_H

#include "graph/fov_graph_users.h"

// Detectors decode boxes (ops/fov_op_detection.h) in layers, with dozens of passes over arrays:
//
//   head -> reshape -> transpose -+-> slice -> sigmoid -> + grid -> * scale -+-> concat -> ...
//                                 +-> slice -> exp -> * anchors -------------+      coordinates
//                                 +-> slice -> sigmoid -+-> product -> transpose -> reshape -> ...
//                                 +-> slice -> sigmoid -+                           confidence
//
// The rule looks for two outputs that are such a decoding, and replaces its layers by two
// operations that read the heads:
//
//   head, head, ... -> detection_confidence      head, head, ... -> detection_coordinates
//
// The rule goes back from both outputs to the heads: the first values that no layer of a decoding
// makes. Then it runs the layers between on symbols (fov_symbolic_array.h) instead of numbers. Each
// element of the outputs then says which elements of which head it comes from, by which function,
// with which constants. The graph is changed only if all elements are what the two operations
// compute. So names, order and number of the layers do not matter, and similar layers are not
// replaced by mistake.
//
// Layers stay if other nodes read values between them, or if these are outputs. Results change only
// by float rounding.
FOV_INTERNAL fov_status fov_fold_detection_heads(fov_graph *graph, fov_graph_users *users);

#endif
