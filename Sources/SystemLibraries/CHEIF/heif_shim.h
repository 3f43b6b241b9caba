// Fovea - libheif, as a system library that is opened when a HEIC or AVIF image is.
// SPDX-License-Identifier: Apache-2.0
#ifndef FOVEA_HEIF_SHIM_H
#define FOVEA_HEIF_SHIM_H

#include <dlfcn.h>
#include <libheif/heif.h>
#include <stddef.h>

// Every function that is called, without its prefix. To link the library would cost each start of a
// process those of the decoders, too. The types below are those of its header, so a call that does
// not fit the library's interface does not compile.
#define FOV_HEIF_FUNCTIONS(F)              \
  F(context_alloc)                         \
  F(context_free)                          \
  F(context_get_primary_image_handle)      \
  F(context_read_from_memory_without_copy) \
  F(decode_image)                          \
  F(decoding_options_alloc)                \
  F(decoding_options_free)                 \
  F(image_get_height)                      \
  F(image_get_plane_readonly)              \
  F(image_get_width)                       \
  F(image_handle_get_color_profile_type)   \
  F(image_handle_get_height)               \
  F(image_handle_get_width)                \
  F(image_handle_has_alpha_channel)        \
  F(image_handle_is_premultiplied_alpha)   \
  F(image_handle_release)                  \
  F(image_release)

#define FOV_HEIF_MEMBER(name) __typeof__(heif_##name) *_Nonnull name;
// The functions of an opened library.
typedef struct fov_heif_functions {
  FOV_HEIF_FUNCTIONS(FOV_HEIF_MEMBER)
} fov_heif_functions;
#undef FOV_HEIF_MEMBER

// Opens `file_name`, for good, and finds every function. Gives NULL, or what the loader says; its
// words live until the thread calls the loader again.
static inline const char *_Nullable fov_heif_open(const char *_Nonnull file_name,
                                                  fov_heif_functions *_Nonnull out_functions) {
  void *library = dlopen(file_name, RTLD_LAZY | RTLD_LOCAL);
  if (library == NULL) return dlerror();
#define FOV_HEIF_FIND(name)                           \
  void *found_##name = dlsym(library, "heif_" #name); \
  if (found_##name == NULL) return dlerror();         \
  out_functions->name = (__typeof__(heif_##name) *)found_##name;
  FOV_HEIF_FUNCTIONS(FOV_HEIF_FIND)
#undef FOV_HEIF_FIND
  return NULL;
}

#endif
