// Fovea - finding quadrilaterals in pictures.
// SPDX-License-Identifier: Apache-2.0
#include "fov_quads.h"

#include "fov_quad_parts.h"

#define SAME 0.5f    // the overlap at which two are one
#define ALIKE 0.85f  // the overlap at which two are not both fitted

static bool is_valid(const fov_quad_finder *f, const fov_still_image *picture) {
  return picture->bytes != NULL && picture->width == f->width && picture->height == f->height &&
         picture->channels == f->channels &&
         picture->row_bytes >= (size_t)picture->width * (size_t)picture->channels;
}

// The best ones of all that were joined, no two alike, in pixels of the picture.
static int choose(const fov_quad_finder *f, int joined) {
  int kept = 0;
  for (int i = 0; i < joined && kept < FOV_QUAD_FITTED; i++) {
    const fov_quad_candidate *next = &f->joined[i];
    bool known = false;
    for (int k = 0; k < kept && !known; k++) {
      known = fov_quad_overlap(f->fitted[k].corners, next->corners) > ALIKE;
    }
    if (!known) f->fitted[kept++] = *next;
  }
  const float factor = (float)f->factor;
  for (int i = 0; i < kept; i++) {
    for (int k = 0; k < 4; k++) {
      fov_point *p = &f->fitted[i].corners[k];
      *p = (fov_point){(p->x + 0.5f) * factor, (p->y + 0.5f) * factor};
    }
  }
  return kept;
}

static bool fit(const fov_quad_finder *f, const fov_still_image *picture,
                fov_quad_candidate *candidate) {
  const float factor = (float)f->factor;
  if (!fov_quad_fit(picture, factor, candidate->corners)) return false;
  if (!fov_quad_is_sound(candidate->corners, 8 * factor, 0.75f)) return false;
  for (int i = 0; i < 2; i++) {
    if (!fov_quad_fit(picture, 1, candidate->corners)) return false;
  }
  return fov_quad_is_sound(candidate->corners, 8 * factor, 0.75f);
}

static int fit_all(const fov_quad_finder *f, const fov_still_image *picture, int count) {
  int kept = 0;
  for (int i = 0; i < count; i++) {
    fov_quad_candidate candidate = f->fitted[i];
    if (!fit(f, picture, &candidate)) continue;
    fov_quad_measure(f, picture, &candidate);
    f->fitted[kept++] = candidate;
  }
  return kept;
}

static fov_quad written(const fov_quad_candidate *candidate) {
  const fov_point *q = candidate->corners;
  int first = 0;
  for (int i = 1; i < 4; i++) {
    if (q[i].x + q[i].y < q[first].x + q[first].y) first = i;
  }
  fov_quad quad = {.confidence = candidate->score};
  for (int i = 0; i < 4; i++) {
    quad.corners[2 * i] = (double)q[(first + i) % 4].x;
    quad.corners[2 * i + 1] = (double)q[(first + i) % 4].y;
  }
  return quad;
}

// Whether a quadrilateral is of the kind that is asked for.
static bool is_within(const fov_quad_finder *f, const fov_quad_candidate *candidate,
                      const fov_quad_limits *limits) {
  const fov_point *q = candidate->corners;
  float lengths[4], shortest = INFINITY;
  for (int i = 0; i < 4; i++) {
    lengths[i] = fov_length(fov_minus(q[(i + 1) % 4], q[i]));
    shortest = fov_least(shortest, lengths[i]);
  }
  const float wide = lengths[0] + lengths[2], high = lengths[1] + lengths[3];
  const float aspect = fov_least(wide, high) / fov_most(wide, high);
  const float shorter = (float)(f->width < f->height ? f->width : f->height);
  return candidate->score >= limits->minimum_confidence &&
         shortest >= limits->minimum_size * shorter && aspect >= limits->minimum_aspect &&
         aspect <= limits->maximum_aspect && fov_quad_is_sound(q, 0, limits->maximum_cosine);
}

// Whether a better one is the same thing.
static bool is_taken(const fov_quad_finder *f, const fov_quad_candidate *candidate, int kept) {
  for (int k = 0; k < kept; k++) {
    if (fov_quad_overlap(f->fitted[k].corners, candidate->corners) >= SAME) return true;
  }
  return false;
}

fov_quads_status fov_quad_finder_find(fov_quad_finder *finder, const fov_still_image *picture,
                                      const fov_quad_limits *limits, int capacity,
                                      fov_quad *out_quads, int *out_count) {
  if (finder == NULL || picture == NULL || limits == NULL || out_quads == NULL ||
      out_count == NULL || capacity < 0 || !is_valid(finder, picture)) {
    return fov_quads_status_invalid_argument;
  }
  fov_quad_reduce(finder, picture);
  fov_quad_find_edges(finder);
  const int joined = fov_quad_join_lines(finder, fov_quad_find_lines(finder));
  const int fitted = fit_all(finder, picture, choose(finder, joined));
  fov_quad_judge(finder, fitted);
  fov_quad_sort(finder->fitted, fitted);
  int kept = 0;
  for (int i = 0; i < fitted && kept < capacity; i++) {
    const fov_quad_candidate candidate = finder->fitted[i];
    if (!is_within(finder, &candidate, limits) || is_taken(finder, &candidate, kept)) continue;
    finder->fitted[kept] = candidate;
    out_quads[kept++] = written(&candidate);
  }
  *out_count = kept;
  return fov_quads_status_ok;
}
