// Fovea - a network that is trained: its operations, weights and memory.
// SPDX-License-Identifier: Apache-2.0
#ifndef FOV_TRAIN_TAPE_H
#define FOV_TRAIN_TAPE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "fovea/core/fov_core.h"

#ifdef __cplusplus
extern "C" {
#endif

FOV_ASSUME_NONNULL_BEGIN

// float; double where derivatives are compared with differences (FOV_TRAIN_DOUBLE).
#if defined(FOV_TRAIN_DOUBLE)
typedef double fov_real;
#else
typedef float fov_real;
#endif

// Operations in the order in which they run, forward from the picture to the outputs and backward
// again. Values are images, channels last. A batch is as many runs: pictures do not meet.
//
//   forward    picture -> conv -> conv -> add -> ... -> outputs      keeps what backward reads
//   loss       gradients of the outputs
//   backward   ... <- the same in reverse order; the first reader of a value that is met writes its
//              gradient, the others add to it
//
// Activations and gradients share one arena, planned from the steps at which each is alive.
typedef struct fov_tape fov_tape;

typedef struct fov_tape_value {
  uint32_t index;
} fov_tape_value;

// Rows, columns and channels of a value. Element (y, x, c) is at (y * columns + x) * stride + c.
typedef struct fov_tape_size {
  size_t rows, columns, channels;
  size_t stride;  // from pixel to pixel: channels rounded up to a multiple of 8, except the input
} fov_tape_size;

FOV_NODISCARD fov_status fov_tape_create(fov_tape *_Nullable *_Nonnull out_tape);

// NULL is allowed.
void fov_tape_destroy(fov_tape *_Nullable tape);

fov_tape_size fov_tape_size_of(const fov_tape *tape, fov_tape_value value);

// MARK: Building
// A call that fails leaves the tape as it was. shape_mismatch, invalid_argument, unsupported: the
// message says which; out_of_memory.

// The picture, first of all values. Element c of a pixel is byte(source(c)) * scale + bias[c], as
// `pixels` of a graph.
FOV_NODISCARD fov_status fov_tape_add_picture(fov_tape *tape, size_t rows, size_t columns,
                                              size_t channels, const fov_pixels *pixels,
                                              fov_tape_value *out_value,
                                              fov_diagnostic *_Nullable diagnostic);

// weights: [output channels, input channels / groups, kernel rows, kernel columns]; bias: (output
// channels,). Both are copied. The convolutions are numbered in the order in which they are added.
// The activation follows the bias; NULL for none.
FOV_NODISCARD fov_status fov_tape_add_convolution(fov_tape *tape,
                                                  const fov_convolution *convolution,
                                                  const float *weights, const float *bias,
                                                  const fov_unary *_Nullable activation,
                                                  fov_tape_value input, fov_tape_value *out_value,
                                                  fov_diagnostic *_Nullable diagnostic);

// Functions that have a derivative nearly everywhere; unsupported for others.
FOV_NODISCARD fov_status fov_tape_add_unary(fov_tape *tape, const fov_unary *unary,
                                            fov_tape_value input, fov_tape_value *out_value,
                                            fov_diagnostic *_Nullable diagnostic);

// Whether fov_tape_add_unary takes the function.
bool fov_tape_has_unary(fov_unary_function function);

// A sum, a difference or a product of two values of one size; the right one may also be one pixel,
// which all pixels of the left one meet.
FOV_NODISCARD fov_status fov_tape_add_binary(fov_tape *tape, fov_binary_function function,
                                             fov_tape_value left, fov_tape_value right,
                                             fov_tape_value *out_value,
                                             fov_diagnostic *_Nullable diagnostic);

// y = x * scale[c] + bias[c]; constants, which are not trained.
FOV_NODISCARD fov_status fov_tape_add_affine(fov_tape *tape, const float *scale, const float *bias,
                                             fov_tape_value input, fov_tape_value *out_value,
                                             fov_diagnostic *_Nullable diagnostic);

// Maximum and average. Of equal maxima the first one gets the gradient.
FOV_NODISCARD fov_status fov_tape_add_pooling(fov_tape *tape, const fov_pooling *pooling,
                                              fov_tape_value input, fov_tape_value *out_value,
                                              fov_diagnostic *_Nullable diagnostic);

FOV_NODISCARD fov_status fov_tape_add_resize(fov_tape *tape, const fov_resize *resize,
                                             fov_tape_value input, fov_tape_value *out_value,
                                             fov_diagnostic *_Nullable diagnostic);

// Channels of values of equal rows and columns side by side.
FOV_NODISCARD fov_status fov_tape_add_concat(fov_tape *tape, const fov_tape_value *inputs,
                                             size_t input_count, fov_tape_value *out_value,
                                             fov_diagnostic *_Nullable diagnostic);

// Element i of the result, in the order rows, columns, channels, is element sources[i] of the input
// in the same order, or 0 where that is negative. Copied. Slices, shuffles, transpositions.
FOV_NODISCARD fov_status fov_tape_add_arrangement(fov_tape *tape, const fov_tape_size *size,
                                                  const int32_t *sources, fov_tape_value input,
                                                  fov_tape_value *out_value,
                                                  fov_diagnostic *_Nullable diagnostic);

// A value that a loss reads, and whose gradient it writes. Each value once.
FOV_NODISCARD fov_status fov_tape_add_output(fov_tape *tape, fov_tape_value value,
                                             fov_diagnostic *_Nullable diagnostic);

// Plans the memory. Nothing can be added afterwards.
FOV_NODISCARD fov_status fov_tape_finish(fov_tape *tape, fov_diagnostic *_Nullable diagnostic);

// MARK: Weights

size_t fov_tape_convolution_count(const fov_tape *tape);

// Weights and biases of a convolution among parameters, in the order in which they were given.
void fov_tape_read_weights(const fov_tape *tape, const fov_real *parameters, size_t convolution,
                           float *out_weights, float *out_bias);

// All parameters in the tape's own order, with gaps that stay 0.
size_t fov_tape_parameter_count(const fov_tape *tape);
const fov_real *fov_tape_initial_parameters(const fov_tape *tape);

// Multiplies the learning rate of a convolution; 0 leaves it as it is. 1 by default.
void fov_tape_set_rate(fov_tape *tape, size_t convolution, float rate);

// MARK: Running
// After fov_tape_finish.

// Bytes of the arena of one picture.
size_t fov_tape_arena_bytes(const fov_tape *tape);

// Memory for one picture at a time. Each thread has its own.
typedef struct fov_tape_run fov_tape_run;

FOV_NODISCARD fov_status fov_tape_run_create(const fov_tape *tape,
                                             fov_tape_run *_Nullable *_Nonnull out_run);
void fov_tape_run_destroy(fov_tape_run *_Nullable run);

// The memory of the picture, an output, and the gradient of an output.
fov_real *fov_tape_picture(fov_tape_run *run);
const fov_real *fov_tape_output(const fov_tape_run *run, size_t output);
fov_real *fov_tape_output_gradient(fov_tape_run *run, size_t output);
fov_tape_size fov_tape_output_size(const fov_tape *tape, size_t output);

// Fills the picture from dense bytes [rows, columns, channels].
void fov_tape_set_picture(fov_tape_run *run, const uint8_t *bytes);

void fov_tape_forward(fov_tape_run *run, const fov_real *parameters);

// Adds to the gradients of the parameters. The gradients of all outputs have been written.
void fov_tape_backward(fov_tape_run *run, const fov_real *parameters, fov_real *gradients);

FOV_ASSUME_NONNULL_END

#ifdef __cplusplus
}
#endif
#endif
