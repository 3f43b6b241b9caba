// Fovea - from the pixels of an image to the objects in it.
// SPDX-License-Identifier: Apache-2.0
#ifndef FOV_DETECTOR_H
#define FOV_DETECTOR_H

#include <stdbool.h>
#include <stddef.h>

#include "fovea/core/fov_image.h"
#include "fovea/core/fov_session.h"
#include "fovea/core/fov_status.h"

#ifdef __cplusplus
extern "C" {
#endif

FOV_ASSUME_NONNULL_BEGIN

// A compiled file that `fovea compile` wrote says which outputs are scores and boxes, names the
// classes, and states the thresholds of the original model. A detector reads all of that:
//
//   fov_model_load(file, bytes, &options, &model, &diagnostic);
//   fov_session_create(model, pool, &session);
//   fov_detector_create(session, file, bytes, &detector, &diagnostic);
//   fov_detector_detect(detector, &image, NULL, &objects, &count, &diagnostic);
//
// The network has one input, an image, and puts out two arrays: scores [boxes, classes] and
// boxes [boxes, 4], each a center x, center y, width and height in fractions of the input, from
// the upper left. From them the detector makes objects, as `fovea detect` does:
//
//   1. The score of a box is that of its best class. Boxes whose score is below the confidence
//      threshold are dropped; the rest are candidates.
//   2. Greedy suppression: by descending score, a candidate stays unless it overlaps a better one
//      that stayed by more than the IoU threshold. Overlap is intersection over union.
//   3. Soft suppression: what stayed loses a part of its score for its greatest overlap with a
//      better one, and goes if it falls below the confidence threshold.
//   4. Box voting: the box of an object becomes the mean of the candidates that agree with it,
//      weighted by the squares of their scores.
//
// Steps 3 and 4 do nothing by default: a model's metadata or the caller asks for them.

// MARK: settings

typedef struct fov_detection_settings {
  double confidence_threshold;  // the least score, [0, 1]
  double iou_threshold;         // the greatest overlap of two objects, [0, 1]
  double soft_suppression;      // the part of its greatest overlap that a score loses, [0, 1]
  double box_voting_threshold;  // the least overlap of a box that votes, [0, 1]; 1: none votes
  bool class_agnostic;          // whether objects of different classes compete, too
  size_t maximum_count;         // the best so many objects stay; 0: all
} fov_detection_settings;

// MARK: detectors

// A detector owns the memory that decoding and suppression need. It allocates when it is created
// and never again. It belongs to one thread at a time, together with its session.
typedef struct fov_detector fov_detector;

// Makes the detector of a compiled file. Borrows the session, which runs the model of this file,
// and the bytes, which hold the labels; both must outlive the detector.
//
// unsupported: the file has no description of a detector, as files have that Fovea did not compile
// or that are older than this function; or the network's ports are not those of a detector.
// invalid_file: the description is damaged. out_of_memory.
FOV_NODISCARD fov_status fov_detector_create(fov_session *session, const void *bytes, size_t count,
                                             fov_detector *_Nullable *_Nonnull out_detector,
                                             fov_diagnostic *_Nullable diagnostic);

// NULL is allowed.
void fov_detector_destroy(fov_detector *_Nullable detector);

size_t fov_detector_class_count(const fov_detector *detector);

// The name of a class, as the file has it; "class 3" where the file names none. NULL for a number
// that is no class.
const char *_Nullable fov_detector_label(const fov_detector *detector, size_t class_index);

// At first the settings are those that the model states. A model that states no thresholds has 0.25
// and 0.45.
fov_detection_settings fov_detector_settings(const fov_detector *detector);

// invalid_argument: a number outside [0, 1]; the settings stay as they were.
FOV_NODISCARD fov_status fov_detector_set_settings(fov_detector *detector,
                                                   const fov_detection_settings *settings,
                                                   fov_diagnostic *_Nullable diagnostic);

// MARK: detecting

typedef struct fov_detection {
  const char *label;  // borrowed from the detector
  size_t class_index;
  float score;                 // after soft suppression
  double x, y, width, height;  // pixels of the image, from its upper left; may leave the image
} fov_detection;

// Samples an image into the network's input, runs the network, and finds the objects, best first.
// The array is borrowed from the detector and valid until its next call.
//
// sampling: how the image lies in the input: fov_image_sampling_whole, _fit or _crop, or one of
// your own. NULL means fov_image_sampling_whole. Boxes are on the image as it is stored.
//
// The call sets the session's confidence floor. invalid_output: the network put out numbers that
// are not finite. Other statuses as fov_image_sample.
FOV_NODISCARD fov_status fov_detector_detect(fov_detector *detector, const fov_image *image,
                                             const fov_image_sampling *_Nullable sampling,
                                             const fov_detection *_Nullable *_Nonnull out_objects,
                                             size_t *out_count,
                                             fov_diagnostic *_Nullable diagnostic);

// The last step alone, for callers who filled the input and ran the session themselves. map leads
// from pixels of the input to pixels of the image: fov_image_sampling.map.
FOV_NODISCARD fov_status fov_detector_read(fov_detector *detector, const fov_affine_map *map,
                                           const fov_detection *_Nullable *_Nonnull out_objects,
                                           size_t *out_count, fov_diagnostic *_Nullable diagnostic);

FOV_ASSUME_NONNULL_END

#ifdef __cplusplus
}
#endif
#endif
