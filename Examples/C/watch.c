// Fovea - the objects in a video, a camera or a stream, with identifiers that they keep, from C.
// SPDX-License-Identifier: Apache-2.0
//
//   cc watch.c $(pkg-config --cflags --libs fovea) -o watch
//   ./watch rtsp://camera/live YOLOv3Tiny.mlmodel
#include <fovea/fovea.h>
#include <stdio.h>

// Usage: watch SOURCE [MODEL]; without a model the detector of codes and text that is in the
// library.
int main(int argument_count, char **arguments) {
  if (argument_count < 2) return fprintf(stderr, "usage: watch SOURCE [MODEL]\n"), 2;
  fovea_model *model = NULL;
  fovea_video *video = NULL;
  char *message = NULL;
  fovea_video_options options;
  fovea_video_options_init(&options, sizeof options);
  options.track = 1;
  fovea_status status = argument_count > 2
                            ? fovea_model_open(arguments[2], NULL, &model, &message)
                            : fovea_model_open_codes_and_text(NULL, &model, &message);
  if (status == fovea_status_ok) {
    status = fovea_video_open(model, arguments[1], NULL, &options, &video, &message);
  }
  for (fovea_result *result = NULL; status == fovea_status_ok; fovea_result_free(result)) {
    status = fovea_video_next(video, &result, &message);
    if (result == NULL) break;
    for (size_t i = 0; i < fovea_result_track_count(result); i++) {
      const fovea_track *track = fovea_result_track(result, i);
      printf("%.2f %lld %s %.0f %.0f %.0f %.0f\n", fovea_result_frame(result)->time,
             (long long)track->identifier, track->label, track->x, track->y, track->width,
             track->height);
    }
  }
  if (status != fovea_status_ok) fprintf(stderr, "%s\n", message);
  fovea_free(message);
  fovea_video_close(video);
  fovea_model_close(model);
  return status != fovea_status_ok;
}
