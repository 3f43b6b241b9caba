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

static void add_square(fov_square_sum *sum, double square) {
  const uint64_t whole = (uint64_t)square;
  const uint64_t fraction = (uint64_t)((square - (double)whole) * 18446744073709551616.0);
  sum->fraction += fraction;
  sum->whole += whole + (sum->fraction < fraction ? 1 : 0);
}

static void end_extreme(fov_channel_extreme *extreme, bool is_high) {
  const double image = (double)extreme->image;
  const double near = isnan(image) ? 0.0 : fmax(-LARGEST_MEAN, fmin(LARGEST_MEAN, image));
  const double kept = (double)(int64_t)(near * UNIT) / UNIT;
  add_mean(&extreme->sum, kept);
  add_square(&extreme->squares, kept * kept);
  const float all = extreme->all;
  extreme->all = is_high ? fmaxf(all, extreme->image) : fminf(all, extreme->image);
  extreme->image = is_high ? -INFINITY : INFINITY;
}

static void end_image(fov_channel_statistics *statistics, size_t channels, size_t count) {
  for (size_t c = 0; c < channels; c++) {
    fov_channel_statistics *channel = &statistics[c];
    add_mean(&channel->sum, channel->image_sum / (double)count);
    add_mean(&channel->square_sum, channel->image_square_sum / (double)count);
    channel->image_count += 1;
    channel->image_sum = channel->image_square_sum = 0.0;
    end_extreme(&channel->low, false);
    end_extreme(&channel->high, true);
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
      kernels->float32->range(plane, count, &statistics[c].low.image, &statistics[c].high.image);
      add_elements(&statistics[c], plane, count);
    }
    end_image(statistics, channels, count);
  }
}

static void add_pixel(const float *pixel, size_t channels, fov_channel_statistics *statistics) {
  for (size_t c = 0; c < channels; c++) {
    fov_channel_statistics *channel = &statistics[c];
    const float x = pixel[c];
    channel->low.image = x < channel->low.image ? x : channel->low.image;
    channel->high.image = x > channel->high.image ? x : channel->high.image;
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

// How many deviations of the extremes ranges go beyond their mean.
#define DEVIATIONS 7.0
// Fewer images than this say nothing of deviations.
#define LEAST_IMAGES 8
// Less than this part of the mean square is no variance, but rounding.
#define LEAST_VARIANCE 1e-12

static double reach(const fov_channel_extreme *extreme, double images, double deviations) {
  const double fraction = (double)extreme->squares.fraction / 18446744073709551616.0;
  const double square = ((double)extreme->squares.whole + fraction) / images;
  const double mean = (double)extreme->sum / UNIT / images;
  if (images < LEAST_IMAGES) return (double)extreme->all;
  const double variance = square - mean * mean;
  return variance > LEAST_VARIANCE * square ? mean + deviations * sqrt(variance) : mean;
}

fov_channel_summary fov_channel_statistics_range(const fov_channel_statistics *statistics) {
  if (statistics->image_count == 0) {
    return (fov_channel_summary){.low = INFINITY, .high = -INFINITY};
  }
  const double images = (double)statistics->image_count;
  const double mean = (double)statistics->sum / UNIT / images;
  const double square = (double)statistics->square_sum / UNIT / images;
  return (fov_channel_summary){
      .low = fminf(statistics->low.all, (float)reach(&statistics->low, images, -DEVIATIONS)),
      .high = fmaxf(statistics->high.all, (float)reach(&statistics->high, images, DEVIATIONS)),
      .mean = (float)mean,
      .variance = (float)fmax(square - mean * mean, 0.0),
  };
}
