// Fovea - tests of transposed convolutions: all geometries, floats and integers, all kernels.
// SPDX-License-Identifier: Apache-2.0
#include "single_operation.h"

// A convolution, and what stands before and behind it.
typedef struct layer {
  fov_convolution convolution;
  size_t inputs;
  float *weights;                    // [inputs, outputs of a group, kernel rows, kernel columns]
  float *bias;                       // (outputs,)
  const fov_unary *before, *behind;  // NULL: nothing
  // Integers of a file: weight = (code - zero) * scale of its output channel. NULL: floats.
  uint8_t *codes;
  float *scale, *offset;
} layer;

static fov_status add_layer(fov_graph *graph, const void *parameters, const fov_value *inputs,
                            fov_value *out, fov_diagnostic *why) {
  const layer *layer = parameters;
  const fov_convolution *c = &layer->convolution;
  const size_t outputs = c->output_channels / c->groups;
  const size_t count = layer->inputs * outputs * c->kernel[0] * c->kernel[1];
  fov_weights weights = {.data = layer->weights, .data_bytes = count * sizeof(float)};
  if (layer->codes) {
    weights = (fov_weights){.encoding = fov_weight_encoding_linear,
                            .bits = 8,
                            .data = layer->codes,
                            .data_bytes = count,
                            .scale = layer->scale,
                            .scale_count = outputs,
                            .bias = layer->offset,
                            .bias_count = outputs};
  }
  const fov_weights bias = {.data = layer->bias, .data_bytes = c->output_channels * sizeof(float)};
  fov_value value = inputs[0];
  fov_status status = fov_status_ok;
  if (layer->before) status = fov_graph_add_unary(graph, layer->before, value, &value, why);
  if (status == fov_status_ok) {
    status = fov_graph_add_transposed_convolution(graph, c, &weights, &bias, value, out, why);
  }
  if (status != fov_status_ok || !layer->behind) return status;
  return fov_graph_add_unary(graph, layer->behind, *out, out, why);
}

// MARK: the definition

static size_t result_size(const fov_convolution *c, int axis, size_t size) {
  return (size - 1) * c->stride[axis] + c->kernel[axis] + c->output_extension[axis] -
         c->before[axis] - c->after[axis];
}

// The input element that a tap of the kernel brings to an element of the result.
static bool find_source(const fov_convolution *c, int axis, size_t place, size_t tap, size_t size,
                        size_t *out_source) {
  const size_t from = place + c->before[axis];
  if (from < tap || (from - tap) % c->stride[axis] != 0) return false;
  *out_source = (from - tap) / c->stride[axis];
  return *out_source < size;
}

static double sum_at(const layer *layer, array input, const size_t *index) {
  const fov_convolution *c = &layer->convolution;
  const size_t outputs = c->output_channels / c->groups, inputs = layer->inputs / c->groups;
  const size_t group = index[1] / outputs * inputs;
  double sum = (double)layer->bias[index[1]];
  for (size_t ky = 0; ky < c->kernel[0]; ky++) {
    for (size_t kx = 0; kx < c->kernel[1]; kx++) {
      size_t from[4] = {index[0]};
      if (!find_source(c, 0, index[2], ky, input.shape.dims[2], &from[2]) ||
          !find_source(c, 1, index[3], kx, input.shape.dims[3], &from[3])) {
        continue;
      }
      for (from[1] = group; from[1] < group + inputs; from[1]++) {
        const size_t row = from[1] * outputs + index[1] % outputs;
        const size_t weight = (row * c->kernel[0] + ky) * c->kernel[1] + kx;
        sum += (double)layer->weights[weight] * (double)*element(input, from);
      }
    }
  }
  return sum;
}

static array oracle(const layer *layer, array input) {
  fov_shape shape = input.shape;
  shape.dims[1] = layer->convolution.output_channels;
  for (int axis = 0; axis < 2; axis++) {
    shape.dims[2 + axis] = result_size(&layer->convolution, axis, shape.dims[2 + axis]);
  }
  const array result = array_make(shape);
  EACH_INDEX(result, position, index) {
    result.values[position] = (float)sum_at(layer, input, index);
  }
  return result;
}

// MARK: choices

static float whole(chance *chance, size_t most) {
  return (float)chance_between(chance, 0, 2 * most) - (float)most;
}

