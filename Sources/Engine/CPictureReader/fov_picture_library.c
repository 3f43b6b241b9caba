// Fovea - a library that is opened when a picture needs it.
// SPDX-License-Identifier: Apache-2.0
#include "fov_picture_library.h"

#include <dlfcn.h>
#include <string.h>

#include "fov_picture_answer.h"

bool fov_picture_library_open(fov_picture_library *library, fov_reader_answer *answer) {
  if (library->is_open) return true;
  void *opened = dlopen(library->file, RTLD_LAZY | RTLD_LOCAL);
  if (opened == NULL) return fov_picture_refuse(answer, 'L', dlerror());
  for (size_t i = 0; i < library->count; i++) {
    void *found = dlsym(opened, library->names[i]);
    if (found == NULL) return fov_picture_refuse(answer, 'L', dlerror());
    memcpy((char *)library->functions + i * sizeof found, &found, sizeof found);
  }
  library->is_open = true;
  return true;
}
