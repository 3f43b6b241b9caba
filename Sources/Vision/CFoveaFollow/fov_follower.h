// Fovea - the memory of a follower, and what its parts ask of one another.
// SPDX-License-Identifier: Apache-2.0
//
// The path of a picture. Luma and two color differences, at any resolution, are read in place.
//
// 1. fov_follower_look.c reads a window around the expected place (fov_patch.c) into cells of
//    gradients and colors (fov_features.c).
// 2. A correlation filter (fov_filter.h) says where the object is in the window.
// 3. A remembered view is fitted there: place, width, height and angle (fov_align.c).
// 4. Response and likeness, each over its usual value, decide what follows
//    (fov_follower_belief.c): learn, move along, or guess and search around.
//
// All arithmetic has a fixed order, and no function of the system's library is called whose last
// bits differ. So every machine finds the same boxes (Scripts/checks/processors).
#ifndef FOV_FOLLOWER_H
#define FOV_FOLLOWER_H

#include "fov_follow_kernels.h"

struct fov_follower {
  const fov_follow_kernels *kernels;
  size_t cells, groups;
  float window;  // the window's side over the square root of the object's area
  fov_filter filter;
  fov_align align;
  fov_feature_scratch features;
  float taper[FOV_CELLS_MAX];
  fov_lanes *map;  // features of a window
  float *response;
  bool started;
  size_t width, height;  // of the picture
  float first_width, first_height;
  fov_pose pose;
  float speed_x, speed_y;  // pixels a second
  double interval;         // seconds between the last two pictures
  size_t steps;            // pictures since the start
  // Usual values while the object is seen. The response is 0 before the first.
  float usual_response, usual_likeness;
  size_t unsure_pictures;  // in a row, in which nothing was learned
  double unsure_seconds;
  size_t ring_place;     // the last of the windows that are searched in turn
  float seen_x, seen_y;  // middle of the window that `features` holds
  float confidence;      // of the last result
};

// What a window showed.
typedef struct fov_finding {
  fov_pose pose;             // fitted
  float window_x, window_y;  // the window's middle
  float window_width, window_height;
  float peak_x, peak_y;          // where the filter responded most
  float response;                // how clearly, over the usual
  float raw_response;            // before that division
  float likeness, raw_likeness;  // to the remembered view, the same
} fov_finding;

// The window around (x, y), as large as the object's pose asks for.
FOV_HIDDEN fov_follow_box fov_follower_window(const fov_follower *follower, float x, float y);

// Reads the window around (x, y) into `features` and `map`.
FOV_HIDDEN void fov_follower_see(fov_follower *follower, const fov_picture *picture, float x,
                                 float y);

// The patch that `features` holds, as a view.
FOV_HIDDEN fov_view fov_follower_view(const fov_follower *follower);

// Looks for the object around (x, y), and again around the place where it is found, if that is far
// from the window's middle: there the window's taper hides it. Returns how many windows it read.
FOV_HIDDEN size_t fov_follower_look(fov_follower *follower, const fov_picture *picture, float x,
                                    float y, fov_finding *out_finding);

// The next of the windows around the last place, ring by ring, that lies in the picture.
FOV_HIDDEN bool fov_follower_next_place(fov_follower *follower, float *out_x, float *out_y);

// Learns the object at its pose; `finding` NULL begins.
FOV_HIDDEN void fov_follower_learn(fov_follower *follower, const fov_picture *picture,
                                   const fov_finding *finding);

// MARK: Belief

// Not seen for so long that only a clear view counts as the object.
FOV_HIDDEN bool fov_follower_is_lost(const fov_follower *follower);
// Clear enough to be the object at a place where it was not expected.
FOV_HIDDEN bool fov_follower_is_found(const fov_finding *finding);
// Clear enough to move along with it.
FOV_HIDDEN bool fov_follower_may_follow(const fov_follower *follower, const fov_finding *finding);
// Clear enough to learn from it.
FOV_HIDDEN bool fov_follower_may_learn(const fov_finding *finding);
FOV_HIDDEN float fov_follower_confidence(const fov_finding *finding, bool followed);
// The frame of the turned rectangle.
FOV_HIDDEN fov_follow_box fov_follower_frame(const fov_follower *follower);
FOV_HIDDEN void fov_follower_fill(const fov_follower *follower, fov_follow_result *out);
// Before anything is known, and after each picture that is learned.
FOV_HIDDEN void fov_follower_expect_usual(fov_follower *follower);
FOV_HIDDEN void fov_follower_update_usual(fov_follower *follower, const fov_finding *finding);
FOV_HIDDEN void fov_follower_seen(fov_follower *follower);
FOV_HIDDEN void fov_follower_not_seen(fov_follower *follower);

// MARK: Checks

FOV_HIDDEN fov_follow_status fov_follower_check_picture(const fov_picture *picture);
FOV_HIDDEN fov_follow_status fov_follower_check_box(const fov_picture *picture,
                                                    const fov_follow_box *box);

#endif
