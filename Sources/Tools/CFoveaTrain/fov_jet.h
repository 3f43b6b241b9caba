// Fovea - numbers that carry their derivatives by the four numbers of a box.
// SPDX-License-Identifier: Apache-2.0
#ifndef FOV_JET_H
#define FOV_JET_H

#include <math.h>
#include <stdbool.h>

typedef struct fov_jet {
  double value;
  double by[4];
} fov_jet;

static inline fov_jet fov_jet_constant(double value) { return (fov_jet){.value = value}; }

static inline fov_jet fov_jet_variable(double value, int index) {
  fov_jet jet = {.value = value};
  jet.by[index] = 1;
  return jet;
}

// value and derivatives x' * by_x + y' * by_y.
static inline fov_jet fov_jet_of(double value, fov_jet x, double by_x, fov_jet y, double by_y) {
  fov_jet jet = {.value = value};
  for (int i = 0; i < 4; i++) jet.by[i] = x.by[i] * by_x + y.by[i] * by_y;
  return jet;
}

static inline fov_jet fov_jet_add(fov_jet x, fov_jet y) {
  return fov_jet_of(x.value + y.value, x, 1, y, 1);
}
static inline fov_jet fov_jet_subtract(fov_jet x, fov_jet y) {
  return fov_jet_of(x.value - y.value, x, 1, y, -1);
}
static inline fov_jet fov_jet_multiply(fov_jet x, fov_jet y) {
  return fov_jet_of(x.value * y.value, x, y.value, y, x.value);
}
static inline fov_jet fov_jet_divide(fov_jet x, fov_jet y) {
  const double value = x.value / y.value;
  return fov_jet_of(value, x, 1 / y.value, y, -value / y.value);
}
static inline fov_jet fov_jet_scale(fov_jet x, double factor) {
  return fov_jet_of(x.value * factor, x, factor, x, 0);
}
static inline fov_jet fov_jet_arctangent(fov_jet x) {
  return fov_jet_of(atan(x.value), x, 1 / (1 + x.value * x.value), x, 0);
}
static inline fov_jet fov_jet_least(fov_jet x, fov_jet y) { return x.value < y.value ? x : y; }
static inline fov_jet fov_jet_greatest(fov_jet x, fov_jet y) { return x.value > y.value ? x : y; }

#endif
