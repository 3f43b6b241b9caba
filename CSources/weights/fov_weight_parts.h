// Fovea - which table or scale each weight of an array has.
// SPDX-License-Identifier: Apache-2.0
#ifndef FOV_WEIGHT_PARTS_H
#define FOV_WEIGHT_PARTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/fov_archive.h"
#include "base/fov_error.h"
#include "fovea/core/fov_types.h"

// Weights are cut into equal parts along their axes (see fov_weights). Tables or scales of all
// parts lie in one array of numbers. A weight's row and column each add to the place where its own
// begin:
//
//   begin = fov_weight_parts_row(row) + columns[column / run]
//   weight = table[begin + code]                        look-up tables
//          = code * scale[begin] + bias[begin]          linear
//
// Tables of vectors are stored as `vector` tables of single numbers, so that the same holds for
// them. Their codes are fewer than the weights: see fov_weight_parts_code.
typedef struct fov_weight_parts {
  size_t dims[4];    // of the weights: [outer, inner, kernel rows, kernel columns]
  size_t counts[4];  // of parts along each axis, at least 1
  size_t vector;     // weights of one code, at least 1
  size_t vector_axis;
  size_t entries;  // numbers of one table; 1 for scales

  // Follows from these.
  size_t numbers;     // of all tables, or scales
  size_t row_run;     // rows of the same part of the outer axis
  size_t row_stride;  // what the next part of the outer axis adds
  size_t code_step;   // weights from one neighbor of a vector to the next
  size_t run;         // weights of a row that are neighbors and have the same part
  uint32_t *columns;  // (row / run,), owned; NULL: all zero
} fov_weight_parts;

// The longest vector. It bounds what a file may ask for: `columns` counts weights, not codes.
#define FOV_LONGEST_VECTOR 64

// Fills in the rest from dims ... entries, except columns. invalid_weights: parts do not divide the
// weights; overflow: more numbers than 32 bits count.
FOV_INTERNAL fov_status fov_weight_parts_plan(fov_weight_parts *parts, fov_diagnostic *diagnostic);

// Allocates and fills in columns, where they are needed. out_of_memory.
FOV_INTERNAL fov_status fov_weight_parts_fill(fov_weight_parts *parts);

// Where the tables or scales of a row begin.
static inline size_t fov_weight_parts_row(const fov_weight_parts *parts, size_t row) {
  const size_t part = parts->counts[0] > 1 ? row / parts->row_run * parts->row_stride : 0;
  if (parts->vector == 1 || parts->vector_axis != 0) return part;
  return part + row % parts->vector * parts->entries;
}

// The code of a weight.
static inline size_t fov_weight_parts_code(const fov_weight_parts *parts, size_t weight) {
  if (parts->vector == 1) return weight;
  return weight / (parts->code_step * parts->vector) * parts->code_step + weight % parts->code_step;
}

// Weights of a row that have a number in `columns`.
static inline size_t fov_weight_parts_runs(const fov_weight_parts *parts) {
  return parts->dims[1] * parts->dims[2] * parts->dims[3] / parts->run;
}

// The parts in a compiled file. For reading, the caller has set dims and entries; reading plans,
// and does not fill.
FOV_INTERNAL void fov_weight_parts_archive(fov_archive *archive, fov_weight_parts *parts);

#endif
