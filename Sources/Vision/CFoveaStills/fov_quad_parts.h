// Fovea - what looking for quadrilaterals consists of.
// SPDX-License-Identifier: Apache-2.0
#ifndef FOV_QUAD_PARTS_H
#define FOV_QUAD_PARTS_H

#include "fov_quad_exact.h"
#include "fov_quads.h"

// Lines are sought on planes of at most about 0.4 megapixels, each of whose pixels is the mean of
// factor x factor pixels. The picture itself makes corners exact.

#define FOV_QUAD_ANGLES 180                  // directions of lines, a degree apart
#define FOV_QUAD_PEAKS 400                   // lines that are looked at
#define FOV_QUAD_LINES 200                   // lines that are joined
#define FOV_QUAD_JOINED 1024                 // quadrilaterals of such lines that are kept
#define FOV_QUAD_FITTED FOV_QUADS_COUNT_MAX  // those that are fitted
#define FOV_QUAD_LEAST_SLOPE 10  // eight times the step of levels from a pixel to the next
#define FOV_QUAD_EDGE_SHARE 12   // at most one of so many pixels belongs to an edge

// What is measured of a quadrilateral; shares of its sides' places, from 0 to 1, if nothing else is
// said.
enum {
  fov_quad_one_signed,    // inside is brighter everywhere, or darker
  fov_quad_least_signed,  // the same of the worst side
  fov_quad_sharp,         // the picture changes most at the side
  fov_quad_least_sharp,   // the same of the worst side
  fov_quad_goes_on,       // beyond the corners the picture changes as at the side
  fov_quad_inner_noise,   // how levels inside vary, over the difference of inside and outside
  fov_quad_outer_noise,   // the same outside
  fov_quad_size,          // the root of the area, over the picture's shorter side
  FOV_QUAD_FEATURES
};

// A line across the planes: the points origin + t * direction for t from 0 to `length`, in steps
// of 1.
typedef struct fov_quad_line {
  fov_point origin, direction;
  int length;        // the number of steps inside the picture
  float strength;    // of its best interval: steps that show an edge, less those that show none
  int first, last;   // the ends of that interval
  uint16_t *before;  // length + 1 counts of steps that show an edge before each
} fov_quad_line;

// A quadrilateral on the way. Corners run clockwise.
typedef struct fov_quad_candidate {
  fov_point corners[4];  // pixels of the planes while lines are joined, then of the picture
  float score;
  float features[FOV_QUAD_FEATURES];
} fov_quad_candidate;

// Edges of one or two planes.
typedef struct fov_quad_layer {
  int16_t *dx, *dy;  // the slopes of the steeper plane
  uint8_t mark;      // the bit of its edges: ridges of slopes
} fov_quad_layer;

// A bounded list whose worst element is at the root of a heap.
typedef struct fov_quad_heap {
  fov_quad_candidate *items;
  int count, capacity;
} fov_quad_heap;

struct fov_quad_finder {
  int width, height, channels;  // of pictures
  int factor, columns, rows;    // of planes
  int distances;                // of lines from the center, in bins of a pixel
  int layer_count;              // 1 of gray pictures, else 2

  uint8_t *planes;           // 1 or 3: brightness, and two shares of colors
  uint8_t *smooth;           // one plane
  uint16_t *sums;            // a row of every channel
  uint16_t *slopes;          // of one layer: how steep
  uint8_t *edges;            // the marks of all layers that have an edge at a pixel
  int8_t *offsets;           // of the edges along a line, in pixels across it
  fov_quad_layer layers[2];  // of brightness, and of colors
  uint16_t *votes;           // FOV_QUAD_ANGLES x distances
  uint16_t *counts;          // of all lines
  fov_quad_line *lines;
  float *crossings;  // FOV_QUAD_LINES^2: where on a line another one crosses it
  fov_quad_candidate *joined, *fitted;
  float likely[FOV_QUAD_FITTED];  // how likely each fitted one is by itself

  float cosines[FOV_QUAD_ANGLES], sines[FOV_QUAD_ANGLES];
  uint8_t angle_of[65];  // degrees of the angle whose tangent is i / 64
};

// Planes and their slopes, and where ridges of these are.
FOV_HIDDEN void fov_quad_reduce(fov_quad_finder *f, const fov_still_image *picture);
FOV_HIDDEN void fov_quad_find_edges(fov_quad_finder *f);

// The direction of a slope, 0 to 179 degrees.
FOV_HIDDEN int fov_quad_angle(const fov_quad_finder *f, int dx, int dy);

// The most supported lines, strongest first. Returns their number.
FOV_HIDDEN int fov_quad_find_lines(fov_quad_finder *f);

// Quadrilaterals whose sides lie on four of the lines, in `joined`. Returns their number.
FOV_HIDDEN int fov_quad_join_lines(fov_quad_finder *f, int lines);

// Adds a candidate if the heap has room, or if it is better than the worst one.
FOV_HIDDEN void fov_quad_heap_add(fov_quad_heap *heap, const fov_quad_candidate *candidate);

// Sorts the best candidate to the front.
FOV_HIDDEN void fov_quad_sort(fov_quad_candidate *candidates, int count);

// Whether corners run clockwise, are convex, and no angle is flatter or sharper than the cosine
// allows.
FOV_HIDDEN bool fov_quad_is_sound(const fov_point corners[4], float shortest,
                                  float greatest_cosine);

// Moves the four sides to the steepest slopes near them, in pixels of the picture. `unit` is the
// distance of two samples, times two. Returns false where a side is lost.
FOV_HIDDEN bool fov_quad_fit(const fov_still_image *picture, float unit, fov_point corners[4]);

// Measures what tells a thing from a pattern: the features of a candidate.
FOV_HIDDEN void fov_quad_measure(const fov_quad_finder *f, const fov_still_image *picture,
                                 fov_quad_candidate *candidate);

// Gives the first `count` fitted ones their scores: how likely each is a thing of its own.
FOV_HIDDEN void fov_quad_judge(fov_quad_finder *f, int count);

// Lays out everything in one block; with `memory` NULL only counts bytes.
FOV_HIDDEN size_t fov_quad_lay_out(fov_quad_finder *f, char *memory);

#endif
