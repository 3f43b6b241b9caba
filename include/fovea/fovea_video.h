// Fovea - objects in videos, cameras and streams, picture by picture.
// SPDX-License-Identifier: Apache-2.0
#ifndef FOVEA_VIDEO_H
#define FOVEA_VIDEO_H

#include "fovea/fovea_detect.h"

#ifdef __cplusplus
extern "C" {
#endif

// A program asks for the results one after another. One thread of the library decodes ahead; the
// thread of the caller detects:
//
//   fovea_video_options options;
//   fovea_video_options_init(&options, sizeof options);
//   options.track = 1;
//   fovea_video *video = NULL;
//   fovea_status status =
//       fovea_video_open(model, "rtsp://camera/live", NULL, &options, &video, NULL);
//   while (status == fovea_status_ok) {
//     fovea_result *result = NULL;
//     status = fovea_video_next(video, &result, NULL);
//     if (result == NULL) break;
//     for (size_t i = 0; i < fovea_result_track_count(result); i++) {
//       const fovea_track *track = fovea_result_track(result, i);
//       printf("%lld %s\n", (long long)track->identifier, track->label);
//     }
//     fovea_result_free(result);
//   }
//   fovea_video_close(video);
//
// There are no callbacks: a loop needs none, and few languages lend functions to C easily.

// MARK: Opening

typedef struct fovea_video fovea_video;

typedef enum fovea_keep {
  fovea_keep_usual = 0,  // the latest of cameras and streams, all of others
  fovea_keep_all = 1,    // every picture; the source waits
  fovea_keep_latest = 2  // the newest; what it replaces is counted as dropped
} fovea_keep;

typedef struct fovea_video_options {
  size_t size;
  int32_t keep;                // fovea_keep
  int32_t paced;               // 1: a file comes at its own pace, as a camera does
  int32_t track;               // 1: objects get identifiers that they keep
  int32_t camera_moves;        // 1, with track: the camera's motion is taken out of that of objects
  int32_t maximum_reconnects;  // how often in a row a lost network source is opened again
  int32_t decoder_threads;     // 1...64
  // The age in seconds at which a result is late; NaN: never. A detector that allows several sizes
  // of its input takes a smaller one when results are late.
  double deadline;
  int64_t camera_width, camera_height;  // that a camera is asked for; 0: its own
  double camera_rate;                   // pictures per second; 0: its own
} fovea_video_options;

// Fills in the defaults. size: sizeof(fovea_video_options).
void fovea_video_options_init(fovea_video_options *options, size_t size);

// Opens a source and waits until it is open. source: a path, an address (rtsp, http and others), a
// camera ("camera:0", "/dev/video0"), numbered pictures ("frame-%04d.jpg"), or "-" for standard
// input. Both options may be NULL. The orientation of look turns all pictures. With track and
// without a confidence, weak detections are found, too: they continue tracks.
//
// The video is given to fovea_video_close; it may outlive the model. file: the source is missing or
// gives nothing; invalid_video: it is no video; unsupported: a codec, or a build or a machine
// without FFmpeg; unsuitable_model; invalid_argument; out_of_memory.
FOVEA_NODISCARD fovea_status fovea_video_open(const fovea_model *model, const char *source,
                                              const fovea_detect_options *look,
                                              const fovea_video_options *options,
                                              fovea_video **out_video, char **out_message);

// Ends the source, and frees the video. A call of fovea_video_next that waits on another thread
// ends with no result. NULL and closed videos are allowed.
void fovea_video_close(fovea_video *video);

// MARK: Pictures

// Waits for the next picture and finds the objects in it. Ends with fovea_status_ok and a NULL in
// *out_result at the end of the source. Calls on one video wait for each other. A child of fork()
// opens videos of its own: it is refused those of its parent (closed).
//
// The result is given to fovea_result_free. It keeps its decoded picture until then: free results
// before many others are made. file, invalid_video, unsupported: the source failed; then no picture
// follows. Others as fovea_detect_pixels.
FOVEA_NODISCARD fovea_status fovea_video_next(const fovea_video *video, fovea_result **out_result,
                                              char **out_message);

// Waits until fovea_video_next need not wait, since there is a picture or the end: then
// *out_is_ready is 1. It is 0 after `seconds`, 0...86400. So a program looks at other things
// between pictures. closed; invalid_argument.
FOVEA_NODISCARD fovea_status fovea_video_wait(const fovea_video *video, double seconds,
                                              int32_t *out_is_ready, char **out_message);

// Copies the picture that a result of a video is about, upright. invalid_argument: a result of
// another kind.
FOVEA_NODISCARD fovea_status fovea_result_copy_picture(const fovea_result *result,
                                                       fovea_picture **out_picture,
                                                       char **out_message);

// A picture of a video, and what became of all pictures up to it: decoded = taken + dropped + those
// that wait.
typedef struct fovea_frame {
  size_t size;
  int64_t index;              // among the decoded pictures, from 0
  double time;                // seconds from the start; greater than that of the picture before
  double stated_time;         // seconds, as the source says; NaN where it says nothing
  double age;                 // seconds from the picture's arrival to the start of the detection
  double latency;             // seconds from the picture's arrival to its result
  int32_t is_time_estimated;  // 1: the source states no usable time
  int32_t is_late;            // 1: the result came after the deadline
  int32_t is_damaged;         // 1: the decoder filled in damaged parts
  int32_t reserved;
  int64_t decoded, taken, dropped, late, damaged;
  int64_t lost;           // coded pictures that no picture could be made of
  int64_t passed_errors;  // errors of the stream that were passed over
  int64_t reconnects;
} fovea_frame;

// Borrowed from the result; NULL for a result of another kind.
const fovea_frame *fovea_result_frame(const fovea_result *result);

// MARK: Tracks

// An object that keeps its identifier from picture to picture.
typedef struct fovea_track {
  size_t size;
  int64_t identifier;  // from 1; never given to another object
  const char *label;
  float confidence;            // of the object's last detection
  int32_t object;              // its place among the result's objects; -1: it was not seen now
  double x, y, width, height;  // pixels of the upright picture, from its upper left
  double bounding_box[4];      // fractions from the lower left: x, y, width, height
} fovea_track;

// The number of tracks in the picture; 0 without the option track.
size_t fovea_result_track_count(const fovea_result *result);

// A track, in the order of the identifiers; NULL beyond the count. Tracks are track->size bytes
// apart. Borrowed from the result.
const fovea_track *fovea_result_track(const fovea_result *result, size_t index);

#ifdef __cplusplus
}
#endif
#endif
