// Fovea - the C core alone: two layers on a 4x4 image, checked against sums done by hand.
// SPDX-License-Identifier: Apache-2.0
#include <stdio.h>
#include <string.h>

#include "fovea/core/fov_core.h"

#define CHECK(call)                                                                       \
  do {                                                                                    \
    const fov_status status = (call);                                                     \
    if (status != fov_status_ok) {                                                        \
      return fprintf(stderr, "%s: %s\n", fov_status_name(status), diagnostic.message), 1; \
    }                                                                                     \
  } while (0)

int main(void) {
  fov_diagnostic diagnostic = {""};
  fov_graph *graph = NULL;
  fov_value image, summed, pooled;
  CHECK(fov_graph_create(&graph));
  const fov_shape shape = {.rank = 3, .dims = {1, 4, 4}};
  CHECK(fov_graph_add_input(graph, "image", fov_data_type_float32, &shape, &image, &diagnostic));

  // A 3x3 box filter whose nine weights are 1-bit codes into a table of two entries.
  const uint8_t codes[2] = {0xFF, 0x80};
  const float table[2] = {0.0f, 1.0f};
  const fov_weights ones = {.encoding = fov_weight_encoding_lookup_table,
                            .bits = 1,
                            .data = codes,
                            .data_bytes = 2,
                            .table = table,
                            .table_count = 2};
  const fov_convolution box = {.output_channels = 1,
                               .groups = 1,
                               .kernel = {3, 3},
                               .stride = {1, 1},
                               .dilation = {1, 1},
                               .before = {1, 1},
                               .after = {1, 1}};
  CHECK(fov_graph_add_convolution(graph, &box, &ones, NULL, image, &summed, &diagnostic));
  const fov_pooling pool = {
      .function = fov_pooling_maximum, .kernel = {2, 2}, .stride = {2, 2}, .output = {2, 2}};
  CHECK(fov_graph_add_pooling(graph, &pool, summed, &pooled, &diagnostic));
  CHECK(fov_graph_mark_output(graph, pooled, "pooled", &diagnostic));

  const fov_model_options options = fov_model_options_default();
  fov_model *model = NULL;
  fov_session *session = NULL;
  CHECK(fov_model_create(graph, &options, &model, &diagnostic));
  CHECK(fov_session_create(model, NULL, &session));

  void *input = NULL;
  const void *output = NULL;
  size_t bytes = 0;
  CHECK(fov_session_input(session, 0, &input, &bytes));
  for (int i = 0; i < 16; i++) ((float *)input)[i] = (float)i;
  fov_session_run(session);
  CHECK(fov_session_output(session, 0, &output, &bytes));

  const float expected[4] = {45, 54, 81, 90};  // largest 3x3 sum of each 2x2 quarter
  for (int i = 0; i < 4; i++) printf("%g ", ((const float *)output)[i]);
  printf("\n");
  const bool right = bytes == sizeof expected && memcmp(output, expected, bytes) == 0;
  fov_session_destroy(session);
  fov_model_destroy(model);
  return right ? 0 : 1;
}
