// Fovea - judging what was found: whether it is the object, and how sure that is.
// SPDX-License-Identifier: Apache-2.0
#include "fov_exact_functions.h"
#include "fov_follower.h"

// Two witnesses: the response of the filter, and the likeness of the fitted view, each over its
// usual value. Both are 1 on good days; both fall where the object is hidden or gone.
// Enough to learn from, to move along, and to have found the object again.
static const float learn_response = 0.4f, learn_likeness = 0.7f;
static const float follow_response = 0.25f, follow_likeness = 0.2f;
static const float find_response = 0.5f, find_likeness = 0.8f;
static const float lost_seconds = 0.32f;
static const size_t lost_pictures = 5;
static const float usual_rate = 0.05f, least_likeness = 0.1f;
static const float expected_likeness = 0.7f;  // to the first view, before any is known

fov_follow_box fov_follower_frame(const fov_follower *f) {
  float s, c;
  fov_sine_cosine(f->pose.angle, &s, &c);
  const float width = f->first_width * f->pose.across, height = f->first_height * f->pose.down;
  const float across = fabsf(c) * width + fabsf(s) * height;
  const float down = fabsf(s) * width + fabsf(c) * height;
  return (fov_follow_box){f->pose.x - across / 2, f->pose.y - down / 2, across, down};
}

// MARK: Judging

// Of response times likeness. At a confidence of 0.3, half of the boxes are wrong
// (Benchmarks/History/following.md).
static const float even_evidence = 0.35f, evidence_spread = 0.08f;

bool fov_follower_is_lost(const fov_follower *f) {
  return f->unsure_pictures >= lost_pictures && f->unsure_seconds > lost_seconds;
}

bool fov_follower_is_found(const fov_finding *found) {
  return found->response >= find_response && found->likeness >= find_likeness;
}

bool fov_follower_may_follow(const fov_follower *f, const fov_finding *found) {
  if (fov_follower_is_lost(f)) return fov_follower_is_found(found);
  return found->response >= follow_response && found->likeness >= follow_likeness;
}

bool fov_follower_may_learn(const fov_finding *found) {
  return found->response >= learn_response && found->likeness >= learn_likeness;
}

float fov_follower_confidence(const fov_finding *found, bool followed) {
  const float likeness = found->likeness > 0 ? found->likeness : 0;
  const float evidence = fov_clamp(found->response * likeness, 0, 2);
  const float confidence = 1 / (1 + fov_exp((even_evidence - evidence) / evidence_spread));
  return followed || confidence < 0.25f ? confidence : 0.25f;
}

void fov_follower_fill(const fov_follower *f, fov_follow_result *out) {
  out->box = fov_follower_frame(f);
  out->confidence = f->confidence;
  out->angle = f->pose.angle;
  if (f->unsure_pictures == 0) {
    out->state = fov_follow_state_following;
  } else {
    out->state = fov_follower_is_lost(f) ? fov_follow_state_lost : fov_follow_state_uncertain;
  }
}

// MARK: Remembering

void fov_follower_expect_usual(fov_follower *f) {
  f->usual_response = 0;
  f->usual_likeness = expected_likeness;
}

void fov_follower_update_usual(fov_follower *f, const fov_finding *found) {
  const float early = 1 / (float)(f->steps + 1), rate = early > usual_rate ? early : usual_rate;
  const bool first = f->usual_response == 0;
  f->usual_response += (found->raw_response - f->usual_response) * (first ? 1 : rate);
  const float likeness = fov_clamp(found->raw_likeness, least_likeness, 1);
  f->usual_likeness += (likeness - f->usual_likeness) * (first ? 1 : rate);
}

void fov_follower_not_seen(fov_follower *f) {
  if (f->unsure_pictures == 0) f->ring_place = 0;
  f->unsure_pictures++;
  f->unsure_seconds += f->interval;
}

void fov_follower_seen(fov_follower *f) {
  f->unsure_pictures = 0;
  f->unsure_seconds = 0;
}
