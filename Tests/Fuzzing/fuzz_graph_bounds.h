// Fovea - how far a value of a fuzzed graph may be from the reference.
// SPDX-License-Identifier: Apache-2.0
#ifndef FUZZ_GRAPH_BOUNDS_H
#define FUZZ_GRAPH_BOUNDS_H

#include "fuzz_graph_program.h"

// What the reference has found a value to be.
typedef struct fuzz_extent {
  double largest;  // magnitude of its elements
  double least;    // the least of them
  bool is_finite;  // all elements
} fuzz_extent;

// What any backend's value may be off the exact one: no more than `error`. Where it is not
// compared, rounding could have made any difference, or an infinity.
typedef struct fuzz_bound {
  double error;
  bool is_compared;
} fuzz_bound;

// The bound of the result of step `index`, from the bounds of what it reads. The reference has run
// them all.
fuzz_bound fuzz_bound_of(const fuzz_program *program, size_t index, const fuzz_extent *extents,
                         const fuzz_bound *bounds);

#endif
