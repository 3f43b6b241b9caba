// Fovea - libtiff, as a system library that is opened when a TIFF image is.
// SPDX-License-Identifier: Apache-2.0
#ifndef FOVEA_TIFF_SHIM_H
#define FOVEA_TIFF_SHIM_H

#include <dlfcn.h>
#include <stddef.h>
#include <tiffio.h>

// Every function that is called. The types below are those of its header, so a call that does not
// fit the library's interface does not compile.
#define FOV_TIFF_FUNCTIONS(F)             \
  F(TIFFClientOpenExt)                    \
  F(TIFFClose)                            \
  F(TIFFOpenOptionsAlloc)                 \
  F(TIFFOpenOptionsFree)                  \
  F(TIFFOpenOptionsSetErrorHandlerExtR)   \
  F(TIFFOpenOptionsSetMaxSingleMemAlloc)  \
  F(TIFFOpenOptionsSetWarningHandlerExtR) \
  F(TIFFGetField)                         \
  F(TIFFReadRGBAImageOriented)            \
  F(TIFFSetField)

#define FOV_TIFF_MEMBER(name) __typeof__(name) *_Nonnull name;
// The functions of an opened library.
typedef struct fov_tiff_functions {
  FOV_TIFF_FUNCTIONS(FOV_TIFF_MEMBER)
} fov_tiff_functions;
#undef FOV_TIFF_MEMBER

// Opens `file_name`, for good, and finds every function. Gives NULL, or what the loader says; its
// words live until the thread calls the loader again.
static inline const char *_Nullable fov_tiff_open(const char *_Nonnull file_name,
                                                  fov_tiff_functions *_Nonnull out_functions) {
  void *library = dlopen(file_name, RTLD_LAZY | RTLD_LOCAL);
  if (library == NULL) return dlerror();
#define FOV_TIFF_FIND(name)                   \
  void *found_##name = dlsym(library, #name); \
  if (found_##name == NULL) return dlerror(); \
  out_functions->name = (__typeof__(name) *)found_##name;
  FOV_TIFF_FUNCTIONS(FOV_TIFF_FIND)
#undef FOV_TIFF_FIND
  return NULL;
}

#endif
