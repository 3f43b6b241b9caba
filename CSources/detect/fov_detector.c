// Fovea - from the pixels of an image to the objects in it.
// SPDX-License-Identifier: Apache-2.0
#include "fovea/core/fov_detector.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/fov_alloc.h"
#include "base/fov_size.h"
#include "detect/fov_detector_record.h"
#include "fovea/core/fov_compiled.h"
#include "fovea/spi/fov_suppression.h"

// Room for "class 4294967295".
#define NUMBERED_LABEL_BYTES 20

// A detector is one block of memory:
//
//   | detector | labels | their texts, if the file has none | candidates | detections |
struct fov_detector {
  fov_session *session;
  fov_detection_settings settings;
  fov_port input;
  size_t confidence, coordinates;  // the numbers of the outputs
  size_t box_count, class_count;
  const char **labels;        // (class_count,)
  char *numbered_labels;      // (class_count, NUMBERED_LABEL_BYTES); 0 bytes if the file has labels
  fov_candidates candidates;  // capacity: box_count
  fov_detection *detections;  // (box_count,)
};

// MARK: finding the ports

static fov_status find_input(fov_detector *detector, const fov_model *model,
                             fov_diagnostic *diagnostic) {
  const size_t count = fov_model_input_count(model);
  FOV_FORWARD(fov_model_input(model, 0, &detector->input));
  if (count == 1 && detector->input.kind == fov_port_kind_image) return fov_status_ok;
  return fov_fail(diagnostic, fov_status_unsupported,
                  "the model is no detector: it has %zu inputs, the first of them '%s'; expected "
                  "one, an image",
                  count, detector->input.name);
}

static fov_status find_output(const fov_model *model, const char *name, size_t *out_index,
                              fov_port *out_port, fov_diagnostic *diagnostic) {
  for (size_t i = 0; fov_model_output(model, i, out_port) == fov_status_ok; i++) {
    *out_index = i;
    if (out_port->type == fov_data_type_float32 && strcmp(out_port->name, name) == 0) {
      return fov_status_ok;
    }
  }
  return fov_fail(diagnostic, fov_status_unsupported,
                  "the model is no detector: it has no output '%s' of scores or boxes", name);
}

// The elements of an array, and the columns of its rows; dimensions of 1 do not count.
static size_t elements_of(const fov_shape *shape, size_t *out_columns) {
  size_t count = 1;
  *out_columns = 1;
  for (size_t i = 0; i < shape->rank; i++) {
    if (shape->dims[i] > 1) *out_columns = shape->dims[i];
    count *= shape->dims[i];  // fits: the session holds the array
  }
  return count;
}

static fov_status find_outputs(fov_detector *detector, const fov_model *model,
                               const fov_detector_record *record, fov_diagnostic *diagnostic) {
  fov_port scores, boxes;
  size_t score_columns, box_columns;
  FOV_FORWARD(
      find_output(model, record->confidence_output, &detector->confidence, &scores, diagnostic));
  FOV_FORWARD(
      find_output(model, record->coordinates_output, &detector->coordinates, &boxes, diagnostic));
  const size_t score_count = elements_of(&scores.shape, &score_columns);
  const size_t box_numbers = elements_of(&boxes.shape, &box_columns);
  detector->box_count = box_numbers / 4;
  detector->class_count = detector->box_count > 0 ? score_count / detector->box_count : 0;
  const bool fits = box_columns == 4 && score_count % detector->box_count == 0 &&
                    (detector->class_count == 1 || score_columns == detector->class_count) &&
                    detector->box_count <= UINT32_MAX && detector->class_count > 0;
  if (!fits) {
    return fov_fail(diagnostic, fov_status_unsupported,
                    "the model is no detector: its outputs '%s' and '%s' have %zu and %zu numbers; "
                    "expected [boxes, classes] and [boxes, 4]",
                    scores.name, boxes.name, score_count, box_numbers);
  }
  if (record->label_count == 0 || record->label_count == detector->class_count) {
    return fov_status_ok;
  }
  return fov_fail(diagnostic, fov_status_invalid_file,
                  "the file has %zu labels for %zu classes; compile the model again",
                  record->label_count, detector->class_count);
}

