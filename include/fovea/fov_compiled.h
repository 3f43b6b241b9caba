// Fovea - compiled models: a finished model as a file that is used where it lies.
// SPDX-License-Identifier: Apache-2.0
#ifndef FOV_COMPILED_H
#define FOV_COMPILED_H

#include <stdbool.h>
#include <stddef.h>

#include "fovea/fov_model.h"
#include "fovea/fov_status.h"

#ifdef __cplusplus
extern "C" {
#endif

FOV_ASSUME_NONNULL_BEGIN

// A model of the backends float32 and int8 is folded, its weights are quantized and packed, and its
// ranges are chosen before it can run. A compiled file (.fovea) holds the result. Whoever maps it
// into memory starts without copying or converting weights: kernels take them from the mapping, and
// processes that map the same file share them.
//
//   0    magic "FOVEA\r\n\x1A" | version u32 | sections u32 | bytes of the file u64 | checksum u64
//   32   section table: kind u32 | 0 u32 | offset u64 | bytes u64 | checksum u64, three times
//   128  1 description   bytes of the caller: what it wants to know beside the graph
//        2 graph         operations, values, parameters: little-endian fields without gaps
//        3 weights       arrays at multiples of 64, in the order in which the graph names them
//
// Sections follow one another in this order, each at the next multiple of 64; bytes between them
// are zero. Every byte is covered by a checksum of 64 bits (that of the header covers the table,
// with zeros in its own place). Checksums find damage; they do not stop anybody who writes a file
// on purpose.
//
// One packing of the weights serves every instruction set, hence one file every processor: there
// are no sections for particular ones. Numbers are little-endian; a machine that is not refuses the
// file.
//
// What follows from the rest is not stored: borders and distances of images, views into
// concatenations, the plan of the memory, sums of weights, scales of integer results. Nothing in a
// file is trusted, whatever its checksums say: every index, shape, type, size, name and
// quantization is checked before the model runs, allocations are bounded by the bytes of the file,
// and time by its length and the number of values that a graph may have. A file can still describe
// work and memory without end, as any model can: fov_model_memory says how much before a session is
// made.
//
// The version changes whenever a reader of the old one would misread the new one. No conversion is
// offered: compile the original again.
#define FOV_COMPILED_VERSION 4

// Whether bytes begin as a compiled file does.
bool fov_compiled_is_one(const void *bytes, size_t count);

// Takes some bytes of the file, in order; false makes saving fail with fov_status_write_failure.
typedef bool (*fov_compiled_write)(void *_Nullable context, const void *bytes, size_t count);

// Writes a model of the backend float32 or int8. Everything but a few KiB of fields is written from
// where it lies. unsupported: another backend, a model that measures ranges, or a layer, which the
// message names, that no compiled file can hold.
FOV_NODISCARD fov_status fov_model_save(const fov_model *model, const void *_Nullable description,
                                        size_t description_bytes, fov_compiled_write write,
                                        void *_Nullable context,
                                        fov_diagnostic *_Nullable diagnostic);

// Makes a model of a file's bytes, at a multiple of 64. Borrows them until the model is destroyed;
// they must not change meanwhile. Of the options, thread_count, instruction_set and uses_winograd
// count; the rest was settled when the file was written. fov_model_range_count of such a model is 0.
// invalid_file: no compiled file, another version, or damaged. Other statuses as fov_model_create.
FOV_NODISCARD fov_status fov_model_load(const void *bytes, size_t count,
                                        const fov_model_options *options,
                                        fov_model *_Nullable *_Nonnull out_model,
                                        fov_diagnostic *_Nullable diagnostic);

// The description in a file's bytes, checked against its checksum. Borrowed.
FOV_NODISCARD fov_status fov_compiled_description(const void *bytes, size_t count,
                                                  const void *_Nullable *_Nonnull out_description,
                                                  size_t *out_description_bytes,
                                                  fov_diagnostic *_Nullable diagnostic);

FOV_ASSUME_NONNULL_END

#ifdef __cplusplus
}
#endif
#endif
