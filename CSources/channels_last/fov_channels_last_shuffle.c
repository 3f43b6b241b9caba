// Fovea - channels in the order in which ShuffleNet mixes groups.
// SPDX-License-Identifier: Apache-2.0
#include "channels_last/fov_channels_last_shuffle.h"

#include "channels_last/fov_channels_last_check.h"
#include "channels_last/fov_channels_last_rows.h"
#include "kernels/fov_loop.h"

// Two groups are what ShuffleNet has; the compiler makes vectors of these loops.
static void join_two_codes(const uint8_t *first, const uint8_t *second, uint8_t *to, size_t size) {
  FOV_INDEPENDENT_ITERATIONS for (size_t i = 0; i < size; i++) {
    to[2 * i] = first[i];
    to[2 * i + 1] = second[i];
  }
}

static void join_two_floats(const float *first, const float *second, float *to, size_t size) {
  FOV_INDEPENDENT_ITERATIONS for (size_t i = 0; i < size; i++) {
    to[2 * i] = first[i];
    to[2 * i + 1] = second[i];
  }
}

static void spread_codes(const uint8_t *from, uint8_t *to, size_t size, size_t groups) {
  for (size_t i = 0; i < size; i++) to[i * groups] = from[i];
}

static void spread_floats(const float *from, float *to, size_t size, size_t groups) {
  for (size_t i = 0; i < size; i++) to[i * groups] = from[i];
}

// Element 0 of a group in a row, and the bytes from pixel to pixel.
typedef struct group_row {
  const uint8_t *from;
  ptrdiff_t pixel;
} group_row;

static group_row find_group(const fov_run *run, size_t group, size_t size, size_t image,
                            size_t row) {
  const size_t bytes = fov_data_type_bytes(run->output.type);
  const bool all_in_one = run->input_count == 1;
  const fov_plane plane = fov_format_plane(&run->inputs[all_in_one ? 0 : group], image);
  const uint8_t *first = fov_plane_row(&plane, row, bytes);
  return (group_row){first + (all_in_one ? group * size * bytes : 0),
                     plane.pixel * (ptrdiff_t)bytes};
}

static void shuffle_row(const fov_run *run, size_t image, size_t row) {
  const fov_planes planes = fov_shape_planes(run->output.shape);
  const size_t groups = *(const size_t *)run->parameters, size = planes.channels / groups;
  const size_t bytes = fov_data_type_bytes(run->output.type);
  const fov_plane out = fov_format_plane(&run->output, image);
  uint8_t *to = fov_plane_row(&out, row, bytes);
  const ptrdiff_t pixel = out.pixel * (ptrdiff_t)bytes;
  if (groups == 2) {
    const group_row a = find_group(run, 0, size, image, row);
    const group_row b = find_group(run, 1, size, image, row);
    for (ptrdiff_t x = 0; x < (ptrdiff_t)planes.columns; x++) {
      const void *first = a.from + x * a.pixel, *second = b.from + x * b.pixel;
      if (bytes == 1) {
        join_two_codes(first, second, to + x * pixel, size);
      } else {
        join_two_floats(first, second, (float *)(void *)(to + x * pixel), size);
      }
    }
    return;
  }
  for (size_t g = 0; g < groups; g++, to += bytes) {
    const group_row group = find_group(run, g, size, image, row);
    for (ptrdiff_t x = 0; x < (ptrdiff_t)planes.columns; x++) {
      const void *from = group.from + x * group.pixel;
      if (bytes == 1) {
        spread_codes(from, to + x * pixel, size, groups);
      } else {
        spread_floats(from, (float *)(void *)(to + x * pixel), size, groups);
      }
    }
  }
}

static void run_shuffle(const fov_run *run) { fov_channels_last_each_row(run, shuffle_row); }

static void archive_shuffle(fov_archive *archive, void *parameters) {
  fov_archive_size(archive, parameters);
}

// Whether codes mean the same before and after.
static bool keeps_meaning(const fov_tensor *inputs, size_t input_count, const fov_tensor *output,
                          size_t groups) {
  const fov_quantization to = output->format->quantization;
  const size_t channels = fov_shape_planes(output->shape).channels;
  for (size_t c = 0; c < channels; c++) {
    const fov_shuffle_source source = fov_channels_last_shuffled(c, channels, groups, input_count);
    const fov_format *format = inputs[source.input].format;
    if (format->measured || format->quantization.scale != to.scale ||
        fov_quantization_zero(format->quantization, source.channel) !=
            fov_quantization_zero(to, c)) {
      return false;
    }
  }
  return true;
}

// Whether the inputs hold all channels of the result.
static bool hold_groups(const fov_tensor *inputs, size_t input_count, const fov_tensor *output,
                        size_t groups) {
  if (groups < 2 || (input_count != 1 && input_count != groups)) return false;
  if (fov_shape_planes(output->shape).channels % groups != 0) return false;
  fov_shape shape = *output->shape;
  if (input_count > 1) shape.dims[shape.rank - 3] /= groups;
  for (size_t k = 0; k < input_count; k++) {
    if (!fov_shape_equal(inputs[k].shape, &shape)) return false;
  }
  return true;
}

static fov_status check_shuffle(const void *parameters, const fov_tensor *inputs,
                                size_t input_count, const fov_tensor *output,
                                fov_diagnostic *diagnostic) {
  const size_t groups = *(const size_t *)parameters;
  FOV_FORWARD(fov_channels_last_check_images(inputs, input_count, input_count, output, diagnostic));
  for (size_t k = 0; k < input_count; k++) {
    FOV_FORWARD(fov_channels_last_check_same_type(&inputs[k], output, diagnostic));
  }
  if (!hold_groups(inputs, input_count, output, groups)) {
    return fov_fail(diagnostic, fov_status_invalid_graph, "%zu inputs are no %zu groups",
                    input_count, groups);
  }
  if (output->type == fov_data_type_float32 || keeps_meaning(inputs, input_count, output, groups)) {
    return fov_status_ok;
  }
  return fov_fail(diagnostic, fov_status_invalid_graph, "codes that are moved change meaning");
}

const fov_operation fov_operation_channels_last_shuffle = {
    .name = "shuffle",
    .run = run_shuffle,
    .archive = archive_shuffle,
    .parameter_bytes = sizeof(size_t),
    .check = check_shuffle,
};
