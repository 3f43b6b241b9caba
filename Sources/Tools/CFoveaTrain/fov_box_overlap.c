// Fovea - how well a box covers another one, with derivatives.
// SPDX-License-Identifier: Apache-2.0
#include "fov_box_overlap.h"

#define TINY 1e-9
#define PI 3.14159265358979323846

typedef struct box_span {
  fov_jet low, high;
} box_span;

static box_span span_of(fov_jet center, fov_jet length) {
  const fov_jet half = fov_jet_scale(length, 0.5);
  return (box_span){fov_jet_subtract(center, half), fov_jet_add(center, half)};
}

static fov_jet common(box_span a, box_span b) {
  const fov_jet length =
      fov_jet_subtract(fov_jet_least(a.high, b.high), fov_jet_greatest(a.low, b.low));
  return length.value > 0 ? length : fov_jet_constant(0);
}

static fov_jet outer(box_span a, box_span b) {
  return fov_jet_subtract(fov_jet_greatest(a.high, b.high), fov_jet_least(a.low, b.low));
}

static fov_jet square(fov_jet x) { return fov_jet_multiply(x, x); }

static fov_jet plus(fov_jet x, double y) { return fov_jet_add(x, fov_jet_constant(y)); }

fov_overlap fov_box_overlap(fov_center_box found, fov_center_box wanted) {
  const fov_jet x = fov_jet_variable(found.x, 0), y = fov_jet_variable(found.y, 1);
  const fov_jet w = fov_jet_variable(found.width, 2), h = fov_jet_variable(found.height, 3);
  const fov_jet wanted_x = fov_jet_constant(wanted.x), wanted_y = fov_jet_constant(wanted.y);
  const box_span across = span_of(x, w), down = span_of(y, h);
  const box_span wanted_across = span_of(wanted_x, fov_jet_constant(wanted.width));
  const box_span wanted_down = span_of(wanted_y, fov_jet_constant(wanted.height));
  const fov_jet shared = fov_jet_multiply(common(across, wanted_across), common(down, wanted_down));
  const fov_jet areas = plus(fov_jet_multiply(w, h), wanted.width * wanted.height + TINY);
  const fov_jet iou = fov_jet_divide(shared, fov_jet_subtract(areas, shared));
  const fov_jet diagonal = plus(
      fov_jet_add(square(outer(across, wanted_across)), square(outer(down, wanted_down))), TINY);
  const fov_jet distance =
      fov_jet_add(square(fov_jet_subtract(x, wanted_x)), square(fov_jet_subtract(y, wanted_y)));
  const fov_jet angle =
      fov_jet_subtract(fov_jet_constant(atan(wanted.width / (wanted.height + TINY))),
                       fov_jet_arctangent(fov_jet_divide(w, plus(h, TINY))));
  const fov_jet v = fov_jet_scale(square(angle), 4 / (PI * PI));
  const fov_jet share = fov_jet_divide(v, plus(fov_jet_subtract(v, iou), 1 + TINY));
  const fov_jet lost = fov_jet_add(fov_jet_divide(distance, diagonal), fov_jet_multiply(share, v));
  return (fov_overlap){.iou = iou.value, .complete = fov_jet_subtract(iou, lost)};
}
