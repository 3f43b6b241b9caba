// Fovea - folding "focus", every second row and column side by side, into its convolution.
// SPDX-License-Identifier: Apache-2.0
#include "fold/fov_fold_focus.h"

#include "base/fov_alloc.h"
#include "ops/fov_convolution_parameters.h"
#include "ops/fov_operation_table.h"

// With more channels, a kernel of twice the size is not always faster: it has no Winograd.
#define MOST_CHANNELS 4
#define MOST_SLICES 4

// Where a slice begins, in rows and columns of the image.
typedef struct focus {
  uint32_t image;
  size_t channels, slices;
  size_t begin[MOST_SLICES][2];
} focus;

// A slice in front of others: their steps are steps of its own.
static bool compose(const fov_slice *slice, size_t axis, size_t *begin, size_t *stride) {
  if (slice->stride[axis] < 1 || slice->stride[axis] > 2) return false;
  *begin = slice->begin[axis] + *begin * (size_t)slice->stride[axis];
  *stride *= (size_t)slice->stride[axis];
  return true;
}

// Follows one or two slices from `value` to the image, which has twice as many rows and columns.
static bool follow(const fov_graph *graph, const fov_graph_users *users, uint32_t value,
                   focus *focus) {
  size_t *begin = focus->begin[focus->slices], stride[2] = {1, 1};
  begin[0] = begin[1] = 0;
  const fov_shape *result = &graph->values[value].shape;
  const size_t rank = result->rank;
  if (rank < 3) return false;
  for (int i = 0; i < 2 && (stride[0] != 2 || stride[1] != 2); i++) {
    const fov_graph_node *node = users->producers[value];
    if (!node || node->operation != &fov_operation_slice) return false;
    const fov_slice *slice = node->parameters;
    const fov_shape *shape = &graph->values[value].shape;
    const fov_shape *source = &graph->values[node->inputs[0]].shape;
    for (size_t axis = 0; axis + 2 < rank; axis++) {
      if (slice->stride[axis] != 1 || shape->dims[axis] != source->dims[axis]) return false;
    }
    for (size_t k = 0; k < 2; k++) {
      if (!compose(slice, rank - 2 + k, &begin[k], &stride[k])) return false;
    }
    value = node->inputs[0];
  }
  const fov_shape *image = &graph->values[value].shape;
  for (size_t k = 0; k < 2; k++) {
    const size_t axis = rank - 2 + k;
    if (stride[k] != 2 || begin[k] > 1 || image->dims[axis] != 2 * result->dims[axis]) return false;
  }
  if (focus->slices > 0 && value != focus->image) return false;
  focus->image = value;
  focus->channels = image->dims[rank - 3];
  focus->slices++;
  return focus->channels <= MOST_CHANNELS;
}

static bool find(const fov_graph *graph, const fov_graph_users *users, const fov_graph_node *node,
                 focus *out_focus) {
  const fov_graph_node *concat = fov_graph_sole_producer(users, node->inputs[0]);
  if (!concat || concat->operation != &fov_operation_concat || concat->input_count != MOST_SLICES ||
      *(const size_t *)concat->parameters + 3 != graph->values[node->inputs[0]].shape.rank) {
    return false;
  }
  *out_focus = (focus){0};
  for (size_t i = 0; i < concat->input_count; i++) {
    if (!follow(graph, users, concat->inputs[i], out_focus)) return false;
  }
  return true;
}

// Weights [output][slice][channel][row][column] as [output][channel][2 row + dy][2 column + dx].
static void spread(const focus *focus, const fov_convolution_parameters *from, float *row,
                   float *out) {
  const size_t *kernel = from->convolution.kernel;
  const size_t taps = fov_convolution_taps(from);
  for (size_t output = 0; output < from->convolution.output_channels; output++) {
    fov_weight_store_panel(&from->weights, output, 1, 0, taps, row);
    const float *weight = row;
    for (size_t i = 0; i < from->input_channels; i++) {
      const size_t *begin = focus->begin[i / focus->channels];
      float *plane = out + i % focus->channels * 4 * kernel[0] * kernel[1];
      for (size_t y = 0; y < kernel[0]; y++) {
        for (size_t x = 0; x < kernel[1]; x++) {
          plane[(2 * y + begin[0]) * 2 * kernel[1] + 2 * x + begin[1]] += *weight++;
        }
      }
    }
    out += focus->channels * 4 * kernel[0] * kernel[1];
  }
}

static fov_status create(const focus *focus, const fov_convolution_parameters *from,
                         fov_convolution_parameters **out_parameters) {
  fov_convolution convolution = from->convolution;
  for (int k = 0; k < 2; k++) {
    convolution.kernel[k] *= 2;
    convolution.stride[k] *= 2;
    convolution.before[k] *= 2;
    convolution.after[k] *= 2;
  }
  const size_t outputs = convolution.output_channels, taps = fov_convolution_taps(from);
  // All four places have weights if the slices differ; else there are zeros among them.
  const size_t count = outputs * taps;
  float *row = fov_allocate_array(taps, sizeof(float));
  float *weights = fov_allocate_array(count, sizeof(float));
  fov_status status = fov_status_out_of_memory;
  if (row && weights) {
    for (size_t i = 0; i < count; i++) weights[i] = 0.0f;
    spread(focus, from, row, weights);
    const fov_weights floats = {
        .encoding = fov_weight_encoding_float32, .data = weights, .data_bytes = 4 * count};
    const fov_weights bias = {
        .encoding = fov_weight_encoding_float32, .data = from->bias, .data_bytes = 4 * outputs};
    status =
        fov_convolution_create(&convolution, &floats, &bias, focus->channels, out_parameters, NULL);
  }
  fov_release(row);
  fov_release(weights);
  return status;
}

fov_status fov_fold_focus(fov_graph *graph, fov_graph_users *users, fov_graph_node *node) {
  focus focus;
  if (node->operation != &fov_operation_convolution) return fov_status_ok;
  const fov_convolution_parameters *old = node->parameters;
  const fov_convolution *convolution = &old->convolution;
  if (convolution->groups != 1 || convolution->dilation[0] != 1 || convolution->dilation[1] != 1 ||
      !find(graph, users, node, &focus)) {
    return fov_status_ok;
  }
  fov_convolution_parameters *parameters = NULL;
  const fov_status status = create(&focus, old, &parameters);
  if (status != fov_status_ok) {
    // A kernel that is too large stays as it was.
    return status == fov_status_out_of_memory ? status : fov_status_ok;
  }
  parameters->has_activation = old->has_activation;
  parameters->activation = old->activation;
  node->operation->release(node->parameters);
  fov_release(node->parameters);
  node->parameters = parameters;
  fov_graph_users_remove(users, node->inputs[0]);
  node->inputs[0] = focus.image;
  fov_graph_users_add(users, focus.image);
  return fov_status_ok;
}
