// Fovea - recognizing the decoding of detector heads.
// SPDX-License-Identifier: Apache-2.0
#include "fold/fov_detection_head.h"

#include "base/fov_alloc.h"
#include "base/fov_size.h"
#include "fold/fov_symbolic_array.h"
#include "ops/fov_op_detection.h"
#include "ops/fov_operation_table.h"

// Limits of the search: of outputs, and of elements between heads and outputs. The largest
// detectors in use have 25200 boxes of 85 numbers and two dozen layers.
#define MAXIMUM_OUTPUTS 16
#define MAXIMUM_ELEMENTS ((size_t)1 << 26)

typedef struct detection_head {
  uint32_t value;
  size_t first_logit;
  size_t pixels, channels;
} detection_head;

// An attempt at one pair of outputs.
typedef struct decoding {
  const fov_graph *graph;
  const fov_graph_users *users;
  uint32_t confidence, coordinates;
  size_t classes, row_count;
  bool *needed;                // (values,): the outputs depend on it
  bool *inside;                // (values,): made by a layer of the decoding
  size_t *readers;             // (values,): layers of the decoding that read it
  fov_symbolic_array *arrays;  // (values,)
  detection_head *heads;       // (head_count,); in the order of the rows once they are matched
  size_t head_count;
} decoding;

static bool decoding_create(decoding *decoding) {
  const size_t values = decoding->graph->value_count;
  decoding->needed = fov_allocate_array(values, sizeof(bool));
  decoding->inside = fov_allocate_array(values, sizeof(bool));
  decoding->readers = fov_allocate_array(values, sizeof(size_t));
  decoding->arrays = fov_allocate_array(values, sizeof(fov_symbolic_array));
  decoding->heads = fov_allocate_array(values, sizeof(detection_head));
  return decoding->needed && decoding->inside && decoding->readers && decoding->arrays &&
         decoding->heads;
}

static void decoding_release(decoding *decoding) {
  if (decoding->arrays) {
    for (size_t v = 0; v < decoding->graph->value_count; v++) {
      fov_symbolic_release(&decoding->arrays[v]);
    }
  }
  fov_release(decoding->needed);
  fov_release(decoding->inside);
  fov_release(decoding->readers);
  fov_release(decoding->arrays);
  fov_release(decoding->heads);
}

// MARK: the layers between heads and outputs

static bool is_layer(const decoding *decoding, const fov_graph_node *node) {
  return !node->removed && decoding->inside[node->output];
}

static void find_layers(decoding *decoding) {
  const fov_graph *graph = decoding->graph;
  decoding->needed[decoding->confidence] = decoding->needed[decoding->coordinates] = true;
  for (size_t i = graph->node_count; i-- > 0;) {
    const fov_graph_node *node = &graph->nodes[i];
    if (node->removed || !decoding->needed[node->output]) continue;
    if (!fov_symbolic_supports(node->operation)) continue;
    decoding->inside[node->output] = true;
    for (size_t k = 0; k < node->input_count; k++) {
      decoding->needed[node->inputs[k]] = true;
      decoding->readers[node->inputs[k]]++;
    }
  }
}

// Whether the value is an image of float32 planes whose channels are whole anchors.
static bool add_head(decoding *decoding, uint32_t value, size_t first_logit) {
  const fov_graph_value *head = &decoding->graph->values[value];
  if (head->type != fov_data_type_float32 || head->shape.rank < 3) return false;
  const fov_planes planes = fov_shape_planes(&head->shape);
  if (planes.batch != 1) return false;
  if (planes.channels % (FOV_DETECTION_BOX_CHANNELS + decoding->classes) != 0) return false;
  decoding->heads[decoding->head_count++] = (detection_head){
      .value = value,
      .first_logit = first_logit,
      .pixels = planes.rows * planes.columns,
      .channels = planes.channels,
  };
  return true;
}

