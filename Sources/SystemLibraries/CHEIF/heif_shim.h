// Fovea - libheif, as a system library that is opened when a HEIC or AVIF image is.
// SPDX-License-Identifier: Apache-2.0
#ifndef FOVEA_HEIF_SHIM_H
#define FOVEA_HEIF_SHIM_H

#include <libheif/heif.h>

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

// Their names, in the order of the structure.
#define FOV_HEIF_NAME(name) "heif_" #name,
static const char *_Nonnull const fov_heif_names[] = {FOV_HEIF_FUNCTIONS(FOV_HEIF_NAME)};
#undef FOV_HEIF_NAME

#endif
