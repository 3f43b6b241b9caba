// Fovea - decoders of pictures that may end their process, asked in a process of its own.
// SPDX-License-Identifier: Apache-2.0
#include "fov_picture_reader.h"

#include <string.h>

#include "fov_picture_answer.h"

bool fov_picture_refuse(fov_reader_answer *answer, char reason, const char *words) {
  fov_reader_append(answer, &reason, 1);
  if (words != NULL) fov_reader_append(answer, words, strlen(words));
  return false;
}

void fov_picture_describe(fov_reader_answer *answer, uint32_t width, uint32_t height,
                          uint32_t channels, uint32_t flags) {
  const uint32_t numbers[] = {width, height, channels, flags};
  fov_reader_append(answer, numbers, sizeof numbers);
}

static bool answer_question(const fov_reader_question *question, fov_reader_answer *answer) {
  fov_picture_wish wish = {0, 0, 0};
  if (question->operation == fov_picture_describe_heif) {
    return fov_picture_heif(question, &wish, answer);
  }
  if (question->parameter_bytes != sizeof wish) return fov_picture_refuse(answer, 'Q', NULL);
  memcpy(&wish, question->parameters, sizeof wish);
  if (wish.width == 0 || wish.height == 0) return fov_picture_refuse(answer, 'Q', NULL);
  switch (question->operation) {
    case fov_picture_decode_heif: return fov_picture_heif(question, &wish, answer);
    case fov_picture_decode_tiff: return fov_picture_tiff(question, &wish, answer);
    case fov_picture_decode_gif: return fov_picture_gif(question, &wish, answer);
    default: return fov_picture_refuse(answer, 'Q', NULL);
  }
}

// After an abort the libraries are in no state to go on.
static const fov_reader_kind kind = {"pictures", answer_question, false};

const fov_reader_kind *fov_picture_reader(void) { return &kind; }

__attribute__((constructor)) static void serve(void) { fov_reader_serve(&kind); }
