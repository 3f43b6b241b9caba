// Fovea - the loss of heads with anchors.
// SPDX-License-Identifier: Apache-2.0
#include "fov_box_overlap.h"
#include "fov_loss.h"

#define BOX_NUMBERS 5
#define OBJECT 4
#define MOST_FACTOR 4.0f
#define IGNORED (-1.0f)

// MARK: Which cells are to find which box

static float factor_of(const fov_train_anchor_head *head, size_t anchor, const fov_train_box *box) {
  const float w = box->width / head->widths[anchor], h = box->height / head->heights[anchor];
  return fmaxf(fmaxf(w, 1 / w), fmaxf(h, 1 / h));
}

static void add_match(fov_loss_work *work, fov_loss_match match) {
  if (work->match_count < work->match_capacity) work->matches[work->match_count++] = match;
}

// The cell of the center, and with a wide spread the nearer neighbor along each axis.
static void match_cells(const fov_train_anchor_head *head, const fov_tape_size *size,
                        const fov_train_box *box, fov_loss_match match, fov_loss_work *work) {
  const double x = fmin(fmax((double)box->x, 0), 1) * (double)size->columns;
  const double y = fmin(fmax((double)box->y, 0), 1) * (double)size->rows;
  const ptrdiff_t column = (ptrdiff_t)fmin(x, (double)size->columns - 1);
  const ptrdiff_t row = (ptrdiff_t)fmin(y, (double)size->rows - 1);
  const ptrdiff_t beside = column + (x - (double)column < 0.5 ? -1 : 1);
  const ptrdiff_t above = row + (y - (double)row < 0.5 ? -1 : 1);
  match.row = (uint32_t)row;
  match.column = (uint32_t)column;
  add_match(work, match);
  if (head->spread < 2) return;
  if (beside >= 0 && beside < (ptrdiff_t)size->columns) {
    match.column = (uint32_t)beside;
    add_match(work, match);
  }
  match.column = (uint32_t)column;
  if (above >= 0 && above < (ptrdiff_t)size->rows) {
    match.row = (uint32_t)above;
    add_match(work, match);
  }
}

static void match_box(const fov_loss *loss, const fov_tape *tape, const fov_train_box *box,
                      uint32_t index, fov_loss_work *work) {
  const size_t before = work->match_count;
  fov_loss_match nearest = {.box = index};
  float least = INFINITY;
  for (uint32_t h = 0; h < loss->options.anchor_head_count; h++) {
    const fov_train_anchor_head *head = &loss->anchor_heads[h];
    const fov_tape_size size = fov_tape_output_size(tape, head->output);
    for (uint32_t a = 0; a < head->anchors; a++) {
      const fov_loss_match match = {.head = h, .anchor = a, .box = index};
      const float factor = factor_of(head, a, box);
      if (factor < MOST_FACTOR) match_cells(head, &size, box, match, work);
      if (!(factor < least)) continue;
      least = factor;
      nearest = match;
    }
  }
  if (work->match_count > before) return;
  const fov_train_anchor_head *head = &loss->anchor_heads[nearest.head];
  const fov_tape_size size = fov_tape_output_size(tape, head->output);
  match_cells(head, &size, box, nearest, work);
}

void fov_anchor_match(const fov_loss *loss, const fov_tape *tape, fov_loss_work *work,
                      const fov_train_box *boxes, size_t box_count) {
  work->match_count = 0;
  for (size_t i = 0; i < box_count; i++) {
    match_box(loss, tape, &boxes[i], (uint32_t)i, work);
  }
}

// MARK: Boxes

typedef struct found_box {
  fov_center_box box;  // in cells
  double slopes[4];    // of its numbers by those of the network
} found_box;

static found_box decode(const fov_train_anchor_head *head, const fov_tape_size *size,
                        const fov_loss_match *match, const fov_real *values) {
  found_box found;
  const double spread = head->spread;
  double centers[2];
  for (int i = 0; i < 2; i++) {
    const double s = fov_logistic(values[i]);
    centers[i] = s * spread - (spread - 1) / 2 + (i == 0 ? match->column : match->row);
    found.slopes[i] = s * (1 - s) * spread;
  }
  const double anchors[2] = {head->widths[match->anchor] * (double)size->columns,
                             head->heights[match->anchor] * (double)size->rows};
  double sides[2];
  for (int i = 0; i < 2; i++) {
    if (head->is_squared) {
      const double s = fov_logistic(values[2 + i]);
      sides[i] = 4 * s * s * anchors[i];
      found.slopes[2 + i] = 2 * sides[i] * (1 - s);
    } else {
      sides[i] = exp(fmin(values[2 + i], 20)) * anchors[i];
      found.slopes[2 + i] = sides[i];
    }
  }
  found.box = (fov_center_box){centers[0], centers[1], sides[0], sides[1]};
  return found;
}