// MARK: creating

// Lays the arrays of a detector out in one block, as offsets and then as pointers.
static fov_status allocate(const fov_detector *found, bool has_labels,
                           fov_detector **out_detector) {
  const size_t boxes = found->box_count, classes = found->class_count;
  size_t end = 0, self, labels, texts, bytes, candidates, detections;
  FOV_FORWARD(fov_candidates_bytes(boxes, &bytes));
  if (!fov_size_reserve(&end, 1, sizeof *found, &self) ||
      !fov_size_reserve(&end, classes, sizeof(char *), &labels) ||
      !fov_size_reserve(&end, has_labels ? 0 : classes, NUMBERED_LABEL_BYTES, &texts) ||
      !fov_size_reserve(&end, bytes, 1, &candidates) ||
      !fov_size_reserve(&end, boxes, sizeof(fov_detection), &detections)) {
    return fov_status_overflow;
  }
  uint8_t *block = fov_allocate(end);
  if (!block) return fov_status_out_of_memory;
  fov_detector *detector = (fov_detector *)block;
  *detector = *found;
  detector->labels = (const char **)(block + labels);
  detector->numbered_labels = (char *)(block + texts);
  detector->candidates = fov_candidates_place(boxes, block + candidates);
  detector->detections = (fov_detection *)(block + detections);
  *out_detector = detector;
  return fov_status_ok;
}

static void name_classes(fov_detector *detector, const fov_detector_record *record) {
  const char *text = record->labels;
  for (size_t c = 0; c < detector->class_count; c++) {
    if (record->label_count > 0) {
      detector->labels[c] = text;
      text = fov_next_text(text);
    } else {
      char *label = detector->numbered_labels + c * NUMBERED_LABEL_BYTES;
      snprintf(label, NUMBERED_LABEL_BYTES, "class %u", (unsigned)c);
      detector->labels[c] = label;
    }
  }
}

fov_status fov_detector_create(fov_session *session, const void *bytes, size_t count,
                               fov_detector **out_detector, fov_diagnostic *diagnostic) {
  const fov_model *model = fov_session_model(session);
  const void *description;
  size_t description_bytes;
  fov_detector_record record;
  *out_detector = NULL;
  FOV_FORWARD(fov_compiled_description(bytes, count, &description, &description_bytes, diagnostic));
  FOV_FORWARD(fov_detector_record_read(description, description_bytes, &record, diagnostic));
  fov_detector found = {.session = session, .settings = record.settings};
  FOV_FORWARD(find_input(&found, model, diagnostic));
  FOV_FORWARD(find_outputs(&found, model, &record, diagnostic));
  const fov_status status = allocate(&found, record.label_count > 0, out_detector);
  if (status != fov_status_ok) return fov_fail(diagnostic, status, "no memory for a detector");
  name_classes(*out_detector, &record);
  return fov_status_ok;
}

void fov_detector_destroy(fov_detector *detector) { fov_release(detector); }

size_t fov_detector_class_count(const fov_detector *detector) { return detector->class_count; }

const char *fov_detector_label(const fov_detector *detector, size_t class_index) {
  return class_index < detector->class_count ? detector->labels[class_index] : NULL;
}

fov_detection_settings fov_detector_settings(const fov_detector *detector) {
  return detector->settings;
}

fov_status fov_detector_set_settings(fov_detector *detector, const fov_detection_settings *settings,
                                     fov_diagnostic *diagnostic) {
  FOV_FORWARD(fov_detection_settings_check(settings, fov_status_invalid_argument, diagnostic));
  detector->settings = *settings;
  return fov_status_ok;
}

// MARK: detecting

// Where one row of a map leads a stretch from `low` to `high` along x or y.
static void lead(double factor, double offset, double low, double high, double *out_begin,
                 double *out_length) {
  *out_begin = factor * (factor < 0 ? high : low) + offset;
  *out_length = fabs(factor) * (high - low);
}

