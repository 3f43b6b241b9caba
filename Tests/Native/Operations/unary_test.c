// Fovea - tests of the functions of one element.
// SPDX-License-Identifier: Apache-2.0
#include "single_operation.h"

ADD_FUNCTION(unary)

static input_place place;

// A function with its parameters, and the arguments it takes.
typedef struct unary_case {
  float alpha, beta, low, high;
} unary_case;

#define PLAIN \
  { 0, 0, -6, 6 }
#define ALPHA(alpha) \
  { alpha, 0, -6, 6 }
#define BOTH(alpha, beta) \
  { alpha, beta, -6, 6 }
#define RANGE(low, high) \
  { 0, 0, low, high }
#define ALPHA_RANGE(alpha, low, high) \
  { alpha, 0, low, high }

static const unary_case cases[47] = {
    [fov_unary_linear] = BOTH(0.5f, -2),
    [fov_unary_relu] = PLAIN,
    [fov_unary_leaky_relu] = ALPHA(0.125f),
    [fov_unary_thresholded_relu] = ALPHA(1.5f),
    [fov_unary_clip] = BOTH(-1, 2),
    [fov_unary_clamped_relu] = BOTH(0.25f, 3),
    [fov_unary_sigmoid] = RANGE(-90, 90),
    [fov_unary_hard_sigmoid] = BOTH(0.25f, 0.5f),
    [fov_unary_tanh] = PLAIN,
    [fov_unary_scaled_tanh] = BOTH(1.75f, 0.5f),
    [fov_unary_elu] = ALPHA(1.5f),
    [fov_unary_softsign] = PLAIN,
    [fov_unary_softplus] = RANGE(-80, 800),
    [fov_unary_gelu] = RANGE(-2, 6),
    [fov_unary_gelu_tanh] = RANGE(-2, 6),
    [fov_unary_gelu_sigmoid] = PLAIN,
    [fov_unary_sqrt] = RANGE(0, 1000),
    [fov_unary_rsqrt] = ALPHA_RANGE(0.5f, 0, 1000),
    [fov_unary_inverse] = ALPHA_RANGE(0.5f, 0, 9),
    [fov_unary_power] = ALPHA_RANGE(2.5f, 0, 9),
    [fov_unary_exp] = RANGE(-90, 90),
    [fov_unary_exp2] = RANGE(-140, 120),
    [fov_unary_log] = RANGE(2, 1000),
    [fov_unary_abs] = PLAIN,
    [fov_unary_threshold] = ALPHA(-0.5f),
    [fov_unary_ceil] = PLAIN,
    [fov_unary_floor] = PLAIN,
    [fov_unary_round] = PLAIN,
    [fov_unary_sign] = PLAIN,
    [fov_unary_sin] = RANGE(-1, 1),
    [fov_unary_cos] = RANGE(-1, 1),
    [fov_unary_tan] = RANGE(-1, 1),
    [fov_unary_asin] = RANGE(-1, 1),
    [fov_unary_acos] = RANGE(-1, 0.9f),
    [fov_unary_atan] = PLAIN,
    [fov_unary_sinh] = PLAIN,
    [fov_unary_cosh] = PLAIN,
    [fov_unary_asinh] = PLAIN,
    [fov_unary_acosh] = RANGE(1.1f, 1000),
    [fov_unary_atanh] = RANGE(-0.9f, 0.9f),
    [fov_unary_erf] = RANGE(-3, 3),
    [fov_unary_logical_not] = PLAIN,
    [fov_unary_truncate] = PLAIN,
    [fov_unary_silu] = PLAIN,
    [fov_unary_quantized] = BOTH(0.125f, 3),
    [fov_unary_hard_silu] = BOTH(0.25f, -1.5f),
    [fov_unary_coded_silu] = BOTH(0.125f, 3),
};

static double bound(double x, double low, double high) { return fmin(fmax(x, low), high); }

