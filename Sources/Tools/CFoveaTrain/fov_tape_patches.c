// Fovea - gathering what the taps of kernels read, and adding gradients back.
// SPDX-License-Identifier: Apache-2.0
#include <string.h>

#include "fov_tape_convolution.h"

// The taps [first, end) of an axis that lie inside, and where the first tap reads.
typedef struct taps_of_axis {
  size_t first, end;
  ptrdiff_t start;  // of tap 0, which may lie outside
} taps_of_axis;

static taps_of_axis find_taps(const fov_convolution *c, int axis, size_t output, size_t size) {
  taps_of_axis taps = {0, c->kernel[axis],
                       (ptrdiff_t)(output * c->stride[axis]) - (ptrdiff_t)c->before[axis]};
  const ptrdiff_t step = (ptrdiff_t)c->dilation[axis];
  while (taps.first < taps.end && taps.start + (ptrdiff_t)taps.first * step < 0) taps.first++;
  while (taps.end > taps.first &&
         taps.start + (ptrdiff_t)(taps.end - 1) * step >= (ptrdiff_t)size) {
    taps.end--;
  }
  return taps;
}

// Calls `visit` for runs of elements that lie side by side in both the input and the patch.
typedef void (*visit_run)(fov_real *image, fov_real *patch, size_t count);

static inline void visit_row(const fov_tape_patches *p, taps_of_axis columns, fov_real *row,
                             fov_real *patch, visit_run visit) {
  const fov_convolution *c = p->convolution;
  const bool is_whole = c->dilation[1] == 1 && p->channels == p->in->stride;
  if (is_whole) {
    const ptrdiff_t first = columns.start + (ptrdiff_t)columns.first;
    visit(row + first * (ptrdiff_t)p->in->stride, patch + columns.first * p->channels,
          (columns.end - columns.first) * p->channels);
    return;
  }
  for (size_t kx = columns.first; kx < columns.end; kx++) {
    const ptrdiff_t x = columns.start + (ptrdiff_t)(kx * c->dilation[1]);
    visit(row + x * (ptrdiff_t)p->in->stride + p->first_channel, patch + kx * p->channels,
          p->channels);
  }
}

static inline void visit_patch(const fov_tape_patches *p, size_t pixel, fov_real *image,
                               fov_real *patch, visit_run visit) {
  const fov_convolution *c = p->convolution;
  const taps_of_axis rows = find_taps(c, 0, pixel / p->out->columns, p->in->rows);
  const taps_of_axis columns = find_taps(c, 1, pixel % p->out->columns, p->in->columns);
  if (columns.first == columns.end) return;
  for (size_t ky = rows.first; ky < rows.end; ky++) {
    const size_t y = (size_t)(rows.start + (ptrdiff_t)(ky * c->dilation[0]));
    visit_row(p, columns, image + y * p->in->columns * p->in->stride,
              patch + ky * c->kernel[1] * p->channels, visit);
  }
}

static inline void copy_run(fov_real *image, fov_real *patch, size_t count) {
  memcpy(patch, image, count * sizeof *image);
}

static inline void add_run(fov_real *image, fov_real *patch, size_t count) {
  for (size_t i = 0; i < count; i++) image[i] += patch[i];
}

static size_t patch_length(const fov_tape_patches *p) {
  return p->convolution->kernel[0] * p->convolution->kernel[1] * p->channels;
}

void fov_tape_gather(const fov_tape_patches *patches, const fov_real *in, size_t pixel,
                     size_t count, fov_real *out) {
  const size_t length = patch_length(patches);
  memset(out, 0, count * length * sizeof *out);
  for (size_t i = 0; i < count; i++) {
    // What is copied from is not changed.
    visit_patch(patches, pixel + i, (fov_real *)(uintptr_t)in, out + i * length, copy_run);
  }
}

void fov_tape_scatter(const fov_tape_patches *patches, const fov_real *from, size_t pixel,
                      size_t count, fov_real *in_gradient) {
  const size_t length = patch_length(patches);
  for (size_t i = 0; i < count; i++) {
    visit_patch(patches, pixel + i, in_gradient, (fov_real *)(uintptr_t)(from + i * length),
                add_run);
  }
}
