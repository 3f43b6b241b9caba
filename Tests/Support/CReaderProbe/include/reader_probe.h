// Fovea - a reader that dies as it is told, for tests.
// SPDX-License-Identifier: Apache-2.0
#ifndef READER_PROBE_H
#define READER_PROBE_H

#include "fov_reader.h"

// What the reader can be asked. Numbers are 32 bits.
enum {
  probe_operation_sum = 0,     // the sum of all bytes, as a number
  probe_operation_refuse = 1,  // "no"
  probe_operation_abort = 2,
  probe_operation_fault = 3,  // writes where nothing is
  probe_operation_hang = 4,
  probe_operation_exit = 5,
  probe_operation_rights = 6,  // open descriptors, whether it can write a file, its variables
  probe_operation_fill = 7,    // as many bytes as the first number of the parameters says
  probe_operation_babble = 8,  // bytes on the connection that are no answer
};

const fov_reader_kind *_Nonnull reader_probe(void);

#endif