// Finds the heads. false when the layers cannot be a decoding, or other nodes read their results.
static bool find_heads(decoding *decoding) {
  const fov_graph *graph = decoding->graph;
  size_t elements = 0, logits = 0;
  for (size_t v = 0; v < graph->value_count; v++) {
    if (!decoding->needed[v]) continue;
    const size_t count = fov_shape_count(&graph->values[v].shape);
    if (count > MAXIMUM_ELEMENTS - elements) return false;
    elements += count;
    const bool is_output = v == decoding->confidence || v == decoding->coordinates;
    if (decoding->inside[v]) {
      if (!is_output && decoding->users->readers[v] != decoding->readers[v]) return false;
    } else if (is_output) {
      return false;
    } else if (graph->values[v].kind != fov_value_constant) {
      if (!add_head(decoding, (uint32_t)v, logits)) return false;
      logits += count;
    }
  }
  return decoding->head_count > 0;
}

// MARK: running them on symbols

static fov_symbolic_result make_leaves(decoding *decoding) {
  const fov_graph *graph = decoding->graph;
  for (size_t i = 0; i < decoding->head_count; i++) {
    const detection_head *head = &decoding->heads[i];
    const fov_symbolic_result result = fov_symbolic_logits(
        head->first_logit, head->pixels * head->channels, &decoding->arrays[head->value]);
    if (result != fov_symbolic_done) return result;
  }
  for (size_t v = 0; v < graph->value_count; v++) {
    const fov_graph_value *value = &graph->values[v];
    if (!decoding->needed[v] || value->kind != fov_value_constant) continue;
    const fov_symbolic_result result = fov_symbolic_constants(
        value->constant, fov_shape_count(&value->shape), &decoding->arrays[v]);
    if (result != fov_symbolic_done) return result;
  }
  return fov_symbolic_done;
}

// Each array is released after its last reader. All arrays of a large detector would take 100 MiB.
static fov_symbolic_result run_layers(decoding *decoding) {
  const fov_graph *graph = decoding->graph;
  fov_symbolic_result result = make_leaves(decoding);
  for (size_t i = 0; i < graph->node_count && result == fov_symbolic_done; i++) {
    const fov_graph_node *node = &graph->nodes[i];
    if (!is_layer(decoding, node)) continue;
    result = fov_symbolic_run(graph, node, decoding->arrays);
    for (size_t k = 0; k < node->input_count; k++) {
      const uint32_t input = node->inputs[k];
      const bool is_output = input == decoding->confidence || input == decoding->coordinates;
      if (--decoding->readers[input] == 0 && !is_output) {
        fov_symbolic_release(&decoding->arrays[input]);
      }
    }
  }
  return result;
}

// MARK: comparing the outputs with what the operations compute

static bool is_plain(const fov_symbolic_array *array, size_t i) {
  return (!array->scales || array->scales[i] == 1.0f) &&
         (!array->offsets || array->offsets[i] == 0.0f);
}

static float scale_of(const fov_symbolic_array *array, size_t i) {
  return array->scales ? array->scales[i] : 1.0f;
}

static float offset_of(const fov_symbolic_array *array, size_t i) {
  return array->offsets ? array->offsets[i] : 0.0f;
}

// Row `row` of the confidence: `first` is the logit of the x of its box.
static bool scores_match(const decoding *decoding, size_t row, size_t first, size_t pixels) {
  const fov_symbolic_array *scores = &decoding->arrays[decoding->confidence];
  const size_t objectness = first + FOV_DETECTION_OBJECTNESS * pixels;
  if (!scores->symbols || !scores->partners) return false;
  for (size_t c = 0; c < decoding->classes; c++) {
    const size_t i = row * decoding->classes + c;
    const size_t class_logit = first + (FOV_DETECTION_BOX_CHANNELS + c) * pixels;
    const size_t left = fov_symbol_logit_of(scores->symbols[i]), right = scores->partners[i];
    const bool same = (left == class_logit && right == objectness) ||
                      (left == objectness && right == class_logit);
    if (!same || fov_symbol_function_of(scores->symbols[i]) != fov_symbol_product ||
        !is_plain(scores, i)) {
      return false;
    }
  }
  return true;
}

