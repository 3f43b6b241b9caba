// Fovea - what a compiled file says about its detector.
// SPDX-License-Identifier: Apache-2.0
#ifndef FOV_DETECTOR_RECORD_H
#define FOV_DETECTOR_RECORD_H

#include "base/fov_error.h"
#include "fovea/core/fov_detector.h"

// The description section of a compiled file is the outline of the original model, for Swift: four
// bytes, then fields of protocol buffers. `fovea compile` puts one more field first, which readers
// of outlines skip: the record of a detector (DetectorRecord.swift of FoveaRuntime).
//
//   0   last stage u32
//   4   tag varint, field 60000 of bytes: 82 A6 1D | length varint
//       record:
//         version u32 | classes u32: 0 where the model names none
//         confidence, IoU, soft suppression, box voting: f64 each
//         class agnostic u32: 0 or 1 | greatest number of objects u32: 0 for all
//         texts, each ended by a zero byte: name of the output of scores, name of the output of
//         boxes, and the label of every class
//   ..  outline
//
// Numbers are little-endian. Nothing in the record is trusted: it is read by an archive, thresholds
// have to lie in [0, 1], and there have to be as many texts as it says.
#define FOV_DETECTOR_RECORD_VERSION 2

typedef struct fov_detector_record {
  fov_detection_settings settings;
  const char *confidence_output;  // borrowed from the file, as all texts are
  const char *coordinates_output;
  const char *labels;  // one after another, each ended by a zero byte
  size_t label_count;
} fov_detector_record;

// Reads the record of a description section.
// unsupported: there is none. invalid_file: it is damaged, or of another version.
FOV_INTERNAL fov_status fov_detector_record_read(const uint8_t *description, size_t bytes,
                                                 fov_detector_record *out_record,
                                                 fov_diagnostic *diagnostic);

// Whether every threshold lies in [0, 1].
FOV_INTERNAL fov_status fov_detection_settings_check(const fov_detection_settings *settings,
                                                     fov_status otherwise,
                                                     fov_diagnostic *diagnostic);

// The text behind a text.
static inline const char *fov_next_text(const char *text) {
  while (*text != 0) text++;
  return text + 1;
}

#endif
