// Fovea - following one object: what is believed of it from picture to picture.
// SPDX-License-Identifier: Apache-2.0
#include "fov_follower.h"

#include "fov_exact_functions.h"

static const float pose_likeness = 0.5f;  // of the fit itself: enough to believe its size and angle
static const float visible_to_learn = 0.8f, visible_to_follow = 0.15f;
static const float smallest_side = 3, coasting = 0.9f;
static const size_t enough_windows = 3;  // of a picture, while the object is not seen

// MARK: Starting

static void forget(fov_follower *f) {
  f->speed_x = f->speed_y = 0;
  f->interval = 1.0 / 25;
  f->steps = f->unsure_pictures = 0;
  f->unsure_seconds = 0;
  fov_follower_expect_usual(f);
  f->confidence = 1;
}

fov_follow_status fov_follower_start(fov_follower *f, const fov_picture *picture,
                                     const fov_follow_box *box) {
  fov_follow_status status = fov_follower_check_picture(picture);
  if (status == fov_follow_status_ok) status = fov_follower_check_box(picture, box);
  if (status != fov_follow_status_ok) return status;
  forget(f);
  f->width = picture->luma.width;
  f->height = picture->luma.height;
  f->first_width = box->width;
  f->first_height = box->height;
  f->pose = (fov_pose){box->left + box->width / 2, box->top + box->height / 2, 1, 1, 0};
  const float cell = f->window * sqrtf(box->width * box->height) / (float)f->cells;
  fov_filter_begin(&f->filter, box->width / cell, box->height / cell);
  fov_align_begin(&f->align, box->width, box->height);
  fov_follower_learn(f, picture, NULL);
  const fov_view view = fov_follower_view(f);
  f->kernels->align_learn(&f->align, &view, &f->pose);
  f->started = true;
  return fov_follow_status_ok;
}

// MARK: Places

// A picture of another size shows the same at another resolution.
static void take_size(fov_follower *f, const fov_picture *picture) {
  const float across = (float)picture->luma.width / (float)f->width;
  const float down = (float)picture->luma.height / (float)f->height;
  f->width = picture->luma.width;
  f->height = picture->luma.height;
  f->pose.x *= across;
  f->pose.y *= down;
  f->pose.across *= across;
  f->pose.down *= down;
  f->speed_x *= across;
  f->speed_y *= down;
}

// The middle stays at most half an object outside of the picture.
static void keep_near(const fov_follower *f, float *x, float *y) {
  const float width = f->first_width * f->pose.across, height = f->first_height * f->pose.down;
  *x = fov_clamp(*x, -width / 2, (float)f->width + width / 2);
  *y = fov_clamp(*y, -height / 2, (float)f->height + height / 2);
}

static float share_inside(float middle, float length, float side) {
  const float begin = fov_clamp(middle - length / 2, 0, side);
  const float end = fov_clamp(middle + length / 2, 0, side);
  return (end - begin) / length;
}

static float visible_share(const fov_follower *f, float x, float y) {
  return share_inside(x, f->first_width * f->pose.across, (float)f->width) *
         share_inside(y, f->first_height * f->pose.down, (float)f->height);
}

static void keep_size(const fov_follower *f, fov_pose *pose) {
  pose->across =
      fov_clamp(pose->across, smallest_side / f->first_width, 2 * (float)f->width / f->first_width);
  pose->down = fov_clamp(pose->down, smallest_side / f->first_height,
                         2 * (float)f->height / f->first_height);
}

// MARK: Steps

static void predict(const fov_follower *f, float *x, float *y) {
  *x = f->pose.x + f->speed_x * (float)f->interval;
  *y = f->pose.y + f->speed_y * (float)f->interval;
  keep_near(f, x, y);
}

// Looks where the object is expected, and elsewhere in turn while it is not seen.
static bool find(fov_follower *f, const fov_picture *picture, float x, float y,
                 fov_finding *out_found) {
  size_t windows = fov_follower_look(f, picture, x, y, out_found);
  const bool expected = fov_follower_may_follow(f, out_found);
  if (expected || f->unsure_pictures == 0) return expected;
  do {
    float other_x, other_y;
    if (!fov_follower_next_place(f, &other_x, &other_y)) return false;
    fov_finding other;
    windows += fov_follower_look(f, picture, other_x, other_y, &other);
    if (fov_follower_is_found(&other)) {
      *out_found = other;
      return true;
    }
  } while (windows < enough_windows);
  return false;
}

// A place that was searched for says nothing about speed.
static void move(fov_follower *f, const fov_pose *pose, bool jumped) {
  if (jumped) {
    f->speed_x = f->speed_y = 0;
  } else {
    const float rate = f->steps < 3 ? 1 : 0.5f, seconds = (float)f->interval;
    f->speed_x += ((pose->x - f->pose.x) / seconds - f->speed_x) * rate;
    f->speed_y += ((pose->y - f->pose.y) / seconds - f->speed_y) * rate;
  }
  f->pose = *pose;
}

// Moves to what was found. `features` still holds the window in which it was.
static void follow(fov_follower *f, const fov_finding *found, bool learns, bool jumped) {
  fov_pose pose = f->pose;
  if (learns && found->raw_likeness > pose_likeness) {
    pose = found->pose;
  } else {
    pose.x = found->peak_x;
    pose.y = found->peak_y;
  }
  keep_near(f, &pose.x, &pose.y);
  keep_size(f, &pose);
  if (learns) {
    const fov_view view = fov_follower_view(f);
    f->kernels->align_learn(&f->align, &view, &pose);
  }
  move(f, &pose, jumped);
}

// Moves on as expected, more slowly from picture to picture.
static void coast(fov_follower *f, float x, float y) {
  f->pose.x = x;
  f->pose.y = y;
  f->speed_x *= coasting;
  f->speed_y *= coasting;
}

fov_follow_status fov_follower_step(fov_follower *f, const fov_picture *picture, double seconds,
                                    fov_follow_result *out_result) {
  const fov_follow_status status = fov_follower_check_picture(picture);
  if (status != fov_follow_status_ok) return status;
  if (!f->started) return fov_follow_status_not_started;
  if (picture->luma.width != f->width || picture->luma.height != f->height) take_size(f, picture);
  if (seconds > 0.001 && seconds < 60) f->interval = seconds;
  f->steps++;
  float x, y;
  predict(f, &x, &y);
  fov_finding found;
  const bool seen = find(f, picture, x, y, &found);
  const float visible = visible_share(f, found.peak_x, found.peak_y);
  const bool followed = seen && visible >= visible_to_follow;
  const bool sure = followed && fov_follower_may_learn(&found);
  const bool learns = sure && visible >= visible_to_learn;
  if (followed) {
    const bool elsewhere = fabsf(found.window_x - x) > 1 || fabsf(found.window_y - y) > 1;
    follow(f, &found, learns, elsewhere && f->unsure_pictures > 0);
  } else {
    coast(f, x, y);
  }
  if (sure) {
    fov_follower_seen(f);
  } else {
    fov_follower_not_seen(f);
  }
  if (learns) {
    fov_follower_update_usual(f, &found);
    fov_follower_learn(f, picture, &found);
  }
  f->confidence = fov_follower_confidence(&found, followed);
  fov_follower_fill(f, out_result);
  return fov_follow_status_ok;
}
