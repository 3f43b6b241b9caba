// Fovea - what a compiled file says about its detector.
// SPDX-License-Identifier: Apache-2.0
#include "detect/fov_detector_record.h"

#include <string.h>

#include "base/fov_archive.h"
#include "base/fov_size.h"

#define LAST_STAGE_BYTES 4
// The names of the two outputs.
#define NAME_COUNT 2

static const uint8_t tag[] = {0x82, 0xA6, 0x1D};

static fov_status damaged(fov_diagnostic *diagnostic, const char *what) {
  return fov_fail(diagnostic, fov_status_invalid_file,
                  "the description of the detector %s; the file is damaged: copy it or compile the "
                  "model again",
                  what);
}

fov_status fov_detection_settings_check(const fov_detection_settings *settings,
                                        fov_status otherwise, fov_diagnostic *diagnostic) {
  const double numbers[] = {settings->confidence_threshold, settings->iou_threshold,
                            settings->soft_suppression, settings->box_voting_threshold};
  static const char *const names[] = {"confidence threshold", "IoU threshold", "soft suppression",
                                      "box voting threshold"};
  for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++) {
    if (numbers[i] >= 0 && numbers[i] <= 1) continue;
    return fov_fail(diagnostic, otherwise, "the %s is %g; it must be in [0, 1]", names[i],
                    numbers[i]);
  }
  return fov_status_ok;
}

// A varint of at most five bytes; the place of its first byte moves behind its last one.
static bool read_length(const uint8_t *bytes, size_t count, size_t *position, size_t *out_length) {
  uint64_t length = 0;
  for (unsigned shift = 0; shift < 35 && *position < count; shift += 7) {
    const uint8_t byte = bytes[(*position)++];
    length |= (uint64_t)(byte & 0x7F) << shift;
    if (byte >= 0x80) continue;
    *out_length = (size_t)length;
    return length <= count - *position;
  }
  return false;
}

// Texts are as many as expected, and the last one is ended, too.
static bool has_texts(const uint8_t *bytes, size_t count, size_t expected) {
  size_t ends = 0;
  for (size_t i = 0; i < count; i++) ends += bytes[i] == 0;
  return ends == expected && bytes[count - 1] == 0;
}

static fov_status read_fields(fov_archive *archive, fov_detector_record *record,
                              fov_diagnostic *diagnostic) {
  uint32_t version = 0, classes = 0, most = 0;
  fov_archive_u32(archive, &version);
  if (archive->status == fov_status_ok && version != FOV_DETECTOR_RECORD_VERSION) {
    return fov_fail(diagnostic, fov_status_invalid_file,
                    "the description of the detector is of version %u; this library reads version "
                    "%d: compile the original again",
                    version, FOV_DETECTOR_RECORD_VERSION);
  }
  fov_archive_u32(archive, &classes);
  fov_archive_f64(archive, &record->settings.confidence_threshold);
  fov_archive_f64(archive, &record->settings.iou_threshold);
  fov_archive_f64(archive, &record->settings.soft_suppression);
  fov_archive_f64(archive, &record->settings.box_voting_threshold);
  fov_archive_bool(archive, &record->settings.class_agnostic);
  fov_archive_u32(archive, &most);
  record->settings.maximum_count = most;
  record->label_count = classes;
  return archive->status;
}

fov_status fov_detector_record_read(const uint8_t *description, size_t bytes,
                                    fov_detector_record *out_record, fov_diagnostic *diagnostic) {
  size_t position = LAST_STAGE_BYTES + sizeof tag, length;
  if (bytes < position || memcmp(description + LAST_STAGE_BYTES, tag, sizeof tag) != 0) {
    return fov_fail(diagnostic, fov_status_unsupported,
                    "the file does not describe a detector; compile its .mlmodel again");
  }
  if (!read_length(description, bytes, &position, &length)) {
    return damaged(diagnostic, "is cut off");
  }
  const uint8_t *record = description + position;
  fov_archive archive = fov_archive_reader(record, length, NULL, 0, diagnostic);
  *out_record = (fov_detector_record){0};
  FOV_FORWARD(read_fields(&archive, out_record, diagnostic));
  FOV_FORWARD(
      fov_detection_settings_check(&out_record->settings, fov_status_invalid_file, diagnostic));
  const uint8_t *texts = record + archive.position;
  size_t expected;
  if (!fov_size_add(out_record->label_count, NAME_COUNT, &expected) ||
      !has_texts(texts, length - archive.position, expected)) {
    return damaged(diagnostic, "has another number of labels than it says");
  }
  out_record->confidence_output = (const char *)texts;
  out_record->coordinates_output = fov_next_text(out_record->confidence_output);
  out_record->labels = fov_next_text(out_record->coordinates_output);
  return fov_status_ok;
}
