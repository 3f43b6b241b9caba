// Fovea - how far a value of a fuzzed graph may be from the reference.
// SPDX-License-Identifier: Apache-2.0
#include "fuzz_graph_bounds.h"

#include <math.h>

#include "base/fov_size.h"
#include "fuzz_weight_oracle.h"
#include "tensor/fov_tensor.h"

// The rule. Let M be the largest magnitude of what a step reads and e its error. Then its result is
// off by
//
//   L e + n U S       L: how much the step magnifies differences; n: roundings of one element;
//                     S: the size of what is rounded, for sums that of the sum of all magnitudes
//
// U is four times the unit roundoff: backends multiply and add in another order, fused or not, with
// factors multiplied into weights beforehand, and approximate exponentials. Where a step has no L -
// it jumps, or its slope has no bound - its result is compared only when what it reads is exact,
// and then has to be equal but for one rounding. Values with an infinity or not-a-number, behind
// them, and numbers so large or small that folded factors overflow where the steps by themselves
// would not, are not compared: those are run for crashes only.
#define U 0x1p-22
// What is lost below the least normal number, for every product.
#define LOST 0x1p-120
#define LARGEST 1e12
// Roundings of an approximated function, beside a value of 1.
#define APPROXIMATION 2e-6
// A tile of Winograd's algorithm rounds numbers of the whole window, multiplied by the transforms.
#define WINOGRAD 256

typedef struct reading {
  double largest, error;
} reading;

static const fuzz_bound not_compared = {0, false};

static fuzz_bound bound(double error) { return (fuzz_bound){error, error < LARGEST}; }

// A function without a bound of its slope.
static fuzz_bound only_exact(reading in, double result) {
  return in.error == 0 ? bound(4 * U * result) : not_compared;
}

// The larger one; not-a-number if either is.
static double larger(double a, double b) { return a > b || isnan(a) ? a : b; }

// MARK: Weights

// The largest sum of the magnitudes of the weights of an output channel, and the largest bias.
typedef struct weight_sums {
  double weights, bias;
} weight_sums;

static double largest_bias(const fuzz_step *step, size_t channels) {
  double largest = 0;
  const fuzz_weight_shape shape = {{1, channels, 1, 1}, 1};
  for (size_t c = 0; c < channels && step->bias.data; c++) {
    largest = larger(largest, fabs((double)fuzz_weight_value(&step->bias, &shape, c)));
  }
  return largest;
}

static weight_sums sum_weights(const fuzz_step *step, size_t input_channels) {
  const fov_convolution *c = &step->as.convolution;
  const bool transposed = step->operation == fuzz_transposed;
  const size_t kernel = c->kernel[0] * c->kernel[1];
  const size_t rows = transposed ? input_channels : c->output_channels;
  const size_t inner = (transposed ? c->output_channels : input_channels) / c->groups;
  const fuzz_weight_shape shape = {{rows, inner, c->kernel[0], c->kernel[1]}, transposed};
  weight_sums sums = {0, largest_bias(step, c->output_channels)};
  // Of a transposed convolution all rows are added: those of other groups too.
  double columns[512] = {0};
  for (size_t row = 0; row < rows; row++) {
    double sum = 0;
    for (size_t k = 0; k < inner * kernel; k++) {
      const size_t channel = transposed ? k / kernel : row;
      const size_t index = row * inner * kernel + k;
      const double weight = fabs((double)fuzz_weight_value(&step->weights, &shape, index));
      sum += weight;
      if (transposed) columns[channel] += weight;
    }
    if (!transposed) sums.weights = larger(sums.weights, sum);
  }
  for (size_t i = 0; i < inner && transposed; i++) sums.weights = larger(sums.weights, columns[i]);
  return sums;
}

