// Fovea - fitting a remembered view of the object: place, width, height and angle.
// SPDX-License-Identifier: Apache-2.0
//
// Inverse compositional alignment (Baker and Matthews 2004): slopes of the remembered view tell
// which change of the pose explains the difference to what is seen. Points that differ by far more
// than most count little, so that a partly hidden object still fits. Where the fit is poor, as for
// people who walk, expectations hold the pose: sizes change slowly, the shape more slowly than the
// size, and shape and angle return to what they were at first.
#include "fov_align.h"

#include <string.h>

#include "fov_exact_functions.h"

enum { along_x, along_y, log_across, log_down, turning, unknowns };

static const float grid_side = 24;  // points along a square object's side
static const size_t turns = 5;
static const float learning_rate = 0.05f;
static const float points_a_fact = 8;  // neighboring points say nearly the same
// Standard deviations of what a picture changes, and of what a shape and an angle become.
static const float place_spread = 0.05f;  // over the object's size
static const float size_spread = 0.03f, shape_spread = 0.03f, angle_spread = 0.04f;
static const float shape_range = 0.3f, angle_range = 0.4f;

// MARK: Views

void fov_align_begin(fov_align *a, float width, float height) {
  memset(a, 0, sizeof *a);
  const float ratio = sqrtf(fov_clamp(width / height, 0.25f, 4));
  a->columns = (size_t)fov_clamp(grid_side * ratio + 0.5f, 8, FOV_ALIGN_SIDE);
  a->rows = (size_t)fov_clamp(grid_side / ratio + 0.5f, 8, FOV_ALIGN_SIDE);
  a->step_x = width / (float)a->columns;
  a->step_y = height / (float)a->rows;
  a->place_spread = place_spread * sqrtf(width * height);
  for (size_t j = 0; j < a->rows; j++) {
    for (size_t i = 0; i < a->columns; i++) {
      const float u = ((float)i + 0.5f) * 2 / (float)a->columns - 1;
      const float v = ((float)j + 0.5f) * 2 / (float)a->rows - 1;
      a->taper[j * a->columns + i] = fov_clamp((1.15f - (u * u + v * v)) * 2.5f, 0, 1);
    }
  }
}

// Reads the view at the points of the pose.
static void look(fov_align *a, const fov_view *view, const fov_pose *p) {
  float s, c;
  fov_sine_cosine(p->angle, &s, &c);
  const float xx = c * p->across * a->step_x / view->across;
  const float xy = -s * p->down * a->step_y / view->across;
  const float yx = s * p->across * a->step_x / view->down;
  const float yy = c * p->down * a->step_y / view->down;
  const float x0 = (p->x - view->left) / view->across - 0.5f;
  const float y0 = (p->y - view->top) / view->down - 0.5f;
  const float right = (float)view->width - 1.01f, bottom = (float)view->height - 1.01f;
  for (size_t j = 0; j < a->rows; j++) {
    const float v = (float)j + 0.5f - 0.5f * (float)a->rows;
    for (size_t i = 0; i < a->columns; i++) {
      const float u = (float)i + 0.5f - 0.5f * (float)a->columns;
      const float x = fov_clamp(x0 + xx * u + xy * v, 0, right);
      const float y = fov_clamp(y0 + yx * u + yy * v, 0, bottom);
      const size_t column = (size_t)x, row = (size_t)y;
      const float *upper = view->pixels + row * view->width + column;
      const float *lower = upper + view->width;
      const float part = x - (float)column;
      const float above = upper[0] + (upper[1] - upper[0]) * part;
      const float below = lower[0] + (lower[1] - lower[0]) * part;
      a->seen[j * a->columns + i] = above + (below - above) * (y - (float)row);
    }
  }
}

// Brings what is seen to mean 0 and variance 1. Views of less contrast than noise stay small.
static void normalize(fov_align *a) {
  const size_t count = a->columns * a->rows;
  float sum = 0, mass = 0, square = 0;
  for (size_t i = 0; i < count; i++) {
    sum += a->taper[i] * a->seen[i];
    mass += a->taper[i];
  }
  const float mean = sum / mass;
  for (size_t i = 0; i < count; i++) {
    a->seen[i] -= mean;
    square += a->taper[i] * (a->seen[i] * a->seen[i]);
  }
  const float scale = 1 / sqrtf(square / mass + 4);
  for (size_t i = 0; i < count; i++) a->seen[i] *= scale;
}

static void find_slopes(fov_align *a) {
  const size_t w = a->columns, h = a->rows;
  for (size_t j = 0; j < h; j++) {
    for (size_t i = 0; i < w; i++) {
      const size_t left = i > 0 ? i - 1 : 0, right = i + 1 < w ? i + 1 : i;
      const size_t above = j > 0 ? j - 1 : 0, below = j + 1 < h ? j + 1 : j;
      const float *r = a->remembered;
      a->slope_x[j * w + i] =
          (r[j * w + right] - r[j * w + left]) / ((float)(right - left) * a->step_x);
      a->slope_y[j * w + i] =
          (r[below * w + i] - r[above * w + i]) / ((float)(below - above) * a->step_y);
    }
  }
}

void fov_align_learn(fov_align *a, const fov_view *view, const fov_pose *pose) {
  look(a, view, pose);
  normalize(a);
  const float rate = a->learned ? learning_rate : 1;
  for (size_t i = 0; i < a->columns * a->rows; i++) {
    a->remembered[i] += (a->seen[i] - a->remembered[i]) * rate;
  }
  a->learned = true;
  find_slopes(a);
}