// Kernels of 1 to 5, strides of 1 to 4, and crops up to one more than the kernel. Or kernels that
// do not overlap.
static void choose_axis(fov_convolution *c, int axis, size_t size, bool tiles, chance *chance) {
  c->kernel[axis] = chance_between(chance, tiles ? 2 : 1, tiles ? 4 : 5);
  c->stride[axis] = tiles ? c->kernel[axis] : chance_between(chance, 1, 4);
  c->dilation[axis] = 1;
  c->output_extension[axis] = !tiles && chance_bool(chance) ? chance_below(chance, 4) : 0;
  const size_t kernel = c->kernel[axis];
  const size_t full = (size - 1) * c->stride[axis] + kernel + c->output_extension[axis];
  const size_t most = kernel + (chance_below(chance, 8) == 0);
  c->before[axis] = tiles ? 0 : chance_below(chance, most < full ? most : full);
  c->after[axis] = chance_below(chance, most < full - c->before[axis] ? most : 1);
}

static layer choose(chance *chance, array *out_input) {
  static const size_t channels[] = {1, 3, 4, 8, 17, 33};
  static const size_t groups[] = {1, 1, 1, 2, 3, 17};
  layer layer = {.convolution = {.groups = groups[chance_below(chance, COUNT(groups))]}};
  fov_convolution *c = &layer.convolution;
  const size_t wide = c->groups == 1 ? COUNT(channels) : c->groups == 17 ? 1 : 3;
  layer.inputs = c->groups * channels[chance_below(chance, wide)];
  c->output_channels = c->groups * channels[chance_below(chance, wide)];
  const size_t rows = chance_between(chance, 1, 9), columns = chance_between(chance, 1, 21);
  const bool tiles = chance_below(chance, 4) == 0;
  choose_axis(c, 0, rows, tiles, chance);
  choose_axis(c, 1, columns, tiles, chance);
  const size_t count = layer.inputs * c->output_channels / c->groups * c->kernel[0] * c->kernel[1];
  layer.weights = native_test_allocate(count, sizeof(float));
  layer.bias = native_test_allocate(c->output_channels, sizeof(float));
  for (size_t i = 0; i < count; i++) layer.weights[i] = whole(chance, 4);
  for (size_t i = 0; i < c->output_channels; i++) layer.bias[i] = whole(chance, 9);
  *out_input = array_make(SHAPE(chance_between(chance, 1, 2), layer.inputs, rows, columns));
  for (size_t i = 0; i < out_input->count; i++) out_input->values[i] = whole(chance, 4);
  const fov_convolution all = *c;
  CASE("%zu to %zu in %zu, %zux%zu kernel %zux%zu stride %zux%zu before %zu,%zu after %zu,%zu",
       layer.inputs, all.output_channels, all.groups, rows, columns, all.kernel[0], all.kernel[1],
       all.stride[0], all.stride[1], all.before[0], all.before[1], all.after[0], all.after[1]);
  return layer;
}

// Other ways to compute the same bytes: by two threads, and from a compiled file, if there is one.
static void check_ways(fov_backend backend, fov_instruction_set set, const layer *layer,
                       array input, array found) {
  for (size_t way = 0; way < (backend < fov_backend_float32 ? 1 : 2); way++) {
    const run_options options = {backend, way == 0 ? 2 : 1, from_inputs, way == 1, set};
    const array other = compute_with(options, add_layer, layer, &input, 1);
    CHECK_BYTES(other.values, found.values, found.count * sizeof(float));
  }
}

// MARK: tests

// Sums of whole numbers are exact, except by Winograd's algorithm.
static void floats_by_the_definition(void) {
  static const fov_unary functions[] = {{fov_unary_relu, 0, 0}, {fov_unary_sigmoid, 0, 0}};
  chance chance = {50};
  for (size_t trial = 0; trial < 80; trial++) {
    array input;
    layer layer = choose(&chance, &input);
    array expected = oracle(&layer, input);
    const size_t function = chance_below(&chance, 4);
    if (function < COUNT(functions)) {
      layer.behind = &functions[function];
      for (size_t i = 0; i < expected.count; i++) {
        const double x = (double)expected.values[i];
        expected.values[i] = (float)(function == 0 ? fmax(x, 0) : 1 / (1 + exp(-x)));
      }
    }
    const double most = function == 1 ? 1e-6 : 0;
    for (fov_backend backend = fov_backend_reference; backend <= fov_backend_blas; backend++) {
      const run_options options = {backend, 1, from_inputs, false, 0};
      const array found = compute_with(options, add_layer, &layer, &input, 1);
      CHECK_CLOSE(found, expected, 0, most);
      check_ways(backend, 0, &layer, input, found);
    }
    for (int set = 1; set < FOV_INSTRUCTION_SET_COUNT; set++) {
      if (!fov_instruction_set_is_available((fov_instruction_set)set)) continue;
      const run_options options = {fov_backend_float32, 1, from_inputs, false,
                                   (fov_instruction_set)set};
      const array found = compute_with(options, add_layer, &layer, &input, 1);
      CHECK_CLOSE(found, expected, 1e-6, 1e-3);
      check_ways(fov_backend_float32, (fov_instruction_set)set, &layer, input, found);
    }
  }
}