static fov_center_box in_cells(const fov_train_box *box, const fov_tape_size *size) {
  const double columns = (double)size->columns, rows = (double)size->rows;
  return (fov_center_box){box->x * columns, box->y * rows, box->width * columns,
                          box->height * rows};
}

static void add_labels(const fov_loss *loss, const fov_train_box *box, double share,
                       const fov_real *values, fov_real *gradient, fov_train_parts *parts) {
  if (loss->options.labels < 2) return;
  for (size_t c = 0; c < loss->options.labels; c++) {
    const double target = (size_t)box->label == c ? 1 : 0, x = values[c];
    parts->label += share * fov_cross_entropy(x, target);
    gradient[c] += (fov_real)(share * loss->options.label_weight * (fov_logistic(x) - target));
  }
}

// MARK: The whole

// Where the numbers of a match begin in its output.
static size_t place_of(const fov_loss *loss, const fov_tape_size *size,
                       const fov_loss_match *match) {
  return (match->row * size->columns + match->column) * size->stride +
         match->anchor * (BOX_NUMBERS + loss->options.labels);
}

// Targets lie head after head, in the order rows, columns, anchors.
static float *target_of(const fov_loss *loss, const fov_tape *tape, fov_loss_work *work,
                        const fov_loss_match *match) {
  float *targets = work->targets;
  for (uint32_t h = 0; h < match->head; h++) {
    const fov_tape_size size = fov_tape_output_size(tape, loss->anchor_heads[h].output);
    targets += fov_tape_pixels(&size) * loss->anchor_heads[h].anchors;
  }
  const fov_train_anchor_head *head = &loss->anchor_heads[match->head];
  const fov_tape_size size = fov_tape_output_size(tape, head->output);
  return &targets[(match->row * size.columns + match->column) * head->anchors + match->anchor];
}

static void judge_match(const fov_loss *loss, fov_loss_work *work, fov_tape_run *run,
                        const fov_loss_match *match, const fov_train_box *box, double share,
                        fov_train_parts *parts) {
  const fov_train_anchor_head *head = &loss->anchor_heads[match->head];
  const fov_tape_size size = fov_tape_output_size(run->tape, head->output);
  float *target = target_of(loss, run->tape, work, match);
  if (box->weight <= 0) {
    if (*target == 0) *target = IGNORED;
    return;
  }
  const size_t place = place_of(loss, &size, match);
  const fov_real *values = fov_tape_output(run, head->output) + place;
  fov_real *gradient = fov_tape_output_gradient(run, head->output) + place;
  const found_box found = decode(head, &size, match, values);
  const fov_overlap overlap = fov_box_overlap(found.box, in_cells(box, &size));
  share *= box->weight;
  parts->box += share * (1 - overlap.complete.value);
  for (int i = 0; i < 4; i++) {
    gradient[i] -=
        (fov_real)(share * loss->options.box_weight * overlap.complete.by[i] * found.slopes[i]);
  }
  add_labels(loss, box, share, values + BOX_NUMBERS, gradient + BOX_NUMBERS, parts);
  const float quality = (float)(0.5 + 0.5 * overlap.iou) * box->weight;
  if (quality > *target) *target = quality;
}

// MARK: What is neither to be found nor missed

// Cells that may find a box whose center lies within `low` ... `high`, in cells.
typedef struct cell_range {
  size_t first, end;
} cell_range;

static cell_range cells_around(double low, double high, double reach, size_t count) {
  const double first = floor(fmin(fmax(low - reach, 0), (double)count));
  const double last = floor(fmin(fmax(high + reach, -1), (double)count - 1));
  return (cell_range){(size_t)first, (size_t)(last + 1)};
}

static double shared_length(double x, double length, double y, double other) {
  return fmin(x + length / 2, y + other / 2) - fmax(x - length / 2, y - other / 2);
}

