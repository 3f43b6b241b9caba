// Fovea - sampling written down without regard to speed.
// SPDX-License-Identifier: Apache-2.0
#include "sampling_oracle.h"

#include "kernels/fov_kernel_set.h"

static size_t extent(fov_pixel_range range) { return range.end - range.begin; }

// MARK: Cases

sampling_case case_whole(const fov_image *image, size_t width, size_t height, size_t channels) {
  return (sampling_case){.columns = {0, image->width},
                         .rows = {0, image->height},
                         .width = width,
                         .height = height,
                         .channels = channels,
                         .content_columns = {0, width},
                         .content_rows = {0, height}};
}

static fov_pixel_range part_of(size_t count, chance *chance) {
  const size_t begin = chance_below(chance, count);
  return (fov_pixel_range){begin, chance_between(chance, begin + 1, count)};
}

sampling_case case_random(const fov_image *image, chance *chance) {
  sampling_case part = {.columns = part_of(image->width, chance)};
  part.rows = part_of(image->height, chance);
  part.exchanged = chance_bool(chance);
  part.mirrored_columns = chance_bool(chance);
  part.mirrored_rows = chance_bool(chance);
  part.width = chance_between(chance, 1, 60);
  part.height = chance_between(chance, 1, 60);
  part.channels = chance_bool(chance) ? 3 : 1;
  part.content_columns = part_of(part.width, chance);
  part.content_rows = part_of(part.height, chance);
  for (size_t i = 0; i < 3; i++) part.fill[i] = (uint8_t)chance_bits(chance);
  return part;
}

// The line that takes the ends of `content` to the ends of `source`, or the other way round.
static void set_line(fov_pixel_range source, bool mirrored, fov_pixel_range content,
                     double *out_factor, double *out_offset) {
  const double scale = (double)extent(source) / (double)extent(content);
  *out_factor = mirrored ? -scale : scale;
  *out_offset =
      (double)(mirrored ? source.end : source.begin) - *out_factor * (double)content.begin;
}

fov_image_sampling case_sampling(const sampling_case *part, fov_instruction_set set) {
  fov_image_sampling sampling = {.source_columns = part->columns,
                                 .source_rows = part->rows,
                                 .width = part->width,
                                 .height = part->height,
                                 .channels = part->channels,
                                 .content_columns = part->content_columns,
                                 .content_rows = part->content_rows,
                                 .filter = part->filter,
                                 .instruction_set = set};
  memcpy(sampling.fill, part->fill, 3);
  fov_affine_map *map = &sampling.map;
  if (part->exchanged) {
    set_line(part->rows, part->mirrored_columns, part->content_columns, &map->c, &map->ty);
    set_line(part->columns, part->mirrored_rows, part->content_rows, &map->b, &map->tx);
  } else {
    set_line(part->columns, part->mirrored_columns, part->content_columns, &map->a, &map->tx);
    set_line(part->rows, part->mirrored_rows, part->content_rows, &map->d, &map->ty);
  }
  return sampling;
}

// MARK: Answers

// The part of the image, upright.
typedef struct upright_samples {
  size_t width, height, channels;
  uint8_t *samples;
} upright_samples;

static upright_samples make_upright(const sampling_case *part, const fov_image *image) {
  const size_t columns = extent(part->columns), rows = extent(part->rows);
  upright_samples result = {part->exchanged ? rows : columns, part->exchanged ? columns : rows,
                            image->format == fov_pixel_format_gray ? 1 : 3, NULL};
  result.samples = native_test_allocate(rows * columns, result.channels);
  for (size_t y = 0; y < result.height; y++) {
    for (size_t x = 0; x < result.width; x++) {
      const size_t along = part->mirrored_columns ? result.width - 1 - x : x;
      const size_t down = part->mirrored_rows ? result.height - 1 - y : y;
      image_pixel(image, part->columns.begin + (part->exchanged ? down : along),
                  part->rows.begin + (part->exchanged ? along : down),
                  result.samples + (y * result.width + x) * result.channels);
    }
  }
  return result;
}

static double value_at(const upright_samples *image, size_t x, size_t y, size_t channel) {
  return image->samples[(y * image->width + x) * image->channels + channel];
}

typedef struct neighbors {
  size_t low, high;
  double weight;
} neighbors;

static neighbors neighbors_of(size_t index, size_t source, size_t count) {
  const double position = ((double)index + 0.5) * (double)source / (double)count - 0.5;
  const double clamped = fmin(fmax(position, 0), (double)(source - 1));
  const size_t low = (size_t)clamped;
  return (neighbors){low, low + 1 < source ? low + 1 : low, clamped - (double)low};
}

static double bilinear(const upright_samples *image, neighbors x, neighbors y, size_t channel) {
  const double top = value_at(image, x.low, y.low, channel) * (1 - x.weight) +
                     value_at(image, x.high, y.low, channel) * x.weight;
  const double bottom = value_at(image, x.low, y.high, channel) * (1 - x.weight) +
                        value_at(image, x.high, y.high, channel) * x.weight;
  return top * (1 - y.weight) + bottom * y.weight;
}

