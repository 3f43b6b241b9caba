// Fovea - checks the kernels of every instruction set that this processor has.
// SPDX-License-Identifier: Apache-2.0
//
//   KernelCheck [count [seed [instruction set]]]
//
// Exits 1 when there is any difference, or nothing to compare.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check_float.h"
#include "kernel_check.h"

void *check_allocate(size_t bytes) {
  void *memory = aligned_alloc(64, (bytes + 64) / 64 * 64);
  if (memory == NULL) {
    fprintf(stderr, "KernelCheck: no memory for %zu bytes\n", bytes);
    exit(1);
  }
  memset(memory, 0, (bytes + 64) / 64 * 64);
  return memory;
}

static void add_result(check_result *sum, check_result one) {
  sum->comparisons += one.comparisons;
  sum->differences += one.differences;
}

static check_result check_set(const fov_kernel_set *set, size_t count, uint64_t seed) {
  const fov_kernel_set *scalar = fov_kernel_set_find(fov_instruction_set_scalar);
  check_result result = {0, 0};
  add_result(&result, check_int8(set, scalar, count, seed));
  add_result(&result, check_int8_elements(set, count, seed));
  add_result(&result, check_sampling(set, count, seed));
  // Float kernels stop at the first wrong number: all right, or one difference.
  const check_result floats = {count, check_float(set, seed, (int)count) ? 0 : 1};
  add_result(&result, floats);
  return result;
}

int main(int argc, char **argv) {
  const size_t count = argc > 1 ? strtoul(argv[1], NULL, 10) : 400;
  const uint64_t seed = argc > 2 ? strtoull(argv[2], NULL, 10) : 1;
  const char *only = argc > 3 ? argv[3] : NULL;
  check_result all = {0, 0};
  for (int i = fov_instruction_set_scalar; i < FOV_INSTRUCTION_SET_COUNT; i++) {
    const fov_instruction_set instruction_set = (fov_instruction_set)i;
    const char *name = fov_instruction_set_name(instruction_set);
    if (only != NULL && strcmp(only, name) != 0) continue;
    const fov_kernel_set *set = fov_kernel_set_find(instruction_set);
    if (set == NULL) continue;
    const check_result result = check_set(set, count, seed);
    printf("KernelCheck: %s: %zu comparisons, %zu differences\n", name, result.comparisons,
           result.differences);
    fflush(stdout);
    add_result(&all, result);
  }
  if (all.comparisons == 0) printf("KernelCheck: nothing compared\n");
  return all.differences == 0 && all.comparisons > 0 ? 0 : 1;
}
