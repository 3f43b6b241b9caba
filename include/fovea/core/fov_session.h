// Fovea - running a model: one arena, one caller at a time.
// SPDX-License-Identifier: Apache-2.0
#ifndef FOV_SESSION_H
#define FOV_SESSION_H

#include <stdbool.h>

#include "fovea/core/fov_model.h"
#include "fovea/core/fov_pool.h"
#include "fovea/core/fov_status.h"
#include "fovea/core/fov_types.h"

#ifdef __cplusplus
extern "C" {
#endif

FOV_ASSUME_NONNULL_BEGIN

// Runs a model, and owns the memory that this takes. A session allocates when it is created and
// never again. It belongs to one thread at a time. It borrows its model and its pool, which must
// outlive it.
typedef struct fov_session fov_session;

// Without a pool (NULL) everything runs on the calling thread.
// out_of_memory.
FOV_NODISCARD fov_status fov_session_create(const fov_model *model, fov_pool *_Nullable pool,
                                            fov_session *_Nullable *_Nonnull out_session);

// Creates a session in memory of the caller, and allocates nothing. The memory is borrowed: at
// least fov_model_memory(model).session_bytes, aligned to 64. fov_session_destroy does not free it.
// invalid_argument: memory that is not aligned; buffer_too_small.
FOV_NODISCARD fov_status fov_session_create_in(const fov_model *model, fov_pool *_Nullable pool,
                                               void *memory, size_t memory_bytes,
                                               fov_session *_Nullable *_Nonnull out_session);

// The model that the session runs. Borrowed.
const fov_model *fov_session_model(const fov_session *session);

// NULL is allowed.
void fov_session_destroy(fov_session *_Nullable session);

// The bytes of an input or an output, borrowed from the session: dense, row-major, of the port's
// shape and type. Write an input before a run; the run keeps it. Read an output after a run; it is
// valid until the next run. invalid_argument: there is no port of this index.
FOV_NODISCARD fov_status fov_session_input(fov_session *session, size_t index,
                                           void *_Nullable *_Nonnull out_data, size_t *out_bytes);
FOV_NODISCARD fov_status fov_session_output(fov_session *session, size_t index,
                                            const void *_Nullable *_Nonnull out_data,
                                            size_t *out_bytes);

// Runs every operation once. A run cannot fail: all checks happen when the model is made.
void fov_session_run(fov_session *session);

// Copies the ranges of all channels over all runs so far: min(count, fov_model_range_count) of
// them. Requires records_ranges. A channel that was never measured has low > high.
void fov_session_ranges(const fov_session *session, fov_channel_summary *out_ranges, size_t count);

// Called after every node of a run, on the thread that runs the session.
typedef void (*fov_session_observer)(void *_Nullable context, const fov_session *session,
                                     size_t node);

// Calls an observer in every run from now on. Pass NULL to remove it. Requires observes_nodes;
// unsupported: the model was made without.
FOV_NODISCARD fov_status fov_session_set_observer(fov_session *session,
                                                  fov_session_observer _Nullable observer,
                                                  void *_Nullable context);

// Copies what a node has written, while an observer is called for this node. The result is floats,
// row-major, of the shape that fov_model_node states, whatever form the output has in memory. Codes
// become the numbers that they stand for; channels that int8 has rescaled get their own scale back.
// count: the number of elements.
FOV_NODISCARD fov_status fov_session_read_node(const fov_session *session, size_t node,
                                               float *out_elements, size_t count);

// Lets the network skip boxes whose score cannot reach `floor`, from the next run on. If the
// network decodes its boxes in a form that the core recognizes, a box whose objectness is below the
// floor may have zeros in its rows of scores and coordinates. A score is the objectness times a
// number of at most 1: rows with a score of at least the floor are the same, bit for bit, as
// without a floor. With 0 (the default), a negative number or NaN, all boxes are computed.
void fov_session_set_confidence_floor(fov_session *session, float floor);

// Timing is off by default. It costs two clock readings for each operation and phase.
void fov_session_set_timing(fov_session *session, bool enabled);
FOV_NODISCARD fov_status fov_session_node_timing(const fov_session *session, size_t node,
                                                 fov_timing *out_timing);

FOV_ASSUME_NONNULL_END

#ifdef __cplusplus
}
#endif
#endif
