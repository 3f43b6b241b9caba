// Fovea - gradients of losses by the outputs of a detector, beside differences.
// SPDX-License-Identifier: Apache-2.0
#include "fov_box_overlap.h"
#include "fov_loss.h"
#include "gradient_check.h"

#define STEP 1e-6
#define TOLERANCE 1e-6
#define LABELS 3

static const fov_train_box boxes[] = {
    {0.31f, 0.42f, 0.3f, 0.5f, 1, 1},    {0.62f, 0.7f, 0.2f, 0.25f, 0, 1},
    {0.6f, 0.66f, 0.24f, 0.3f, 2, 0.6f}, {0.9f, 0.1f, 0.02f, 0.04f, 1, 1},
    {0.2f, 0.8f, 0.3f, 0.3f, 0, 0},
};

static void overlap_has_derivatives(void) {
  const double wanted[4] = {5, 4, 3, 2};
  const double founds[][4] = {{5.5, 4.2, 2.5, 2.2}, {5, 4, 1, 1}, {9, 9, 2, 3}, {4, 4.5, 6, 0.7}};
  const fov_center_box to = {wanted[0], wanted[1], wanted[2], wanted[3]};
  for (size_t k = 0; k < COUNT(founds); k++) {
    const double *f = founds[k];
    const fov_overlap overlap = fov_box_overlap((fov_center_box){f[0], f[1], f[2], f[3]}, to);
    for (int i = 0; i < 4; i++) {
      double above[4], below[4];
      for (int j = 0; j < 4; j++) above[j] = below[j] = f[j];
      above[i] += STEP;
      below[i] -= STEP;
      const double difference =
          fov_box_overlap((fov_center_box){above[0], above[1], above[2], above[3]}, to)
              .complete.value -
          fov_box_overlap((fov_center_box){below[0], below[1], below[2], below[3]}, to)
              .complete.value;
      CASE("box %zu, number %d", k, i);
      CHECK_NEAR(overlap.complete.by[i], difference / (2 * STEP), TOLERANCE);
    }
  }
  // 2 x 2 squares that share a quarter of each: IoU 1/7, centers 2 apart squared, diagonal 18.
  const fov_overlap shifted =
      fov_box_overlap((fov_center_box){1, 1, 2, 2}, (fov_center_box){2, 2, 2, 2});
  CHECK_NEAR(shifted.iou, 1.0 / 7, 1e-8);
  CHECK_NEAR(shifted.complete.value, 1.0 / 7 - 2.0 / 18, 1e-8);
}

// Two outputs of one picture, 9 x 11 and 5 x 6 cells.
typedef struct judged_network {
  fov_tape *tape;
  fov_tape_run *run;
  fov_loss loss;
  fov_loss_work work;
} judged_network;

static judged_network network(const size_t *channels, size_t count,
                              const fov_train_loss_options *options) {
  judged_network n = {0};
  fov_tape_value value, coarse;
  n.tape = gradient_check_begin(4, &value);
  coarse = gradient_check_convolution(n.tape, value, 4, 3, 2, 1, NULL);
  for (size_t i = 0; i < count; i++) {
    const fov_tape_value out = gradient_check_convolution(n.tape, i < count / 2 ? value : coarse,
                                                          channels[i], 1, 1, 1, NULL);
    CHECK_EQUAL(fov_tape_add_output(n.tape, out, NULL), fov_status_ok);
  }
  CHECK_EQUAL(fov_tape_finish(n.tape, NULL), fov_status_ok);
  CHECK_EQUAL(fov_tape_run_create(n.tape, &n.run), fov_status_ok);
  CHECK_EQUAL(fov_loss_create(n.tape, options, &n.loss, NULL), fov_status_ok);
  CHECK_EQUAL(fov_loss_work_create(&n.loss, &n.work), fov_status_ok);
  uint64_t seed = 17;
  for (size_t i = 0; i < 9 * 11 * 3; i++) {
    fov_tape_picture(n.run)[i] = 2 * gradient_check_random(&seed);
  }
  fov_tape_forward(n.run, fov_tape_initial_parameters(n.tape));
  return n;
}

static void destroy(judged_network *n) {
  fov_loss_work_release(&n->work);
  fov_loss_release(&n->loss);
  fov_tape_run_destroy(n->run);
  fov_tape_destroy(n->tape);
}

