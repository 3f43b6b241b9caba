// Fovea - fuzzed convolutions, pooling and resizing.
// SPDX-License-Identifier: Apache-2.0
#include "base/fov_size.h"
#include "fuzz_graph_choices.h"

void fuzz_pixels_choose(fuzz_input *input, fuzz_step *step, bool wild) {
  step->as.pixels = (fov_pixels){
      .scale = fuzz_bool(input) ? 1.0f / 255.0f : fuzz_tame_float(input) / 256.0f,
      .reverse_channels = fuzz_bool(input),
      .rank_five = fuzz_byte(input) < 32,
  };
  for (int c = 0; c < 4; c++) {
    step->as.pixels.bias[c] = wild ? fuzz_wild_float(input) : fuzz_tame_float(input) / 256;
  }
}

static size_t choose_groups(fuzz_input *input, size_t channels) {
  const uint8_t kind = fuzz_byte(input);
  if (kind < 140) return 1;
  if (kind < 200) return channels;
  return channels % 2 == 0 ? 2 : 1;
}

static size_t choose_output_channels(fuzz_input *input, size_t channels, size_t groups) {
  const uint8_t kind = fuzz_byte(input);
  const size_t wanted = kind < 176 ? 1 + kind % 40 : 16 * (1 + kind % 5);
  if (groups == channels && wanted % 4 != 0) return channels;
  return (wanted + groups - 1) / groups * groups;
}

static void spoil_convolution(fuzz_input *input, fov_convolution *convolution) {
  size_t *const numbers[] = {&convolution->output_channels,
                             &convolution->groups,
                             &convolution->kernel[0],
                             &convolution->kernel[1],
                             &convolution->stride[0],
                             &convolution->stride[1],
                             &convolution->dilation[0],
                             &convolution->dilation[1],
                             &convolution->before[0],
                             &convolution->before[1],
                             &convolution->after[0],
                             &convolution->after[1],
                             &convolution->output_extension[0],
                             &convolution->output_extension[1]};
  size_t *const number = numbers[fuzz_byte(input) % (sizeof numbers / sizeof numbers[0])];
  *number = fuzz_wild_size(input);
}

void fuzz_convolution_choose(fuzz_input *input, fuzz_program *program, fuzz_step *step, bool wild) {
  static const size_t kernels[] = {3, 1, 3, 3, 2, 5, 1, 4};
  const bool transposed = step->operation == fuzz_transposed;
  const size_t channels = fuzz_side(fuzz_shape_of(program, step->inputs[0]), 3);
  const size_t groups = choose_groups(input, channels);
  const uint8_t shape = fuzz_byte(input), border = fuzz_byte(input);
  const size_t outputs = choose_output_channels(input, channels, groups);
  fov_convolution *convolution = &step->as.convolution;
  *convolution = (fov_convolution){.output_channels = outputs, .groups = groups};
  for (int axis = 0; axis < 2; axis++) {
    const size_t kernel = kernels[((shape & 7) + (axis > 0 && shape >= 224)) & 7];
    convolution->kernel[axis] = kernel;
    convolution->stride[axis] = shape & 64 ? 1 + (border >> (2 * axis) & 1) + transposed : 1;
    convolution->dilation[axis] = !transposed && (shape & 56) == 56 ? 2 : 1;
    const size_t around = (kernel - 1) * convolution->dilation[axis];
    convolution->before[axis] = border < 128 ? around / 2 : border >> (2 * axis) & 3;
    convolution->after[axis] = border < 128 ? around - around / 2 : border >> (axis + 1) & 3;
    if (transposed) convolution->output_extension[axis] = border >> (axis + 3) & 1;
  }
  const size_t kernel = convolution->kernel[0] * convolution->kernel[1];
  const size_t rows = transposed ? channels : outputs;
  const size_t inner = transposed ? outputs / groups : channels / groups;
  // Huge channels come from steps that went wrong: too many weights to be made here.
  const size_t dims[4] = {fov_size_min(rows, 512), fov_size_min(inner, 512), convolution->kernel[0],
                          convolution->kernel[1]};
  step->weights = fuzz_weights_choose(input, program, dims, transposed, dims[1] * kernel);
  if (fuzz_byte(input) < 170) {
    const size_t biases[4] = {1, fov_size_min(outputs, 512), 1, 1};
    step->bias = fuzz_weights_choose(input, program, biases, 1, 1);
  }
  if (wild) spoil_convolution(input, convolution);
}

void fuzz_pooling_choose(fuzz_input *input, const fuzz_program *program, fuzz_step *step,
                         bool wild) {
  const fov_shape *shape = fuzz_shape_of(program, step->inputs[0]);
  const uint8_t kind = fuzz_byte(input), border = fuzz_byte(input);
  fov_pooling *pooling = &step->as.pooling;
  pooling->function = kind % 5 < 3 ? fov_pooling_maximum : kind % 5 - 2;
  pooling->exclude_padding = border & 1;
  for (int axis = 0; axis < 2; axis++) {
    const size_t size = fuzz_side(shape, axis == 0 ? 2 : 1);
    size_t kernel = kind < 100 ? 2 : 1 + (border >> (3 * axis) & 3);
    if (kind >= 230) kernel = size;
    const size_t stride = kind < 100 ? 2 : 1 + (kind >> axis & 1);
    pooling->kernel[axis] = kernel;
    pooling->stride[axis] = stride;
    pooling->before[axis] = kind < 100 ? 0 : (border >> 2 & 3) % kernel;
    const size_t reach = size + 2 * pooling->before[axis];
    pooling->output[axis] = reach > kernel ? (reach - kernel) / stride + 1 : 1;
  }
  if (!wild) return;
  size_t *const numbers[] = {pooling->kernel, pooling->stride, pooling->before, pooling->output};
  const uint8_t which = fuzz_byte(input);
  numbers[which & 3][which >> 2 & 1] = fuzz_wild_size(input);
  if (fuzz_byte(input) >= 250) pooling->function = fuzz_byte(input);
}

void fuzz_resize_choose(fuzz_input *input, const fuzz_program *program, fuzz_step *step,
                        bool wild) {
  const fov_shape *shape = fuzz_shape_of(program, step->inputs[0]);
  const uint8_t kind = fuzz_byte(input);
  fov_resize *resize = &step->as.resize;
  resize->filter = kind & 1 ? fov_resize_bilinear : fov_resize_nearest;
  for (int axis = 0; axis < 2; axis++) {
    const size_t size = fuzz_side(shape, axis == 0 ? 2 : 1);
    const size_t other = fuzz_between(input, 1, 32);
    const bool doubles = kind < 140 && size <= 32;
    resize->output[axis] = doubles ? 2 * size : other;
    resize->step[axis] = doubles ? 0.5 : (double)size / (double)other;
    resize->offset[axis] = kind >= 200 ? (fuzz_byte(input) - 128) / 32.0 : 0;
  }
  if (!wild) return;
  const uint8_t which = fuzz_byte(input);
  resize->step[which & 1] = fuzz_wild_double(input);
  resize->offset[which >> 1 & 1] = fuzz_wild_double(input);
  if (which & 4) resize->output[which >> 3 & 1] = fuzz_wild_size(input);
  if (fuzz_byte(input) >= 250) resize->filter = fuzz_byte(input);
}
