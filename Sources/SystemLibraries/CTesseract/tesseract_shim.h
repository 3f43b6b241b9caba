// Fovea - Tesseract, as a system library that is opened when text is read.
// SPDX-License-Identifier: Apache-2.0
#ifndef FOVEA_TESSERACT_SHIM_H
#define FOVEA_TESSERACT_SHIM_H

#include <dlfcn.h>
#include <stddef.h>
#include <tesseract/capi.h>

#if !defined(__clang__)
#define _Nonnull
#define _Nullable
#endif

// Every function that is called. To link the library, and the 38 that it needs, would cost each
// start of a process some 20 ms. The types below are those of the header, so a call that does not
// fit the interface does not compile.
#define FOV_TESSERACT_FUNCTIONS(F)         \
  F(TessVersion)                           \
  F(TessBaseAPICreate)                     \
  F(TessBaseAPIDelete)                     \
  F(TessBaseAPIEnd)                        \
  F(TessBaseAPIInit4)                      \
  F(TessBaseAPIGetLoadedLanguagesAsVector) \
  F(TessBaseAPISetPageSegMode)             \
  F(TessBaseAPISetImage)                   \
  F(TessBaseAPISetSourceResolution)        \
  F(TessBaseAPIRecognize)                  \
  F(TessBaseAPIGetIterator)                \
  F(TessBaseAPIClear)                      \
  F(TessResultIteratorDelete)              \
  F(TessResultIteratorGetPageIterator)     \
  F(TessResultIteratorGetUTF8Text)         \
  F(TessResultIteratorConfidence)          \
  F(TessPageIteratorBegin)                 \
  F(TessPageIteratorNext)                  \
  F(TessPageIteratorIsAtBeginningOf)       \
  F(TessPageIteratorBoundingBox)           \
  F(TessDeleteText)                        \
  F(TessDeleteTextArray)

#define FOV_TESSERACT_MEMBER(name) __typeof__(name) *_Nonnull name;
typedef struct fov_tesseract_functions {
  FOV_TESSERACT_FUNCTIONS(FOV_TESSERACT_MEMBER)
} fov_tesseract_functions;
#undef FOV_TESSERACT_MEMBER

// The name of the library's binary interface since version 5.0.
#define FOV_TESSERACT_FILE "libtesseract.so.5"

// Opens the library, for good, and finds its functions. Returns NULL, or the loader's words.
static inline const char *_Nullable fov_tesseract_open(
    fov_tesseract_functions *_Nonnull out_functions) {
  void *library = dlopen(FOV_TESSERACT_FILE, RTLD_LAZY | RTLD_LOCAL);
  if (library == NULL) return dlerror();
#define FOV_TESSERACT_FIND(name)                     \
  do {                                               \
    void *found = dlsym(library, #name);             \
    if (found == NULL) return dlerror();             \
    out_functions->name = (__typeof__(name) *)found; \
  } while (0);
  FOV_TESSERACT_FUNCTIONS(FOV_TESSERACT_FIND)
#undef FOV_TESSERACT_FIND
  return NULL;
}

#endif
