// Fovea - pixels of a row and their right neighbors, which bilinear sampling mixes.
// SPDX-License-Identifier: Apache-2.0
#include "image/fov_image_pairs.h"

#include <string.h>

#include "base/fov_size.h"
#include "image/fov_alpha_pixel.h"
#include "image/fov_yuv_row.h"

// MARK: Windows

// How samples of a plane follow from columns.
typedef struct plane_steps {
  size_t step;     // bytes from sample to sample
  unsigned shift;  // 2^shift columns share a sample
} plane_steps;

static size_t sample_offset(const plane_steps *plane, size_t column) {
  return (column >> plane->shift) * plane->step;
}

// The first window from a column on, of as many columns as fit. One always fits: samples are at
// most 8 bytes apart.
static void fill_window(const fov_image_pairs *pairs, const plane_steps *plane, size_t row_bytes,
                        size_t first, fov_sample_window *out) {
  size_t lowest = SIZE_MAX, highest = 0, count = 0, lefts[8], rights[8];
  for (; count < 8 && first + count < pairs->count; count++) {
    const size_t column = pairs->left[first + count];
    lefts[count] = sample_offset(plane, column);
    rights[count] = sample_offset(plane, column + pairs->step);
    const size_t low = fov_size_min(lowest, lefts[count]);
    const size_t high = fov_size_max(highest, rights[count]);
    if (high - low >= FOV_WINDOW_BYTES) break;
    lowest = low;
    highest = high;
  }
  *out = (fov_sample_window){.count = count};
  // No byte behind the row is read.
  out->begin =
      row_bytes < FOV_WINDOW_BYTES ? 0 : fov_size_min(lowest, row_bytes - FOV_WINDOW_BYTES);
  for (size_t i = 0; i < count; i++) {
    out->left[i] = (uint8_t)(lefts[i] - out->begin);
    out->right[i] = (uint8_t)(rights[i] - out->begin);
  }
}

static void fill_windows(const fov_image_pairs *pairs, plane_steps plane, size_t width,
                         fov_plane_windows *out) {
  out->row_bytes = sample_offset(&plane, width - 1) + 1;
  out->count = 0;
  for (size_t i = 0; i < pairs->count; i += out->windows[out->count++].count) {
    fill_window(pairs, &plane, out->row_bytes, i, &out->windows[out->count]);
  }
}

void fov_image_pairs_prepare(const fov_image_reader *reader, fov_image_pairs *pairs) {
  const size_t width = reader->image->width;
  pairs->plane_bytes = 0;
  switch (reader->image->format) {
    case fov_pixel_format_gray:
      fill_windows(pairs, (plane_steps){1, 0}, width, &pairs->luma);
      return;
    case fov_pixel_format_nv12:
    case fov_pixel_format_yuyv:
    case fov_pixel_format_planar: {
      if (reader->is_scalar) return;
      const fov_yuv_row row = fov_yuv_row_find(reader, 0);
      fill_windows(pairs, (plane_steps){row.luma_step, 0}, width, &pairs->luma);
      fill_windows(pairs, (plane_steps){row.chroma_step, row.chroma_shift}, width, &pairs->chroma);
      pairs->plane_bytes = fov_size_parts(pairs->count, FOV_COLOR_RUN) * FOV_COLOR_RUN;
      return;
    }
    default: return;
  }
}

static void read_plane(const fov_image_reader *reader, const fov_plane_windows *plane,
                       const uint8_t *row, uint8_t *left, uint8_t *right) {
  uint8_t few[FOV_WINDOW_BYTES] = {0};
  if (plane->row_bytes < FOV_WINDOW_BYTES) {
    memcpy(few, row, plane->row_bytes);
    row = few;
  }
  reader->kernels->pairs(row, plane->windows, plane->count, left, right);
}

// MARK: Luma and chroma

// The pixels that fill up a run of colors are black, so that nothing depends on what memory held.
static void fill_run(const fov_image_pairs *pairs, uint8_t (*samples)[FOV_PAIR_BYTES]) {
  const size_t bytes = pairs->plane_bytes - pairs->count;
  for (int side = 0; side < 2; side++) memset(samples[side] + pairs->count, 0, bytes);
}

static void read_planes(const fov_image_reader *reader, const fov_image_pairs *pairs,
                        const fov_yuv_row *source, fov_pair_planes *out) {
  read_plane(reader, &pairs->luma, source->luma, out->y[0], out->y[1]);
  fill_run(pairs, out->y);
  if (out->chroma == source->u) return;
  out->chroma = source->u;
  read_plane(reader, &pairs->chroma, source->u, out->u[0], out->u[1]);
  read_plane(reader, &pairs->chroma, source->v, out->v[0], out->v[1]);
  fill_run(pairs, out->u);
  fill_run(pairs, out->v);
}

