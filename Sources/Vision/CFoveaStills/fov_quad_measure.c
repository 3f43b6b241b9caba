// Fovea - what tells a thing of its own from a part of a pattern.
// SPDX-License-Identifier: Apache-2.0
#include "fov_quad_profiles.h"

typedef struct side_facts {
  float one_signed, sharp, inner_noise, outer_noise, goes_on;
} side_facts;

static float mean_of(const float *levels, int first, int last) {
  float sum = 0;
  for (int k = first; k <= last; k++) sum += levels[FOV_QUAD_REACH + k];
  return sum / (float)(last - first + 1);
}

// Whether the profile is steepest within a unit of its middle, among what is within three.
static bool is_sharp(const float *levels, float sign) {
  float middle = 0, around = 0;
  for (int k = -6; k <= 6; k++) {
    const float slope = sign * (levels[FOV_QUAD_REACH + k + 1] - levels[FOV_QUAD_REACH + k - 1]);
    if (k >= -2 && k <= 2) {
      middle = fov_most(middle, slope);
    } else {
      around = fov_most(around, slope);
    }
  }
  return middle >= around && middle > 1;
}

static float spread(float sum, float squares, int count) {
  const float mean = sum / (float)count;
  return sqrtf(fov_most(0, squares / (float)count - mean * mean));
}

// The share of places beyond a corner at which the picture changes as it does along the side.
static float beyond(const fov_still_image *picture, fov_point a, fov_point b, float unit,
                    float step, fov_quad_profiles *profiles) {
  const float length = fov_length(fov_minus(b, a));
  const float gap = 3 * unit / length;
  const float reach = fov_bounded(0.25f, 8 * unit / length, 1);
  int hits = 0, all = 0;
  for (int end = 0; end < 2; end++) {
    const float start = end == 0 ? -gap - reach : 1 + gap;
    fov_quad_sample(picture, a, b, start, start + reach, unit, false, profiles);
    for (int i = 0; i < profiles->count; i++) {
      const float *levels = profiles->levels[i];
      hits += fabsf(mean_of(levels, 2, 6) - mean_of(levels, -6, -2)) > 0.5f * step;
      all++;
    }
  }
  return (float)hits / (float)all;
}

static side_facts measure_side(const fov_still_image *picture, fov_point a, fov_point b,
                               float unit) {
  fov_quad_profiles profiles;
  fov_quad_sample(picture, a, b, 0.05f, 0.95f, unit, false, &profiles);
  const float sign = profiles.step < 0 ? -1.0f : 1.0f, step = fabsf(profiles.step);
  const float least = fov_most(3, 0.25f * step);
  const int n = profiles.count;
  int one_signed = 0, sharp = 0;
  float in = 0, in2 = 0, out = 0, out2 = 0;
  for (int i = 0; i < n; i++) {
    const float *levels = profiles.levels[i];
    const float inner = mean_of(levels, 2, 7), outer = mean_of(levels, -7, -2);
    one_signed += sign * (inner - outer) > least;
    sharp += is_sharp(levels, sign);
    in += inner;
    in2 += inner * inner;
    out += outer;
    out2 += outer * outer;
  }
  side_facts facts = {.one_signed = (float)one_signed / (float)n,
                      .sharp = (float)sharp / (float)n,
                      .inner_noise = spread(in, in2, n) / (step + 2),
                      .outer_noise = spread(out, out2, n) / (step + 2)};
  facts.goes_on = beyond(picture, a, b, unit, fov_most(step, 4), &profiles);
  return facts;
}

void fov_quad_measure(const fov_quad_finder *f, const fov_still_image *picture,
                      fov_quad_candidate *candidate) {
  const fov_point *q = candidate->corners;
  const float unit = fov_most(1, 0.5f * (float)f->factor);
  side_facts sum = {0, 0, 0, 0, 0};
  float least_signed = 1, least_sharp = 1;
  for (int i = 0; i < 4; i++) {
    const side_facts side = measure_side(picture, q[i], q[(i + 1) % 4], unit);
    sum.one_signed += side.one_signed / 4;
    sum.sharp += side.sharp / 4;
    sum.inner_noise += fov_least(side.inner_noise, 2) / 4;
    sum.outer_noise += fov_least(side.outer_noise, 2) / 4;
    sum.goes_on += side.goes_on / 4;
    least_signed = fov_least(least_signed, side.one_signed);
    least_sharp = fov_least(least_sharp, side.sharp);
  }
  const float shorter = (float)(f->width < f->height ? f->width : f->height);
  float *features = candidate->features;
  features[fov_quad_one_signed] = sum.one_signed;
  features[fov_quad_least_signed] = least_signed;
  features[fov_quad_sharp] = sum.sharp;
  features[fov_quad_least_sharp] = least_sharp;
  features[fov_quad_goes_on] = sum.goes_on;
  features[fov_quad_inner_noise] = sum.inner_noise;
  features[fov_quad_outer_noise] = sum.outer_noise;
  features[fov_quad_size] = fov_least(1, sqrtf(fov_quad_area(q)) / shorter);
}
