// Fovea - what goes through the connection between a caller and a reader's process.
// SPDX-License-Identifier: Apache-2.0
#ifndef FOV_READER_FRAME_H
#define FOV_READER_FRAME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "fov_reader.h"

// The child's end of the connection.
enum { fov_reader_socket = 3 };

#define FOV_READER_VARIABLE "FOVEA_READER"
#define FOV_READER_MAGIC 0x52564f46u  // "FOVR"

// Both sides run the same code on the same machine: numbers lie as the processor has them.
typedef struct fov_question_header {
  uint32_t magic, sequence;
  uint32_t operation, parameter_bytes;
  uint64_t picture_bytes, answer_bytes_max;
} fov_question_header;

typedef struct fov_answer_header {
  uint32_t magic, sequence;
  uint32_t status;  // fov_reader_status: ok, failed or aborted
  uint32_t bytes;
} fov_answer_header;

// Whether a header answers question `sequence`: the right marks, a status that a child may send,
// and a length within bounds.
bool fov_answer_is_valid(const fov_answer_header *header, uint32_t sequence, size_t bytes_max);

// Whether a question's header may come from a caller.
bool fov_question_is_valid(const fov_question_header *header);

typedef enum fov_transfer { fov_transfer_done, fov_transfer_ended, fov_transfer_late } fov_transfer;

// The time in milliseconds, from a clock that nobody sets.
int64_t fov_reader_now(void);

// Sends or receives exactly `count` bytes until `deadline`; -1 waits forever.
fov_transfer fov_reader_send(int socket, const void *bytes, size_t count, int64_t deadline);
fov_transfer fov_reader_receive(int socket, void *bytes, size_t count, int64_t deadline);

// Starts the executable of this process once more, with `socket`, which is above 9, as its
// `fov_reader_socket`. Returns the process, or 0.
pid_t fov_reader_spawn(const fov_reader_kind *kind, int socket);

#endif
