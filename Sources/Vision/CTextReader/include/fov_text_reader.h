// Fovea - Tesseract, asked in a process of its own.
// SPDX-License-Identifier: Apache-2.0
#ifndef FOV_TEXT_READER_H
#define FOV_TEXT_READER_H

#include "fov_reader.h"

#if !defined(__clang__)
#define _Nonnull
#endif

// Tesseract ends its process where an assertion fails, so it runs as a reader (`fov_reader.h`).
//
// The only operation is 0. Numbers have 32 bits, the least significant byte first. Texts are bytes
// with their number before them. Parameters: width, height, page segmentation mode, flags, then the
// languages ("eng+deu"), the folder of the language data (empty for the library's own) and words to
// add, one a line. The picture: width * height gray levels.
//
// The answer has for each word, in reading order, the number 1, then: flags, left, top, right,
// bottom, the confidence in percent (a 32-bit float) and the text; for each of its symbols the
// number 2, then: left, top, right, bottom and the text. The number 0 ends it.
//
// Where the reader says no, the first character of the answer tells why, words follow: 'L' the
// library cannot be opened, 'D' the data of a language cannot be loaded, 'T' this build has no
// Tesseract, 'Q' the question is not as above.

enum {
  fov_text_uses_dictionary = 1,  // flag of a question
  fov_text_begins_line = 1,      // flag of a word
};

// The reader; lives as long as the program.
const fov_reader_kind *_Nonnull fov_text_reader(void);

#endif
