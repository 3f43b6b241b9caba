// Fovea - running a tape forward and backward over one picture.
// SPDX-License-Identifier: Apache-2.0
#include "fov_tape.h"

size_t fov_tape_arena_bytes(const fov_tape *tape) {
  return (tape->arena_count + tape->workspace_count) * sizeof(fov_real);
}

fov_status fov_tape_run_create(const fov_tape *tape, fov_tape_run **out_run) {
  if (!tape->is_finished) return fov_status_invalid_graph;
  fov_tape_run *run = fov_train_allocate(1, sizeof *run);
  if (!run) return fov_status_out_of_memory;
  run->tape = tape;
  run->arena = fov_train_allocate(tape->arena_count, sizeof *run->arena);
  run->workspace = fov_train_allocate(tape->workspace_count, sizeof *run->workspace);
  if (!run->arena || !run->workspace) {
    fov_tape_run_destroy(run);
    return fov_status_out_of_memory;
  }
  *out_run = run;
  return fov_status_ok;
}

void fov_tape_run_destroy(fov_tape_run *run) {
  if (!run) return;
  fov_train_release(run->arena);
  fov_train_release(run->workspace);
  fov_train_release(run);
}

fov_real *fov_tape_picture(fov_tape_run *run) { return run->arena + run->tape->slots[0].offset; }

static const fov_tape_slot *output_slot(const fov_tape *tape, size_t output) {
  return &tape->slots[tape->outputs[output]];
}

const fov_real *fov_tape_output(const fov_tape_run *run, size_t output) {
  return run->arena + output_slot(run->tape, output)->offset;
}

fov_real *fov_tape_output_gradient(fov_tape_run *run, size_t output) {
  return run->arena + output_slot(run->tape, output)->gradient_offset;
}

fov_tape_size fov_tape_output_size(const fov_tape *tape, size_t output) {
  return output_slot(tape, output)->size;
}

void fov_tape_set_picture(fov_tape_run *run, const uint8_t *bytes) {
  const fov_tape *tape = run->tape;
  const fov_tape_size *size = &tape->slots[0].size;
  fov_real *out = fov_tape_picture(run);
  for (size_t p = 0; p < fov_tape_pixels(size); p++) {
    for (size_t c = 0; c < size->channels; c++) {
      const size_t source = tape->pixels.reverse_channels ? size->channels - 1 - c : c;
      out[p * size->channels + c] =
          (fov_real)bytes[p * size->channels + source] * tape->pixels.scale + tape->pixels.bias[c];
    }
  }
}

static fov_tape_call call_of(const fov_tape_run *run, const fov_real *parameters,
                             fov_real *gradients) {
  return (fov_tape_call){.tape = run->tape,
                         .arena = run->arena,
                         .workspace = run->workspace,
                         .parameters = parameters,
                         .gradients = gradients};
}

void fov_tape_forward(fov_tape_run *run, const fov_real *parameters) {
  fov_tape_call call = call_of(run, parameters, NULL);
  for (size_t i = 0; i < run->tape->node_count; i++) {
    call.node = &run->tape->nodes[i];
    call.node->operation->forward(&call);
  }
}

void fov_tape_backward(fov_tape_run *run, const fov_real *parameters, fov_real *gradients) {
  fov_tape_call call = call_of(run, parameters, gradients);
  for (size_t i = run->tape->node_count; i-- > 0;) {
    call.node = &run->tape->nodes[i];
    if (run->tape->slots[call.node->output].has_gradient) call.node->operation->backward(&call);
  }
}
