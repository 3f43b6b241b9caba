// Fovea - libtiff, as a system library that is opened when a TIFF image is.
// SPDX-License-Identifier: Apache-2.0
#ifndef FOVEA_TIFF_SHIM_H
#define FOVEA_TIFF_SHIM_H

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

// Their names, in the order of the structure.
#define FOV_TIFF_NAME(name) #name,
static const char *_Nonnull const fov_tiff_names[] = {FOV_TIFF_FUNCTIONS(FOV_TIFF_NAME)};
#undef FOV_TIFF_NAME

#endif
