// Fovea - functions of one element.
// SPDX-License-Identifier: Apache-2.0
#include "ops/fov_op_unary.h"

#include <math.h>

#include "base/fov_size.h"
#include "fovea/spi/fov_parallel.h"
#include "kernels/float/fov_exponential.h"
#include "kernels/float/fov_float_sets.h"
#include "kernels/fov_kernel_set.h"
#include "kernels/fov_loop.h"
#include "ops/fov_operation_table.h"

static const char *const names[] = {
    [fov_unary_linear] = "linear",
    [fov_unary_relu] = "relu",
    [fov_unary_leaky_relu] = "leaky_relu",
    [fov_unary_thresholded_relu] = "thresholded_relu",
    [fov_unary_clip] = "clip",
    [fov_unary_clamped_relu] = "clamped_relu",
    [fov_unary_sigmoid] = "sigmoid",
    [fov_unary_hard_sigmoid] = "hard_sigmoid",
    [fov_unary_tanh] = "tanh",
    [fov_unary_scaled_tanh] = "scaled_tanh",
    [fov_unary_elu] = "elu",
    [fov_unary_softsign] = "softsign",
    [fov_unary_softplus] = "softplus",
    [fov_unary_gelu] = "gelu",
    [fov_unary_gelu_tanh] = "gelu_tanh",
    [fov_unary_gelu_sigmoid] = "gelu_sigmoid",
    [fov_unary_sqrt] = "sqrt",
    [fov_unary_rsqrt] = "rsqrt",
    [fov_unary_inverse] = "inverse",
    [fov_unary_power] = "power",
    [fov_unary_exp] = "exp",
    [fov_unary_exp2] = "exp2",
    [fov_unary_log] = "log",
    [fov_unary_abs] = "abs",
    [fov_unary_threshold] = "threshold",
    [fov_unary_ceil] = "ceil",
    [fov_unary_floor] = "floor",
    [fov_unary_round] = "round",
    [fov_unary_sign] = "sign",
    [fov_unary_sin] = "sin",
    [fov_unary_cos] = "cos",
    [fov_unary_tan] = "tan",
    [fov_unary_asin] = "asin",
    [fov_unary_acos] = "acos",
    [fov_unary_atan] = "atan",
    [fov_unary_sinh] = "sinh",
    [fov_unary_cosh] = "cosh",
    [fov_unary_asinh] = "asinh",
    [fov_unary_acosh] = "acosh",
    [fov_unary_atanh] = "atanh",
    [fov_unary_erf] = "erf",
    [fov_unary_logical_not] = "logical_not",
    [fov_unary_truncate] = "truncate",
    [fov_unary_silu] = "silu",
    [fov_unary_quantized] = "quantized",
    [fov_unary_hard_silu] = "hard_silu",
    [fov_unary_coded_silu] = "coded_silu",
};

static bool is_known(fov_unary_function function) {
  return (size_t)function < sizeof names / sizeof names[0];
}

const char *fov_unary_name(fov_unary_function function) {
  return is_known(function) ? names[function] : "unknown function";
}

// Whether the zero point is a code, and one can divide by the scale.
static bool is_code(float zero_point, float scale) {
  return zero_point >= 0.0f && zero_point <= 255.0f && zero_point == nearbyintf(zero_point) &&
         fov_quantization_is_valid((fov_quantization){.scale = scale});
}

static fov_status infer_shape(const void *parameters, const fov_shape *inputs, size_t input_count,
                              fov_shape *out_shape, fov_diagnostic *diagnostic) {
  (void)input_count;
  const fov_unary *unary = parameters;
  if (!is_known(unary->function)) {
    return fov_fail(diagnostic, fov_status_invalid_argument,
                    "function %lld is no function of one element; expected 0 to %zu",
                    (long long)unary->function, sizeof names / sizeof names[0] - 1);
  }
  if (isnan(unary->alpha) || isnan(unary->beta)) {
    return fov_fail(diagnostic, fov_status_invalid_argument, "%s of %s is not a number",
                    isnan(unary->alpha) ? "alpha" : "beta", fov_unary_name(unary->function));
  }
  const bool coded = fov_unary_is_quantized(unary) || unary->function == fov_unary_coded_silu;
  if (coded && !is_code(unary->beta, unary->alpha)) {
    return fov_fail(diagnostic, fov_status_invalid_argument,
                    "a scale of %g and a zero point of %g for codes of 8 bits",
                    (double)unary->alpha, (double)unary->beta);
  }
  *out_shape = inputs[0];
  return fov_status_ok;
}

// Comparisons are false for NaN, and are written so that a NaN element stays NaN.

static inline float clamp(float x, float low, float high) {
  const float raised = x < low ? low : x;
  return raised > high ? high : raised;
}

