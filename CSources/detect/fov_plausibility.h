// Fovea - whether a network's numbers can be scores and boxes.
// SPDX-License-Identifier: Apache-2.0
#ifndef FOV_PLAUSIBILITY_H
#define FOV_PLAUSIBILITY_H

#include "base/fov_error.h"
#include "fovea/spi/fov_candidates.h"

FOV_ASSUME_NONNULL_BEGIN

// A file says by shape which numbers are scores and boxes, and may mean something else: logits,
// pixels for fractions, corners for centers. Numbers that cannot be what they are read as are an
// error, never an object.
//
//   what                            when it is looked at
//   scores outside of 0...1         all in the first picture, then those of candidates
//   scores that are all 1 or 0      in the first picture
//   a negative width or height      of candidates
//   boxes all tiny or huge          of candidates, nine of ten, if there are ten
//
// Rounding is allowed for: scores of -0.001 to 1.001, sizes of -0.01. Candidates count from a score
// of 0.1 on.

// Checks all scores of an output. invalid_output: they can be none.
FOV_INTERNAL fov_status fov_scores_check(const fov_scored_boxes *output,
                                         fov_diagnostic *_Nullable diagnostic);

// Checks the scores and the boxes of candidates. invalid_output: they can be none.
FOV_INTERNAL fov_status fov_candidates_check(const fov_candidates *candidates,
                                             fov_diagnostic *_Nullable diagnostic);

FOV_ASSUME_NONNULL_END

#endif