static double total(judged_network *n, bool assigns) {
  fov_train_parts parts = {0};
  const fov_train_loss_options *o = &n->loss.options;
  if (o->anchor_head_count > 0) {
    fov_anchor_loss(&n->loss, &n->work, n->run, boxes, COUNT(boxes), 1, &parts);
    return o->box_weight * parts.box + o->object_weight * parts.object +
           o->label_weight * parts.label;
  }
  if (assigns) fov_distance_assign(&n->loss, &n->work, n->run, boxes, COUNT(boxes));
  fov_distance_judge(&n->loss, &n->work, n->run, boxes, COUNT(boxes), 1, &parts);
  return o->box_weight * parts.box + o->distribution_weight * parts.object +
         o->label_weight * parts.label;
}

// Compares channels for which (channel % period == only), or all without a period.
static void compare(judged_network *n, size_t period, size_t only) {
  total(n, true);
  for (size_t o = 0; o < n->tape->output_count; o++) {
    const fov_tape_size size = fov_tape_output_size(n->tape, o);
    const size_t count = size.rows * size.columns * size.stride;
    fov_real *gradients = native_test_allocate(count, sizeof *gradients);
    total(n, false);
    for (size_t i = 0; i < count; i++) gradients[i] = fov_tape_output_gradient(n->run, o)[i];
    fov_real *values = n->run->arena + n->tape->slots[n->tape->outputs[o]].offset;
    for (size_t i = 0; i < count; i++) {
      const size_t channel = i % size.stride;
      if (channel >= size.channels || (period > 0 && channel % period != only)) continue;
      const fov_real kept = values[i];
      values[i] = kept + STEP;
      const double above = total(n, false);
      values[i] = kept - STEP;
      const double below = total(n, false);
      values[i] = kept;
      CASE("output %zu, element %zu", o, i);
      CHECK_NEAR(gradients[i], (above - below) / (2 * STEP), TOLERANCE);
    }
  }
}

// Two anchors in each of two grids, with 2 * (5 + LABELS) channels.
typedef struct anchor_heads {
  fov_train_anchor_head heads[2];
  size_t channels[2];
  fov_train_loss_options options;
} anchor_heads;

static anchor_heads two_heads(bool is_squared) {
  anchor_heads two = {
      .heads = {{.output = 0,
                 .anchors = 2,
                 .widths = {0.1f, 0.2f},
                 .heights = {0.15f, 0.2f},
                 .is_squared = is_squared,
                 .spread = is_squared ? 2 : 1},
                {.output = 1,
                 .anchors = 2,
                 .widths = {0.3f, 0.6f},
                 .heights = {0.4f, 0.8f},
                 .is_squared = is_squared,
                 .spread = is_squared ? 2 : 1.1f}},
      .channels = {2 * (5 + LABELS), 2 * (5 + LABELS)},
      .options = fov_train_loss_options_default(),
  };
  two.options.anchor_head_count = 2;
  two.options.labels = LABELS;
  return two;
}

static void anchors_have_gradients(bool is_squared) {
  anchor_heads two = two_heads(is_squared);
  two.options.anchor_heads = two.heads;
  // What the objectness is to be follows from the boxes, which is no part of their gradients.
  two.options.object_weight = 0;
  judged_network boxes_alone = network(two.channels, 2, &two.options);
  compare(&boxes_alone, 0, 0);
  CHECK(boxes_alone.work.match_count >= COUNT(boxes));
  destroy(&boxes_alone);
  two.options.object_weight = 1;
  judged_network objects = network(two.channels, 2, &two.options);
  compare(&objects, 5 + LABELS, 4);
  destroy(&objects);
}

static double logistic(double x) { return 1 / (1 + exp(-x)); }

