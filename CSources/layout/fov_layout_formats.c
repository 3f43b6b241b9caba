// Fovea - the layout pass: borders, distances between pixels, and views.
// SPDX-License-Identifier: Apache-2.0
#include "base/fov_alloc.h"
#include "base/fov_size.h"
#include "channels_last/fov_channels_last_operation_table.h"
#include "channels_last/fov_channels_last_transposed.h"
#include "layout/fov_layout_state.h"
#include "ops/fov_operation_table.h"

static bool is_channels_last(const fov_graph_value *value) {
  return value->format.arrangement == fov_arrangement_channels_last;
}

// MARK: distances

// Codes: with 16 channels or more, vectors of 16 begin at multiples of 16. 16-bit integers: the
// same, in bytes. Floats: pixels at a distance of a multiple of 256 bytes get 64 bytes more, since
// they would fall into few sets of the first cache.
static size_t pixel_distance(size_t channels, fov_data_type type) {
  if (type == fov_data_type_int16) return pixel_distance(2 * channels, fov_data_type_uint8) / 2;
  const size_t unit =
      type == fov_data_type_uint8 ? (channels < 16 ? 4 : 16) : (channels < 8 ? 4 : 8);
  const size_t pixel = fov_size_parts(channels, unit) * unit;
  return type == fov_data_type_float32 && pixel % 64 == 0 ? pixel + 16 : pixel;
}

static void set_distances(fov_graph *graph) {
  for (size_t v = 0; v < graph->value_count; v++) {
    fov_graph_value *value = &graph->values[v];
    if (!is_channels_last(value)) continue;
    value->format.pixel = pixel_distance(fov_shape_planes(&value->shape).channels, value->type);
  }
}

// MARK: borders

// Widens the border before and after `size` pixels to what windows cover.
static void widen_border(const fov_convolution *convolution, int axis, size_t size, size_t windows,
                         size_t *before, size_t *behind) {
  const size_t last = (windows - 1) * convolution->stride[axis] +
                      (convolution->kernel[axis] - 1) * convolution->dilation[axis] + 1;
  const size_t have = size + convolution->before[axis];
  *before = fov_size_max(*before, convolution->before[axis]);
  *behind = fov_size_max(*behind, last > have ? last - have : 0);
}

// `out`: what one convolution computes.
static void widen_border_of(fov_graph_value *input, const fov_channels_last_convolution *layer,
                            const fov_planes *out) {
  const fov_planes in = fov_shape_planes(&input->shape);
  const size_t windows = layer->pools ? 2 : 1;
  if (out->rows == 0 || out->columns == 0) return;
  widen_border(&layer->convolution, 0, in.rows, out->rows * windows, &input->format.top,
               &input->format.bottom);
  widen_border(&layer->convolution, 1, in.columns, out->columns * windows, &input->format.left,
               &input->format.right);
}

// A joint convolution reads nothing but the image.
static void widen_border_of_phases(fov_graph_value *input, const fov_shape *output,
                                   const fov_channels_last_transposed *layer) {
  for (size_t i = 0; i < fov_channels_last_phases(layer) && !layer->is_joint; i++) {
    const fov_planes out =
        fov_channels_last_planes_of(fov_channels_last_phase_part(layer, i), output);
    widen_border_of(input, layer->phases[i], &out);
  }
}

static void set_borders(fov_graph *graph) {
  for (size_t n = 0; n < graph->node_count; n++) {
    const fov_graph_node *node = &graph->nodes[n];
    fov_graph_value *input = &graph->values[node->inputs[0]];
    const fov_shape *output = &graph->values[node->output].shape;
    if (node->operation == &fov_operation_channels_last_convolution) {
      const fov_planes out = fov_shape_planes(output);
      widen_border_of(input, node->parameters, &out);
    }
    if (node->operation == &fov_operation_channels_last_transposed) {
      widen_border_of_phases(input, output, node->parameters);
    }
  }
}

// MARK: views

typedef struct views {
  fov_graph *graph;
  bool *is_taken;                 // (values,): its place is final
  const fov_graph_node **reader;  // (values,): the last concatenation that has it as a part
  const fov_graph_node **slice;   // (values,): the slice that writes it, or NULL
} views;

static size_t channels_of(const views *views, uint32_t value) {
  return fov_shape_planes(&views->graph->values[value].shape).channels;
}

static size_t first_channel(const views *views, const fov_graph_node *slice) {
  return fov_slice_first_channel(slice->parameters, &views->graph->values[slice->inputs[0]].shape);
}

// A part of a concatenation can be written directly into the result if a channels-last node writes
// it, and if it is no part of another value.
static bool may_be_view(const views *views, const fov_graph_node *concat, uint32_t part) {
  const fov_graph_value *values = views->graph->values;
  return values[part].kind == fov_value_result && !views->is_taken[part] &&
         values[part].format.measured == values[concat->output].format.measured;
}

// A value that is a part twice cannot be a view, since it has only one place.
static void keep_repeated(views *views, const fov_graph_node *concat) {
  for (size_t k = 0; k < concat->input_count; k++) {
    const uint32_t part = concat->inputs[k];
    if (views->reader[part] == concat) views->is_taken[part] = true;
    views->reader[part] = concat;
  }
}