// log(1 + e^x) without overflow: max(x, 0) plus a rest of at most log 2.
static inline float softplus(float x) { return (x > 0.0f ? x : 0.0f) + log1pf(expf(-fabsf(x))); }

// Adding and subtracting this rounds a number below 2^22 to an integer, halves to even.
#define ROUNDER 12582912.0f

static inline float quantized(float x, float scale, float zero_point) {
  const float steps = (clamp(x / scale, -512.0f, 512.0f) + ROUNDER) - ROUNDER;
  return (clamp(steps + zero_point, 0.0f, 255.0f) - zero_point) * scale;
}

static inline float gelu_tanh(float x) {
  const float root_two_over_pi = 0.797884561f;
  return 0.5f * x * (1.0f + tanhf(root_two_over_pi * (x + 0.044715f * x * x * x)));
}

// One loop for each function: `expression` in x. The first kind is vectorized, also in place. The
// second calls the mathematical library for each element, or is rare.
#define FOV_MAP(expression)                                         \
  do {                                                              \
    FOV_INDEPENDENT_ITERATIONS for (size_t i = 0; i < count; i++) { \
      const float x = in[i];                                        \
      out[i] = (expression);                                        \
    }                                                               \
    return;                                                         \
  } while (0)

#define FOV_MAP_CALL(expression)                        \
  do {                                                  \
    FOV_PLAIN_LOOP for (size_t i = 0; i < count; i++) { \
      const float x = in[i];                            \
      out[i] = (expression);                            \
    }                                                   \
    return;                                             \
  } while (0)

// What the mathematical library has, as it is. NULL: another function.
typedef float (*library_function)(float);

static library_function find_library_function(fov_unary_function function) {
  switch (function) {
    case fov_unary_tanh: return tanhf;
    case fov_unary_exp: return expf;
    case fov_unary_exp2: return exp2f;
    case fov_unary_log: return logf;
    case fov_unary_ceil: return ceilf;
    case fov_unary_floor: return floorf;
    case fov_unary_round: return nearbyintf;
    case fov_unary_sin: return sinf;
    case fov_unary_cos: return cosf;
    case fov_unary_tan: return tanf;
    case fov_unary_asin: return asinf;
    case fov_unary_acos: return acosf;
    case fov_unary_atan: return atanf;
    case fov_unary_sinh: return sinhf;
    case fov_unary_cosh: return coshf;
    case fov_unary_asinh: return asinhf;
    case fov_unary_acosh: return acoshf;
    case fov_unary_atanh: return atanhf;
    case fov_unary_erf: return erff;
    case fov_unary_truncate: return truncf;
    default: return NULL;
  }
}

fov_float_curve fov_unary_curve(const fov_unary *unary) {
  switch (unary->function) {
    case fov_unary_sigmoid: return fov_float_curve_sigmoid;
    case fov_unary_silu: return fov_float_curve_silu;
    case fov_unary_hard_silu: return fov_float_curve_hard_silu;
    case fov_unary_gelu: return fov_float_curve_gelu;
    default: return fov_float_curve_none;
  }
}

static bool apply_curve(const fov_float_kernels *kernels, const fov_unary *unary, const float *in,
                        float *out, size_t count) {
  const fov_float_finish finish = {
      .curve = fov_unary_curve(unary),
      .alpha = unary->alpha,
      .least = unary->beta,
      .sums = in,
      .results = out,
      .pixel = 1,
      .pixels = 1,
      .channels = count,
  };
  if (finish.curve == fov_float_curve_none) return false;
  kernels->finish(&finish);
  return true;
}

