// Fovea - which table or scale each weight of an array has.
// SPDX-License-Identifier: Apache-2.0
#include "weights/fov_weight_parts.h"

#include "base/fov_alloc.h"
#include "base/fov_size.h"

static size_t vector_on(const fov_weight_parts *parts, size_t axis) {
  return axis == parts->vector_axis ? parts->vector : 1;
}

// Parts of equal sizes, and whole vectors.
static bool divides(const fov_weight_parts *parts, size_t axis) {
  const size_t size = parts->dims[axis], vector = vector_on(parts, axis);
  const size_t count = parts->counts[axis];
  if (count == 1 && vector == 1) return true;
  return count > 0 && vector > 0 && size > 0 && size % vector == 0 && size / vector % count == 0;
}

static bool multiply_numbers(fov_weight_parts *parts) {
  size_t *numbers = &parts->numbers;
  bool fits = fov_size_multiply(parts->entries, parts->vector, numbers);
  for (size_t axis = 4; axis-- > 0;) {
    if (axis == 0) parts->row_stride = *numbers;
    fits = fits && fov_size_multiply(*numbers, parts->counts[axis], numbers);
  }
  // A code of 8 bits, too, is added to a place in 32 bits.
  return fits && *numbers <= UINT32_MAX - 256;
}

// The innermost axis that is cut decides how many neighbors are alike.
static void find_run(fov_weight_parts *parts) {
  size_t inner = 1, run = 0;
  for (size_t axis = 4; axis-- > 0;) {
    const size_t vector = vector_on(parts, axis);
    if (axis == parts->vector_axis) parts->code_step = inner;
    if (run == 0 && axis > 0 && (parts->counts[axis] > 1 || vector > 1)) {
      run = (vector > 1 ? 1 : parts->dims[axis] / parts->counts[axis]) * inner;
    }
    if (axis > 0) inner *= parts->dims[axis];
  }
  parts->run = run ? run : inner;
  parts->row_run = parts->dims[0] / parts->counts[0];
}

static uint32_t column_begin(const fov_weight_parts *parts, size_t column) {
  size_t begin = 0, stride = parts->entries * parts->vector;
  for (size_t axis = 3; axis > 0; axis--) {
    const size_t place = column % parts->dims[axis];
    column /= parts->dims[axis];
    begin += place / (parts->dims[axis] / parts->counts[axis]) * stride;
    if (axis == parts->vector_axis) begin += place % parts->vector * parts->entries;
    stride *= parts->counts[axis];
  }
  return (uint32_t)begin;
}

fov_status fov_weight_parts_plan(fov_weight_parts *parts, fov_diagnostic *diagnostic) {
  const size_t *dims = parts->dims, *counts = parts->counts;
  bool fit = parts->vector_axis < 4 && parts->vector > 0 && parts->vector <= FOV_LONGEST_VECTOR;
  for (size_t axis = 0; fit && axis < 4; axis++) fit = divides(parts, axis);
  if (!fit) {
    return fov_fail(diagnostic, fov_status_invalid_weights,
                    "%zu x %zu x %zu x %zu parts, vectors of %zu on axis %zu; they do not divide "
                    "weights of %zu x %zu x %zu x %zu",
                    counts[0], counts[1], counts[2], counts[3], parts->vector, parts->vector_axis,
                    dims[0], dims[1], dims[2], dims[3]);
  }
  if (!multiply_numbers(parts)) {
    return fov_fail(diagnostic, fov_status_overflow, "tables or scales of weights overflow");
  }
  find_run(parts);
  return fov_status_ok;
}

fov_status fov_weight_parts_fill(fov_weight_parts *parts) {
  const size_t columns = parts->dims[1] * parts->dims[2] * parts->dims[3];
  if (columns == parts->run) return fov_status_ok;
  const size_t runs = fov_weight_parts_runs(parts);
  parts->columns = fov_allocate_array(runs, sizeof *parts->columns);
  if (!parts->columns) return fov_status_out_of_memory;
  for (size_t i = 0; i < runs; i++) parts->columns[i] = column_begin(parts, i * parts->run);
  return fov_status_ok;
}

void fov_weight_parts_archive(fov_archive *archive, fov_weight_parts *parts) {
  fov_archive_sizes(archive, parts->counts, 4);
  fov_archive_size(archive, &parts->vector);
  fov_archive_size(archive, &parts->vector_axis);
  if (!fov_archive_reads(archive)) return;
  archive->status = fov_weight_parts_plan(parts, archive->diagnostic);
}
