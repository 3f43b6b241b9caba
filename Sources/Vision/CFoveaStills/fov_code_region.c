// Fovea - where in a picture a code lies: a quadrilateral around its bars or modules.
// SPDX-License-Identifier: Apache-2.0
#include "fov_code_region.h"

#include <math.h>
#include <stdbool.h>

#include "fov_box_filter.h"
#include "fov_hull.h"
#include "fov_still_exact.h"

enum { side_max = 240 };

struct fov_code_region_memory {
  float levels[side_max * side_max];
  float energy[side_max * side_max];
  float sums[side_max];
  uint8_t mask[2][side_max * side_max];
  int queue[side_max * side_max];
};

size_t fov_code_region_memory_bytes(void) { return sizeof(fov_code_region_memory); }

// What is looked at: `width` x `height` cells of `scale` pixels, from (left, top) of the picture.
typedef struct fov_cells {
  int width, height;
  double left, top, scale;
  int window;    // cells on a side of a window, odd
  int inner[4];  // the middle of the box: first and last columns, first and last rows
  fov_code_region_memory *memory;
} fov_cells;

static double within(double value, double least, double most) {
  return value > least ? (value < most ? value : most) : least;
}

static bool place_cells(const fov_still_image *picture, const fov_code_box *box, fov_cells *cells) {
  const double width = box->right - box->left, height = box->bottom - box->top;
  if (!(width >= 4 && height >= 4 && width < 1e9 && height < 1e9)) return false;
  const double margin = 0.21 * fmax(width, height);
  cells->left = floor(within(box->left - margin, 0, picture->width));
  cells->top = floor(within(box->top - margin, 0, picture->height));
  const double right = floor(within(box->right + margin, 0, picture->width));
  const double bottom = floor(within(box->bottom + margin, 0, picture->height));
  if (right - cells->left < 8 || bottom - cells->top < 8) return false;
  cells->scale = fmax(1, fmax(right - cells->left, bottom - cells->top) / side_max);
  cells->width = (int)within((right - cells->left) / cells->scale, 8, side_max);
  cells->height = (int)within((bottom - cells->top) / cells->scale, 8, side_max);
  const double shorter = fmax(8, fmin(width, height) / cells->scale);
  cells->window = (int)fmax(3, (int)(shorter / 14) | 1);
  const double x = ((box->left + box->right) / 2 - cells->left) / cells->scale;
  const double y = ((box->top + box->bottom) / 2 - cells->top) / cells->scale;
  const double across = width / cells->scale / 4, down = height / cells->scale / 4;
  cells->inner[0] = (int)within(x - across, 0, cells->width - 1);
  cells->inner[1] = (int)within(x + across, 0, cells->width - 1);
  cells->inner[2] = (int)within(y - down, 0, cells->height - 1);
  cells->inner[3] = (int)within(y + down, 0, cells->height - 1);
  return true;
}

// The mean of the pixels of each cell.
static void fill_levels(const fov_still_image *picture, const fov_cells *cells) {
  for (int row = 0; row < cells->height; row++) {
    const int top = (int)(cells->top + row * cells->scale);
    const int bottom = (int)within(cells->top + (row + 1) * cells->scale, top + 1, picture->height);
    for (int column = 0; column < cells->width; column++) {
      const int left = (int)(cells->left + column * cells->scale);
      const int right =
          (int)within(cells->left + (column + 1) * cells->scale, left + 1, picture->width);
      int sum = 0;
      for (int y = top; y < bottom; y++) {
        const uint8_t *pixels = picture->bytes + (size_t)y * picture->row_bytes;
        for (int x = left; x < right; x++) sum += pixels[x];
      }
      cells->memory->levels[row * cells->width + column] =
          (float)sum / (float)((bottom - top) * (right - left));
    }
  }
}

// Sizes of gradients, bounded by what 97 of 100 do not exceed.
static void fill_energy(const fov_cells *cells) {
  const int width = cells->width, height = cells->height;
  const float *levels = cells->memory->levels;
  float *energy = cells->memory->energy;
  int counts[512] = {0};
  for (int row = 0; row < height; row++) {
    const float *middle = levels + row * width;
    const float *above = row > 0 ? middle - width : middle;
    const float *below = row + 1 < height ? middle + width : middle;
    for (int column = 0; column < width; column++) {
      const int left = column > 0 ? column - 1 : column;
      const int right = column + 1 < width ? column + 1 : column;
      const float dx = 3 * (above[right] - above[left]) + 10 * (middle[right] - middle[left]) +
                       3 * (below[right] - below[left]);
      const float dy = 3 * (below[left] - above[left]) + 10 * (below[column] - above[column]) +
                       3 * (below[right] - above[right]);
      const float size = sqrtf(dx * dx + dy * dy) / 16;
      energy[row * width + column] = size;
      counts[size < 511 ? (int)size : 511]++;
    }
  }
  int left = width * height * 97 / 100, most = 0;
  while (most < 511 && (left -= counts[most]) > 0) most++;
  for (int i = 0; i < width * height; i++) energy[i] = fminf(energy[i], (float)(most + 1));
}

// The median of the averages in the middle of the box, to one of 1024 steps.
static float middle_energy(const fov_cells *cells) {
  int counts[1024] = {0}, total = 0;
  for (int row = cells->inner[2]; row <= cells->inner[3]; row++) {
    for (int column = cells->inner[0]; column <= cells->inner[1]; column++, total++) {
      const float value = cells->memory->energy[row * cells->width + column] * 4;
      counts[value < 1023 ? (int)value : 1023]++;
    }
  }
  int step = 0;
  for (int left = total / 2 - counts[0]; left > 0 && step < 1023;) left -= counts[++step];
  return ((float)step + 0.5f) / 4;
}

