// Fovea - weights in the encoding of the file, as small in memory as in the file.
// SPDX-License-Identifier: Apache-2.0
#ifndef FOV_WEIGHT_STORE_H
#define FOV_WEIGHT_STORE_H

#include <stddef.h>

#include "base/fov_archive.h"
#include "base/fov_error.h"
#include "fovea/core/fov_types.h"
#include "weights/fov_weight_parts.h"

// A store is a matrix of rows x columns weights in the encoding of the file: floats, halves, or
// codes of 1 to 8 bits with a table or with scales. The whole matrix never exists as floats. A
// caller asks for a panel of a few rows and columns, into which the codes are decoded.
//
//                 columns (input channels / groups x kernel rows x kernel columns)
//             +---------------------------------+
//     rows    |  ......+---------+.............  |      panel: row_count x column_count floats,
//   (output   |  ......|  panel  |.............  |      dense, which sgemm reads as its left
//   channels) |  ......+---------+.............  |      matrix
//             +---------------------------------+
//
// A batch normalization that is folded into a convolution multiplies whole rows. Float weights are
// multiplied at once. Coded weights keep their codes, and the factor is applied after decoding.
//
//   look-up table:  table[begin + code] * row_factor[row]
//   linear:         (code * scale[begin] + bias[begin]) * row_factor[row]
//
// fov_weight_parts.h says where the table or the scale of a weight begins.
typedef struct fov_weight_store {
  fov_weight_encoding encoding;
  uint32_t bits;
  size_t rows;
  size_t columns;
  fov_weight_parts parts;
  uint8_t *codes;  // data as stored, one spare byte behind
  size_t code_bytes;
  float *table;       // (parts.numbers,) for look-up tables
  float *scale;       // (parts.numbers,) for linear
  float *bias;        // (parts.numbers,) for linear
  float *row_factor;  // (rows,) or NULL
} fov_weight_store;

// Copies weights of shape `dims`, the rows outermost. channel_axis, 0 or 1, is the axis of output
// channels: the one that as many linear scales belong to.
FOV_INTERNAL fov_status fov_weight_store_create(const fov_weights *weights, const size_t dims[4],
                                                size_t channel_axis, fov_weight_store *out_store,
                                                fov_diagnostic *diagnostic);

// Frees what the store owns; a zeroed store is allowed.
FOV_INTERNAL void fov_weight_store_release(fov_weight_store *store);

// Multiplies row r by factor[r]. Copies.
FOV_INTERNAL fov_status fov_weight_store_scale_rows(fov_weight_store *store, const float *factor);

// Decodes codes and halves to float32, multiplied by the factors of their rows.
FOV_INTERNAL fov_status fov_weight_store_expand(fov_weight_store *store);

// The weights of an expanded store.
static inline float *fov_weight_store_mutable_floats(fov_weight_store *store) {
  return (float *)(void *)store->codes;
}

// Bytes that the store holds.
FOV_INTERNAL size_t fov_weight_store_bytes(const fov_weight_store *store);

// The weights in place, `columns` from row to row, or NULL when they are not float32.
FOV_INTERNAL const float *fov_weight_store_floats(const fov_weight_store *store);

// Decodes row_count x column_count weights into a dense panel.
FOV_INTERNAL void fov_weight_store_panel(const fov_weight_store *store, size_t row,
                                         size_t row_count, size_t column, size_t column_count,
                                         float *restrict out_panel);

// The weights in a compiled file. For reading, the caller has set parts.dims. Copies.
FOV_INTERNAL void fov_weight_store_archive(fov_archive *archive, fov_weight_store *store);

#endif
