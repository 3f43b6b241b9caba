// Fovea - writing a channels-last graph to a compiled file.
// SPDX-License-Identifier: Apache-2.0
#include "base/fov_alloc.h"
#include "compiled/fov_graph_archive.h"
#include "graph/fov_graph_check.h"

#define NO_NUMBER UINT32_MAX

// The number in the file of every value that is an input, or that a node or an output uses.
static size_t number_values(const fov_graph *graph, uint32_t *numbers) {
  for (size_t v = 0; v < graph->value_count; v++) {
    numbers[v] = graph->values[v].kind == fov_value_input ? 0 : NO_NUMBER;
  }
  for (size_t n = 0; n < graph->node_count; n++) {
    const fov_graph_node *node = &graph->nodes[n];
    for (size_t k = 0; k < node->input_count; k++) numbers[node->inputs[k]] = 0;
    numbers[node->output] = 0;
  }
  for (size_t i = 0; i < graph->output_count; i++) numbers[graph->outputs[i].value] = 0;
  size_t count = 0;
  for (size_t v = 0; v < graph->value_count; v++) {
    if (numbers[v] != NO_NUMBER) numbers[v] = (uint32_t)count++;
  }
  return count;
}

// When the graph is read, views get their formats from concatenations. Other values keep this one.
static void write_values(const fov_graph *graph, const uint32_t *numbers, size_t count,
                         fov_archive *archive) {
  fov_graph_archive_count(archive, count, FOV_MAXIMUM_VALUES);
  for (size_t v = 0; v < graph->value_count; v++) {
    fov_graph_value value = graph->values[v];
    if (numbers[v] != NO_NUMBER) fov_graph_archive_value(archive, &value);
  }
}

static fov_status write_node(const fov_graph_node *node, const uint32_t *numbers,
                             fov_archive *archive) {
  fov_diagnostic detail = {""};
  fov_diagnostic *diagnostic = archive->diagnostic;
  fov_graph_node copy = *node;
  copy.inputs = fov_allocate_copy(node->inputs, node->input_count * sizeof(uint32_t));
  if (!copy.inputs) return fov_fail(diagnostic, fov_status_out_of_memory, "no memory for a node");
  for (size_t k = 0; k < node->input_count; k++) copy.inputs[k] = numbers[node->inputs[k]];
  copy.output = numbers[node->output];
  archive->diagnostic = &detail;
  fov_graph_archive_node(archive, &copy);
  archive->diagnostic = diagnostic;
  fov_release(copy.inputs);
  if (archive->status == fov_status_ok) return fov_status_ok;
  return fov_graph_fail_node(node, archive->status, &detail, diagnostic);
}

static fov_status write_graph(const fov_graph *graph, uint32_t *numbers, fov_archive *archive) {
  const size_t count = number_values(graph, numbers);
  write_values(graph, numbers, count, archive);
  fov_graph_archive_count(archive, graph->node_count, FOV_MAXIMUM_VALUES);
  FOV_FORWARD(archive->status);
  for (size_t n = 0; n < graph->node_count; n++) {
    FOV_FORWARD(write_node(&graph->nodes[n], numbers, archive));
  }
  fov_graph_archive_count(archive, graph->output_count, FOV_MAXIMUM_PORTS);
  for (size_t i = 0; i < graph->output_count; i++) {
    fov_graph_output output = graph->outputs[i];
    output.value = numbers[output.value];
    fov_graph_archive_output(archive, &output);
  }
  return archive->status;
}

fov_status fov_graph_write(const fov_graph *graph, fov_archive *archive) {
  // A graph that could not be read again is not written.
  FOV_FORWARD(fov_graph_check_nodes(graph, archive->diagnostic));
  uint32_t *numbers = fov_allocate_array(graph->value_count, sizeof(uint32_t));
  if (!numbers) {
    return fov_fail(archive->diagnostic, fov_status_out_of_memory, "no memory for a graph");
  }
  const fov_status status = write_graph(graph, numbers, archive);
  fov_release(numbers);
  return status;
}
