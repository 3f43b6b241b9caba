// Fovea - running a model: one arena, one caller at a time.
// SPDX-License-Identifier: Apache-2.0
#ifndef FOV_SESSION_H
#define FOV_SESSION_H

#include <stdbool.h>

#include "fovea/fov_model.h"
#include "fovea/fov_pool.h"
#include "fovea/fov_status.h"
#include "fovea/fov_types.h"

#ifdef __cplusplus
extern "C" {
#endif

FOV_ASSUME_NONNULL_BEGIN

// The memory of one run. A session allocates when it is created and never again; it belongs to
// one thread at a time. It borrows its model and its pool, which must outlive it.
typedef struct fov_session fov_session;

// pool may be NULL: everything runs on the calling thread.
FOV_NODISCARD fov_status fov_session_create(const fov_model *model, fov_pool *_Nullable pool,
                                            fov_session *_Nullable *_Nonnull out_session);

// The same in memory of the caller (borrows): at least fov_model_memory(model).session_bytes,
// aligned to 64. Nothing is allocated. fov_session_destroy leaves the memory to its owner.
FOV_NODISCARD fov_status fov_session_create_in(const fov_model *model, fov_pool *_Nullable pool,
                                               void *memory, size_t memory_bytes,
                                               fov_session *_Nullable *_Nonnull out_session);

// The model that the session was made of. Borrowed.
const fov_model *fov_session_model(const fov_session *session);

// NULL is allowed.
void fov_session_destroy(fov_session *_Nullable session);

// The bytes of an input (written before a run, kept by it) or an output (valid after a run,
// until the next). Borrowed from the session; dense, row-major, of the port's shape and type.
FOV_NODISCARD fov_status fov_session_input(fov_session *session, size_t index,
                                           void *_Nullable *_Nonnull out_data, size_t *out_bytes);
FOV_NODISCARD fov_status fov_session_output(fov_session *session, size_t index,
                                            const void *_Nullable *_Nonnull out_data,
                                            size_t *out_bytes);

// Runs every operation once. Cannot fail: whatever could was found when the model was made.
void fov_session_run(fov_session *session);

// The range of every channel of every value over all runs so far, of a model with records_ranges; an empty one
// (low > high) where nothing was measured. Copies min(count, fov_model_range_count) ranges.
void fov_session_ranges(const fov_session *session, fov_channel_summary *out_ranges, size_t count);

// Called after every node of a run, from the thread that runs.
typedef void (*fov_session_observer)(void *_Nullable context, const fov_session *session,
                                     size_t node);

// Shows every run from now on to an observer; NULL, as after creation: nobody looks. Of a model with
// observes_nodes; fov_status_unsupported for others.
FOV_NODISCARD fov_status fov_session_set_observer(fov_session *session,
                                                  fov_session_observer _Nullable observer,
                                                  void *_Nullable context);

// What a node has written, while an observer is called for it: as floats, row-major, of the shape of its
// information, whatever form it has in memory. Codes are what they stand for, and channels that int8
// has rescaled are at their own scale again. Copies; `count` is the number of elements.
FOV_NODISCARD fov_status fov_session_read_node(const fov_session *session, size_t node,
                                               float *out_elements, size_t count);

// For callers who look only at boxes with a score of at least `floor`: from the next run on, where
// the network decodes its boxes in a form that the core knows, a box whose objectness is below the
// floor may have zeros in its row of scores and in its row of coordinates. A score is a
// product of the objectness and a number of at most 1, so that every row with a score of at
// least the floor is complete and the same, bit for bit, as without a floor. 0, negative numbers
// and NaN: all boxes are computed, as after creation.
void fov_session_set_confidence_floor(fov_session *session, float floor);

// Off by default. Timing costs two clock readings per operation and phase.
void fov_session_set_timing(fov_session *session, bool enabled);
FOV_NODISCARD fov_status fov_session_node_timing(const fov_session *session, size_t node,
                                                 fov_timing *out_timing);

FOV_ASSUME_NONNULL_END

#ifdef __cplusplus
}
#endif
#endif
