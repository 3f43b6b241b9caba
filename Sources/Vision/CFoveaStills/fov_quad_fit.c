// Fovea - moving the sides of a quadrilateral to where the picture changes most.
// SPDX-License-Identifier: Apache-2.0
#include "fov_quad_profiles.h"

#define ROUNDS 6
#define CENTERED 3  // samples to both sides of the steepest slope

// The line offset = slope * place + shift, in pixels inward.
typedef struct fitted_line {
  float slope, shift;
} fitted_line;

// MARK: Peaks

// Slopes of a smoothed profile; without a sign where `signless`.
static void find_slopes(const float levels[FOV_QUAD_ACROSS], bool signless,
                        float out[FOV_QUAD_ACROSS]) {
  float once[FOV_QUAD_ACROSS], twice[FOV_QUAD_ACROSS];
  const int last = FOV_QUAD_ACROSS - 1;
  for (int k = 0; k <= last; k++) {
    once[k] = levels[k > 0 ? k - 1 : 0] + 2 * levels[k] + levels[k < last ? k + 1 : last];
  }
  for (int k = 0; k <= last; k++) {
    twice[k] = once[k > 0 ? k - 1 : 0] + 2 * once[k] + once[k < last ? k + 1 : last];
  }
  out[0] = out[last] = 0;
  for (int k = 1; k < last; k++) {
    const float slope = (twice[k + 1] - twice[k - 1]) / 16;
    out[k] = signless ? fabsf(slope) : slope;
  }
}

// The offset of the steepest slope, in samples from the side: the center of the slopes around it.
// Near ones count more.
static float steepest(const float slopes[FOV_QUAD_ACROSS], float *out_height) {
  int best = CENTERED;
  float highest = -1e9f;
  for (int k = CENTERED; k < FOV_QUAD_ACROSS - CENTERED; k++) {
    const float away = (float)(k - FOV_QUAD_REACH) * 0.1f;
    const float weighted = slopes[k] / (1 + away * away);
    if (weighted > highest) {
      highest = weighted;
      best = k;
    }
  }
  *out_height = slopes[best];
  float sum = 0, moment = 0;
  for (int k = -CENTERED; k <= CENTERED; k++) {
    const float slope = fov_most(0, slopes[best + k]);
    sum += slope;
    moment += slope * (float)k;
  }
  return (float)(best - FOV_QUAD_REACH) + (sum > 0 ? moment / sum : 0);
}

// The value that would lie in the middle if they were sorted (Hoare's selection); moves them.
static float median(float *values, int count) {
  const int middle = count / 2;
  int first = 0, last = count - 1;
  while (first < last) {
    const float pivot = values[middle];
    int i = first, k = last;
    while (i <= k) {
      while (values[i] < pivot) i++;
      while (values[k] > pivot) k--;
      if (i > k) break;
      const float moved = values[i];
      values[i++] = values[k];
      values[k--] = moved;
    }
    if (k < middle) first = i;
    if (middle < i) last = k;
  }
  return values[middle];
}

// MARK: Lines

// Least squares of offsets over places, reweighted so that far ones hardly count.
static bool fit_line(const float *places, const float *offsets, int count, float unit,
                     fitted_line *out) {
  if (count < 6) return false;
  float weights[FOV_QUAD_SAMPLES], sizes[FOV_QUAD_SAMPLES];
  // Begins at the middle offset: a line through outliers is hard to leave.
  for (int i = 0; i < count; i++) sizes[i] = offsets[i];
  *out = (fitted_line){0, median(sizes, count)};
  for (int round = 0; round < ROUNDS; round++) {
    for (int i = 0; i < count; i++)
      sizes[i] = fabsf(offsets[i] - out->slope * places[i] - out->shift);
    const float scale = fov_most(0.2f * unit, 1.48f * median(sizes, count));
    float n = 0, sx = 0, sy = 0, sxx = 0, sxy = 0;
    for (int i = 0; i < count; i++) {
      const float far = (offsets[i] - out->slope * places[i] - out->shift) / (2 * scale);
      weights[i] = 1 / (1 + far * far);
      weights[i] *= weights[i];
      n += weights[i];
      sx += weights[i] * places[i];
      sy += weights[i] * offsets[i];
    }
    const float mx = sx / n, my = sy / n;
    for (int i = 0; i < count; i++) {
      sxx += weights[i] * (places[i] - mx) * (places[i] - mx);
      sxy += weights[i] * (places[i] - mx) * (offsets[i] - my);
    }
    if (!(sxx > 1e-3f)) return false;
    out->slope = sxy / sxx;
    out->shift = my - out->slope * mx;
  }
  return true;
}

static bool fit_side(const fov_still_image *picture, fov_point a, fov_point b, float unit,
                     fov_quad_profiles *profiles, fitted_line *out) {
  fov_quad_sample(picture, a, b, 0.06f, 0.94f, unit, true, profiles);
  const bool signless = profiles->signs < 0.3f;
  float offsets[FOV_QUAD_SAMPLES], heights[FOV_QUAD_SAMPLES], sorted[FOV_QUAD_SAMPLES];
  for (int i = 0; i < profiles->count; i++) {
    float slopes[FOV_QUAD_ACROSS];
    find_slopes(profiles->levels[i], signless, slopes);
    offsets[i] = steepest(slopes, &heights[i]) * 0.5f * unit;
    sorted[i] = heights[i];
  }
  const float least = fov_most(0.5f, 0.25f * median(sorted, profiles->count));
  int count = 0;
  float places[FOV_QUAD_SAMPLES];
  for (int i = 0; i < profiles->count; i++) {
    if (heights[i] <= least) continue;
    places[count] = profiles->places[i];
    offsets[count++] = offsets[i];
  }
  return fit_line(places, offsets, count, unit, out);
}

bool fov_quad_fit(const fov_still_image *picture, float unit, fov_point corners[4]) {
  fov_quad_profiles profiles;
  fov_point from[4], along[4];
  for (int i = 0; i < 4; i++) {
    fitted_line line = {0, 0};
    const fov_point a = corners[i], b = corners[(i + 1) % 4];
    // A side without peaks stays where it is.
    if (!fit_side(picture, a, b, unit, &profiles, &line)) line = (fitted_line){0, 0};
    const float begin = line.shift, end = line.shift + line.slope * profiles.length;
    const fov_point n = profiles.inward;
    from[i] = (fov_point){a.x + begin * n.x, a.y + begin * n.y};
    along[i] = fov_minus((fov_point){b.x + end * n.x, b.y + end * n.y}, from[i]);
  }
  fov_point moved[4];
  for (int i = 0; i < 4; i++) {
    const int before = (i + 3) % 4;
    const float sine = fov_cross(along[before], along[i]);
    const float lengths = fov_length(along[before]) * fov_length(along[i]);
    if (!(fabsf(sine) > 0.2f * lengths)) return false;
    const float t = fov_cross(fov_minus(from[i], from[before]), along[i]) / sine;
    moved[i] = fov_between(
        from[before],
        (fov_point){from[before].x + along[before].x, from[before].y + along[before].y}, t);
    if (!(fov_length(fov_minus(moved[i], corners[i])) < 18 * unit)) return false;
  }
  for (int i = 0; i < 4; i++) corners[i] = moved[i];
  return true;
}
