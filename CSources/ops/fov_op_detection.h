// Fovea - decoding detector heads: layout, arithmetic, and what the two operations share.
// SPDX-License-Identifier: Apache-2.0
#ifndef FOV_OP_DETECTION_H
#define FOV_OP_DETECTION_H

#include "ops/fov_operation.h"

// The last convolutions of a detector ("heads") give, for every cell of a grid and every anchor,
// one box and its scores, all as logits:
//
//   head  [1, anchors * (5 + classes), rows, columns]
//
//   channels   | x  y  w  h  o  c0 c1 .. | x  y  w  h  o  c0 c1 .. |      o: is there an object?
//              |        anchor 0         |        anchor 1         |
//
// The boxes of all heads become the rows of two arrays, N = sum of anchors * rows * columns:
//
//   confidence  [.., N, classes]   sigmoid(c) * sigmoid(o)
//   coordinates [.., N, 4]         x, y: sigmoid(x) * scale + offset       offset of the cell
//                                  w, h: size(w) * scale                   scale of the anchor
//
// Rows of one head stand together, anchors outermost or pixels outermost. Heads may be planar or
// channels-last. With a confidence floor above 0, rows whose sigmoid(o) is below the floor are
// zeros in both arrays. No sigmoid exceeds 1, so that all their scores would be below the floor
// too. All other rows have the same bits as in a run without a floor.
#define FOV_DETECTION_BOX_CHANNELS 5
#define FOV_DETECTION_OBJECTNESS 4

typedef struct fov_detection_layout {
  size_t classes;
  bool pixels_outermost;  // row = first + pixel * anchors + anchor; else anchor * pixels + pixel
  fov_shape output;       // of the operation's result
} fov_detection_layout;

typedef enum fov_detection_size {
  fov_detection_size_exponential,      // exp(w)
  fov_detection_size_squared_sigmoid,  // sigmoid(w) ^ 2
} fov_detection_size;

// Parameters of `detection_confidence`: a fov_detection_layout.
// Parameters of `detection_coordinates`:
typedef struct fov_detection_coordinates {
  fov_detection_layout layout;
  fov_detection_size size;
  size_t head_count;
  size_t row_count;      // N
  float *center_scales;  // (head_count, 2): of x and y; owned
  float *terms;          // (N, 4): offset of x, of y, scale of w, of h; owned
} fov_detection_coordinates;

// Allocates the arrays. out_of_memory: nothing is owned.
FOV_INTERNAL fov_status fov_detection_coordinates_create(const fov_detection_layout *layout,
                                                         size_t head_count, size_t row_count,
                                                         fov_detection_coordinates *out_parameters);

// MARK: what the two operations share

// The output's shape, if it has rows of `columns`, as many as heads of these shapes.
FOV_INTERNAL fov_status fov_detection_infer_shape(const fov_detection_layout *layout,
                                                  size_t columns, const fov_shape *inputs,
                                                  size_t input_count, fov_shape *out_shape,
                                                  fov_diagnostic *diagnostic);

// A layout in a compiled file.
FOV_INTERNAL void fov_detection_layout_archive(fov_archive *archive, void *parameters);

// Work is cut into tiles of this many pixels of one head.
#define FOV_DETECTION_TILE 64

// Pixels of one head, side by side: element (pixel i, channel c) is pixels[i][c * channel].
typedef struct fov_detection_tile {
  float floor;  // of the confidence
  const float *pixels[FOV_DETECTION_TILE];
  ptrdiff_t channel;  // 1: channels last
  size_t count;       // of pixels, at least 1
  size_t head;
  size_t anchors;
  size_t row;          // of the output: pixel 0, anchor 0
  size_t pixel_step;   // rows from one pixel to the next
  size_t anchor_step;  // rows from one anchor to the next
} fov_detection_tile;

typedef void (*fov_detection_body)(const fov_run *run, const fov_detection_tile *tile);

// Calls body for the tiles of all heads, on the run's pool where that pays.
FOV_INTERNAL void fov_detection_for_tiles(const fov_run *run, const fov_detection_layout *layout,
                                          float floor, fov_detection_body body);

// out[i] = element (i, channel), and 0 after the last pixel of the tile.
FOV_INTERNAL void fov_detection_gather(const fov_detection_tile *tile, size_t channel,
                                       float out[FOV_DETECTION_TILE]);

// sigmoid of the objectness of one anchor. false when all of them are below the floor.
FOV_INTERNAL bool fov_detection_objectness(const fov_run *run, const fov_detection_tile *tile,
                                           size_t first_channel,
                                           float out_objectness[FOV_DETECTION_TILE]);

// out[i] = exp(x[i]), with a relative error below 4e-7; out may be x. The result of an element
// depends on nothing but the element.
FOV_INTERNAL void fov_detection_exponential(const float *x, float *out, size_t count);

#endif
