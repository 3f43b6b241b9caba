// Fovea - the loss of heads without anchors, which write distances.
// SPDX-License-Identifier: Apache-2.0
//
// A box goes to the ten cells inside it with the greatest alignment: score ^ 0.5 * overlap ^ 6. A
// cell that several boxes want finds the one it covers best. The score that a cell is to give is
// its alignment, scaled so that the best cell of a box gives its overlap.
#include <string.h>

#include "fov_box_overlap.h"
#include "fov_loss.h"

#define CANDIDATES 10
#define SIDES 4

// A cell of one head in one picture.
typedef struct cell_place {
  const fov_train_distance_head *head;
  size_t index;  // of all heads
  double x, y;   // of its middle, in cells
  double columns, rows;
  const fov_real *boxes, *labels;
  fov_real *box_gradient, *label_gradient;
} cell_place;

static cell_place place_of(const fov_loss *loss, fov_tape_run *run, size_t head_index, size_t first,
                           size_t pixel) {
  const fov_train_distance_head *head = &loss->distance_heads[head_index];
  const fov_tape_size boxes = fov_tape_output_size(run->tape, head->box_output);
  const fov_tape_size labels = fov_tape_output_size(run->tape, head->label_output);
  return (cell_place){
      .head = head,
      .index = first + pixel,
      .x = (double)(pixel % boxes.columns) + 0.5,
      .y = (double)(pixel / boxes.columns) + 0.5,
      .columns = (double)boxes.columns,
      .rows = (double)boxes.rows,
      .boxes = fov_tape_output(run, head->box_output) + pixel * boxes.stride,
      .labels = fov_tape_output(run, head->label_output) + pixel * labels.stride,
      .box_gradient = fov_tape_output_gradient(run, head->box_output) + pixel * boxes.stride,
      .label_gradient = fov_tape_output_gradient(run, head->label_output) + pixel * labels.stride,
  };
}

// MARK: What a cell says

// The mean of a distribution over 0 ..< bins, given by logits, and their normalizer.
typedef struct bin_mean {
  double mean, greatest, sum;
} bin_mean;

static bin_mean mean_of(const fov_real *logits, size_t bins) {
  bin_mean m = {.greatest = logits[0]};
  for (size_t i = 1; i < bins; i++) m.greatest = fmax(m.greatest, logits[i]);
  for (size_t i = 0; i < bins; i++) {
    const double p = exp(logits[i] - m.greatest);
    m.sum += p;
    m.mean += p * (double)i;
  }
  m.mean /= m.sum;
  return m;
}

static fov_center_box found_box(const cell_place *cell, const bin_mean sides[SIDES]) {
  return (fov_center_box){cell->x + (sides[2].mean - sides[0].mean) / 2,
                          cell->y + (sides[3].mean - sides[1].mean) / 2,
                          sides[0].mean + sides[2].mean, sides[1].mean + sides[3].mean};
}

static void read_sides(const cell_place *cell, bin_mean sides[SIDES]) {
  for (size_t s = 0; s < SIDES; s++) {
    sides[s] = mean_of(cell->boxes + s * cell->head->bins, cell->head->bins);
  }
}

static fov_center_box wanted_box(const cell_place *cell, const fov_train_box *box) {
  return (fov_center_box){box->x * cell->columns, box->y * cell->rows, box->width * cell->columns,
                          box->height * cell->rows};
}

static bool is_inside(const cell_place *cell, const fov_train_box *box) {
  const fov_center_box b = wanted_box(cell, box);
  return fabs(cell->x - b.x) < b.width / 2 && fabs(cell->y - b.y) < b.height / 2;
}

// MARK: Which cells find a box

typedef struct candidate_list {
  size_t cells[CANDIDATES];
  fov_loss_best values[CANDIDATES];
  size_t count;
} candidate_list;

// The greatest alignments, the greatest first; of equal ones the first cell.
static void offer(candidate_list *list, size_t cell, fov_loss_best value) {
  size_t at = list->count;
  while (at > 0 && list->values[at - 1].alignment < value.alignment) at--;
  if (at == CANDIDATES) return;
  if (list->count < CANDIDATES) list->count++;
  for (size_t i = list->count - 1; i > at; i--) {
    list->cells[i] = list->cells[i - 1];
    list->values[i] = list->values[i - 1];
  }
  list->cells[at] = cell;
  list->values[at] = value;
}

