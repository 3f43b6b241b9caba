// Fovea - a reader that dies as it is told, for tests.
// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE
#include "reader_probe.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void append_number(fov_reader_answer *answer, uint32_t number) {
  fov_reader_append(answer, &number, sizeof number);
}

static uint32_t sum(const uint8_t *bytes, size_t count) {
  uint32_t result = 0;
  for (size_t i = 0; i < count; i++) result += bytes[i];
  return result;
}

// The number of entries of a folder of /proc, but for "." and "..".
static uint32_t entries(const char *path) {
  DIR *folder = opendir(path);
  if (folder == NULL) return 0;
  uint32_t count = 0;
  while (readdir(folder) != NULL) count++;
  closedir(folder);
  return count - 2;
}

static void report_rights(fov_reader_answer *answer) {
  // Less one for the folder that is open to count.
  append_number(answer, entries("/proc/self/fd") - 1);
  char name[] = "/tmp/fovea-reader-probe-XXXXXX";
  const int file = mkstemp(name);
  const bool writes = file >= 0 && write(file, "x", 1) == 1;
  if (file >= 0) close(file);
  unlink(name);
  append_number(answer, writes);
  append_number(answer, getenv("HOME") != NULL || getenv("FOVEA_READER") != NULL);
}

static void fill(fov_reader_answer *answer, uint32_t count) {
  static const uint8_t bytes[4096];
  for (; count > 0; count -= count < sizeof bytes ? count : sizeof bytes) {
    fov_reader_append(answer, bytes, count < sizeof bytes ? count : sizeof bytes);
  }
}

static bool answer_probe(const fov_reader_question *question, fov_reader_answer *answer) {
  uint32_t first = 0;
  if (question->parameter_bytes >= 4) memcpy(&first, question->parameters, 4);
  switch (question->operation) {
    case probe_operation_sum:
      append_number(answer, sum(question->parameters, question->parameter_bytes) +
                                sum(question->picture, question->picture_bytes));
      return true;
    case probe_operation_abort: abort();
    case probe_operation_fault: *(volatile int *)(uintptr_t)first = 1; return true;
    case probe_operation_hang:
      for (;;) pause();
    case probe_operation_exit: _exit(0);
    case probe_operation_rights: report_rights(answer); return true;
    case probe_operation_fill: fill(answer, first); return true;
    case probe_operation_babble: {
      uint8_t noise[64];
      memset(noise, (int)first, sizeof noise);
      return write(3, noise, sizeof noise) > 0;
    }
    default: fov_reader_append(answer, "no", 2); return false;
  }
}

static const fov_reader_kind kind = {"probe", answer_probe, true};

const fov_reader_kind *reader_probe(void) { return &kind; }

__attribute__((constructor)) static void serve(void) { fov_reader_serve(&kind); }
