// Fovea - division by the energy of neighboring channels.
// SPDX-License-Identifier: Apache-2.0
#include <math.h>

#include "base/fov_size.h"
#include "ops/fov_operation_table.h"
#include "ops/fov_shape_require.h"

// Neighbors of channel c are those of c - (size - 1) / 2 ... c + size / 2 that exist. The formula
// has `size` also where there are fewer. NaN: channels with a NaN neighbor become NaN.

static fov_status infer_shape(const void *parameters, const fov_shape *inputs, size_t input_count,
                              fov_shape *out_shape, fov_diagnostic *diagnostic) {
  (void)input_count;
  const fov_local_response_normalization *normalization = parameters;
  FOV_FORWARD(fov_shape_require_planes(&inputs[0], diagnostic));
  if (normalization->size == 0) {
    return fov_fail(diagnostic, fov_status_invalid_argument,
                    "normalization over 0 channels; expected 1 or more");
  }
  if (!isfinite(normalization->alpha) || !isfinite(normalization->beta) ||
      !isfinite(normalization->k)) {
    return fov_fail(diagnostic, fov_status_invalid_argument,
                    "normalization with alpha %g, beta %g, k %g; expected finite numbers",
                    (double)normalization->alpha, (double)normalization->beta,
                    (double)normalization->k);
  }
  *out_shape = inputs[0];
  return fov_status_ok;
}

static void add_squares(const float *restrict in, float *restrict sums, size_t count) {
  for (size_t i = 0; i < count; i++) sums[i] += in[i] * in[i];
}

// Computes the results from sums of squares.
static void divide_by_energy(const fov_local_response_normalization *normalization,
                             const float *restrict in, float *restrict sums, size_t count) {
  const float share = normalization->alpha / (float)normalization->size;
  const float k = normalization->k, beta = normalization->beta;
  for (size_t i = 0; i < count; i++) sums[i] = in[i] / powf(k + share * sums[i], beta);
}

static void run(const fov_run *run) {
  const fov_local_response_normalization *normalization = run->parameters;
  const fov_planes planes = fov_shape_planes(run->output.shape);
  const size_t count = planes.rows * planes.columns;
  const size_t before = (normalization->size - 1) / 2, after = normalization->size / 2;
  const float *image = fov_run_input(run, 0);
  float *out = fov_run_output(run);
  for (size_t n = 0; n < planes.batch; n++) {
    for (size_t c = 0; c < planes.channels; c++) {
      const size_t first = c - fov_size_min(c, before);
      const size_t last = c + fov_size_min(planes.channels - 1 - c, after);
      for (size_t i = 0; i < count; i++) out[i] = 0.0f;
      for (size_t neighbor = first; neighbor <= last; neighbor++) {
        add_squares(image + neighbor * count, out, count);
      }
      divide_by_energy(normalization, image + c * count, out, count);
      out += count;
    }
    image += planes.channels * count;
  }
}

static void archive(fov_archive *archive, void *parameters) {
  fov_local_response_normalization *normalization = parameters;
  fov_archive_size(archive, &normalization->size);
  fov_archive_f32(archive, &normalization->alpha);
  fov_archive_f32(archive, &normalization->beta);
  fov_archive_f32(archive, &normalization->k);
}

const fov_operation fov_operation_local_response_normalization = {
    .name = "local_response_normalization",
    .infer_shape = infer_shape,
    .run = run,
    .archive = archive,
    .parameter_bytes = sizeof(fov_local_response_normalization),
    .input_count = 1,
};
