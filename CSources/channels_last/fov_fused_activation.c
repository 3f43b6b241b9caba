// Fovea - the activation that a convolution applies to its sums.
// SPDX-License-Identifier: Apache-2.0
#include "channels_last/fov_fused_activation.h"

#include <math.h>

fov_fused_activation fov_fused_activation_none(void) {
  return (fov_fused_activation){.slope = 1.0f, .lowest = -INFINITY, .highest = INFINITY};
}

bool fov_fused_activation_from_unary(const fov_unary *unary, fov_fused_activation *out_activation) {
  fov_fused_activation activation = fov_fused_activation_none();
  switch (unary->function) {
    case fov_unary_relu: activation.lowest = 0.0f; break;
    case fov_unary_threshold: activation.lowest = unary->alpha; break;
    case fov_unary_leaky_relu: activation.slope = unary->alpha; break;
    case fov_unary_clip:
      activation.lowest = unary->alpha;
      activation.highest = unary->beta;
      break;
    case fov_unary_clamped_relu:
      activation.slope = unary->alpha;
      activation.highest = unary->beta;
      break;
    default: return false;
  }
  // x >= 0 ? x : slope * x is max(x, slope * x) only for these slopes. NaN is no bound.
  if (!(activation.slope >= 0.0f && activation.slope <= 1.0f)) return false;
  if (!(activation.lowest <= activation.highest)) return false;
  *out_activation = activation;
  return true;
}

bool fov_fused_activation_is_linear(const fov_fused_activation *activation) {
  return activation->slope == 1.0f && !isfinite(activation->lowest) &&
         !isfinite(activation->highest) && !activation->has_table;
}

void fov_fused_activation_archive(fov_archive *archive, fov_fused_activation *activation) {
  fov_archive_f32(archive, &activation->slope);
  fov_archive_f32(archive, &activation->lowest);
  fov_archive_f32(archive, &activation->highest);
  fov_archive_bool(archive, &activation->has_residual);
  fov_archive_bool(archive, &activation->has_table);
  FOV_ARCHIVE_ENUM(archive, activation->curve, fov_float_curve_gelu);
  fov_archive_f32(archive, &activation->alpha);
  fov_archive_f32(archive, &activation->least);
  fov_archive_bool(archive, &activation->has_factors);
}
