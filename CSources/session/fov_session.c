// Fovea - one run after another, in memory that is there from the start.
// SPDX-License-Identifier: Apache-2.0
#include "fovea/core/fov_session.h"

#include "base/fov_alloc.h"
#include "base/fov_clock.h"
#include "base/fov_size.h"
#include "channels_last/fov_channel_statistics.h"
#include "channels_last/fov_tensor_reading.h"
#include "session/fov_model_types.h"

// A session is one block of memory:
//
//   +---------+----------------------+-----------------+---------+------------+-----------+
//   | session | tensors (one a value)| inputs of nodes | timings | statistics | arena     |
//   +---------+----------------------+-----------------+---------+------------+-----------+
//
// Tensors point into the arena, or into the model for constants. The inputs of all nodes stand
// one after another, so that an operation finds its own side by side.
struct fov_session {
  const fov_model *model;
  fov_pool *pool;
  fov_tensor *tensors;                 // (values,)
  fov_tensor *node_inputs;             // (model->node_input_count,)
  fov_timing *timings;                 // (nodes,)
  fov_channel_statistics *statistics;  // (model->range_count,) while ranges are measured, else NULL
  uint8_t *arena;
  fov_session_observer observer;  // NULL: nobody looks
  void *observer_context;
  float confidence_floor;
  bool times;
  bool owns_memory;
};

typedef struct session_layout {
  size_t tensors, node_inputs, timings, statistics, arena, bytes;
} session_layout;

static size_t measured_channels(const fov_model *model) {
  return model->options.records_ranges ? model->range_count : 0;
}

static bool lay_out(const fov_model *model, session_layout *out_layout) {
  size_t end = 0, start;
  const fov_graph *graph = model->graph;
  const bool fits =
      fov_size_reserve(&end, 1, sizeof(fov_session), &start) &&
      fov_size_reserve(&end, graph->value_count, sizeof(fov_tensor), &out_layout->tensors) &&
      fov_size_reserve(&end, model->node_input_count, sizeof(fov_tensor),
                       &out_layout->node_inputs) &&
      fov_size_reserve(&end, graph->node_count, sizeof(fov_timing), &out_layout->timings) &&
      fov_size_reserve(&end, measured_channels(model), sizeof(fov_channel_statistics),
                       &out_layout->statistics) &&
      fov_size_reserve(&end, model->memory.arena_bytes, 1, &out_layout->arena);
  out_layout->bytes = end;
  return fits;
}

fov_status fov_session_bytes(const fov_model *model, size_t *out_bytes) {
  session_layout layout;
  if (!lay_out(model, &layout)) return fov_status_overflow;
  *out_bytes = layout.bytes;
  return fov_status_ok;
}

static void connect(fov_session *session) {
  const fov_model *model = session->model;
  const fov_graph *graph = model->graph;
  for (size_t v = 0; v < graph->value_count; v++) {
    const fov_graph_value *value = &graph->values[v];
    const size_t offset = model->value_offsets[v];
    session->tensors[v] = (fov_tensor){
        .data = offset == FOV_NOWHERE ? (void *)value->constant : session->arena + offset,
        .shape = &value->shape,
        .type = value->type,
        .format = value->format.arrangement == fov_arrangement_planar ? NULL : &value->format,
    };
  }
  fov_tensor *input = session->node_inputs;
  for (size_t n = 0; n < graph->node_count; n++) {
    const fov_graph_node *node = &graph->nodes[n];
    for (size_t k = 0; k < node->input_count; k++) *input++ = session->tensors[node->inputs[k]];
  }
}

fov_status fov_session_create_in(const fov_model *model, fov_pool *pool, void *memory,
                                 size_t memory_bytes, fov_session **out_session) {
  *out_session = NULL;
  session_layout layout;
  if (!lay_out(model, &layout)) return fov_status_overflow;
  if (memory_bytes < layout.bytes) return fov_status_buffer_too_small;
  if ((uintptr_t)memory % FOV_ALIGNMENT != 0) return fov_status_invalid_argument;
  uint8_t *base = memory;
  fov_session *session = memory;
  *session = (fov_session){
      .model = model,
      .pool = pool,
      .tensors = (fov_tensor *)(void *)(base + layout.tensors),
      .node_inputs = (fov_tensor *)(void *)(base + layout.node_inputs),
      .timings = (fov_timing *)(void *)(base + layout.timings),
      .arena = base + layout.arena,
  };
  if (measured_channels(model) > 0) {
    session->statistics = (fov_channel_statistics *)(void *)(base + layout.statistics);
    for (size_t c = 0; c < model->range_count; c++) {
      session->statistics[c] = fov_channel_statistics_empty();
    }
  }
  for (size_t n = 0; n < model->graph->node_count; n++) session->timings[n] = (fov_timing){0};
  connect(session);
  *out_session = session;
  return fov_status_ok;
}

fov_status fov_session_create(const fov_model *model, fov_pool *pool, fov_session **out_session) {
  *out_session = NULL;
  void *memory = fov_allocate(model->memory.session_bytes);
  if (!memory) return fov_status_out_of_memory;
  const fov_status status =
      fov_session_create_in(model, pool, memory, model->memory.session_bytes, out_session);
  if (status != fov_status_ok) {
    fov_release(memory);
    return status;
  }
  (*out_session)->owns_memory = true;
  return fov_status_ok;
}

const fov_model *fov_session_model(const fov_session *session) { return session->model; }

void fov_session_destroy(fov_session *session) {
  if (session && session->owns_memory) fov_release(session);
}

// Ports are dense.
static size_t tensor_bytes(const fov_tensor *tensor) {
  return fov_shape_count(tensor->shape) * fov_data_type_bytes(tensor->type);
}

