// Fovea - where a row's samples of luma and chroma lie.
// SPDX-License-Identifier: Apache-2.0
#include "image/fov_yuv_row.h"

static fov_yuv_row find_planar_row(const fov_image_reader *reader, size_t row) {
  const fov_image *image = reader->image;
  const fov_sample_plane *planes = image->planes;
  const size_t chroma_row = row >> image->chroma_shifts[1];
  const uint8_t *luma = planes[0].data + row * planes[0].row_bytes;
  if (planes[1].data == NULL) {
    return (fov_yuv_row){luma, reader->neutral, reader->neutral, planes[0].step, 0, 1};
  }
  return (fov_yuv_row){luma,
                       planes[1].data + chroma_row * planes[1].row_bytes,
                       planes[2].data + chroma_row * planes[2].row_bytes,
                       planes[0].step,
                       planes[1].step,
                       image->chroma_shifts[0]};
}

fov_yuv_row fov_yuv_row_find(const fov_image_reader *reader, size_t row) {
  const fov_image *image = reader->image;
  if (image->format == fov_pixel_format_planar) return find_planar_row(reader, row);
  const uint8_t *luma = image->data + row * image->row_bytes;
  if (image->format == fov_pixel_format_yuyv) {
    return (fov_yuv_row){luma, luma + 1, luma + 3, 2, 4, 1};
  }
  const uint8_t *chroma = image->data + image->chroma_offset + row / 2 * image->chroma_row_bytes;
  return (fov_yuv_row){luma, chroma, chroma + 1, 1, 2, 1};
}
