// Fovea - reading the quota of a control group.
// SPDX-License-Identifier: Apache-2.0
#define _POSIX_C_SOURCE 200809L
#include "fovea/spi/fov_cpu_quota.h"

#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/fov_exact.h"
#include "base/fov_size.h"

#define PATH_BYTES 4096
#define FILE_BYTES 64  // two numbers of at most 20 digits

// A part of a longer text.
typedef struct text {
  const char *start;
  size_t length;
} text;

// MARK: text

// Cuts the part before the separator off `rest`; all of it when there is none.
static text take_until(text *rest, char separator) {
  const char *found = rest->length ? memchr(rest->start, separator, rest->length) : NULL;
  const size_t length = found ? (size_t)(found - rest->start) : rest->length;
  const text part = {rest->start, length};
  const size_t used = found ? length + 1 : length;
  *rest = (text){rest->start + used, rest->length - used};
  return part;
}

static bool equals(text part, const char *word) {
  return part.length == strlen(word) && memcmp(part.start, word, part.length) == 0;
}

// Decimal digits only; false for anything else, 0, and what does not fit.
static bool parse_positive(text part, uint64_t *out_value) {
  uint64_t value = 0;
  for (size_t i = 0; i < part.length; i++) {
    const char digit = part.start[i];
    if (digit < '0' || digit > '9') return false;
    if (__builtin_mul_overflow(value, (uint64_t)10, &value)) return false;
    if (__builtin_add_overflow(value, (uint64_t)(digit - '0'), &value)) return false;
  }
  *out_value = value;
  return value > 0;
}

static size_t divide_up(text quota, text period) {
  uint64_t part, whole;
  if (!parse_positive(quota, &part) || !parse_positive(period, &whole)) return 0;
  const uint64_t cores = part / whole + (part % whole != 0);
  return cores > SIZE_MAX ? SIZE_MAX : (size_t)cores;
}

size_t fov_cpu_quota_parse(const char *start, size_t length) {
  text rest = {start, length};
  text line = take_until(&rest, '\n');
  const text quota = take_until(&line, ' ');
  return divide_up(quota, line);
}

size_t fov_cpu_quota_parse_pair(const char *quota, size_t quota_length, const char *period,
                                size_t period_length) {
  text quota_text = {quota, quota_length}, period_text = {period, period_length};
  return divide_up(take_until(&quota_text, '\n'), take_until(&period_text, '\n'));
}

// MARK: files

static size_t read_file(const char *folder, const char *name, char buffer[FILE_BYTES]) {
  char path[PATH_BYTES];
  const int length = snprintf(path, sizeof path, "%s/%s", folder, name);
  if (length < 0 || (size_t)length >= sizeof path) return 0;
  const int file = open(path, O_RDONLY | O_CLOEXEC);
  if (file < 0) return 0;
  const ssize_t bytes = read(file, buffer, FILE_BYTES);
  close(file);
  return bytes > 0 ? (size_t)bytes : 0;
}

static size_t limit_of_unified(const char *folder) {
  char buffer[FILE_BYTES];
  return fov_cpu_quota_parse(buffer, read_file(folder, "cpu.max", buffer));
}

static size_t limit_of_legacy(const char *folder) {
  char quota[FILE_BYTES], period[FILE_BYTES];
  const size_t quota_length = read_file(folder, "cpu.cfs_quota_us", quota);
  const size_t period_length = read_file(folder, "cpu.cfs_period_us", period);
  return fov_cpu_quota_parse_pair(quota, quota_length, period, period_length);
}

// MARK: groups

// The smaller of two limits, of which 0 is none.
static size_t tighter(size_t a, size_t b) {
  return a == 0 || b == 0 ? fov_size_max(a, b) : fov_size_min(a, b);
}

// A path with ".." would leave the mount; the group then lies outside what this process can see.
static bool leaves_mount(text path) {
  if (path.length > 0 && path.start[0] != '/') return true;
  while (path.length > 0) {
    if (equals(take_until(&path, '/'), "..")) return true;
  }
  return false;
}

// The least limit from root/path up to root itself.
static size_t climb(const char *root, text path, size_t (*limit_of)(const char *)) {
  if (leaves_mount(path)) path.length = 0;
  char folder[PATH_BYTES];
  const size_t root_length = strlen(root);
  if (path.length >= sizeof folder || root_length >= sizeof folder - path.length) return 0;
  memcpy(folder, root, root_length);
  memcpy(folder + root_length, path.start, path.length);
  size_t limit = 0;
  size_t end = root_length + path.length;
  for (;;) {
    folder[end] = '\0';
    limit = tighter(limit, limit_of(folder));
    if (end == root_length) return limit;
    do end--;
    while (end > root_length && folder[end] != '/');
  }
}

// One line of /proc/self/cgroup: "0::/path" in version 2, "4:cpu,cpuacct:/path" in version 1.
static size_t limit_of_line(text line, const char *mount) {
  const text hierarchy = take_until(&line, ':');
  text controllers = take_until(&line, ':');
  if (controllers.length == 0) {
    return equals(hierarchy, "0") ? climb(mount, line, limit_of_unified) : 0;
  }
  while (controllers.length > 0) {
    if (!equals(take_until(&controllers, ','), "cpu")) continue;
    char root[PATH_BYTES];
    const int length = snprintf(root, sizeof root, "%s/cpu", mount);
    if (length < 0 || (size_t)length >= sizeof root) return 0;
    return climb(root, line, limit_of_legacy);
  }
  return 0;
}

size_t fov_cpu_quota_read(const char *groups, size_t groups_length, const char *mount) {
  text rest = {groups, groups_length};
  size_t limit = 0;
  while (rest.length > 0) {
    limit = tighter(limit, limit_of_line(take_until(&rest, '\n'), mount));
  }
  return limit;
}
