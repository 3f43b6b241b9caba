// Fovea - tests of the quota of control groups.
// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE
#include <ftw.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "fovea/spi/fov_cpu_quota.h"
#include "native_test.h"

// MARK: Text

typedef struct stated_quota {
  const char *text;
  size_t cores;
} stated_quota;

static const stated_quota stated_quotas[] = {
    {"100000 100000\n", 1},   {"150000 100000\n", 2}, {"200000 100000", 2},
    {"200001 100000\n", 3},   {"1 100000\n", 1},      {"50000 100000\n", 1},
    {"6400000 100000\n", 64}, {"7 2\nmore", 4},
};

static size_t parse(const char *text) { return fov_cpu_quota_parse(text, strlen(text)); }

static void quota_is_rounded_up(stated_quota quota) {
  CASE("%s", quota.text);
  CHECK_EQUAL(parse(quota.text), quota.cores);
}

static const char *const other_texts[] = {
    "max 100000\n",
    "",
    "\n",
    " ",
    "max",
    "100000",
    "100000\n",
    "100000 ",
    " 100000",
    "100000 0\n",
    "0 100000\n",
    "-1 100000\n",
    "1.5 1\n",
    "+2 1\n",
    "2 1 1\n",
    "2\t1\n",
    "0x4 1\n",
    "99999999999999999999999 1\n",
    "18446744073709551616 1",
    "2 1\r\n",
    "\xC3\xA9 1",
};

static void anything_else_is_no_limit(const char *text) {
  CASE("%s", text);
  CHECK_EQUAL(parse(text), 0);
}

static void nul_is_no_space(void) { CHECK_EQUAL(fov_cpu_quota_parse("2\0 1", 4), 0); }

static void largest_numbers(void) {
  CHECK_EQUAL(parse("18446744073709551615 18446744073709551615"), 1);
  CHECK_EQUAL(parse("18446744073709551615 9223372036854775808"), 2);
}

static size_t parse_pair(const char *quota, const char *period) {
  return fov_cpu_quota_parse_pair(quota, strlen(quota), period, strlen(period));
}

static void pair_of_version_one(void) {
  CHECK_EQUAL(parse_pair("150000\n", "100000\n"), 2);
  CHECK_EQUAL(parse_pair("-1\n", "100000\n"), 0);
  CHECK_EQUAL(parse_pair("150000\n", ""), 0);
  CHECK_EQUAL(parse_pair("", "100000\n"), 0);
}

// No byte beyond the length is looked at.
static void text_need_not_end_in_nul(void) { CHECK_EQUAL(fov_cpu_quota_parse("25 10999", 5), 3); }

// MARK: Groups

typedef struct stated_file {
  const char *path, *text;
} stated_file;

static int discard(const char *path, const struct stat *status, int kind, struct FTW *place) {
  (void)status, (void)kind, (void)place;
  return remove(path);
}

// Writes files into a folder that stands for /sys/fs/cgroup, and asks for the limit.
static size_t limit(const char *groups, const stated_file *files, size_t count) {
  char mount[] = "/tmp/fovea-quota-XXXXXX", path[200];
  if (!CHECK(mkdtemp(mount) != NULL)) return 0;
  for (size_t i = 0; i < count; i++) {
    snprintf(path, sizeof path, "%s/%s", mount, files[i].path);
    for (char *end = strchr(path + sizeof mount, '/'); end; end = strchr(end + 1, '/')) {
      *end = 0;
      mkdir(path, 0700);
      *end = '/';
    }
    FILE *file = fopen(path, "w");
    if (!CHECK(file != NULL)) break;
    fputs(files[i].text, file);
    fclose(file);
  }
  const size_t result = fov_cpu_quota_read(groups, strlen(groups), mount);
  CHECK_EQUAL(nftw(mount, discard, 8, FTW_DEPTH | FTW_PHYS), 0);
  return result;
}

