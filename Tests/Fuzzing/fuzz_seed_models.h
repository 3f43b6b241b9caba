// Fovea - small models whose compiled files fuzzing begins with.
// SPDX-License-Identifier: Apache-2.0
#ifndef FUZZ_SEED_MODELS_H
#define FUZZ_SEED_MODELS_H

#include "fovea/core/fov_core.h"

typedef enum fuzz_seed_graph {
  fuzz_seed_one_convolution,
  fuzz_seed_images,     // convolutions and what is fused to them or stands between them
  fuzz_seed_planes,     // operations that stay planar
  fuzz_seed_program,    // those of ML Programs
  fuzz_seed_detection,  // a decoded head
} fuzz_seed_graph;

typedef enum fuzz_seed_ranges {
  fuzz_seed_without_ranges,
  fuzz_seed_with_ranges,
  fuzz_seed_with_frames,  // ranges, but codes follow the frame
  fuzz_seed_with_float_sums,
  fuzz_seed_with_float_layer,
  fuzz_seed_with_int16_layer,
} fuzz_seed_ranges;

typedef struct fuzz_seed {
  fuzz_seed_graph graph;
  fov_backend backend;  // float32 or int8
  fov_weight_encoding encoding;
  uint32_t bits;     // of codes
  bool per_channel;  // linear
  bool has_parts;    // tables or scales of rows and columns of kernels
  bool keeps_codes;  // float32
  fuzz_seed_ranges ranges;
} fuzz_seed;

// Ends the program when anything fails. The caller destroys the model.
fov_model *fuzz_seed_model(const fuzz_seed *seed);

#endif
