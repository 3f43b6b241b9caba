// Fovea - what tests in C share: checks that say where they failed, and go on.
// SPDX-License-Identifier: Apache-2.0
//
//   static void squares(void) { CHECK_EQUAL(square(3), 9); }
//
//   int main(void) {
//     RUN(squares);
//     return native_test_end();
//   }
//
// RUN_ALL runs a test once for each element of an array, as so many tests. CASE names what the
// checks behind it are about. A program prints lines for failed checks, and how many tests passed
// and failed. Only the thread that runs the tests may check.
#ifndef NATIVE_TEST_H
#define NATIVE_TEST_H

#include <inttypes.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#define NATIVE_TEST_MOST_LINES 10

typedef struct native_test_block {
  struct native_test_block *next;
  void *memory;
} native_test_block;

// One for all sources of a program: weak definitions become one.
__attribute__((weak)) struct native_test_state {
  size_t passed, failed;      // tests
  size_t breaches;            // failed checks of the running test; the first ones are printed
  char about[160];            // the case that is being checked, or empty
  native_test_block *blocks;  // memory of the running test
} native_test;

static inline bool native_test_check(bool holds, const char *file, int line, const char *what) {
  if (holds) return true;
  if (native_test.breaches++ < NATIVE_TEST_MOST_LINES) {
    fprintf(stderr, "%s:%d: %s  %s\n", file, line, what, native_test.about);
  }
  return false;
}

static inline bool native_test_equal(int64_t found, int64_t expected, const char *file, int line,
                                     const char *what) {
  if (native_test_check(found == expected, file, line, what)) return true;
  fprintf(stderr, "  found %" PRId64 ", expected %" PRId64 "\n", found, expected);
  return false;
}

// NaN is near NaN, and an infinity is near itself alone.
static inline bool native_test_is_near(double found, double expected, double tolerance) {
  if (found == expected || (isnan(found) && isnan(expected))) return true;
  return isfinite(expected) && fabs(found - expected) <= tolerance;
}

static inline bool native_test_near(double found, double expected, double tolerance,
                                    const char *file, int line, const char *what) {
  const bool holds = native_test_is_near(found, expected, tolerance);
  if (native_test_check(holds, file, line, what)) return true;
  fprintf(stderr, "  found %.9g, expected %.9g\n", found, expected);
  return false;
}

// Says the first byte that differs.
static inline bool native_test_bytes(const void *found, const void *expected, size_t count,
                                     const char *file, int line, const char *what) {
  const uint8_t *a = found, *b = expected;
  size_t i = 0;
  while (i < count && a[i] == b[i]) i++;
  if (native_test_check(i == count, file, line, what)) return true;
  fprintf(stderr, "  byte %zu of %zu is %d, expected %d\n", i, count, a[i], b[i]);
  return false;
}

static inline void *native_test_present(void *memory) {
  if (memory) return memory;
  fprintf(stderr, "no memory\n");
  exit(1);
}

// Zeroed memory of exactly that size, which lives until the test ends.
static inline void *native_test_allocate(size_t count, size_t bytes) {
  native_test_block *block = native_test_present(malloc(sizeof *block));
  *block = (native_test_block){native_test.blocks, native_test_present(calloc(count, bytes))};
  native_test.blocks = block;
  return block->memory;
}

static inline void native_test_begin(void) {
  native_test.breaches = 0;
  native_test.about[0] = 0;
}

static inline void native_test_finish(const char *name, int index) {
  while (native_test.blocks) {
    native_test_block *block = native_test.blocks;
    native_test.blocks = block->next;
    free(block->memory);
    free(block);
  }
  if (native_test.breaches == 0) {
    native_test.passed++;
    return;
  }
  native_test.failed++;
  fprintf(stderr, "FAILED: %s", name);
  if (index >= 0) fprintf(stderr, ", number %d", index);
  fprintf(stderr, " (%zu checks)\n", native_test.breaches);
}

static inline int native_test_end(void) {
  printf("%zu passed, %zu failed\n", native_test.passed, native_test.failed);
  return native_test.failed == 0 && native_test.passed > 0 ? 0 : 1;
}

// Each gives whether it holds.
#define CHECK(condition) native_test_check((condition), __FILE__, __LINE__, #condition)
#define CHECK_EQUAL(found, expected) \
  native_test_equal((int64_t)(found), (int64_t)(expected), __FILE__, __LINE__, #found)
#define CHECK_NEAR(found, expected, tolerance) \
  native_test_near(found, expected, tolerance, __FILE__, __LINE__, #found)
#define CHECK_BYTES(found, expected, count) \
  native_test_bytes(found, expected, count, __FILE__, __LINE__, #found)

#define CASE(...) snprintf(native_test.about, sizeof native_test.about, __VA_ARGS__)
#define COUNT(array) (sizeof(array) / sizeof *(array))

#define RUN(test) (native_test_begin(), test(), native_test_finish(#test, -1))
#define RUN_ALL(test, array)                                       \
  for (size_t native_i = 0; native_i < COUNT(array); native_i++) { \
    native_test_begin();                                           \
    test((array)[native_i]);                                       \
    native_test_finish(#test, (int)native_i);                      \
  }

#endif
