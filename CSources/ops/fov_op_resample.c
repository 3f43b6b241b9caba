// Fovea - planes sampled at coordinates that are computed.
// SPDX-License-Identifier: Apache-2.0
#include <math.h>

#include "base/fov_size.h"
#include "kernels/fov_kernel_set.h"
#include "ops/fov_grid_samples.h"
#include "ops/fov_operation_table.h"
#include "ops/fov_shape_require.h"
#include "pool/fov_parallel_slots.h"

// Positions are computed in float32, step by step as PyTorch's grid_sample does, so that the
// nearest pixel is the same. NaN: a sample is NaN if a pixel with a weight above 0 is NaN.

static fov_status infer_shape(const void *parameters, const fov_shape *inputs, size_t input_count,
                              fov_shape *out_shape, fov_diagnostic *diagnostic) {
  (void)input_count;
  const fov_resample *resample = parameters;
  const fov_shape *input = &inputs[0], *at = &inputs[1];
  FOV_FORWARD(
      fov_require_choice(resample->filter, fov_resample_bilinear, "resampling filter", diagnostic));
  FOV_FORWARD(fov_require_choice(resample->coordinates, fov_resample_normalized_zero_to_one,
                                 "kind of coordinates", diagnostic));
  FOV_FORWARD(fov_require_choice(resample->padding, fov_resample_padding_symmetric,
                                 "padding of resampling", diagnostic));
  FOV_FORWARD(fov_shape_require_rank(input, 4, "an input", diagnostic));
  FOV_FORWARD(fov_shape_require_rank(at, 4, "coordinates", diagnostic));
  FOV_FORWARD(fov_shape_require_equal(input, 0, at, 0, diagnostic));
  if (at->dims[3] != 2) {
    return fov_fail(diagnostic, fov_status_shape_mismatch,
                    "%zu coordinates of a sample; expected x and y", at->dims[3]);
  }
  *out_shape =
      (fov_shape){.rank = 4, .dims = {input->dims[0], input->dims[1], at->dims[1], at->dims[2]}};
  return fov_status_ok;
}

// Whether the planes of an image are made pixels first, whose channels lie side by side: where rows
// of the result are short, so that a plane would be gone through for each, and there are images for
// all threads and samples enough.
static bool takes_pixels(const size_t in[4], const size_t out[4], size_t slots) {
  return out[3] <= FOV_FEW_SAMPLES && out[0] >= slots && in[1] >= 8 &&
         2 * out[2] * out[3] >= in[2] * in[3];
}

// Samples that are made together, in the memory of a slot.
static size_t samples_together(const size_t in[4], const size_t out[4], size_t slots) {
  return takes_pixels(in, out, slots) ? FOV_FEW_SAMPLES : out[3];
}

// Some samples for each slot, and pixels of an image for each.
static fov_status workspace(const void *parameters, const fov_workspace_request *request,
                            size_t *out_bytes) {
  (void)parameters;
  const size_t *in = request->inputs[0].dims, *out = request->output->dims, slots = request->slots;
  FOV_FORWARD(fov_grid_samples_workspace(samples_together(in, out, slots), slots, out_bytes));
  if (!takes_pixels(in, out, slots)) return fov_status_ok;
  const size_t image = in[1] * in[2] * in[3];  // is in memory
  size_t pixels;
  const bool fits = fov_size_multiply(image, slots * sizeof(float), &pixels) &&
                    fov_size_add(*out_bytes, pixels, out_bytes);
  return fits ? fov_status_ok : fov_status_overflow;
}

// MARK: positions

// NaN becomes the lowest.
static float clamp(float x, float lowest, float highest) {
  if (!(x > lowest)) return lowest;
  return x < highest ? x : highest;
}

// Between `lowest` and lowest + span, mirrored at both as often as it takes.
static float reflect(float x, float lowest, float span) {
  const float distance = fabsf(x - lowest);
  if (span == 0.0f || !isfinite(distance)) return lowest;
  const float rest = fmodf(distance, 2.0f * span);
  return (rest > span ? 2.0f * span - rest : rest) + lowest;
}

