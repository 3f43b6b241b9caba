// Fovea - fuzzing the sampling of images: any map, size, format and distance of rows.
// SPDX-License-Identifier: Apache-2.0
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/fov_size.h"
#include "fovea/core/fov_core.h"
#include "fuzz_input.h"
#include "fuzz_image_oracle.h"
#include "fuzz_sets.h"

// Images and outputs lie in memory of exactly their sizes. What is refused leaves the output as it
// was. What is accepted writes every byte of it, the same bytes with every instruction set, and
// where numbers are ones that doubles can follow the bytes of fuzz_image_oracle.c.

// MARK: The image

static size_t row_length(const fov_image *image) {
  switch (image->format) {
    case fov_pixel_format_rgb:
    case fov_pixel_format_bgr: return 3 * image->width;
    case fov_pixel_format_rgba:
    case fov_pixel_format_bgra: return 4 * image->width;
    case fov_pixel_format_gray:
    case fov_pixel_format_nv12: return image->width;
    case fov_pixel_format_yuyv: return 4 * fov_size_parts(image->width, 2);
    case fov_pixel_format_planar: break;
  }
  return image->width;
}

// The sides of an image: mostly small ones, now and then a strip longer than any block.
static void choose_sides(fuzz_input *input, size_t longest, size_t *width, size_t *height) {
  const uint8_t kind = fuzz_byte(input);
  *width = fuzz_between(input, 1, 40);
  *height = fuzz_between(input, 1, 40);
  if (kind < 200) return;
  size_t *side = kind & 1 ? width : height;
  *(side == width ? height : width) %= 4;
  *(side == width ? height : width) += 1;
  *side = 1 + (*side * 256 + fuzz_byte(input)) % longest;
}

// The sizes of three planes, or of one.
static void lay_out_planes(fuzz_input *input, fov_image *image) {
  image->chroma_shifts[0] = fuzz_byte(input) % 3;
  image->chroma_shifts[1] = fuzz_byte(input) % 3;
  const uint8_t depth = fuzz_byte(input);
  image->sample_bits = depth < 128 ? 8 : 9 + depth % 8;
  image->yuv = fuzz_byte(input) % 7;
  const bool is_gray = fuzz_byte(input) < 32 && image->yuv != fov_yuv_encoding_rgb;
  const size_t sample = image->sample_bits > 8 ? 2 : 1, kind = fuzz_byte(input);
  const size_t chroma_step = kind < 96 ? sample : kind < 160 ? 2 * sample : sample + kind % 3;
  for (int k = 0; k < (is_gray ? 1 : 3); k++) {
    fov_sample_plane *plane = &image->planes[k];
    const size_t columns = fov_size_parts(image->width, k > 0 ? 1u << image->chroma_shifts[0] : 1);
    const size_t rows = fov_size_parts(image->height, k > 0 ? 1u << image->chroma_shifts[1] : 1);
    plane->step = k > 0 ? chroma_step : kind % 5 == 0 ? sample + 1 : sample;
    const size_t length = (columns - 1) * plane->step + sample;
    plane->row_bytes = length + fuzz_byte(input) % 9;
    plane->data_bytes = (rows - 1) * plane->row_bytes + length;
  }
}

// Bytes of the image up to the end of its last row.
static size_t lay_out(fuzz_input *input, fov_image *image) {
  if (image->format == fov_pixel_format_planar) {
    lay_out_planes(input, image);
    return 1;
  }
  const size_t length = row_length(image);
  image->row_bytes = length + fuzz_byte(input) % 9;
  size_t bytes = (image->height - 1) * image->row_bytes + length;
  if (image->format != fov_pixel_format_nv12) return bytes;
  const size_t pairs = 2 * fov_size_parts(image->width, 2);
  image->chroma_offset = bytes + fuzz_byte(input) % 5;
  image->chroma_row_bytes = pairs + fuzz_byte(input) % 5;
  return image->chroma_offset + (fov_size_parts(image->height, 2) - 1) * image->chroma_row_bytes +
         pairs;
}

