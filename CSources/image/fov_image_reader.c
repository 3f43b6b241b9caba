// Fovea - gathering and converting the pixels that are needed.
// SPDX-License-Identifier: Apache-2.0
#include "image/fov_image_reader.h"

#include <math.h>
#include <string.h>

#include "base/fov_size.h"

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

// MARK: Three bytes

// Four bytes at a time where the fourth may be touched: the next pixel overwrites it.
static inline void copy_three(const uint8_t *from, uint8_t *to) { memcpy(to, from, 3); }
static inline void copy_four(const uint8_t *from, uint8_t *to) { memcpy(to, from, 4); }

// Two neighbors of `size` bytes, in one load of eight.
static inline void copy_pair(const uint8_t *from, size_t size, uint8_t *left, uint8_t *right) {
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
  uint64_t both;
  memcpy(&both, from, sizeof both);
  const uint32_t first = (uint32_t)both, second = (uint32_t)(both >> 8 * size);
  memcpy(left, &first, 4);
  memcpy(right, &second, 4);
#else
  copy_four(from, left);
  copy_four(from + size, right);
#endif
}

static inline void copy_pairs(const uint8_t *row, size_t size, const size_t *columns, size_t count,
                              uint8_t *left, uint8_t *right) {
  for (size_t i = 0; i < count; i++) {
    copy_pair(row + size * columns[i], size, left + 3 * i, right + 3 * i);
  }
}

static void read_color_pairs(const fov_image *image, size_t row, const size_t *columns,
                              size_t step, size_t count, uint8_t *left, uint8_t *right) {
  const uint8_t *source = image->data + row * image->row_bytes;
  const size_t last = fov_size_max(columns[0], columns[count - 1]);
  const bool has_eight = row * image->row_bytes + 3 * last + 8 <= image->data_bytes;
  if (has_eight && step == 1) {
    copy_pairs(source, 3, columns, count, left, right);
    return;
  }
  for (size_t i = 0; i < count; i++) {
    copy_three(source + 3 * columns[i], left + 3 * i);
    copy_three(source + 3 * (columns[i] + step), right + 3 * i);
  }
}

// MARK: Four bytes

static inline uint8_t mix_channel(uint32_t color, uint32_t background, uint32_t alpha) {
  // The nearest whole number to x / 255 for 0 <= x <= 255^2.
  const uint32_t x = color * alpha + background * (255 - alpha) + 128;
  return (uint8_t)((x + (x >> 8)) >> 8);
}

// `background` in the order of the image's channels.
static void compose(const uint8_t *pixel, const uint8_t *background, uint8_t *out) {
  const uint32_t alpha = pixel[3];
  if (alpha == 255) {
    copy_four(pixel, out);
    return;
  }
  for (int c = 0; c < 3; c++) out[c] = mix_channel(pixel[c], background[c], alpha);
}

static void order_background(const fov_image_reader *reader, uint8_t *out) {
  const uint8_t *background = reader->image->background;
  for (int c = 0; c < 3; c++) out[c] = background[reader->blue_first ? 2 - c : c];
}

static void read_alpha_pairs(const fov_image_reader *reader, size_t row, const size_t *columns,
                             size_t step, size_t count, uint8_t *left, uint8_t *right) {
  const uint8_t *source = reader->image->data + row * reader->image->row_bytes;
  const bool is_ignored = reader->image->alpha == fov_alpha_ignored;
  if (is_ignored && step == 1) {
    copy_pairs(source, 4, columns, count, left, right);
    return;
  }
  uint8_t background[3];
  order_background(reader, background);
  for (size_t i = 0; i < count; i++) {
    const uint8_t *first = source + 4 * columns[i], *second = first + 4 * step;
    if (is_ignored) {
      copy_four(first, left + 3 * i);
      copy_four(second, right + 3 * i);
    } else {
      compose(first, background, left + 3 * i);
      compose(second, background, right + 3 * i);
    }
  }
}