static void read_yuv(const fov_image_reader *reader, const fov_image_pairs *pairs, size_t row,
                     fov_pair_planes *planes, uint8_t *left, uint8_t *right) {
  const fov_yuv_row source = fov_yuv_row_find(reader, row);
  if (reader->is_scalar) {
    for (size_t i = 0; i < pairs->count; i++) {
      fov_yuv_row_pixel(reader, &source, pairs->left[i], left + 3 * i);
      fov_yuv_row_pixel(reader, &source, pairs->left[i] + pairs->step, right + 3 * i);
    }
    return;
  }
  read_planes(reader, pairs, &source, planes);
  const size_t plane = pairs->plane_bytes;
  for (int side = 0; side < 2; side++) {
    uint8_t *red = side == 0 ? left : right;
    const fov_color_planes colors = {red, red + plane, red + 2 * plane};
    reader->kernels->colors(&reader->matrix, planes->y[side], planes->u[side], planes->v[side],
                            plane, &colors);
  }
}

// MARK: Three bytes

// Two neighbors of `size` bytes, in one load of eight.
static inline void copy_pair(const uint8_t *from, size_t size, uint8_t *left, uint8_t *right) {
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
  uint64_t both;
  memcpy(&both, from, sizeof both);
  const uint32_t first = (uint32_t)both, second = (uint32_t)(both >> 8 * size);
  memcpy(left, &first, 4);
  memcpy(right, &second, 4);
#else
  memcpy(left, from, 4);
  memcpy(right, from + size, 4);
#endif
}

static inline void copy_pairs(const uint8_t *row, size_t size, const fov_image_pairs *pairs,
                              uint8_t *left, uint8_t *right) {
  for (size_t i = 0; i < pairs->count; i++) {
    copy_pair(row + size * pairs->left[i], size, left + 3 * i, right + 3 * i);
  }
}

static void read_colors(const fov_image *image, const fov_image_pairs *pairs, size_t row,
                        uint8_t *left, uint8_t *right) {
  const uint8_t *source = image->data + row * image->row_bytes;
  const size_t last = fov_size_max(pairs->left[0], pairs->left[pairs->count - 1]);
  const bool has_eight = row * image->row_bytes + 3 * last + 8 <= image->data_bytes;
  if (has_eight && pairs->step == 1) {
    copy_pairs(source, 3, pairs, left, right);
    return;
  }
  for (size_t i = 0; i < pairs->count; i++) {
    memcpy(left + 3 * i, source + 3 * pairs->left[i], 3);
    memcpy(right + 3 * i, source + 3 * (pairs->left[i] + pairs->step), 3);
  }
}

// MARK: Four bytes

static void read_alpha(const fov_image_reader *reader, const fov_image_pairs *pairs, size_t row,
                       uint8_t *left, uint8_t *right) {
  const uint8_t *source = reader->image->data + row * reader->image->row_bytes;
  const bool is_ignored = reader->image->alpha == fov_alpha_ignored;
  if (is_ignored && pairs->step == 1) {
    copy_pairs(source, 4, pairs, left, right);
    return;
  }
  uint8_t background[3];
  fov_alpha_pixel_background(reader, background);
  for (size_t i = 0; i < pairs->count; i++) {
    const uint8_t *first = source + 4 * pairs->left[i], *second = first + 4 * pairs->step;
    if (is_ignored) {
      fov_alpha_pixel_copy(first, left + 3 * i);
      fov_alpha_pixel_copy(second, right + 3 * i);
    } else {
      fov_alpha_pixel_compose(first, background, left + 3 * i);
      fov_alpha_pixel_compose(second, background, right + 3 * i);
    }
  }
}

// MARK: Any format

void fov_image_pairs_read(const fov_image_reader *reader, const fov_image_pairs *pairs, size_t row,
                          fov_pair_planes *planes, uint8_t *left, uint8_t *right) {
  const fov_image *image = reader->image;
  switch (image->format) {
    case fov_pixel_format_rgb:
    case fov_pixel_format_bgr: read_colors(image, pairs, row, left, right); return;
    case fov_pixel_format_rgba:
    case fov_pixel_format_bgra: read_alpha(reader, pairs, row, left, right); return;
    case fov_pixel_format_gray:
      read_plane(reader, &pairs->luma, image->data + row * image->row_bytes, left, right);
      return;
    case fov_pixel_format_nv12:
    case fov_pixel_format_yuyv:
    case fov_pixel_format_planar: read_yuv(reader, pairs, row, planes, left, right); return;
  }
}