// The pixel that a coordinate means, from -2 to size + 1. Padding other than constant puts it
// inside.
static float position(const fov_resample *resample, float x, size_t size) {
  const float n = (float)size, last = (float)(size - 1);
  if (resample->coordinates == fov_resample_normalized_zero_to_one) x = 2.0f * x - 1.0f;
  if (resample->coordinates != fov_resample_unnormalized) {
    x = resample->align_corners ? (x + 1.0f) / 2.0f * last : ((x + 1.0f) * n - 1.0f) / 2.0f;
  }
  switch (resample->padding) {
    case fov_resample_padding_constant: return clamp(x, -2.0f, n + 1.0f);
    case fov_resample_padding_border: break;
    case fov_resample_padding_reflection:
      x = resample->align_corners ? reflect(x, 0.0f, last) : reflect(x, -0.5f, n);
      break;
    case fov_resample_padding_symmetric: x = reflect(x, -0.5f, n); break;
  }
  return clamp(x, 0.0f, last);
}

// MARK: run

// `count` samples from `first` on, of all images and rows, written to `out_samples`.
static void make_samples(const fov_run *run, size_t first, size_t count,
                         fov_grid_sample *out_samples) {
  const fov_resample *resample = run->parameters;
  const size_t *in = run->inputs[0].shape->dims;
  const float value = resample->padding == fov_resample_padding_constant ? resample->value : 0.0f;
  const float *at = fov_run_input(run, 1) + first * 2;
  for (size_t i = 0; i < count; i++) {
    const float x = position(resample, at[2 * i], in[3]);
    const float y = position(resample, at[2 * i + 1], in[2]);
    out_samples[i] = resample->filter == fov_resample_nearest
                         ? fov_grid_sample_nearest(y, x, in[2], in[3], value)
                         : fov_grid_sample_bilinear((double)y, (double)x, in[2], in[3], value);
  }
}

static void run_row(void *context, size_t unit, size_t slot) {
  const fov_run *run = context;
  const size_t *in = run->inputs[0].shape->dims, *out = run->output.shape->dims;
  const size_t image = unit / out[2], row = unit % out[2], columns = out[3];
  const size_t plane = in[2] * in[3], out_plane = out[2] * columns;
  fov_grid_sample *samples = (fov_grid_sample *)run->workspace + slot * columns;
  make_samples(run, unit * columns, columns, samples);
  fov_grid_samples_take(samples, columns, fov_run_input(run, 0) + image * in[1] * plane, in[1],
                        plane, in[3],
                        fov_run_output(run) + image * in[1] * out_plane + row * columns, out_plane);
}

static void run_image(void *context, size_t image, size_t slot) {
  const fov_run *run = context;
  const size_t *in = run->inputs[0].shape->dims, *out = run->output.shape->dims;
  const size_t channels = in[1], plane = in[2] * in[3], out_plane = out[2] * out[3];
  fov_grid_sample *all = run->workspace, *samples = all + slot * FOV_FEW_SAMPLES;
  float *pixels = (float *)(all + run->slots * FOV_FEW_SAMPLES) + slot * channels * plane;
  run->kernels->float32->transpose(fov_run_input(run, 0) + image * channels * plane, plane,
                                   channels, plane, pixels, channels);
  float *to = fov_run_output(run) + image * channels * out_plane;
  for (size_t i = 0; i < out_plane; i += FOV_FEW_SAMPLES) {
    const size_t count = fov_size_min(FOV_FEW_SAMPLES, out_plane - i);
    make_samples(run, image * out_plane + i, count, samples);
    fov_grid_samples_take_pixels(samples, count, run->kernels, pixels, channels, in[3], to + i,
                                 out_plane);
  }
}

static void run(const fov_run *run) {
  const size_t *in = run->inputs[0].shape->dims, *out = run->output.shape->dims;
  if (takes_pixels(in, out, run->slots)) {
    fov_parallel_for_slots(run->pool, out[0], run->slots, run_image, (void *)run);
  } else {
    fov_parallel_for_slots(run->pool, out[0] * out[2], run->slots, run_row, (void *)run);
  }
}

static void archive(fov_archive *archive, void *parameters) {
  fov_resample *resample = parameters;
  FOV_ARCHIVE_ENUM(archive, resample->filter, fov_resample_bilinear);
  FOV_ARCHIVE_ENUM(archive, resample->coordinates, fov_resample_normalized_zero_to_one);
  FOV_ARCHIVE_ENUM(archive, resample->padding, fov_resample_padding_symmetric);
  fov_archive_f32(archive, &resample->value);
  fov_archive_bool(archive, &resample->align_corners);
}

const fov_operation fov_operation_resample = {
    .name = "resample",
    .infer_shape = infer_shape,
    .workspace = workspace,
    .run = run,
    .archive = archive,
    .parameter_bytes = sizeof(fov_resample),
    .input_count = 2,
};
