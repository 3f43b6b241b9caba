// Fovea - boxes of images, each sampled to the same size.
// SPDX-License-Identifier: Apache-2.0
#include <math.h>

#include "base/fov_size.h"
#include "ops/fov_float_index.h"
#include "ops/fov_grid_samples.h"
#include "ops/fov_operation_table.h"
#include "ops/fov_shape_require.h"
#include "pool/fov_parallel_slots.h"

// A sample at a position that is no number lies outside. An image that does not exist becomes the
// first or the last one. NaN: a sample is NaN if a pixel with a weight above 0 is NaN.

static fov_status infer_shape(const void *parameters, const fov_shape *inputs, size_t input_count,
                              fov_shape *out_shape, fov_diagnostic *diagnostic) {
  (void)input_count;
  const fov_crop_resize *crop = parameters;
  const fov_shape *input = &inputs[0], *boxes = &inputs[1], *images = &inputs[2];
  FOV_FORWARD(
      fov_require_choice(crop->box, fov_crop_box_center_width_first, "kind of boxes", diagnostic));
  FOV_FORWARD(
      fov_require_choice(crop->grid, fov_crop_grid_unalign_corners, "kind of grid", diagnostic));
  FOV_FORWARD(fov_shape_require_rank(input, 4, "an input", diagnostic));
  FOV_FORWARD(fov_shape_require_rank(boxes, 2, "boxes", diagnostic));
  FOV_FORWARD(fov_shape_require_rank(images, 1, "indices of images", diagnostic));
  FOV_FORWARD(fov_shape_require_equal(boxes, 0, images, 0, diagnostic));
  FOV_FORWARD(fov_shape_require_indices(input->dims[0], diagnostic));
  if (boxes->dims[1] != 4) {
    return fov_fail(diagnostic, fov_status_shape_mismatch, "boxes of %zu coordinates; expected 4",
                    boxes->dims[1]);
  }
  if (crop->output[0] == 0 || crop->output[1] == 0) {
    return fov_fail(diagnostic, fov_status_invalid_argument, "resizing to 0 %s; expected 1 or more",
                    crop->output[0] == 0 ? "rows" : "columns");
  }
  if (!isfinite(crop->spatial_scale)) {
    return fov_fail(diagnostic, fov_status_invalid_argument,
                    "a spatial scale of %g; expected a finite number", (double)crop->spatial_scale);
  }
  *out_shape = (fov_shape){
      .rank = 4, .dims = {boxes->dims[0], input->dims[1], crop->output[0], crop->output[1]}};
  return fov_status_ok;
}

static fov_status workspace(const void *parameters, const fov_workspace_request *request,
                            size_t *out_bytes) {
  const fov_crop_resize *crop = parameters;
  return fov_grid_samples_workspace(crop->output[1], request->slots, out_bytes);
}

// MARK: positions

// Where the box begins along an axis, and how far it reaches. axis 0: rows.
static void find_extent(const fov_crop_resize *crop, const float *box, size_t axis, size_t size,
                        double *out_first, double *out_extent) {
  const bool width_first =
      crop->box == fov_crop_box_corners_width_first || crop->box == fov_crop_box_center_width_first;
  const bool center =
      crop->box == fov_crop_box_center_height_first || crop->box == fov_crop_box_center_width_first;
  const size_t place = width_first ? 1 - axis : axis;
  const double scale = (double)crop->spatial_scale;
  const double a = (double)box[place] * scale, b = (double)box[place + 2] * scale;
  const double unit = crop->normalized ? (double)(size - 1) : 1.0;
  const double first = (center ? a - b / 2.0 : a) * unit;
  const double last = (center ? a + b / 2.0 : b) * unit;
  *out_first = first;
  *out_extent = last - first;
}

// Sample `index` of `count` behind the beginning of the box: fov_crop_grid.
static double grid_offset(fov_crop_grid grid, double extent, size_t index, size_t count) {
  const double i = (double)index, n = (double)count, size = extent + 1.0;
  switch (grid) {
    case fov_crop_grid_default: return count > 1 ? i * ((size - size / n) / (n - 1.0)) : 0.0;
    case fov_crop_grid_strict_align_corners: return count > 1 ? i * (extent / (n - 1.0)) : 0.0;
    case fov_crop_grid_align_corners: return count > 1 ? i * (extent / (n - 1.0)) : extent / 2.0;
    case fov_crop_grid_offset_corners: {
      const double step = (extent > 1.0 ? extent : 1.0) / n;
      return 0.5 * step + i * step;
    }
    case fov_crop_grid_unalign_corners: break;
  }
  return (i + 0.5) * (size / n) - 0.5;
}

// MARK: run

static bool is_inside(double position, size_t size) {
  return position >= 0.0 && position <= (double)(size - 1);
}

static void run_row(void *context, size_t unit, size_t slot) {
  const fov_run *run = context;
  const fov_crop_resize *crop = run->parameters;
  const size_t *in = run->inputs[0].shape->dims;
  const size_t rows = crop->output[0], columns = crop->output[1];
  const size_t n = unit / rows, row = unit % rows;
  const float *box = fov_run_input(run, 1) + n * 4;
  const float index = fov_run_input(run, 2)[n];
  const size_t image = index > 0.0f ? fov_float_index(index, in[0]) : 0;
  double top, left, height, width;
  find_extent(crop, box, 0, in[2], &top, &height);
  find_extent(crop, box, 1, in[3], &left, &width);
  const double y = top + grid_offset(crop->grid, height, row, rows);
  fov_grid_sample *samples = (fov_grid_sample *)run->workspace + slot * columns;
  for (size_t i = 0; i < columns; i++) {
    const double x = left + grid_offset(crop->grid, width, i, columns);
    samples[i] = is_inside(y, in[2]) && is_inside(x, in[3])
                     ? fov_grid_sample_bilinear(y, x, in[2], in[3], 0.0f)
                     : (fov_grid_sample){.outside = crop->pad_value};
  }
  const size_t plane = in[2] * in[3], out_plane = rows * columns;
  fov_grid_samples_take(samples, columns, fov_run_input(run, 0) + image * in[1] * plane, in[1],
                        plane, in[3], fov_run_output(run) + n * in[1] * out_plane + row * columns,
                        out_plane);
}

static void run(const fov_run *run) {
  const size_t *out = run->output.shape->dims;
  fov_parallel_for_slots(run->pool, out[0] * out[2], run->slots, run_row, (void *)run);
}

static void archive(fov_archive *archive, void *parameters) {
  fov_crop_resize *crop = parameters;
  fov_archive_sizes(archive, crop->output, 2);
  fov_archive_bool(archive, &crop->normalized);
  fov_archive_f32(archive, &crop->spatial_scale);
  FOV_ARCHIVE_ENUM(archive, crop->box, fov_crop_box_center_width_first);
  FOV_ARCHIVE_ENUM(archive, crop->grid, fov_crop_grid_unalign_corners);
  fov_archive_f32(archive, &crop->pad_value);
}

const fov_operation fov_operation_crop_resize = {
    .name = "crop_resize",
    .infer_shape = infer_shape,
    .workspace = workspace,
    .run = run,
    .archive = archive,
    .parameter_bytes = sizeof(fov_crop_resize),
    .input_count = 3,
};
