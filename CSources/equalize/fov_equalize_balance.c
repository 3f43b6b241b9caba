// Fovea - equalization: the exponents of channels that dense convolutions read.
// SPDX-License-Identifier: Apache-2.0
#include <math.h>

#include "base/fov_alloc.h"
#include "base/fov_size.h"
#include "channels_last/fov_range.h"
#include "equalize/fov_equalize_state.h"
#include "ops/fov_operation_table.h"

// The cost of rounding is the noise of a convolution's result as a share of the result. Let
// channels be independent, D the step of its input, and d_r the step of row r of its weights.
// Rounding errors are uniform. Then
//
//   noise  = sum_r sum_c  w_rc^2 s_c^2 D^2 / 12  +  WEIGHT  d_r^2 / 12 variance_c / s_c^2
//   signal = sum_r sum_c  w_rc^2 variance_c
//
// where D = max_c(amplitude_c / s_c) / 255 and d_r = max_c |w_rc s_c| / 127. Larger exponents lower
// the first sum and raise the second. Errors of weights are reduced by rounding them together
// (fov_weight_rounding.h), but they are the same in all images of a network. A WEIGHT of 1 to 4
// gives results as good.
#define WEIGHT 2.0

typedef struct balance {
  fov_equalizer *equalizer;
  double *costs;    // (value_count, FOV_EXPONENTS), at regions
  double *squares;  // (channels of one value,): of a channel's weights, all rows together
  float *divisors;  // (FOV_EXPONENTS, channels of one value)
  float *taps;      // of one row
} balance;

typedef struct reading {
  const fov_convolution_parameters *parameters;
  const fov_channel_summary *ranges;  // of the channels that are read
  size_t channels, inputs, positions;
  double row_steps[FOV_EXPONENTS];  // sum_r d_r^2, of a dense convolution
} reading;

static void add_row(const balance *balance, reading *reading, size_t row) {
  const size_t groups = reading->channels / reading->inputs;
  const size_t rows = reading->parameters->convolution.output_channels;
  const size_t first = row / (rows / groups) * reading->inputs;
  double largest[FOV_EXPONENTS] = {0};
  const float *tap = balance->taps;
  for (size_t i = first; i < first + reading->inputs; i++) {
    float peak = 0.0f;
    for (size_t p = 0; p < reading->positions; p++, tap++) {
      peak = fmaxf(peak, fabsf(*tap));
      balance->squares[i] += (double)*tap * (double)*tap;
    }
    for (size_t e = 0; e < FOV_EXPONENTS; e++) {
      const double scaled = (double)peak * (double)balance->divisors[e * reading->channels + i];
      largest[e] = fmax(largest[e], scaled / 127.0);
    }
  }
  for (size_t e = 0; e < FOV_EXPONENTS; e++) reading->row_steps[e] += largest[e] * largest[e];
}

static double step_of(const balance *balance, const reading *reading, size_t exponent) {
  double widest = 0.0;
  for (size_t i = 0; i < reading->channels; i++) {
    const fov_range range = fov_range_of(&reading->ranges[i]);
    if (!fov_range_is_known(range)) continue;
    const double divisor = (double)balance->divisors[exponent * reading->channels + i];
    widest = fmax(widest, (double)fov_range_width(range) / divisor);
  }
  return widest / 255.0;
}

static double cost_of(const balance *balance, const reading *reading, size_t exponent) {
  const double step = step_of(balance, reading, exponent);
  double activations = 0.0, variances = 0.0, signal = 0.0;
  for (size_t i = 0; i < reading->channels; i++) {
    const double divisor = (double)balance->divisors[exponent * reading->channels + i];
    const double variance = (double)reading->ranges[i].variance;
    activations += balance->squares[i] * divisor * divisor;
    variances += variance / (divisor * divisor);
    signal += balance->squares[i] * variance;
  }
  // A row reads the channels of its group. Steps are assumed to be similar in all groups.
  const double groups = (double)(reading->channels / reading->inputs);
  const double weights =
      reading->row_steps[exponent] * variances * (double)reading->positions / groups;
  return signal > 0.0 ? (activations * step * step + WEIGHT * weights) / 12.0 / signal : 0.0;
}