#define LIMIT(groups, ...) \
  limit(groups, (const stated_file[]){__VA_ARGS__}, COUNT(((const stated_file[]){__VA_ARGS__})))

static void own_group_of_version_two(void) {
  CHECK_EQUAL(LIMIT("0::/a/b\n", {"a/b/cpu.max", "250000 100000\n"}), 3);
  CHECK_EQUAL(LIMIT("0::/\n", {"cpu.max", "250000 100000\n"}), 3);
}

static void least_of_the_parents_counts(void) {
  static const stated_file files[] = {{"cpu.max", "max 100000\n"},
                                      {"a/cpu.max", "200000 100000\n"},
                                      {"a/b/cpu.max", "max 100000\n"},
                                      {"a/b/c/cpu.max", "400000 100000\n"}};
  CHECK_EQUAL(limit("0::/a/b/c\n", files, COUNT(files)), 2);
  CHECK_EQUAL(limit("0::/a/b\n", files, COUNT(files)), 2);
  CHECK_EQUAL(limit("0::/b\n", files, COUNT(files)), 0);
}

// A container may see the path of its host but only its own group, as the mount.
static void path_that_is_not_mounted_falls_back_to_the_mount(void) {
  CHECK_EQUAL(LIMIT("0::/docker/0123\n", {"cpu.max", "100000 100000\n"}), 1);
}

static void version_one_stands_in_the_folder_of_its_controller(void) {
  static const stated_file files[] = {{"cpu/a/cpu.cfs_quota_us", "300000\n"},
                                      {"cpu/a/cpu.cfs_period_us", "100000\n"},
                                      {"cpu/cpu.cfs_quota_us", "-1\n"},
                                      {"cpu/cpu.cfs_period_us", "100000\n"}};
  const char *groups = "12:memory:/a\n4:cpu,cpuacct:/a/b\n1:name=systemd:/a\n0::/a\n";
  CHECK_EQUAL(limit(groups, files, COUNT(files)), 3);
  CHECK_EQUAL(limit("4:cpuacct,cpu:/a\n", files, COUNT(files)), 3);
  CHECK_EQUAL(limit("4:cpuset:/a\n", files, COUNT(files)), 0);
}

static char many_slashes[3004], long_name[5005];

// A path may not lead out of the mount, and lines of another form are passed over.
static const char *const hostile[] = {
    "0::/../x\n", "0::/x/../../x", "0::x\n", "1::/x\n",    "0:/x\n",  "x",
    ":::\n",      "\n\n",          "0::\n",  many_slashes, long_name,
};

static void hostile_groups(const char *groups) {
  CASE("%.40s", groups);
  CHECK_EQUAL(LIMIT(groups, {"x/cpu.max", "100000 100000\n"}), 0);
}

static void file_that_is_too_long_is_cut_and_refused(void) {
  static char text[100001];
  memset(text, '1', sizeof text - 1);
  CHECK_EQUAL(LIMIT("0::/\n", {"cpu.max", text}), 0);
}

int main(void) {
  memcpy(memset(many_slashes, '/', sizeof many_slashes - 1), "0::", 3);
  memcpy(memset(long_name, 'x', sizeof long_name - 1), "0::/", 4);
  RUN_ALL(quota_is_rounded_up, stated_quotas);
  RUN_ALL(anything_else_is_no_limit, other_texts);
  RUN(nul_is_no_space);
  RUN(largest_numbers);
  RUN(pair_of_version_one);
  RUN(text_need_not_end_in_nul);
  RUN(own_group_of_version_two);
  RUN(least_of_the_parents_counts);
  RUN(path_that_is_not_mounted_falls_back_to_the_mount);
  RUN(version_one_stands_in_the_folder_of_its_controller);
  RUN_ALL(hostile_groups, hostile);
  RUN(file_that_is_too_long_is_cut_and_refused);
  return native_test_end();
}
