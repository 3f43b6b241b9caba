// Fovea - suppression of boxes that show the same object.
// SPDX-License-Identifier: Apache-2.0
#ifndef FOV_SUPPRESSION_H
#define FOV_SUPPRESSION_H

#include "fovea/core/fov_detector.h"
#include "fovea/spi/fov_candidates.h"

#ifdef __cplusplus
extern "C" {
#endif

FOV_ASSUME_NONNULL_BEGIN

// fov_detector.h says what the steps are. Candidates of different classes do not compete, unless
// the settings are class_agnostic. An IoU threshold below 0 counts as 0, and NaN removes nothing.
// A box with a NaN edge overlaps nothing.

// Finds the winners and the survivors of greedy and soft suppression. Scores are numbers; the
// confidence threshold counts for those that soft suppression lowers.
//
// O(candidates + candidates of a class * survivors of it), and O(survivors^2) where it is soft.
void fov_suppress(fov_candidates *candidates, const fov_detection_settings *settings);

// The same for turned boxes. What overlaps is told by their probabilistic overlap, and a candidate
// goes for any better one that it overlaps, whether that stays or not, as in the networks' own rule
// (Fast NMS); its winner is the one that stayed in the end. Nothing is soft.
//
// turned: (boxes, 5), by the rows of candidates: center x and y, width, height, and the angle of
// the width's axis in radians. O(candidates of a class squared).
void fov_suppress_turned(fov_candidates *candidates, const float *turned,
                         const fov_detection_settings *settings);

// The probabilistic overlap of two such boxes, [0, 1).
double fov_turned_overlap(const float *a, const float *b);

// The box of a survivor after box voting. O(candidates).
fov_box fov_box_vote(const fov_candidates *candidates, const fov_detection_settings *settings,
                     size_t index);

FOV_ASSUME_NONNULL_END

#ifdef __cplusplus
}
#endif
#endif
