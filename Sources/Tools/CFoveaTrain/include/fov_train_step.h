// Fovea - one step of training: a batch, its gradients, and what they change.
// SPDX-License-Identifier: Apache-2.0
#ifndef FOV_TRAIN_STEP_H
#define FOV_TRAIN_STEP_H

#include "fov_train_loss.h"
#include "fov_train_tape.h"

#ifdef __cplusplus
extern "C" {
#endif

FOV_ASSUME_NONNULL_BEGIN

// Weights of a tape, their moments and their moving average. Pictures of a batch are shared out to
// `threads` in a fixed way, each with memory of its own; gradients are added in the order of the
// threads. So a step gives the same bytes for the same number of threads.
typedef struct fov_trainer fov_trainer;

typedef struct fov_trainer_options {
  fov_train_loss_options loss;
  size_t threads;  // at least 1
} fov_trainer_options;

// Borrows the tape, which is finished, and the pool; copies the rest. Everything is allocated here.
FOV_NODISCARD fov_status fov_trainer_create(const fov_tape *tape,
                                            const fov_trainer_options *options,
                                            fov_pool *_Nullable pool,
                                            fov_trainer *_Nullable *_Nonnull out_trainer,
                                            fov_diagnostic *_Nullable diagnostic);
void fov_trainer_destroy(fov_trainer *_Nullable trainer);

typedef struct fov_train_picture {
  const uint8_t *bytes;  // [rows, columns, channels] of the tape's picture
  const fov_train_box *_Nullable boxes;
  size_t box_count;
} fov_train_picture;

// What one step changes weights by. AdamW with moments of 0.9 and 0.999.
typedef struct fov_train_rates {
  float rate;
  float weight_decay;  // of dense convolutions' weights; biases and single channels have none
  float clip;          // the greatest norm of the gradient
  float average;       // the part of the moving average that stays
} fov_train_rates;

// The parts are those before the step, without the weights of the parts. invalid_output: they are
// no numbers; nothing is changed.
FOV_NODISCARD fov_status fov_trainer_step(fov_trainer *trainer, const fov_train_picture *pictures,
                                          size_t picture_count, const fov_train_rates *rates,
                                          fov_train_parts *out_parts);

// MARK: State
// fov_tape_parameter_count numbers each, which a checkpoint keeps.

typedef enum FOV_CLOSED_ENUM fov_trainer_array {
  fov_trainer_array_parameters = 0,
  fov_trainer_array_first_moments = 1,
  fov_trainer_array_second_moments = 2,
  fov_trainer_array_average = 3,
} fov_trainer_array;

fov_real *fov_trainer_numbers(fov_trainer *trainer, fov_trainer_array array);

// Steps that were taken.
uint64_t fov_trainer_steps(const fov_trainer *trainer);
void fov_trainer_set_steps(fov_trainer *trainer, uint64_t steps);

// Bytes of all arenas and arrays.
size_t fov_trainer_bytes(const fov_trainer *trainer);

FOV_ASSUME_NONNULL_END

#ifdef __cplusplus
}
#endif
#endif
