// Fovea - libraries that may end their process, run in a process of their own.
// SPDX-License-Identifier: Apache-2.0
#ifndef FOV_READER_H
#define FOV_READER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

// # How a reader runs
//
// A reader is a function that answers questions about bytes, mostly pixels, with the help of a
// library that cannot be trusted to return. The caller starts the executable that it runs in once
// more, with FOVEA_READER in its environment. A constructor of the reader's file finds its name
// there, answers questions until the caller is gone, and ends the process: main never runs. Where
// the reader lies in a shared object (libfovea.so in a Python program), the loader is told to load
// that object first.
//
// So a reader needs no file of its own, in a program of any kind. The new process shares no memory,
// no lock and no descriptor with the caller, however many threads this has. The other way, a fork
// without a new executable, was not taken: allocation and the loader may hold locks of other
// threads at that moment, and all memory of the caller stays in the child.
//
// # What crosses the border
//
// Questions and answers go through a pair of connected sockets: a header of fixed size, then bytes.
// An answer is untrusted: its header is checked, and its length is bounded before it is received.
// A question costs 0.01 ms, and 0.25 ms a megabyte; memory that both processes map was no faster.
// The start of a child costs as much as the start of the executable, 1 to 30 ms.
//
// # What ends
//
// * The child ends when the caller closes the connection, dies, or ends it. A thread of the child
//   watches for that, so that a child that is busy ends too.
// * The caller ends the child when an answer is late or makes no sense.
// * Where the library calls abort, the question fails, and a reader that says so answers the next
//   one.
// * The child may write no file and leaves no core. It has /dev/null for input, output and errors.

// The longest answer where a question says nothing, and where it asks for more.
#define FOV_READER_ANSWER_BYTES_MAX (16u << 20)
#define FOV_READER_LONG_ANSWER_BYTES_MAX (1u << 30)
#define FOV_READER_PARAMETER_BYTES_MAX (64u << 10)
#define FOV_READER_PICTURE_BYTES_MAX (1u << 30)

#if defined(__clang__)
#define FOV_READER_ENUM __attribute__((enum_extensibility(closed)))
#else
#define FOV_READER_ENUM
#endif
#if defined(__GNUC__)
#define FOV_READER_NODISCARD __attribute__((warn_unused_result))
#else
#define FOV_READER_NODISCARD
#endif

typedef enum FOV_READER_ENUM fov_reader_status {
  fov_reader_status_ok = 0,
  fov_reader_status_failed = 1,            // the reader says no; the answer holds its words
  fov_reader_status_aborted = 2,           // the library called abort; the child goes on
  fov_reader_status_ended = 3,             // the child died of this question
  fov_reader_status_gone = 4,              // the child was dead before; nothing was asked
  fov_reader_status_late = 5,              // no answer in time; the child was ended
  fov_reader_status_malformed = 6,         // not an answer; the child was ended
  fov_reader_status_cannot_start = 7,      // no process, or it did not begin to answer
  fov_reader_status_invalid_question = 8,  // too long
  fov_reader_status_out_of_memory = 9,
} fov_reader_status;

// A question. Bytes are borrowed for the call.
typedef struct fov_reader_question {
  uint32_t operation;         // what is asked; each reader has its own numbers
  const uint8_t *parameters;  // short bytes; at most FOV_READER_PARAMETER_BYTES_MAX
  size_t parameter_bytes;
  const uint8_t *picture;  // long bytes; at most FOV_READER_PICTURE_BYTES_MAX
  size_t picture_bytes;
  // The longest answer, at most FOV_READER_LONG_ANSWER_BYTES_MAX; 0 for
  // FOV_READER_ANSWER_BYTES_MAX.
  size_t answer_bytes_max;
} fov_reader_question;

// MARK: The reader's side

// An answer that grows.
typedef struct fov_reader_answer fov_reader_answer;

// Appends bytes. An answer that would become longer than the question allows fails.
void fov_reader_append(fov_reader_answer *answer, const void *bytes, size_t count);

// Appends so many bytes for the reader to write, and returns where they lie until the next append;
// NULL where the answer fails.
uint8_t *fov_reader_extend(fov_reader_answer *answer, size_t count);

// Answers one question. Returns true, or false with words for the user in the answer.
typedef bool fov_reader_function(const fov_reader_question *question, fov_reader_answer *answer);

// A reader. It must lie in the file, and so in the object, that has its constructor.
typedef struct fov_reader_kind {
  const char *name;  // letters; no two readers of a program have the same
  fov_reader_function *function;
  // Whether questions can be answered after the library called abort, with what it left behind.
  bool outlives_abort;
} fov_reader_kind;

// Does nothing in most processes. In one that `fov_reader_start` started for a reader of this name
// it answers questions and does not return. To be called by a constructor:
//
//   __attribute__((constructor)) static void serve(void) { fov_reader_serve(&kind); }
void fov_reader_serve(const fov_reader_kind *kind);

// MARK: The caller's side

// A child process that answers. One caller at a time.
typedef struct fov_reader fov_reader;

// Starts a child and waits, 10 seconds at most, until it says that it listens.
FOV_READER_NODISCARD
fov_reader_status fov_reader_start(const fov_reader_kind *kind, fov_reader **out_reader);

// Asks, and waits for the answer, `milliseconds` at most. The answer's bytes belong to the reader
// until the next call, of `fov_reader_forget` too. After any status but ok, failed, aborted and
// invalid_question the child is gone.
FOV_READER_NODISCARD
fov_reader_status fov_reader_ask(fov_reader *reader, const fov_reader_question *question,
                                 int milliseconds, const uint8_t **out_answer, size_t *out_bytes);

// Releases the last answer where it is long: a reader that waits for questions holds little.
void fov_reader_forget(fov_reader *reader);

// Ends the child, waits for its end, and releases what the reader holds. Takes NULL.
void fov_reader_stop(fov_reader *reader);

// The child's process, for tests; 0 when it is gone.
int fov_reader_process(const fov_reader *reader);

#ifdef __cplusplus
}
#endif

#endif
