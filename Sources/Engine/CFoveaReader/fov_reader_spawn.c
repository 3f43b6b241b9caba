// Fovea - the executable of this process, started once more as a reader.
// SPDX-License-Identifier: Apache-2.0
#if defined(__linux__)
#define _GNU_SOURCE
#include <fcntl.h>
#include <link.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>

#include "fov_reader.h"
#include "fov_reader_frame.h"

typedef struct fov_search {
  uintptr_t address;
  bool found;
  const char *path;  // "" for the executable itself
} fov_search;

static int visit_object(struct dl_phdr_info *info, size_t size, void *context) {
  (void)size;
  fov_search *search = context;
  for (int i = 0; i < info->dlpi_phnum; i++) {
    if (info->dlpi_phdr[i].p_type != PT_LOAD) continue;
    const uintptr_t first = info->dlpi_addr + info->dlpi_phdr[i].p_vaddr;
    if (search->address - first >= info->dlpi_phdr[i].p_memsz) continue;
    search->found = true;
    search->path = info->dlpi_name;
    return 1;
  }
  return 0;
}

enum { fov_variables_max = 16 };

typedef struct fov_environment {
  char *variables[fov_variables_max + 1];
  int count;
} fov_environment;

// Adds NAME=value, or NAME=value:rest where `rest` is not empty. False without memory.
static bool add_variable(fov_environment *environment, const char *name, const char *value,
                         const char *rest) {
  const bool joined = rest != NULL && rest[0] != 0;
  char *text;
  const int length = joined ? asprintf(&text, "%s=%s:%s", name, value, rest)
                            : asprintf(&text, "%s=%s", name, value);
  if (length < 0) return false;
  environment->variables[environment->count++] = text;
  return true;
}

// What the child gets to know: where its libraries and their data are, and no more.
static bool fill_environment(fov_environment *environment, const fov_reader_kind *kind) {
  fov_search search = {.address = (uintptr_t)kind};
  dl_iterate_phdr(visit_object, &search);
  if (!search.found) return false;
  const char *preload = secure_getenv("LD_PRELOAD");
  const bool is_shared = search.path != NULL && search.path[0] != 0;
  if (!add_variable(environment, FOV_READER_VARIABLE, kind->name, NULL) ||
      // Threads that nobody uses would make the start slower.
      !add_variable(environment, "OPENBLAS_NUM_THREADS", "1", NULL) ||
      !add_variable(environment, "OMP_THREAD_LIMIT", "1", NULL)) {
    return false;
  }
  if (is_shared && !add_variable(environment, "LD_PRELOAD", search.path, preload)) return false;
  static const char *const kept[] = {"LD_LIBRARY_PATH", "TESSDATA_PREFIX", "LC_ALL",      "LANG",
                                     "ASAN_OPTIONS",    "UBSAN_OPTIONS",   "TSAN_OPTIONS"};
  for (size_t i = 0; i < sizeof kept / sizeof *kept; i++) {
    const char *value = secure_getenv(kept[i]);
    if (value != NULL && !add_variable(environment, kept[i], value, NULL)) return false;
  }
  return is_shared || preload == NULL || add_variable(environment, "LD_PRELOAD", preload, NULL);
}

static bool prepare_actions(posix_spawn_file_actions_t *actions, int socket) {
  return posix_spawn_file_actions_addopen(actions, 0, "/dev/null", O_RDONLY, 0) == 0 &&
         posix_spawn_file_actions_addopen(actions, 1, "/dev/null", O_WRONLY, 0) == 0 &&
         posix_spawn_file_actions_addopen(actions, 2, "/dev/null", O_WRONLY, 0) == 0 &&
         posix_spawn_file_actions_adddup2(actions, socket, fov_reader_socket) == 0;
}

static bool prepare_attributes(posix_spawnattr_t *attributes) {
  sigset_t none, all;
  sigemptyset(&none);
  sigfillset(&all);
  return posix_spawnattr_setsigmask(attributes, &none) == 0 &&
         posix_spawnattr_setsigdefault(attributes, &all) == 0 &&
         posix_spawnattr_setflags(attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF) == 0;
}

pid_t fov_reader_spawn(const fov_reader_kind *kind, int socket) {
  fov_environment environment = {.count = 0};
  posix_spawn_file_actions_t actions;
  posix_spawnattr_t attributes;
  pid_t process = 0;
  if (posix_spawn_file_actions_init(&actions) != 0) return 0;
  if (posix_spawnattr_init(&attributes) == 0) {
    // The argument shows in lists of processes.
    char *const arguments[] = {(char *)"fovea-reader", NULL};
    if (!fill_environment(&environment, kind) || !prepare_actions(&actions, socket) ||
        !prepare_attributes(&attributes) ||
        posix_spawn(&process, "/proc/self/exe", &actions, &attributes, arguments,
                    environment.variables) != 0) {
      process = 0;
    }
    posix_spawnattr_destroy(&attributes);
  }
  posix_spawn_file_actions_destroy(&actions);
  for (int i = 0; i < environment.count; i++) free(environment.variables[i]);
  return process;
}

#endif
