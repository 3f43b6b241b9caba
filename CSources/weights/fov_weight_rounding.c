// Fovea - rounding weights so that their errors cancel.
// SPDX-License-Identifier: Apache-2.0
#include "weights/fov_weight_rounding.h"

#include <math.h>

// The correlation of two pixels of a channel, by their distance along one axis: powers of 0.8. That
// of a distance along both axes is the product. Powers of 0.6 to 0.9 give results as good.
static const double correlations[] = {1.0, 0.8, 0.64, 0.512, 0.4096, 0.32768, 0.262144};

// More sweeps change little.
#define SWEEPS 2

// Kernels of so many positions keep the sums of their lines.
#define POSITIONS_MAX 81

typedef struct descent {
  const fov_weight_row *row;
  fov_code_limit fits;
  const void *context;
  int8_t *codes;
  double mean_error;  // of the sum, over all channels
  // (rows, columns) of one channel: what line_error gives for each line and position.
  double lines[POSITIONS_MAX];
} descent;

static double error_of(const descent *descent, size_t index) {
  const fov_weight_row *row = descent->row;
  return (double)descent->codes[index] * (double)row->scale - (double)row->taps[index];
}

static double correlation(size_t a, size_t b) {
  const size_t distance = a < b ? b - a : a - b;
  return distance < sizeof correlations / sizeof *correlations ? correlations[distance] : 0.0;
}

static bool keeps_lines(const fov_weight_row *row) {
  return row->rows * row->columns <= POSITIONS_MAX;
}

// The sum of the errors of a line of a channel, each times its correlation with column `x`.
static double line_error(const descent *descent, size_t first, size_t line, size_t x) {
  const size_t columns = descent->row->columns;
  double sum = 0.0;
  for (size_t j = 0; j < columns; j++) {
    sum += error_of(descent, first + line * columns + j) * correlation(j, x);
  }
  return sum;
}

static void keep_line(descent *descent, size_t first, size_t line) {
  const size_t columns = descent->row->columns;
  for (size_t x = 0; x < columns; x++) {
    descent->lines[line * columns + x] = line_error(descent, first, line, x);
  }
}

// The sum of a channel's errors, each times its correlation with one position.
static double correlated_error(const descent *descent, size_t first, size_t y, size_t x) {
  const fov_weight_row *row = descent->row;
  double sum = 0.0;
  for (size_t i = 0; i < row->rows; i++) {
    const double line =
        keeps_lines(row) ? descent->lines[i * row->columns + x] : line_error(descent, first, i, x);
    sum += line * correlation(i, y);
  }
  return sum;
}

static void move(descent *descent, size_t channel, size_t y, size_t x) {
  const fov_weight_row *row = descent->row;
  const size_t first = channel * row->rows * row->columns, index = first + y * row->columns + x;
  const double mean = (double)row->inputs[channel].mean;
  const double variance = (double)row->inputs[channel].variance;
  const double slope =
      variance * correlated_error(descent, first, y, x) + mean * descent->mean_error;
  const double curvature = (variance + mean * mean) * (double)row->scale;
  const double best = -slope / curvature;
  // Half a step rounds to the even number, which is none.
  if (!(fabs(best) > 0.5) || !(fabs(best) < 127.5)) return;
  const double step = nearbyint(best);
  const int code = descent->codes[index] + (int)step;
  if (!descent->fits(descent->context, descent->codes, index, code)) return;
  descent->codes[index] = (int8_t)code;
  descent->mean_error += step * (double)row->scale * mean;
  if (keeps_lines(row)) keep_line(descent, first, y);
}

static void start(descent *descent) {
  const fov_weight_row *row = descent->row;
  const size_t positions = row->rows * row->columns;
  for (size_t c = 0; c < row->channels; c++) {
    for (size_t p = 0; p < positions; p++) {
      descent->mean_error += error_of(descent, c * positions + p) * (double)row->inputs[c].mean;
    }
  }
}

void fov_round_weights(const fov_weight_row *row, fov_code_limit fits, const void *context,
                       int8_t *codes) {
  descent descent = {.row = row, .fits = fits, .context = context, .codes = codes};
  start(&descent);
  for (size_t sweep = 0; sweep < SWEEPS; sweep++) {
    for (size_t c = 0; c < row->channels; c++) {
      for (size_t y = 0; y < row->rows && keeps_lines(row); y++) {
        keep_line(&descent, c * row->rows * row->columns, y);
      }
      for (size_t y = 0; y < row->rows; y++) {
        for (size_t x = 0; x < row->columns; x++) move(&descent, c, y, x);
      }
    }
  }
}
