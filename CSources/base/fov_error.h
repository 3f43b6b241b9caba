// Fovea - writing a diagnostic and passing a status on.
// SPDX-License-Identifier: Apache-2.0
#ifndef FOV_ERROR_H
#define FOV_ERROR_H

#include "base/fov_exact.h"
#include "fovea/core/fov_status.h"

// Writes the message (cut to fit) unless diagnostic is NULL, and returns status:
//   return fov_fail(diagnostic, fov_status_shape_mismatch, "expected %zu channels", n);
fov_status fov_fail(fov_diagnostic *diagnostic, fov_status status, const char *format, ...)
    __attribute__((format(printf, 3, 4), visibility("hidden")));

// Returns from the function with any status but ok.
#define FOV_FORWARD(expression)                               \
  do {                                                        \
    const fov_status fov_forwarded = (expression);            \
    if (fov_forwarded != fov_status_ok) return fov_forwarded; \
  } while (0)

// Symbols that other files of the core use, hidden from users of the library.
#define FOV_INTERNAL __attribute__((visibility("hidden")))

#endif