static void offer_cell(const cell_place *cell, const fov_train_box *box, candidate_list *list) {
  bin_mean sides[SIDES];
  read_sides(cell, sides);
  const fov_overlap overlap = fov_box_overlap(found_box(cell, sides), wanted_box(cell, box));
  const double covered = fmax(overlap.complete.value, 0);
  const double score = fov_logistic(cell->labels[box->label]);
  const fov_loss_best value = {(float)covered, (float)(sqrt(score) * pow(covered, 6))};
  offer(list, cell->index, value);
}

// The cell of the finest head that the middle of a small box lies in.
static void offer_nearest(const fov_loss *loss, fov_tape_run *run, const fov_train_box *box,
                          candidate_list *list) {
  const fov_tape_size size = fov_tape_output_size(run->tape, loss->distance_heads[0].box_output);
  const double x = fmin(fmax((double)box->x, 0) * (double)size.columns, (double)size.columns - 1);
  const double y = fmin(fmax((double)box->y, 0) * (double)size.rows, (double)size.rows - 1);
  const cell_place cell = place_of(loss, run, 0, 0, (size_t)y * size.columns + (size_t)x);
  offer_cell(&cell, box, list);
}

static void assign(const fov_loss *loss, fov_loss_work *work, fov_tape_run *run,
                   const fov_train_box *box, uint32_t index) {
  candidate_list list = {.count = 0};
  size_t first = 0;
  for (size_t h = 0; h < loss->options.distance_head_count; h++) {
    const fov_tape_size size = fov_tape_output_size(run->tape, loss->distance_heads[h].box_output);
    for (size_t p = 0; p < fov_tape_pixels(&size); p++) {
      const cell_place cell = place_of(loss, run, h, first, p);
      if (is_inside(&cell, box)) offer_cell(&cell, box, &list);
    }
    first += fov_tape_pixels(&size);
  }
  if (list.count == 0) offer_nearest(loss, run, box, &list);
  for (size_t i = 0; i < list.count; i++) {
    fov_loss_cell *cell = &work->cells[list.cells[i]];
    if (cell->box != FOV_TAPE_NONE && cell->overlap >= list.values[i].overlap) continue;
    *cell = (fov_loss_cell){index, list.values[i].overlap, list.values[i].alignment};
  }
}

static void find_bests(fov_loss_work *work, size_t cells, size_t boxes) {
  for (size_t i = 0; i < boxes; i++) work->bests[i] = (fov_loss_best){0, 0};
  for (size_t i = 0; i < cells; i++) {
    const fov_loss_cell *cell = &work->cells[i];
    if (cell->box == FOV_TAPE_NONE) continue;
    fov_loss_best *best = &work->bests[cell->box];
    if (cell->overlap > best->overlap) best->overlap = cell->overlap;
    if (cell->alignment > best->alignment) best->alignment = cell->alignment;
  }
}

// MARK: Gradients

// The distribution is to lie on the two bins beside the wanted distance.
static double judge_bins(const fov_real *logits, size_t bins, const bin_mean *m, double wanted,
                         double factor, fov_real *gradient) {
  const double inside = fmin(fmax(wanted, 0), (double)bins - 1 - 0.01);
  const size_t low = (size_t)inside;
  const double high_part = inside - (double)low, normalizer = m->greatest + log(m->sum);
  for (size_t i = 0; i < bins; i++) {
    const double target = i == low ? 1 - high_part : i == low + 1 ? high_part : 0;
    gradient[i] += (fov_real)(factor * (exp(logits[i] - normalizer) - target));
  }
  return normalizer - (1 - high_part) * logits[low] - high_part * logits[low + 1];
}

