// Fovea - counting the cores that this process may use.
// SPDX-License-Identifier: Apache-2.0
#if defined(__linux__)
#define _GNU_SOURCE
#endif
#include "cpu/fov_cpu.h"

#include <unistd.h>

#include "base/fov_size.h"

#if defined(__linux__)

#include <fcntl.h>
#include <sched.h>

#include "fovea/spi/fov_cpu_quota.h"

// 65536 cores; the kernel refuses a mask smaller than its own, and knows 8192 at most.
#define MASK_WORDS 1024
#define GROUPS_BYTES 8192

static size_t cores_in_mask(void) {
  union {
    cpu_set_t set;
    unsigned long long words[MASK_WORDS];
  } mask = {.words = {0}};
  if (sched_getaffinity(0, sizeof mask, &mask.set) != 0) return 0;
  size_t cores = 0;
  for (size_t i = 0; i < MASK_WORDS; i++) cores += (size_t)__builtin_popcountll(mask.words[i]);
  return cores;
}

static size_t cores_in_quota(void) {
  char groups[GROUPS_BYTES];
  const int file = open("/proc/self/cgroup", O_RDONLY | O_CLOEXEC);
  if (file < 0) return 0;
  const ssize_t bytes = read(file, groups, sizeof groups);
  close(file);
  return bytes > 0 ? fov_cpu_quota_read(groups, (size_t)bytes, "/sys/fs/cgroup") : 0;
}

#else

static size_t cores_in_mask(void) { return 0; }
static size_t cores_in_quota(void) { return 0; }

#endif

static size_t cores_online(void) {
  const long cores = sysconf(_SC_NPROCESSORS_ONLN);
  return cores > 0 ? (size_t)cores : 1;
}

size_t fov_cpu_available(void) {
  const size_t mask = cores_in_mask();
  const size_t cores = mask ? mask : cores_online();
  const size_t quota = cores_in_quota();
  return quota ? fov_size_min(cores, quota) : cores;
}
