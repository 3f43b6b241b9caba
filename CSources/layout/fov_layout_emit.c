// Fovea - the layout pass: the new list of nodes, with conversions between kinds of values.
// SPDX-License-Identifier: Apache-2.0
#include <math.h>

#include "base/fov_alloc.h"
#include "base/fov_grow.h"
#include "channels_last/fov_channels_last_add.h"
#include "channels_last/fov_channels_last_operation_table.h"
#include "channels_last/fov_channels_last_pixels.h"
#include "channels_last/fov_channels_last_transpose.h"
#include "channels_last/fov_channels_last_transposed.h"
#include "layout/fov_layout_state.h"
#include "ops/fov_operation_table.h"

// The kinds in which a value may exist. Its node writes one of them. Others come from conversions,
// which are inserted before the first reader of the kind, and which later readers share.
typedef enum kind {
  kind_planes = 0,    // row-major; bytes of an image too
  kind_floats = 1,    // channels last
  kind_codes = 2,     // channels last, quantization known
  kind_measured = 3,  // channels last, quantization of the frame
  kind_int16 = 4,     // channels last, of 16 bits
  kind_count = 5,
} kind;

#define NO_VALUE UINT32_MAX

typedef struct emission {
  fov_layout_state *state;
  fov_graph *graph;
  uint32_t (*kinds)[kind_count];  // (values before emission,)
  fov_graph_node *nodes;
  size_t node_count, node_capacity;
} emission;

// MARK: values and nodes

static bool push(emission *emission, fov_graph_node node) {
  if (!fov_grow((void **)&emission->nodes, emission->node_count, &emission->node_capacity,
                sizeof node)) {
    return false;
  }
  emission->nodes[emission->node_count++] = node;
  return true;
}

static void set_kind(fov_graph_value *value, kind kind, fov_quantization quantization) {
  const bool codes = kind == kind_codes || kind == kind_measured;
  value->type = codes                ? fov_data_type_uint8
                : kind == kind_int16 ? fov_data_type_int16
                                     : fov_data_type_float32;
  value->format = (fov_format){
      .arrangement = kind == kind_planes ? fov_arrangement_planar : fov_arrangement_channels_last,
      .measured = kind == kind_measured,
      .quantization =
          kind == kind_codes || kind == kind_int16 ? quantization : (fov_quantization){0},
  };
}

// A new value with the shape of another.
static fov_status add_value(emission *emission, uint32_t like, kind kind,
                            fov_quantization quantization, uint32_t *out_value) {
  fov_graph *graph = emission->graph;
  if (graph->value_count >= FOV_MAXIMUM_VALUES) {
    return fov_fail(emission->state->diagnostic, fov_status_unsupported,
                    "more than %d values in a channels-last graph", FOV_MAXIMUM_VALUES);
  }
  if (!fov_grow((void **)&graph->values, graph->value_count, &graph->value_capacity,
                sizeof(fov_graph_value))) {
    return fov_status_out_of_memory;
  }
  fov_graph_value value = {.kind = fov_value_result, .shape = graph->values[like].shape};
  set_kind(&value, kind, quantization);
  *out_value = (uint32_t)graph->value_count;
  graph->values[graph->value_count++] = value;
  return fov_status_ok;
}

// A node with one input that converts `from` to a new value.
static fov_status add_conversion(emission *emission, const fov_operation *operation, uint32_t from,
                                 kind kind, fov_quantization quantization, const char *label,
                                 uint32_t *out_value) {
  FOV_FORWARD(add_value(emission, from, kind, quantization, out_value));
  fov_graph_node node = {
      .operation = operation,
      .parameters = fov_allocate(1),
      .inputs = fov_allocate_array(1, sizeof(uint32_t)),
      .input_count = 1,
      .output = *out_value,
      .label = fov_copy_text(label),
  };
  if (!node.parameters || !node.inputs || !node.label || !push(emission, node)) {
    fov_graph_node_release(&node);
    return fov_status_out_of_memory;
  }
  emission->nodes[emission->node_count - 1].inputs[0] = from;
  return fov_status_ok;
}

// MARK: conversions

// The quantization of codes or 16-bit integers of a value; empty for other kinds.
static fov_quantization meaning_of(const emission *emission, uint32_t value, kind kind) {
  if (kind == kind_codes) return emission->state->values[value].quantization;
  if (kind != kind_int16) return (fov_quantization){0};
  return (fov_quantization){.scale = fov_layout_int16_scale(emission->state, value)};
}

static fov_status convert(emission *emission, uint32_t value, kind wanted, const char *label,
                          uint32_t *out_value);