static fuzz_bound of_convolution(const fuzz_program *program, const fuzz_step *step, reading in) {
  const fov_shape *shape = &program->steps[step->inputs[0].index].shape;
  const fov_convolution *c = &step->as.convolution;
  const size_t channels = shape->dims[shape->rank - 3];
  const weight_sums sums = sum_weights(step, channels);
  if (!(sums.weights < LARGEST) || !(sums.bias < LARGEST)) return not_compared;
  // Of a transposed convolution, each phase is one.
  const bool is_winograd =
      step->operation == fuzz_transposed
          ? c->kernel[0] >= 3 && c->kernel[1] >= 3
          : c->kernel[0] == 3 && c->kernel[1] == 3 && c->stride[0] == 1 && c->stride[1] == 1;
  const size_t taps = channels * c->kernel[0] * c->kernel[1];
  const double roundings = (double)(taps + 4) * (is_winograd ? WINOGRAD : 1);
  return bound(sums.weights * in.error +
               roundings * (U * (sums.weights * in.largest + sums.bias) + LOST * (in.largest + 1)));
}

// MARK: Elements

static fuzz_bound of_unary(const fov_unary *unary, reading in, double result) {
  const double e = in.error, m = in.largest, a = fabs((double)unary->alpha),
               b = fabs((double)unary->beta);
  const double smooth = APPROXIMATION * (m + 1);
  if (!(a < LARGEST) || !(b < LARGEST)) return not_compared;
  switch (unary->function) {
    case fov_unary_linear: return bound(a * e + 4 * U * (a * m + b) + LOST * (m + 1));
    case fov_unary_relu:
    case fov_unary_clip:
    case fov_unary_threshold:
    case fov_unary_abs: return bound(e);
    case fov_unary_leaky_relu:
    case fov_unary_clamped_relu: return bound(fmax(1, a) * e + U * a * m + LOST * (m + 1));
    case fov_unary_hard_sigmoid: return bound(a * e + 4 * U * (a * m + b) + LOST * (m + 1));
    case fov_unary_sigmoid: return bound(e + APPROXIMATION);
    case fov_unary_tanh:
    case fov_unary_softsign:
    case fov_unary_sin:
    case fov_unary_cos:
    case fov_unary_atan:
    case fov_unary_asinh:
    case fov_unary_erf: return bound(1.2 * e + smooth);
    case fov_unary_scaled_tanh: return bound(a * b * e + a * (U * b * m + APPROXIMATION) + LOST);
    case fov_unary_elu: return bound(fmax(1, a) * e + a * APPROXIMATION + LOST);
    case fov_unary_softplus:
    case fov_unary_gelu:
    case fov_unary_gelu_tanh:
    case fov_unary_silu:
    case fov_unary_gelu_sigmoid: return bound(1.5 * e + 4 * smooth);
    case fov_unary_exp:
    case fov_unary_exp2:
    case fov_unary_sinh:
    case fov_unary_cosh:
      if (!(m + e < 20)) return only_exact(in, result);
      return bound(exp(m + e) * (e + smooth));
    default: return only_exact(in, result);
  }
}

static fuzz_bound of_affine(const fuzz_step *step, reading in) {
  double scale = 1, shift = 0;
  for (size_t c = 0; c < step->as.channels; c++) {
    if (step->scale) scale = larger(scale, fabs((double)step->scale[c]));
    if (step->shift) shift = larger(shift, fabs((double)step->shift[c]));
  }
  if (!(scale < LARGEST) || !(shift < LARGEST)) return not_compared;
  return bound(scale * in.error + 4 * U * (scale * in.largest + shift) + LOST * (in.largest + 1));
}

// A divisor that never changes sign, nor comes near to zero.
static fuzz_bound of_division(reading left, reading right, double least) {
  if (left.error == 0 && right.error == 0) return bound(4 * U * left.largest / fmax(least, 1e-30));
  if (right.error != 0 || !(least > 1e-6)) return not_compared;
  return bound(left.error / least + 4 * U * left.largest / least + LOST);
}

static fuzz_bound of_binary(fov_binary_function function, reading left, reading right,
                            double least_divisor, double result) {
  switch (function) {
    case fov_binary_add:
    case fov_binary_subtract:
      return bound(left.error + right.error + 2 * U * (left.largest + right.largest));
    case fov_binary_multiply:
      return bound(left.error * right.largest + right.error * left.largest +
                   left.error * right.error + 2 * U * left.largest * right.largest + LOST);
    case fov_binary_divide: return of_division(left, right, least_divisor);
    case fov_binary_maximum:
    case fov_binary_minimum: return bound(fmax(left.error, right.error));
    default: return only_exact((reading){0, left.error + right.error}, result);
  }
}