fov_status fov_session_input(fov_session *session, size_t index, void **out_data,
                             size_t *out_bytes) {
  *out_data = NULL;
  if (index >= session->model->input_count) return fov_status_invalid_argument;
  const fov_tensor *tensor = &session->tensors[session->model->inputs[index]];
  *out_data = tensor->data;
  *out_bytes = tensor_bytes(tensor);
  return fov_status_ok;
}

fov_status fov_session_output(fov_session *session, size_t index, const void **out_data,
                              size_t *out_bytes) {
  *out_data = NULL;
  const fov_graph *graph = session->model->graph;
  if (index >= graph->output_count) return fov_status_invalid_argument;
  const fov_tensor *tensor = &session->tensors[graph->outputs[index].value];
  *out_data = tensor->data;
  *out_bytes = tensor_bytes(tensor);
  return fov_status_ok;
}

// Adds what a value holds now to the statistics of its channels. Bytes of images are no
// activations.
static void measure(fov_session *session, uint32_t value) {
  const fov_tensor *tensor = &session->tensors[value];
  const fov_model *model = session->model;
  if (!session->statistics || value >= model->measured_count) return;
  if (tensor->type != fov_data_type_float32) return;
  fov_tensor_add_statistics(tensor, &model->kernels,
                            &session->statistics[model->first_ranges[value]]);
}

static void run_operation(const fov_operation *operation, const fov_run *run, float floor) {
  if (operation->decode) {
    operation->decode(run, floor);
  } else {
    operation->run(run);
  }
}

static void run_node(fov_session *session, size_t index, const fov_tensor *inputs) {
  const fov_model *model = session->model;
  const fov_graph_node *node = &model->graph->nodes[index];
  const size_t workspace = model->workspace_offsets[index];
  fov_timing *timing = session->times ? &session->timings[index] : NULL;
  const fov_run run = {
      .parameters = node->parameters,
      .inputs = inputs,
      .input_count = node->input_count,
      .output = session->tensors[node->output],
      .workspace = workspace == FOV_NOWHERE ? NULL : session->arena + workspace,
      .backend = model->options.backend,
      .pool = session->pool,
      .slots = model->options.thread_count,
      .kernels = &model->kernels,
      .timing = timing,
  };
  if (!timing) {
    run_operation(node->operation, &run, session->confidence_floor);
    return;
  }
  *timing = (fov_timing){0};
  const uint64_t begin = fov_clock_now();
  run_operation(node->operation, &run, session->confidence_floor);
  timing->total = fov_clock_now() - begin;
}

void fov_session_run(fov_session *session) {
  const fov_graph *graph = session->model->graph;
  const fov_tensor *inputs = session->node_inputs;
  if (session->pool) fov_pool_wake(session->pool);
  for (size_t i = 0; i < session->model->input_count; i++) {
    measure(session, session->model->inputs[i]);
  }
  for (size_t n = 0; n < graph->node_count; n++) {
    run_node(session, n, inputs);
    measure(session, graph->nodes[n].output);
    if (session->observer) session->observer(session->observer_context, session, n);
    inputs += graph->nodes[n].input_count;
  }
}

void fov_session_ranges(const fov_session *session, fov_channel_summary *out_ranges, size_t count) {
  const fov_channel_statistics empty = fov_channel_statistics_empty();
  for (size_t c = 0; c < fov_size_min(count, session->model->range_count); c++) {
    out_ranges[c] =
        fov_channel_statistics_range(session->statistics ? &session->statistics[c] : &empty);
  }
}

// MARK: observing

fov_status fov_session_set_observer(fov_session *session, fov_session_observer observer,
                                    void *context) {
  if (observer && !session->model->options.observes_nodes) return fov_status_unsupported;
  session->observer = observer;
  session->observer_context = context;
  return fov_status_ok;
}

// Brings the channels of a value back to their own scale.
static void restore_scale(const fov_model *model, uint32_t value, const fov_shape *shape,
                          float *elements) {
  if (!model->divisors || value >= model->measured_count) return;
  const size_t first = model->first_ranges[value];
  const size_t channels = model->first_ranges[value + 1] - first;
  const size_t batch = shape->rank < 3 ? 1 : fov_shape_planes(shape).batch;
  const size_t plane = fov_shape_count(shape) / (batch * channels);
  for (size_t image = 0; image < batch; image++) {
    for (size_t c = 0; c < channels; c++) {
      const float divisor = model->divisors[first + c];
      for (size_t i = 0; i < plane; i++) *elements++ *= divisor;
    }
  }
}

fov_status fov_session_read_node(const fov_session *session, size_t node, float *out_elements,
                                 size_t count) {
  const fov_model *model = session->model;
  if (node >= model->graph->node_count) return fov_status_invalid_argument;
  const uint32_t value = model->graph->nodes[node].output;
  const fov_tensor *tensor = &session->tensors[value];
  if (count != fov_shape_count(tensor->shape)) return fov_status_buffer_too_small;
  fov_tensor_read(tensor, &model->kernels, out_elements);
  restore_scale(model, value, tensor->shape, out_elements);
  return fov_status_ok;
}

void fov_session_set_confidence_floor(fov_session *session, float floor) {
  session->confidence_floor = floor;
}

void fov_session_set_timing(fov_session *session, bool enabled) { session->times = enabled; }

fov_status fov_session_node_timing(const fov_session *session, size_t node,
                                   fov_timing *out_timing) {
  if (node >= session->model->graph->node_count) return fov_status_invalid_argument;
  *out_timing = session->timings[node];
  return fov_status_ok;
}
