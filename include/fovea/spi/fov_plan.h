// Fovea - the memory planner: who lies where in the arena, and when.
// SPDX-License-Identifier: Apache-2.0
#ifndef FOV_PLAN_H
#define FOV_PLAN_H

#include <stddef.h>
#include <stdint.h>

#include "fovea/core/fov_status.h"

#ifdef __cplusplus
extern "C" {
#endif

FOV_ASSUME_NONNULL_BEGIN

// A plan gives every block of memory an offset in one arena so that no two blocks that live at
// the same time overlap, and the arena is as small as a greedy rule can make it:
//
//   step      0    1    2    3
//   image     ####                  a block lives from the step that writes it
//   conv      ####.####             to the last step that reads it, both included
//   pool           ####.####
//   workspace      ####             needed in one step only
//
// The rule: sizes are rounded up to a multiple of 64. The largest block goes first, the earlier
// record on ties. It looks only at the blocks placed so far that live at one of its own steps, and
// goes to the smallest gap below or between them that is large enough, the lowest one on ties;
// when no gap is, it goes directly above the highest of them.
//
// A block may continue another one's bytes (`shares`): an operation that works in place. Blocks
// joined like that are placed as one, with the size of the largest, alive from the first step of
// any to the last step of any. The planner is a pure function: it reads records and writes
// offsets, and knows nothing of graphs.
#define FOV_PLAN_NONE SIZE_MAX

typedef struct fov_plan_block {
  size_t first;   // the first step at which it is alive
  size_t last;    // the last; >= first
  size_t bytes;   // 0 is allowed and takes no room: offset 0, or that of the one it shares
  size_t shares;  // index of an earlier block whose offset it takes, or FOV_PLAN_NONE
  size_t offset;  // result: a multiple of 64
} fov_plan_block;

// Fills in offsets and the arena's bytes, a multiple of 64. The result depends only on the records;
// a call that fails changes nothing.
// invalid_argument: last < first, or a share that is not earlier; overflow: the arena does not fit
// in size_t; out_of_memory: no room for one working record per block (the only allocation, freed
// before return).
// Complexity: O(n^2).
FOV_NODISCARD fov_status fov_plan_blocks(fov_plan_block *_Nullable blocks, size_t count,
                                         size_t *out_arena_bytes);

FOV_ASSUME_NONNULL_END

#ifdef __cplusplus
}
#endif
#endif
