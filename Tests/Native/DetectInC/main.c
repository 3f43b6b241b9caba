// Fovea - the C core alone: the objects in an image, by a compiled file.
// SPDX-License-Identifier: Apache-2.0
#include <stdio.h>
#include <stdlib.h>

#include "fovea/core/fov_core.h"

static int fails(fov_status status, const char *words) {
  return status && fprintf(stderr, "%s: %s\n", fov_status_name(status), words);
}

#define CHECK(call) \
  if (fails((call), diagnostic.message)) return 1

// All bytes of a file and a zero, at a multiple of 64 for fov_model_load. NULL: it cannot be read.
static unsigned char *read_file(const char *path, size_t *out_bytes) {
  FILE *file = fopen(path, "rb");
  if (!file || fseek(file, 0, SEEK_END) != 0) return NULL;
  *out_bytes = (size_t)ftell(file);
  unsigned char *bytes = aligned_alloc(64, (*out_bytes / 64 + 1) * 64);
  rewind(file);
  if (!bytes || fread(bytes, 1, *out_bytes, file) != *out_bytes) return NULL;
  bytes[*out_bytes] = 0;
  return fclose(file), bytes;
}

// Usage: DetectInC MODEL.fovea IMAGE.ppm, a binary PPM of 8 bits without comments.
int main(int argument_count, char **arguments) {
  if (argument_count != 3) return fprintf(stderr, "usage: DetectInC MODEL IMAGE\n"), 2;
  size_t model_bytes, image_bytes, count;
  unsigned char *file = read_file(arguments[1], &model_bytes);
  unsigned char *ppm = read_file(arguments[2], &image_bytes);
  fov_image image = {.format = fov_pixel_format_rgb};
  int end = 0;
  const char *form = "P6 %zu %zu 255%*1[ \n]%n";
  if (!file || !ppm || sscanf((char *)ppm, form, &image.width, &image.height, &end) != 2 || !end) {
    return fprintf(stderr, "cannot read the model or the image\n"), 1;
  }
  image.data = ppm + end;
  image.data_bytes = image_bytes - (size_t)end;
  image.row_bytes = 3 * image.width;
  fov_diagnostic diagnostic = {""};
  const fov_model_options options = fov_model_options_default();
  fov_model *model = NULL;
  fov_session *session = NULL;
  fov_detector *detector = NULL;
  const fov_detection *objects = NULL;
  CHECK(fov_model_load(file, model_bytes, &options, &model, &diagnostic));
  CHECK(fov_session_create(model, NULL, &session));
  CHECK(fov_detector_create(session, file, model_bytes, &detector, &diagnostic));
  CHECK(fov_detector_detect(detector, &image, NULL, &objects, &count, &diagnostic));
  for (const fov_detection *object = objects; object < objects + count; object++) {
    printf("%s %.6f %.3f %.3f %.3f %.3f\n", object->label, (double)object->score, object->x,
           object->y, object->width, object->height);
  }
  fov_detector_destroy(detector);
  fov_session_destroy(session);
  fov_model_destroy(model);
  return free(file), free(ppm), 0;
}
