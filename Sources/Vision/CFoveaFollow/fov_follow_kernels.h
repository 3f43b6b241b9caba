// Fovea - the parts of a follower that compute much, for the vectors of a processor.
// SPDX-License-Identifier: Apache-2.0
//
// Each set comes from the same sources, compiled for other instructions: fov_patch.c,
// fov_features.c, fov_fourier.c, fov_filter.c and fov_align.c. Every operation is rounded alike, so
// that all sets give the same results, bit for bit.
#ifndef FOV_FOLLOW_KERNELS_H
#define FOV_FOLLOW_KERNELS_H

#include "fov_align.h"
#include "fov_features.h"
#include "fov_filter.h"

typedef struct fov_follow_kernels {
  void (*features)(fov_feature_scratch *scratch, const fov_picture *picture,
                   const fov_follow_box *window, size_t cells, size_t groups, fov_lanes *out_map);
  void (*taper)(size_t cells, size_t groups, const float *taper, fov_lanes *map);
  void (*filter_learn)(fov_filter *filter, const fov_lanes *map);
  void (*filter_learn_seen)(fov_filter *filter, float across, float down);
  void (*filter_respond)(fov_filter *filter, const fov_lanes *map, float *out_response);
  float (*align_fit)(fov_align *align, const fov_view *view, fov_pose *pose);
  void (*align_learn)(fov_align *align, const fov_view *view, const fov_pose *pose);
} fov_follow_kernels;

// The functions as they are called in the file where this stands.
#define FOV_FOLLOW_KERNELS                                                                         \
  {                                                                                                \
    fov_features, fov_features_taper, fov_filter_learn, fov_filter_learn_seen, fov_filter_respond, \
        fov_align_fit, fov_align_learn                                                             \
  }

// Of the instructions that the compiler may use everywhere.
extern const fov_follow_kernels fov_follow_kernels_plain __attribute__((visibility("hidden")));
#if defined(__x86_64__)
extern const fov_follow_kernels fov_follow_kernels_avx2 __attribute__((visibility("hidden")));
#endif

#endif
