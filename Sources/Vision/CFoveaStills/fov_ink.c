// Fovea - pieces of ink in a picture.
// SPDX-License-Identifier: Apache-2.0
#include "fov_ink.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "fov_still_exact.h"
#include "fov_text_memory.h"

#define SHARE 0.3f

// Sums over the pixels above and left of each corner of a pixel.
typedef struct {
  int width, height;
  uint32_t *sums;
  uint64_t *squares;
} fov_sums;

static int make_sums(const fov_still_image *gray, fov_sums *sums) {
  const int width = gray->width, height = gray->height;
  const size_t stride = (size_t)width + 1, count = stride * ((size_t)height + 1);
  sums->width = width;
  sums->height = height;
  sums->sums = fov_text_zeroed(count, sizeof *sums->sums);
  sums->squares = fov_text_zeroed(count, sizeof *sums->squares);
  if (sums->sums == NULL || sums->squares == NULL) return -2;
  for (int y = 0; y < height; y++) {
    const uint8_t *row = gray->bytes + (size_t)y * gray->row_bytes;
    const size_t above = (size_t)y * stride, here = above + stride;
    uint32_t sum = 0;
    uint64_t square = 0;
    for (int x = 0; x < width; x++) {
      sum += row[x];
      square += (uint64_t)row[x] * row[x];
      sums->sums[here + (size_t)x + 1] = sums->sums[above + (size_t)x + 1] + sum;
      sums->squares[here + (size_t)x + 1] = sums->squares[above + (size_t)x + 1] + square;
    }
  }
  return 0;
}

typedef struct {
  float mean, deviation;
} fov_surroundings;

static fov_surroundings around(const fov_sums *sums, int x, int y, int radius) {
  const int left = x > radius ? x - radius : 0, top = y > radius ? y - radius : 0;
  const int right = x + radius + 1 < sums->width ? x + radius + 1 : sums->width;
  const int bottom = y + radius + 1 < sums->height ? y + radius + 1 : sums->height;
  const size_t stride = (size_t)sums->width + 1;
  const size_t a = (size_t)top * stride + (size_t)left, b = (size_t)top * stride + (size_t)right;
  const size_t c = (size_t)bottom * stride + (size_t)left;
  const size_t d = (size_t)bottom * stride + (size_t)right;
  const float share = 1.0f / (float)((right - left) * (bottom - top));
  // Sums wrap around; their differences do not, as no window has 2^24 pixels.
  const uint32_t sum = sums->sums[d] - sums->sums[b] - sums->sums[c] + sums->sums[a];
  const uint64_t square = sums->squares[d] - sums->squares[b] - sums->squares[c] + sums->squares[a];
  const float mean = (float)sum * share;
  const float variance = (float)square * share - mean * mean;
  return (fov_surroundings){mean, variance > 0 ? sqrtf(variance) : 0};
}

static int grow_runs(fov_ink *ink, int *capacity) {
  if (ink->run_count < *capacity) return 0;
  const int more = *capacity * 2;
  fov_ink_run *runs = fov_text_resized(ink->runs, (size_t)more * sizeof *runs);
  if (runs == NULL) return -2;
  ink->runs = runs;
  *capacity = more;
  return 0;
}

// What ink is.
typedef struct fov_ink_rule {
  const fov_still_image *gray;
  const fov_sums *sums;  // NULL: what has more than `level`
  int light, radius, contrast, level;
} fov_ink_rule;

// How much lighter (darker) a pixel and its neighbors are than their wide surroundings.
static float difference_at(const fov_ink_rule *rule, int x, int y) {
  const float wide = around(rule->sums, x, y, rule->radius).mean;
  const float own = around(rule->sums, x, y, 1).mean;
  return rule->light ? own - wide : wide - own;
}

