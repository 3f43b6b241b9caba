// Fovea - maxima and averages over windows of channels-last images.
// SPDX-License-Identifier: Apache-2.0
#include <math.h>
#include <string.h>

#include "base/fov_size.h"
#include "channels_last/fov_channels_last_check.h"
#include "channels_last/fov_channels_last_operation_table.h"
#include "channels_last/fov_channels_last_rows.h"
#include "kernels/fov_kernel_set.h"
#include "ops/fov_operation_table.h"

// Codes keep the quantization of the input: maxima and averages stay within its range.

// Elements [begin, end) of an axis that a window covers, at least one.
typedef struct window {
  size_t begin, end;
} window;

static window find_window(const fov_pooling *pooling, int axis, size_t index, size_t size) {
  const size_t start = index * pooling->stride[axis];
  const size_t before = pooling->before[axis];
  return (window){
      .begin = start > before ? start - before : 0,
      .end = fov_size_min(size, start + pooling->kernel[axis] - before),
  };
}

static void take_maximum(const fov_run *run, const void *in, void *out, size_t count) {
  if (run->output.type == fov_data_type_uint8) {
    run->kernels->int8->maximum(in, out, count);
  } else {
    run->kernels->float32->maximum(in, out, count);
  }
}

typedef struct row_job {
  const fov_run *run;
  const fov_pooling *pooling;
  fov_plane input, output;
  fov_planes source;  // shape of the input
  window rows;
  size_t row, size;  // size: bytes of an element
} row_job;

static const uint8_t *input_pixel(const row_job *job, size_t y, size_t x) {
  const ptrdiff_t elements = (ptrdiff_t)y * job->input.row + (ptrdiff_t)x * job->input.pixel;
  return (const uint8_t *)job->input.data + elements * (ptrdiff_t)job->size;
}

static uint8_t *output_pixel(const row_job *job, size_t x) {
  const ptrdiff_t elements =
      (ptrdiff_t)job->row * job->output.row + (ptrdiff_t)x * job->output.pixel;
  return (uint8_t *)job->output.data + elements * (ptrdiff_t)job->size;
}

// Windows at a stride of 1. Each element of the kernel is one pass over the whole row.
static void maximum_row_dense(const row_job *job) {
  const fov_pooling *pooling = job->pooling;
  const size_t columns = pooling->output[1], pixel = (size_t)job->output.pixel;
  const size_t before = pooling->before[1];
  // The first pass copies. It takes the element of the kernel that is in the image for all windows.
  for (size_t x = 0; x < columns; x++) {
    const window across = find_window(pooling, 1, x, job->source.columns);
    memcpy(output_pixel(job, x), input_pixel(job, job->rows.begin, across.begin),
           job->source.channels * job->size);
  }
  // Elements of the kernel that are in the image for some window. They are at most as many as the
  // row is wide, for any kernel that a file may have.
  const size_t first = before < columns ? 0 : before - columns + 1;
  const size_t last = fov_size_min(pooling->kernel[1], job->source.columns + before);
  for (size_t y = job->rows.begin; y < job->rows.end; y++) {
    for (size_t k = first; k < last; k++) {
      const size_t begin = before > k ? before - k : 0;
      const size_t end = fov_size_min(columns, job->source.columns + before - k);
      const size_t count = (end - begin - 1) * pixel + job->source.channels;
      take_maximum(job->run, input_pixel(job, y, begin + k - before), output_pixel(job, begin),
                   count);
    }
  }
}

// Channels whose maxima are taken together. Elements behind the last one may be read.
#define MAXIMA 16

// Defines a function for a pixel of codes or of floats. A NaN never replaces a maximum, and the
// first element stays if it is NaN.
#define MAXIMUM_FUNCTION(name, type)                                                       \
  static void name(const row_job *job, window across, type *out) {                         \
    for (size_t first = 0; first < job->source.channels; first += MAXIMA) {                \
      const size_t channels = fov_size_min(MAXIMA, job->source.channels - first);          \
      type most[MAXIMA];                                                                   \
      const void *pixel = input_pixel(job, job->rows.begin, across.begin);                 \
      memcpy(most, (const type *)pixel + first, sizeof most);                              \
      for (size_t y = job->rows.begin; y < job->rows.end; y++) {                           \
        const void *row = input_pixel(job, y, across.begin);                               \
        const type *in = (const type *)row + first;                                        \
        for (size_t k = across.begin; k < across.end; k++, in += job->input.pixel) {       \
          for (size_t c = 0; c < MAXIMA; c++) most[c] = in[c] > most[c] ? in[c] : most[c]; \
        }                                                                                  \
      }                                                                                    \
      if (channels == MAXIMA) {                                                            \
        memcpy(out + first, most, sizeof most);                                            \
      } else {                                                                             \
        for (size_t c = 0; c < channels; c++) out[first + c] = most[c];                    \
      }                                                                                    \
    }                                                                                      \
  }

MAXIMUM_FUNCTION(maximum_codes, uint8_t)
MAXIMUM_FUNCTION(maximum_floats, float)

static void maximum_pixel(const row_job *job, size_t x) {
  const window across = find_window(job->pooling, 1, x, job->source.columns);
  void *out = output_pixel(job, x);
  if (job->size == 1) {
    maximum_codes(job, across, out);
  } else {
    maximum_floats(job, across, out);
  }
}

// What an average divides by.
static float divisor(const fov_pooling *pooling, window down, window across) {
  if (!pooling->exclude_padding) return (float)pooling->kernel[0] * (float)pooling->kernel[1];
  return (float)(down.end - down.begin) * (float)(across.end - across.begin);
}

// Channels whose floats are added together, and pixels of one partial sum. The rounding of a sum
// grows with its terms, so the sum of a large window is a sum of partial sums.
#define ADDED_CHANNELS 256
#define ADDED_PIXELS 128

