// Fovea - giflib, as a system library that is opened when a GIF image is.
// SPDX-License-Identifier: Apache-2.0
#ifndef FOVEA_GIF_SHIM_H
#define FOVEA_GIF_SHIM_H

#include <dlfcn.h>
#include <gif_lib.h>
#include <stddef.h>

// Every function that is called. The types below are those of its header, so a call that does not
// fit the library's interface does not compile.
#define FOV_GIF_FUNCTIONS(F) \
  F(DGifCloseFile)           \
  F(DGifGetExtension)        \
  F(DGifGetExtensionNext)    \
  F(DGifGetImageDesc)        \
  F(DGifGetLine)             \
  F(DGifGetRecordType)       \
  F(DGifOpen)                \
  F(GifErrorString)

#define FOV_GIF_MEMBER(name) __typeof__(name) *_Nonnull name;
// The functions of an opened library.
typedef struct fov_gif_functions {
  FOV_GIF_FUNCTIONS(FOV_GIF_MEMBER)
} fov_gif_functions;
#undef FOV_GIF_MEMBER

// Opens `file_name`, for good, and finds every function. Gives NULL, or what the loader says; its
// words live until the thread calls the loader again.
static inline const char *_Nullable fov_gif_open(const char *_Nonnull file_name,
                                                 fov_gif_functions *_Nonnull out_functions) {
  void *library = dlopen(file_name, RTLD_LAZY | RTLD_LOCAL);
  if (library == NULL) return dlerror();
#define FOV_GIF_FIND(name)                    \
  void *found_##name = dlsym(library, #name); \
  if (found_##name == NULL) return dlerror(); \
  out_functions->name = (__typeof__(name) *)found_##name;
  FOV_GIF_FUNCTIONS(FOV_GIF_FIND)
#undef FOV_GIF_FIND
  return NULL;
}

#endif
