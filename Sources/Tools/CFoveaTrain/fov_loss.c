// Fovea - creating losses, and running that of the kind that heads have.
// SPDX-License-Identifier: Apache-2.0
#include "fov_loss.h"

#define MOST_BOXES 65536
#define MOST_LABELS 65536
#define CELLS_OF_A_MATCH 3

fov_train_loss_options fov_train_loss_options_default(void) {
  return (fov_train_loss_options){.labels = 1,
                                  .maximum_boxes = 256,
                                  .box_weight = 2.5f,
                                  .object_weight = 1,
                                  .label_weight = 0.5f,
                                  .distribution_weight = 1.5f};
}

// MARK: Checking

static fov_status check_anchors(const fov_tape *tape, fov_loss *loss, fov_diagnostic *diagnostic) {
  for (size_t h = 0; h < loss->options.anchor_head_count; h++) {
    const fov_train_anchor_head *head = &loss->anchor_heads[h];
    const bool is_sound = head->output < tape->output_count && head->anchors >= 1 &&
                          head->anchors <= FOV_TRAIN_ANCHORS;
    if (!is_sound) return fov_status_invalid_argument;
    const fov_tape_size size = fov_tape_output_size(tape, head->output);
    if (size.channels != head->anchors * (5 + loss->options.labels)) {
      return fov_tape_fail(diagnostic, fov_status_shape_mismatch,
                           "a head of %zu channels for %zu anchors and %zu labels", size.channels,
                           head->anchors, loss->options.labels);
    }
    for (size_t a = 0; a < head->anchors; a++) {
      if (!(head->widths[a] > 0) || !(head->heights[a] > 0)) {
        return fov_tape_fail(diagnostic, fov_status_invalid_argument, "an anchor without area");
      }
    }
    loss->cells += fov_tape_pixels(&size) * head->anchors;
  }
  return fov_status_ok;
}

static fov_status check_distances(const fov_tape *tape, fov_loss *loss,
                                  fov_diagnostic *diagnostic) {
  for (size_t h = 0; h < loss->options.distance_head_count; h++) {
    const fov_train_distance_head *head = &loss->distance_heads[h];
    if (head->box_output >= tape->output_count || head->label_output >= tape->output_count) {
      return fov_status_invalid_argument;
    }
    const fov_tape_size boxes = fov_tape_output_size(tape, head->box_output);
    const fov_tape_size labels = fov_tape_output_size(tape, head->label_output);
    if (head->bins < 2 || boxes.channels != 4 * head->bins || boxes.rows != labels.rows ||
        boxes.columns != labels.columns || labels.channels != loss->options.labels) {
      return fov_tape_fail(diagnostic, fov_status_shape_mismatch,
                           "a head of %zu and %zu channels for %zu bins and %zu labels",
                           boxes.channels, labels.channels, head->bins, loss->options.labels);
    }
    loss->cells += fov_tape_pixels(&boxes);
  }
  return fov_status_ok;
}

static bool has_sound_numbers(const fov_train_loss_options *o) {
  return (o->anchor_head_count > 0) != (o->distance_head_count > 0) && o->labels >= 1 &&
         o->labels <= MOST_LABELS && o->maximum_boxes >= 1 && o->maximum_boxes <= MOST_BOXES &&
         o->anchor_head_count <= 64 && o->distance_head_count <= 64;
}

fov_status fov_loss_create(const fov_tape *tape, const fov_train_loss_options *options,
                           fov_loss *out_loss, fov_diagnostic *diagnostic) {
  if (!has_sound_numbers(options)) {
    return fov_tape_fail(diagnostic, fov_status_invalid_argument,
                         "a loss has heads of one kind, labels and boxes");
  }
  *out_loss = (fov_loss){.options = *options};
  out_loss->anchor_heads = fov_train_copy(options->anchor_heads, options->anchor_head_count,
                                          sizeof *options->anchor_heads);
  out_loss->distance_heads = fov_train_copy(options->distance_heads, options->distance_head_count,
                                            sizeof *options->distance_heads);
  fov_status status =
      out_loss->anchor_heads && out_loss->distance_heads ? fov_status_ok : fov_status_out_of_memory;
  if (status == fov_status_ok) status = check_anchors(tape, out_loss, diagnostic);
  if (status == fov_status_ok) status = check_distances(tape, out_loss, diagnostic);
  if (status != fov_status_ok) fov_loss_release(out_loss);
  return status;
}

void fov_loss_release(fov_loss *loss) {
  fov_train_release(loss->anchor_heads);
  fov_train_release(loss->distance_heads);
  *loss = (fov_loss){0};
}

// MARK: Running

fov_status fov_loss_work_create(const fov_loss *loss, fov_loss_work *out_work) {
  size_t anchors = 0;
  for (size_t h = 0; h < loss->options.anchor_head_count; h++) {
    anchors += loss->anchor_heads[h].anchors;
  }
  const bool has_distances = loss->options.distance_head_count > 0;
  *out_work = (fov_loss_work){
      .match_capacity = loss->options.maximum_boxes * anchors * CELLS_OF_A_MATCH,
      .target_count = loss->cells,
  };
  const size_t cells = has_distances ? loss->cells : 0;
  const size_t boxes = has_distances ? loss->options.maximum_boxes : 0;
  out_work->matches = fov_train_allocate(out_work->match_capacity, sizeof *out_work->matches);
  out_work->targets = fov_train_allocate(loss->cells, sizeof *out_work->targets);
  out_work->cells = fov_train_allocate(cells, sizeof *out_work->cells);
  out_work->bests = fov_train_allocate(boxes, sizeof *out_work->bests);
  if (out_work->matches && out_work->targets && out_work->cells && out_work->bests) {
    return fov_status_ok;
  }
  fov_loss_work_release(out_work);
  return fov_status_out_of_memory;
}

void fov_loss_work_release(fov_loss_work *work) {
  fov_train_release(work->matches);
  fov_train_release(work->targets);
  fov_train_release(work->cells);
  fov_train_release(work->bests);
  *work = (fov_loss_work){0};
}

static size_t learned(const fov_loss *loss, size_t box_count) {
  return box_count < loss->options.maximum_boxes ? box_count : loss->options.maximum_boxes;
}

// Cells that find a box by its distances, on the average.
#define CELLS_OF_A_BOX 5

double fov_loss_count(const fov_loss *loss, const fov_tape *tape, fov_loss_work *work,
                      const fov_train_box *boxes, size_t box_count) {
  box_count = learned(loss, box_count);
  if (loss->options.anchor_head_count == 0) {
    double count = 0;
    for (size_t i = 0; i < box_count; i++) count += CELLS_OF_A_BOX * (double)boxes[i].weight;
    return count;
  }
  fov_anchor_match(loss, tape, work, boxes, box_count);
  double count = 0;
  for (size_t i = 0; i < work->match_count; i++) {
    count += (double)boxes[work->matches[i].box].weight;
  }
  return count;
}

void fov_loss_run(const fov_loss *loss, fov_loss_work *work, fov_tape_run *run,
                  const fov_train_box *boxes, size_t box_count, double share,
                  fov_train_parts *parts) {
  box_count = learned(loss, box_count);
  if (loss->options.anchor_head_count > 0) {
    fov_anchor_loss(loss, work, run, boxes, box_count, share, parts);
  } else {
    fov_distance_assign(loss, work, run, boxes, box_count);
    fov_distance_judge(loss, work, run, boxes, box_count, share, parts);
  }
}