static void take_border(fov_format *to, const fov_format *from) {
  to->top = fov_size_max(to->top, from->top);
  to->left = fov_size_max(to->left, from->left);
  to->bottom = fov_size_max(to->bottom, from->bottom);
  to->right = fov_size_max(to->right, from->right);
}

// A part of a concatenation: an input, or a value whose slices are all inputs, one after another.
// Blocks of today's detectors split a value, compute more from its last part, and join all.
typedef struct part {
  uint32_t value;
  size_t inputs;
} part;

static part part_at(const views *views, const fov_graph_node *concat, size_t k) {
  const part one = {concat->inputs[k], 1};
  const fov_graph_node *slice = views->slice[one.value];
  if (slice == NULL) return one;
  const part all = {slice->inputs[0], 0};
  size_t channel = 0, taken = 0;
  for (; k + taken < concat->input_count && channel < channels_of(views, all.value); taken++) {
    slice = views->slice[concat->inputs[k + taken]];
    if (!slice || slice->inputs[0] != all.value || first_channel(views, slice) != channel) {
      return one;
    }
    channel += channels_of(views, slice->output);
  }
  return channel == channels_of(views, all.value) ? (part){all.value, taken} : one;
}

// The value lies in memory of `whole`, from `channel` on.
static void set_view(fov_graph_value *value, const fov_graph_value *whole, uint32_t view_of,
                     size_t channel) {
  const fov_quantization quantization = value->format.quantization;
  value->is_view = true;
  value->view_of = view_of;
  value->format = whole->format;
  value->format.quantization = quantization;  // of its own channels
  value->format.channel = channel;
  value->format.is_view = true;
}

static void make_views(views *views, const fov_graph_node *concat) {
  fov_graph *graph = views->graph;
  keep_repeated(views, concat);
  fov_graph_value *whole = &graph->values[concat->output];
  for (size_t k = 0; k < concat->input_count;) {
    const part part = part_at(views, concat, k);
    k += part.inputs;
    if (!may_be_view(views, concat, part.value)) continue;
    fov_graph_value *value = &graph->values[part.value];
    value->is_view = true;
    value->view_of = concat->output;
    views->is_taken[part.value] = true;
    views->is_taken[concat->output] = true;  // it holds other values, so that it cannot move
    take_border(&whole->format, &value->format);
  }
  size_t channel = 0;
  for (size_t k = 0; k < concat->input_count;) {
    const part part = part_at(views, concat, k);
    k += part.inputs;
    fov_graph_value *value = &graph->values[part.value];
    if (value->is_view && value->view_of == concat->output) {
      set_view(value, whole, concat->output, channel);
    }
    channel += channels_of(views, part.value);
  }
}

// A slice is a view of its input, wherever that lies. Its border is the input's.
static void find_slices(views *views) {
  fov_graph *graph = views->graph;
  for (size_t n = graph->node_count; n-- > 0;) {
    const fov_graph_node *node = &graph->nodes[n];
    if (node->operation != &fov_operation_channels_last_slice) continue;
    views->slice[node->output] = node;
    views->is_taken[node->output] = true;
    take_border(&graph->values[node->inputs[0]].format, &graph->values[node->output].format);
  }
}

static void place_slices(const views *views) {
  fov_graph *graph = views->graph;
  for (size_t n = 0; n < graph->node_count; n++) {
    const fov_graph_node *node = &graph->nodes[n];
    if (node->operation != &fov_operation_channels_last_slice) continue;
    const fov_graph_value *whole = &graph->values[node->inputs[0]];
    set_view(&graph->values[node->output], whole, whole->is_view ? whole->view_of : node->inputs[0],
             whole->format.channel + first_channel(views, node));
  }
}

fov_status fov_layout_formats(fov_graph *graph, fov_diagnostic *diagnostic) {
  set_distances(graph);
  set_borders(graph);
  views views = {
      .graph = graph,
      .is_taken = fov_allocate_array(graph->value_count + 1, sizeof(bool)),
      .reader = fov_allocate_array(graph->value_count + 1, sizeof *views.reader),
      .slice = fov_allocate_array(graph->value_count + 1, sizeof *views.slice),
  };
  const bool complete = views.is_taken && views.reader && views.slice;
  if (complete) find_slices(&views);
  for (size_t n = 0; complete && n < graph->node_count; n++) {
    const fov_graph_node *node = &graph->nodes[n];
    if (node->operation == &fov_operation_channels_last_concat) make_views(&views, node);
  }
  if (complete) place_slices(&views);
  fov_release(views.slice);
  fov_release(views.is_taken);
  fov_release(views.reader);
  if (!complete) return fov_fail(diagnostic, fov_status_out_of_memory, "no memory for state");
  for (size_t v = 0; v < graph->value_count; v++) {
    const fov_graph_value *value = &graph->values[v];
    size_t bytes;
    if (fov_format_bytes(&value->format, &value->shape, value->type, &bytes)) continue;
    return fov_fail(diagnostic, fov_status_overflow, "an image with its border overflows");
  }
  return fov_status_ok;
}
