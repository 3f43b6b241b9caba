// Fovea - compiled models: finished models as files that run without conversion.
// SPDX-License-Identifier: Apache-2.0
#ifndef FOV_COMPILED_H
#define FOV_COMPILED_H

#include <stdbool.h>
#include <stddef.h>

#include "fovea/core/fov_model.h"
#include "fovea/core/fov_status.h"

#ifdef __cplusplus
extern "C" {
#endif

FOV_ASSUME_NONNULL_BEGIN

// Before a model can run, its graph is folded, its weights are quantized and packed, and its ranges
// are chosen. A compiled file (.fovea) holds the result for the backends float32 and int8. A
// program maps the file into memory and starts without copying or converting weights: kernels read
// them from the mapping. Processes that map the same file share the memory.
//
//   0    magic "FOVEA\r\n\x1A" | version u32 | sections u32 | bytes of the file u64 | checksum u64
//   32   section table: kind u32 | 0 u32 | offset u64 | bytes u64 | checksum u64, three times
//   128  1 description   bytes of the caller; `fovea compile` writes what fov_detector_create reads
//        2 graph         operations, values, parameters: little-endian fields without gaps
//        3 weights       arrays at multiples of 64, in the order in which the graph names them
//
// The sections follow one another in this order, each at the next multiple of 64. Bytes between
// them are zero. Checksums of 64 bits cover every byte; that of the header covers the table, with
// zeros in its own place. Checksums detect damage; they do not detect tampering.
//
// One packing of the weights serves all instruction sets, so one file serves all processors.
// Numbers are little-endian; a big-endian machine refuses the file.
//
// A file does not store what follows from the rest: borders and distances of images, views into
// concatenations, the memory plan, sums of weights, scales of integer results.
//
// Loading trusts nothing, whatever the checksums say. It checks every index, shape, type, size,
// name and quantization before the model runs. The bytes of the file bound its allocations; the
// length of the file and the number of values in a graph bound its time. Like any model, a file can
// describe unlimited work and memory: fov_model_memory says how much memory a session needs.
//
// The version changes whenever an old reader would misread a new file. Files of other versions are
// refused, and cannot be converted: compile the original again.
#define FOV_COMPILED_VERSION 6

// Whether the bytes begin with the magic of a compiled file.
bool fov_compiled_is_one(const void *bytes, size_t count);

// Receives the bytes of a file, piece by piece and in order. Return false to make saving fail with
// write_failure.
typedef bool (*fov_compiled_write)(void *_Nullable context, const void *bytes, size_t count);

// Writes a model of the backend float32 or int8. Weights are written from where they lie, without a
// copy. The description is optional (NULL, 0).
// unsupported: another backend, a model with records_ranges, or a layer that no compiled file can
// hold; the message names it. write_failure; out_of_memory.
FOV_NODISCARD fov_status fov_model_save(const fov_model *model, const void *_Nullable description,
                                        size_t description_bytes, fov_compiled_write write,
                                        void *_Nullable context,
                                        fov_diagnostic *_Nullable diagnostic);

// Makes a model of the bytes of a file. The bytes are borrowed: they must begin at a multiple of 64
// and must not change until the model is destroyed. Of the options only thread_count,
// instruction_set and uses_winograd have an effect; the file settles the rest. The model's
// fov_model_range_count is 0.
// invalid_file: not a compiled file, another version, or damaged. Other statuses as
// fov_model_create.
FOV_NODISCARD fov_status fov_model_load(const void *bytes, size_t count,
                                        const fov_model_options *options,
                                        fov_model *_Nullable *_Nonnull out_model,
                                        fov_diagnostic *_Nullable diagnostic);

// Finds the description in the bytes of a file and checks its checksum. The result is borrowed from
// the bytes. invalid_file: as fov_model_load.
FOV_NODISCARD fov_status fov_compiled_description(const void *bytes, size_t count,
                                                  const void *_Nullable *_Nonnull out_description,
                                                  size_t *out_description_bytes,
                                                  fov_diagnostic *_Nullable diagnostic);

FOV_ASSUME_NONNULL_END

#ifdef __cplusplus
}
#endif
#endif
