// Fovea - answers about pictures.
// SPDX-License-Identifier: Apache-2.0
#ifndef FOV_PICTURE_ANSWER_H
#define FOV_PICTURE_ANSWER_H

#include "fov_picture_reader.h"

// What the caller has read in the file.
typedef struct fov_picture_wish {
  uint32_t width, height, orientation;
} fov_picture_wish;

// Says no, with one of the reasons of fov_picture_reader.h. Returns false.
bool fov_picture_refuse(fov_reader_answer *answer, char reason, const char *words);

// Begins an answer.
void fov_picture_describe(fov_reader_answer *answer, uint32_t width, uint32_t height,
                          uint32_t channels, uint32_t flags);

// Each answers a question about the bytes of a file.
bool fov_picture_heif(const fov_reader_question *question, const fov_picture_wish *wish,
                      fov_reader_answer *answer);
bool fov_picture_tiff(const fov_reader_question *question, const fov_picture_wish *wish,
                      fov_reader_answer *answer);
bool fov_picture_gif(const fov_reader_question *question, const fov_picture_wish *wish,
                     fov_reader_answer *answer);

#endif
