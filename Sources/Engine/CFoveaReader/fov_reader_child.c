// Fovea - the child's side of a reader in a process of its own.
// SPDX-License-Identifier: Apache-2.0
#if defined(__linux__)
#define _GNU_SOURCE
#include <poll.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "fov_reader.h"
#include "fov_reader_answer.h"
#include "fov_reader_frame.h"

// Each abort leaves memory behind: after so many a new process is cheaper.
#define ABORTS_MAX 100

// Far above what reading a picture takes.
#define DATA_BYTES_MAX ((rlim_t)4 << 30)

// MARK: Rights

#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define FOV_HAS_SANITIZER
#endif
#endif
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define FOV_HAS_SANITIZER
#endif

// No core, no file, no new rights, no terminal; and no descriptor of the caller's.
static void limit_rights(void) {
  const struct rlimit nothing = {0, 0};
  setrlimit(RLIMIT_CORE, &nothing);
  setrlimit(RLIMIT_FSIZE, &nothing);
  signal(SIGXFSZ, SIG_IGN);
  // Runtimes may want to print where a process died; nobody would read it.
  static const int deaths[] = {SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGQUIT, SIGSEGV, SIGTRAP};
  for (size_t i = 0; i < sizeof deaths / sizeof *deaths; i++) signal(deaths[i], SIG_DFL);
#ifndef FOV_HAS_SANITIZER
  // Sanitizers map far more than they use.
  struct rlimit data;
  if (getrlimit(RLIMIT_DATA, &data) == 0 && data.rlim_cur > DATA_BYTES_MAX) {
    data.rlim_cur = data.rlim_max = DATA_BYTES_MAX;
    setrlimit(RLIMIT_DATA, &data);
  }
#endif
  prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
  prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
  setsid();
  const unsigned first = fov_reader_socket + 1;
#ifdef SYS_close_range
  if (syscall(SYS_close_range, first, ~0u, 0) == 0) return;
#endif
  const long most = sysconf(_SC_OPEN_MAX);
  for (long i = first; i < (most > 0 && most < 65536 ? most : 65536); i++) close((int)i);
}

// Ends the process when the caller closes the connection or is gone.
static void *watch_caller(void *context) {
  struct pollfd entries[2] = {{.fd = fov_reader_socket, .events = POLLRDHUP},
                              {.fd = (int)(intptr_t)context, .events = POLLIN}};
  // poll skips a descriptor of -1: without a descriptor of the caller the connection has to do.
  while (poll(entries, 2, -1) <= 0) continue;
  _exit(0);
}

static void start_watch(void) {
  const intptr_t caller = syscall(SYS_pidfd_open, getppid(), 0);
  pthread_t thread;
  pthread_attr_t attributes;
  sigset_t all, before;
  sigfillset(&all);
  pthread_attr_init(&attributes);
  pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  if (pthread_create(&thread, &attributes, watch_caller, (void *)caller) != 0) _exit(1);
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  pthread_attr_destroy(&attributes);
}

// MARK: Aborts

static sigjmp_buf before_question;
static pthread_t asked_thread;

// abort() lets a handler leave by a jump. What the library held at that moment is lost, not
// unlocked.
static void leave_question(int signal) {
  if (!pthread_equal(pthread_self(), asked_thread)) _exit(128 + signal);
  siglongjmp(before_question, 1);
}

static void catch_aborts(void) {
  asked_thread = pthread_self();
  struct sigaction action = {.sa_handler = leave_question};
  sigemptyset(&action.sa_mask);
  sigaction(SIGABRT, &action, NULL);
}

// MARK: Answering

static void send_answer(uint32_t sequence, fov_reader_status status,
                        const fov_reader_answer *answer) {
  const fov_answer_header header = {FOV_READER_MAGIC, sequence, (uint32_t)status,
                                    (uint32_t)answer->count};
  if (fov_reader_send(fov_reader_socket, &header, sizeof header, -1) != fov_transfer_done ||
      fov_reader_send(fov_reader_socket, answer->bytes, answer->count, -1) != fov_transfer_done) {
    _exit(0);
  }
}

static fov_reader_status answer_question(const fov_reader_kind *kind,
                                         const fov_reader_question *question,
                                         fov_reader_answer *answer) {
  if (kind->outlives_abort && sigsetjmp(before_question, 1) != 0) {
    answer->count = 0;
    return fov_reader_status_aborted;
  }
  const bool is_answered = kind->function(question, answer);
  if (answer->failed) answer->count = 0;
  return is_answered && !answer->failed ? fov_reader_status_ok : fov_reader_status_failed;
}

// Receives so many bytes of a question into a buffer that grows. Ends the process when they do not
// come.
static const uint8_t *receive(size_t count, uint8_t **buffer, size_t *capacity) {
  if (count > *capacity) {
    free(*buffer);
    *buffer = malloc(count);
    *capacity = count;
    if (*buffer == NULL) _exit(1);
  }
  if (fov_reader_receive(fov_reader_socket, *buffer, count, -1) != fov_transfer_done) _exit(0);
  return *buffer;
}

// Releases a long buffer.
static void forget(uint8_t **buffer, size_t *capacity) {
  if (*capacity <= fov_reader_kept_bytes) return;
  free(*buffer);
  *buffer = NULL;
  *capacity = 0;
}

static _Noreturn void answer_questions(const fov_reader_kind *kind) {
  // Not on the stack, where a jump out of the reader may leave old values.
  static uint8_t *parameters, *picture;
  static size_t parameter_capacity, picture_capacity;
  static fov_reader_answer answer;
  static int aborts;
  for (;;) {
    fov_question_header header;
    if (fov_reader_receive(fov_reader_socket, &header, sizeof header, -1) != fov_transfer_done ||
        !fov_question_is_valid(&header)) {
      _exit(0);
    }
    const fov_reader_question question = {
        .operation = header.operation,
        .parameters = receive(header.parameter_bytes, &parameters, &parameter_capacity),
        .parameter_bytes = header.parameter_bytes,
        .picture = receive(header.picture_bytes, &picture, &picture_capacity),
        .picture_bytes = header.picture_bytes,
        .answer_bytes_max = header.answer_bytes_max};
    answer.count = 0;
    answer.failed = false;
    answer.bytes_max = header.answer_bytes_max;
    const fov_reader_status status = answer_question(kind, &question, &answer);
    send_answer(header.sequence, status, &answer);
    forget(&picture, &picture_capacity);
    forget(&answer.bytes, &answer.capacity);
    if (status == fov_reader_status_aborted && ++aborts >= ABORTS_MAX) _exit(0);
  }
}

// Whether the descriptor is a connection, as in a process that a caller started.
static bool is_connection(int descriptor) {
  int domain = 0;
  socklen_t size = sizeof domain;
  return getsockopt(descriptor, SOL_SOCKET, SO_DOMAIN, &domain, &size) == 0 && domain == AF_UNIX;
}

void fov_reader_serve(const fov_reader_kind *kind) {
  const char *name = secure_getenv(FOV_READER_VARIABLE);
  if (name == NULL || strcmp(name, kind->name) != 0 || !is_connection(fov_reader_socket)) return;
  unsetenv(FOV_READER_VARIABLE);
  limit_rights();
  start_watch();
  if (kind->outlives_abort) catch_aborts();
  const fov_reader_answer hello = {.bytes = NULL};
  send_answer(0, fov_reader_status_ok, &hello);
  answer_questions(kind);
}

#endif
