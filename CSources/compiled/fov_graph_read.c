// Fovea - reading a channels-last graph from an untrusted compiled file.
// SPDX-License-Identifier: Apache-2.0
#include <string.h>

#include "base/fov_alloc.h"
#include "base/fov_grow.h"
#include "compiled/fov_graph_archive.h"
#include "graph/fov_graph_check.h"
#include "layout/fov_layout_pass.h"

typedef struct reading {
  fov_archive *archive;
  fov_graph *graph;
  fov_diagnostic *diagnostic;
  bool *written;  // (values,): whether a node has written the value
} reading;

static fov_status refuse(const reading *reading, const char *what) {
  return fov_fail(reading->diagnostic, fov_status_invalid_file, "%s", what);
}

static fov_status without_memory(const reading *reading) {
  return fov_fail(reading->diagnostic, fov_status_out_of_memory, "no memory for a graph");
}

// MARK: values

// Each value takes bytes of the file, so that the array grows no faster than the file is read.
static fov_status read_values(reading *reading) {
  fov_graph *graph = reading->graph;
  const size_t count = fov_graph_archive_count(reading->archive, 0, FOV_MAXIMUM_VALUES);
  for (size_t v = 0; v < count; v++) {
    if (!fov_grow((void **)&graph->values, v, &graph->value_capacity, sizeof *graph->values)) {
      return without_memory(reading);
    }
    graph->values[v] = (fov_graph_value){0};
    graph->value_count = v + 1;
    fov_graph_archive_value(reading->archive, &graph->values[v]);
    FOV_FORWARD(reading->archive->status);
  }
  return reading->archive->status;
}

static fov_status check_input_names(const reading *reading) {
  const fov_graph *graph = reading->graph;
  const char *names[FOV_MAXIMUM_PORTS];
  size_t count = 0;
  for (size_t v = 0; v < graph->value_count; v++) {
    if (graph->values[v].kind != fov_value_input) continue;
    if (count == FOV_MAXIMUM_PORTS) return refuse(reading, "too many inputs");
    for (size_t i = 0; i < count; i++) {
      if (strcmp(names[i], graph->values[v].name) == 0) {
        return refuse(reading, "two inputs have one name");
      }
    }
    names[count++] = graph->values[v].name;
  }
  return fov_status_ok;
}

static fov_status begin_values(reading *reading) {
  FOV_FORWARD(read_values(reading));
  FOV_FORWARD(check_input_names(reading));
  const fov_graph *graph = reading->graph;
  reading->written = fov_allocate_array(graph->value_count, sizeof(bool));
  if (!reading->written) return without_memory(reading);
  for (size_t v = 0; v < graph->value_count; v++) {
    reading->written[v] = graph->values[v].kind != fov_value_result;
  }
  return fov_status_ok;
}

// MARK: nodes

static bool is_written(const reading *reading, uint32_t value) {
  return value < reading->graph->value_count && reading->written[value];
}

static fov_status check_wiring(reading *reading, const fov_graph_node *node,
                               fov_diagnostic *diagnostic) {
  for (size_t k = 0; k < node->input_count; k++) {
    if (is_written(reading, node->inputs[k])) continue;
    return fov_fail(diagnostic, fov_status_invalid_file,
                    "input %zu is value %u, which nothing has written", k, node->inputs[k]);
  }
  if (node->output >= reading->graph->value_count || reading->written[node->output]) {
    return fov_fail(diagnostic, fov_status_invalid_file,
                    "the output is value %u, which is none or written before", node->output);
  }
  reading->written[node->output] = true;
  return fov_status_ok;
}

// `detail`: what the message says after the layer's name.
static fov_status read_node(reading *reading, fov_graph_node *node, fov_diagnostic *detail) {
  fov_archive *archive = reading->archive;
  archive->diagnostic = detail;
  fov_graph_archive_node(archive, node);
  archive->diagnostic = reading->diagnostic;
  FOV_FORWARD(archive->status);
  FOV_FORWARD(check_wiring(reading, node, detail));
  FOV_FORWARD(fov_graph_check_node(reading->graph, node, detail));
  return fov_graph_restore_node(reading->graph, node, detail);
}

// Every node writes a value of its own. So there are no more nodes than values.
static fov_status read_nodes(reading *reading) {
  fov_graph *graph = reading->graph;
  const size_t count = fov_graph_archive_count(reading->archive, 0, graph->value_count);
  FOV_FORWARD(reading->archive->status);
  for (size_t n = 0; n < count; n++) {
    if (!fov_grow((void **)&graph->nodes, n, &graph->node_capacity, sizeof *graph->nodes)) {
      return without_memory(reading);
    }
    fov_graph_node *node = &graph->nodes[n];
    *node = (fov_graph_node){0};
    graph->node_count = n + 1;
    fov_diagnostic detail = {""};
    const fov_status status = read_node(reading, node, &detail);
    if (status == fov_status_ok) continue;
    return fov_fail(reading->diagnostic, status, "%s \"%.80s\" (%zu): %.160s",
                    node->operation ? node->operation->name : "node",
                    node->label ? node->label : "", n, detail.message);
  }
  return fov_status_ok;
}

// MARK: outputs

static bool has_output_named(const fov_graph *graph, const char *name) {
  for (size_t i = 0; i + 1 < graph->output_count; i++) {
    if (strcmp(graph->outputs[i].name, name) == 0) return true;
  }
  return false;
}

static fov_status read_outputs(reading *reading) {
  fov_graph *graph = reading->graph;
  const size_t count = fov_graph_archive_count(reading->archive, 0, FOV_MAXIMUM_PORTS);
  for (size_t i = 0; i < count; i++) {
    if (!fov_grow((void **)&graph->outputs, i, &graph->output_capacity, sizeof *graph->outputs)) {
      return without_memory(reading);
    }
    fov_graph_output *output = &graph->outputs[i];
    *output = (fov_graph_output){0};
    graph->output_count = i + 1;
    fov_graph_archive_output(reading->archive, output);
    FOV_FORWARD(reading->archive->status);
    if (!is_written(reading, output->value)) return refuse(reading, "an output is no value");
    const fov_graph_value *value = &graph->values[output->value];
    if (value->type != fov_data_type_float32 ||
        value->format.arrangement != fov_arrangement_planar) {
      return refuse(reading, "an output is no plane of floats");
    }
    if (has_output_named(graph, output->name)) return refuse(reading, "two outputs have one name");
  }
  return reading->archive->status;
}

static fov_status read_graph(reading *reading) {
  FOV_FORWARD(begin_values(reading));
  FOV_FORWARD(read_nodes(reading));
  FOV_FORWARD(read_outputs(reading));
  fov_archive_end(reading->archive);
  FOV_FORWARD(reading->archive->status);
  return fov_layout_formats(reading->graph, reading->diagnostic);
}

fov_status fov_graph_read(fov_archive *archive, fov_graph **out_graph) {
  reading reading = {.archive = archive, .diagnostic = archive->diagnostic};
  *out_graph = NULL;
  if (fov_graph_create(&reading.graph) != fov_status_ok) return without_memory(&reading);
  const fov_status status = read_graph(&reading);
  fov_release(reading.written);
  if (status != fov_status_ok) {
    fov_graph_destroy(reading.graph);
    return status;
  }
  *out_graph = reading.graph;
  return fov_status_ok;
}
