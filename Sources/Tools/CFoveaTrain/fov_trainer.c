// Fovea - one step of training: a batch, its gradients, and what they change.
// SPDX-License-Identifier: Apache-2.0
#include <string.h>

#include "fov_loss.h"
#include "fov_train_step.h"
#include "fovea/spi/fov_parallel.h"

#define ARRAYS 4
#define FIRST_DECAY 0.9
#define SECOND_DECAY 0.999
#define EPSILON 1e-8

// What one thread has to itself.
typedef struct trainer_slot {
  fov_tape_run *run;
  fov_loss_work work;
  fov_real *gradients;
  fov_train_parts parts;
} trainer_slot;

struct fov_trainer {
  const fov_tape *tape;
  fov_pool *pool;
  fov_loss loss;
  trainer_slot *slots;
  size_t slot_count;
  fov_real *arrays[ARRAYS];
  uint64_t steps;
};

// MARK: Creating

static fov_status create_slot(const fov_trainer *trainer, trainer_slot *slot) {
  const size_t count = trainer->tape->parameter_count;
  slot->gradients = fov_train_allocate(count, sizeof *slot->gradients);
  if (!slot->gradients) return fov_status_out_of_memory;
  FOV_TRAIN_FORWARD(fov_tape_run_create(trainer->tape, &slot->run));
  return fov_loss_work_create(&trainer->loss, &slot->work);
}

static fov_status fill(fov_trainer *trainer, const fov_trainer_options *options,
                       fov_diagnostic *diagnostic) {
  const fov_tape *tape = trainer->tape;
  FOV_TRAIN_FORWARD(fov_loss_create(tape, &options->loss, &trainer->loss, diagnostic));
  for (int i = 0; i < ARRAYS; i++) {
    trainer->arrays[i] = fov_train_allocate(tape->parameter_count, sizeof(fov_real));
    if (!trainer->arrays[i]) return fov_status_out_of_memory;
  }
  const size_t bytes = tape->parameter_count * sizeof(fov_real);
  memcpy(trainer->arrays[fov_trainer_array_parameters], tape->initial, bytes);
  memcpy(trainer->arrays[fov_trainer_array_average], tape->initial, bytes);
  trainer->slots = fov_train_allocate(options->threads, sizeof *trainer->slots);
  if (!trainer->slots) return fov_status_out_of_memory;
  trainer->slot_count = options->threads;
  for (size_t i = 0; i < trainer->slot_count; i++) {
    FOV_TRAIN_FORWARD(create_slot(trainer, &trainer->slots[i]));
  }
  return fov_status_ok;
}

fov_status fov_trainer_create(const fov_tape *tape, const fov_trainer_options *options,
                              fov_pool *pool, fov_trainer **out_trainer,
                              fov_diagnostic *diagnostic) {
  if (!tape->is_finished || options->threads < 1 || options->threads > FOV_POOL_MAX_THREADS) {
    return fov_tape_fail(diagnostic, fov_status_invalid_argument,
                         "a trainer needs a finished tape and 1 to %d threads",
                         FOV_POOL_MAX_THREADS);
  }
  fov_trainer *trainer = fov_train_allocate(1, sizeof *trainer);
  if (!trainer) return fov_status_out_of_memory;
  trainer->tape = tape;
  trainer->pool = pool;
  const fov_status status = fill(trainer, options, diagnostic);
  if (status != fov_status_ok) {
    fov_trainer_destroy(trainer);
    return status;
  }
  *out_trainer = trainer;
  return fov_status_ok;
}

void fov_trainer_destroy(fov_trainer *trainer) {
  if (!trainer) return;
  for (size_t i = 0; i < trainer->slot_count; i++) {
    fov_tape_run_destroy(trainer->slots[i].run);
    fov_loss_work_release(&trainer->slots[i].work);
    fov_train_release(trainer->slots[i].gradients);
  }
  fov_train_release(trainer->slots);
  for (int i = 0; i < ARRAYS; i++) fov_train_release(trainer->arrays[i]);
  fov_loss_release(&trainer->loss);
  fov_train_release(trainer);
}

fov_real *fov_trainer_numbers(fov_trainer *trainer, fov_trainer_array array) {
  return trainer->arrays[array];
}

uint64_t fov_trainer_steps(const fov_trainer *trainer) { return trainer->steps; }
void fov_trainer_set_steps(fov_trainer *trainer, uint64_t steps) { trainer->steps = steps; }

size_t fov_trainer_bytes(const fov_trainer *trainer) {
  const size_t parameters = trainer->tape->parameter_count * sizeof(fov_real);
  return ARRAYS * parameters +
         trainer->slot_count * (fov_tape_arena_bytes(trainer->tape) + parameters);
}

// MARK: A batch

typedef struct batch_work {
  fov_trainer *trainer;
  const fov_train_picture *pictures;
  size_t count;
  double share;
} batch_work;

