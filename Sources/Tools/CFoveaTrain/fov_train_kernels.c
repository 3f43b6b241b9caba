// Fovea - the loops of training for any processor, and the choice of a set.
// SPDX-License-Identifier: Apache-2.0
#include "fov_train_kernels.h"

#include <math.h>

#include "fov_train_loops.h"
#include "fovea/core/fov_types.h"

const fov_train_kernels fov_train_kernels_plain = FOV_TRAIN_KERNELS;

const fov_train_kernels *fov_train_kernels_best(void) {
#if defined(__x86_64__)
  if (fov_instruction_set_is_available(fov_instruction_set_avx512)) {
    return &fov_train_kernels_avx512;
  }
  if (fov_instruction_set_is_available(fov_instruction_set_avx2)) return &fov_train_kernels_avx2;
#endif
  return &fov_train_kernels_plain;
}

bool fov_unary_is_told_by_result(const fov_unary *unary) {
  switch (unary->function) {
    case fov_unary_linear:
    case fov_unary_relu:
    case fov_unary_clip:
    case fov_unary_sigmoid:
    case fov_unary_tanh: return true;
    case fov_unary_leaky_relu:
    case fov_unary_clamped_relu:
    case fov_unary_elu:
    case fov_unary_hard_sigmoid: return unary->alpha > 0;
    default: return false;
  }
}

bool fov_train_end_of(const fov_unary *unary, fov_train_end *out_end) {
  out_end->slope = 1;
  out_end->bound = INFINITY;
  if (!unary) return true;
  switch (unary->function) {
    case fov_unary_relu: out_end->slope = 0; return true;
    case fov_unary_leaky_relu: out_end->slope = unary->alpha; return unary->alpha <= 1;
    case fov_unary_clamped_relu:
      out_end->slope = unary->alpha;
      out_end->bound = unary->beta;
      return unary->alpha <= 1 && unary->beta > 0;
    case fov_unary_clip:
      out_end->slope = 0;
      out_end->bound = unary->beta;
      return unary->alpha == 0 && unary->beta > 0;
    default: return false;
  }
}
