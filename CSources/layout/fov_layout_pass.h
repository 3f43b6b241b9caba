// Fovea - the layout pass: which operations work on channels-last images, and in which type.
// SPDX-License-Identifier: Apache-2.0
#ifndef FOV_LAYOUT_PASS_H
#define FOV_LAYOUT_PASS_H

#include "fovea/core/fov_model.h"
#include "graph/fov_graph_types.h"

// A folded graph has only planes of floats. The backends float32 and int8 keep images with their
// channels last, as floats or as codes of 8 bits. The pass decides this for every node and value.
// It inserts conversions between different kinds, and replaces operations by channels-last ones:
//
//   image -> conv -> pool -> conv -> reshape -> ...
//   bytes    \____ channels last ___/   |  planes
//                                  conversion
//
//   fov_layout_pass.c     which nodes are channels-last
//   fov_layout_state.c    what several steps ask about a node
//   fov_layout_rows.c     transpositions that copy rows of channels
//   fov_layout_shuffle.c  shuffles of channels
//   fov_layout_types.c    which values are codes, and what the codes mean
//   fov_layout_given.c    the same, where a file says it
//   fov_layout_fuse.c     pooling, residual sums, bounds, tables and curves move into convolutions
//   fov_layout_zeros.c    which codes have a zero point for each channel
//   fov_layout_emit.c     the new list of nodes, with conversions
//   fov_layout_formats.c  borders, distances; views: slices, and parts of concatenations
//
// int8 with ranges: values that channels-last operations read are codes. Their quantization follows
// from their ranges. Values that are only moved (pooling, concatenation, nearest neighbor) share a
// scale, and channels keep their zero points.
//
// Some convolutions are asked to multiply 16-bit integers (fov_int16_kernels.h). An integer
// convolution writes its result as 16-bit integers if only such convolutions read it. Other inputs
// of theirs are converted from floats.
//
// int8 of a file that says itself what the codes of values mean (fov_unary_quantized): see
// fov_layout_given.c. Ranges do not count then.
//
// int8 without ranges, or with dynamic ranges: values are floats. Each input of a convolution is
// quantized by its range in the frame.
typedef struct fov_layout_options {
  bool integer;                     // int8
  bool fuses;                       // not while ranges are measured
  bool keeps_codes;                 // weights of float convolutions stay the file's codes
  const char *const *float_layers;  // int8: labels of convolutions that stay in float
  size_t float_layer_count;
  const char *const *int16_layers;  // int8: the same, of those that multiply 16-bit integers
  size_t int16_layer_count;
  bool float_sums;  // int8: sums of bottlenecks stay in float (fov_layout_types.c)
  const fov_channel_summary *channels;  // known ranges, those of value v from first[v] on, or NULL
  const size_t *first;                  // (graph->value_count + 1,)
  bool dynamic_ranges;                  // int8: codes follow the frame, also with ranges
} fov_layout_options;

// Whether the file of a graph says what the codes of some values mean.
FOV_INTERNAL bool fov_graph_gives_codes(const fov_graph *graph);

FOV_INTERNAL fov_status fov_graph_assign_layouts(fov_graph *graph,
                                                 const fov_layout_options *options,
                                                 fov_diagnostic *diagnostic);

// The last step: borders, distances and views of all channels-last values. A compiled file holds
// the result of the other steps, so that reading it ends with this one.
FOV_INTERNAL fov_status fov_layout_formats(fov_graph *graph, fov_diagnostic *diagnostic);

#endif
