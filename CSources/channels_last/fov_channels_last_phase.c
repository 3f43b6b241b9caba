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

static size_t all_phases(const fov_convolution *convolution) {
  return convolution->stride[0] * convolution->stride[1];
}

bool fov_channels_last_can_join(const fov_convolution *convolution) {
  for (int index = 0; index < 2; index++) {
    if (convolution->kernel[index] != convolution->stride[index] ||
        convolution->before[index] != 0 || convolution->output_extension[index] != 0) {
      return false;
    }
  }
  return convolution->groups == 1 &&
         convolution->output_channels <= SIZE_MAX / all_phases(convolution);
}

bool fov_channels_last_should_join(const fov_convolution *convolution) {
  const size_t phases = all_phases(convolution), channels = convolution->output_channels;
  return fov_channels_last_can_join(convolution) &&
         2 * fov_size_parts(phases * channels, FOV_PANEL) <=
             phases * fov_size_parts(channels, FOV_PANEL);
}

fov_convolution fov_channels_last_phase(const fov_channels_last_transposed *layer, size_t phase) {
  const fov_convolution *convolution = &layer->convolution;
  const size_t outputs = convolution->output_channels;
  fov_convolution made = {
      .output_channels = layer->is_joint ? outputs * all_phases(convolution) : outputs,
      .groups = convolution->groups};
  for (int index = 0; index < 2; index++) {
    const axis axis = axis_of(convolution, index, phase);
    made.kernel[index] = axis.taps;
    made.stride[index] = made.dilation[index] = 1;
    made.before[index] = axis.taps - 1 - axis.shift;
  }
  return made;
}

fov_channels_last_part fov_channels_last_phase_part(const fov_channels_last_transposed *layer,
                                                    size_t phase) {
  const size_t *stride = layer->convolution.stride;
  return (fov_channels_last_part){.first = {phase / stride[1], phase % stride[1]},
                                  .step = {stride[0], stride[1]}};
}

// MARK: weights

// What is needed for the phases of one convolution. A row of weights: [inputs of a group][kernel].
typedef struct picking {
  const fov_convolution *convolution;
  const fov_weight_store *store;
  size_t inputs, kernel, taps;  // of a group, of the layer, of a phase
  size_t begin, end;            // phases
} picking;

// Moves the taps of a phase from a row of the layer. Others stay as they are.
static void pick(const picking *picking, size_t phase, const void *row, size_t element, void *out) {
  const fov_convolution *c = picking->convolution;
  const axis y = axis_of(c, 0, phase), x = axis_of(c, 1, phase);
  for (size_t tap = 0; tap < picking->taps; tap++) {
    const size_t ky = y.first + (y.taps - 1 - tap / x.taps) * c->stride[0];
    const size_t kx = x.first + (x.taps - 1 - tap % x.taps) * c->stride[1];
    if (ky >= c->kernel[0] || kx >= c->kernel[1]) continue;
    const uint8_t *from = (const uint8_t *)row + (ky * c->kernel[1] + kx) * element;
    uint8_t *to = (uint8_t *)out + tap * element;
    for (size_t i = 0; i < picking->inputs; i++) {
      memcpy(to + i * picking->taps * element, from + i * picking->kernel * element, element);
    }
  }
}

// Codes 128 + integer, with a scale for each row and a bias that takes the 128 away again. false: a
// row is no integers, or phases are joint.
#define ZERO_CODE 128

static bool pick_integers(const picking *picking, int8_t *row, uint8_t *codes, float *numbers) {
  const size_t columns = picking->inputs * picking->taps, rows = picking->store->rows;
  if (picking->end - picking->begin != 1) return false;
  for (size_t r = 0; r < rows; r++) {
    if (!fov_weight_integers(picking->store, r, row, &numbers[r])) return false;
    numbers[rows + r] = -(float)ZERO_CODE * numbers[r];
    pick(picking, picking->begin, row, 1, codes + r * columns);
  }
  for (size_t i = 0; i < rows * columns; i++) codes[i] ^= ZERO_CODE;
  return true;
}

static void pick_floats(const picking *picking, float *row, float *weights) {
  const size_t columns = picking->inputs * picking->taps, rows = picking->store->rows;
  for (size_t r = 0; r < rows; r++) {
    fov_weight_store_panel(picking->store, r, 1, 0, picking->store->columns, row);
    for (size_t phase = picking->begin; phase < picking->end; phase++) {
      pick(picking, phase, row, sizeof(float),
           weights + ((phase - picking->begin) * rows + r) * columns);
    }
  }
}

fov_status fov_channels_last_phase_weights(const fov_channels_last_transposed *layer,
                                           const fov_weight_store *source, size_t phase,
                                           bool as_stored, fov_weight_store *out_store,
                                           fov_diagnostic *diagnostic) {
  const fov_convolution *c = &layer->convolution;
  const fov_convolution made = fov_channels_last_phase(layer, phase);
  const picking picking = {
      .convolution = c,
      .store = source,
      .inputs = layer->input_channels / c->groups,
      .kernel = c->kernel[0] * c->kernel[1],
      .taps = made.kernel[0] * made.kernel[1],
      .begin = phase,
      .end = layer->is_joint ? all_phases(c) : phase + 1,
  };
  const size_t dims[4] = {made.output_channels, picking.inputs, made.kernel[0], made.kernel[1]};
  // Phases have no more taps than the layer, except where that has one.
  const size_t count = made.output_channels * picking.inputs * picking.taps;
  float *row = fov_allocate_array(source->columns, sizeof(float));
  float *weights = fov_allocate_array(count, sizeof(float));
  float *numbers = fov_allocate_array(source->rows, 2 * sizeof(float));
  fov_status status = fov_status_out_of_memory;
  if (row && weights && numbers) {
    fov_weights picked = {.encoding = fov_weight_encoding_float32,
                          .data = weights,
                          .data_bytes = count * sizeof(float)};
    if (as_stored && pick_integers(&picking, (int8_t *)row, (uint8_t *)weights, numbers)) {
      picked.encoding = fov_weight_encoding_linear;
      picked.bits = 8;
      picked.scale = numbers;
      picked.bias = numbers + source->rows;
      picked.scale_count = picked.bias_count = source->rows;
    } else {
      memset(weights, 0, count * sizeof(float));
      pick_floats(&picking, row, weights);
    }
    status = fov_weight_store_create(&picked, dims, 0, out_store, diagnostic);
  }
  fov_release(row);
  fov_release(weights);
  fov_release(numbers);
  return status;
}
