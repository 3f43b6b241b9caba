// Fovea - a loop over the rows of a channels-last result.
// SPDX-License-Identifier: Apache-2.0
#include "channels_last/fov_channels_last_rows.h"

#include "base/fov_size.h"
#include "fovea/spi/fov_parallel.h"

#define ELEMENTS_A_UNIT 16384

typedef struct rows {
  const fov_run *run;
  fov_channels_last_row body;
  size_t count;  // of all images
  size_t per_image;
  size_t per_unit;
} rows;

static void run_unit(void *context, size_t unit, size_t thread) {
  (void)thread;
  const rows *rows = context;
  const size_t end = fov_size_min(rows->count, (unit + 1) * rows->per_unit);
  for (size_t i = unit * rows->per_unit; i < end; i++) {
    rows->body(rows->run, i / rows->per_image, i % rows->per_image);
  }
}

void fov_channels_last_each_row(const fov_run *run, fov_channels_last_row body) {
  const fov_planes planes = fov_shape_planes(run->output.shape);
  const size_t elements = planes.columns * planes.channels;
  rows rows = {
      .run = run,
      .body = body,
      .count = planes.batch * planes.rows,
      .per_image = planes.rows,
      .per_unit = fov_size_parts(ELEMENTS_A_UNIT, elements),
  };
  fov_parallel_for(run->pool, fov_size_parts(rows.count, rows.per_unit), run_unit, &rows);
  if (run->output.format) fov_format_fill_border(&run->output);
}

bool fov_format_is_run(const fov_tensor *from, const fov_tensor *to) {
  const size_t channels = fov_shape_planes(to->shape).channels;
  return from->format->pixel == to->format->pixel && from->format->channel == 0 &&
         !to->format->is_view && to->format->pixel < channels + FOV_FORMAT_SLACK / 4;
}
