// Fovea - what the reader of text is asked.
// SPDX-License-Identifier: Apache-2.0
#include "fov_text_question.h"

#include <stdlib.h>
#include <string.h>

// Tesseract takes no larger pictures.
#define SIDE_MAX 32767

typedef struct fov_parameter_bytes {
  const uint8_t *bytes;
  size_t count;
  bool failed;
} fov_parameter_bytes;

static uint32_t number(fov_parameter_bytes *rest) {
  if (rest->count < 4) {
    rest->failed = true;
    return 0;
  }
  const uint8_t *b = rest->bytes;
  rest->bytes += 4;
  rest->count -= 4;
  return b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 | (uint32_t)b[3] << 24;
}

static char *text(fov_parameter_bytes *rest) {
  const uint32_t count = number(rest);
  if (rest->failed || count > rest->count || memchr(rest->bytes, 0, count) != NULL) {
    rest->failed = true;
    return NULL;
  }
  char *copy = malloc((size_t)count + 1);
  if (copy == NULL) {
    rest->failed = true;
    return NULL;
  }
  memcpy(copy, rest->bytes, count);
  copy[count] = 0;
  rest->bytes += count;
  rest->count -= count;
  return copy;
}

bool fov_text_question_read(const fov_reader_question *question, fov_text_question *out_question) {
  memset(out_question, 0, sizeof *out_question);
  fov_parameter_bytes rest = {question->parameters, question->parameter_bytes, false};
  out_question->width = number(&rest);
  out_question->height = number(&rest);
  out_question->mode = number(&rest);
  out_question->flags = number(&rest);
  for (int i = 0; i < 3; i++) out_question->texts[i] = rest.failed ? NULL : text(&rest);
  out_question->pixels = question->picture;
  return question->operation == 0 && !rest.failed && rest.count == 0 && out_question->width > 0 &&
         out_question->height > 0 && out_question->width <= SIDE_MAX &&
         out_question->height <= SIDE_MAX && out_question->mode <= 13 &&
         question->picture_bytes == (size_t)out_question->width * out_question->height;
}

void fov_text_question_release(fov_text_question *question) {
  for (int i = 0; i < 3; i++) free(question->texts[i]);
}
