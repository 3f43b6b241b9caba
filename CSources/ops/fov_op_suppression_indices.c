// Fovea - which boxes are kept where boxes overlap.
// SPDX-License-Identifier: Apache-2.0
#include <math.h>

#include "base/fov_size.h"
#include "ops/fov_operation_table.h"
#include "ops/fov_ranking.h"
#include "ops/fov_shape_require.h"

// NaN: a box whose scores have a NaN is never above the threshold. A box with a coordinate of NaN
// overlaps no other.

static fov_status infer_shape(const void *parameters, const fov_shape *inputs, size_t input_count,
                              fov_shape *out_shape, fov_diagnostic *diagnostic) {
  (void)input_count;
  const fov_box_suppression *suppression = parameters;
  const fov_shape *boxes = &inputs[0], *scores = &inputs[1];
  FOV_FORWARD(fov_shape_require_rank(boxes, 3, "boxes", diagnostic));
  FOV_FORWARD(fov_shape_require_rank(scores, 3, "scores", diagnostic));
  FOV_FORWARD(fov_shape_require_equal(boxes, 0, scores, 0, diagnostic));
  FOV_FORWARD(fov_shape_require_equal(boxes, 1, scores, 1, diagnostic));
  FOV_FORWARD(fov_shape_require_indices(boxes->dims[1], diagnostic));
  FOV_FORWARD(fov_shape_require_indices(scores->dims[2], diagnostic));
  if (boxes->dims[2] != 4) {
    return fov_fail(diagnostic, fov_status_shape_mismatch, "boxes of %zu coordinates; expected 4",
                    boxes->dims[2]);
  }
  if (isnan(suppression->iou_threshold) || isnan(suppression->score_threshold)) {
    return fov_fail(diagnostic, fov_status_invalid_argument,
                    "a threshold of the suppression is not a number");
  }
  if (suppression->maximum_boxes == 0) {
    return fov_fail(diagnostic, fov_status_invalid_argument,
                    "suppression to at most 0 boxes; expected 1 or more");
  }
  *out_shape = (fov_shape){.rank = 2, .dims = {boxes->dims[0], suppression->maximum_boxes}};
  return fov_status_ok;
}

// MARK: workspace

typedef struct kept_box {
  float left, top, right, bottom;
  float area;
  uint32_t best_class;
} kept_box;

// The parts of the workspace.
typedef struct memory {
  size_t ranked, kept, bytes;
} memory;

static bool plan_memory(const fov_box_suppression *suppression, const fov_shape *boxes,
                        memory *out_memory) {
  *out_memory = (memory){0};
  const size_t most = fov_size_min(suppression->maximum_boxes, boxes->dims[1]);
  return fov_size_reserve(&out_memory->bytes, boxes->dims[1], sizeof(fov_ranked),
                          &out_memory->ranked) &&
         fov_size_reserve(&out_memory->bytes, most, sizeof(kept_box), &out_memory->kept);
}

static fov_status workspace(const void *parameters, const fov_workspace_request *request,
                            size_t *out_bytes) {
  memory memory;
  if (!plan_memory(parameters, &request->inputs[0], &memory)) return fov_status_overflow;
  *out_bytes = memory.bytes;
  return fov_status_ok;
}

// MARK: one image

// The first of the greatest scores; NaN if one is NaN.
static float best_score(const float *scores, size_t classes, uint32_t *out_class) {
  float best = scores[0];
  uint32_t best_class = 0;
  for (size_t c = 1; c < classes && !isnan(best); c++) {
    if (!(scores[c] <= best)) {
      best = scores[c];
      best_class = (uint32_t)c;
    }
  }
  *out_class = best_class;
  return best;
}

static kept_box corners(const float *box, uint32_t best_class) {
  const float half_width = box[2] / 2.0f, half_height = box[3] / 2.0f;
  return (kept_box){
      .left = box[0] - half_width,
      .top = box[1] - half_height,
      .right = box[0] + half_width,
      .bottom = box[1] + half_height,
      .area = box[2] * box[3],
      .best_class = best_class,
  };
}

