// Fovea - boxes that may be objects, and the memory in which they compete.
// SPDX-License-Identifier: Apache-2.0
#ifndef FOV_CANDIDATES_H
#define FOV_CANDIDATES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "fovea/core/fov_status.h"

#ifdef __cplusplus
extern "C" {
#endif

FOV_ASSUME_NONNULL_BEGIN

// A box by its edges.
typedef struct fov_box {
  double min_x, min_y, max_x, max_y;
} fov_box;

// Stands for the index of a candidate where there is none.
#define FOV_NO_CANDIDATE UINT32_MAX

// A candidate that suppression left.
typedef struct fov_survivor {
  uint32_t index;  // of the candidate
  uint32_t rival;  // the better one that overlaps it most and lowered its score; FOV_NO_CANDIDATE
  float share;     // the part of its score that it keeps
  float score;     // that part
} fov_survivor;

// Boxes that may be objects, and what suppression says about them (fov_suppression.h).
//
//   boxes      | b0 | b1 | b2 | b3 | .. up to the capacity       b1 overlaps b2, which is better
//   winners    | -  | 2  | -  | -  |                             - is FOV_NO_CANDIDATE
//   survivors  | 2  | 3  | 0  |                                  best first
//
// All arrays lie in one block of memory, which the caller owns.
typedef struct fov_candidates {
  size_t capacity;
  size_t count;
  fov_box *boxes;     // (count,)
  float *scores;      // (count,)
  uint32_t *classes;  // (count,)
  uint32_t *rows;     // (count,): the rows of the network's output that they come from
  uint32_t *winners;  // (count,): who removed each, or FOV_NO_CANDIDATE
  size_t survivor_count;
  fov_survivor *survivors;  // (survivor_count,)
  // Memory for suppression:
  uint64_t *keys;           // (3, capacity): for sorting
  uint32_t *kept;           // (capacity,): those that stayed of one class
  void *outlines;           // (capacity,): their edges, rounded
  bool has_checked_scores;  // whether all scores of one picture were plausible
} fov_candidates;

// The bytes of memory that hold so many candidates. overflow: they are too many.
FOV_NODISCARD fov_status fov_candidates_bytes(size_t capacity, size_t *out_bytes);

// No candidates, with room for `capacity` of them in a block of fov_candidates_bytes bytes. Borrows
// the block, which is aligned to 16 bytes.
fov_candidates fov_candidates_place(size_t capacity, void *block);

// What a detector put out.
typedef struct fov_scored_boxes {
  size_t box_count, class_count;
  const float *scores;  // (box_count, class_count)
  const float *boxes;   // (box_count, 4): center x, center y, width, height
} fov_scored_boxes;

// Which boxes may be objects.
typedef struct fov_candidate_rule {
  float threshold;                // the least score
  bool every_class;               // whether a box may stand for several classes, not only its best
  const bool *_Nullable allowed;  // (class_count,): the classes that count; NULL: all
} fov_candidate_rule;

// Finds the candidates in a detector's output, row by row and class by class. Of equal scores the
// lower class is the best. A box whose best class is not allowed is none. O(boxes * classes).
//
// out_count says how many there are. Where that is more than the capacity, none are kept.
// invalid_output: a score, or a box of a candidate, is not finite, or cannot be what it is read as:
// a score outside of 0...1 (of the first output all are looked at), a negative width or height, or
// nearly all boxes tiny or huge.
FOV_NODISCARD fov_status fov_candidates_find(fov_candidates *candidates,
                                             const fov_scored_boxes *output,
                                             const fov_candidate_rule *rule, size_t *out_count,
                                             fov_diagnostic *_Nullable diagnostic);

FOV_ASSUME_NONNULL_END

#ifdef __cplusplus
}
#endif
#endif
