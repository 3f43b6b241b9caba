// Fovea - functions of one element in training, and their derivatives.
// SPDX-License-Identifier: Apache-2.0
#include <math.h>

#include "fov_train_loops.h"

// MARK: Exponentials

#if defined(FOV_TRAIN_DOUBLE)

FOV_TRAIN_INLINE double exponential(double x) { return exp(x); }

#else

// exp(x) with a relative error below 3e-7, in steps that eight lanes can take at once: 2^n * e^r.
FOV_TRAIN_INLINE float exponential(float x) {
  const float clamped = x < -87.0f ? -87.0f : x > 88.0f ? 88.0f : x;
  const float magic = 12582912.0f;  // rounds to a whole number
  const float n = (clamped * 1.44269504f + magic) - magic;
  const float r = (clamped - n * 0.693359375f) + n * 2.12194440e-4f;
  float p = 1.9875691e-4f;
  p = p * r + 1.3981999e-3f;
  p = p * r + 8.3334519e-3f;
  p = p * r + 4.1665796e-2f;
  p = p * r + 1.6666666e-1f;
  p = p * r + 0.5f;
  const float part = p * r * r + r + 1;
  union {
    int32_t bits;
    float value;
  } power = {.bits = ((int32_t)n + 127) << 23};
  return part * power.value;
}

#endif

FOV_TRAIN_INLINE fov_real logistic(fov_real x) { return 1 / (1 + exponential(-x)); }

FOV_TRAIN_INLINE fov_real hyperbolic(fov_real x) { return 2 * logistic(2 * x) - 1; }

FOV_TRAIN_INLINE fov_real least(fov_real a, fov_real b) { return a < b ? a : b; }
FOV_TRAIN_INLINE fov_real greatest(fov_real a, fov_real b) { return a > b ? a : b; }

// MARK: Values and derivatives

FOV_TRAIN_INLINE fov_real value_of(fov_unary_function function, fov_real alpha, fov_real beta,
                                   fov_real x) {
  switch (function) {
    case fov_unary_linear: return alpha * x + beta;
    case fov_unary_relu: return greatest(x, 0);
    case fov_unary_leaky_relu: return x > 0 ? x : alpha * x;
    case fov_unary_clip: return least(greatest(x, alpha), beta);
    case fov_unary_clamped_relu: return least(x > 0 ? x : alpha * x, beta);
    case fov_unary_sigmoid: return logistic(x);
    case fov_unary_hard_sigmoid: return least(greatest(alpha * x + beta, 0), 1);
    case fov_unary_tanh: return hyperbolic(x);
    case fov_unary_elu: return x > 0 ? x : alpha * (exponential(x) - 1);
    case fov_unary_softplus: return greatest(x, 0) + (fov_real)log1p(exp(x > 0 ? -x : x));
    case fov_unary_silu: return x * logistic(x);
    case fov_unary_hard_silu:
      return x < beta ? 0 : x * least(greatest(alpha * x + (fov_real)0.5, 0), 1);
    default: return x;
  }
}

// From the result y; linear needs none.
FOV_TRAIN_INLINE fov_real slope_told(fov_unary_function function, fov_real alpha, fov_real beta,
                                     fov_real y) {
  switch (function) {
    case fov_unary_linear: return alpha;
    case fov_unary_relu: return y > 0 ? 1 : 0;
    case fov_unary_leaky_relu: return y > 0 ? 1 : alpha;
    case fov_unary_clip: return y > alpha && y < beta ? 1 : 0;
    case fov_unary_clamped_relu: return y >= beta ? 0 : y > 0 ? 1 : alpha;
    case fov_unary_sigmoid: return y * (1 - y);
    case fov_unary_hard_sigmoid: return y > 0 && y < 1 ? alpha : 0;
    case fov_unary_tanh: return 1 - y * y;
    case fov_unary_elu: return y > 0 ? 1 : y + alpha;
    default: return 1;
  }
}

FOV_TRAIN_INLINE fov_real slope_of(fov_unary_function function, fov_real alpha, fov_real beta,
                                   fov_real x) {
  switch (function) {
    case fov_unary_softplus: return logistic(x);
    case fov_unary_silu: {
      const fov_real s = logistic(x);
      return s * (1 + x * (1 - s));
    }
    case fov_unary_hard_silu: {
      const fov_real t = alpha * x + (fov_real)0.5;
      return x < beta || t <= 0 ? 0 : t >= 1 ? 1 : t + alpha * x;
    }
    default: return slope_told(function, alpha, beta, value_of(function, alpha, beta, x));
  }
}

