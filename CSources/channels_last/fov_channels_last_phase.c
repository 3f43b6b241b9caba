// Fovea - phases of a transposed convolution: their geometry and their weights.
// SPDX-License-Identifier: Apache-2.0
#include <string.h>

#include "base/fov_alloc.h"
#include "base/fov_size.h"
#include "channels_last/fov_channels_last_transposed.h"
#include "weights/fov_weight_integers.h"

// With more phases, their padded weights would take too much memory.
#define MOST_PHASES 64

bool fov_channels_last_can_transpose(const fov_convolution *convolution) {
  const size_t *stride = convolution->stride;
  for (int axis = 0; axis < 2; axis++) {
    if (stride[axis] > MOST_PHASES || convolution->dilation[axis] != 1 ||
        convolution->before[axis] >= convolution->kernel[axis]) {
      return false;
    }
  }
  return stride[0] * stride[1] <= MOST_PHASES;
}

// One axis of a phase. Pixel j of the phase is pixel j * stride + place of the result. It adds, for
// each t, the input at j + shift - t times the tap first + t * stride of the kernel.
typedef struct axis {
  size_t place, first, shift;
  size_t taps;  // kernel of the phase: from t = taps - 1 down to 0
} axis;

static axis axis_of(const fov_convolution *c, int index, size_t phase) {
  const size_t stride = c->stride[index], kernel = c->kernel[index];
  axis axis = {.place = index == 0 ? phase / c->stride[1] : phase % c->stride[1]};
  axis.first = (axis.place + c->before[index]) % stride;
  axis.shift = (axis.place + c->before[index]) / stride;
  // Without a tap, there is one of zero. Taps of zero come first where the others begin inside the
  // image.
  if (axis.first >= kernel) axis.shift = 0;
  const size_t taps = axis.first < kernel ? (kernel - 1 - axis.first) / stride + 1 : 1;
  axis.taps = fov_size_max(taps, axis.shift + 1);
  return axis;
}

fov_convolution fov_channels_last_phase(const fov_convolution *convolution, size_t phase) {
  fov_convolution made = {.output_channels = convolution->output_channels,
                          .groups = convolution->groups};
  for (int index = 0; index < 2; index++) {
    const axis axis = axis_of(convolution, index, phase);
    made.kernel[index] = axis.taps;
    made.stride[index] = made.dilation[index] = 1;
    made.before[index] = axis.taps - 1 - axis.shift;
  }
  return made;
}

fov_channels_last_part fov_channels_last_phase_part(const fov_convolution *convolution,
                                                    size_t phase) {
  const size_t *stride = convolution->stride;
  return (fov_channels_last_part){.first = {phase / stride[1], phase % stride[1]},
                                  .step = {stride[0], stride[1]}};
}

// MARK: weights

// Everything that is needed for one phase. Weights of a row: [inputs of the group][kernel].
typedef struct picking {
  const fov_convolution *convolution;
  axis axes[2];
  size_t inputs, kernel, taps;  // of a group, of the layer, of the phase
} picking;

// Moves the taps of a phase from a row of the layer. Others stay as they are.
static void pick(const picking *picking, const void *row, size_t element, void *out) {
  const fov_convolution *c = picking->convolution;
  const axis *y = &picking->axes[0], *x = &picking->axes[1];
  for (size_t tap = 0; tap < picking->taps; tap++) {
    const size_t ky = y->first + (y->taps - 1 - tap / x->taps) * c->stride[0];
    const size_t kx = x->first + (x->taps - 1 - tap % x->taps) * c->stride[1];
    if (ky >= c->kernel[0] || kx >= c->kernel[1]) continue;
    const uint8_t *from = (const uint8_t *)row + (ky * c->kernel[1] + kx) * element;
    uint8_t *to = (uint8_t *)out + tap * element;
    for (size_t i = 0; i < picking->inputs; i++) {
      memcpy(to + i * picking->taps * element, from + i * picking->kernel * element, element);
    }
  }
}

// Codes 128 + integer, with a scale for each row and a bias that takes the 128 away again. false: a
// row is no integers.
#define ZERO_CODE 128

static bool pick_integers(const picking *picking, const fov_weight_store *store, int8_t *row,
                          uint8_t *codes, float *numbers) {
  const size_t columns = picking->inputs * picking->taps;
  memset(codes, 0, store->rows * columns);
  for (size_t r = 0; r < store->rows; r++) {
    if (!fov_weight_integers(store, r, row, &numbers[r])) return false;
    numbers[store->rows + r] = -(float)ZERO_CODE * numbers[r];
    pick(picking, row, 1, codes + r * columns);
  }
  for (size_t i = 0; i < store->rows * columns; i++) codes[i] ^= ZERO_CODE;
  return true;
}

static void pick_floats(const picking *picking, const fov_weight_store *store, float *row,
                        float *weights) {
  const size_t columns = picking->inputs * picking->taps;
  for (size_t r = 0; r < store->rows; r++) {
    fov_weight_store_panel(store, r, 1, 0, store->columns, row);
    pick(picking, row, sizeof(float), weights + r * columns);
  }
}

fov_status fov_channels_last_phase_weights(const fov_convolution_parameters *source, size_t phase,
                                           bool as_stored, fov_weight_store *out_store,
                                           fov_diagnostic *diagnostic) {
  const fov_convolution *c = &source->convolution;
  const fov_weight_store *store = &source->weights;
  const picking picking = {
      .convolution = c,
      .axes = {axis_of(c, 0, phase), axis_of(c, 1, phase)},
      .inputs = source->input_channels / c->groups,
      .kernel = c->kernel[0] * c->kernel[1],
      .taps = axis_of(c, 0, phase).taps * axis_of(c, 1, phase).taps,
  };
  const size_t dims[4] = {store->rows, picking.inputs, picking.axes[0].taps, picking.axes[1].taps};
  // A phase has no more taps than the layer, except where that has one.
  const size_t count = store->rows * picking.inputs * picking.taps;
  float *row = fov_allocate_array(store->columns, sizeof(float));
  float *weights = fov_allocate_array(count, sizeof(float));
  float *numbers = fov_allocate_array(store->rows, 2 * sizeof(float));
  fov_status status = fov_status_out_of_memory;
  if (row && weights && numbers) {
    fov_weights picked = {.encoding = fov_weight_encoding_float32,
                          .data = (const uint8_t *)weights,
                          .data_bytes = count * sizeof(float)};
    if (as_stored && pick_integers(&picking, store, (int8_t *)row, (uint8_t *)weights, numbers)) {
      picked.encoding = fov_weight_encoding_linear;
      picked.bits = 8;
      picked.scale = numbers;
      picked.bias = numbers + store->rows;
      picked.scale_count = picked.bias_count = store->rows;
    } else {
      memset(weights, 0, count * sizeof(float));
      pick_floats(&picking, store, row, weights);
    }
    status = fov_weight_store_create(&picked, dims, 0, out_store, diagnostic);
  }
  fov_release(row);
  fov_release(weights);
  fov_release(numbers);
  return status;
}
