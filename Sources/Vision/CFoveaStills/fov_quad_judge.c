// Fovea - how likely quadrilaterals are things of their own.
// SPDX-License-Identifier: Apache-2.0
#include "fov_quad_parts.h"

// The weights of both sums are a logistic regression: whether candidates in 480 drawn pictures of
// sheets, cards and boxes, on plain and on patterned ground, were such things. First each is judged
// alone, then among the others. The last sum is moved so that a confidence of 0.5 finds nearly all
// of them, with a share of wrong ones of about a quarter.

static const float alone[FOV_QUAD_FEATURES] = {
    [fov_quad_one_signed] = 16.5f,  [fov_quad_least_signed] = -1.64f,
    [fov_quad_sharp] = 3.82f,       [fov_quad_least_sharp] = -0.42f,
    [fov_quad_goes_on] = -9.52f,    [fov_quad_inner_noise] = -3.24f,
    [fov_quad_outer_noise] = 5.83f, [fov_quad_size] = 3.69f,
};
static const float alone_bias = -18.21f;

// What the others say of one.
typedef struct relations {
  float within;   // how much of it lies in a larger one that is likely
  float holds;    // how much of a smaller one it holds that is likely
  float rival;    // how likely one is that is nearly the same
  float crosses;  // how likely one is that overlaps it in part
} relations;

static relations relate(const fov_quad_finder *f, int index, int count) {
  relations result = {0, 0, 0, 0};
  const fov_point *own = f->fitted[index].corners;
  const float area = fov_quad_area(own);
  for (int i = 0; i < count; i++) {
    if (i == index) continue;
    const float other = fov_quad_area(f->fitted[i].corners), likely = f->likely[i];
    const float common = fov_quad_common_area(own, f->fitted[i].corners);
    if (other > 1.2f * area) result.within = fov_most(result.within, common / area * likely);
    if (area > 1.2f * other) result.holds = fov_most(result.holds, common / other * likely);
    if (common > 0.3f * (area + other - common)) result.rival = fov_most(result.rival, likely);
    const float share = common / fov_least(area, other);
    if (share > 0.1f && share < 0.9f) result.crosses = fov_most(result.crosses, likely);
  }
  return result;
}

void fov_quad_judge(fov_quad_finder *f, int count) {
  for (int i = 0; i < count; i++) {
    float sum = alone_bias;
    for (int k = 0; k < FOV_QUAD_FEATURES; k++) sum += alone[k] * f->fitted[i].features[k];
    f->fitted[i].score = sum;
    f->likely[i] = fov_logistic(sum);
  }
  for (int i = 0; i < count; i++) {
    const relations r = relate(f, i, count);
    const float sum = 2.67f + 1.03f * f->fitted[i].score - 4.02f * r.within - 3.65f * r.holds +
                      3.39f * r.rival - 2.11f * r.crosses;
    f->fitted[i].score = fov_logistic(sum);
  }
}