// Codes of a value that exists as floats or planes.
static fov_status convert_to_codes(emission *emission, uint32_t value, kind wanted,
                                   const char *label, uint32_t *out_value) {
  uint32_t floats;
  FOV_FORWARD(convert(emission, value, kind_floats, label, &floats));
  return add_conversion(emission, &fov_operation_quantize, floats, wanted,
                        meaning_of(emission, value, wanted), label, out_value);
}

static fov_status convert_to_floats(emission *emission, uint32_t value, const char *label,
                                    uint32_t *out_value) {
  const uint32_t *kinds = emission->kinds[value];
  const uint32_t codes = kinds[kind_codes] != NO_VALUE ? kinds[kind_codes] : kinds[kind_measured];
  const bool dequantizes = codes != NO_VALUE;
  return add_conversion(emission,
                        dequantizes ? &fov_operation_dequantize : &fov_operation_to_channels_last,
                        dequantizes ? codes : kinds[kind_planes], kind_floats,
                        (fov_quantization){0}, label, out_value);
}

static fov_status convert(emission *emission, uint32_t value, kind wanted, const char *label,
                          uint32_t *out_value) {
  uint32_t *kinds = emission->kinds[value];
  fov_status status = fov_status_ok;
  if (kinds[wanted] == NO_VALUE) {
    uint32_t made = NO_VALUE;
    if (wanted == kind_planes) {
      const uint32_t from = kinds[kind_floats] != NO_VALUE ? kinds[kind_floats] : kinds[kind_codes];
      status = add_conversion(emission, &fov_operation_to_planes, from, kind_planes,
                              (fov_quantization){0}, label, &made);
    } else if (wanted == kind_floats) {
      status = convert_to_floats(emission, value, label, &made);
    } else {
      status = convert_to_codes(emission, value, wanted, label, &made);
    }
    kinds[wanted] = made;
  }
  *out_value = kinds[wanted];
  return status;
}

// Codes with a known quantization, if there is one, else with that of the frame.
static kind kind_of_codes(const emission *emission, uint32_t value) {
  if (emission->kinds[value][kind_codes] != NO_VALUE) return kind_codes;
  return emission->state->values[value].known ? kind_codes : kind_measured;
}

// MARK: channels-last nodes

// Codes that a file gives are rounded before their zero point is added. If that is even, the order
// does not matter.
static bool adds_zero_last(const fov_layout_node *plan, fov_quantization result) {
  return plan->rounded && result.zero_point % 2 != 0;
}

static fov_status replace_convolution(emission *emission, fov_graph_node *node,
                                      const fov_layout_node *plan) {
  const fov_layout_state *state = emission->state;
  fov_diagnostic *diagnostic = state->diagnostic;
  const fov_graph_value *values = emission->graph->values;
  const fov_graph_value *input = &values[node->inputs[0]];
  const fov_graph_value *output = &values[node->output];
  fov_channels_last_request request = {
      .integer = input->type != fov_data_type_float32,
      .int16 = input->type == fov_data_type_int16,
      .measured = input->format.measured,
      .as_stored = state->has_given,
      .keeps_codes = state->options->keeps_codes,
      .pools = plan->pools,
      .activation = plan->activation,
      .inputs = fov_layout_channels(state, plan->input),
      .factors = plan->factors,
  };
  fov_quantization result = output->format.quantization;
  uint8_t table[256];
  if (plan->activation.has_table) {
    request.before_table = state->values[plan->before_table].quantization;
    if (!state->has_given) {
      request.before_table = fov_layout_table_range(&plan->table, request.before_table, result);
    }
    fov_channels_last_unary_table(&plan->table, request.before_table, result, table);
    request.table = table;
    result = request.before_table;
  }
  request.rounds_first = adds_zero_last(plan, result);
  const bool is_transposed = node->operation == &fov_operation_transposed_convolution;
  fov_channels_last_convolution *layer = NULL;
  fov_channels_last_transposed *phases = NULL;
  if (is_transposed) {
    FOV_FORWARD(
        fov_channels_last_transposed_create(node->parameters, &request, &phases, diagnostic));
    fov_graph_node_replace(node, &fov_operation_channels_last_transposed, phases);
  } else {
    FOV_FORWARD(
        fov_channels_last_convolution_create(node->parameters, &request, &layer, diagnostic));
    fov_graph_node_replace(node, &fov_operation_channels_last_convolution, layer);
  }
  if (!request.integer || request.measured) return fov_status_ok;
  const fov_channels_last_codes meaning = {
      .input = input->format.quantization,
      .output = output->type == fov_data_type_float32 ? NULL : &result,
      .residual =
          plan->activation.has_residual ? &values[node->inputs[1]].format.quantization : NULL,
      .to_int16 = output->type == fov_data_type_int16,
  };
  return is_transposed ? fov_channels_last_transposed_prepare(phases, meaning, diagnostic)
                       : fov_channels_last_convolution_prepare(layer, meaning, diagnostic);
}

