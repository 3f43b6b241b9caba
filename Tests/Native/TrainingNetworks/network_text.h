// Fovea - networks as make_networks.py writes them.
// SPDX-License-Identifier: Apache-2.0
#ifndef NETWORK_TEXT_H
#define NETWORK_TEXT_H

#include <stdio.h>

#include "fov_train.h"

#define MOST_VALUES 256

typedef struct network_text {
  FILE *file;  // stands behind "expected"
  fov_tape *tape;
  fov_tape_value values[MOST_VALUES];
  size_t value_count;
  size_t rows, columns;          // of the picture
  size_t taps[MOST_VALUES];      // weights of each convolution
  size_t channels[MOST_VALUES];  // outputs of each convolution
  size_t convolution_count, output_count;
  uint64_t numbers;  // the generator of weights
} network_text;

// The next number of a generator, -1 to 1.
float network_number(uint64_t *state);

// Reads the operations of a file and makes a finished tape of them; false, after a line on standard
// error, where that fails. To be closed in either case.
bool network_text_open(network_text *text, const char *path);
void network_text_close(network_text *text);

#endif
