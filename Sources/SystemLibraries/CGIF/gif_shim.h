// Fovea - giflib, as a system library that is opened when a GIF image is.
// SPDX-License-Identifier: Apache-2.0
#ifndef FOVEA_GIF_SHIM_H
#define FOVEA_GIF_SHIM_H

#include <gif_lib.h>

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

// Their names, in the order of the structure.
#define FOV_GIF_NAME(name) #name,
static const char *_Nonnull const fov_gif_names[] = {FOV_GIF_FUNCTIONS(FOV_GIF_NAME)};
#undef FOV_GIF_NAME

#endif