static double expected(fov_unary_function function, double x) {
  switch (function) {
    case fov_unary_linear: return 0.5 * x - 2;
    case fov_unary_relu: return fmax(x, 0);
    case fov_unary_leaky_relu: return x >= 0 ? x : 0.125 * x;
    case fov_unary_thresholded_relu: return x >= 1.5 ? x : 0;
    case fov_unary_clip: return bound(x, -1, 2);
    case fov_unary_clamped_relu: return fmin(x >= 0 ? x : 0.25 * x, 3);
    case fov_unary_sigmoid: return 1 / (1 + exp(-x));
    case fov_unary_hard_sigmoid: return bound(0.25 * x + 0.5, 0, 1);
    case fov_unary_tanh: return tanh(x);
    case fov_unary_scaled_tanh: return 1.75 * tanh(0.5 * x);
    case fov_unary_elu: return x >= 0 ? x : 1.5 * expm1(x);
    case fov_unary_softsign: return x / (1 + fabs(x));
    case fov_unary_softplus: return x > 40 ? x : log1p(exp(x));
    case fov_unary_gelu: return x * (1 + erf(x / sqrt(2))) / 2;
    case fov_unary_gelu_tanh:
      return x * (1 + tanh(sqrt(2 / acos(-1)) * (x + 0.044715 * x * x * x))) / 2;
    case fov_unary_gelu_sigmoid: return x / (1 + exp(-(double)1.702f * x));
    case fov_unary_sqrt: return sqrt(x);
    case fov_unary_rsqrt: return 1 / sqrt(x + 0.5);
    case fov_unary_inverse: return 1 / (x + 0.5);
    case fov_unary_power: return pow(x, 2.5);
    case fov_unary_exp: return exp(x);
    case fov_unary_exp2: return exp2(x);
    case fov_unary_log: return log(x);
    case fov_unary_abs: return fabs(x);
    case fov_unary_threshold: return fmax(x, -0.5);
    case fov_unary_ceil: return ceil(x);
    case fov_unary_floor: return floor(x);
    case fov_unary_round: return nearbyint(x);
    case fov_unary_sign: return (x > 0) - (x < 0);
    case fov_unary_sin: return sin(x);
    case fov_unary_cos: return cos(x);
    case fov_unary_tan: return tan(x);
    case fov_unary_asin: return asin(x);
    case fov_unary_acos: return acos(x);
    case fov_unary_atan: return atan(x);
    case fov_unary_sinh: return sinh(x);
    case fov_unary_cosh: return cosh(x);
    case fov_unary_asinh: return asinh(x);
    case fov_unary_acosh: return acosh(x);
    case fov_unary_atanh: return atanh(x);
    case fov_unary_erf: return erf(x);
    case fov_unary_logical_not: return x == 0;
    case fov_unary_truncate: return trunc(x);
    case fov_unary_silu: return x / (1 + exp(-x));
    case fov_unary_quantized: return 0.125 * (bound(nearbyint(x / 0.125) + 3, 0, 255) - 3);
    case fov_unary_hard_silu: return x < -1.5 ? 0 : x * bound(0.25 * x + 0.5, 0, 1);
    case fov_unary_coded_silu: return x * 0.125 * nearbyint(1 / (1 + exp(-x)) / 0.125);
  }
  return NAN;
}

static void every_function_has_a_case(void) {
  for (size_t i = 0; i < COUNT(cases); i++) CHECK(cases[i].high > cases[i].low);
  CHECK_EQUAL(fov_unary_coded_silu, COUNT(cases) - 1);
}

static fov_unary unary_of(fov_unary_function function) {
  return (fov_unary){function, cases[function].alpha, cases[function].beta};
}

static void matches_double_precision(fov_unary_function function) {
  chance chance = {function};
  const fov_unary unary = unary_of(function);
  for (size_t rank = 1; rank <= 5; rank++) {
    const array input = array_random(shape_random(rank, 2000, &chance), cases[function].low,
                                     cases[function].high, &chance);
    const array answer = array_make(input.shape);
    for (size_t i = 0; i < input.count; i++) {
      answer.values[i] = (float)expected(function, input.values[i]);
    }
    CHECK_CLOSE(COMPUTE(place, add_unary, &unary, input), answer, 4e-6, 4e-7);
  }
}

