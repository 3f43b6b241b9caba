// Fovea - decoders of pictures that may end their process, asked in a process of its own.
// SPDX-License-Identifier: Apache-2.0
#ifndef FOV_PICTURE_READER_H
#define FOV_PICTURE_READER_H

#include "fov_reader.h"

#if !defined(__clang__)
#define _Nonnull
#endif

// libheif with its decoders, libtiff and giflib read files of many kinds that hardly anybody
// writes, and such code has ended processes before. They run as a reader (`fov_reader.h`).
//
// The picture of a question is the file. Parameters are 32-bit numbers as the processor has them:
// width, height and orientation, as the caller has read them in the file; a file of another size is
// refused. `fov_picture_describe_heif` has no parameters.
//
//              +-------+--------+----------+-------+   +-----------------------------------------+
//   answer     | width | height | channels | flags |   | pixels: rows from the top as they are   |
//              +-------+--------+----------+-------+   | stored, 3 or 4 bytes each, not padded   |
//                32 bits each                          +-----------------------------------------+
//
// `fov_picture_describe_heif` answers without pixels.
//
// Where the reader says no, the first character of the answer tells why, words follow: 'L' the
// library cannot be opened, 'U' it does not decode this kind of file, 'T' this build leaves it
// out, 'D' the file is damaged, 'E' it ends too early, 'M' there is no memory, 'Q' the question is
// not as above.
enum {
  fov_picture_describe_heif = 1,
  fov_picture_decode_heif = 2,
  fov_picture_decode_tiff = 3,
  fov_picture_decode_gif = 4,
};

enum {
  fov_picture_has_profile = 1,       // a color profile (ICC) is embedded
  fov_picture_is_premultiplied = 2,  // colors are multiplied by alpha
};

// The reader; lives as long as the program.
const fov_reader_kind *_Nonnull fov_picture_reader(void);

#endif
