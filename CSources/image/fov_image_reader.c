// Fovea - pixels of an image in any format as samples.
// SPDX-License-Identifier: Apache-2.0
#include "image/fov_image_reader.h"

#include <math.h>
#include <string.h>

#include "base/fov_size.h"
#include "image/fov_alpha_pixel.h"
#include "image/fov_yuv_row.h"

// MARK: The reader

// 2^16 times the factors of fov_yuv_encoding, rounded.
static const fov_yuv_matrix matrices[] = {
    [fov_yuv_encoding_bt601_video] = {16, 76309, 104597, -25675, -53279, 132201},
    [fov_yuv_encoding_bt601_full] = {0, 65536, 91881, -22553, -46802, 116130},
    [fov_yuv_encoding_bt709_video] = {16, 76309, 117489, -13975, -34925, 138438},
    [fov_yuv_encoding_bt709_full] = {0, 65536, 103206, -12276, -30679, 121609},
    [fov_yuv_encoding_bt2020_video] = {16, 76309, 110014, -12277, -42626, 140363},
    [fov_yuv_encoding_bt2020_full] = {0, 65536, 96639, -10784, -37444, 123299},
    [fov_yuv_encoding_rgb] = {0, 0, 0, 0, 0, 0},
};

// Words of n bits and full range: 2^(n - 8) of them are (2^n - 2^(n - 8)) / (2^n - 1) of a level.
static void scale_full_range(fov_yuv_matrix *matrix, unsigned bits) {
  int32_t *const factors[] = {&matrix->luma, &matrix->red_v, &matrix->green_u, &matrix->green_v,
                              &matrix->blue_u};
  const double most = (double)((1u << bits) - 1), steps = (double)(1u << (bits - 8));
  for (int k = 0; k < 5; k++) *factors[k] = (int32_t)rint(*factors[k] * (255 * steps / most));
}

fov_image_reader fov_image_reader_make(const fov_image *image,
                                       const fov_sampling_kernels *kernels) {
  const fov_pixel_format format = image->format;
  const bool is_planar = format == fov_pixel_format_planar;
  const bool is_yuv =
      is_planar || format == fov_pixel_format_nv12 || format == fov_pixel_format_yuyv;
  fov_image_reader reader = {
      .image = image,
      .kernels = kernels,
      .channels = format == fov_pixel_format_gray ? 1 : 3,
      .blue_first = format == fov_pixel_format_bgr || format == fov_pixel_format_bgra,
      .is_stored = format == fov_pixel_format_rgb || format == fov_pixel_format_bgr ||
                   format == fov_pixel_format_gray,
  };
  if (is_yuv) reader.matrix = matrices[image->yuv];
  if (is_planar) {
    reader.is_scalar = image->sample_bits > 8 || image->yuv == fov_yuv_encoding_rgb;
    if (image->sample_bits > 8 && reader.matrix.black == 0) {
      scale_full_range(&reader.matrix, image->sample_bits);
    }
    const unsigned neutral = 1u << (image->sample_bits - 1);
    reader.neutral[0] = (uint8_t)neutral;
    reader.neutral[1] = (uint8_t)(neutral >> 8);
  }
  return reader;
}

// MARK: Four bytes

static void read_alpha_row(const fov_image_reader *reader, size_t row, size_t column, size_t count,
                           uint8_t *out) {
  const uint8_t *source = reader->image->data + row * reader->image->row_bytes + 4 * column;
  if (reader->image->alpha == fov_alpha_ignored) {
    for (size_t i = 0; i < count; i++) fov_alpha_pixel_copy(source + 4 * i, out + 3 * i);
    return;
  }
  uint8_t background[3];
  fov_alpha_pixel_background(reader, background);
  for (size_t i = 0; i < count; i++) {
    fov_alpha_pixel_compose(source + 4 * i, background, out + 3 * i);
  }
}

// MARK: Luma and chroma

#define PLANE_PIXELS 128

// Two pixels more than are taken at once: the others of the first and of the last pair.
typedef struct planes {
  uint8_t y[PLANE_PIXELS + 2 + FOV_SAMPLING_SLACK];
  uint8_t u[PLANE_PIXELS + 2 + FOV_SAMPLING_SLACK];
  uint8_t v[PLANE_PIXELS + 2 + FOV_SAMPLING_SLACK];
} planes;

static void convert_planes(const fov_image_reader *reader, const planes *planes, size_t begin,
                           size_t count, uint8_t *out) {
  uint8_t colors[3][PLANE_PIXELS + FOV_SAMPLING_SLACK];
  const fov_color_planes pixels = {colors[0], colors[1], colors[2]};
  reader->kernels->colors(&reader->matrix, planes->y + begin, planes->u + begin, planes->v + begin,
                          count, &pixels);
  reader->kernels->interleave(&pixels, count, out);
}

// Pixels from an even column on.
static void copy_planes(const fov_yuv_row *row, size_t column, size_t count, planes *out) {
  const uint8_t *luma = row->luma + column * row->luma_step;
  if (row->luma_step == 1) {
    memcpy(out->y, luma, count);
  } else {
    for (size_t i = 0; i < count; i++) out->y[i] = luma[i * row->luma_step];
  }
  if (row->chroma_shift != 1) {
    for (size_t i = 0; i < count; i++) {
      const size_t at = ((column + i) >> row->chroma_shift) * row->chroma_step;
      out->u[i] = row->u[at];
      out->v[i] = row->v[at];
    }
    return;
  }
  const uint8_t *u = row->u + column / 2 * row->chroma_step;
  const uint8_t *v = row->v + column / 2 * row->chroma_step;
  for (size_t i = 0; i < count; i += 2, u += row->chroma_step, v += row->chroma_step) {
    out->u[i] = out->u[i + 1] = *u;
    out->v[i] = out->v[i + 1] = *v;
  }
}

static void read_yuv_row(const fov_image_reader *reader, size_t row, size_t column, size_t count,
                         uint8_t *out) {
  const fov_yuv_row source = fov_yuv_row_find(reader, row);
  if (reader->is_scalar) {
    for (size_t i = 0; i < count; i++) {
      fov_yuv_row_pixel(reader, &source, column + i, out + 3 * i);
    }
    return;
  }
  const size_t odd = column % 2;
  planes planes;
  for (size_t begin = 0; begin < count; begin += PLANE_PIXELS) {
    const size_t part = fov_size_min(PLANE_PIXELS, count - begin);
    copy_planes(&source, column - odd + begin, odd + part, &planes);
    convert_planes(reader, &planes, odd, part, out + 3 * begin);
  }
}

// MARK: Any format

void fov_image_read_row(const fov_image_reader *reader, size_t row, size_t column, size_t count,
                        uint8_t *out) {
  switch (reader->image->format) {
    case fov_pixel_format_rgb:
    case fov_pixel_format_bgr:
    case fov_pixel_format_gray:
      memcpy(out, fov_image_stored_samples(reader, row, column), count * reader->channels);
      return;
    case fov_pixel_format_rgba:
    case fov_pixel_format_bgra: read_alpha_row(reader, row, column, count, out); return;
    case fov_pixel_format_nv12:
    case fov_pixel_format_yuyv:
    case fov_pixel_format_planar: read_yuv_row(reader, row, column, count, out); return;
  }
}