// MARK: The mask

// Sets each cell to whether any (`grows`), or every, cell of the window around it is set; in one
// direction.
static void filter_line(const uint8_t *from, uint8_t *to, int count, int stride, int radius,
                        bool grows) {
  int sum = 0, first = 0, last = -1;
  for (int i = 0; i < count; i++) {
    while (last < i + radius && last + 1 < count) sum += from[++last * stride];
    while (first < i - radius) sum -= from[first++ * stride];
    to[i * stride] = grows ? sum > 0 : sum == last - first + 1;
  }
}

static void filter_mask(const fov_cells *cells, bool grows) {
  uint8_t *mask = cells->memory->mask[0], *other = cells->memory->mask[1];
  const int radius = cells->window / 2;
  for (int row = 0; row < cells->height; row++) {
    filter_line(mask + row * cells->width, other + row * cells->width, cells->width, 1, radius,
                grows);
  }
  for (int column = 0; column < cells->width; column++) {
    filter_line(other + column, mask + column, cells->height, cells->width, radius, grows);
  }
}

static void fill_mask(const fov_cells *cells, float least) {
  uint8_t *mask = cells->memory->mask[0];
  for (int i = 0; i < cells->width * cells->height; i++) {
    mask[i] = cells->memory->energy[i] > least;
  }
  filter_mask(cells, true);
  filter_mask(cells, false);
  filter_mask(cells, false);
  filter_mask(cells, true);
}

// Marks the part of the mask that holds cell `start` with `mark`, and counts its cells in the
// middle.
static int flood(const fov_cells *cells, int start, uint8_t mark) {
  uint8_t *mask = cells->memory->mask[0];
  int *queue = cells->memory->queue;
  int first = 0, last = 0, inside = 0;
  queue[last++] = start;
  mask[start] = mark;
  while (first < last) {
    const int at = queue[first++], row = at / cells->width, column = at % cells->width;
    inside += column >= cells->inner[0] && column <= cells->inner[1] && row >= cells->inner[2] &&
              row <= cells->inner[3];
    for (int y = row > 0 ? row - 1 : 0; y <= row + 1 && y < cells->height; y++) {
      for (int x = column > 0 ? column - 1 : 0; x <= column + 1 && x < cells->width; x++) {
        const int next = y * cells->width + x;
        if (mask[next] != 1) continue;
        mask[next] = mark;
        queue[last++] = next;
      }
    }
  }
  return inside;
}

// Leaves the part of the mask that has the most cells in the middle, marked 2. False without any.
static bool choose_part(const fov_cells *cells) {
  uint8_t *mask = cells->memory->mask[0];
  int best = -1, most = 0;
  for (int row = cells->inner[2]; row <= cells->inner[3]; row++) {
    for (int column = cells->inner[0]; column <= cells->inner[1]; column++) {
      const int at = row * cells->width + column;
      if (mask[at] != 1) continue;
      const int inside = flood(cells, at, 3);
      if (inside > most) {
        most = inside;
        best = at;
      }
    }
  }
  if (best < 0) return false;
  for (int i = 0; i < cells->width * cells->height; i++) mask[i] = mask[i] == 3;
  flood(cells, best, 2);
  return true;
}

// The first and last cells of each row of the part, as points, from the top.
static int outline(const fov_cells *cells, fov_hull_point *points) {
  int count = 0;
  for (int row = 0; row < cells->height; row++) {
    const uint8_t *mask = cells->memory->mask[0] + row * cells->width;
    int first = 0, last = cells->width - 1;
    while (first < cells->width && mask[first] != 2) first++;
    if (first == cells->width) continue;
    while (mask[last] != 2) last--;
    points[count++] = (fov_hull_point){first + 0.5, row + 0.5};
    if (last > first) points[count++] = (fov_hull_point){last + 0.5, row + 0.5};
  }
  return count;
}

// MARK: The whole

int fov_code_region(const fov_still_image *picture, const fov_code_box *box, double share,
                    fov_code_region_memory *memory, double out_corners[8]) {
  fov_cells cells = {.memory = memory};
  if (picture->channels != 1 || !place_cells(picture, box, &cells)) return -1;
  fill_levels(picture, &cells);
  fill_energy(&cells);
  fov_box_filter(memory->energy, cells.width, cells.height, cells.window / 2, memory->sums);
  fill_mask(&cells, (float)share * middle_energy(&cells));
  if (!choose_part(&cells)) return -1;
  fov_hull_point points[2 * side_max], corners[4];
  const int count = fov_hull(points, outline(&cells, points));
  if (!fov_hull_quadrilateral(points, count, corners)) return -1;
  const double area = fov_hull_area(corners, 4) * cells.scale * cells.scale;
  const double boxed = (box->right - box->left) * (box->bottom - box->top);
  if (!(area > 0.2 * boxed && area < 3 * boxed)) return -1;
  int first = 0;
  for (int i = 1; i < 4; i++) {
    if (corners[i].x + corners[i].y < corners[first].x + corners[first].y) first = i;
  }
  for (int i = 0; i < 4; i++) {
    const fov_hull_point corner = corners[(first + i) % 4];
    out_corners[2 * i] = corner.x * cells.scale + cells.left;
    out_corners[2 * i + 1] = corner.y * cells.scale + cells.top;
  }
  return 0;
}
