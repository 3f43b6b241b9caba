// Fovea - quadrilaterals whose sides lie on four lines.
// SPDX-License-Identifier: Apache-2.0
#include "fov_quad_parts.h"

#define LEAST_SIDE 0.40f   // of a side, the share of steps that show an edge
#define LEAST_MEAN 0.62f   // of four sides
#define LEAST_ANGLE 0.60f  // the sine between neighboring sides
#define OPPOSITE 0.72f     // the cosine between opposite sides
#define OUTSIDE 0.04f      // of the picture's longer side, how far a corner may lie beyond its edge

typedef struct crossing {
  int line;
  float on_first, on_second;  // steps
  float support;
} crossing;

typedef struct joining {
  const fov_quad_finder *f;
  const float *steps;
  int lines;
  float shortest, beyond, diagonal;
  fov_quad_heap heap;
} joining;

static fov_point point_on(const fov_quad_line *line, float t) {
  return (fov_point){line->origin.x + t * line->direction.x,
                     line->origin.y + t * line->direction.y};
}

// The share of steps from a to b that show an edge; those outside the picture count as half a one.
static float support(const fov_quad_line *line, float a, float b) {
  const int low = (int)fov_bounded(fov_least(a, b) + 1.5f, 0, (float)line->length);
  const int high = (int)fov_bounded(fov_most(a, b) - 0.5f, 0, (float)line->length);
  if (high <= low) return 0;
  return (float)(line->before[high] - line->before[low]) / (float)(high - low);
}

// How far the line goes on beyond both ends: 0 where it ends, 1 where it does not.
static float continues(const fov_quad_line *line, float a, float b) {
  const float low = fov_least(a, b), high = fov_most(a, b);
  const float reach = fov_bounded((high - low) * 0.25f, 6, 40);
  return 0.5f * (support(line, low - reach, low - 2) + support(line, high + 2, high + reach));
}

static bool is_near(const joining *j, fov_point p) {
  return p.x >= -j->beyond && p.y >= -j->beyond && p.x <= (float)j->f->columns + j->beyond &&
         p.y <= (float)j->f->rows + j->beyond;
}

// Where every line crosses the others, in steps of its own; a huge number for nearly parallel ones.
static void find_crossings(const fov_quad_finder *f, int lines) {
  for (int i = 0; i < lines; i++) {
    for (int k = 0; k < lines; k++) {
      const fov_quad_line *a = &f->lines[i], *b = &f->lines[k];
      const float sine = fov_cross(a->direction, b->direction);
      const bool crosses = fabsf(sine) > LEAST_ANGLE;
      f->crossings[i * FOV_QUAD_LINES + k] =
          crosses ? fov_cross(fov_minus(b->origin, a->origin), b->direction) / sine : 1e9f;
    }
  }
}

static void add(joining *j, int a, int c, const crossing *b, const crossing *d, float sides) {
  const fov_quad_line *first = &j->f->lines[a], *second = &j->f->lines[c];
  fov_quad_candidate quad = {.corners = {point_on(first, b->on_first), point_on(first, d->on_first),
                                         point_on(second, d->on_second),
                                         point_on(second, b->on_second)}};
  if (fov_quad_area(quad.corners) < 0) {
    const fov_point swap = quad.corners[1];
    quad.corners[1] = quad.corners[3];
    quad.corners[3] = swap;
  }
  if (!fov_quad_is_sound(quad.corners, j->shortest, 0.75f)) return;
  const fov_quad_line *third = &j->f->lines[b->line], *fourth = &j->f->lines[d->line];
  const float on = continues(first, b->on_first, d->on_first) +
                   continues(second, b->on_second, d->on_second) +
                   continues(third, j->steps[b->line * FOV_QUAD_LINES + a],
                             j->steps[b->line * FOV_QUAD_LINES + c]) +
                   continues(fourth, j->steps[d->line * FOV_QUAD_LINES + a],
                             j->steps[d->line * FOV_QUAD_LINES + c]);
  const float size = sqrtf(fov_quad_area(quad.corners)) / j->diagonal;
  quad.score = sides * 0.25f - 0.15f * on + 0.4f * size;
  fov_quad_heap_add(&j->heap, &quad);
}

// Joins lines a and c, which do not cross inside the picture, by pairs of those that cross both.
static void join_pair(joining *j, int a, int c) {
  const fov_quad_line *first = &j->f->lines[a], *second = &j->f->lines[c];
  crossing across[FOV_QUAD_LINES];
  int count = 0;
  for (int b = a + 1; b < j->lines; b++) {
    const float on_first = j->steps[a * FOV_QUAD_LINES + b],
                on_second = j->steps[c * FOV_QUAD_LINES + b];
    if (b == c || on_first > 1e8f || on_second > 1e8f) continue;
    const float from = j->steps[b * FOV_QUAD_LINES + a], to = j->steps[b * FOV_QUAD_LINES + c];
    if (fabsf(to - from) < j->shortest) continue;
    const float share = support(&j->f->lines[b], from, to);
    if (share < LEAST_SIDE) continue;
    if (!is_near(j, point_on(first, on_first)) || !is_near(j, point_on(second, on_second)))
      continue;
    across[count++] = (crossing){b, on_first, on_second, share};
  }
  const bool same_way = fov_dot(first->direction, second->direction) > 0;
  for (int i = 0; i < count; i++) {
    for (int k = i + 1; k < count; k++) {
      const float u = across[k].on_first - across[i].on_first;
      const float v = across[k].on_second - across[i].on_second;
      if (fabsf(u) < j->shortest || fabsf(v) < j->shortest || ((u > 0) == (v > 0)) != same_way)
        continue;
      const float on_first = support(first, across[i].on_first, across[k].on_first);
      if (on_first < LEAST_SIDE) continue;
      const float on_second = support(second, across[i].on_second, across[k].on_second);
      if (on_second < LEAST_SIDE) continue;
      const float sides = across[i].support + across[k].support + on_first + on_second;
      if (sides < 4 * LEAST_MEAN) continue;
      add(j, a, c, &across[i], &across[k], sides);
    }
  }
}

int fov_quad_join_lines(fov_quad_finder *f, int lines) {
  find_crossings(f, lines);
  const float columns = (float)f->columns, rows = (float)f->rows;
  joining j = {.f = f,
               .steps = f->crossings,
               .lines = lines,
               .shortest = fov_most(8, 0.06f * fov_least(columns, rows)),
               .beyond = OUTSIDE * fov_most(columns, rows),
               .diagonal = sqrtf(columns * columns + rows * rows),
               .heap = {f->joined, 0, FOV_QUAD_JOINED}};
  for (int a = 0; a < lines; a++) {
    for (int c = a + 1; c < lines; c++) {
      const float cosine = fov_dot(f->lines[a].direction, f->lines[c].direction);
      if (fabsf(cosine) >= OPPOSITE) join_pair(&j, a, c);
    }
  }
  fov_quad_sort(f->joined, j.heap.count);
  return j.heap.count;
}
