// Fovea - what all calls of libfovea share: statuses, messages, the version.
// SPDX-License-Identifier: Apache-2.0
#ifndef FOVEA_BASE_H
#define FOVEA_BASE_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

// MARK: Statuses

// The compiler warns where a returned status is ignored.
#if defined(__GNUC__)
#define FOVEA_NODISCARD __attribute__((warn_unused_result))
#else
#define FOVEA_NODISCARD
#endif

// Every function that can fail returns one of these. Later versions may add some: treat a number
// that you do not know as a failure.
typedef enum fovea_status {
  fovea_status_ok = 0,
  fovea_status_invalid_argument = 1,   // a value outside its range, an unknown name, a wrong type
  fovea_status_closed = 2,             // NULL, or what was closed or freed before
  fovea_status_unsupported = 3,        // valid, but this build or backend cannot do it
  fovea_status_file = 10,              // a file cannot be opened, read or written
  fovea_status_invalid_model = 11,     // bytes that are no model, or a damaged one
  fovea_status_invalid_picture = 12,   // bytes that are no picture, a damaged or too large one
  fovea_status_unsuitable_model = 13,  // the model is no detector, or no classifier
  fovea_status_invalid_video = 14,     // bytes that are no video, or a stream that breaks its rules
  fovea_status_shape_mismatch = 20,    // an array of another shape than the model takes
  fovea_status_buffer_too_small = 21,  // fewer bytes than sizes and strides say
  fovea_status_invalid_output = 22,    // the network put out what is no score or no box
  fovea_status_out_of_memory = 30,
  fovea_status_thread_failure = 31  // the system refused to start a thread
} fovea_status;

// The status in words, for example "invalid model". Never NULL; static storage.
const char *fovea_status_name(fovea_status status);

// MARK: Messages and memory

// A function that can fail takes `out_message` last. On failure it stores there what was found,
// what was expected and what to do, in UTF-8: the line that the command `fovea` prints. The caller
// takes the text and gives it to fovea_free. On success it stores NULL. Pass NULL if you need no
// text.
//
//   char *message = NULL;
//   if (fovea_model_open("dog.mlmodel", NULL, &model, &message) != fovea_status_ok) {
//     fprintf(stderr, "%s\n", message);
//     fovea_free(message);
//   }

// Frees memory that the library has given away: messages and encoded pictures. NULL is allowed.
void fovea_free(void *memory);

// MARK: Structures

// A structure begins with its size in bytes. For a structure that the library reads, the program
// writes the size that it was compiled with: fovea_..._init does so, and fills in the defaults. In
// a structure that the library writes, it is the distance to the next one of an array. Later
// versions add members at the end only. Reserved members are zero.
//
// The library reads members up to that size and takes defaults for the others. A size that does not
// reach the end of the members of version 0.1 is an invalid_argument.

// MARK: Handles

// Models, pictures, videos and results are handles, not addresses. A handle that was closed is
// never given out again: calls with it fail with fovea_status_closed, or return NULL or 0.
//
// Every function may be called from every thread at any time. Calls on one model run at the same
// time, each in memory of its own that is kept for the next. If a handle is closed while a call
// with it runs, that call ends as usual.
//
// A child of fork() may use what was opened before. Its calls on such models run on the calling
// thread alone.

// MARK: Version

// The version of these headers, by the rules of semantic versioning.
#define FOVEA_VERSION_MAJOR 0
#define FOVEA_VERSION_MINOR 2
#define FOVEA_VERSION_PATCH 0

// One number that grows with the version: major * 1,000,000 + minor * 1,000 + patch.
#define FOVEA_VERSION \
  (FOVEA_VERSION_MAJOR * 1000000 + FOVEA_VERSION_MINOR * 1000 + FOVEA_VERSION_PATCH)

// The N of libfovea.so.N. Programs that were compiled against a library with this number run with
// every later one that has it.
#define FOVEA_SONAME_NUMBER 0

// FOVEA_VERSION of the library that the program runs with.
uint32_t fovea_version(void);

// The same as text, for example "0.2.0". Static storage.
const char *fovea_version_string(void);

#ifdef __cplusplus
}
#endif
#endif
