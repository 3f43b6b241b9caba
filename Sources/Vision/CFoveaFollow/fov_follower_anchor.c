// Fovea - correcting a follower by detections of the same picture.
// SPDX-License-Identifier: Apache-2.0
#include "fov_exact_functions.h"
#include "fov_follower.h"

static const float same_overlap = 0.5f;         // intersection over union
static const float drifted_overlap = 0.75f;     // below: what was learned lies beside the object
static const float same_likeness = 0.8f;        // to the remembered view, over the usual
static const float upright = 0.1f;              // radians: width and height are taken as they are
static const float detected_confidence = 0.5f;  // at least: a detector has seen it, too

static float shared(float a, float a_length, float b, float b_length) {
  const float begin = a > b ? a : b;
  const float end = a + a_length < b + b_length ? a + a_length : b + b_length;
  return end > begin ? end - begin : 0;
}

static float overlap(const fov_follow_box *a, const fov_follow_box *b) {
  const float both =
      shared(a->left, a->width, b->left, b->width) * shared(a->top, a->height, b->top, b->height);
  const float all = a->width * a->height + b->width * b->height - both;
  return all > 0 ? both / all : 0;
}

// The pose whose frame is the box. A turned object keeps its shape.
static fov_pose pose_in(const fov_follower *f, const fov_follow_box *box) {
  const fov_follow_box frame = fov_follower_frame(f);
  float across = box->width / frame.width, down = box->height / frame.height;
  if (fabsf(f->pose.angle) > upright) across = down = sqrtf(across * down);
  return (fov_pose){box->left + box->width / 2, box->top + box->height / 2, f->pose.across * across,
                    f->pose.down * down, f->pose.angle};
}

// How much the picture looks like the object in the box, over the usual.
static float likeness_in(fov_follower *f, const fov_picture *picture, const fov_follow_box *box) {
  const fov_pose kept = f->pose;
  f->pose = pose_in(f, box);
  fov_follower_see(f, picture, f->pose.x, f->pose.y);
  const fov_view view = fov_follower_view(f);
  fov_pose fitted = f->pose;
  const float likeness = f->kernels->align_fit(&f->align, &view, &fitted);
  f->pose = kept;
  return likeness / f->usual_likeness;
}

static size_t choose(fov_follower *f, const fov_picture *picture, const fov_follow_box *boxes,
                     size_t count) {
  const fov_follow_box frame = fov_follower_frame(f);
  const bool followed = f->unsure_pictures == 0;
  float best = followed ? same_overlap : same_likeness;
  size_t chosen = count;
  for (size_t i = 0; i < count; i++) {
    if (fov_follower_check_box(picture, &boxes[i]) != fov_follow_status_ok) continue;
    const float value = followed ? overlap(&frame, &boxes[i]) : likeness_in(f, picture, &boxes[i]);
    if (value > best) {
      best = value;
      chosen = i;
    }
  }
  return chosen;
}

// What was learned of a box that had drifted off the object is forgotten.
static void take(fov_follower *f, const fov_picture *picture, const fov_follow_box *box) {
  const fov_follow_box frame = fov_follower_frame(f);
  if (f->unsure_pictures > 0) {
    f->speed_x = f->speed_y = 0;
  } else if (overlap(&frame, box) < drifted_overlap) {
    f->filter.learned = f->align.learned = false;
    fov_follower_expect_usual(f);
  }
  f->pose = pose_in(f, box);
  fov_follower_seen(f);
  fov_follower_learn(f, picture, NULL);
  const fov_view view = fov_follower_view(f);
  f->kernels->align_learn(&f->align, &view, &f->pose);
  if (f->confidence < detected_confidence) f->confidence = detected_confidence;
}

fov_follow_status fov_follower_anchor(fov_follower *f, const fov_picture *picture,
                                      const fov_follow_box *boxes, size_t count, size_t *out_index,
                                      fov_follow_result *out_result) {
  const fov_follow_status status = fov_follower_check_picture(picture);
  if (status != fov_follow_status_ok) return status;
  if (!f->started) return fov_follow_status_not_started;
  if (picture->luma.width != f->width || picture->luma.height != f->height) {
    return fov_follow_status_invalid_picture;
  }
  const size_t chosen = choose(f, picture, boxes, count);
  if (chosen < count) take(f, picture, &boxes[chosen]);
  *out_index = chosen;
  fov_follower_fill(f, out_result);
  return fov_follow_status_ok;
}