static void judge_box(const fov_loss *loss, const cell_place *cell, const fov_train_box *box,
                      double share, fov_train_parts *parts) {
  bin_mean sides[SIDES];
  read_sides(cell, sides);
  const fov_center_box wanted = wanted_box(cell, box);
  const fov_overlap overlap = fov_box_overlap(found_box(cell, sides), wanted);
  parts->box += share * (1 - overlap.complete.value);
  const double distances[SIDES] = {
      cell->x - (wanted.x - wanted.width / 2), cell->y - (wanted.y - wanted.height / 2),
      wanted.x + wanted.width / 2 - cell->x, wanted.y + wanted.height / 2 - cell->y};
  const size_t bins = cell->head->bins;
  for (size_t s = 0; s < SIDES; s++) {
    // Left and top move the middle back, right and bottom forward; all of them widen the box.
    const double by_side =
        overlap.complete.by[s % 2] * (s < 2 ? -0.5 : 0.5) + overlap.complete.by[2 + s % 2];
    const fov_real *logits = cell->boxes + s * bins;
    fov_real *gradient = cell->box_gradient + s * bins;
    for (size_t i = 0; i < bins; i++) {
      const double p = exp(logits[i] - sides[s].greatest) / sides[s].sum;
      gradient[i] -=
          (fov_real)(share * loss->options.box_weight * by_side * p * ((double)i - sides[s].mean));
    }
    const double factor = share * loss->options.distribution_weight / SIDES;
    parts->object +=
        share / SIDES * judge_bins(logits, bins, &sides[s], distances[s], factor, gradient);
  }
}

static bool is_ignored(const cell_place *cell, const fov_train_box *boxes, size_t box_count) {
  for (size_t i = 0; i < box_count; i++) {
    if (boxes[i].weight <= 0 && is_inside(cell, &boxes[i])) return true;
  }
  return false;
}

static void judge_cell(const fov_loss *loss, const fov_loss_work *work, const cell_place *cell,
                       const fov_train_box *boxes, size_t box_count, double share,
                       fov_train_parts *parts) {
  const fov_loss_cell *own = &work->cells[cell->index];
  double score = 0;
  int32_t label = -1;
  if (own->box != FOV_TAPE_NONE) {
    const fov_loss_best *best = &work->bests[own->box];
    const fov_train_box *box = &boxes[own->box];
    score = best->alignment > 0 ? own->alignment / best->alignment * best->overlap : best->overlap;
    label = box->label;
    // A box that nothing covers yet has to pull all the same.
    const double pull = fmax(score, 0.1) * box->weight;
    judge_box(loss, cell, box, share * pull, parts);
    score *= box->weight;
  } else if (is_ignored(cell, boxes, box_count)) {
    return;
  }
  for (size_t c = 0; c < loss->options.labels; c++) {
    const double target = (int32_t)c == label ? score : 0, x = cell->labels[c];
    parts->label += share * fov_cross_entropy(x, target);
    cell->label_gradient[c] =
        (fov_real)(share * loss->options.label_weight * (fov_logistic(x) - target));
  }
}

// MARK: The whole

static void clear(const fov_loss *loss, fov_tape_run *run) {
  for (size_t h = 0; h < loss->options.distance_head_count; h++) {
    const fov_train_distance_head *head = &loss->distance_heads[h];
    const size_t outputs[2] = {head->box_output, head->label_output};
    for (int i = 0; i < 2; i++) {
      const fov_tape_size size = fov_tape_output_size(run->tape, outputs[i]);
      memset(fov_tape_output_gradient(run, outputs[i]), 0,
             fov_tape_elements(&size) * sizeof(fov_real));
    }
  }
}

void fov_distance_assign(const fov_loss *loss, fov_loss_work *work, fov_tape_run *run,
                         const fov_train_box *boxes, size_t box_count) {
  for (size_t i = 0; i < loss->cells; i++) work->cells[i] = (fov_loss_cell){FOV_TAPE_NONE, 0, 0};
  for (size_t i = 0; i < box_count; i++) {
    if (boxes[i].weight > 0) assign(loss, work, run, &boxes[i], (uint32_t)i);
  }
  find_bests(work, loss->cells, box_count);
}

void fov_distance_judge(const fov_loss *loss, const fov_loss_work *work, fov_tape_run *run,
                        const fov_train_box *boxes, size_t box_count, double share,
                        fov_train_parts *parts) {
  clear(loss, run);
  size_t first = 0;
  for (size_t h = 0; h < loss->options.distance_head_count; h++) {
    const fov_tape_size size = fov_tape_output_size(run->tape, loss->distance_heads[h].box_output);
    for (size_t p = 0; p < fov_tape_pixels(&size); p++) {
      const cell_place cell = place_of(loss, run, h, first, p);
      judge_cell(loss, work, &cell, boxes, box_count, share, parts);
    }
    first += fov_tape_pixels(&size);
  }
}
