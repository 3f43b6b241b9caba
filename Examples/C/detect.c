// Fovea - the objects in a picture, from C.
// SPDX-License-Identifier: Apache-2.0
//
//   cc detect.c $(pkg-config --cflags --libs fovea) -o detect
//   ./detect photo.jpg YOLOv3Tiny.mlmodel
#include <fovea/fovea.h>
#include <stdio.h>

// Usage: detect PICTURE [MODEL]; without a model the detector of codes and text that is in the
// library.
int main(int argument_count, char **arguments) {
  if (argument_count < 2) return fprintf(stderr, "usage: detect PICTURE [MODEL]\n"), 2;
  fovea_model *model = NULL;
  fovea_result *result = NULL;
  char *message = NULL;
  fovea_status status = argument_count > 2
                            ? fovea_model_open(arguments[2], NULL, &model, &message)
                            : fovea_model_open_codes_and_text(NULL, &model, &message);
  if (status == fovea_status_ok) {
    status = fovea_detect_file(model, arguments[1], NULL, &result, &message);
  }
  if (status != fovea_status_ok) {
    fprintf(stderr, "%s\n", message);
    fovea_free(message);
  }
  for (size_t i = 0; i < fovea_result_object_count(result); i++) {
    const fovea_object *object = fovea_result_object(result, i);
    printf("%s %.6f %.3f %.3f %.3f %.3f\n", object->label, (double)object->confidence, object->x,
           object->y, object->width, object->height);
  }
  fovea_result_free(result);
  fovea_model_close(model);
  return status != fovea_status_ok;
}
