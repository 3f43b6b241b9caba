// Fovea - fuzzing descriptions of detectors and what they make of pixels.
// SPDX-License-Identifier: Apache-2.0
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "byte_list.h"
#include "detect/fov_detector_record.h"
#include "fovea/core/fov_core.h"
#include "fuzz_input.h"

// An input is 48 bytes of pixels, eight bytes of choices, and the description of a compiled file.
// The file is that of a small network: its boxes and their scores are the pixels, four by four.
#define SIDE 4
#define IMAGE_BYTES (3 * SIDE * SIDE)
#define BOXES 12

static void must(fov_status status, const char *what) {
  if (status != fov_status_ok) fuzz_fail("%s: %s", what, fov_status_name(status));
}

// MARK: The file

static fov_model *make_model(void) {
  const fov_shape image_shape = {.rank = 3, .dims = {SIDE, SIDE, 3}};
  const fov_shape box_shape = {.rank = 2, .dims = {BOXES, 4}};
  const fov_pixels pixels = {.scale = 1.0f / 128};
  const fov_unary linear = {.function = fov_unary_linear, .alpha = 0.4375f, .beta = 0.125f};
  const fov_model_options options = fov_model_options_default();
  fov_graph *graph = NULL;
  fov_model *model = NULL;
  fov_value image, planes, boxes, scores;
  must(fov_graph_create(&graph), "graph");
  must(fov_graph_add_input(graph, "image", fov_data_type_uint8, &image_shape, &image, NULL),
       "input");
  must(fov_graph_add_pixels(graph, &pixels, image, &planes, NULL), "pixels");
  must(fov_graph_add_reshape(graph, &box_shape, planes, &boxes, NULL), "reshape");
  must(fov_graph_add_unary(graph, &linear, boxes, &scores, NULL), "linear");
  must(fov_graph_mark_output(graph, scores, "confidence", NULL), "output");
  must(fov_graph_mark_output(graph, boxes, "coordinates", NULL), "output");
  must(fov_model_create(graph, &options, &model, NULL), "model");
  return model;
}

static uint8_t *make_file(const uint8_t *description, size_t bytes, size_t *out_count) {
  static fov_model *model;
  static byte_list file;
  if (!model) model = make_model();
  file.count = 0;
  must(fov_model_save(model, description, bytes, byte_list_append, &file, NULL), "saving");
  *out_count = file.count;
  return fuzz_copy(file.bytes, file.count);
}

// MARK: Detecting

static void check_objects(const fov_detector *detector, const fov_detection *objects,
                          size_t count) {
  const fov_detection_settings settings = fov_detector_settings(detector);
  size_t length = 0;
  if (count > BOXES) fuzz_fail("%zu objects of %d boxes", count, BOXES);
  if (settings.maximum_count > 0 && count > settings.maximum_count) fuzz_fail("too many objects");
  for (size_t i = 0; i < count; i++) {
    const fov_detection *object = &objects[i];
    length += strlen(object->label);
    if (object->label != fov_detector_label(detector, object->class_index)) {
      fuzz_fail("object %zu has another label than its class", i);
    }
    if (!(object->score >= (float)settings.confidence_threshold)) fuzz_fail("a score too low");
    if (i > 0 && object->score > objects[i - 1].score) fuzz_fail("objects are not in order");
    if (!isfinite(object->x + object->y + object->width + object->height)) {
      fuzz_fail("object %zu has no place", i);
    }
  }
  if (length > 100000) fuzz_fail("labels are longer than the input");
}

static fov_image_sampling choose_sampling(fuzz_input *input, const fov_image *image) {
  switch (fuzz_byte(input) % 3) {
    case 0: return fov_image_sampling_fit(image, SIDE, SIDE, 3);
    case 1: return fov_image_sampling_crop(image, SIDE, SIDE, 3);
    default: return fov_image_sampling_whole(image, SIDE, SIDE, 3);
  }
}

// Boxes without a size are refused, and then nothing is found.
static void find(fov_detector *detector, const fov_image *image,
                 const fov_image_sampling *sampling) {
  const fov_detection *objects = NULL;
  size_t count = 0;
  fov_diagnostic diagnostic = {""};
  const fov_status status =
      fov_detector_detect(detector, image, sampling, &objects, &count, &diagnostic);
  if (status == fov_status_invalid_output) return;
  must(status, diagnostic.message);
  check_objects(detector, objects, count);
}

static void detect(fov_detector *detector, const uint8_t *pixels, fuzz_input *choices) {
  fov_diagnostic diagnostic = {""};
  const size_t width = fuzz_between(choices, 1, SIDE);
  const fov_image image = {.data = pixels,
                           .data_bytes = 3 * SIDE * width,
                           .width = width,
                           .height = SIDE,
                           .row_bytes = 3 * width};
  const fov_image_sampling sampling = choose_sampling(choices, &image);
  fov_detection_settings settings = fov_detector_settings(detector);
  find(detector, &image, &sampling);
  settings.confidence_threshold = fuzz_byte(choices) / 255.0;
  settings.iou_threshold = fuzz_byte(choices) / 255.0;
  settings.soft_suppression = fuzz_byte(choices) / 255.0;
  settings.box_voting_threshold = fuzz_byte(choices) / 255.0;
  settings.class_agnostic = fuzz_bool(choices);
  settings.maximum_count = fuzz_byte(choices) % 8;
  must(fov_detector_set_settings(detector, &settings, &diagnostic), diagnostic.message);
  find(detector, &image, NULL);
}

// MARK: The target

// A copy of exactly the description: what reads beyond it is seen.
static fov_status read_alone(const uint8_t *description, size_t bytes) {
  uint8_t *copy = fuzz_copy(description, bytes);
  fov_detector_record record;
  fov_diagnostic diagnostic = {""};
  const fov_status status = fov_detector_record_read(copy, bytes, &record, &diagnostic);
  if ((status == fov_status_ok) != (diagnostic.message[0] == 0))
    fuzz_fail("a status without words");
  free(copy);
  return status;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  if (size < IMAGE_BYTES + 8) return 0;
  fuzz_input choices = {data + IMAGE_BYTES, 8};
  const uint8_t *description = data + IMAGE_BYTES + 8;
  const size_t bytes = size - IMAGE_BYTES - 8;
  const fov_status alone = read_alone(description, bytes);
  const fov_model_options options = fov_model_options_default();
  fov_diagnostic diagnostic = {""};
  fov_model *model = NULL;
  fov_session *session = NULL;
  fov_detector *detector = NULL;
  size_t count;
  uint8_t *file = make_file(description, bytes, &count);
  must(fov_model_load(file, count, &options, &model, &diagnostic), diagnostic.message);
  must(fov_session_create(model, NULL, &session), "session");
  const fov_status status = fov_detector_create(session, file, count, &detector, &diagnostic);
  if (alone != fov_status_ok && status != alone) fuzz_fail("the file is read otherwise");
  if ((status == fov_status_ok) != (diagnostic.message[0] == 0))
    fuzz_fail("a status without words");
  if (status == fov_status_ok) detect(detector, data, &choices);
  fov_detector_destroy(detector);
  fov_session_destroy(session);
  fov_model_destroy(model);
  free(file);
  return 0;
}