// One number of an image that was in order.
static void spoil_image(fuzz_input *input, fov_image *image) {
  fov_sample_plane *plane = &image->planes[fuzz_byte(input) % 3];
  switch (fuzz_byte(input) % 14) {
    case 9: plane->row_bytes = fuzz_wild_size(input); break;
    case 10: plane->step = fuzz_wild_size(input); break;
    case 11: plane->data_bytes -= plane->data_bytes > 0; break;
    case 12: image->chroma_shifts[fuzz_bool(input)] = fuzz_byte(input); break;
    case 13: image->sample_bits = fuzz_byte(input); break;
    case 0: image->width = fuzz_wild_size(input); break;
    case 1: image->height = fuzz_wild_size(input); break;
    case 2: image->row_bytes = fuzz_wild_size(input); break;
    case 3: image->chroma_offset = fuzz_wild_size(input); break;
    case 4: image->chroma_row_bytes = fuzz_wild_size(input); break;
    case 5: image->format = fuzz_byte(input); break;
    case 6: image->alpha = fuzz_byte(input); break;
    case 7: image->yuv = fuzz_byte(input); break;
    default: image->data_bytes -= 1; break;
  }
}

// The last bytes of the input, again and again.
static uint8_t *make_pixels(const fuzz_input *input, size_t bytes) {
  uint8_t *pixels = fuzz_allocate(bytes);
  fuzz_noise noise = {bytes};
  const size_t used = fov_size_min(input->left, 256);
  const uint8_t *from = input->at + (input->left - used);
  for (size_t i = 0; i < bytes; i++) {
    pixels[i] =
        used > 0 ? (uint8_t)(from[i % used] + i / used * 37) : fuzz_noise_bits(&noise) >> 24;
  }
  return pixels;
}

// MARK: The sampling

static fov_pixel_range choose_range(fuzz_input *input, size_t size, bool may_be_empty) {
  const uint8_t kind = fuzz_byte(input);
  if (kind < 64) return (fov_pixel_range){0, size};
  if (kind >= 250) return (fov_pixel_range){fuzz_wild_size(input), fuzz_wild_size(input)};
  const size_t begin = fuzz_byte(input) * size / 256;
  const size_t least = may_be_empty ? 0 : 1;
  const size_t count = least + fuzz_byte(input) * (size - begin - least + 1) / 256;
  return (fov_pixel_range){begin, begin + fov_size_min(count, size - begin)};
}

static double choose_scale(fuzz_input *input, size_t source, size_t content) {
  const uint8_t kind = fuzz_byte(input);
  const double fitting = (double)source / (double)(content > 0 ? content : 1);
  const double sign = kind & 1 ? -1 : 1;
  switch (kind >> 5) {
    case 0:
    case 1: return sign * fitting;
    case 2: return sign * fuzz_between(input, 1, 64) / 8.0;
    case 3: return sign * (1 + fuzz_byte(input)) * fitting / 64;
    case 4: {
      const double fraction = 1 + fuzz_byte(input) / 256.0;
      return sign * ldexp(fraction, fuzz_byte(input) % 41 - 20);
    }
    case 5: return sign;
    case 6: return sign * 0.1 * (1 + fuzz_byte(input));
    default: return fuzz_wild_double(input);
  }
}

static double choose_offset(fuzz_input *input, double scale, size_t source) {
  const uint8_t kind = fuzz_byte(input);
  const double edge = scale < 0 ? (double)source : 0;
  switch (kind >> 5) {
    case 0:
    case 1:
    case 2: return edge;
    case 3: return edge + (fuzz_byte(input) - 128) / 16.0;
    case 4: return edge + (fuzz_byte(input) - 128) * 0.3;
    case 5: return (fuzz_byte(input) - 128) * (double)source / 32;
    case 6: return -scale * fuzz_byte(input);
    default: return fuzz_wild_double(input);
  }
}