// Codes of a file with scales that are powers of two: all but the last rounding is exact.
static const fov_unary coded_input = {fov_unary_quantized, 0.5f, 100};
static const fov_unary coded_result = {fov_unary_quantized, 2, 40};

static float round_to_code(double value) {
  const double code = nearbyint(value / (double)coded_result.alpha) + (double)coded_result.beta;
  return (float)((fmin(fmax(code, 0), 255) - (double)coded_result.beta) *
                 (double)coded_result.alpha);
}

static void set_codes(layer *layer, chance *chance) {
  const fov_convolution *c = &layer->convolution;
  const size_t outputs = c->output_channels / c->groups, kernel = c->kernel[0] * c->kernel[1];
  const size_t count = layer->inputs * outputs * kernel;
  layer->codes = native_test_allocate(count, 1);
  layer->scale = native_test_allocate(outputs, sizeof(float));
  layer->offset = native_test_allocate(outputs, sizeof(float));
  for (size_t o = 0; o < outputs; o++) {
    layer->scale[o] = ldexpf(1, -(int)chance_between(chance, 2, 6));
    layer->offset[o] = -128 * layer->scale[o];
  }
  for (size_t i = 0; i < count; i++) {
    const size_t output = i / kernel % outputs;
    layer->codes[i] = (uint8_t)chance_below(chance, 256);
    layer->weights[i] = ((float)layer->codes[i] - 128) * layer->scale[output];
  }
}

static void integers_are_exact(void) {
  chance chance = {51};
  for (size_t trial = 0; trial < 80; trial++) {
    array input;
    layer layer = choose(&chance, &input);
    set_codes(&layer, &chance);
    layer.before = &coded_input;
    layer.behind = &coded_result;
    for (size_t i = 0; i < input.count; i++) {
      input.values[i] = 0.5f * ((float)chance_below(&chance, 256) - 100);
    }
    const array expected = oracle(&layer, input);
    for (size_t i = 0; i < expected.count; i++) {
      expected.values[i] = round_to_code((double)expected.values[i]);
    }
    for (int set = 1; set < FOV_INSTRUCTION_SET_COUNT; set++) {
      if (!fov_instruction_set_is_available((fov_instruction_set)set)) continue;
      const run_options options = {fov_backend_int8, 1, from_inputs, false,
                                   (fov_instruction_set)set};
      const array found = compute_with(options, add_layer, &layer, &input, 1);
      CHECK_CLOSE(found, expected, 0, 0);
      check_ways(fov_backend_int8, (fov_instruction_set)set, &layer, input, found);
    }
  }
}

// Without ranges, codes follow the frame. Every set of instructions gives the same bytes.
static void measured_codes_are_near(void) {
  chance chance = {52};
  for (size_t trial = 0; trial < 20; trial++) {
    array input;
    const layer layer = choose(&chance, &input);
    const array expected = oracle(&layer, input);
    const size_t kernel = layer.convolution.kernel[0] * layer.convolution.kernel[1];
    const size_t taps = layer.inputs / layer.convolution.groups * kernel;
    const run_options scalar = {fov_backend_int8, 1, from_inputs, false,
                                fov_instruction_set_scalar};
    const array found = compute_with(scalar, add_layer, &layer, &input, 1);
    // A step of inputs and one of weights, each times 4.
    CHECK_CLOSE(found, expected, 0, (double)taps * 4 * (8.0 / 255 + 4.0 / 127));
    for (int set = 1; set < FOV_INSTRUCTION_SET_COUNT; set++) {
      if (!fov_instruction_set_is_available((fov_instruction_set)set)) continue;
      check_ways(fov_backend_int8, (fov_instruction_set)set, &layer, input, found);
    }
  }
}

int main(void) {
  RUN(floats_by_the_definition);
  RUN(integers_are_exact);
  RUN(measured_codes_are_near);
  return native_test_end();
}