// The detection of a box in fractions of the input.
static fov_detection detection_of(const fov_detector *detector, const fov_affine_map *map,
                                  fov_box box, fov_survivor survivor) {
  const size_t class_index = detector->candidates.classes[survivor.index];
  fov_detection object = {
      .label = detector->labels[class_index], .class_index = class_index, .score = survivor.score};
  const double left = box.min_x * (double)detector->input.width;
  const double right = box.max_x * (double)detector->input.width;
  const double top = box.min_y * (double)detector->input.height;
  const double bottom = box.max_y * (double)detector->input.height;
  const bool exchanges = map->a == 0;
  lead(exchanges ? map->b : map->a, map->tx, exchanges ? top : left, exchanges ? bottom : right,
       &object.x, &object.width);
  lead(exchanges ? map->c : map->d, map->ty, exchanges ? left : top, exchanges ? right : bottom,
       &object.y, &object.height);
  return object;
}

fov_status fov_detector_read(fov_detector *detector, const fov_affine_map *map,
                             const fov_detection **out_objects, size_t *out_count,
                             fov_diagnostic *diagnostic) {
  fov_candidates *candidates = &detector->candidates;
  const void *scores, *boxes;
  size_t bytes, count;
  *out_objects = NULL;
  *out_count = 0;
  FOV_FORWARD(fov_session_output(detector->session, detector->confidence, &scores, &bytes));
  FOV_FORWARD(fov_session_output(detector->session, detector->coordinates, &boxes, &bytes));
  const fov_scored_boxes output = {detector->box_count, detector->class_count, scores, boxes};
  const fov_candidate_rule rule = {.threshold = (float)detector->settings.confidence_threshold};
  FOV_FORWARD(fov_candidates_find(candidates, &output, &rule, &count, diagnostic));
  fov_suppress(candidates, &detector->settings);
  size_t found = 0;
  for (size_t i = 0; i < candidates->survivor_count; i++) {
    const fov_survivor survivor = candidates->survivors[i];
    // With a threshold of 0 a row of zeros passes, but it names no class and so no object.
    if (!(candidates->scores[survivor.index] > 0)) continue;
    const fov_box box = fov_box_vote(candidates, &detector->settings, survivor.index);
    detector->detections[found++] = detection_of(detector, map, box, survivor);
  }
  *out_objects = detector->detections;
  *out_count = found;
  return fov_status_ok;
}

fov_status fov_detector_detect(fov_detector *detector, const fov_image *image,
                               const fov_image_sampling *sampling,
                               const fov_detection **out_objects, size_t *out_count,
                               fov_diagnostic *diagnostic) {
  const fov_port *input = &detector->input;
  fov_image_sampling whole;
  void *data;
  size_t bytes;
  *out_objects = NULL;
  *out_count = 0;
  if (!sampling) {
    whole = fov_image_sampling_whole(image, input->width, input->height, input->channels);
    sampling = &whole;
  }
  if (sampling->width != input->width || sampling->height != input->height ||
      sampling->channels != input->channels) {
    return fov_fail(
        diagnostic, fov_status_invalid_argument,
        "the sampling is for an input of %zu x %zu x %zu; the model has %zu x %zu x %zu",
        sampling->width, sampling->height, sampling->channels, input->width, input->height,
        input->channels);
  }
  FOV_FORWARD(fov_session_input(detector->session, 0, &data, &bytes));
  const fov_status status = fov_image_sample(image, sampling, data, bytes);
  if (status != fov_status_ok) {
    return fov_fail(diagnostic, status,
                    "an image of %zu x %zu pixels in %zu bytes cannot be sampled: its size, its "
                    "rows or the sampling are wrong, see fov_image_sample",
                    image->width, image->height, image->data_bytes);
  }
  fov_session_set_confidence_floor(detector->session,
                                   (float)detector->settings.confidence_threshold);
  fov_session_run(detector->session);
  return fov_detector_read(detector, &sampling->map, out_objects, out_count, diagnostic);
}
