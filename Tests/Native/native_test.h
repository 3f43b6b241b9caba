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
// A program prints a line for each failed check, and how many tests passed and failed.
#ifndef NATIVE_TEST_H
#define NATIVE_TEST_H

#include <inttypes.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

static struct {
  size_t passed, failed;  // tests
  size_t breaches;        // failed checks of the running test
} native_test;

static inline bool native_test_check(bool holds, const char *file, int line, const char *what) {
  if (holds) return true;
  native_test.breaches++;
  fprintf(stderr, "%s:%d: %s\n", file, line, what);
  return false;
}

static inline bool native_test_equal(int64_t found, int64_t expected, const char *file, int line,
                                     const char *what) {
  if (native_test_check(found == expected, file, line, what)) return true;
  fprintf(stderr, "  found %" PRId64 ", expected %" PRId64 "\n", found, expected);
  return false;
}

static inline void native_test_run(const char *name, void (*test)(void)) {
  native_test.breaches = 0;
  test();
  if (native_test.breaches == 0) {
    native_test.passed++;
  } else {
    native_test.failed++;
    fprintf(stderr, "FAILED: %s\n", name);
  }
}

static inline int native_test_end(void) {
  printf("%zu passed, %zu failed\n", native_test.passed, native_test.failed);
  return native_test.failed == 0 && native_test.passed > 0 ? 0 : 1;
}

// Both give whether they hold.
#define CHECK(condition) native_test_check((condition), __FILE__, __LINE__, #condition)
#define CHECK_EQUAL(found, expected) \
  native_test_equal((int64_t)(found), (int64_t)(expected), __FILE__, __LINE__, #found)
#define RUN(test) native_test_run(#test, test)

#endif