// MARK: Sums

static fuzz_bound of_pooling(const fov_pooling *pooling, reading in) {
  const double count = (double)pooling->kernel[0] * (double)pooling->kernel[1];
  switch (pooling->function) {
    case fov_pooling_maximum: return bound(in.error);
    case fov_pooling_average: return bound(in.error + (count + 4) * U * in.largest + LOST);
    case fov_pooling_l2:
      return bound(sqrt(count) * in.error + (count + 4) * U * sqrt(count) * in.largest + 0x1p-60);
  }
  return not_compared;
}

static fuzz_bound of_reduce(const fov_reduce *reduce, double count, reading in, double result) {
  const double e = in.error, m = in.largest;
  switch (reduce->function) {
    case fov_reduce_sum:
    case fov_reduce_l1: return bound(count * e + U * count * m + LOST);
    case fov_reduce_mean:
    case fov_reduce_maximum:
    case fov_reduce_minimum: return bound(e + U * m + LOST);
    case fov_reduce_sum_square: return bound(count * ((2 * m + e) * e + U * m * m) + LOST);
    case fov_reduce_l2: return bound(sqrt(count) * (e + U * m) + 0x1p-60);
    case fov_reduce_log_sum_exp: return bound(e + APPROXIMATION * (m + 1 + log(count)));
    default: return only_exact(in, result);
  }
}

// MARK: Any step

static fuzz_bound of_step(const fuzz_program *program, const fuzz_step *step, const reading *in,
                          double least_divisor, double result) {
  switch (step->operation) {
    case fuzz_input_value:
    case fuzz_constant: return bound(0);
    case fuzz_pixels: {
      double size = 255 * fabs((double)step->as.pixels.scale);
      for (int c = 0; c < 4; c++) size += fabs((double)step->as.pixels.bias[c]);
      return size < LARGEST ? bound(4 * U * size + LOST) : not_compared;
    }
    case fuzz_convolution:
    case fuzz_transposed: return of_convolution(program, step, in[0]);
    case fuzz_pooling: return of_pooling(&step->as.pooling, in[0]);
    case fuzz_unary: return of_unary(&step->as.unary, in[0], result);
    case fuzz_affine: return of_affine(step, in[0]);
    case fuzz_binary: return of_binary(step->as.binary, in[0], in[1], least_divisor, result);
    case fuzz_concat: {
      double error = 0;
      for (size_t k = 0; k < step->input_count; k++) error = fmax(error, in[k].error);
      return bound(error);
    }
    case fuzz_slice:
    case fuzz_reshape:
    case fuzz_transpose:
    case fuzz_broadcast:
    case fuzz_padding: return bound(in[0].error);
    case fuzz_resize:
      return step->as.resize.filter == fov_resize_nearest
                 ? bound(in[0].error)
                 : bound(in[0].error + 8 * U * in[0].largest + LOST);
    case fuzz_reduce: {
      const fov_shape *shape = &program->steps[step->inputs[0].index].shape;
      const size_t count = fov_shape_count(shape) / fov_shape_count(&step->shape);
      return of_reduce(&step->as.reduce, (double)count, in[0], result);
    }
    case fuzz_softmax: return in[0].error < 0.1 ? bound(3 * in[0].error + 1e-4) : not_compared;
    case fuzz_energy: return only_exact(in[0], result);
  }
  return not_compared;
}

fuzz_bound fuzz_bound_of(const fuzz_program *program, size_t index, const fuzz_extent *extents,
                         const fuzz_bound *bounds) {
  const fuzz_step *step = &program->steps[index];
  reading in[FUZZ_MOST_INPUTS] = {{0, 0}};
  double least_divisor = 0;
  if (!extents[index].is_finite || !(extents[index].largest < LARGEST)) return not_compared;
  for (size_t k = 0; k < step->input_count; k++) {
    const uint32_t value = step->inputs[k].index;
    if (!bounds[value].is_compared) return not_compared;
    in[k] = (reading){extents[value].largest, bounds[value].error};
    least_divisor = extents[value].least;
  }
  return of_step(program, step, in, least_divisor, extents[index].largest);
}
