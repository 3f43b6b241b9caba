// Fovea - tests of images as planes, and of scales and biases per channel.
// SPDX-License-Identifier: Apache-2.0
#include "single_operation.h"

ADD_FUNCTION(pixels)

// MARK: Pixels

static const fov_shape images[] = {{2, {1, 1}},    {2, {5, 7}},     {3, {1, 1, 3}},
                                   {3, {3, 5, 1}}, {3, {7, 16, 2}}, {3, {17, 16, 3}},
                                   {3, {2, 7, 4}}};

static void planes_by_index(fov_shape shape) {
  chance chance = {80};
  const size_t channels = shape.rank == 2 ? 1 : shape.dims[2];
  const size_t rows = shape.dims[0], columns = shape.dims[1], count = rows * columns * channels;
  uint8_t *bytes = native_test_allocate(count, 1);
  for (size_t i = 0; i < count; i++) bytes[i] = (uint8_t)chance_bits(&chance);
  const array image = {shape, count, NULL, bytes},
              expected = array_make(SHAPE(1, channels, rows, columns));
  fov_pixels pixels = {1.0f / 255, {0.5f, -1, 2, 0.25f}, false, false};
  for (int reverse = 0; reverse < 2; reverse++) {
    EACH_INDEX(expected, position, index) {
      const size_t source = reverse ? channels - 1 - index[1] : index[1];
      const uint8_t byte = bytes[(index[2] * columns + index[3]) * channels + source];
      expected.values[position] = (float)byte * (1.0f / 255) + pixels.bias[index[1]];
    }
    pixels.reverse_channels = reverse;
    pixels.rank_five = false;
    array result = COMPUTE(from_inputs, add_pixels, &pixels, image);
    CHECK_CLOSE(result, expected, 0, 2e-7);
    pixels.rank_five = true;
    result.shape = SHAPE(1, 1, channels, rows, columns);
    CHECK_CLOSE(COMPUTE(from_inputs, add_pixels, &pixels, image), result, 0, 0);
  }
}

static void every_byte_is_exact_without_scale(void) {
  const fov_pixels pixels = {1, {0}, false, true};
  uint8_t bytes[256];
  for (size_t i = 0; i < 256; i++) bytes[i] = (uint8_t)i;
  const array image = {SHAPE(16, 16), 256, NULL, bytes};
  CHECK_CLOSE(COMPUTE(from_inputs, add_pixels, &pixels, image),
              array_counting(SHAPE(1, 1, 1, 16, 16)), 0, 0);
}

#define BYTES(...) ((array){.shape = SHAPE(__VA_ARGS__), .bytes = (const uint8_t *)""})
#define EXPECT(status, scale, third, fourth, image)                                            \
  CHECK_STATUS(status, add_pixels, (&(fov_pixels){scale, {0, 0, third, fourth}, false, true}), \
               image)

static void refusals_of_pixels(void) {
  EXPECT(shape_mismatch, 1, 0, 0, BYTES(4));
  EXPECT(shape_mismatch, 1, 0, 0, BYTES(1, 4, 4, 3));
  EXPECT(shape_mismatch, 1, 0, 0, BYTES(4, 4, 5));
  EXPECT(invalid_argument, NAN, 0, 0, BYTES(4, 4, 3));
  EXPECT(invalid_argument, INFINITY, 0, 0, BYTES(4, 4, 3));
  EXPECT(invalid_argument, 1, NAN, 0, BYTES(4, 4, 3));
  // The fourth plane does not exist.
  EXPECT(ok, 1, 0, NAN, BYTES(4, 4, 3));
}

// MARK: Scales and biases

typedef struct affine {
  size_t channels;
  const float *scale, *bias;
} affine;

static fov_status add_affine(fov_graph *graph, const void *parameters, const fov_value *inputs,
                             fov_value *out, fov_diagnostic *why) {
  const affine *affine = parameters;
  return fov_graph_add_channel_affine(graph, affine->channels, affine->scale, affine->bias,
                                      inputs[0], out, why);
}

static void scales_by_channel(input_place where) {
  chance chance = {90};
  for (size_t trial = 0; trial < 24; trial++) {
    const array input = array_random(shape_random(trial % 3 + 3, 3000, &chance), -3, 3, &chance);
    const size_t axis = input.shape.rank - 3, channels = input.shape.dims[axis];
    const float *scale = array_random(SHAPE(channels), -3, 3, &chance).values;
    const float *bias = array_random(SHAPE(channels), -3, 3, &chance).values;
    const affine affine = {channels, trial % 4 < 2 ? scale : NULL, trial % 2 == 0 ? bias : NULL};
    const array expected = array_make(input.shape);
    EACH_INDEX(expected, position, index) {
      expected.values[position] = input.values[position] * (affine.scale ? scale[index[axis]] : 1) +
                                  (affine.bias ? bias[index[axis]] : 0);
    }
    CHECK_CLOSE(COMPUTE(where, add_affine, &affine, input), expected, 0, 1e-6);
  }
}

static void refusals_of_scales(void) {
  CHECK_STATUS(ok, add_affine, (&(affine){3, NULL, NULL}), SIZED(3, 2, 2));
  CHECK_STATUS(shape_mismatch, add_affine, (&(affine){4, NULL, NULL}), SIZED(3, 2, 2));
  CHECK_STATUS(shape_mismatch, add_affine, (&(affine){3, NULL, NULL}), SIZED(3, 2));
  CHECK_STATUS(invalid_argument, add_affine, (&(affine){0, NULL, NULL}), SIZED(3, 2, 2));
  CHECK_STATUS(out_of_memory, add_affine, (&(affine){SIZE_MAX / 2, NULL, NULL}), SIZED(3, 2, 2));
}

int main(void) {
  static const input_place places[] = {from_inputs, from_results};
  RUN_ALL(planes_by_index, images);
  RUN(every_byte_is_exact_without_scale);
  RUN(refusals_of_pixels);
  RUN_ALL(scales_by_channel, places);
  RUN(refusals_of_scales);
  return native_test_end();
}