// The pictures of one slot, whichever thread has it.
static void run_slot(void *context, size_t unit, size_t thread) {
  (void)thread;
  const batch_work *batch = context;
  const fov_trainer *trainer = batch->trainer;
  trainer_slot *slot = &trainer->slots[unit];
  const fov_real *parameters = trainer->arrays[fov_trainer_array_parameters];
  memset(slot->gradients, 0, trainer->tape->parameter_count * sizeof *slot->gradients);
  slot->parts = (fov_train_parts){0};
  for (size_t i = unit; i < batch->count; i += trainer->slot_count) {
    const fov_train_picture *picture = &batch->pictures[i];
    fov_tape_set_picture(slot->run, picture->bytes);
    fov_tape_forward(slot->run, parameters);
    fov_loss_run(&trainer->loss, &slot->work, slot->run, picture->boxes, picture->box_count,
                 batch->share, &slot->parts);
    fov_tape_backward(slot->run, parameters, slot->gradients);
  }
}

static void sum_slots(fov_trainer *trainer, fov_train_parts *out_parts) {
  *out_parts = (fov_train_parts){0};
  for (size_t i = 0; i < trainer->slot_count; i++) {
    const trainer_slot *slot = &trainer->slots[i];
    out_parts->box += slot->parts.box;
    out_parts->object += slot->parts.object;
    out_parts->label += slot->parts.label;
    if (i == 0) continue;
    trainer->tape->kernels->sum(slot->gradients, NULL, 1, trainer->tape->parameter_count,
                                trainer->slots[0].gradients);
  }
}

// Rows and ends of rows that belong to no weight.
static void clear_gaps(const fov_tape *tape, fov_real *gradients) {
  for (size_t k = 0; k < tape->weight_count; k++) {
    const fov_tape_weights *w = &tape->weights[k];
    const size_t used = w->is_depthwise ? w->groups : w->outputs;
    for (size_t row = 0; row < w->count / w->row; row++) {
      const size_t from = row % w->input_stride < w->inputs ? used : 0;
      memset(gradients + w->first + row * w->row + from, 0, (w->row - from) * sizeof *gradients);
    }
    const size_t outputs = w->outputs * w->groups;
    memset(gradients + w->first_bias + outputs, 0, (w->bias_count - outputs) * sizeof *gradients);
  }
}

// MARK: Changing the weights

static void change(fov_trainer *trainer, const fov_adam *adam, size_t first, size_t count) {
  trainer->tape->kernels->adam(adam, trainer->slots[0].gradients + first, count,
                               trainer->arrays[fov_trainer_array_parameters] + first,
                               trainer->arrays[fov_trainer_array_first_moments] + first,
                               trainer->arrays[fov_trainer_array_second_moments] + first,
                               trainer->arrays[fov_trainer_array_average] + first);
}

static void change_all(fov_trainer *trainer, const fov_train_rates *rates, double norm) {
  const double step = (double)trainer->steps;
  fov_adam adam = {.first_decay = (fov_real)FIRST_DECAY,
                   .second_decay = (fov_real)SECOND_DECAY,
                   .first_correction = (fov_real)(1 / (1 - pow(FIRST_DECAY, step))),
                   .second_correction = (fov_real)(1 / (1 - pow(SECOND_DECAY, step))),
                   .epsilon = (fov_real)EPSILON,
                   .scale = (fov_real)(norm > rates->clip ? rates->clip / norm : 1),
                   .average = rates->average};
  for (size_t k = 0; k < trainer->tape->weight_count; k++) {
    const fov_tape_weights *w = &trainer->tape->weights[k];
    if (w->rate <= 0) continue;
    adam.rate = rates->rate * w->rate;
    adam.weight_decay = w->is_depthwise ? 0 : rates->weight_decay;
    change(trainer, &adam, w->first, w->count);
    adam.weight_decay = 0;
    change(trainer, &adam, w->first_bias, w->bias_count);
  }
}

fov_status fov_trainer_step(fov_trainer *trainer, const fov_train_picture *pictures,
                            size_t picture_count, const fov_train_rates *rates,
                            fov_train_parts *out_parts) {
  if (picture_count < 1) return fov_status_invalid_argument;
  double found = 0;
  for (size_t i = 0; i < picture_count; i++) {
    found += fov_loss_count(&trainer->loss, trainer->tape, &trainer->slots[0].work,
                            pictures[i].boxes, pictures[i].box_count);
  }
  // A batch without boxes learns as much from what is empty as one box would.
  batch_work batch = {trainer, pictures, picture_count, 1 / fmax(found, (double)picture_count)};
  fov_parallel_for(trainer->pool, trainer->slot_count, run_slot, &batch);
  sum_slots(trainer, out_parts);
  fov_real *gradients = trainer->slots[0].gradients;
  clear_gaps(trainer->tape, gradients);
  const double norm =
      sqrt(trainer->tape->kernels->square_sum(gradients, trainer->tape->parameter_count));
  if (!isfinite(norm) || !isfinite(out_parts->box + out_parts->object + out_parts->label)) {
    return fov_status_invalid_output;
  }
  trainer->steps++;
  change_all(trainer, rates, norm);
  return fov_status_ok;
}