static fov_status replace_pixels(emission *emission, fov_graph_node *node) {
  const fov_graph_value *output = &emission->graph->values[node->output];
  fov_channels_last_pixels *layer = fov_allocate(sizeof *layer);
  if (!layer) return fov_status_out_of_memory;
  const bool codes = output->type == fov_data_type_uint8;
  *layer = fov_channels_last_pixels_create(
      node->parameters, fov_shape_planes(&output->shape).channels,
      codes ? output->format.quantization : (fov_quantization){.scale = 1.0f});
  return fov_graph_node_replace(node, &fov_operation_channels_last_pixels, layer)
             ? fov_status_ok
             : fov_status_out_of_memory;
}

static fov_status replace_rows(fov_graph_node *node) {
  return fov_graph_node_replace(node, &fov_operation_channels_last_from_rows, fov_allocate(1))
             ? fov_status_ok
             : fov_status_out_of_memory;
}

static fov_status replace_operation(emission *emission, fov_graph_node *node,
                                    const fov_layout_node *plan) {
  const fov_operation *operation = node->operation;
  if (fov_is_convolution(operation)) return replace_convolution(emission, node, plan);
  if (operation == &fov_operation_pixels) return replace_pixels(emission, node);
  if (operation == &fov_operation_transpose) return replace_rows(node);
  if (fov_layout_multiplies(node)) {
    node->operation = &fov_operation_channels_last_multiply;
    return fov_status_ok;
  }
  if (operation == &fov_operation_binary) {
    const fov_quantization result = emission->graph->values[node->output].format.quantization;
    const fov_channels_last_add add = {plan->activation.lowest, plan->activation.highest,
                                       adds_zero_last(plan, result)};
    return fov_graph_node_replace(node, &fov_operation_channels_last_add,
                                  fov_allocate_copy(&add, sizeof add))
               ? fov_status_ok
               : fov_status_out_of_memory;
  }
  if (operation == &fov_operation_pooling) node->operation = &fov_operation_channels_last_pooling;
  if (operation == &fov_operation_unary) node->operation = &fov_operation_channels_last_unary;
  if (operation == &fov_operation_slice) node->operation = &fov_operation_channels_last_slice;
  if (operation == &fov_operation_concat) node->operation = &fov_operation_channels_last_concat;
  if (operation == &fov_operation_padding) node->operation = &fov_operation_channels_last_padding;
  if (operation == &fov_operation_resize) node->operation = &fov_operation_channels_last_resize;
  return fov_status_ok;
}

// Whether a node computes codes, or floats that a conversion then quantizes. The function that
// rounds to the codes of a file does so for inputs that are no such codes.
static bool computes_codes(const emission *emission, const fov_graph_node *node) {
  const fov_layout_value *values = emission->state->values;
  size_t image;
  if (fov_layout_multiplies(node)) return fov_layout_gates(emission->state, node, &image);
  return values[node->output].codes && (!fov_layout_gives(node) || values[node->inputs[0]].given);
}

// The kind in which a channels-last node reads its input k. Inputs before may be converted already,
// so that the state does not know them.
static kind input_kind(const emission *emission, const fov_graph_node *node, size_t k, bool codes) {
  if (node->operation == &fov_operation_pixels || node->operation == &fov_operation_transpose) {
    return kind_planes;
  }
  if (fov_is_convolution(node->operation)) {
    const bool integer = fov_layout_is_integer(emission->state, node);
    if (k == 0 && fov_layout_is_int16(emission->state, node)) return kind_int16;
    if (k == 0) {
      return integer ? kind_of_codes(emission, node->inputs[0]) : kind_floats;
    }
    return integer ? kind_codes : kind_floats;
  }
  return codes ? kind_of_codes(emission, node->inputs[k]) : kind_floats;
}

// Whether an integer convolution reads codes or 16-bit integers of a known scale.
static bool reads_known_codes(const emission *emission, const fov_graph_node *node) {
  return fov_layout_is_int16(emission->state, node) ||
         kind_of_codes(emission, node->inputs[0]) == kind_codes;
}