static void add_convolution(balance *balance, const fov_graph_node *node) {
  fov_equalizer *equalizer = balance->equalizer;
  const fov_convolution_parameters *parameters = node->parameters;
  const fov_convolution *convolution = &parameters->convolution;
  const size_t first = equalizer->first[node->inputs[0]];
  reading reading = {
      .parameters = parameters,
      .ranges = equalizer->ranges + first,
      .channels = parameters->input_channels,
      .inputs = parameters->input_channels / convolution->groups,
      .positions = convolution->kernel[0] * convolution->kernel[1],
  };
  for (size_t i = 0; i < reading.channels; i++) {
    balance->squares[i] = 0.0;
    for (uint8_t e = 0; e < FOV_EXPONENTS; e++) {
      balance->divisors[e * reading.channels + i] = fov_equalizer_divisor(equalizer, first + i, e);
    }
  }
  const size_t taps = reading.inputs * reading.positions;
  for (size_t row = 0; row < convolution->output_channels; row++) {
    fov_weight_store_panel(&parameters->weights, row, 1, 0, taps, balance->taps);
    add_row(balance, &reading, row);
  }
  const uint32_t region = fov_equalizer_region(equalizer, node->inputs[0]);
  for (size_t e = 0; e < FOV_EXPONENTS; e++) {
    balance->costs[region * FOV_EXPONENTS + e] += cost_of(balance, &reading, e);
  }
}

static void choose(const balance *balance, uint32_t region) {
  const double *costs = &balance->costs[region * FOV_EXPONENTS];
  size_t best = 2;
  for (size_t e = 0; e < FOV_EXPONENTS; e++) {
    if (costs[e] < costs[best]) best = e;
  }
  balance->equalizer->exponent[region] = (uint8_t)best;
}

static bool allocate(balance *balance) {
  const fov_graph *graph = balance->equalizer->graph;
  size_t channels = 1, taps = 1, costs, divisors;
  for (size_t n = 0; n < graph->node_count; n++) {
    if (!fov_is_convolution(graph->nodes[n].operation)) continue;
    const fov_convolution_parameters *parameters = graph->nodes[n].parameters;
    channels = fov_size_max(channels, parameters->input_channels);
    taps = fov_size_max(taps, fov_convolution_taps(parameters));
  }
  if (!fov_size_multiply(graph->value_count, FOV_EXPONENTS, &costs) ||
      !fov_size_multiply(channels, FOV_EXPONENTS, &divisors)) {
    return false;
  }
  balance->costs = fov_allocate_array(costs, sizeof(double));
  balance->squares = fov_allocate_array(channels, sizeof(double));
  balance->divisors = fov_allocate_array(divisors, sizeof(float));
  balance->taps = fov_allocate_array(taps, sizeof(float));
  return balance->costs && balance->squares && balance->divisors && balance->taps;
}

fov_status fov_equalizer_balance(fov_equalizer *equalizer) {
  const fov_graph *graph = equalizer->graph;
  balance balance = {.equalizer = equalizer};
  const bool fits = allocate(&balance);
  for (size_t n = 0; fits && n < graph->node_count; n++) {
    if (fov_is_convolution(graph->nodes[n].operation)) {
      add_convolution(&balance, &graph->nodes[n]);
    }
  }
  for (size_t v = 0; fits && v < graph->value_count; v++) choose(&balance, (uint32_t)v);
  fov_release(balance.costs);
  fov_release(balance.squares);
  fov_release(balance.divisors);
  fov_release(balance.taps);
  return fits ? fov_status_ok : fov_status_out_of_memory;
}
