// Fovea - images of random bytes in any format, and their pixels by the formulas of the interface.
// SPDX-License-Identifier: Apache-2.0
#include "sampling_oracle.h"

static size_t row_length(fov_pixel_format format, size_t width) {
  switch (format) {
    case fov_pixel_format_rgb:
    case fov_pixel_format_bgr: return 3 * width;
    case fov_pixel_format_rgba:
    case fov_pixel_format_bgra: return 4 * width;
    case fov_pixel_format_yuyv: return (width + 1) / 2 * 4;
    default: return width;
  }
}

fov_image image_make(fov_pixel_format format, size_t width, size_t height, size_t gap,
                     chance *chance) {
  fov_image image = {.format = format, .width = width, .height = height, .sample_bits = 8};
  image.row_bytes = row_length(format, width) + gap;
  image.data_bytes = height * image.row_bytes - gap;
  if (format == fov_pixel_format_nv12) {
    image.chroma_offset = image.data_bytes + gap;
    image.chroma_row_bytes = (width + 1) / 2 * 2 + gap;
    image.data_bytes = image.chroma_offset + (height + 1) / 2 * image.chroma_row_bytes - gap;
  }
  const bool extremes = chance_below(chance, 4) == 0;
  uint8_t *bytes = native_test_allocate(image.data_bytes, 1);
  for (size_t i = 0; i < image.data_bytes; i++) {
    const uint8_t byte = (uint8_t)chance_bits(chance);
    bytes[i] = extremes ? (byte & 1 ? 255 : 0) : byte;
  }
  image.data = bytes;
  return image;
}

fov_image image_random(fov_pixel_format format, size_t most, chance *chance) {
  const size_t width = chance_between(chance, 1, most), height = chance_between(chance, 1, most);
  return image_make(format, width, height, chance_between(chance, 0, 9), chance);
}

fov_image image_gray(const uint8_t *row, size_t width) {
  return (fov_image){.format = fov_pixel_format_gray,
                     .data = row,
                     .data_bytes = width,
                     .width = width,
                     .height = 1,
                     .row_bytes = width,
                     .sample_bits = 8};
}

// MARK: Pixels

static double fixed(double factor) { return round(factor * 65536); }

static uint8_t byte_of(double sum) { return (uint8_t)fmin(fmax(floor(sum / 65536 + 0.5), 0), 255); }

static void color(fov_yuv_encoding yuv, const uint8_t bytes[3], uint8_t *out) {
  const bool is_video = yuv == fov_yuv_encoding_bt601_video || yuv == fov_yuv_encoding_bt709_video;
  const bool is_bt601 = yuv == fov_yuv_encoding_bt601_video || yuv == fov_yuv_encoding_bt601_full;
  const double kr = is_bt601 ? 0.299 : 0.2126, kb = is_bt601 ? 0.114 : 0.0722, kg = 1 - kr - kb;
  const double chroma = is_video ? 255.0 / 224 : 1;
  const double y = fixed(is_video ? 255.0 / 219 : 1) * (bytes[0] - (is_video ? 16.0 : 0.0));
  const double u = bytes[1] - 128.0, v = bytes[2] - 128.0;
  out[0] = byte_of(y + fixed(2 * (1 - kr) * chroma) * v);
  out[1] = byte_of(y + fixed(-2 * kb * (1 - kb) / kg * chroma) * u +
                   fixed(-2 * kr * (1 - kr) / kg * chroma) * v);
  out[2] = byte_of(y + fixed(2 * (1 - kb) * chroma) * u);
}

size_t image_pixel(const fov_image *image, size_t x, size_t y, uint8_t *out) {
  const uint8_t *row = image->data + y * image->row_bytes;
  const fov_pixel_format format = image->format;
  if (format == fov_pixel_format_gray) {
    out[0] = row[x];
    return 1;
  }
  if (format == fov_pixel_format_nv12) {
    const uint8_t *pair =
        image->data + image->chroma_offset + y / 2 * image->chroma_row_bytes + x / 2 * 2;
    color(image->yuv, (const uint8_t[]){row[x], pair[0], pair[1]}, out);
    return 3;
  }
  if (format == fov_pixel_format_yuyv) {
    const uint8_t *pair = row + x / 2 * 4;
    color(image->yuv, (const uint8_t[]){pair[x % 2 * 2], pair[1], pair[3]}, out);
    return 3;
  }
  const bool has_alpha = format == fov_pixel_format_rgba || format == fov_pixel_format_bgra;
  const bool is_blue_first = format == fov_pixel_format_bgr || format == fov_pixel_format_bgra;
  const uint8_t *pixel = row + (has_alpha ? 4 : 3) * x;
  for (size_t i = 0; i < 3; i++) {
    out[i] = pixel[is_blue_first ? 2 - i : i];
    if (!has_alpha || image->alpha != fov_alpha_straight) continue;
    const double share = pixel[3] / 255.0;
    out[i] = (uint8_t)round(out[i] * share + image->background[i] * (1 - share));
  }
  return 3;
}