// The loop of each function by itself, so that nothing is chosen inside.
#define FOR_FUNCTION(body)                                                                        \
  switch (unary->function) {                                                                      \
    case fov_unary_linear:                                                                        \
      body(fov_unary_linear) case fov_unary_relu : body(fov_unary_relu) case fov_unary_leaky_relu \
          : body(fov_unary_leaky_relu) case fov_unary_clip                                        \
          : body(fov_unary_clip) case fov_unary_clamped_relu                                      \
          : body(fov_unary_clamped_relu) case fov_unary_sigmoid                                   \
          : body(fov_unary_sigmoid) case fov_unary_hard_sigmoid                                   \
          : body(fov_unary_hard_sigmoid) case fov_unary_tanh                                      \
          : body(fov_unary_tanh) case fov_unary_elu : body(fov_unary_elu) case fov_unary_softplus \
          : body(fov_unary_softplus) case fov_unary_silu                                          \
          : body(fov_unary_silu) case fov_unary_hard_silu : body(fov_unary_hard_silu) default     \
          : return;                                                                               \
  }

#define PARAMETERS const fov_real alpha = unary->alpha, beta = unary->beta

FOV_TRAIN_KERNEL void fov_train_apply(const fov_unary *unary, const fov_real *in, size_t count,
                                      fov_real *out) {
  PARAMETERS;
#define BODY(name)                                                                \
  for (size_t i = 0; i < count; i++) out[i] = value_of(name, alpha, beta, in[i]); \
  return;
  FOR_FUNCTION(BODY)
#undef BODY
}

FOV_TRAIN_KERNEL void fov_train_derive(const fov_unary *unary, const fov_real *restrict in,
                                       const fov_real *restrict out_gradient, size_t count,
                                       bool adds, fov_real *restrict in_gradient) {
  PARAMETERS;
#define BODY(name)                                                            \
  if (adds) {                                                                 \
    for (size_t i = 0; i < count; i++) {                                      \
      in_gradient[i] += out_gradient[i] * slope_of(name, alpha, beta, in[i]); \
    }                                                                         \
  } else {                                                                    \
    for (size_t i = 0; i < count; i++) {                                      \
      in_gradient[i] = out_gradient[i] * slope_of(name, alpha, beta, in[i]);  \
    }                                                                         \
  }                                                                           \
  return;
  FOR_FUNCTION(BODY)
#undef BODY
}

// MARK: Behind and in front of convolutions

FOV_TRAIN_KERNEL void fov_train_finish(const fov_unary *unary, const fov_real *bias, size_t pixels,
                                       size_t channels, fov_real *values) {
  if (bias) {
    for (size_t p = 0; p < pixels; p++) {
      fov_real *row = values + p * channels;
      for (size_t c = 0; c < channels; c += FOV_TRAIN_LANES) {
        FOV_LANES_AT(row + c) += FOV_LANES_FROM(bias + c);
      }
    }
  }
  if (unary) fov_train_apply(unary, values, pixels * channels, values);
}

static void multiply_slopes(const fov_unary *unary, const fov_real *restrict results, size_t count,
                            fov_real *restrict gradient) {
  PARAMETERS;
#define BODY(name)                                                                             \
  for (size_t i = 0; i < count; i++) gradient[i] *= slope_told(name, alpha, beta, results[i]); \
  return;
  FOR_FUNCTION(BODY)
#undef BODY
}

// Sums of so many pixels at most are added one after the other; long sums of floats lose digits.
#define PIXELS_OF_A_SUM 256

// Both at once, where the activation is that of an end.
static void unfinish_end(const fov_train_end *end, const fov_real *restrict results, size_t pixels,
                         size_t channels, fov_real *restrict gradient,
                         fov_real *restrict bias_gradient) {
  const fov_real slope = end->slope, bound = end->bound;
  for (size_t p = 0; p < pixels; p++) {
    const fov_real *restrict y = results + p * channels;
    fov_real *restrict g = gradient + p * channels;
    for (size_t c = 0; c < channels; c++) {
      const fov_real own = y[c] > 0 ? g[c] : slope * g[c];
      g[c] = y[c] >= bound ? 0 : own;
      bias_gradient[c] += g[c];
    }
  }
}

FOV_TRAIN_KERNEL void fov_train_unfinish(const fov_unary *unary, const fov_real *results,
                                         size_t pixels, size_t channels, fov_real *gradient,
                                         fov_real *bias_gradient) {
  fov_train_end end;
  if (unary && bias_gradient && pixels <= PIXELS_OF_A_SUM && fov_train_end_of(unary, &end)) {
    unfinish_end(&end, results, pixels, channels, gradient, bias_gradient);
    return;
  }
  if (unary) multiply_slopes(unary, results, pixels * channels, gradient);
  if (!bias_gradient) return;
  for (size_t c = 0; c < channels; c += FOV_TRAIN_LANES) {
    for (size_t first = 0; first < pixels; first += PIXELS_OF_A_SUM) {
      const size_t end = first + PIXELS_OF_A_SUM < pixels ? first + PIXELS_OF_A_SUM : pixels;
      fov_train_lanes sum = {0};
      for (size_t p = first; p < end; p++) sum += FOV_LANES_FROM(gradient + p * channels + c);
      FOV_LANES_AT(bias_gradient + c) += sum;
    }
  }
}
