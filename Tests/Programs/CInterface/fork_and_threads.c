// Fovea - one model on several threads and in children of fork(), through the C interface.
// SPDX-License-Identifier: Apache-2.0
#include <fovea/fovea.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

static fovea_model *model;
static fovea_picture *picture;
static size_t expected;
static atomic_bool done;
static atomic_int failures;

// The number of objects in the picture; SIZE_MAX after a failure.
static size_t found(void) {
  fovea_result *result = NULL;
  char *message = NULL;
  if (fovea_detect_pixels(model, fovea_picture_pixels(picture), NULL, &result, &message)) {
    fprintf(stderr, "%s\n", message);
    return fovea_free(message), SIZE_MAX;
  }
  const size_t count = fovea_result_object_count(result);
  return fovea_result_free(result), count;
}

static void *detect_on_and_on(void *unused) {
  while (!done) {
    if (found() != expected) failures++;
  }
  return unused;
}

// Whether a child, which has the calling thread alone, finds the same. It is ended after 20
// seconds.
static int child_finds_the_same(void) {
  int status = 0;
  const pid_t child = fork();
  if (child == 0) {
    alarm(20);
    _exit(found() == expected && found() == expected ? 0 : 1);
  }
  return child > 0 && waitpid(child, &status, 0) == child && status == 0;
}

// Usage: fork_and_threads PICTURE
int main(int argument_count, char **arguments) {
  fovea_model_options options;
  fovea_model_options_init(&options, sizeof options);
  options.threads = 2;
  if (argument_count != 2 || fovea_picture_open(arguments[1], 0, &picture, NULL) ||
      fovea_model_open_codes_and_text(&options, &model, NULL)) {
    return fprintf(stderr, "nothing to look at\n"), 2;
  }
  expected = found();
  if (expected == 0 || expected == SIZE_MAX || !child_finds_the_same()) failures++;
  pthread_t threads[2];
  for (int i = 0; i < 2; i++) {
    if (pthread_create(&threads[i], NULL, detect_on_and_on, NULL)) return 2;
  }
  // A thread that holds a lock at that moment is not there in the child.
  for (int i = 0; i < 20; i++) failures += !child_finds_the_same();
  done = true;
  for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
  // The model is closed while nobody waits for it; what runs after that is told so.
  fovea_model_close(model);
  if (found() != SIZE_MAX) failures++;
  fovea_picture_close(picture);
  printf("%d failures\n", failures);
  return failures > 0;
}
