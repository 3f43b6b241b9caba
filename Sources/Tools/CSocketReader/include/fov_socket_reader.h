// Fovea - sockets of ZeroMQ, in a process of their own.
// SPDX-License-Identifier: Apache-2.0
#ifndef FOV_SOCKET_READER_H
#define FOV_SOCKET_READER_H

#include "fov_reader.h"

#if !defined(__clang__)
#define _Nonnull
#endif

// libzmq ends its process where an assertion fails, so it runs as a reader (`fov_reader.h`). The
// child holds one socket of the kind ROUTER, which talks to any number of REQ sockets:
//
//   client (REQ) <--> socket in the child <--> operation 0 <--> caller
//
// Operation 0 sends messages and takes those that have come. Numbers have 32 bits, the least
// significant byte first. Parameters: the milliseconds to wait for a first message, then the
// endpoint, such as tcp://127.0.0.1:5555. The socket is bound when an endpoint is named first; a
// process that replaces a dead one binds it again. The picture: messages to send, one behind the
// other. The answer: messages that have come.
//
//   message: number of frames, then each frame: number of bytes, bytes
//
// The first frame of a message is the identity of its client. A message to a client that is gone is
// dropped. A frame has at most FOV_SOCKET_FRAME_BYTES_MAX bytes, and a message as many frames as
// FOV_SOCKET_FRAMES_MAX. The library ends the connection of who sends longer frames, and messages
// of more frames are dropped.
//
// Where the reader says no, the first character of the answer tells why, words follow: 'L' the
// library cannot be opened, 'B' the endpoint cannot be bound, 'T' this build has no ZeroMQ, 'Q' the
// question is not as above.

enum {
  FOV_SOCKET_FRAME_BYTES_MAX = 256 << 20,
  FOV_SOCKET_FRAMES_MAX = 8,
};

// The reader; lives as long as the program.
const fov_reader_kind *_Nonnull fov_socket_reader(void);

#endif
