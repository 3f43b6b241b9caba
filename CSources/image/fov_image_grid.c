// Fovea - writing lines of pixels into the output.
// SPDX-License-Identifier: Apache-2.0
#include "image/fov_image_grid.h"

#include <string.h>

uint8_t *fov_image_line_begin(const fov_image_grid *grid, fov_image_tile *tile, size_t line,
                              size_t column) {
  if (grid->exchanged) return tile->lines[line % FOV_TILE_LINES];
  return grid->content + line * grid->row_bytes + column * grid->channels;
}

// Row `column` of the output takes pixel `column` of every line.
static void write_tile(const fov_image_grid *grid, const fov_image_tile *tile, size_t first_line,
                       size_t lines, size_t column, size_t count) {
  for (size_t j = 0; j < count; j++) {
    uint8_t *out = grid->content + (column + j) * grid->row_bytes + first_line * grid->channels;
    if (grid->channels == 1) {
      for (size_t i = 0; i < lines; i++) out[i] = tile->lines[i][j];
      continue;
    }
    // Four bytes at a time; the next pixel overwrites the fourth.
    for (size_t i = 0; i + 1 < lines; i++) memcpy(out + 3 * i, tile->lines[i] + 3 * j, 4);
    memcpy(out + 3 * (lines - 1), tile->lines[lines - 1] + 3 * j, 3);
  }
}

void fov_image_line_end(const fov_image_grid *grid, const fov_image_tile *tile, size_t line,
                        size_t column, size_t count) {
  if (!grid->exchanged) return;
  const size_t kept = line % FOV_TILE_LINES + 1;
  if (kept < FOV_TILE_LINES && line + 1 < grid->lines.count) return;
  write_tile(grid, tile, line + 1 - kept, kept, column, count);
}

bool fov_image_writes_samples(const fov_image_grid *grid) {
  return grid->channels == grid->reader.channels && !grid->reader.blue_first;
}

void fov_image_write_samples(const fov_image_grid *grid, const uint8_t *samples, size_t count,
                             uint8_t *out) {
  if (grid->channels == 1) {
    memcpy(out, samples, count);
  } else if (grid->reader.channels == 1) {
    for (size_t i = 0; i < count; i++, out += 3) out[0] = out[1] = out[2] = samples[i];
  } else if (grid->reader.blue_first) {
    for (size_t i = 0; i < count; i++, samples += 3, out += 3) {
      const uint8_t blue = samples[0], green = samples[1], red = samples[2];
      out[0] = red;
      out[1] = green;
      out[2] = blue;
    }
  } else {
    memcpy(out, samples, 3 * count);
  }
}