// The part of a found box that lies in a wanted one.
static double part_inside(const judged_network *n, size_t head, size_t cell, size_t anchor,
                          const fov_train_box *box) {
  const fov_train_anchor_head *h = &n->loss.anchor_heads[head];
  const fov_tape_size size = fov_tape_output_size(n->tape, head);
  const fov_real *v = fov_tape_output(n->run, head) + cell * size.stride + anchor * (5 + LABELS);
  const double columns = (double)size.columns, rows = (double)size.rows;
  const double spread = h->spread, back = (spread - 1) / 2;
  const double x = (logistic(v[0]) * spread - back + (double)(cell % size.columns)) / columns;
  const double y = (logistic(v[1]) * spread - back + (double)(cell / size.columns)) / rows;
  double w = h->widths[anchor], t = h->heights[anchor];
  w *= h->is_squared ? pow(2 * logistic(v[2]), 2) : exp(v[2]);
  t *= h->is_squared ? pow(2 * logistic(v[3]), 2) : exp(v[3]);
  const double left = fmax(x - w / 2, box->x - box->width / 2);
  const double right = fmin(x + w / 2, box->x + box->width / 2);
  const double top = fmax(y - t / 2, box->y - box->height / 2);
  const double bottom = fmin(y + t / 2, box->y + box->height / 2);
  return fmax(right - left, 0) * fmax(bottom - top, 0) / (w * t);
}

static bool is_matched(const judged_network *n, size_t head, size_t cell, size_t anchor) {
  const fov_tape_size size = fov_tape_output_size(n->tape, head);
  for (size_t i = 0; i < n->work.match_count; i++) {
    const fov_loss_match *m = &n->work.matches[i];
    if (m->head == head && m->anchor == anchor && m->row * size.columns + m->column == cell) {
      return true;
    }
  }
  return false;
}

// Whatever finds an ignored box, or a part of it, is neither right nor wrong.
static void ignored_boxes_are_left_out(bool is_squared) {
  anchor_heads two = two_heads(is_squared);
  two.options.anchor_heads = two.heads;
  judged_network n = network(two.channels, 2, &two.options);
  const fov_train_box ignored = {0.35f, 0.6f, 0.5f, 0.6f, 0, 0};
  fov_train_parts parts = {0};
  fov_anchor_loss(&n.loss, &n.work, n.run, &ignored, 1, 1, &parts);
  size_t inside = 0, outside = 0;
  for (size_t head = 0; head < 2; head++) {
    const fov_tape_size size = fov_tape_output_size(n.tape, head);
    for (size_t place = 0; place < size.rows * size.columns * 2; place++) {
      const size_t cell = place / 2, anchor = place % 2;
      const fov_real *gradient =
          fov_tape_output_gradient(n.run, head) + cell * size.stride + anchor * (5 + LABELS);
      const bool is_inside = part_inside(&n, head, cell, anchor, &ignored) > 0.5;
      const bool is_left_out = is_inside || is_matched(&n, head, cell, anchor);
      CASE("head %zu, cell %zu, anchor %zu", head, cell, anchor);
      CHECK((gradient[4] == 0) == is_left_out);
      for (int i = 0; i < 4; i++) CHECK(gradient[i] == 0);
      inside += is_inside;
      outside += !is_left_out;
    }
  }
  CHECK(inside > 20 && outside > 20);
  CHECK(parts.box == 0 && parts.label == 0);
  destroy(&n);
}

static void distances_have_gradients(void) {
  const size_t bins = 6;
  const fov_train_distance_head heads[] = {{0, 1, bins}, {2, 3, bins}};
  const size_t channels[] = {4 * bins, LABELS, 4 * bins, LABELS};
  fov_train_loss_options options = fov_train_loss_options_default();
  options.distance_heads = heads;
  options.distance_head_count = 2;
  options.labels = LABELS;
  judged_network n = network(channels, 4, &options);
  compare(&n, 0, 0);
  // Boxes that count are found by cells; of two that lie on one another one may get none.
  bool is_found[COUNT(boxes)] = {false};
  for (size_t i = 0; i < n.loss.cells; i++) {
    if (n.work.cells[i].box != FOV_TAPE_NONE) is_found[n.work.cells[i].box] = true;
  }
  CHECK(is_found[0] && (is_found[1] || is_found[2]) && is_found[3] && !is_found[4]);
  destroy(&n);
}

void gradient_check_losses(void) {
  const bool forms[] = {false, true};
  RUN(overlap_has_derivatives);
  RUN_ALL(anchors_have_gradients, forms);
  RUN_ALL(ignored_boxes_are_left_out, forms);
  RUN(distances_have_gradients);
}