// The same for columns from `radius` to `width - radius - 1`, whose surroundings are all as wide. A
// loop without branches, which compilers turn into vectors.
static void middle_differences(const fov_ink_rule *rule, int y, float *out_differences) {
  const fov_sums *sums = rule->sums;
  const int radius = rule->radius, height = sums->height;
  const int top = y > radius ? y - radius : 0;
  const int bottom = y + radius + 1 < height ? y + radius + 1 : height;
  const int own_top = y > 1 ? y - 1 : 0, own_bottom = y + 2 < height ? y + 2 : height;
  const size_t stride = (size_t)sums->width + 1;
  const uint32_t *a = sums->sums + (size_t)top * stride, *c = sums->sums + (size_t)bottom * stride;
  const uint32_t *own_a = sums->sums + (size_t)own_top * stride;
  const uint32_t *own_c = sums->sums + (size_t)own_bottom * stride;
  const float share = 1.0f / (float)((2 * radius + 1) * (bottom - top));
  const float own_share = 1.0f / (float)(3 * (own_bottom - own_top));
  const float sign = rule->light ? 1.0f : -1.0f;
  for (int x = radius; x < sums->width - radius; x++) {
    const int left = x - radius, right = x + radius + 1;
    const float wide = (float)(c[right] - a[right] - c[left] + a[left]) * share;
    const float own =
        (float)(own_c[x + 2] - own_a[x + 2] - own_c[x - 1] + own_a[x - 1]) * own_share;
    out_differences[x] = sign * (own - wide);
  }
}

// Where row `y` has ink; (width,) each. `differences` are any numbers.
static void find_row(const fov_ink_rule *rule, int y, float *differences, bool *out_is_ink) {
  const int width = rule->gray->width;
  if (rule->sums == NULL) {
    const uint8_t *row = rule->gray->bytes + (size_t)y * rule->gray->row_bytes;
    for (int x = 0; x < width; x++) out_is_ink[x] = row[x] > rule->level;
    return;
  }
  const int left = rule->radius < width ? rule->radius : width;
  const int right = width - rule->radius > left ? width - rule->radius : left;
  for (int x = 0; x < left; x++) differences[x] = difference_at(rule, x, y);
  middle_differences(rule, y, differences);
  for (int x = right; x < width; x++) differences[x] = difference_at(rule, x, y);
  for (int x = 0; x < width; x++) {
    out_is_ink[x] = differences[x] > (float)rule->contrast &&
                    differences[x] > SHARE * around(rule->sums, x, y, rule->radius).deviation;
  }
}

// Runs of a row of which it is known where it has ink.
static int add_runs(fov_ink *ink, int *capacity, int y, const bool *is_ink, int width) {
  int start = -1;
  for (int x = 0; x <= width; x++) {
    const bool inside = x < width && is_ink[x];
    if (inside && start < 0) start = x;
    if (!inside && start >= 0) {
      if (grow_runs(ink, capacity) != 0) return -2;
      ink->runs[ink->run_count++] = (fov_ink_run){start, x, y};
      start = -1;
    }
  }
  return 0;
}

static int find_runs(const fov_ink_rule *rule, fov_ink *ink) {
  int capacity = 4096, status = 0;
  const int width = rule->gray->width;
  ink->runs = fov_text_new((size_t)capacity * sizeof *ink->runs);
  float *differences = fov_text_new((size_t)width * sizeof *differences);
  bool *is_ink = fov_text_new((size_t)width * sizeof *is_ink);
  if (ink->runs == NULL || differences == NULL || is_ink == NULL) status = -2;
  for (int y = 0; y < rule->gray->height && status == 0; y++) {
    find_row(rule, y, differences, is_ink);
    status = add_runs(ink, &capacity, y, is_ink, width);
  }
  fov_text_delete(differences);
  fov_text_delete(is_ink);
  return status;
}

static int root_of(int *parents, int run) {
  while (parents[run] != run) {
    parents[run] = parents[parents[run]];
    run = parents[run];
  }
  return run;
}

// Joins runs that touch those of the row above, also at a corner.
static void join_runs(const fov_ink *ink, int *parents) {
  for (int i = 0; i < ink->run_count; i++) parents[i] = i;
  int above = 0;
  for (int i = 0; i < ink->run_count; i++) {
    const fov_ink_run *run = &ink->runs[i];
    while (ink->runs[above].row < run->row - 1) above++;
    while (ink->runs[above].row == run->row - 1 && ink->runs[above].right < run->left) above++;
    for (int j = above; ink->runs[j].row == run->row - 1 && ink->runs[j].left <= run->right; j++) {
      const int a = root_of(parents, i), b = root_of(parents, j);
      if (a < b) parents[b] = a;
      if (b < a) parents[a] = b;
    }
  }
}

