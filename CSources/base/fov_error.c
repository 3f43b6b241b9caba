// Fovea - names of statuses, and diagnostics.
// SPDX-License-Identifier: Apache-2.0
#include "base/fov_error.h"

#include <stdarg.h>
#include <stdio.h>

const char *fov_status_name(fov_status status) {
  switch (status) {
    case fov_status_ok: return "ok";
    case fov_status_invalid_argument: return "invalid argument";
    case fov_status_unsupported: return "unsupported";
    case fov_status_shape_mismatch: return "shape mismatch";
    case fov_status_invalid_weights: return "invalid weights";
    case fov_status_overflow: return "size overflow";
    case fov_status_invalid_graph: return "invalid graph";
    case fov_status_invalid_file: return "invalid file";
    case fov_status_invalid_output: return "invalid output";
    case fov_status_out_of_memory: return "out of memory";
    case fov_status_buffer_too_small: return "buffer too small";
    case fov_status_thread_failure: return "thread failure";
    case fov_status_write_failure: return "write failure";
  }
  return "unknown status";
}

fov_status fov_fail(fov_diagnostic *diagnostic, fov_status status, const char *format, ...) {
  if (diagnostic) {
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(diagnostic->message, sizeof diagnostic->message, format, arguments);
    va_end(arguments);
  }
  return status;
}
