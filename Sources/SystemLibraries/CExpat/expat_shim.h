// Fovea - expat, as a system library that is opened when XML is read.
// SPDX-License-Identifier: Apache-2.0
#ifndef FOVEA_EXPAT_SHIM_H
#define FOVEA_EXPAT_SHIM_H

#include <dlfcn.h>
#include <expat.h>
#include <stddef.h>

// Every function of expat that is called, without its prefix. Linking the library would cost each
// start of a process, whether it reads XML or not.
#define FOV_EXPAT_FUNCTIONS(F) \
  F(ErrorString)               \
  F(GetCurrentByteIndex)       \
  F(GetCurrentLineNumber)      \
  F(GetErrorCode)              \
  F(Parse)                     \
  F(ParserCreate)              \
  F(ParserFree)                \
  F(SetCharacterDataHandler)   \
  F(SetElementHandler)         \
  F(SetEntityDeclHandler)      \
  F(SetSkippedEntityHandler)   \
  F(SetUserData)               \
  F(StopParser)

#define FOV_EXPAT_MEMBER(name) __typeof__(XML_##name) *_Nonnull name;
// The functions of an opened library.
typedef struct fov_expat_functions {
  FOV_EXPAT_FUNCTIONS(FOV_EXPAT_MEMBER)
} fov_expat_functions;
#undef FOV_EXPAT_MEMBER

// Opens `file_name`, for good, and finds every function. Gives NULL, or what the loader says; its
// words live until the thread calls the loader again.
static inline const char *_Nullable fov_expat_open(const char *_Nonnull file_name,
                                                   fov_expat_functions *_Nonnull out_functions) {
  void *library = dlopen(file_name, RTLD_LAZY | RTLD_LOCAL);
  if (library == NULL) return dlerror();
#define FOV_EXPAT_FIND(name)                         \
  void *found_##name = dlsym(library, "XML_" #name); \
  if (found_##name == NULL) return dlerror();        \
  out_functions->name = (__typeof__(XML_##name) *)found_##name;
  FOV_EXPAT_FUNCTIONS(FOV_EXPAT_FIND)
#undef FOV_EXPAT_FIND
  return NULL;
}

#endif
