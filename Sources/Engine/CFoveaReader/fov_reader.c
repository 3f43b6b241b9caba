// Fovea - the caller's side of a reader in a process of its own.
// SPDX-License-Identifier: Apache-2.0
#if defined(__linux__)
#define _GNU_SOURCE
#include "fov_reader.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "fov_reader_answer.h"
#include "fov_reader_frame.h"

struct fov_reader {
  pid_t process;  // 0 when it is gone
  pid_t owner;    // a process that was forked from the owner must not talk to its child
  int handle;     // a descriptor of the process: its number may be used again; or -1
  int socket;
  uint32_t sequence;  // of the last question
  uint8_t *answer;
  size_t capacity;
};

// MARK: Starting and stopping

// The descriptor as one above those that the child has at fixed numbers; takes `descriptor`.
static int raised(int descriptor) {
  if (descriptor < 0) return -1;
  const int above = fcntl(descriptor, F_DUPFD_CLOEXEC, 10);
  close(descriptor);
  return above;
}

static void close_if_open(int *descriptor) {
  if (*descriptor >= 0) close(*descriptor);
  *descriptor = -1;
}

// Ends the child and waits until it is gone.
static void end_child(fov_reader *reader) {
  close_if_open(&reader->socket);
  if (reader->process > 0 && reader->owner == getpid()) {
    if (reader->handle < 0 ||
        syscall(SYS_pidfd_send_signal, reader->handle, SIGKILL, NULL, 0) != 0) {
      kill(reader->process, SIGKILL);
    }
    while (waitpid(reader->process, NULL, 0) < 0 && errno == EINTR) continue;
  }
  reader->process = 0;
  close_if_open(&reader->handle);
}

// Connects the reader and returns the child's end, or -1.
static int open_connection(fov_reader *reader) {
  int pair[2];
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) != 0) return -1;
  reader->socket = pair[0];
  return raised(pair[1]);
}

// Whether the child says within 10 seconds that it listens.
static bool listens(fov_reader *reader) {
  fov_answer_header hello;
  return fov_reader_receive(reader->socket, &hello, sizeof hello, fov_reader_now() + 10000) ==
             fov_transfer_done &&
         fov_answer_is_valid(&hello, 0, 0);
}

fov_reader_status fov_reader_start(const fov_reader_kind *kind, fov_reader **out_reader) {
  *out_reader = NULL;
  fov_reader *reader = calloc(1, sizeof *reader);
  if (reader == NULL) return fov_reader_status_out_of_memory;
  reader->owner = getpid();
  reader->handle = reader->socket = -1;
  int other_end = open_connection(reader);
  if (other_end >= 0) reader->process = fov_reader_spawn(kind, other_end);
  close_if_open(&other_end);
  if (reader->process > 0) reader->handle = (int)syscall(SYS_pidfd_open, reader->process, 0);
  if (reader->process == 0 || !listens(reader)) {
    fov_reader_stop(reader);
    return fov_reader_status_cannot_start;
  }
  *out_reader = reader;
  return fov_reader_status_ok;
}

void fov_reader_stop(fov_reader *reader) {
  if (reader == NULL) return;
  end_child(reader);
  free(reader->answer);
  free(reader);
}

void fov_reader_forget(fov_reader *reader) {
  if (reader->capacity <= fov_reader_kept_bytes) return;
  free(reader->answer);
  reader->answer = NULL;
  reader->capacity = 0;
}

int fov_reader_process(const fov_reader *reader) { return (int)reader->process; }

// MARK: Asking

// Whether the child is there and silent, as it has to be between questions.
static bool is_waiting(const fov_reader *reader) {
  if (reader->process == 0 || reader->owner != getpid()) return false;
  struct pollfd entry = {.fd = reader->socket, .events = POLLIN};
  return poll(&entry, 1, 0) == 0;
}

static bool reserve(fov_reader *reader, size_t bytes) {
  if (bytes <= reader->capacity) return true;
  uint8_t *larger = realloc(reader->answer, bytes);
  if (larger == NULL) return false;
  reader->answer = larger;
  reader->capacity = bytes;
  return true;
}

static fov_reader_status exchange(fov_reader *reader, const fov_reader_question *question,
                                  int64_t deadline, size_t *out_bytes) {
  const fov_question_header header = {
      FOV_READER_MAGIC,        ++reader->sequence,
      question->operation,     (uint32_t)question->parameter_bytes,
      question->picture_bytes, fov_answer_bytes_max(question->answer_bytes_max)};
  fov_transfer state = fov_reader_send(reader->socket, &header, sizeof header, deadline);
  if (state == fov_transfer_done) {
    state =
        fov_reader_send(reader->socket, question->parameters, question->parameter_bytes, deadline);
  }
  if (state == fov_transfer_done) {
    state = fov_reader_send(reader->socket, question->picture, question->picture_bytes, deadline);
  }
  fov_answer_header answer;
  if (state == fov_transfer_done) {
    state = fov_reader_receive(reader->socket, &answer, sizeof answer, deadline);
  }
  if (state == fov_transfer_done) {
    if (!fov_answer_is_valid(&answer, reader->sequence, header.answer_bytes_max)) {
      return fov_reader_status_malformed;
    }
    if (!reserve(reader, answer.bytes)) return fov_reader_status_out_of_memory;
    state = fov_reader_receive(reader->socket, reader->answer, answer.bytes, deadline);
  }
  if (state == fov_transfer_ended) return fov_reader_status_ended;
  if (state == fov_transfer_late) return fov_reader_status_late;
  *out_bytes = answer.bytes;
  return (fov_reader_status)answer.status;
}

fov_reader_status fov_reader_ask(fov_reader *reader, const fov_reader_question *question,
                                 int milliseconds, const uint8_t **out_answer, size_t *out_bytes) {
  *out_answer = NULL;
  *out_bytes = 0;
  if (question->parameter_bytes > FOV_READER_PARAMETER_BYTES_MAX ||
      question->picture_bytes > FOV_READER_PICTURE_BYTES_MAX ||
      question->answer_bytes_max > FOV_READER_LONG_ANSWER_BYTES_MAX || milliseconds < 0) {
    return fov_reader_status_invalid_question;
  }
  fov_reader_status status = fov_reader_status_gone;
  if (is_waiting(reader)) {
    status = exchange(reader, question, fov_reader_now() + milliseconds, out_bytes);
  }
  if (status <= fov_reader_status_aborted) {
    *out_answer = reader->answer;
  } else {
    end_child(reader);
  }
  return status;
}

#endif
