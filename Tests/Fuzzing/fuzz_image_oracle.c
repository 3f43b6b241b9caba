// Fovea - sampling an image pixel by pixel, as fov_image.h describes it.
// SPDX-License-Identifier: Apache-2.0
#include "fuzz_image_oracle.h"

#include <math.h>

// MARK: Pixels

static long nearest(double x) { return (long)floor(x + 0.5); }

static uint8_t byte_of_sum(long sum, long steps) {
  const long value = (long)floor((double)sum / (65536.0 * (double)steps) + 0.5);
  return (uint8_t)(value < 0 ? 0 : value > 255 ? 255 : value);
}

// Samples of `bits` bits, by the scale of fov_yuv_encoding.
static void convert_yuv(fov_yuv_encoding encoding, int bits, int luma, int u_code, int v_code,
                        uint8_t *rgb) {
  static const double weights[][2] = {{0.299, 0.114}, {0.2126, 0.0722}, {0.2627, 0.0593}};
  const bool is_video = encoding % 2 == 0;
  const double kr = weights[encoding / 2][0], kb = weights[encoding / 2][1], kg = 1 - kr - kb;
  const double y_scale = is_video ? 255.0 / 219 : 1, c_scale = is_video ? 255.0 / 224 : 1;
  const long steps = 1L << (bits - 8);
  // Words of full range: the factors, as rounded for bytes, are scaled and rounded again.
  const double full = is_video || bits == 8 ? 1 : 255.0 * steps / ((1L << bits) - 1);
  const double one = 65536;
// clang-format off
#define FACTOR(x) nearest(full * nearest(one * (x)))
  // clang-format on
  const long y = FACTOR(y_scale) * (luma - (is_video ? 16 * steps : 0));
  const long u = u_code - 128 * steps, v = v_code - 128 * steps;
  rgb[0] = byte_of_sum(y + FACTOR(c_scale * 2 * (1 - kr)) * v, steps);
  rgb[1] = byte_of_sum(y + FACTOR(-c_scale * 2 * kb * (1 - kb) / kg) * u +
                           FACTOR(-c_scale * 2 * kr * (1 - kr) / kg) * v,
                       steps);
  rgb[2] = byte_of_sum(y + FACTOR(c_scale * 2 * (1 - kb)) * u, steps);
#undef FACTOR
}

static int read_sample(const fov_image *image, int k, size_t column, size_t row) {
  const fov_sample_plane *plane = &image->planes[k];
  if (plane->data == NULL) return 1 << (image->sample_bits - 1);
  if (k > 0) {
    column >>= image->chroma_shifts[0];
    row >>= image->chroma_shifts[1];
  }
  const uint8_t *at = plane->data + row * plane->row_bytes + column * plane->step;
  return image->sample_bits == 8 ? at[0] : at[0] + 256 * at[1];
}

static void read_planes(const fov_image *image, size_t column, size_t row, uint8_t *rgb) {
  int samples[3];
  for (int k = 0; k < 3; k++) samples[k] = read_sample(image, k, column, row);
  if (image->yuv != fov_yuv_encoding_rgb) {
    convert_yuv(image->yuv, image->sample_bits, samples[0], samples[1], samples[2], rgb);
    return;
  }
  const double most = (1 << image->sample_bits) - 1;
  for (int k = 0; k < 3; k++) {
    const double level = floor(samples[k] * 255.0 / most + 0.5);
    rgb[k] = (uint8_t)(level > 255 ? 255 : level);
  }
}

static uint8_t compose(int color, int background, int alpha) {
  return (uint8_t)floor((color * alpha + background * (255 - alpha)) / 255.0 + 0.5);
}

// Red, green and blue; three times the level of a gray image.
static void read_pixel(const fov_image *image, size_t column, size_t row, uint8_t *rgb) {
  if (image->format == fov_pixel_format_planar) {
    read_planes(image, column, row, rgb);
    return;
  }
  const uint8_t *line = image->data + row * image->row_bytes;
  const bool is_blue_first =
      image->format == fov_pixel_format_bgr || image->format == fov_pixel_format_bgra;
  const bool has_alpha =
      image->format == fov_pixel_format_rgba || image->format == fov_pixel_format_bgra;
  if (image->format == fov_pixel_format_gray) {
    rgb[0] = rgb[1] = rgb[2] = line[column];
  } else if (image->format == fov_pixel_format_nv12) {
    const uint8_t *pair =
        image->data + image->chroma_offset + row / 2 * image->chroma_row_bytes + column / 2 * 2;
    convert_yuv(image->yuv, 8, line[column], pair[0], pair[1], rgb);
  } else if (image->format == fov_pixel_format_yuyv) {
    const uint8_t *group = line + column / 2 * 4;
    convert_yuv(image->yuv, 8, group[column % 2 * 2], group[1], group[3], rgb);
  } else {
    const uint8_t *pixel = line + column * (has_alpha ? 4 : 3);
    for (int c = 0; c < 3; c++) {
      const int color = pixel[is_blue_first ? 2 - c : c];
      rgb[c] = has_alpha && image->alpha == fov_alpha_straight
                   ? compose(color, image->background[c], pixel[3])
                   : (uint8_t)color;
    }
  }
}

// MARK: Axes

// Along one axis of the output: which axis of the image it shows, and where.
typedef struct axis {
  double extent, origin;
  size_t count, begin, size;
  bool is_row;  // of the image
  bool mirrored;
} axis;

static double on_grid(double x) { return fabs(x) < 0x1p32 ? floor(x * 0x1p20 + 0.5) / 0x1p20 : x; }