// Whether an integer convolution writes 16-bit integers, since all its readers multiply them.
static bool writes_int16(const emission *emission, const fov_graph_node *node,
                         const fov_layout_node *plan) {
  const fov_layout_state *state = emission->state;
  const size_t readers = state->values[node->output].int16_readers;
  if (readers == 0 || readers != state->users.readers[node->output]) return false;
  if (!fov_is_convolution(node->operation) || plan->pools || plan->activation.has_residual ||
      plan->activation.has_table || !fov_layout_is_integer(state, node)) {
    return false;
  }
  return reads_known_codes(emission, node);
}

// A convolution that reads floats, or codes of each frame's range, writes floats. A conversion may
// then quantize them.
static kind output_kind(const emission *emission, const fov_graph_node *node,
                        const fov_layout_node *plan) {
  if (writes_int16(emission, node, plan)) return kind_int16;
  if (!computes_codes(emission, node)) return kind_floats;
  if (!fov_is_convolution(node->operation)) return kind_codes;
  if (!fov_layout_is_integer(emission->state, node)) return kind_floats;
  return reads_known_codes(emission, node) ? kind_codes : kind_floats;
}

static fov_status emit_channels_last(emission *emission, fov_graph_node *node,
                                     const fov_layout_node *plan) {
  const kind result = output_kind(emission, node, plan);
  const uint32_t output = node->output;
  const bool codes = computes_codes(emission, node);
  size_t image;
  const bool gates = fov_layout_gates(emission->state, node, &image);
  for (size_t k = 0; k < node->input_count; k++) {
    const bool is_gate = gates && k != image;
    const kind wanted = is_gate ? kind_floats : input_kind(emission, node, k, codes);
    FOV_FORWARD(convert(emission, node->inputs[k], wanted, node->label, &node->inputs[k]));
  }
  set_kind(&emission->graph->values[output], result, meaning_of(emission, output, result));
  emission->kinds[output][result] = output;
  FOV_FORWARD(replace_operation(emission, node, plan));
  return fov_status_ok;
}

static fov_status emit_planar(emission *emission, fov_graph_node *node) {
  for (size_t k = 0; k < node->input_count; k++) {
    const bool channels_last = emission->state->values[node->inputs[k]].channels_last;
    const kind wanted =
        channels_last && node->operation->any_arrangement ? kind_floats : kind_planes;
    FOV_FORWARD(convert(emission, node->inputs[k], wanted, node->label, &node->inputs[k]));
  }
  emission->kinds[node->output][kind_planes] = node->output;
  return fov_status_ok;
}

// MARK: the whole list

static fov_status emit_nodes(emission *emission) {
  fov_graph *graph = emission->graph;
  for (size_t n = 0; n < graph->node_count; n++) {
    fov_graph_node *node = &graph->nodes[n];
    if (node->removed) continue;
    const fov_layout_node *plan = &emission->state->nodes[n];
    FOV_FORWARD(plan->channels_last ? emit_channels_last(emission, node, plan)
                                    : emit_planar(emission, node));
    if (!push(emission, *node)) return fov_status_out_of_memory;
    *node = (fov_graph_node){.removed = true};
  }
  for (size_t i = 0; i < graph->output_count; i++) {
    FOV_FORWARD(convert(emission, graph->outputs[i].value, kind_planes, graph->outputs[i].name,
                        &graph->outputs[i].value));
  }
  return fov_status_ok;
}

static void note_given_values(emission *emission, size_t value_count) {
  for (size_t v = 0; v < value_count; v++) {
    for (int k = 0; k < kind_count; k++) emission->kinds[v][k] = NO_VALUE;
    if (emission->graph->values[v].kind != fov_value_result) {
      emission->kinds[v][kind_planes] = (uint32_t)v;
    }
  }
}

// Nodes move from one list to the other one by one, so that also after a failure each is in one
// list.
fov_status fov_layout_emit(fov_layout_state *state) {
  fov_graph *graph = state->graph;
  emission emission = {.state = state, .graph = graph};
  const size_t value_count = graph->value_count;
  emission.kinds = fov_allocate_array(value_count + 1, sizeof *emission.kinds);
  fov_status status = fov_status_out_of_memory;
  if (emission.kinds) {
    note_given_values(&emission, value_count);
    status = emit_nodes(&emission);
  }
  fov_release(emission.kinds);
  if (status == fov_status_ok) {
    fov_release(graph->nodes);
    graph->nodes = emission.nodes;
    graph->node_count = emission.node_count;
    graph->node_capacity = emission.node_capacity;
    return fov_status_ok;
  }
  for (size_t n = 0; n < emission.node_count; n++) fov_graph_node_release(&emission.nodes[n]);
  fov_release(emission.nodes);
  if (status == fov_status_out_of_memory) {
    return fov_fail(state->diagnostic, status, "no memory for state");
  }
  return status;
}
