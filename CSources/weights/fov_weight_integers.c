// Fovea - weights that a file stores as integers of 8 bits times a scale.
// SPDX-License-Identifier: Apache-2.0
#include "weights/fov_weight_integers.h"

#include <math.h>

#include "base/fov_size.h"
#include "weights/fov_weight_decode.h"

// Codes that are looked at together.
#define CODE_RUN 256

// weight = (code - zero) * scale. A store keeps the bias -zero * scale, rounded to a float.
typedef struct coding {
  float scale, zero;
} coding;

static bool find_coding(const fov_weight_store *store, size_t row, coding *out) {
  if (store->encoding != fov_weight_encoding_linear || store->parts.columns) return false;
  const size_t begin = fov_weight_parts_row(&store->parts, row);
  const float scale = store->scale[begin], bias = store->bias[begin];
  const float zero = bias == 0.0f ? 0.0f : nearbyintf(-bias / scale);
  if (!(zero >= 0.0f && zero <= 255.0f) || (float)((double)zero * (double)scale) != -bias) {
    return false;
  }
  *out =
      (coding){.scale = store->row_factor ? scale * store->row_factor[row] : scale, .zero = zero};
  return isfinite(out->scale);
}

bool fov_weight_integers(const fov_weight_store *store, size_t row, int8_t *out_integers,
                         float *out_scale) {
  coding coding;
  if (!find_coding(store, row, &coding)) return false;
  // Kernels want a scale above 0.
  const int sign = coding.scale > 0.0f ? 1 : coding.scale < 0.0f ? -1 : 0;
  uint8_t codes[CODE_RUN];
  for (size_t done = 0; done < store->columns; done += CODE_RUN) {
    const size_t count = fov_size_min(CODE_RUN, store->columns - done);
    fov_weight_codes(store, row * store->columns + done, count, codes);
    for (size_t i = 0; i < count; i++) {
      const int integer = sign * (codes[i] - (int)coding.zero);
      if (integer < -128 || integer > 127) return false;
      if (out_integers) out_integers[done + i] = (int8_t)integer;
    }
  }
  *out_scale = sign == 0 ? 1.0f : fabsf(coding.scale);
  return true;
}
