// Fovea - element types, shapes, weights, backends and instruction sets.
// SPDX-License-Identifier: Apache-2.0
#ifndef FOV_TYPES_H
#define FOV_TYPES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "fovea/core/fov_status.h"

#ifdef __cplusplus
extern "C" {
#endif

FOV_ASSUME_NONNULL_BEGIN

typedef enum FOV_CLOSED_ENUM fov_data_type {
  fov_data_type_float32 = 0,
  fov_data_type_uint8 = 1,
  fov_data_type_int8 = 2,
  fov_data_type_int32 = 3,
  fov_data_type_int16 = 4,
} fov_data_type;

// Bytes of one element; 0 for a value that is no data type.
size_t fov_data_type_bytes(fov_data_type type);

// Core ML has ranks up to 5. Layers that reorganize an array use rank 7 in between.
#define FOV_MAX_RANK 8

// The sizes of an array, outermost first. Arrays are dense and row-major; rank 0 is a scalar.
// Every size is at least 1: a function that takes a shape refuses an array without elements.
typedef struct fov_shape {
  size_t rank;
  size_t dims[FOV_MAX_RANK];
} fov_shape;

// How the elements of a weight array are stored.
//
//   float32, float16   little-endian IEEE values, one after another
//   lookup_table       codes of `bits` bits; weight = table[code]
//   linear             codes of `bits` bits; weight = code * scale + bias
//
// Codes form one string of bits over the whole array in row-major order: the first code takes
// the most significant bits of the first byte, codes straddle bytes, and only the last byte is
// padded (with zero bits). This is the order of Core ML's `rawValue`.
//
//   3 bits, codes 1 2 3 4 5:   001 010 01|1 100 101 0   = 0x29 0xCA
typedef enum FOV_CLOSED_ENUM fov_weight_encoding {
  fov_weight_encoding_float32 = 0,
  fov_weight_encoding_float16 = 1,
  fov_weight_encoding_lookup_table = 2,
  fov_weight_encoding_linear = 3,
} fov_weight_encoding;

// Describes stored weights and borrows them. Functions that take a description copy what they keep.
//
// Codes of a convolution's weights may have several tables, or several scales. `parts` then says
// into how many equal parts each axis of the weights is cut. Every part has a table or a scale of
// its own. They follow one another in row-major order of the parts:
//
//   weights of shape [4, 6, 1, 1], parts = {2, 3, 1, 1}:
//
//                    inner axis
//                    +-------+-------+-------+
//       outer axis   | 0   0 | 1   1 | 2   2 |     table of a weight: entries
//                    | 0   0 | 1   1 | 2   2 |       [part * 2^bits, (part + 1) * 2^bits)
//                    +-------+-------+-------+
//                    | 3   3 | 4   4 | 5   5 |     scale of a weight: scale[part]
//                    | 3   3 | 4   4 | 5   5 |
//                    +-------+-------+-------+
//
// One code of a look-up table may stand for `vector` neighbors along one axis. There are so many
// times fewer codes, and an entry of a table is `vector` numbers: neighbor j of the code has
// table[(part * 2^bits + code) * vector + j].
typedef struct fov_weights {
  fov_weight_encoding encoding;
  uint32_t bits;     // 1...8 for lookup_table and linear, otherwise 0
  const void *data;  // at least ceil(codes * bits / 8) bytes
  size_t data_bytes;
  const float *_Nullable table;  // lookup_table: 2^bits entries a part
  size_t table_count;            // floats
  const float *_Nullable scale;  // linear: one entry a part
  size_t scale_count;
  const float *_Nullable bias;  // linear: none (zero), or as many as scale
  size_t bias_count;
  // Along [outer, inner, kernel rows, kernel columns]; 0 means 1. The size of an axis, in codes, is
  // a multiple of its parts. All zeros: one table; one scale, or one per output channel.
  size_t parts[4];
  size_t vector;       // lookup_table: weights of a code; 0 means 1
  size_t vector_axis;  // 0...3, the axis on which they are neighbors
} fov_weights;

// The arithmetic of a model. The first three backends give the same values up to rounding.
//
//   reference   scalar loops in float32: the specification. Short, obvious and slow.
//   blas        convolutions as im2col and sgemm. Coded weights stay coded; each tile is decoded
//               into the panel that sgemm reads. Without OpenBLAS sgemm is three plain loops.
//   float32     convolutions by Fovea's own kernels. The default.
//   int8        the same kernels on 8-bit weights and activations. The results are equal bit for
//               bit on every processor and any number of threads. Accuracy depends on the ranges.
typedef enum FOV_CLOSED_ENUM fov_backend {
  fov_backend_reference = 0,
  fov_backend_blas = 1,
  fov_backend_float32 = 2,
  fov_backend_int8 = 3,
} fov_backend;

// The instructions that kernels use. automatic: the best set that the processor has.
typedef enum FOV_CLOSED_ENUM fov_instruction_set {
  fov_instruction_set_automatic = 0,
  fov_instruction_set_scalar = 1,
  fov_instruction_set_avx2 = 2,  // with FMA
  fov_instruction_set_avx_vnni = 3,
  fov_instruction_set_avx512 = 4,  // F, BW, VL, DQ
  fov_instruction_set_avx512_vnni = 5,
  fov_instruction_set_neon = 6,
  fov_instruction_set_dotprod = 7,
  fov_instruction_set_i8mm = 8,
} fov_instruction_set;
#define FOV_INSTRUCTION_SET_COUNT 9

// The name, for example "avx512-vnni". NULL for a value that is no instruction set.
const char *_Nullable fov_instruction_set_name(fov_instruction_set instruction_set);

// Whether this build has kernels for the set and this processor runs them. Always true for
// automatic and scalar.
bool fov_instruction_set_is_available(fov_instruction_set instruction_set);

// The set that automatic selects on this processor.
fov_instruction_set fov_instruction_set_best(void);

// Nanoseconds of one operation in one run. The phases are those of a convolution of the blas
// backend, each summed over threads; of other operations they are 0.
typedef struct fov_timing {
  uint64_t total;
  uint64_t multiplication;  // inside sgemm
  uint64_t gathering;       // im2col
  uint64_t lookup;          // decoding weights into panels
} fov_timing;

FOV_ASSUME_NONNULL_END

#ifdef __cplusplus
}
#endif
#endif