// Row `row` of the coordinates. Takes its terms. The first row says how sizes are computed; the
// first row of a head says how its centers are scaled.
static bool box_matches(const decoding *decoding, size_t row, size_t first, size_t pixels,
                        bool begins_head, float *center_scales, fov_detection_coordinates *out) {
  const fov_symbolic_array *boxes = &decoding->arrays[decoding->coordinates];
  const uint32_t size_function = out->size == fov_detection_size_exponential
                                     ? fov_symbol_exponential
                                     : fov_symbol_squared_sigmoid;
  for (size_t k = 0; k < 4; k++) {
    const size_t i = 4 * row + k;
    const uint32_t function = k < 2 ? fov_symbol_sigmoid : size_function;
    if (boxes->symbols[i] != ((uint32_t)(first + k * pixels) | function << FOV_SYMBOL_BITS)) {
      return false;
    }
    const float scale = scale_of(boxes, i), offset = offset_of(boxes, i);
    if (k < 2) {
      if (begins_head) center_scales[k] = scale;
      if (center_scales[k] != scale) return false;
      out->terms[i] = offset;
    } else {
      if (offset != 0.0f) return false;
      out->terms[i] = scale;
    }
  }
  return true;
}

// The rows from `row` on are those of one head, in the order of the layout.
static bool head_matches(const decoding *decoding, const detection_head *head, size_t row,
                         float *center_scales, fov_detection_coordinates *out) {
  const size_t channels = FOV_DETECTION_BOX_CHANNELS + decoding->classes;
  const size_t anchors = head->channels / channels;
  if (anchors * head->pixels > decoding->row_count - row) return false;
  for (size_t n = 0; n < anchors * head->pixels; n++) {
    const bool pixels_outermost = out->layout.pixels_outermost;
    const size_t anchor = pixels_outermost ? n % anchors : n / head->pixels;
    const size_t pixel = pixels_outermost ? n / anchors : n % head->pixels;
    const size_t first = head->first_logit + anchor * channels * head->pixels + pixel;
    if (!box_matches(decoding, row + n, first, head->pixels, n == 0, center_scales, out) ||
        !scores_match(decoding, row + n, first, head->pixels)) {
      return false;
    }
  }
  return true;
}

// Moves the head of the logit to position `place`; false when it is before that position.
static bool bring_head(decoding *decoding, size_t logit, size_t place) {
  for (size_t i = place; i < decoding->head_count; i++) {
    const detection_head head = decoding->heads[i];
    if (logit < head.first_logit || logit - head.first_logit >= head.pixels * head.channels) {
      continue;
    }
    decoding->heads[i] = decoding->heads[place];
    decoding->heads[place] = head;
    return true;
  }
  return false;
}

// All rows, head by head; every head once.
static bool rows_match(decoding *decoding, fov_detection_coordinates *out) {
  const fov_symbolic_array *boxes = &decoding->arrays[decoding->coordinates];
  if (!boxes->symbols) return false;
  size_t row = 0, head = 0;
  for (; row < decoding->row_count; head++) {
    if (!bring_head(decoding, fov_symbol_logit_of(boxes->symbols[4 * row]), head)) return false;
    const detection_head *next = &decoding->heads[head];
    if (!head_matches(decoding, next, row, out->center_scales + 2 * head, out)) return false;
    row += next->pixels * (next->channels / (FOV_DETECTION_BOX_CHANNELS + decoding->classes));
  }
  return head == decoding->head_count;
}

// Fills in everything but the shape of the layout; false when there is no match.
static bool match(decoding *decoding, fov_detection_coordinates *out) {
  const fov_symbolic_array *boxes = &decoding->arrays[decoding->coordinates];
  if (!boxes->symbols) return false;
  out->size = fov_symbol_function_of(boxes->symbols[2]) == fov_symbol_exponential
                  ? fov_detection_size_exponential
                  : fov_detection_size_squared_sigmoid;
  out->layout.pixels_outermost = false;
  if (rows_match(decoding, out)) return true;
  out->layout.pixels_outermost = true;
  return rows_match(decoding, out);
}

// MARK: replacing

// Replaces the node that writes the value by an operation that reads the heads. Takes parameters
// and inputs.
static void replace_producer(const decoding *decoding, fov_graph_users *users, uint32_t value,
                             const fov_operation *operation, void *parameters, uint32_t *inputs) {
  fov_graph_node *node = users->producers[value];
  for (size_t k = 0; k < node->input_count; k++) fov_graph_users_remove(users, node->inputs[k]);
  fov_graph_node_replace(node, operation, parameters);
  fov_release(node->inputs);
  node->inputs = inputs;
  node->input_count = decoding->head_count;
  for (size_t i = 0; i < decoding->head_count; i++) {
    inputs[i] = decoding->heads[i].value;
    fov_graph_users_add(users, inputs[i]);
  }
}

