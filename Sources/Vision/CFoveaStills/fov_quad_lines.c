// Fovea - straight lines that many edges lie on.
// SPDX-License-Identifier: Apache-2.0
#include <string.h>

#include "fov_quad_parts.h"

#define REACH 3    // degrees to both sides for which an edge votes
#define MISS 1.0f  // what a step without an edge costs
#define NO_EDGE 127
#define STRAY 0.4f  // the tangent of the angle between a line and an edge on it

typedef struct peak {
  int votes, angle, distance;
} peak;

// MARK: Votes

static void vote(fov_quad_finder *f, const fov_quad_layer *layer) {
  const int columns = f->columns, distances = f->distances;
  memset(f->votes, 0, sizeof(uint16_t) * (size_t)distances * FOV_QUAD_ANGLES);
  const float middle = (float)(distances / 2) + 0.5f;
  const float left = (float)columns * 0.5f - 0.5f, top = (float)f->rows * 0.5f - 0.5f;
  for (int y = 0; y < f->rows; y++) {
    for (int x = 0; x < columns; x++) {
      const size_t at = (size_t)y * (size_t)columns + (size_t)x;
      if (!(f->edges[at] & layer->mark)) continue;
      const int angle = fov_quad_angle(f, layer->dx[at], layer->dy[at]);
      for (int k = -REACH; k <= REACH; k++) {
        const int a = (angle + k + FOV_QUAD_ANGLES) % FOV_QUAD_ANGLES;
        const float distance = ((float)x - left) * f->cosines[a] + ((float)y - top) * f->sines[a];
        f->votes[(size_t)a * (size_t)distances + (size_t)(distance + middle)]++;
      }
    }
  }
}

// Votes with those of both neighbors; beyond half a turn distances change their sign.
static int votes_at(const fov_quad_finder *f, int angle, int distance) {
  if (angle < 0 || angle >= FOV_QUAD_ANGLES) {
    angle = (angle + FOV_QUAD_ANGLES) % FOV_QUAD_ANGLES;
    distance = f->distances / 2 * 2 - distance;
  }
  if (distance < 1 || distance + 1 >= f->distances) return 0;
  const uint16_t *v = f->votes + (size_t)angle * (size_t)f->distances + distance;
  return v[-1] + 2 * v[0] + v[1];
}

static bool is_peak(const fov_quad_finder *f, int angle, int distance, int votes) {
  for (int i = -2; i <= 2; i++) {
    for (int j = -2; j <= 2; j++) {
      const int other = votes_at(f, angle + i, distance + j);
      if (other > votes || (other == votes && (i < 0 || (i == 0 && j < 0)))) return false;
    }
  }
  return true;
}

// Keeps the peaks with the most votes, in a heap whose root has the fewest.
static void keep(peak *heap, int *count, peak next) {
  int i;
  if (*count < FOV_QUAD_PEAKS) {
    i = (*count)++;
    for (; i > 0 && heap[(i - 1) / 2].votes > next.votes; i = (i - 1) / 2) {
      heap[i] = heap[(i - 1) / 2];
    }
    heap[i] = next;
    return;
  }
  if (next.votes <= heap[0].votes) return;
  for (i = 0;;) {
    int child = 2 * i + 1;
    if (child >= *count) break;
    if (child + 1 < *count && heap[child + 1].votes < heap[child].votes) child++;
    if (heap[child].votes >= next.votes) break;
    heap[i] = heap[child];
    i = child;
  }
  heap[i] = next;
}

static int find_peaks(const fov_quad_finder *f, peak *heap) {
  const int shorter = f->columns < f->rows ? f->columns : f->rows;
  // Two pixels in a row of votes, of a line a twentieth as long as the picture.
  const int least = shorter / 20 * 2 + 8;
  int count = 0;
  for (int angle = 0; angle < FOV_QUAD_ANGLES; angle++) {
    for (int distance = 1; distance + 1 < f->distances; distance++) {
      const int votes = votes_at(f, angle, distance);
      if (votes < least || (count == FOV_QUAD_PEAKS && votes <= heap[0].votes)) continue;
      if (is_peak(f, angle, distance, votes)) keep(heap, &count, (peak){votes, angle, distance});
    }
  }
  return count;
}

// MARK: Walking along lines

// The part of a line through `point` that lies inside the planes. Returns false for none.
static bool clip(const fov_quad_finder *f, fov_point point, fov_point direction,
                 fov_quad_line *line) {
  float low = -1e6f, high = 1e6f;
  const float at[2] = {point.x, point.y}, step[2] = {direction.x, direction.y};
  const float most[2] = {(float)f->columns - 1, (float)f->rows - 1};
  for (int i = 0; i < 2; i++) {
    if (fabsf(step[i]) < 1e-6f) {
      if (at[i] < 0 || at[i] > most[i]) return false;
      continue;
    }
    const float a = (0 - at[i]) / step[i], b = (most[i] - at[i]) / step[i];
    low = fov_most(low, fov_least(a, b));
    high = fov_least(high, fov_most(a, b));
  }
  if (high - low < 2) return false;
  line->origin = (fov_point){point.x + low * direction.x, point.y + low * direction.y};
  line->direction = direction;
  line->length = (int)(high - low);
  return true;
}