static void add_run(fov_ink_piece *piece, const fov_ink_run *run) {
  if (piece->run_count == 0) {
    *piece = (fov_ink_piece){0, 0, run->left, run->row, run->right, run->row + 1, 0};
  }
  piece->run_count++;
  piece->area += run->right - run->left;
  if (run->left < piece->left) piece->left = run->left;
  if (run->right > piece->right) piece->right = run->right;
  if (run->row + 1 > piece->bottom) piece->bottom = run->row + 1;
}

// Sorts the runs by pieces, and leaves out pieces that are too small.
static int collect_pieces(fov_ink *ink, int *parents, int least_area) {
  const int count = ink->run_count;
  fov_ink_piece *all = fov_text_zeroed((size_t)count + 1, sizeof *all);
  fov_ink_run *sorted = fov_text_new(((size_t)count + 1) * sizeof *sorted);
  if (all == NULL || sorted == NULL) {
    fov_text_delete(all);
    fov_text_delete(sorted);
    return -2;
  }
  for (int i = 0; i < count; i++) add_run(&all[root_of(parents, i)], &ink->runs[i]);
  int kept = 0, runs = 0;
  // A root comes before the other runs of its piece, so its place is known when they come.
  for (int i = 0; i < count; i++) {
    const int root = root_of(parents, i);
    fov_ink_piece *piece = &all[root];
    if (piece->area < least_area) continue;
    if (root == i) {
      piece->first_run = runs;
      runs += piece->run_count;
      piece->run_count = 0;
      kept++;
    }
    sorted[piece->first_run + piece->run_count++] = ink->runs[i];
  }
  int place = 0;
  for (int i = 0; i < count; i++) {
    if (parents[i] == i && all[i].area >= least_area) all[place++] = all[i];
  }
  fov_text_delete(ink->runs);
  ink->runs = sorted;
  ink->run_count = runs;
  ink->pieces = all;
  ink->piece_count = kept;
  return 0;
}

static int find(const fov_ink_rule *rule, int least_area, fov_ink *out_ink) {
  int status = find_runs(rule, out_ink);
  int *parents = NULL;
  if (status == 0) {
    parents = fov_text_new(((size_t)out_ink->run_count + 1) * sizeof *parents);
    status = parents == NULL ? -2 : 0;
  }
  if (status == 0) {
    join_runs(out_ink, parents);
    status = collect_pieces(out_ink, parents, least_area);
  }
  fov_text_delete(parents);
  if (status != 0) fov_ink_release(out_ink);
  return status;
}

static bool is_picture(const fov_still_image *gray) {
  return gray != NULL && gray->bytes != NULL && gray->channels == 1 && gray->width >= 1 &&
         gray->height >= 1;
}

int fov_ink_find(const fov_still_image *gray, int light, int radius, int contrast, int least_area,
                 fov_ink *out_ink) {
  if (!is_picture(gray) || out_ink == NULL || radius < 2 || radius > 2000) return -1;
  memset(out_ink, 0, sizeof *out_ink);
  fov_sums sums = {0};
  int status = make_sums(gray, &sums);
  const fov_ink_rule rule = {gray, &sums, light, radius, contrast, 0};
  if (status == 0) status = find(&rule, least_area, out_ink);
  fov_text_delete(sums.sums);
  fov_text_delete(sums.squares);
  return status;
}

int fov_ink_above(const fov_still_image *gray, int level, int least_area, fov_ink *out_ink) {
  if (!is_picture(gray) || out_ink == NULL) return -1;
  memset(out_ink, 0, sizeof *out_ink);
  const fov_ink_rule rule = {gray, NULL, 0, 0, 0, level};
  return find(&rule, least_area, out_ink);
}

void fov_ink_release(fov_ink *ink) {
  fov_text_delete(ink->runs);
  fov_text_delete(ink->pieces);
  memset(ink, 0, sizeof *ink);
}
