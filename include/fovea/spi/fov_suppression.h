// Fovea - suppression of boxes that show the same object.
// SPDX-License-Identifier: Apache-2.0
#ifndef FOV_SUPPRESSION_H
#define FOV_SUPPRESSION_H

#include <stddef.h>
#include <stdint.h>

#include "fovea/core/fov_detector.h"

#ifdef __cplusplus
extern "C" {
#endif

FOV_ASSUME_NONNULL_BEGIN

// fov_detector.h says what the steps are. FoveaGeometry has them in Swift (BoxSuppressor,
// SoftSuppression, BoxVote): a test compares both, bit for bit.

// A box by its edges.
typedef struct fov_box {
  double min_x, min_y, max_x, max_y;
} fov_box;

// The boxes that reach the confidence threshold. All numbers are finite.
typedef struct fov_candidates {
  size_t count;       // at most 2^32 - 1
  fov_box *boxes;     // (count,)
  float *scores;      // (count,)
  uint32_t *classes;  // (count,): only candidates of one class compete, unless class_agnostic
  uint64_t *order;    // (count,): memory for sorting
} fov_candidates;

// A candidate that is left.
typedef struct fov_survivor {
  uint32_t index;  // of the candidate
  float score;     // after soft suppression
} fov_survivor;

// Writes the survivors of greedy and soft suppression, best first, and returns how many they are.
// out_survivors has room for all candidates. O(candidates * survivors).
size_t fov_suppress(const fov_candidates *candidates, const fov_detection_settings *settings,
                    fov_survivor *out_survivors);

// The box of a survivor after box voting. O(candidates).
fov_box fov_box_vote(const fov_candidates *candidates, const fov_detection_settings *settings,
                     size_t index);

FOV_ASSUME_NONNULL_END

#ifdef __cplusplus
}
#endif
#endif
