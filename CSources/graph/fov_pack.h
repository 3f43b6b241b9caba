// Fovea - packing: which operations work on channels-last pictures, and in which type.
// SPDX-License-Identifier: Apache-2.0
#ifndef FOV_PACK_H
#define FOV_PACK_H

#include "fovea/fov_model.h"
#include "graph/fov_graph_types.h"

// A folded graph knows planes of floats only. The engine's backends keep pictures with their channels
// last, as floats or as codes of 8 bits. Packing decides for every node and value, puts conversions
// where the kinds meet, and replaces operations by packed ones:
//
//   image -> conv -> pool -> conv -> reshape -> ...
//   bytes    \____ channels last ___/   |  planes
//                                     unpack
//
//   fov_pack.c          which nodes are packed
//   fov_pack_types.c    which values are codes, and what the codes mean
//   fov_pack_fuse.c     pooling, residual sums, bounds and tables move into convolutions
//   fov_pack_zeros.c    which codes have a zero point for each channel
//   fov_pack_emit.c     the new list of nodes, with conversions
//   fov_pack_formats.c  borders, distances, views into concatenations
//
// int8 with ranges: values that packed operations read are codes, with the quantization of their
// ranges. Values that are only moved (pooling, concatenation, nearest neighbour) share a scale, and
// channels keep their zero points.
// Convolutions that are asked to multiply words (kernels/fov_word_kernels.h) read what an integer convolution in front
// of them writes as words where nobody else reads it, and else a conversion; who writes its input writes floats, unless
// others want codes.
// int8 without, or told to measure: values are floats, and each input of a convolution is quantized by its
// range in the frame.
typedef struct fov_pack_options {
  bool integer;                       // int8
  bool fuses;                         // not while ranges are measured
  bool keeps_codes;                   // weights of float convolutions stay the file's codes
  const char *float_layers;           // int8: labels of convolutions that stay in float, one a line, or NULL
  const char *int16_layers;           // int8: the same, of those that multiply words of 16 bits
  bool float_sums;                    // int8: sums of bottlenecks stay in float (fov_pack_types.c)
  const fov_channel_range *channels;  // what is known of them, those of value v from first[v] on, or NULL
  const size_t *first;                // (graph->value_count + 1,)
  bool measures_frames;               // int8: codes follow the frame, whatever is known
} fov_pack_options;

FOV_INTERNAL fov_status fov_graph_pack(fov_graph *graph, const fov_pack_options *options,
                                       fov_diagnostic *diagnostic);

#endif