// The pixels with a weight, and what the weight follows from.
typedef struct triangle {
  size_t first, last;
  double center, reach;
} triangle;

static triangle triangle_of(size_t index, size_t source, size_t count) {
  const double scale = (double)source / (double)count, reach = fmax(scale, 1);
  const double center = fmin(fmax(((double)index + 0.5) * scale, 0.5), (double)source - 0.5);
  return (triangle){(size_t)fmax(floor(center - reach) - 1, 0),
                    (size_t)fmin(ceil(center + reach) + 1, (double)(source - 1)), center, reach};
}

static double weight_of(triangle triangle, size_t pixel) {
  return fmax(0, 1 - fabs((double)pixel + 0.5 - triangle.center) / triangle.reach);
}

static double area(const upright_samples *image, triangle x, triangle y, size_t channel) {
  double sum = 0, total = 0;
  for (size_t row = y.first; row <= y.last; row++) {
    double line = 0, line_total = 0;
    for (size_t column = x.first; column <= x.last; column++) {
      line += weight_of(x, column) * value_at(image, column, row, channel);
      line_total += weight_of(x, column);
    }
    sum += weight_of(y, row) * line;
    total += weight_of(y, row) * line_total;
  }
  return sum / total;
}

static bool contains(fov_pixel_range range, size_t index) {
  return range.begin <= index && index < range.end;
}

uint8_t *case_expected(const sampling_case *part, const fov_image *image) {
  const upright_samples upright = make_upright(part, image);
  const size_t columns = extent(part->content_columns), rows = extent(part->content_rows);
  const bool is_area =
      part->filter == fov_image_filter_area && (upright.width > columns || upright.height > rows);
  uint8_t *result = native_test_allocate(part->width * part->height, part->channels), *out = result;
  for (size_t y = 0; y < part->height; y++) {
    for (size_t x = 0; x < part->width; x++, out += part->channels) {
      if (!contains(part->content_columns, x) || !contains(part->content_rows, y)) {
        memcpy(out, part->fill, part->channels);
        continue;
      }
      const size_t i = x - part->content_columns.begin, j = y - part->content_rows.begin;
      double means[3] = {0};
      for (size_t channel = 0; channel < upright.channels; channel++) {
        means[channel] = is_area ? area(&upright, triangle_of(i, upright.width, columns),
                                        triangle_of(j, upright.height, rows), channel)
                                 : bilinear(&upright, neighbors_of(i, upright.width, columns),
                                            neighbors_of(j, upright.height, rows), channel);
      }
      if (upright.channels == 1) means[1] = means[2] = means[0];
      if (upright.channels == 3 && part->channels == 1) {
        means[0] = 0.299 * means[0] + 0.587 * means[1] + 0.114 * means[2];
      }
      for (size_t k = 0; k < part->channels; k++) out[k] = (uint8_t)floor(means[k] + 0.5);
    }
  }
  return result;
}

// MARK: Checks

static size_t bytes_of(const fov_image_sampling *sampling) {
  return sampling->width * sampling->height * sampling->channels;
}

// A byte behind the output must stay as it is.
uint8_t *sample(const fov_image *image, const fov_image_sampling *sampling) {
  const size_t count = bytes_of(sampling);
  uint8_t *output = native_test_allocate(count + 1, 1);
  memset(output, 0xA5, count + 1);
  CHECK_EQUAL(fov_image_sample(image, sampling, output, count), fov_status_ok);
  CHECK_EQUAL(output[count], 0xA5);
  return output;
}

void check_sample(const fov_image *image, const fov_image_sampling *sampling,
                  const uint8_t *expected) {
  uint8_t *found = sample(image, sampling);
  CHECK_BYTES(found, expected, bytes_of(sampling));
}

double check_case(const fov_image *image, const sampling_case *part, int most) {
  uint8_t *expected = case_expected(part, image);
  const fov_image_sampling scalar = case_sampling(part, fov_instruction_set_scalar);
  uint8_t *found = sample(image, &scalar);
  size_t differences = 0;
  CASE("format %d, %zu x %zu in %zu x %zu x %zu", (int)image->format, extent(part->columns),
       extent(part->rows), part->width, part->height, part->channels);
  for (size_t i = 0; i < bytes_of(&scalar); i++) {
    CHECK_NEAR(found[i], expected[i], most);
    differences += found[i] != expected[i];
  }
  for (int set = fov_instruction_set_scalar + 1; set < FOV_INSTRUCTION_SET_COUNT; set++) {
    if (!fov_instruction_set_is_available((fov_instruction_set)set)) continue;
    const fov_image_sampling sampling = case_sampling(part, (fov_instruction_set)set);
    check_sample(image, &sampling, found);
  }
  return (double)differences / (double)bytes_of(&scalar);
}

void check_both_directions(const fov_image *image, const size_t output[2], fov_image_filter filter,
                           int most) {
  for (size_t exchanged = 0; exchanged < 2; exchanged++) {
    sampling_case part = case_whole(image, output[exchanged], output[1 - exchanged], 3);
    part.exchanged = exchanged;
    part.filter = filter;
    check_case(image, &part, most);
  }
}
