// Fovea - sockets of ZeroMQ, in a process of their own.
// SPDX-License-Identifier: Apache-2.0
#include "fov_socket_reader.h"

#include <stdlib.h>
#include <string.h>

static bool refuse(fov_reader_answer *answer, char reason, const char *words) {
  fov_reader_append(answer, &reason, 1);
  fov_reader_append(answer, words, strlen(words));
  return false;
}

#ifdef FOV_HAVE_ZEROMQ
#include <errno.h>

#include "zeromq_shim.h"

// Bytes of an answer beyond which no further message is taken.
#define ENOUGH_BYTES (32 << 20)
#define ENDPOINT_BYTES_MAX 256

static fov_zeromq_functions zmq;
static void *router;
static char bound[ENDPOINT_BYTES_MAX + 1];

static uint32_t number(const uint8_t *b) {
  return b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 | (uint32_t)b[3] << 24;
}

static void append_number(fov_reader_answer *answer, uint32_t value) {
  const uint8_t bytes[4] = {value & 255, value >> 8 & 255, value >> 16 & 255, value >> 24};
  fov_reader_append(answer, bytes, sizeof bytes);
}

// MARK: The socket

static void set_number(int option, int value) {
  zmq.setsockopt(router, option, &value, sizeof value);
}

static bool bind_socket(const char *endpoint, fov_reader_answer *answer) {
  if (router != NULL) {
    if (strcmp(bound, endpoint) == 0) return true;
    return refuse(answer, 'Q', "another endpoint");
  }
  const char *failure = fov_zeromq_open(&zmq);
  if (failure != NULL) return refuse(answer, 'L', failure);
  void *context = zmq.ctx_new();
  router = context == NULL ? NULL : zmq.socket(context, ZMQ_ROUTER);
  if (router == NULL) return refuse(answer, 'B', "the system gives no socket");
  const int64_t frame_bytes = FOV_SOCKET_FRAME_BYTES_MAX;
  zmq.setsockopt(router, ZMQ_MAXMSGSIZE, &frame_bytes, sizeof frame_bytes);
  set_number(ZMQ_RCVHWM, 4);
  set_number(ZMQ_SNDHWM, 4);
  set_number(ZMQ_LINGER, 0);
  set_number(ZMQ_IPV6, 1);
  if (zmq.bind(router, endpoint) != 0) {
    const char *words = zmq.strerror(errno);
    return refuse(answer, 'B', words);
  }
  memcpy(bound, endpoint, strlen(endpoint) + 1);
  return true;
}

// MARK: Messages out

// Sends messages; false where their numbers do not fit their bytes.
static bool send_all(const uint8_t *bytes, size_t count) {
  while (count > 0) {
    if (count < 4) return false;
    uint32_t frames = number(bytes);
    bytes += 4, count -= 4;
    if (frames == 0 || frames > FOV_SOCKET_FRAMES_MAX) return false;
    bool is_sent = true;
    for (; frames > 0; frames--) {
      if (count < 4) return false;
      const size_t length = number(bytes);
      bytes += 4, count -= 4;
      if (length > count) return false;
      const int flags = ZMQ_DONTWAIT | (frames > 1 ? ZMQ_SNDMORE : 0);
      // Whoever takes no answers loses them; nobody waits for them.
      if (is_sent) is_sent = zmq.send(router, bytes, length, flags) >= 0;
      bytes += length, count -= length;
    }
  }
  return true;
}

// MARK: Messages in

// Takes one message; false where none is there. `out_bytes` grows by what is appended.
static bool take_one(fov_reader_answer *answer, size_t *out_bytes) {
  zmq_msg_t frames[FOV_SOCKET_FRAMES_MAX];
  int count = 0;
  bool is_too_long = false, has_more = true;
  while (has_more) {
    zmq_msg_t beyond;
    const bool fits = count < FOV_SOCKET_FRAMES_MAX;
    zmq_msg_t *frame = fits ? &frames[count] : &beyond;
    zmq.msg_init(frame);
    if (zmq.msg_recv(frame, router, ZMQ_DONTWAIT) < 0) {
      zmq.msg_close(frame);
      break;
    }
    has_more = zmq.msg_more(frame) != 0;
    if (fits) {
      count++;
    } else {
      is_too_long = true;
      zmq.msg_close(frame);
    }
  }
  if (count == 0) return false;
  if (!is_too_long) append_number(answer, (uint32_t)count);
  for (int i = 0; i < count; i++) {
    const size_t length = zmq.msg_size(&frames[i]);
    if (!is_too_long) {
      append_number(answer, (uint32_t)length);
      fov_reader_append(answer, zmq.msg_data(&frames[i]), length);
      *out_bytes += length;
    }
    zmq.msg_close(&frames[i]);
  }
  return true;
}

static bool exchange(const fov_reader_question *question, fov_reader_answer *answer) {
  const size_t length = question->parameter_bytes - 4;
  char endpoint[ENDPOINT_BYTES_MAX + 1];
  memcpy(endpoint, question->parameters + 4, length);
  endpoint[length] = 0;
  if (strlen(endpoint) != length) return refuse(answer, 'Q', "the endpoint");
  if (!bind_socket(endpoint, answer)) return false;
  if (!send_all(question->picture, question->picture_bytes)) {
    return refuse(answer, 'Q', "the messages");
  }
  zmq_pollitem_t item = {router, 0, ZMQ_POLLIN, 0};
  if (zmq.poll(&item, 1, (long)number(question->parameters)) <= 0) return true;
  size_t bytes = 0;
  while (bytes < ENOUGH_BYTES && take_one(answer, &bytes)) {
  }
  return true;
}

static bool answer_question(const fov_reader_question *question, fov_reader_answer *answer) {
  if (question->operation != 0 || question->parameter_bytes < 5 ||
      question->parameter_bytes > 4 + ENDPOINT_BYTES_MAX) {
    return refuse(answer, 'Q', "the operation");
  }
  return exchange(question, answer);
}
#else
static bool answer_question(const fov_reader_question *question, fov_reader_answer *answer) {
  (void)question;
  return refuse(answer, 'T', "ZeroMQ is left out of this build");
}
#endif

// After an abort the socket is in no state to go on.
static const fov_reader_kind kind = {"sockets", answer_question, false};

const fov_reader_kind *fov_socket_reader(void) { return &kind; }

__attribute__((constructor)) static void serve(void) { fov_reader_serve(&kind); }