static void choose_map(fuzz_input *input, fov_image_sampling *sampling, const fov_image *image) {
  const bool exchanged = fuzz_bool(input);
  const fov_pixel_range columns = sampling->content_columns, rows = sampling->content_rows;
  const size_t wide = columns.end - columns.begin, high = rows.end - rows.begin;
  fov_affine_map *map = &sampling->map;
  *map = (fov_affine_map){0};
  if (exchanged) {
    map->b = choose_scale(input, image->width, high);
    map->c = choose_scale(input, image->height, wide);
    map->tx = choose_offset(input, map->b, image->width);
    map->ty = choose_offset(input, map->c, image->height);
  } else {
    map->a = choose_scale(input, image->width, wide);
    map->d = choose_scale(input, image->height, high);
    map->tx = choose_offset(input, map->a, image->width);
    map->ty = choose_offset(input, map->d, image->height);
  }
  if (fuzz_byte(input) < 250) return;
  double *numbers[] = {&map->a, &map->b, &map->c, &map->d, &map->tx, &map->ty};
  double *const number = numbers[fuzz_byte(input) % 6];
  *number = fuzz_wild_double(input);
}

static fov_image_sampling choose_sampling(fuzz_input *input, const fov_image *image) {
  size_t width, height;
  choose_sides(input, 1000, &width, &height);
  fov_image_sampling sampling =
      fov_image_sampling_whole(image, width, height, fuzz_bool(input) ? 3 : 1);
  sampling.source_columns = choose_range(input, image->width, false);
  sampling.source_rows = choose_range(input, image->height, false);
  sampling.content_columns = choose_range(input, width, true);
  sampling.content_rows = choose_range(input, height, true);
  choose_map(input, &sampling, image);
  sampling.filter = fuzz_bool(input) ? fov_image_filter_area : fov_image_filter_bilinear;
  for (int c = 0; c < 3; c++) sampling.fill[c] = fuzz_byte(input);
  return sampling;
}

static void spoil_sampling(fuzz_input *input, fov_image_sampling *sampling) {
  switch (fuzz_byte(input) % 5) {
    case 0: sampling->width = fuzz_wild_size(input); break;
    case 1: sampling->height = fuzz_wild_size(input); break;
    case 2: sampling->channels = fuzz_wild_size(input); break;
    case 3: sampling->filter = fuzz_byte(input); break;
    default: sampling->instruction_set = fuzz_byte(input); break;
  }
}

// MARK: Comparing

static void check_content(const fov_image *image, const fov_image_sampling *sampling,
                          const uint8_t *out) {
  const fov_pixel_range columns = sampling->content_columns, rows = sampling->content_rows;
  const int tolerance = fuzz_image_is_mean(sampling) ? 1 : 0;
  for (size_t y = rows.begin; y < rows.end; y++) {
    for (size_t x = columns.begin; x < columns.end; x++) {
      const uint8_t *pixel = out + (y * sampling->width + x) * sampling->channels;
      uint8_t expected[3];
      fuzz_image_pixel(image, sampling, x - columns.begin, y - rows.begin, expected);
      for (size_t c = 0; c < sampling->channels; c++) {
        if (abs(pixel[c] - expected[c]) <= tolerance) continue;
        fuzz_fail("pixel (%zu, %zu), channel %zu is %d, expected %d", x, y, c, pixel[c],
                  expected[c]);
      }
    }
  }
}

static void check_padding(const fov_image_sampling *sampling, const uint8_t *out) {
  const fov_pixel_range columns = sampling->content_columns, rows = sampling->content_rows;
  for (size_t y = 0; y < sampling->height; y++) {
    for (size_t x = 0; x < sampling->width; x++) {
      if (y >= rows.begin && y < rows.end && x >= columns.begin && x < columns.end) continue;
      const uint8_t *pixel = out + (y * sampling->width + x) * sampling->channels;
      if (memcmp(pixel, sampling->fill, sampling->channels) != 0) {
        fuzz_fail("pixel (%zu, %zu) is not filled", x, y);
      }
    }
  }
}