static void apply(const fov_unary *unary, const float *in, float *out, size_t count) {
  const float a = unary->alpha;
  const float b = unary->beta;
  const library_function library = find_library_function(unary->function);
  if (library) FOV_MAP_CALL(library(x));
  switch (unary->function) {
    case fov_unary_linear: FOV_MAP(a * x + b);
    case fov_unary_relu: FOV_MAP(x < 0.0f ? 0.0f : x);
    case fov_unary_leaky_relu: FOV_MAP(x >= 0.0f ? x : a * x);
    case fov_unary_thresholded_relu: FOV_MAP_CALL(x < a ? 0.0f : x);
    case fov_unary_clip: FOV_MAP(clamp(x, a, b));
    case fov_unary_clamped_relu: FOV_MAP((x >= 0.0f ? x : a * x) > b ? b : (x >= 0.0f ? x : a * x));
    case fov_unary_quantized: FOV_MAP(quantized(x, a, b));
    case fov_unary_hard_sigmoid: FOV_MAP(clamp(a * x + b, 0.0f, 1.0f));
    case fov_unary_scaled_tanh: FOV_MAP_CALL(a * tanhf(b * x));
    case fov_unary_elu: FOV_MAP_CALL(x >= 0.0f ? x : a * expm1f(x));
    case fov_unary_softsign: FOV_MAP_CALL(x / (1.0f + fabsf(x)));
    case fov_unary_softplus: FOV_MAP_CALL(softplus(x));
    case fov_unary_gelu_tanh: FOV_MAP_CALL(gelu_tanh(x));
    case fov_unary_gelu_sigmoid: FOV_MAP_CALL(x / (1.0f + fov_exponential(-1.702f * x)));
    case fov_unary_sqrt: FOV_MAP_CALL(sqrtf(x));
    case fov_unary_rsqrt: FOV_MAP_CALL(1.0f / sqrtf(x + a));
    case fov_unary_inverse: FOV_MAP_CALL(1.0f / (x + a));
    case fov_unary_power: FOV_MAP_CALL(powf(x, a));
    case fov_unary_abs: FOV_MAP(fabsf(x));
    case fov_unary_threshold: FOV_MAP_CALL(x < a ? a : x);
    case fov_unary_sign: FOV_MAP_CALL(x > 0.0f ? 1.0f : (x < 0.0f ? -1.0f : x));
    case fov_unary_logical_not: FOV_MAP_CALL(x == 0.0f ? 1.0f : 0.0f);
    default: return;
  }
}

// A product with sigmoids that a file rounds to codes.
static void apply_coded_silu(const fov_float_kernels *kernels, const fov_unary *unary,
                             const float *in, float *out, size_t count) {
  const fov_unary sigmoid = {.function = fov_unary_sigmoid};
  const fov_unary codes = {fov_unary_quantized, unary->alpha, unary->beta};
  float gates[256];
  for (size_t begin = 0; begin < count; begin += 256) {
    const size_t these = fov_size_min(256, count - begin);
    apply_curve(kernels, &sigmoid, in + begin, gates, these);
    apply(&codes, gates, gates, these);
    FOV_PLAIN_LOOP for (size_t i = 0; i < these; i++) out[begin + i] = in[begin + i] * gates[i];
  }
}

// With the kernels of an instruction set, where they have the function.
static void apply_with(const fov_float_kernels *kernels, const fov_unary *unary, const float *in,
                       float *out, size_t count) {
  if (unary->function == fov_unary_coded_silu) {
    apply_coded_silu(kernels, unary, in, out, count);
  } else if (!apply_curve(kernels, unary, in, out, count)) {
    apply(unary, in, out, count);
  }
}

void fov_unary_apply(const fov_unary *unary, const float *in, float *out, size_t count) {
  apply_with(&fov_float_kernels_scalar, unary, in, out, count);
}

void fov_unary_finish(const fov_unary *unary, float bias, float *values, size_t count) {
  if (unary && unary->function == fov_unary_leaky_relu) {
    const float a = unary->alpha;
    for (size_t i = 0; i < count; i++) {
      const float x = values[i] + bias;
      values[i] = x >= 0.0f ? x : a * x;
    }
    return;
  }
  for (size_t i = 0; i < count; i++) values[i] += bias;
  if (unary) fov_unary_apply(unary, values, values, count);
}

void fov_unary_run(const fov_run *run, const float *in, float *out, size_t count) {
  apply_with(run->kernels->float32, run->parameters, in, out, count);
}

#define UNIT_ELEMENTS ((size_t)16384)

static void run_unit(void *context, size_t unit, size_t thread) {
  (void)thread;
  const fov_run *run = context;
  const size_t begin = unit * UNIT_ELEMENTS, all = fov_shape_count(run->output.shape);
  fov_unary_run(run, fov_run_input(run, 0) + begin, fov_run_output(run) + begin,
                fov_size_min(UNIT_ELEMENTS, all - begin));
}

static void run(const fov_run *run) {
  const size_t units = fov_size_parts(fov_shape_count(run->output.shape), UNIT_ELEMENTS);
  fov_parallel_for(run->pool, units, run_unit, (void *)run);
}

void fov_unary_archive(fov_archive *archive, void *parameters) {
  fov_unary *unary = parameters;
  FOV_ARCHIVE_ENUM(archive, unary->function, sizeof names / sizeof names[0] - 1);
  fov_archive_f32(archive, &unary->alpha);
  fov_archive_f32(archive, &unary->beta);
}

const fov_operation fov_operation_unary = {
    .name = "unary",
    .infer_shape = infer_shape,
    .run = run,
    .archive = fov_unary_archive,
    .parameter_bytes = sizeof(fov_unary),
    .input_count = 1,
    .in_place = true,
};
