// Fovea - LAPACKE, opened when a model is quantized with calibration.
// SPDX-License-Identifier: Apache-2.0
#ifndef FOV_LAPACKE_SHIM_H
#define FOV_LAPACKE_SHIM_H

#include <dlfcn.h>
#include <lapacke.h>
#include <stddef.h>

// Linking the library would cost every start of a process, whether it quantizes or not.
typedef struct fov_lapacke_functions {
  __typeof__(LAPACKE_dpotrf) *_Nonnull factor;
  __typeof__(LAPACKE_dtrtri) *_Nonnull invert;
} fov_lapacke_functions;

// Whether the library and both functions are there.
static inline _Bool fov_lapacke_open(const char *_Nonnull file_name,
                                     fov_lapacke_functions *_Nonnull out_functions) {
  void *library = dlopen(file_name, RTLD_LAZY | RTLD_LOCAL);
  if (library == NULL) return 0;
  void *factor = dlsym(library, "LAPACKE_dpotrf");
  void *invert = dlsym(library, "LAPACKE_dtrtri");
  if (factor == NULL || invert == NULL) return 0;
  out_functions->factor = (__typeof__(LAPACKE_dpotrf) *)factor;
  out_functions->invert = (__typeof__(LAPACKE_dtrtri) *)invert;
  return 1;
}

#endif