// Whether more than half of a box lies in an ignored one, as evaluations ask.
static bool lies_in(fov_center_box box, fov_center_box ignored) {
  const double width = shared_length(box.x, box.width, ignored.x, ignored.width);
  const double height = shared_length(box.y, box.height, ignored.y, ignored.height);
  return width > 0 && height > 0 && width * height > box.width * box.height / 2;
}

// Leaves cells out that find the ignored box or a part of it, unless they are to find another one.
static void ignore(const fov_loss *loss, fov_tape_run *run, const fov_train_box *box,
                   float *targets) {
  for (uint32_t h = 0; h < loss->options.anchor_head_count; h++) {
    const fov_train_anchor_head *head = &loss->anchor_heads[h];
    const fov_tape_size size = fov_tape_output_size(run->tape, head->output);
    const fov_real *values = fov_tape_output(run, head->output);
    const fov_center_box wide = in_cells(box, &size);
    const double reach = (head->spread - 1) / 2;
    const cell_range columns =
        cells_around(wide.x - wide.width / 2, wide.x + wide.width / 2, reach, size.columns);
    const cell_range rows =
        cells_around(wide.y - wide.height / 2, wide.y + wide.height / 2, reach, size.rows);
    for (size_t row = rows.first; row < rows.end; row++) {
      for (size_t column = columns.first; column < columns.end; column++) {
        for (uint32_t a = 0; a < head->anchors; a++) {
          const fov_loss_match match = {
              .head = h, .anchor = a, .row = (uint32_t)row, .column = (uint32_t)column};
          float *target = &targets[(row * size.columns + column) * head->anchors + a];
          if (*target != 0) continue;
          const found_box found =
              decode(head, &size, &match, values + place_of(loss, &size, &match));
          if (lies_in(found.box, wide)) *target = IGNORED;
        }
      }
    }
    targets += fov_tape_pixels(&size) * head->anchors;
  }
}

static void judge_objects(const fov_loss *loss, const float *targets, fov_tape_run *run,
                          double share, fov_train_parts *parts) {
  const size_t numbers = BOX_NUMBERS + loss->options.labels;
  for (size_t h = 0; h < loss->options.anchor_head_count; h++) {
    const fov_train_anchor_head *head = &loss->anchor_heads[h];
    const fov_tape_size size = fov_tape_output_size(run->tape, head->output);
    const fov_real *values = fov_tape_output(run, head->output);
    fov_real *gradients = fov_tape_output_gradient(run, head->output);
    for (size_t p = 0; p < fov_tape_pixels(&size); p++) {
      for (size_t a = 0; a < head->anchors; a++) {
        const size_t place = p * size.stride + a * numbers + OBJECT;
        const float target = *targets++;
        if (target == IGNORED) continue;
        const double x = values[place];
        parts->object += share * fov_cross_entropy(x, target);
        gradients[place] =
            (fov_real)(share * loss->options.object_weight * (fov_logistic(x) - target));
      }
    }
  }
}

static void clear(const fov_loss *loss, fov_loss_work *work, fov_tape_run *run) {
  for (size_t h = 0; h < loss->options.anchor_head_count; h++) {
    const size_t output = loss->anchor_heads[h].output;
    const fov_tape_size size = fov_tape_output_size(run->tape, output);
    fov_real *gradient = fov_tape_output_gradient(run, output);
    for (size_t i = 0; i < fov_tape_elements(&size); i++) gradient[i] = 0;
  }
  for (size_t i = 0; i < work->target_count; i++) work->targets[i] = 0;
}

void fov_anchor_loss(const fov_loss *loss, fov_loss_work *work, fov_tape_run *run,
                     const fov_train_box *boxes, size_t box_count, double share,
                     fov_train_parts *parts) {
  fov_anchor_match(loss, run->tape, work, boxes, box_count);
  clear(loss, work, run);
  for (size_t i = 0; i < work->match_count; i++) {
    const fov_loss_match *match = &work->matches[i];
    judge_match(loss, work, run, match, &boxes[match->box], share, parts);
  }
  for (size_t i = 0; i < box_count; i++) {
    if (boxes[i].weight <= 0) ignore(loss, run, &boxes[i], work->targets);
  }
  judge_objects(loss, work->targets, run, share, parts);
}