// Looks for an edge across the line at step t, at most `reach` pixels away. Returns false for none.
static bool edge_at(const fov_quad_finder *f, const fov_quad_line *line, int t, int reach,
                    int *out_offset) {
  const fov_point d = line->direction;
  const float x = line->origin.x + (float)t * d.x, y = line->origin.y + (float)t * d.y;
  for (int k = 0; k <= 2 * reach; k++) {
    const int offset = k & 1 ? (k + 1) / 2 : -k / 2;
    const int column = (int)(x - (float)offset * d.y + 0.5f);
    const int row = (int)(y + (float)offset * d.x + 0.5f);
    if (column < 0 || row < 0 || column >= f->columns || row >= f->rows) continue;
    const size_t at = (size_t)row * (size_t)f->columns + (size_t)column;
    if (f->edges[at] == 0) continue;
    for (int i = 0; i < f->layer_count; i++) {
      const fov_quad_layer *layer = &f->layers[i];
      if (!(f->edges[at] & layer->mark)) continue;
      const float along = (float)layer->dx[at] * d.x + (float)layer->dy[at] * d.y;
      const float across = (float)layer->dy[at] * d.x - (float)layer->dx[at] * d.y;
      if (fabsf(along) > STRAY * fabsf(across)) continue;
      *out_offset = offset;
      return true;
    }
  }
  return false;
}

// Finds the interval of a line with the most edges, and moves the line to them.
static void straighten(fov_quad_finder *f, fov_quad_line *line, int reach) {
  float sum = 0, best = 0;
  int start = 0;
  line->first = line->last = 0;
  for (int t = 0; t <= line->length; t++) {
    int found = NO_EDGE;
    sum += edge_at(f, line, t, reach, &found) ? 1.0f : -MISS;
    f->offsets[t] = (int8_t)found;
    if (sum <= 0) {
      sum = 0;
      start = t + 1;
    } else if (sum > best) {
      best = sum;
      line->first = start;
      line->last = t;
    }
  }
  line->strength = best;
  // Least squares of offsets over steps, from the middle of the interval.
  const float middle = 0.5f * (float)(line->first + line->last);
  float n = 0, st = 0, so = 0, stt = 0, sto = 0;
  for (int t = line->first; t <= line->last; t++) {
    if (f->offsets[t] == NO_EDGE) continue;
    const float u = (float)t - middle, o = (float)f->offsets[t];
    n += 1;
    st += u;
    so += o;
    stt += u * u;
    sto += u * o;
  }
  const float divisor = n * stt - st * st;
  if (n < 6 || divisor < 1) return;
  const float slope = (n * sto - st * so) / divisor, offset = (so - slope * st) / n;
  const fov_point d = line->direction;
  const fov_point point = {line->origin.x + middle * d.x - offset * d.y,
                           line->origin.y + middle * d.y + offset * d.x};
  const float stretch = 1 / sqrtf(1 + slope * slope);
  const fov_point turned = {(d.x - slope * d.y) * stretch, (d.y + slope * d.x) * stretch};
  const float before = (float)line->first - middle, after = (float)line->last - middle;
  fov_quad_line moved = *line;
  if (!clip(f, point, turned, &moved)) return;
  const float shift = fov_dot(fov_minus(point, moved.origin), turned);
  moved.first = fov_bounded_index((int)(shift + before), moved.length + 1);
  moved.last = fov_bounded_index((int)(shift + after), moved.length + 1);
  *line = moved;
}

static float distance_from(const fov_quad_line *line, const fov_quad_line *other, int step) {
  const fov_point at = {other->origin.x + (float)step * other->direction.x,
                        other->origin.y + (float)step * other->direction.y};
  return fabsf(fov_cross(line->direction, fov_minus(at, line->origin)));
}

// Whether the best interval of the other line lies on this one.
static bool covers(const fov_quad_line *line, const fov_quad_line *other) {
  return distance_from(line, other, other->first) < 1.5f &&
         distance_from(line, other, other->last) < 1.5f;
}

static void count_edges(const fov_quad_finder *f, fov_quad_line *line, uint16_t *counts) {
  line->before = counts;
  counts[0] = 0;
  for (int t = 0; t < line->length; t++) {
    int offset;
    counts[t + 1] = (uint16_t)(counts[t] + edge_at(f, line, t, 1, &offset));
  }
}

// Adds the lines of one layer to those that are there, the strongest first.
static int add_lines(fov_quad_finder *f, const fov_quad_layer *layer, int count) {
  vote(f, layer);
  peak peaks[FOV_QUAD_PEAKS];
  const int found = find_peaks(f, peaks);
  const float left = (float)f->columns * 0.5f - 0.5f, top = (float)f->rows * 0.5f - 0.5f;
  for (int i = 0; i < found; i++) {
    const float distance = (float)(peaks[i].distance - f->distances / 2);
    const float c = f->cosines[peaks[i].angle], s = f->sines[peaks[i].angle];
    fov_quad_line line = {0};
    if (!clip(f, (fov_point){left + distance * c, top + distance * s}, (fov_point){-s, c}, &line))
      continue;
    straighten(f, &line, 3);
    straighten(f, &line, 2);
    int place = count++;
    for (; place > 0 && f->lines[place - 1].strength < line.strength; place--) {
      f->lines[place] = f->lines[place - 1];
    }
    f->lines[place] = line;
  }
  return count;
}

int fov_quad_find_lines(fov_quad_finder *f) {
  int count = 0, kept = 0;
  for (int i = 0; i < f->layer_count; i++) count = add_lines(f, &f->layers[i], count);
  for (int i = 0; i < count && kept < FOV_QUAD_LINES; i++) {
    bool known = false;
    for (int k = 0; k < kept && !known; k++) known = covers(&f->lines[k], &f->lines[i]);
    if (!known) f->lines[kept++] = f->lines[i];
  }
  const size_t longest = (size_t)f->distances + 2;
  for (int i = 0; i < kept; i++) count_edges(f, &f->lines[i], f->counts + (size_t)i * longest);
  return kept;
}