static axis make_axis(double scale, double offset, fov_pixel_range content, fov_pixel_range source,
                      bool is_row) {
  const double start = scale * (double)content.begin + offset;
  const bool mirrored = scale < 0;
  const size_t count = content.end - content.begin;
  return (axis){
      .extent = on_grid(fabs(scale) * (double)count),
      .origin = on_grid(mirrored ? (double)source.end - start : start - (double)source.begin),
      .count = count,
      .begin = source.begin,
      .size = source.end - source.begin,
      .is_row = is_row,
      .mirrored = mirrored,
  };
}

static void make_axes(const fov_image_sampling *sampling, axis *x, axis *y) {
  const fov_affine_map *map = &sampling->map;
  if (map->a == 0) {
    *x = make_axis(map->c, map->ty, sampling->content_columns, sampling->source_rows, true);
    *y = make_axis(map->b, map->tx, sampling->content_rows, sampling->source_columns, false);
  } else {
    *x = make_axis(map->a, map->tx, sampling->content_columns, sampling->source_columns, false);
    *y = make_axis(map->d, map->ty, sampling->content_rows, sampling->source_rows, true);
  }
}

bool fuzz_image_is_plain(const fov_image_sampling *sampling) {
  axis axes[2];
  make_axes(sampling, &axes[0], &axes[1]);
  for (int i = 0; i < 2; i++) {
    if (!(axes[i].extent < 0x1p500) || !(fabs(axes[i].origin) < 0x1p500)) return false;
  }
  return true;
}

bool fuzz_image_is_mean(const fov_image_sampling *sampling) {
  axis x, y;
  make_axes(sampling, &x, &y);
  return sampling->filter == fov_image_filter_area &&
         (x.extent > (double)x.count || y.extent > (double)y.count);
}

static double position(const axis *axis, size_t index) {
  const double x = ((double)index + 0.5) * axis->extent / (double)axis->count - 0.5 + axis->origin;
  return fmin(fmax(x, 0), (double)(axis->size - 1));
}

static size_t stored(const axis *axis, size_t pixel) {
  return axis->begin + (axis->mirrored ? axis->size - 1 - pixel : pixel);
}

static void read_at(const fov_image *image, const axis *x, const axis *y, size_t px, size_t py,
                    uint8_t *rgb) {
  const size_t along_x = stored(x, px), along_y = stored(y, py);
  read_pixel(image, x->is_row ? along_y : along_x, x->is_row ? along_x : along_y, rgb);
}

// MARK: Filters

static double mix(double low, double high, double w) { return low * (1 - w) + high * w; }

static void sample_bilinear(const fov_image *image, const axis *x, const axis *y, size_t column,
                            size_t row, double *out) {
  const double x_at = position(x, column), y_at = position(y, row);
  const size_t x_low = (size_t)x_at, y_low = (size_t)y_at;
  const size_t x_high = x_low + (x_low + 1 < x->size), y_high = y_low + (y_low + 1 < y->size);
  uint8_t a[3], b[3], c[3], d[3];
  read_at(image, x, y, x_low, y_low, a);
  read_at(image, x, y, x_high, y_low, b);
  read_at(image, x, y, x_low, y_high, c);
  read_at(image, x, y, x_high, y_high, d);
  const double across = x_at - (double)x_low, down = y_at - (double)y_low;
  for (int k = 0; k < 3; k++) out[k] = mix(mix(a[k], b[k], across), mix(c[k], d[k], across), down);
}

// Pixels whose distance is less than the reach: [begin, end).
static void find_span(const axis *axis, double center, double reach, size_t *begin, size_t *end) {
  const double low = floor(center - reach), high = ceil(center + reach) + 1;
  *begin = low < 0 ? 0 : (size_t)low;
  *end = high < (double)axis->size ? (size_t)high : axis->size;
}

static void sample_area(const fov_image *image, const axis *x, const axis *y, size_t column,
                        size_t row, double *out) {
  const double x_at = position(x, column), y_at = position(y, row);
  const double x_reach = fmax(1, x->extent / (double)x->count);
  const double y_reach = fmax(1, y->extent / (double)y->count);
  size_t x_begin, x_end, y_begin, y_end;
  find_span(x, x_at, x_reach, &x_begin, &x_end);
  find_span(y, y_at, y_reach, &y_begin, &y_end);
  double sums[3] = {0}, weights = 0;
  for (size_t py = y_begin; py < y_end; py++) {
    const double down = 1 - fabs((double)py - y_at) / y_reach;
    for (size_t px = x_begin; px < x_end; px++) {
      const double across = 1 - fabs((double)px - x_at) / x_reach;
      if (down <= 0 || across <= 0) continue;
      uint8_t rgb[3];
      read_at(image, x, y, px, py, rgb);
      for (int k = 0; k < 3; k++) sums[k] += down * across * rgb[k];
      weights += down * across;
    }
  }
  for (int k = 0; k < 3; k++) out[k] = sums[k] / weights;
}

void fuzz_image_pixel(const fov_image *image, const fov_image_sampling *sampling, size_t column,
                      size_t row, uint8_t *out) {
  axis x, y;
  double rgb[3];
  make_axes(sampling, &x, &y);
  if (fuzz_image_is_mean(sampling)) {
    sample_area(image, &x, &y, column, row, rgb);
  } else {
    sample_bilinear(image, &x, &y, column, row, rgb);
  }
  if (sampling->channels == 1 && image->format != fov_pixel_format_gray) {
    out[0] = (uint8_t)floor(0.299 * rgb[0] + 0.587 * rgb[1] + 0.114 * rgb[2] + 0.5);
    return;
  }
  for (size_t k = 0; k < sampling->channels; k++) out[k] = (uint8_t)floor(rgb[k] + 0.5);
}
