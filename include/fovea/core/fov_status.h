// Fovea - how a C function says whether it worked.
// SPDX-License-Identifier: Apache-2.0
#ifndef FOV_STATUS_H
#define FOV_STATUS_H

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__clang__)
#define FOV_CLOSED_ENUM __attribute__((enum_extensibility(closed)))
#else
#define FOV_CLOSED_ENUM
#endif

// The compiler warns where a returned status is ignored, in C and in Swift.
#if defined(__GNUC__)
#define FOV_NODISCARD __attribute__((warn_unused_result))
#else
#define FOV_NODISCARD
#endif

// Between these two, a pointer is never NULL unless it is marked _Nullable.
// A pedantic clang warns of these extensions of its own.
#if defined(__clang__)
#define FOV_ASSUME_NONNULL_BEGIN                                                                   \
  _Pragma("clang diagnostic push") _Pragma("clang diagnostic ignored \"-Wnullability-extension\"") \
      _Pragma("clang assume_nonnull begin")
#define FOV_ASSUME_NONNULL_END _Pragma("clang assume_nonnull end") _Pragma("clang diagnostic pop")
#else
#define FOV_ASSUME_NONNULL_BEGIN
#define FOV_ASSUME_NONNULL_END
#define _Nullable
#define _Nonnull
#endif

FOV_ASSUME_NONNULL_BEGIN

// Every function that can fail returns one of these. The numbers form families with gaps:
// 0-9 any call, 10-19 shapes and weights, 20-29 graphs, models and files, 30-39 resources.
typedef enum FOV_CLOSED_ENUM fov_status {
  fov_status_ok = 0,
  fov_status_invalid_argument = 1,  // a value outside its range
  fov_status_unsupported = 2,       // valid, but this build or backend cannot do it
  fov_status_shape_mismatch = 10,   // shapes do not fit each other or the operation
  fov_status_invalid_weights = 11,  // weights do not fit their description
  fov_status_overflow = 12,         // a size does not fit into size_t
  fov_status_invalid_graph = 20,    // unknown value, no output, unnamed port
  fov_status_invalid_file = 21,     // bytes that are no compiled model, or a damaged one
  fov_status_invalid_output = 22,   // the network put out numbers that are not finite
  fov_status_out_of_memory = 30,
  fov_status_buffer_too_small = 31,
  fov_status_thread_failure = 32,  // the system refused to start a thread
  fov_status_write_failure = 33,   // the callback that takes a file's bytes reported a failure
} fov_status;

// The status in words, for example "shape mismatch". Never NULL; static storage.
const char *fov_status_name(fov_status status);

// What was found and what was expected, in one sentence without a full stop. The caller owns it.
// A call that fails writes it; a call that succeeds does not touch it. Pass NULL if you need none.
typedef struct fov_diagnostic {
  char message[320];
} fov_diagnostic;

FOV_ASSUME_NONNULL_END

#ifdef __cplusplus
}
#endif
#endif
