// Fovea - looking for the object in windows of a picture.
// SPDX-License-Identifier: Apache-2.0
#include "fov_exact_functions.h"
#include "fov_follower.h"

static const float far_off = 0.12f;   // over the window's side: look again there
static const float ring_step = 1.8f;  // between searched windows, over the object's size
static const size_t rings_max = 4;

fov_follow_box fov_follower_window(const fov_follower *f, float x, float y) {
  const float side = f->window * sqrtf(f->first_width * f->first_height);
  const float width = side * f->pose.across, height = side * f->pose.down;
  return (fov_follow_box){x - width / 2, y - height / 2, width, height};
}

void fov_follower_see(fov_follower *f, const fov_picture *picture, float x, float y) {
  const fov_follow_box window = fov_follower_window(f, x, y);
  f->kernels->features(&f->features, picture, &window, f->cells, f->groups, f->map);
  f->kernels->taper(f->cells, f->groups, f->taper, f->map);
  f->seen_x = x;
  f->seen_y = y;
}

fov_view fov_follower_view(const fov_follower *f) {
  const fov_follow_box window = fov_follower_window(f, f->seen_x, f->seen_y);
  const size_t side = f->cells * FOV_CELL;
  return (fov_view){.pixels = f->features.pixels,
                    .width = side,
                    .height = side,
                    .left = window.left,
                    .top = window.top,
                    .across = window.width / (float)side,
                    .down = window.height / (float)side};
}

// MARK: The response

// Where a parabola through three values is largest, from the middle one.
static float parabola(float before, float middle, float after) {
  const float bend = before - 2 * middle + after;
  return bend < -1e-12f ? fov_clamp(0.5f * (before - after) / bend, -0.5f, 0.5f) : 0;
}

// How far the peak stands out: in standard deviations of the response outside of its surroundings.
static float stands_out(const float *response, size_t n, size_t x, size_t y) {
  const size_t near = n / 12;
  double sum = 0, squares = 0;
  size_t count = 0;
  for (size_t j = 0; j < n; j++) {
    const size_t dy = (j + n - y) % n;
    const bool row_near = dy <= near || n - dy <= near;
    for (size_t i = 0; i < n; i++) {
      const size_t dx = (i + n - x) % n;
      if (row_near && (dx <= near || n - dx <= near)) continue;
      const double r = (double)response[j * n + i];
      sum += r;
      squares += r * r;
      count++;
    }
  }
  const double mean = sum / (double)count, variance = squares / (double)count - mean * mean;
  const float spread = sqrtf(variance > 1e-12 ? (float)variance : 1e-12f);
  return (response[y * n + x] - (float)mean) / spread;
}

static void find_peak(fov_follower *f, fov_finding *found) {
  const size_t n = f->cells;
  const float *r = f->response;
  size_t best = 0;
  for (size_t i = 1; i < n * n; i++) {
    if (r[i] > r[best]) best = i;
  }
  const size_t x = best % n, y = best / n;
  const float dx = parabola(r[y * n + (x + n - 1) % n], r[best], r[y * n + (x + 1) % n]);
  const float dy = parabola(r[(y + n - 1) % n * n + x], r[best], r[(y + 1) % n * n + x]);
  const float across = (x < n / 2 ? (float)x : (float)x - (float)n) + dx;
  const float down = (y < n / 2 ? (float)y : (float)y - (float)n) + dy;
  found->peak_x = found->window_x + across * found->window_width / (float)n;
  found->peak_y = found->window_y + down * found->window_height / (float)n;
  const float height = r[best] > 0 ? r[best] : 0;
  found->raw_response = height * stands_out(r, n, x, y);
  if (f->usual_response > 0) {
    found->response = found->raw_response / f->usual_response;
  } else {
    found->response = found->raw_response > 0 ? 1 : 0;  // of a flat picture: nothing is seen
  }
}

static void look_once(fov_follower *f, const fov_picture *picture, float x, float y,
                      fov_finding *found) {
  fov_follower_see(f, picture, x, y);
  f->kernels->filter_respond(&f->filter, f->map, f->response);
  const fov_follow_box window = fov_follower_window(f, x, y);
  found->window_x = x;
  found->window_y = y;
  found->window_width = window.width;
  found->window_height = window.height;
  find_peak(f, found);
  found->pose = f->pose;
  found->pose.x = found->peak_x;
  found->pose.y = found->peak_y;
  const fov_view view = fov_follower_view(f);
  found->raw_likeness = f->kernels->align_fit(&f->align, &view, &found->pose);
  found->likeness = found->raw_likeness / f->usual_likeness;
}

size_t fov_follower_look(fov_follower *f, const fov_picture *picture, float x, float y,
                         fov_finding *out_finding) {
  look_once(f, picture, x, y, out_finding);
  const fov_finding *o = out_finding;
  const float dx = fabsf(o->peak_x - x), dy = fabsf(o->peak_y - y);
  if (dx <= far_off * o->window_width && dy <= far_off * o->window_height) return 1;
  look_once(f, picture, out_finding->peak_x, out_finding->peak_y, out_finding);
  return 2;
}

// MARK: Searching

// Place `index` of a spiral around (0, 0): 1 to 8 form the first ring, and so on.
static void spiral(size_t index, int *out_x, int *out_y) {
  int ring = 0, first = 0;
  while ((size_t)((2 * ring + 1) * (2 * ring + 1)) <= index) {
    first = (2 * ring + 1) * (2 * ring + 1);
    ring++;
  }
  const int place = (int)index - first, side = ring > 0 ? place / (2 * ring) : 0;
  const int along = ring > 0 ? place % (2 * ring) - ring + 1 : 0;
  *out_x = side == 0 ? ring : side == 1 ? -along : side == 2 ? -ring : along;
  *out_y = side == 0 ? along : side == 1 ? ring : side == 2 ? -along : -ring;
}

bool fov_follower_next_place(fov_follower *f, float *out_x, float *out_y) {
  size_t rings = 1 + f->unsure_pictures / 3;
  rings = rings < rings_max ? rings : rings_max;
  const size_t places = (2 * rings + 1) * (2 * rings + 1);
  const float side = sqrtf(f->first_width * f->first_height) * ring_step;
  for (size_t turn = 0; turn < places; turn++) {
    f->ring_place = f->ring_place + 1 < places ? f->ring_place + 1 : 1;
    int column, row;
    spiral(f->ring_place, &column, &row);
    *out_x = f->pose.x + (float)column * side * f->pose.across;
    *out_y = f->pose.y + (float)row * side * f->pose.down;
    if (*out_x >= 0 && *out_y >= 0 && *out_x <= (float)f->width && *out_y <= (float)f->height) {
      return true;
    }
  }
  return false;
}

// MARK: Learning

void fov_follower_learn(fov_follower *f, const fov_picture *picture, const fov_finding *finding) {
  static const float shift_max = 0.08f;  // over the window's side: farther, the taper matters
  if (finding && f->seen_x == finding->window_x && f->seen_y == finding->window_y) {
    const float across = (f->pose.x - f->seen_x) / finding->window_width;
    const float down = (f->pose.y - f->seen_y) / finding->window_height;
    if (fabsf(across) < shift_max && fabsf(down) < shift_max) {
      f->kernels->filter_learn_seen(&f->filter, across * (float)f->cells, down * (float)f->cells);
      return;
    }
  }
  fov_follower_see(f, picture, f->pose.x, f->pose.y);
  f->kernels->filter_learn(&f->filter, f->map);
}