// Without a division where boxes do not meet, which are most.
static bool overlaps(const kept_box *a, const kept_box *b, float threshold) {
  const float width = fminf(a->right, b->right) - fmaxf(a->left, b->left);
  const float height = fminf(a->bottom, b->bottom) - fmaxf(a->top, b->top);
  const bool meet = width > 0.0f && height > 0.0f;
  if (!meet) return threshold < 0.0f;
  const double intersection = (double)width * (double)height;
  const double both = (double)(a->area + b->area) - intersection;
  return intersection / (both > 1e-12 ? both : 1e-12) > (double)threshold;
}

// Ranks the rows above the threshold, or the best one where there are none.
static void rank(fov_ranking *ranking, float threshold, const float *scores, size_t rows,
                 size_t classes) {
  uint32_t ignored;
  for (size_t i = 0; i < rows; i++) {
    const float best = best_score(scores + i * classes, classes, &ignored);
    if (best > threshold) fov_ranking_add(ranking, best, i);
  }
  if (ranking->count > 0) {
    fov_ranking_sort(ranking);
    return;
  }
  ranking->capacity = 1;
  for (size_t i = 0; i < rows; i++) {
    fov_ranking_add(ranking, best_score(scores + i * classes, classes, &ignored), i);
  }
}

static size_t keep(const fov_box_suppression *suppression, const fov_ranking *ranking,
                   const float *boxes, const float *scores, size_t classes, kept_box *kept,
                   float *out) {
  size_t count = 0;
  for (size_t r = 0; r < ranking->count && count < suppression->maximum_boxes; r++) {
    const size_t row = ranking->entries[r].index;
    uint32_t best_class;
    best_score(scores + row * classes, classes, &best_class);
    const kept_box box = corners(boxes + row * 4, best_class);
    bool is_kept = true;
    for (size_t k = 0; k < count && is_kept; k++) {
      if (suppression->per_class && kept[k].best_class != best_class) continue;
      is_kept = !overlaps(&box, &kept[k], suppression->iou_threshold);
    }
    if (!is_kept) continue;
    kept[count] = box;
    out[count++] = (float)row;
  }
  return count;
}

static void run(const fov_run *run) {
  const fov_box_suppression *suppression = run->parameters;
  const fov_shape *shape = run->inputs[1].shape;
  const size_t rows = shape->dims[1], classes = shape->dims[2];
  memory memory;
  plan_memory(suppression, run->inputs[0].shape, &memory);
  uint8_t *bytes = run->workspace;
  float *out = fov_run_output(run);
  for (size_t n = 0; n < shape->dims[0]; n++, out += suppression->maximum_boxes) {
    const float *boxes = fov_run_input(run, 0) + n * rows * 4;
    const float *scores = fov_run_input(run, 1) + n * rows * classes;
    fov_ranking ranking = {.entries = (fov_ranked *)(void *)(bytes + memory.ranked),
                           .capacity = rows};
    rank(&ranking, suppression->score_threshold, scores, rows, classes);
    size_t count = keep(suppression, &ranking, boxes, scores, classes,
                        (kept_box *)(void *)(bytes + memory.kept), out);
    for (; count < suppression->maximum_boxes; count++) out[count] = -1.0f;
  }
}

static void archive(fov_archive *archive, void *parameters) {
  fov_box_suppression *suppression = parameters;
  fov_archive_f32(archive, &suppression->iou_threshold);
  fov_archive_f32(archive, &suppression->score_threshold);
  fov_archive_size(archive, &suppression->maximum_boxes);
  fov_archive_bool(archive, &suppression->per_class);
}

const fov_operation fov_operation_suppression_indices = {
    .name = "suppression_indices",
    .infer_shape = infer_shape,
    .workspace = workspace,
    .run = run,
    .archive = archive,
    .parameter_bytes = sizeof(fov_box_suppression),
    .input_count = 2,
};