static bool is_all(const uint8_t *bytes, size_t count, uint8_t value) {
  for (size_t i = 0; i < count; i++) {
    if (bytes[i] != value) return false;
  }
  return true;
}

// Products of the area filter are bounded so that an input takes milliseconds.
static bool is_quick(const fov_image *image, const fov_image_sampling *sampling) {
  const fov_pixel_range columns = sampling->content_columns, rows = sampling->content_rows;
  const size_t pixels = (columns.end - columns.begin) * (rows.end - rows.begin);
  return pixels * image->width * image->height < (size_t)1 << 22;
}

static size_t output_bytes(const fov_image_sampling *sampling) {
  return sampling->width * sampling->height * sampling->channels;
}

// The same sampling with every set, on top of bytes that differ.
static void sample_again(const fov_image *image, fov_image_sampling sampling,
                         const uint8_t *first) {
  const size_t bytes = output_bytes(&sampling);
  for (size_t set = 0; set < fuzz_set_count(); set++) {
    uint8_t *out = fuzz_allocate(bytes);
    memset(out, 0x55, bytes);
    sampling.instruction_set = fuzz_set(set);
    if (fov_image_sample(image, &sampling, out, bytes) != fov_status_ok) {
      fuzz_fail("refused with %s", fov_instruction_set_name(fuzz_set(set)));
    }
    if (memcmp(first, out, bytes) != 0) {
      fuzz_fail("other bytes with %s", fov_instruction_set_name(fuzz_set(set)));
    }
    free(out);
  }
}

static void sample(fuzz_input *input, const fov_image *image, const fov_image_sampling *sampling,
                   size_t bytes) {
  const size_t missing = fuzz_byte(input) >= 250;
  const size_t room = bytes - fov_size_min(bytes, missing);
  uint8_t *out = fuzz_allocate(room);
  memset(out, 0xAA, room);
  const fov_status status = fov_image_sample(image, sampling, out, room);
  if (status != fov_status_ok) {
    if (!is_all(out, room, 0xAA)) fuzz_fail("refused, but something is written");
  } else {
    // A size that was spoilt may be a smaller one.
    const size_t written = output_bytes(sampling);
    if (!is_all(out + written, room - written, 0xAA)) fuzz_fail("written beyond the output");
    sample_again(image, *sampling, out);
    check_padding(sampling, out);
    if (fuzz_image_is_plain(sampling) && is_quick(image, sampling)) {
      check_content(image, sampling, out);
    }
  }
  free(out);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  fuzz_input input = {data, size};
  const uint8_t spoils = fuzz_byte(&input);
  fov_image image = {
      .format = fuzz_byte(&input) % 8,
      .alpha = fuzz_bool(&input),
      .background = {fuzz_byte(&input), fuzz_byte(&input), fuzz_byte(&input)},
      .yuv = fuzz_byte(&input) % 6,
  };
  choose_sides(&input, 4000, &image.width, &image.height);
  image.data_bytes = lay_out(&input, &image);
  fov_image_sampling sampling = choose_sampling(&input, &image);
  sampling.instruction_set = fuzz_set(0);
  const size_t bytes = output_bytes(&sampling);
  if (spoils >= 250) spoil_sampling(&input, &sampling);
  const size_t image_bytes = image.data_bytes;
  size_t plane_bytes[3];
  for (int k = 0; k < 3; k++) plane_bytes[k] = image.planes[k].data_bytes;
  if (spoils >= 240 && spoils < 250) spoil_image(&input, &image);
  uint8_t *pixels = make_pixels(&input, image_bytes);
  uint8_t *planes[3] = {0};
  image.data = pixels;
  for (int k = 0; k < 3; k++) {
    if (plane_bytes[k] > 0) planes[k] = make_pixels(&input, plane_bytes[k]);
    image.planes[k].data = planes[k];
  }
  sample(&input, &image, &sampling, bytes);
  free(pixels);
  for (int k = 0; k < 3; k++) free(planes[k]);
  return 0;
}
