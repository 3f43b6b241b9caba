// Fovea - the processor time that a Linux control group leaves to its processes.
// SPDX-License-Identifier: Apache-2.0
#ifndef FOV_CPU_QUOTA_H
#define FOV_CPU_QUOTA_H

#include <stddef.h>

#include "fovea/core/fov_status.h"

#ifdef __cplusplus
extern "C" {
#endif

FOV_ASSUME_NONNULL_BEGIN

// A control group may say: in every period of P microseconds, Q microseconds of processor time,
// all threads together. More than ceil(Q / P) threads would only wait for each other's share.
//
// A container engine states that limit in one of two ways:
//   version 2   cpu.max             "150000 100000", or "max 100000" for none
//   version 1   cpu.cfs_quota_us    "150000", or "-1" for none
//               cpu.cfs_period_us   "100000"
// Text is borrowed, need not end in NUL, and is not trusted: what is not of this form is no limit.

// ceil(Q / P) of a cpu.max file; 0 when it sets no limit.
size_t fov_cpu_quota_parse(const char *text, size_t length);

// ceil(Q / P) of the pair of files of version 1; 0 when they set no limit.
size_t fov_cpu_quota_parse_pair(const char *quota, size_t quota_length, const char *period,
                                size_t period_length);

// The least limit of a process's own group and of every group above it; 0 when none sets one.
// groups: the text of /proc/self/cgroup. mount: where control groups are mounted, /sys/fs/cgroup.
// A path that does not exist there, as inside a container that sees only its own group, is
// skipped and its parents are tried.
size_t fov_cpu_quota_read(const char *groups, size_t groups_length, const char *mount);

FOV_ASSUME_NONNULL_END

#ifdef __cplusplus
}
#endif
#endif