static void not_a_number_stays(fov_unary_function function) {
  if (function == fov_unary_logical_not) return;
  // A row long enough for the vectorized part and its remainder.
  const array input = array_make(SHAPE(21));
  for (size_t i = 0; i < input.count; i++) input.values[i] = NAN;
  const fov_unary unary = unary_of(function);
  CHECK_CLOSE(COMPUTE(from_inputs, add_unary, &unary, input), input, 0, 0);
}

#define OF(...) ARRAY(SHAPE(COUNT(((const float[]){__VA_ARGS__}))), __VA_ARGS__)

static void turns(fov_unary_function function, float alpha, float beta, array x, array y) {
  const fov_unary unary = {function, alpha, beta};
  CASE("function %d", (int)function);
  CHECK_CLOSE(COMPUTE(from_inputs, add_unary, &unary, x), y, 0, 0);
}

static void values_where_functions_turn(void) {
  const float infinity = INFINITY, tiny = 0x1p-149f;
  // Halves go to the even number before the zero point is added.
  turns(fov_unary_quantized, 0.5f, 1, OF(0.25, 0.75, -0.25, -0.5, -9, 1e30f, -1e30f, infinity),
        OF(0, 1, 0, -0.5, -0.5, 127, -0.5, 127));
  turns(fov_unary_round, 0, 0, OF(0.5, 1.5, 2.5, -0.5, -1.5, 1e9f), OF(0, 2, 2, 0, -2, 1e9f));
  turns(fov_unary_sign, 0, 0, OF(0, -0.0f, tiny, -tiny, infinity), OF(0, 0, 1, -1, 1));
  turns(fov_unary_sigmoid, 0, 0, OF(-infinity, -200, 0, 200, infinity), OF(0, 0, 0.5, 1, 1));
  turns(fov_unary_softplus, 0, 0, OF(-infinity, infinity, 1000), OF(0, infinity, 1000));
  turns(fov_unary_thresholded_relu, 1, 0, OF(1, 0x1.fffffep-1f, 2), OF(1, 0, 2));
  turns(fov_unary_clip, -infinity, 1, OF(-1e38f, 2), OF(-1e38f, 1));
  turns(fov_unary_clamped_relu, -1, 6, OF(-9, -2, 9), OF(6, 2, 6));
  turns(fov_unary_power, 0.5f, 0, OF(4, 0, infinity), OF(2, 0, infinity));
  turns(fov_unary_inverse, 0, 0, OF(0, -4), OF(infinity, -0.25));
  turns(fov_unary_log, 0, 0, OF(0, 1), OF(-infinity, 0));
  turns(fov_unary_logical_not, 0, 0, OF(0, -0.0f, 1, -infinity, NAN), OF(1, 1, 0, 0, 0));
  turns(fov_unary_truncate, 0, 0, OF(1.9f, -1.9f, 1e9f, -infinity), OF(1, -1, 1e9f, -infinity));
}

#define REFUSED(...) \
  CHECK_STATUS(invalid_argument, add_unary, (&(fov_unary){__VA_ARGS__}), SIZED(3))

static void refusals(void) {
  // The third number is 1e-42, whose reciprocal is infinite.
  static const float codes[][2] = {{0, 3},  {-1, 3},  {INFINITY, 3}, {0x1.65p-140f, 3},
                                   {1, -1}, {1, 256}, {1, 0.5f}};
  REFUSED((fov_unary_function)46, 0, 0);
  for (size_t i = 0; i < COUNT(codes); i++) REFUSED(fov_unary_quantized, codes[i][0], codes[i][1]);
  REFUSED(fov_unary_clip, NAN, 0);
  REFUSED(fov_unary_clip, 0, NAN);
}

int main(void) {
  fov_unary_function functions[COUNT(cases)];
  for (size_t i = 0; i < COUNT(functions); i++) functions[i] = (fov_unary_function)i;
  RUN(every_function_has_a_case);
  EACH_PLACE(place) RUN_ALL(matches_double_precision, functions);
  RUN_ALL(not_a_number_stays, functions);
  RUN(values_where_functions_turn);
  RUN(refusals);
  return native_test_end();
}
