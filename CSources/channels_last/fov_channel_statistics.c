// Fovea - what a calibration keeps of every channel.
// SPDX-License-Identifier: Apache-2.0
#include "channels_last/fov_channel_statistics.h"

#include "channels_last/fov_channels_last_rows.h"

#define UNIT 4294967296.0
#define LARGEST_MEAN 1048576.0

static void add_mean(int64_t *sum, double mean) {
  const double kept = isnan(mean) ? 0.0 : fmax(-LARGEST_MEAN, fmin(LARGEST_MEAN, mean));
  int64_t next;
  if (!__builtin_add_overflow(*sum, (int64_t)(kept * UNIT), &next)) *sum = next;
}

static void end_image(fov_channel_statistics *statistics, size_t channels, size_t count) {
  for (size_t c = 0; c < channels; c++) {
    fov_channel_statistics *channel = &statistics[c];
    add_mean(&channel->sum, channel->image_sum / (double)count);
    add_mean(&channel->square_sum, channel->image_square_sum / (double)count);
    channel->image_count += 1;
    channel->image_sum = channel->image_square_sum = 0.0;
  }
}

static void add_elements(fov_channel_statistics *channel, const float *elements, size_t count) {
  double sum = 0.0, squares = 0.0;
  for (size_t i = 0; i < count; i++) {
    const double x = (double)elements[i];
    sum += x;
    squares += x * x;
  }
  channel->image_sum += sum;
  channel->image_square_sum += squares;
}

static void add_planes(const fov_tensor *tensor, const fov_kernel_set *kernels,
                       fov_channel_statistics *statistics) {
  const size_t channels = fov_range_channels(tensor->shape);
  const size_t batch = tensor->shape->rank < 3 ? 1 : fov_shape_planes(tensor->shape).batch;
  const size_t count = fov_shape_count(tensor->shape) / (batch * channels);
  const float *plane = tensor->data;
  for (size_t image = 0; image < batch; image++) {
    for (size_t c = 0; c < channels; c++, plane += count) {
      kernels->float32->range(plane, count, &statistics[c].range.low, &statistics[c].range.high);
      add_elements(&statistics[c], plane, count);
    }
    end_image(statistics, channels, count);
  }
}

static void add_pixel(const float *pixel, size_t channels, fov_channel_statistics *statistics) {
  for (size_t c = 0; c < channels; c++) {
    fov_channel_statistics *channel = &statistics[c];
    const float x = pixel[c];
    channel->range.low = x < channel->range.low ? x : channel->range.low;
    channel->range.high = x > channel->range.high ? x : channel->range.high;
    channel->image_sum += (double)x;
    channel->image_square_sum += (double)x * (double)x;
  }
}

void fov_tensor_add_statistics(const fov_tensor *tensor, const fov_kernel_set *kernels,
                               fov_channel_statistics *statistics) {
  if (fov_shape_count(tensor->shape) == 0) return;
  if (!tensor->format) {
    add_planes(tensor, kernels, statistics);
    return;
  }
  const fov_planes planes = fov_shape_planes(tensor->shape);
  for (size_t image = 0; image < planes.batch; image++) {
    const fov_plane plane = fov_format_plane(tensor, image);
    for (size_t y = 0; y < planes.rows; y++) {
      const float *pixel = fov_plane_row(&plane, y, sizeof(float));
      for (size_t x = 0; x < planes.columns; x++, pixel += plane.pixel) {
        add_pixel(pixel, planes.channels, statistics);
      }
    }
    end_image(statistics, planes.channels, planes.rows * planes.columns);
  }
}

fov_channel_summary fov_channel_statistics_range(const fov_channel_statistics *statistics) {
  const double images = statistics->image_count > 0 ? (double)statistics->image_count : 1.0;
  const double mean = (double)statistics->sum / UNIT / images;
  const double square = (double)statistics->square_sum / UNIT / images;
  return (fov_channel_summary){
      .low = statistics->range.low,
      .high = statistics->range.high,
      .mean = (float)mean,
      .variance = (float)fmax(square - mean * mean, 0.0),
  };
}