// On success takes what the parameters own.
static fov_status replace(const decoding *decoding, fov_graph_users *users,
                          fov_detection_coordinates *coordinates) {
  fov_detection_layout layout = coordinates->layout;
  layout.output = decoding->graph->values[decoding->confidence].shape;
  coordinates->layout.output = decoding->graph->values[decoding->coordinates].shape;
  void *score_parameters = fov_allocate_copy(&layout, sizeof layout);
  void *box_parameters = fov_allocate_copy(coordinates, sizeof *coordinates);
  uint32_t *score_inputs = fov_allocate_array(decoding->head_count, sizeof(uint32_t));
  uint32_t *box_inputs = fov_allocate_array(decoding->head_count, sizeof(uint32_t));
  if (!score_parameters || !box_parameters || !score_inputs || !box_inputs) {
    fov_release(score_parameters);
    fov_release(box_parameters);
    fov_release(score_inputs);
    fov_release(box_inputs);
    return fov_status_out_of_memory;
  }
  replace_producer(decoding, users, decoding->confidence, &fov_operation_detection_confidence,
                   score_parameters, score_inputs);
  replace_producer(decoding, users, decoding->coordinates, &fov_operation_detection_coordinates,
                   box_parameters, box_inputs);
  return fov_status_ok;
}

// MARK: the rule

static fov_status match_and_replace(decoding *decoding, fov_graph_users *users, bool *out_found) {
  const fov_detection_layout layout = {.classes = decoding->classes};
  fov_detection_coordinates coordinates;
  FOV_FORWARD(fov_detection_coordinates_create(&layout, decoding->head_count, decoding->row_count,
                                               &coordinates));
  fov_status status = fov_status_ok;
  const bool found = match(decoding, &coordinates);
  if (found) status = replace(decoding, users, &coordinates);
  *out_found = found && status == fov_status_ok;
  if (!*out_found) fov_operation_detection_coordinates.release(&coordinates);
  return status;
}

static fov_status try_outputs(fov_graph *graph, fov_graph_users *users, uint32_t confidence,
                              uint32_t coordinates, bool *out_found) {
  const fov_shape *scores = &graph->values[confidence].shape;
  const fov_shape *boxes = &graph->values[coordinates].shape;
  *out_found = false;
  if (confidence == coordinates || scores->rank < 1 || boxes->rank < 1) return fov_status_ok;
  decoding decoding = {
      .graph = graph,
      .users = users,
      .confidence = confidence,
      .coordinates = coordinates,
      .classes = scores->dims[scores->rank - 1],
      .row_count = fov_shape_count_range(scores, 0, scores->rank - 1),
  };
  if (boxes->dims[boxes->rank - 1] != 4 || fov_shape_count(boxes) / 4 != decoding.row_count ||
      fov_shape_count(scores) > MAXIMUM_ELEMENTS) {
    return fov_status_ok;
  }
  fov_status status = decoding_create(&decoding) ? fov_status_ok : fov_status_out_of_memory;
  if (status == fov_status_ok) {
    find_layers(&decoding);
    if (find_heads(&decoding)) {
      const fov_symbolic_result result = run_layers(&decoding);
      if (result == fov_symbolic_out_of_memory) status = fov_status_out_of_memory;
      if (result == fov_symbolic_done) status = match_and_replace(&decoding, users, out_found);
    }
  }
  decoding_release(&decoding);
  return status;
}

fov_status fov_fold_detection_heads(fov_graph *graph, fov_graph_users *users) {
  if (graph->output_count > MAXIMUM_OUTPUTS) return fov_status_ok;
  for (size_t i = 0; i < graph->output_count; i++) {
    for (size_t k = 0; k < graph->output_count; k++) {
      bool found;
      FOV_FORWARD(
          try_outputs(graph, users, graph->outputs[i].value, graph->outputs[k].value, &found));
      if (found) return fov_status_ok;
    }
  }
  return fov_status_ok;
}
