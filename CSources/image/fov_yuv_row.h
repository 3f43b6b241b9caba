// Fovea - where a row's samples of luma and chroma lie.
// SPDX-License-Identifier: Apache-2.0
#ifndef FOV_YUV_ROW_H
#define FOV_YUV_ROW_H

#include "image/fov_image_reader.h"

// Where a row's luma and chroma begin, how far each is from sample to sample, and how many pixels
// share chroma: 2^chroma_shift.
typedef struct fov_yuv_row {
  const uint8_t *luma, *u, *v;
  size_t luma_step, chroma_step;
  unsigned chroma_shift;
} fov_yuv_row;

FOV_INTERNAL fov_yuv_row fov_yuv_row_find(const fov_image_reader *reader, size_t row);

static inline uint8_t fov_byte_of(int64_t level) {
  return (uint8_t)(level < 0 ? 0 : level > 255 ? 255 : level);
}

// A pixel of words, or of red, green and blue planes.
static inline void fov_yuv_row_pixel(const fov_image_reader *reader, const fov_yuv_row *row,
                                     size_t column, uint8_t *out) {
  const size_t group = (column >> row->chroma_shift) * row->chroma_step;
  const uint8_t *at[3] = {row->luma + column * row->luma_step, row->u + group, row->v + group};
  const unsigned bits = reader->image->sample_bits, more = bits - 8;
  int64_t samples[3];
  for (int k = 0; k < 3; k++) samples[k] = more > 0 ? at[k][0] | at[k][1] << 8 : at[k][0];
  if (reader->image->yuv == fov_yuv_encoding_rgb) {
    const int64_t most = (1 << bits) - 1;
    for (int k = 0; k < 3; k++) out[k] = fov_byte_of((samples[k] * 255 + most / 2) / most);
    return;
  }
  const fov_yuv_matrix *matrix = &reader->matrix;
  const unsigned shift = 16 + more;
  const int64_t y =
      matrix->luma * (samples[0] - ((int64_t)matrix->black << more)) + ((int64_t)1 << (shift - 1));
  const int64_t u = samples[1] - (128 << more), v = samples[2] - (128 << more);
  out[0] = fov_byte_of((y + matrix->red_v * v) >> shift);
  out[1] = fov_byte_of((y + matrix->green_u * u + matrix->green_v * v) >> shift);
  out[2] = fov_byte_of((y + matrix->blue_u * u) >> shift);
}

#endif
