// Fovea - what losses share: their memory and the order of work.
// SPDX-License-Identifier: Apache-2.0
#ifndef FOV_LOSS_H
#define FOV_LOSS_H

#include <math.h>

#include "fov_tape.h"
#include "fov_train_loss.h"

// A cell and an anchor that are to find a box.
typedef struct fov_loss_match {
  uint32_t head, anchor, row, column, box;
} fov_loss_match;

// Distances: the box that a cell is to find, and how well it finds it.
typedef struct fov_loss_cell {
  uint32_t box;  // FOV_TAPE_NONE for none
  float overlap, alignment;
} fov_loss_cell;

// Distances: the best of all cells that are to find a box.
typedef struct fov_loss_best {
  float overlap, alignment;
} fov_loss_best;

// What a thread needs to judge one picture.
typedef struct fov_loss_work {
  fov_loss_match *matches;
  size_t match_count, match_capacity;
  float *targets;  // of objectness in each cell and anchor of all heads
  size_t target_count;
  fov_loss_cell *cells;  // distances: of each cell
  fov_loss_best *bests;  // distances: of each box
} fov_loss_work;

typedef struct fov_loss {
  fov_train_loss_options options;  // heads are owned
  fov_train_anchor_head *anchor_heads;
  fov_train_distance_head *distance_heads;
  size_t cells;  // of all heads; with anchors, each of them
} fov_loss;

FOV_TRAIN_HIDDEN fov_status fov_loss_create(const fov_tape *tape,
                                            const fov_train_loss_options *options,
                                            fov_loss *out_loss, fov_diagnostic *diagnostic);
FOV_TRAIN_HIDDEN void fov_loss_release(fov_loss *loss);

FOV_TRAIN_HIDDEN fov_status fov_loss_work_create(const fov_loss *loss, fov_loss_work *out_work);
FOV_TRAIN_HIDDEN void fov_loss_work_release(fov_loss_work *work);

// What a picture adds to the number that sums are divided by.
FOV_TRAIN_HIDDEN double fov_loss_count(const fov_loss *loss, const fov_tape *tape,
                                       fov_loss_work *work, const fov_train_box *boxes,
                                       size_t box_count);

// Writes the gradients of all outputs, and adds to the parts. Sums are multiplied by `share`.
FOV_TRAIN_HIDDEN void fov_loss_run(const fov_loss *loss, fov_loss_work *work, fov_tape_run *run,
                                   const fov_train_box *boxes, size_t box_count, double share,
                                   fov_train_parts *parts);

// MARK: The two kinds

FOV_TRAIN_HIDDEN void fov_anchor_match(const fov_loss *loss, const fov_tape *tape,
                                       fov_loss_work *work, const fov_train_box *boxes,
                                       size_t box_count);
FOV_TRAIN_HIDDEN void fov_anchor_loss(const fov_loss *loss, fov_loss_work *work, fov_tape_run *run,
                                      const fov_train_box *boxes, size_t box_count, double share,
                                      fov_train_parts *parts);
// Says which cells are to find which box; then writes gradients.
FOV_TRAIN_HIDDEN void fov_distance_assign(const fov_loss *loss, fov_loss_work *work,
                                          fov_tape_run *run, const fov_train_box *boxes,
                                          size_t box_count);
FOV_TRAIN_HIDDEN void fov_distance_judge(const fov_loss *loss, const fov_loss_work *work,
                                         fov_tape_run *run, const fov_train_box *boxes,
                                         size_t box_count, double share, fov_train_parts *parts);

static inline double fov_logistic(double x) {
  return x >= 0 ? 1 / (1 + exp(-x)) : exp(x) / (1 + exp(x));
}

// -t log(s(x)) - (1 - t) log(1 - s(x)), whose derivative is s(x) - t.
static inline double fov_cross_entropy(double x, double target) {
  return (x > 0 ? x : 0) - x * target + log1p(exp(x > 0 ? -x : x));
}

#endif
