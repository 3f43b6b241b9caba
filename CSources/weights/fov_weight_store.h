// Fovea - weights that stay as small in memory as they were in the file.
// SPDX-License-Identifier: Apache-2.0
#ifndef FOV_WEIGHT_STORE_H
#define FOV_WEIGHT_STORE_H

#include <stddef.h>

#include "base/fov_archive.h"
#include "base/fov_error.h"
#include "fovea/fov_types.h"

// A store is a matrix of rows x columns weights in the encoding of the file: floats, halves, or
// codes of 1...8 bits with a table or with scales. Nobody ever holds all of it as floats: who
// multiplies asks for a panel, a few rows and columns at a time, and the codes are looked up into it.
//
//                 columns (input channels / groups x kernel rows x kernel columns)
//             +---------------------------------+
//     rows    |  ......+---------+.............  |      panel: row_count x column_count floats,
//   (output   |  ......|  panel  |.............  |      dense, which sgemm reads as its left
//   channels) |  ......+---------+.............  |      matrix
//             +---------------------------------+
//
// A batch normalization folded into a convolution multiplies whole rows. Float weights take the
// factor at once; coded weights keep their codes, and the factor is applied behind the look-up.
//
//   codes, 8 bits:  table[code] * row_factor[row]           1 byte a weight
//   linear:         (code * scale[c] + bias[c]) * row_factor[row]
//
// c is the output channel of a weight: (index / channel_stride) % channel_count, because transposed
// convolutions keep output channels on the second dimension.
typedef struct fov_weight_store {
  fov_weight_encoding encoding;
  uint32_t bits;
  size_t rows;
  size_t columns;
  size_t channel_stride;
  size_t channel_count;
  uint8_t *codes;     // data as stored, one spare byte behind
  size_t code_bytes;
  float *table;       // (2^bits,) for look-up tables
  float *scale;       // (channel_count,) for linear
  float *bias;        // (channel_count,) for linear
  float *row_factor;  // (rows,) or NULL
} fov_weight_store;

// Copies the weights. rows * columns must not overflow; channel_stride and channel_count are
// the layout of linear scales and may be 1 and 1 for other encodings.
FOV_INTERNAL fov_status fov_weight_store_create(const fov_weights *weights, size_t rows,
                                                size_t columns, size_t channel_stride,
                                                size_t channel_count, fov_weight_store *out_store,
                                                fov_diagnostic *diagnostic);

// Frees what the store owns; a zeroed store is allowed.
FOV_INTERNAL void fov_weight_store_release(fov_weight_store *store);

// Multiplies row r by factor[r]. Copies.
FOV_INTERNAL fov_status fov_weight_store_scale_rows(fov_weight_store *store, const float *factor);

// Turns codes and halves into float32 weights, with the factors of rows in them.
FOV_INTERNAL fov_status fov_weight_store_expand(fov_weight_store *store);

// Of an expanded store.
static inline float *fov_weight_store_mutable_floats(fov_weight_store *store) {
  return (float *)(void *)store->codes;
}

// Bytes that the store holds.
FOV_INTERNAL size_t fov_weight_store_bytes(const fov_weight_store *store);

// The weights as they lie, rows apart by `columns`, or NULL when they are not float32.
FOV_INTERNAL const float *fov_weight_store_floats(const fov_weight_store *store);

// Looks up row_count x column_count weights into a dense panel.
FOV_INTERNAL void fov_weight_store_panel(const fov_weight_store *store, size_t row,
                                         size_t row_count, size_t column, size_t column_count,
                                         float *restrict out_panel);

// The weights in a compiled file. Reading takes rows, columns, channel_stride and channel_count as the
// caller has set them, and copies.
FOV_INTERNAL void fov_weight_store_archive(fov_archive *archive, fov_weight_store *store);

#endif