static void add_floats(const row_job *job, const float *in, float *sums, size_t channels) {
  job->run->kernels->float32->add(in, sums, -INFINITY, INFINITY, sums, channels);
}

// Adds some channels of the pixels of a window, pixel by pixel, to `sums`.
static void sum_floats(const row_job *job, window across, size_t channel, size_t channels,
                       float *sums) {
  float part[ADDED_CHANNELS];
  memset(part, 0, channels * sizeof *part);
  size_t pixels = 0;
  for (size_t y = job->rows.begin; y < job->rows.end; y++) {
    for (size_t x = across.begin; x < across.end; x++) {
      add_floats(job, (const float *)(const void *)input_pixel(job, y, x) + channel, part,
                 channels);
      if (++pixels % ADDED_PIXELS != 0) continue;
      add_floats(job, part, sums, channels);
      memset(part, 0, channels * sizeof *part);
    }
  }
  add_floats(job, part, sums, channels);
}

static void average_floats(const row_job *job, window across, float *out) {
  const float count = divisor(job->pooling, job->rows, across);
  for (size_t first = 0; first < job->source.channels; first += ADDED_CHANNELS) {
    const size_t channels = fov_size_min(ADDED_CHANNELS, job->source.channels - first);
    float *sums = out + first;
    memset(sums, 0, channels * sizeof *sums);
    sum_floats(job, across, first, channels, sums);
    for (size_t c = 0; c < channels; c++) sums[c] = sums[c] / count;
  }
}

// Channels whose sums are added together, and pixels whose codes cannot overflow 32 bits.
#define SUMMED_CHANNELS 64
#define SUMMED_PIXELS ((size_t)1 << 24)

// Adds the codes of some channels of the pixels of a window.
static void sum_codes(const row_job *job, window across, size_t channel, size_t channels,
                      uint64_t *sums) {
  for (size_t y = job->rows.begin; y < job->rows.end; y++) {
    for (size_t x = across.begin; x < across.end;) {
      const size_t end = fov_size_min(across.end, x + SUMMED_PIXELS);
      uint32_t part[SUMMED_CHANNELS] = {0};
      for (; x < end; x++) {
        const uint8_t *codes = input_pixel(job, y, x) + channel;
        for (size_t c = 0; c < channels; c++) part[c] += codes[c];
      }
      for (size_t c = 0; c < channels; c++) sums[c] += part[c];
    }
  }
}

// Padding is zero, and the code of zero is the zero point. So averages are of codes minus the zero
// point.
static void average_codes(const row_job *job, window across, uint8_t *out) {
  const fov_quantization quantization = fov_format_quantization(&job->run->output);
  const size_t covered = (job->rows.end - job->rows.begin) * (across.end - across.begin);
  const float count = divisor(job->pooling, job->rows, across);
  for (size_t first = 0; first < job->source.channels; first += SUMMED_CHANNELS) {
    const size_t channels = fov_size_min(SUMMED_CHANNELS, job->source.channels - first);
    uint64_t sums[SUMMED_CHANNELS] = {0};
    sum_codes(job, across, first, channels, sums);
    for (size_t c = 0; c < channels; c++) {
      const int32_t zero = fov_quantization_zero(quantization, first + c);
      const int64_t sum = (int64_t)sums[c] - (int64_t)covered * zero;
      out[first + c] = (uint8_t)(nearbyintf((float)sum / count) + (float)zero);
    }
  }
}

static void average_pixel(const row_job *job, size_t x) {
  const window across = find_window(job->pooling, 1, x, job->source.columns);
  uint8_t *out = output_pixel(job, x);
  if (job->size == 1) {
    average_codes(job, across, out);
  } else {
    average_floats(job, across, (float *)(void *)out);
  }
}

static void run_row(const fov_run *run, size_t image, size_t row) {
  const fov_pooling *pooling = run->parameters;
  row_job job = {
      .run = run,
      .pooling = pooling,
      .input = fov_format_plane(&run->inputs[0], image),
      .output = fov_format_plane(&run->output, image),
      .source = fov_shape_planes(run->inputs[0].shape),
      .row = row,
      .size = fov_data_type_bytes(run->output.type),
  };
  job.rows = find_window(pooling, 0, row, job.source.rows);
  const bool maximum = pooling->function == fov_pooling_maximum;
  if (maximum && pooling->stride[1] == 1 && fov_format_is_run(&run->inputs[0], &run->output)) {
    maximum_row_dense(&job);
    return;
  }
  for (size_t x = 0; x < pooling->output[1]; x++) {
    if (maximum) {
      maximum_pixel(&job, x);
    } else {
      average_pixel(&job, x);
    }
  }
}

static void run_pooling(const fov_run *run) { fov_channels_last_each_row(run, run_row); }

static fov_status check(const void *parameters, const fov_tensor *inputs, size_t input_count,
                        const fov_tensor *output, fov_diagnostic *diagnostic) {
  FOV_FORWARD(fov_channels_last_check_images(inputs, input_count, 1, output, diagnostic));
  FOV_FORWARD(fov_channels_last_check_moved(&inputs[0], output, 0, diagnostic));
  if (((const fov_pooling *)parameters)->function == fov_pooling_l2) {
    return fov_fail(diagnostic, fov_status_invalid_graph, "roots of squares are not pooled here");
  }
  return fov_channels_last_check_inferred(&fov_operation_pooling, parameters, &inputs[0], output,
                                          diagnostic);
}

const fov_operation fov_operation_channels_last_pooling = {
    .name = "pooling",
    .run = run_pooling,
    .archive = fov_pooling_archive,
    .parameter_bytes = sizeof(fov_pooling),
    .check = check,
    .input_count = 1,
};
