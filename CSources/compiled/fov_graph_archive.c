// Fovea - the parts of a channels-last graph in a compiled file, in both directions.
// SPDX-License-Identifier: Apache-2.0
#include "compiled/fov_graph_archive.h"

#include "base/fov_alloc.h"
#include "base/fov_size.h"
#include "compiled/fov_operation_numbers.h"
#include "graph/fov_graph_check.h"

size_t fov_graph_archive_count(fov_archive *archive, size_t count, size_t greatest) {
  uint32_t number = (uint32_t)fov_size_min(count, UINT32_MAX);
  fov_archive_choice(archive, &number, (uint32_t)greatest);
  return number;
}

// MARK: values

static void archive_constant(fov_archive *archive, fov_graph_value *value) {
  const void *place = value->constant;
  fov_archive_block_in_place(archive, &place, fov_shape_count(&value->shape), sizeof(float));
  if (archive->writes) return;
  value->constant = (float *)place;  // never written to
  value->borrows = true;
}

// Any byte of a file is a valid zero point.
static void archive_zero_points(fov_archive *archive, fov_graph_value *value) {
  fov_quantization *quantization = &value->format.quantization;
  const void *place = quantization->zero_points;
  bool has_own = place != NULL;
  fov_archive_bool(archive, &has_own);
  if (!has_own) return;
  fov_archive_block_in_place(archive, &place, fov_shape_planes(&value->shape).channels, 1);
  quantization->zero_points = place;
}

void fov_graph_archive_value(fov_archive *archive, fov_graph_value *value) {
  FOV_ARCHIVE_ENUM(archive, value->kind, fov_value_result);
  FOV_ARCHIVE_ENUM(archive, value->type, fov_data_type_int16);
  FOV_ARCHIVE_ENUM(archive, value->format.arrangement, fov_arrangement_channels_last);
  fov_archive_bool(archive, &value->format.measured);
  fov_quantization_archive(archive, &value->format.quantization);
  fov_archive_shape(archive, &value->shape);
  if (fov_archive_reads(archive)) {
    archive->status = fov_graph_check_value(value, archive->diagnostic);
  }
  if (fov_format_has_codes(&value->format, value->type)) archive_zero_points(archive, value);
  if (value->kind == fov_value_input) fov_archive_text(archive, &value->name);
  if (value->kind == fov_value_constant) archive_constant(archive, value);
}

// MARK: nodes

static void archive_operation(fov_archive *archive, fov_graph_node *node) {
  uint32_t number = archive->writes ? fov_operation_number(node->operation) : 0;
  fov_archive_u32(archive, &number);
  node->operation = fov_operation_of_number(number);
  if (node->operation && node->operation->archive) return;
  fov_archive_fail(archive, archive->writes ? fov_status_unsupported : fov_status_invalid_file,
                   archive->writes ? "no compiled file can hold this operation"
                                   : "an operation that does not exist");
}

static void archive_inputs(fov_archive *archive, fov_graph_node *node) {
  node->input_count = fov_graph_archive_count(archive, node->input_count, FOV_MAXIMUM_INPUTS);
  if (fov_archive_reads(archive)) {
    node->inputs = fov_allocate_array(node->input_count, sizeof(uint32_t));
    if (!node->inputs) {
      fov_archive_fail(archive, fov_status_out_of_memory, "no memory for a node");
    }
  }
  if (archive->status != fov_status_ok) return;
  for (size_t k = 0; k < node->input_count; k++) fov_archive_u32(archive, &node->inputs[k]);
}

void fov_graph_archive_node(fov_archive *archive, fov_graph_node *node) {
  fov_archive_text(archive, &node->label);
  archive_operation(archive, node);
  archive_inputs(archive, node);
  fov_archive_u32(archive, &node->output);
  if (archive->status != fov_status_ok) return;
  if (!archive->writes) {
    node->parameters = fov_allocate(node->operation->parameter_bytes);
    if (!node->parameters) {
      fov_archive_fail(archive, fov_status_out_of_memory, "no memory for a node");
      return;
    }
  }
  node->operation->archive(archive, node->parameters);
}

void fov_graph_archive_output(fov_archive *archive, fov_graph_output *output) {
  fov_archive_u32(archive, &output->value);
  fov_archive_text(archive, &output->name);
}
