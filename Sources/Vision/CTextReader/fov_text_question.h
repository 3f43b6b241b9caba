// Fovea - what the reader of text is asked.
// SPDX-License-Identifier: Apache-2.0
#ifndef FOV_TEXT_QUESTION_H
#define FOV_TEXT_QUESTION_H

#include "fov_text_reader.h"

// A question of fov_text_reader.h, read. Owns the texts; borrows the pixels.
typedef struct fov_text_question {
  uint32_t width, height, mode, flags;
  char *texts[3];
  const uint8_t *pixels;
} fov_text_question;

// The texts of a question.
enum { fov_text_languages = 0, fov_text_folder = 1, fov_text_words = 2 };

// Returns whether the question is as it should be. Release it either way.
bool fov_text_question_read(const fov_reader_question *question, fov_text_question *out_question);

// Releases the texts.
void fov_text_question_release(fov_text_question *question);

#endif