static void read_alpha_row(const fov_image_reader *reader, size_t row, size_t column, size_t count,
                           uint8_t *out) {
  const uint8_t *source = reader->image->data + row * reader->image->row_bytes + 4 * column;
  if (reader->image->alpha == fov_alpha_ignored) {
    for (size_t i = 0; i < count; i++) copy_four(source + 4 * i, out + 3 * i);
    return;
  }
  uint8_t background[3];
  order_background(reader, background);
  for (size_t i = 0; i < count; i++) compose(source + 4 * i, background, out + 3 * i);
}

// MARK: Luma and chroma

#define PLANE_PIXELS 128

// Two pixels more than are taken at once: the others of the first and of the last pair.
typedef struct planes {
  uint8_t y[PLANE_PIXELS + 2 + FOV_SAMPLING_SLACK];
  uint8_t u[PLANE_PIXELS + 2 + FOV_SAMPLING_SLACK];
  uint8_t v[PLANE_PIXELS + 2 + FOV_SAMPLING_SLACK];
} planes;

// Where a row's luma and chroma begin, how far each is from sample to sample, and how many pixels
// share chroma: 2^chroma_shift.
typedef struct yuv_row {
  const uint8_t *luma, *u, *v;
  size_t luma_step, chroma_step;
  unsigned chroma_shift;
} yuv_row;

static yuv_row find_planar_row(const fov_image_reader *reader, size_t row) {
  const fov_image *image = reader->image;
  const fov_sample_plane *planes = image->planes;
  const size_t chroma_row = row >> image->chroma_shifts[1];
  const uint8_t *luma = planes[0].data + row * planes[0].row_bytes;
  if (planes[1].data == NULL) {
    return (yuv_row){luma, reader->neutral, reader->neutral, planes[0].step, 0, 1};
  }
  return (yuv_row){luma,
                   planes[1].data + chroma_row * planes[1].row_bytes,
                   planes[2].data + chroma_row * planes[2].row_bytes,
                   planes[0].step,
                   planes[1].step,
                   image->chroma_shifts[0]};
}

static yuv_row find_yuv_row(const fov_image_reader *reader, size_t row) {
  const fov_image *image = reader->image;
  if (image->format == fov_pixel_format_planar) return find_planar_row(reader, row);
  const uint8_t *luma = image->data + row * image->row_bytes;
  if (image->format == fov_pixel_format_yuyv) return (yuv_row){luma, luma + 1, luma + 3, 2, 4, 1};
  const uint8_t *chroma = image->data + image->chroma_offset + row / 2 * image->chroma_row_bytes;
  return (yuv_row){luma, chroma, chroma + 1, 1, 2, 1};
}

// With constant steps the compiler needs no multiplications.
static inline void gather_stepped(const yuv_row *row, const size_t *columns, size_t shift,
                                  size_t count, size_t luma_step, size_t chroma_step,
                                  planes *out) {
  for (size_t i = 0; i < count; i++) {
    const size_t column = columns[i] + shift, group = column >> row->chroma_shift;
    out->y[i] = row->luma[column * luma_step];
    out->u[i] = row->u[group * chroma_step];
    out->v[i] = row->v[group * chroma_step];
  }
}

static void gather_planes(const yuv_row *row, const size_t *columns, size_t shift, size_t count,
                          planes *out) {
  if (row->luma_step == 1 && row->chroma_step == 1) {
    gather_stepped(row, columns, shift, count, 1, 1, out);
  } else if (row->luma_step == 1 && row->chroma_step == 2) {
    gather_stepped(row, columns, shift, count, 1, 2, out);
  } else {
    gather_stepped(row, columns, shift, count, row->luma_step, row->chroma_step, out);
  }
}

static void convert_planes(const fov_image_reader *reader, const planes *planes, size_t begin,
                           size_t count, uint8_t *out) {
  reader->kernels->colors(&reader->matrix, planes->y + begin, planes->u + begin,
                           planes->v + begin, count, out);
}

