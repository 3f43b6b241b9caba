// Fovea - a graph whose calls somebody watches fail.
// SPDX-License-Identifier: Apache-2.0
#ifndef WATCHED_GRAPH_H
#define WATCHED_GRAPH_H

#include <stdbool.h>

#include "fovea/core/fov_graph.h"

typedef struct watched_graph {
  fov_graph *graph;  // borrowed
  // What a call that failed said; empty before the call.
  fov_diagnostic diagnostic;
  // Asked when a call fails; true: it is made again. NULL: none is.
  bool (*repeats)(void *context, fov_status status, const fov_diagnostic *diagnostic);
  void *context;
} watched_graph;

static inline bool watched_graph_repeats(const watched_graph *watched, fov_status status) {
  return watched->repeats && watched->repeats(watched->context, status, &watched->diagnostic);
}

// Makes a call that fills in watched->diagnostic. Leaves the function with the status of one that
// fails and is not made again.
#define WATCHED(watched, call)                                                                     \
  do {                                                                                             \
    fov_status watched_status;                                                                     \
    do {                                                                                           \
      (watched)->diagnostic.message[0] = 0;                                                        \
      watched_status = (call);                                                                     \
    } while (watched_status != fov_status_ok && watched_graph_repeats((watched), watched_status)); \
    if (watched_status != fov_status_ok) return watched_status;                                    \
  } while (0)

// Leaves the function with a status that is not ok.
#define WATCHED_FORWARD(expression)                                   \
  do {                                                                \
    const fov_status watched_forwarded = (expression);                \
    if (watched_forwarded != fov_status_ok) return watched_forwarded; \
  } while (0)

// fov_graph_set_label, which says nothing, with words of its own.
fov_status watched_graph_label(watched_graph *watched, const char *label);

#endif
