// Fovea - everything that is done with one model, from its graph to the compiled file read back.
// SPDX-License-Identifier: Apache-2.0
#ifndef MODEL_PASS_H
#define MODEL_PASS_H

#include <stdbool.h>
#include <stdint.h>

#include "byte_list.h"
#include "fovea/core/fov_core.h"
#include "watched_graph.h"

typedef struct model_case {
  const char *name;
  fov_status (*build)(watched_graph *watched);
  fov_model_options options;
  const uint8_t *image;  // of as many bytes as the input
  bool is_compiled;      // saved, read again and run again
  bool is_detector;      // whether the file then finds objects, too
} model_case;

typedef struct model_pass {
  const model_case *of;
  bool repeats;  // a call that was refused something is made again

  // Results. What a pass finds in a list it throws away; whoever made the lists frees them.
  fov_status status;  // ok, or that of the call that ended the pass
  char breach[512];   // what was wrong; empty: nothing
  // All that the pass gives its caller, in the order of the calls: outputs, ranges, what nodes
  // wrote, the file.
  byte_list record;
  byte_list file;
  size_t range_count;  // ranges at the end of the record
} model_pass;

// Graph, model, pool, session and a run; of a case that is compiled, the same from its file; then
// all of it is destroyed. Ends at the first call that fails. Such a call has to say why, to want
// memory or a thread, and to have made nothing.
void model_pass_run(model_pass *pass);

// The ranges of a pass over a case with records_ranges; NULL when it fails, which it prints. The
// caller frees them.
fov_channel_summary *model_pass_ranges(const model_case *of, size_t *out_count);

#endif
