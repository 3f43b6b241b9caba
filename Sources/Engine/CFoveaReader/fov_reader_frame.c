// Fovea - what goes through the connection between a caller and a reader's process.
// SPDX-License-Identifier: Apache-2.0
#if defined(__linux__)
#define _GNU_SOURCE
#include "fov_reader_frame.h"

#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <sys/socket.h>
#include <time.h>

bool fov_answer_is_valid(const fov_answer_header *header, uint32_t sequence, size_t bytes_max) {
  return header->magic == FOV_READER_MAGIC && header->sequence == sequence &&
         header->status <= fov_reader_status_aborted && header->bytes <= bytes_max;
}

bool fov_question_is_valid(const fov_question_header *header) {
  return header->magic == FOV_READER_MAGIC &&
         header->parameter_bytes <= FOV_READER_PARAMETER_BYTES_MAX &&
         header->picture_bytes <= FOV_READER_PICTURE_BYTES_MAX &&
         header->answer_bytes_max <= FOV_READER_LONG_ANSWER_BYTES_MAX;
}

int64_t fov_reader_now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (int64_t)time.tv_sec * 1000 + time.tv_nsec / 1000000;
}

// Waits until the socket is ready. An error of the socket counts as ready: the next call finds it.
static fov_transfer wait_for(int socket, short events, int64_t deadline) {
  for (;;) {
    int timeout = -1;
    if (deadline >= 0) {
      const int64_t left = deadline - fov_reader_now();
      if (left <= 0) return fov_transfer_late;
      timeout = left < INT_MAX ? (int)left : INT_MAX;
    }
    struct pollfd entry = {.fd = socket, .events = events};
    const int ready = poll(&entry, 1, timeout);
    if (ready > 0) return fov_transfer_done;
    if (ready < 0 && errno != EINTR) return fov_transfer_ended;
  }
}

fov_transfer fov_reader_send(int socket, const void *bytes, size_t count, int64_t deadline) {
  const char *at = bytes;
  while (count > 0) {
    const ssize_t sent = send(socket, at, count, MSG_NOSIGNAL | MSG_DONTWAIT);
    if (sent > 0) {
      at += sent;
      count -= (size_t)sent;
    } else if (sent < 0 && (errno == EAGAIN || errno == EWOULDBLOCK)) {
      const fov_transfer state = wait_for(socket, POLLOUT, deadline);
      if (state != fov_transfer_done) return state;
    } else if (sent == 0 || errno != EINTR) {
      return fov_transfer_ended;
    }
  }
  return fov_transfer_done;
}

fov_transfer fov_reader_receive(int socket, void *bytes, size_t count, int64_t deadline) {
  char *at = bytes;
  while (count > 0) {
    const fov_transfer state = wait_for(socket, POLLIN, deadline);
    if (state != fov_transfer_done) return state;
    const ssize_t received = recv(socket, at, count, MSG_DONTWAIT);
    if (received > 0) {
      at += received;
      count -= (size_t)received;
    } else if (received == 0 || (errno != EINTR && errno != EAGAIN && errno != EWOULDBLOCK)) {
      return fov_transfer_ended;
    }
  }
  return fov_transfer_done;
}

#endif