static float correlation(const fov_align *a) {
  float both = 0, seen = 1e-6f, remembered = 1e-6f;
  for (size_t i = 0; i < a->columns * a->rows; i++) {
    both += a->taper[i] * (a->seen[i] * a->remembered[i]);
    seen += a->taper[i] * (a->seen[i] * a->seen[i]);
    remembered += a->taper[i] * (a->remembered[i] * a->remembered[i]);
  }
  return both / sqrtf(seen * remembered);
}

// MARK: Fitting

// matrix * change = right
typedef struct equations {
  float matrix[unknowns][unknowns], right[unknowns];
} equations;

static float usual_difference(const fov_align *a) {
  float sum = 0, mass = 0;
  for (size_t i = 0; i < a->columns * a->rows; i++) {
    sum += a->taper[i] * fabsf(a->seen[i] - a->remembered[i]);
    mass += a->taper[i];
  }
  return sum / mass * 1.25f + 0.02f;  // the standard deviation of a normal distribution
}

static void add_points(const fov_align *a, float usual, float stretch, equations *e) {
  for (size_t j = 0; j < a->rows; j++) {
    const float v = ((float)j + 0.5f - 0.5f * (float)a->rows) * a->step_y;
    for (size_t i = 0; i < a->columns; i++) {
      const size_t k = j * a->columns + i;
      if (a->taper[k] == 0) continue;
      const float u = ((float)i + 0.5f - 0.5f * (float)a->columns) * a->step_x;
      const float difference = a->seen[k] - a->remembered[k];
      const float strange = difference / (3 * usual), q = 1 + strange * strange;
      const float weight = a->taper[k] / (q * q);
      const float x = a->slope_x[k], y = a->slope_y[k];
      const float slope[unknowns] = {x, y, x * u, y * v, y * u / stretch - x * v * stretch};
      for (size_t r = 0; r < unknowns; r++) {
        const float part = weight * slope[r];
        e->right[r] += part * difference;
        for (size_t c = r; c < unknowns; c++) e->matrix[r][c] += part * slope[c];
      }
    }
  }
  for (size_t r = 0; r < unknowns; r++) {
    for (size_t c = 0; c < r; c++) e->matrix[r][c] = e->matrix[c][r];
  }
}

// Expects that unknown i changes the pose by `change`, give or take `spread`.
static void expect(equations *e, size_t i, float change, float noise, float spread) {
  const float weight = noise / (spread * spread);
  e->matrix[i][i] += weight;
  e->right[i] -= weight * change;
}

static void add_expectations(const fov_align *a, float usual, const fov_pose *start,
                             const fov_pose *now, float s, float c, equations *e) {
  const float noise = usual * usual * points_a_fact;
  const float x = start->x - now->x, y = start->y - now->y;
  expect(e, along_x, (c * x + s * y) / now->across, noise, a->place_spread);
  expect(e, along_y, (c * y - s * x) / now->down, noise, a->place_spread);
  expect(e, log_across, fov_log(start->across / now->across), noise, size_spread);
  expect(e, log_down, fov_log(start->down / now->down), noise, size_spread);
  expect(e, turning, start->angle - now->angle, noise, angle_spread);
  expect(e, turning, -now->angle, noise, angle_range);
  // The logarithm of across / down is one fact on two unknowns.
  const float shape = fov_log(now->across / now->down);
  const float before = fov_log(start->across / start->down);
  const float near = noise / (shape_spread * shape_spread);
  const float far = noise / (shape_range * shape_range);
  const float pull = near * (before - shape) - far * shape;
  e->matrix[log_across][log_across] += near + far;
  e->matrix[log_down][log_down] += near + far;
  e->matrix[log_across][log_down] -= near + far;
  e->matrix[log_down][log_across] -= near + far;
  e->right[log_across] -= pull;
  e->right[log_down] += pull;
}

// Leaves the solution in `right`. false if there is none.
static bool solve(equations *e) {
  for (size_t k = 0; k < unknowns; k++) {
    if (!(e->matrix[k][k] > 1e-12f)) return false;
    for (size_t i = k + 1; i < unknowns; i++) {
      const float share = e->matrix[i][k] / e->matrix[k][k];
      for (size_t j = k; j < unknowns; j++) e->matrix[i][j] -= share * e->matrix[k][j];
      e->right[i] -= share * e->right[k];
    }
  }
  for (size_t k = unknowns; k-- > 0;) {
    for (size_t j = k + 1; j < unknowns; j++) e->right[k] -= e->matrix[k][j] * e->right[j];
    e->right[k] /= e->matrix[k][k];
  }
  return true;
}

// The view was moved by the solution against what is remembered: the pose goes back by it.
static void move_back(fov_pose *p, const float *change, float s, float c) {
  const float x = -change[along_x] * p->across, y = -change[along_y] * p->down;
  p->x += c * x - s * y;
  p->y += s * x + c * y;
  p->across *= fov_exp(fov_clamp(-change[log_across], -0.1f, 0.1f));
  p->down *= fov_exp(fov_clamp(-change[log_down], -0.1f, 0.1f));
  p->angle -= fov_clamp(change[turning], -0.1f, 0.1f);
}

float fov_align_fit(fov_align *a, const fov_view *view, fov_pose *pose) {
  const fov_pose start = *pose;
  fov_pose now = start;
  float best = -2;
  for (size_t turn = 0;; turn++) {
    look(a, view, &now);
    normalize(a);
    const float likeness = correlation(a);
    if (likeness > best) {
      best = likeness;
      *pose = now;
    }
    if (turn == turns) return best;
    float s, c;
    fov_sine_cosine(now.angle, &s, &c);
    equations e = {0};
    const float usual = usual_difference(a);
    add_points(a, usual, now.down / now.across, &e);
    add_expectations(a, usual, &start, &now, s, c, &e);
    if (!solve(&e)) return best;
    move_back(&now, e.right, s, c);
  }
}
