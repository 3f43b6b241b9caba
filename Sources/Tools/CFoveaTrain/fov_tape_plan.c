// Fovea - where values and gradients of a tape lie in its arena, and when.
// SPDX-License-Identifier: Apache-2.0
#include "fov_tape.h"
#include "fovea/spi/fov_plan.h"

// Steps: node i runs forward at i + 1, the loss at n + 1, node i backward at 2 n + 1 - i. The
// picture is there from step 0.
static size_t forward_step(uint32_t node) { return (size_t)node + 1; }
static size_t loss_step(const fov_tape *tape) { return tape->node_count + 1; }
static size_t backward_step(const fov_tape *tape, uint32_t node) {
  return 2 * tape->node_count + 1 - node;
}

static void reach(fov_plan_block *block, size_t step) {
  if (block->last < step) block->last = step;
}

// The first reader that is met on the way back writes a gradient; the loss writes those of outputs.
static void find_writers(fov_tape *tape, bool *is_written) {
  for (size_t i = 0; i < tape->slot_count; i++) is_written[i] = tape->slots[i].is_output;
  for (size_t i = tape->node_count; i-- > 0;) {
    fov_tape_node *node = &tape->nodes[i];
    for (size_t k = 0; k < node->input_count; k++) {
      node->adds[k] = is_written[node->inputs[k]];
      is_written[node->inputs[k]] = true;
    }
  }
}

static void place_value(const fov_tape *tape, uint32_t index, fov_plan_block *block) {
  const fov_tape_slot *slot = &tape->slots[index];
  const bool is_picture = slot->writer == FOV_TAPE_NONE;
  const size_t first = is_picture ? 0 : forward_step(slot->writer);
  *block = (fov_plan_block){.first = first,
                            .last = first,
                            .bytes = fov_tape_elements(&slot->size) * sizeof(fov_real),
                            .shares = FOV_PLAN_NONE};
  if (slot->is_output) reach(block, loss_step(tape));
  if (is_picture) return;
  const fov_tape_node *writer = &tape->nodes[slot->writer];
  if (writer->operation->keeps_output) reach(block, backward_step(tape, slot->writer));
}

static void place_gradient(const fov_tape *tape, uint32_t index, fov_plan_block *block) {
  const fov_tape_slot *slot = &tape->slots[index];
  const size_t last = slot->writer == FOV_TAPE_NONE ? 0 : backward_step(tape, slot->writer);
  const size_t first = slot->is_output ? loss_step(tape) : last;
  *block = (fov_plan_block){
      .first = first,
      .last = last,
      .bytes = slot->has_gradient ? fov_tape_elements(&slot->size) * sizeof(fov_real) : 0,
      .shares = FOV_PLAN_NONE};
}

static void extend(const fov_tape *tape, fov_plan_block *values, fov_plan_block *gradients) {
  for (uint32_t i = 0; i < tape->node_count; i++) {
    const fov_tape_node *node = &tape->nodes[i];
    for (size_t k = 0; k < node->input_count; k++) {
      const uint32_t input = node->inputs[k];
      reach(&values[input], forward_step(i));
      if (node->operation->keeps_input) reach(&values[input], backward_step(tape, i));
      if (gradients[input].first > backward_step(tape, i)) {
        gradients[input].first = backward_step(tape, i);
      }
    }
  }
}

static fov_status place(fov_tape *tape, fov_plan_block *blocks) {
  const size_t count = tape->slot_count;
  for (uint32_t i = 0; i < count; i++) {
    place_value(tape, i, &blocks[i]);
    place_gradient(tape, i, &blocks[count + i]);
  }
  extend(tape, blocks, blocks + count);
  size_t bytes;
  FOV_TRAIN_FORWARD(fov_plan_blocks(blocks, 2 * count, &bytes));
  for (size_t i = 0; i < count; i++) {
    tape->slots[i].offset = blocks[i].offset / sizeof(fov_real);
    tape->slots[i].gradient_offset = blocks[count + i].offset / sizeof(fov_real);
  }
  tape->arena_count = bytes / sizeof(fov_real);
  return fov_status_ok;
}

static void measure_workspace(fov_tape *tape) {
  for (size_t i = 0; i < tape->node_count; i++) {
    const fov_tape_node *node = &tape->nodes[i];
    if (!node->operation->workspace) continue;
    const size_t count = node->operation->workspace(tape, node);
    if (count > tape->workspace_count) tape->workspace_count = count;
  }
}

// A value that no output depends on would have no gradient.
static fov_status check_use(const fov_tape *tape, fov_diagnostic *diagnostic) {
  for (size_t i = 0; i < tape->slot_count; i++) {
    if (tape->slots[i].readers > 0 || tape->slots[i].is_output) continue;
    return fov_tape_fail(diagnostic, fov_status_invalid_graph, "nothing reads value %zu", i);
  }
  if (tape->output_count > 0) return fov_status_ok;
  return fov_tape_fail(diagnostic, fov_status_invalid_graph, "the tape has no output");
}

fov_status fov_tape_finish(fov_tape *tape, fov_diagnostic *diagnostic) {
  FOV_TRAIN_FORWARD(fov_tape_check(tape, NULL, 0, diagnostic));
  FOV_TRAIN_FORWARD(check_use(tape, diagnostic));
  bool *is_written = fov_train_allocate(tape->slot_count, sizeof *is_written);
  fov_plan_block *blocks = fov_train_allocate(2 * tape->slot_count, sizeof *blocks);
  fov_status status = fov_status_out_of_memory;
  if (is_written && blocks) {
    find_writers(tape, is_written);
    status = place(tape, blocks);
  }
  fov_train_release(is_written);
  fov_train_release(blocks);
  if (status != fov_status_ok) return status;
  measure_workspace(tape);
  tape->is_finished = true;
  return fov_status_ok;
}
