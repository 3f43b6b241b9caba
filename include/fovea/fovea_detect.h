// Fovea - the C interface of the whole: from a model file and a picture to objects.
// SPDX-License-Identifier: Apache-2.0
#ifndef FOVEA_DETECT_H
#define FOVEA_DETECT_H

#include "fovea/fovea_base.h"
#include "fovea/fovea_model.h"
#include "fovea/fovea_picture.h"
#include "fovea/fovea_run.h"

#ifdef __cplusplus
extern "C" {
#endif

// Link with -lfovea (`pkg-config --cflags --libs fovea`):
//
//   fovea_model *model = NULL;
//   fovea_result *result = NULL;
//   char *message = NULL;
//   if (fovea_model_open("YOLOv3Tiny.mlmodel", NULL, &model, &message) ||
//       fovea_detect_file(model, "dog.jpg", NULL, &result, &message)) {
//     return fprintf(stderr, "%s\n", message), 1;
//   }
//   for (size_t i = 0; i < fovea_result_object_count(result); i++) {
//     const fovea_object *object = fovea_result_object(result, i);
//     printf("%s %.3f\n", object->label, object->confidence);
//   }
//   fovea_result_free(result);
//   fovea_model_close(model);

// MARK: Options

typedef enum fovea_crop_and_scale {
  fovea_crop_and_scale_usual = -1,      // crop for classifiers, as they are trained; else fill
  fovea_crop_and_scale_fill = 0,        // both axes are scaled independently
  fovea_crop_and_scale_fit = 1,         // one scale; the rest of the input is black
  fovea_crop_and_scale_crop = 2,        // one scale; what is too long is cut off, half at each end
  fovea_crop_and_scale_fit_turned = 3,  // turned by 90 degrees counterclockwise, then fit
  fovea_crop_and_scale_fill_turned = 4  // turned by 90 degrees counterclockwise, then fill
} fovea_crop_and_scale;

typedef enum fovea_padding {
  fovea_padding_centered = 0,
  fovea_padding_upper_left = 1
} fovea_padding;

typedef enum fovea_filter { fovea_filter_bilinear = 0, fovea_filter_area = 1 } fovea_filter;

// A number of a detection by its name, for programs that read names from elsewhere.
typedef struct fovea_setting {
  const char *name;
  double value;  // 0...1
} fovea_setting;

// The names of all numbers, such as "box_voting"; NULL beyond the last.
const char *fovea_setting_name(size_t index);

// How a picture is looked at. Those of the first block count for classifiers, too.
typedef struct fovea_detect_options {
  size_t size;
  int32_t orientation;     // how to turn the picture, 1...8 as in EXIF; 0: as its file says
  int32_t crop_and_scale;  // fovea_crop_and_scale; by default the usual one
  int32_t padding;         // where fit puts the picture: fovea_padding
  int32_t filter;          // fovea_filter
  int32_t decode_full;     // 1: large JPEG files are decoded at their full size: slower
  int32_t match_aspect;    // 1: the allowed size of the input nearest to the picture's aspect
  // The part to look at: fractions of the upright picture, from its upper left.
  double region_x, region_y, region_width, region_height;

  double confidence;          // the least score, 0...1. NaN here and below: the model's own
  double iou;                 // the greatest overlap of two objects, 0...1
  double box_voting;          // the least overlap of a box that votes, 0...1; 1: none
  double soft_suppression;    // the part of its overlap that a score loses, 0...1
  int32_t class_agnostic;     // 1: objects also displace those of other classes; -1: the model's
  int32_t multi_label;        // 1: a box may stand for objects of several classes
  size_t maximum_count;       // the best so many objects stay; 0: all
  const char *const *labels;  // only objects of these classes; NULL: all
  size_t label_count;
  const fovea_setting *settings;  // numbers by name, which win over members; may be NULL
  size_t setting_count;
} fovea_detect_options;

// Fills in the defaults. size: sizeof(fovea_detect_options).
void fovea_detect_options_init(fovea_detect_options *options, size_t size);

// MARK: Detecting

// Finds the objects in a picture, best first. No object is no failure. options may be NULL. The
// result is given to fovea_result_free; it may outlive the model. On failure *out_result is NULL.
//
// unsuitable_model: the model is no detector; file, invalid_picture; invalid_argument: an option
// outside its range, an unknown label, a layout of pixels that makes no sense; buffer_too_small;
// invalid_output; out_of_memory.
FOVEA_NODISCARD fovea_status fovea_detect_file(const fovea_model *model, const char *path,
                                               const fovea_detect_options *options,
                                               fovea_result **out_result, char **out_message);

// The same for the bytes of an image file, which are copied.
FOVEA_NODISCARD fovea_status fovea_detect_bytes(const fovea_model *model, const void *bytes,
                                                size_t byte_count,
                                                const fovea_detect_options *options,
                                                fovea_result **out_result, char **out_message);

// The same for pixels, such as a frame of a camera, which are not copied.
FOVEA_NODISCARD fovea_status fovea_detect_pixels(const fovea_model *model,
                                                 const fovea_pixels *pixels,
                                                 const fovea_detect_options *options,
                                                 fovea_result **out_result, char **out_message);

// MARK: Classifying

// Names what is in a picture with a classifier. Otherwise as fovea_detect_file and its relatives.
FOVEA_NODISCARD fovea_status fovea_classify_file(const fovea_model *model, const char *path,
                                                 const fovea_detect_options *options,
                                                 fovea_result **out_result, char **out_message);
FOVEA_NODISCARD fovea_status fovea_classify_bytes(const fovea_model *model, const void *bytes,
                                                  size_t byte_count,
                                                  const fovea_detect_options *options,
                                                  fovea_result **out_result, char **out_message);
FOVEA_NODISCARD fovea_status fovea_classify_pixels(const fovea_model *model,
                                                   const fovea_pixels *pixels,
                                                   const fovea_detect_options *options,
                                                   fovea_result **out_result, char **out_message);

// MARK: Maps, pictures and embeddings

// What a network writes that finds no objects, on the upright picture: one array of float32,
// fovea_result_array(result, 0).
typedef enum fovea_map {
  fovea_map_classes = 0,  // [rows, columns]: numbers of classes; 255, or 65535 where there are more
                          // than 255 classes: none
  fovea_map_depth = 1,    // [rows, columns]; NaN where the network did not see the picture
  fovea_map_picture = 2,  // [rows, columns, 3]: levels of 0 to 255, in the size that it writes
  fovea_map_embedding = 3  // [numbers]
} fovea_map;

// Runs a network for maps on a picture; map is a fovea_map. Otherwise as fovea_detect_file and its
// relatives. unsuitable_model: nothing says that the network writes such a map.
FOVEA_NODISCARD fovea_status fovea_map_file(const fovea_model *model, const char *path, int32_t map,
                                            const fovea_detect_options *options,
                                            fovea_result **out_result, char **out_message);
FOVEA_NODISCARD fovea_status fovea_map_bytes(const fovea_model *model, const void *bytes,
                                             size_t byte_count, int32_t map,
                                             const fovea_detect_options *options,
                                             fovea_result **out_result, char **out_message);
// The pixels are copied.
FOVEA_NODISCARD fovea_status fovea_map_pixels(const fovea_model *model, const fovea_pixels *pixels,
                                              int32_t map, const fovea_detect_options *options,
                                              fovea_result **out_result, char **out_message);

// MARK: What was found

// What follows is borrowed from the result and valid until it is freed.

// A class that an object or a picture may belong to.
typedef struct fovea_label {
  size_t size;
  const char *name;
  int32_t class_index;
  float confidence;  // the probability; of an object, the class's share of its confidence
} fovea_label;

// Which pixels belong to an object.
typedef struct fovea_mask {
  size_t size;
  int64_t x, y, width, height;  // the box around them, in pixels of the upright picture
  int64_t area;                 // how many they are
  const char *counts;           // all of the picture, as COCO's compressed run lengths
} fovea_mask;

typedef struct fovea_object {
  size_t size;
  const char *label;  // of the best class
  int32_t class_index;
  float confidence;            // the score of that class, 0...1
  double x, y, width, height;  // pixels of the upright picture, from its upper left
  // The same in fractions of the upright picture, from its lower left: x, y, width, height.
  double bounding_box[4];
  float total_confidence;  // the sum of the scores of all classes, at most 1
  int32_t reserved;
  size_t label_count;         // the classes with a score above 0, best first
  const fovea_label *labels;  // labels->size bytes apart
  // What some networks say besides; 0 and NULL where this one does not.
  const fovea_mask *mask;
  size_t keypoint_count;
  const fovea_keypoint *keypoints;  // keypoints->size bytes apart
  const double *corners;  // x and y of the four corners of a turned box, clockwise, in pixels
  // By how much the box is turned, in radians, clockwise; NaN where it is not turned, and where x
  // and y were scaled differently.
  double rotation;
} fovea_object;

// The number of objects; 0 for a result of another kind.
size_t fovea_result_object_count(const fovea_result *result);

// An object; NULL beyond the count. Objects are object->size bytes apart. Boxes may reach beyond
// the picture.
const fovea_object *fovea_result_object(const fovea_result *result, size_t index);

// Writes which pixels of mask->width x mask->height belong to an object, row by row: 1 or 0.
// invalid_argument: it has no mask; buffer_too_small.
FOVEA_NODISCARD fovea_status fovea_result_mask_pixels(const fovea_result *result, size_t index,
                                                      uint8_t *pixels, size_t byte_count,
                                                      char **out_message);

// The outlines of an object's mask, in numbers: for each connected part the number of its corners,
// and then their x and y, clockwise, on centers of pixels. Writes as many numbers as there is room
// for, and returns how many there are; 0 for an object without a mask. numbers may be NULL.
size_t fovea_result_mask_outlines(const fovea_result *result, size_t index, double *numbers,
                                  size_t capacity);

// The classes of a classification, the most probable first; 0 and NULL for a result of another
// kind.
size_t fovea_result_label_count(const fovea_result *result);
const fovea_label *fovea_result_label(const fovea_result *result, size_t index);

// The picture that was looked at, and the time it took.
typedef struct fovea_picture_info {
  size_t size;
  int64_t width, height;              // of the upright picture in pixels
  int64_t input_width, input_height;  // of the network's input
  int32_t orientation;                // that was applied, 1...8
  int32_t reserved;
  double seen[4];     // x, y, width, height of what was seen, in pixels of the upright picture
  double padding[4];  // top, left, bottom, right in pixels of the input
  // From pixels of the input to pixels of the upright picture, both from the upper left:
  // x' = m[0] x + m[1] y + m[4], y' = m[2] x + m[3] y + m[5].
  double input_to_picture[6];
  double decode_ms, prepare_ms, inference_ms, postprocess_ms;  // milliseconds
} fovea_picture_info;

// Of a detection; NULL for a result of another kind.
const fovea_picture_info *fovea_result_picture(const fovea_result *result);

#ifdef __cplusplus
}
#endif
#endif
