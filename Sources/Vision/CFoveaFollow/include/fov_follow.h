// Fovea - following one object through the pictures of a video.
// SPDX-License-Identifier: Apache-2.0
#ifndef FOV_FOLLOW_H
#define FOV_FOLLOW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__clang__)
#define FOV_FOLLOW_ENUM __attribute__((enum_extensibility(closed)))
#else
#define FOV_FOLLOW_ENUM
#endif
#if defined(__GNUC__)
#define FOV_FOLLOW_NODISCARD __attribute__((warn_unused_result))
#else
#define FOV_FOLLOW_NODISCARD
#endif

typedef enum FOV_FOLLOW_ENUM fov_follow_status {
  fov_follow_status_ok = 0,
  fov_follow_status_invalid_picture = 1,  // no bytes, no pixels, or rows that are too short
  fov_follow_status_invalid_box = 2,      // not finite, too small, too large, or outside
  fov_follow_status_not_started = 3,      // no box was given yet
  fov_follow_status_out_of_memory = 4,
} fov_follow_status;

// How much work a picture is worth. The numbers are those of Vision's tracking levels.
typedef enum FOV_FOLLOW_ENUM fov_follow_level {
  fov_follow_level_accurate = 0,  // 64 x 64 cells of 32 channels
  fov_follow_level_fast = 1,      // 32 x 32 cells of 16 channels
} fov_follow_level;

// What the follower believes about the object in this picture.
typedef enum FOV_FOLLOW_ENUM fov_follow_state {
  fov_follow_state_following = 0,  // seen
  fov_follow_state_uncertain = 1,  // partly hidden or gone for a moment: the box is a guess
  fov_follow_state_lost = 2,       // gone for longer; it is searched for around the last box
} fov_follow_state;

// Levels 0 ... 255 of a picture, borrowed for one call. The level at (x, y) is computed from
// bytes[y * row_bytes + x * pixel_bytes + i]:
//
//   weights all 0    the byte i = 0 alone
//   otherwise        bias + sum of weights[i] times byte i, i = 0, 1, 2
typedef struct fov_plane {
  const uint8_t *bytes;
  size_t row_bytes, pixel_bytes;
  size_t width, height;  // in pixels of this plane; at most FOV_FOLLOW_SIDE_MAX
  float weights[3], bias;
} fov_plane;

#define FOV_FOLLOW_SIDE_MAX 65535

// Luma, and color differences of the same or a lower resolution. Gray pictures have no bytes in
// blue and red.
typedef struct fov_picture {
  fov_plane luma, blue, red;
} fov_picture;

// Luma and color differences (BT.601) of interleaved pixels. `order` says at which byte of a pixel
// red, green and blue lie, each 0, 1 or 2. `bytes` is borrowed.
fov_picture fov_picture_from_colors(const uint8_t *bytes, size_t row_bytes, size_t pixel_bytes,
                                    size_t width, size_t height, const uint8_t order[3]);

// In pixels of the luma plane, from its upper left corner. The left edge of a pixel is its number.
typedef struct fov_follow_box {
  float left, top, width, height;
} fov_follow_box;

typedef struct fov_follow_result {
  fov_follow_box box;  // the frame of the turned rectangle; may reach beyond the picture
  float confidence;    // 0 ... 1; below 0.3 where the object was not seen
  float angle;         // radians, clockwise, since the box was given
  fov_follow_state state;
} fov_follow_result;

// Memory of one object. One caller at a time. All memory is allocated at creation: about 1.3 MB
// (fast) or 4.6 MB (accurate).
typedef struct fov_follower fov_follower;

// has_avx2: whether processor and system let this process use AVX2, on x86-64. With it a picture
// takes two thirds of the time; the results are the same, bit for bit.
fov_follow_status fov_follower_create(fov_follow_level level, bool has_avx2,
                                      fov_follower **out_follower) FOV_FOLLOW_NODISCARD;

// NULL is allowed.
void fov_follower_destroy(fov_follower *follower);

// Begins to follow what is in `box`, which must lie in the picture by at least a tenth, have sides
// of 3 pixels or more, and be at most twice the picture's size. Forgets what was followed before.
fov_follow_status fov_follower_start(fov_follower *follower, const fov_picture *picture,
                                     const fov_follow_box *box) FOV_FOLLOW_NODISCARD;

// Finds the object in the next picture, `seconds` after the one before. If that is unknown (not
// finite, or not positive), the interval is taken for unchanged, and for 1/25 at first. A picture
// of another size is taken for the same view at another resolution.
fov_follow_status fov_follower_step(fov_follower *follower, const fov_picture *picture,
                                    double seconds,
                                    fov_follow_result *out_result) FOV_FOLLOW_NODISCARD;

// After a step, with detections in the same picture: takes the one that is the object, and corrects
// place and size. An object that is followed is the box of the largest overlap above 0.5
// (intersection over union). One that is uncertain or lost is the box that looks most like it, if
// any is like it. What was learned is kept if the box had drifted off by little. out_index is
// `count` if no box is the object. `boxes` of other kinds of objects should be left out.
fov_follow_status fov_follower_anchor(fov_follower *follower, const fov_picture *picture,
                                      const fov_follow_box *boxes, size_t count, size_t *out_index,
                                      fov_follow_result *out_result) FOV_FOLLOW_NODISCARD;

#ifdef __cplusplus
}
#endif

#endif
