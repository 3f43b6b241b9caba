// Fovea - random numbers, guarded memory and tolerances of the float checks.
// SPDX-License-Identifier: Apache-2.0
#include "check_float_data.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/int8/fov_int8_kernels.h"

uint64_t check_random(uint64_t *state) {
  uint64_t z = *state += 0x9E3779B97F4A7C15u;
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
  return z ^ (z >> 31);
}

size_t check_random_size(uint64_t *state, size_t lowest, size_t highest) {
  return lowest + (size_t)(check_random(state) % (highest - lowest + 1));
}

size_t check_random_choice(uint64_t *state, const size_t *choices, size_t count) {
  return choices[check_random(state) % count];
}

float check_random_float(uint64_t *state, bool whole) {
  const uint64_t bits = check_random(state);
  if (whole) return (float)(bits % 9) - 4.0f;
  return (float)(bits >> 40) * 0x1p-23f - 1.0f;
}

float *check_floats_zero(size_t count) {
  float *memory = calloc(count > 0 ? count : 1, sizeof(float));
  if (memory == NULL) abort();
  return memory;
}

float *check_floats_random(uint64_t *state, size_t count, bool whole) {
  float *memory = check_floats_zero(count);
  for (size_t i = 0; i < count; i++) memory[i] = check_random_float(state, whole);
  return memory;
}

// A NaN with a payload.
static const uint32_t check_guard_bits = 0x7FC0FEEDu;

float *check_floats_guarded(size_t count) {
  float *memory = check_floats_zero(count);
  for (size_t i = 0; i < count; i++) memcpy(&memory[i], &check_guard_bits, sizeof check_guard_bits);
  return memory;
}

bool check_is_guard(float value) {
  return memcmp(&value, &check_guard_bits, sizeof check_guard_bits) == 0;
}

check_epilogue check_epilogue_random(uint64_t *state, bool whole, size_t channels, size_t rows,
                                     size_t columns, bool residual_allowed) {
  // Powers of two keep integers exact.
  static const float slopes[2][4] = {{1, 0, 0.1f, 0.3f}, {1, 0, 0.125f, 0.5f}};
  const size_t padded = (channels + FOV_PANEL - 1) / FOV_PANEL * FOV_PANEL;
  check_epilogue made = {.bias = check_floats_random(state, padded, whole)};
  made.epilogue = (fov_float_epilogue){
      .bias = made.bias,
      .slope = slopes[whole][check_random(state) % 4],
      .lowest = check_random(state) % 2 ? -INFINITY : -(float)check_random_size(state, 0, 3),
      .highest = check_random(state) % 2 ? INFINITY : (float)check_random_size(state, 1, 6),
  };
  if (residual_allowed && check_random(state) % 2) {
    const size_t pixel = channels + check_random_size(state, 0, 3);
    const size_t row = pixel * (columns + check_random_size(state, 0, 2));
    // Ends with the last element of the last pixel.
    const size_t count = (rows - 1) * row + (columns - 1) * pixel + channels;
    made.residual = check_floats_random(state, count, whole);
    made.epilogue.residual = made.residual;
    made.epilogue.residual_row = (ptrdiff_t)row;
    made.epilogue.residual_pixel = (ptrdiff_t)pixel;
  }
  return made;
}

void check_epilogue_free(check_epilogue *epilogue) {
  free(epilogue->bias);
  free(epilogue->residual);
}

double check_epilogue_apply(const fov_float_epilogue *epilogue, double sum, size_t row,
                            size_t column, size_t channel) {
  if (epilogue->slope != 1) sum = fmax(sum, sum * (double)epilogue->slope);
  if (epilogue->residual != NULL)
    sum += (double)epilogue->residual[row * (size_t)epilogue->residual_row +
                                      column * (size_t)epilogue->residual_pixel + channel];
  return fmin(fmax(sum, (double)epilogue->lowest), (double)epilogue->highest);
}

double check_tolerance(size_t terms, double magnitude, bool whole) {
  if (whole) return 0;
  return (12 * sqrt((double)terms / 3) + 8) * 0x1p-24 * (magnitude + 1);
}
