// Fovea - the content of an output as lines and columns of the stored image.
// SPDX-License-Identifier: Apache-2.0
#ifndef FOV_IMAGE_GRID_H
#define FOV_IMAGE_GRID_H

#include "image/fov_image_axis.h"
#include "image/fov_image_reader.h"

// Images are read row by row as they are stored, whatever becomes of the rows: a line of the grid
// is a row of the output or, where axes are exchanged, a column.
typedef struct fov_image_grid {
  fov_image_reader reader;
  fov_image_axis lines, columns;
  bool exchanged;
  size_t channels;    // of the output
  bool is_luminance;  // color becomes gray
  uint8_t *content;   // its first pixel in the output
  size_t row_bytes;   // of the output
} fov_image_grid;

// MARK: Writing

#define FOV_TILE_LINES 16
#define FOV_TILE_PIXELS 256

// Lines that become columns are kept until there are enough for a piece of every row.
typedef struct fov_image_tile {
  uint8_t lines[FOV_TILE_LINES][FOV_READER_BYTES(3 * FOV_TILE_PIXELS)];
} fov_image_tile;

// Where pixels of a line from a column on are to be written; they are done one line after another,
// at most FOV_TILE_PIXELS of each where axes are exchanged.
FOV_INTERNAL uint8_t *fov_image_line_begin(const fov_image_grid *grid, fov_image_tile *tile,
                                           size_t line, size_t column);
FOV_INTERNAL void fov_image_line_end(const fov_image_grid *grid, const fov_image_tile *tile,
                                     size_t line, size_t column, size_t count);

// Samples of the reader are the bytes of the output.
FOV_INTERNAL bool fov_image_writes_samples(const fov_image_grid *grid);

// Turns samples into pixels: blue first into red first, gray into color.
FOV_INTERNAL void fov_image_write_samples(const fov_image_grid *grid, const uint8_t *samples,
                                          size_t count, uint8_t *out);

// MARK: Filters

FOV_INTERNAL void fov_image_sample_bilinear(const fov_image_grid *grid);
FOV_INTERNAL void fov_image_sample_area(const fov_image_grid *grid);

// Spans that the blocks of fov_image_sample_area do not hold are long ones: no speed, but any
// length.
#define FOV_AREA_LONGEST_SPAN 64
FOV_INTERNAL void fov_image_sample_wide_area(const fov_image_grid *grid);

#endif
