// Fovea - a library that is opened when a picture needs it.
// SPDX-License-Identifier: Apache-2.0
#ifndef FOV_PICTURE_LIBRARY_H
#define FOV_PICTURE_LIBRARY_H

#include "fov_reader.h"

// To link a library would cost each start of a process. `functions` is a structure of pointers to
// functions and of nothing else, in the order of `names`.
typedef struct fov_picture_library {
  const char *file;  // its name, as the loader takes it
  const char *const *names;
  size_t count;
  void *functions;
  bool is_open;
} fov_picture_library;

// Opens a library, for good, and finds all functions. Says no where it cannot, and returns false.
bool fov_picture_library_open(fov_picture_library *library, fov_reader_answer *answer);

#endif