// Pixels from an even column on.
static void copy_planes(const yuv_row *row, size_t column, size_t count, planes *out) {
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

// MARK: Pixels one by one

static inline uint8_t byte_of(int64_t level) {
  return (uint8_t)(level < 0 ? 0 : level > 255 ? 255 : level);
}

// A pixel of words, or of red, green and blue planes.
static void read_pixel(const fov_image_reader *reader, const yuv_row *row, size_t column,
                       uint8_t *out) {
  const size_t group = (column >> row->chroma_shift) * row->chroma_step;
  const uint8_t *at[3] = {row->luma + column * row->luma_step, row->u + group, row->v + group};
  const unsigned bits = reader->image->sample_bits, more = bits - 8;
  int64_t samples[3];
  for (int k = 0; k < 3; k++) samples[k] = more > 0 ? at[k][0] | at[k][1] << 8 : at[k][0];
  if (reader->image->yuv == fov_yuv_encoding_rgb) {
    const int64_t most = (1 << bits) - 1;
    for (int k = 0; k < 3; k++) out[k] = byte_of((samples[k] * 255 + most / 2) / most);
    return;
  }
  const fov_yuv_matrix *matrix = &reader->matrix;
  const unsigned shift = 16 + more;
  const int64_t y = matrix->luma * (samples[0] - ((int64_t)matrix->black << more)) +
                    ((int64_t)1 << (shift - 1));
  const int64_t u = samples[1] - (128 << more), v = samples[2] - (128 << more);
  out[0] = byte_of((y + matrix->red_v * v) >> shift);
  out[1] = byte_of((y + matrix->green_u * u + matrix->green_v * v) >> shift);
  out[2] = byte_of((y + matrix->blue_u * u) >> shift);
}

static void read_yuv_pairs(const fov_image_reader *reader, size_t row, const size_t *columns,
                           size_t step, size_t count, uint8_t *left, uint8_t *right) {
  const yuv_row source = find_yuv_row(reader, row);
  if (reader->is_scalar) {
    for (size_t i = 0; i < count; i++) {
      read_pixel(reader, &source, columns[i], left + 3 * i);
      read_pixel(reader, &source, columns[i] + step, right + 3 * i);
    }
    return;
  }
  planes planes;
  for (size_t begin = 0; begin < count; begin += PLANE_PIXELS) {
    const size_t part = fov_size_min(PLANE_PIXELS, count - begin);
    gather_planes(&source, columns + begin, 0, part, &planes);
    convert_planes(reader, &planes, 0, part, left + 3 * begin);
    gather_planes(&source, columns + begin, step, part, &planes);
    convert_planes(reader, &planes, 0, part, right + 3 * begin);
  }
}

static void read_yuv_row(const fov_image_reader *reader, size_t row, size_t column, size_t count,
                         uint8_t *out) {
  const yuv_row source = find_yuv_row(reader, row);
  if (reader->is_scalar) {
    for (size_t i = 0; i < count; i++) read_pixel(reader, &source, column + i, out + 3 * i);
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

void fov_image_read_pairs(const fov_image_reader *reader, size_t row, const size_t *left_columns,
                          size_t step, size_t count, uint8_t *left, uint8_t *right) {
  const fov_image *image = reader->image;
  switch (image->format) {
    case fov_pixel_format_rgb:
    case fov_pixel_format_bgr:
      read_color_pairs(image, row, left_columns, step, count, left, right);
      return;
    case fov_pixel_format_rgba:
    case fov_pixel_format_bgra:
      read_alpha_pairs(reader, row, left_columns, step, count, left, right);
      return;
    case fov_pixel_format_gray: {
      const uint8_t *source = image->data + row * image->row_bytes;
      for (size_t i = 0; i < count; i++) {
        left[i] = source[left_columns[i]];
        right[i] = source[left_columns[i] + step];
      }
      return;
    }
    case fov_pixel_format_nv12:
    case fov_pixel_format_yuyv:
    case fov_pixel_format_planar:
      read_yuv_pairs(reader, row, left_columns, step, count, left, right);
      return;
  }
}

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
