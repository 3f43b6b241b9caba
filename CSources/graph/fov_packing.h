// Fovea - what the steps of packing hand to one another.
// SPDX-License-Identifier: Apache-2.0
#ifndef FOV_PACKING_H
#define FOV_PACKING_H

#include "graph/fov_graph_users.h"
#include "graph/fov_pack.h"
#include "packed/fov_packed_convolution.h"
#include "packed/fov_range.h"

typedef struct fov_packing_node {
  bool packed;
  bool stays_float;          // convolution: asked for
  bool wants_words;          // the same
  uint32_t input;            // convolution: what it reads, before conversions
  bool pools;                // convolution: 2x2 maxima
  fov_packed_finish finish;  // convolution, add
  fov_unary table;           // convolution with finish.has_table
  uint32_t before_table;     // the value between the two
} fov_packing_node;

typedef struct fov_packing_value {
  bool packed;                    // a packed node writes it
  bool codes;                     // ... as uint8
  bool known;                     // its range is, so that anybody can make codes of it
  fov_quantization quantization;  // of those codes
  bool in_stream;                 // sums of bottlenecks and what is added: never codes
  size_t word_readers;            // convolutions that multiply it as words
  uint32_t group;                 // a value whose scale this one shares
  fov_range range;                // of the group, at its first value, as are the next three:
  bool wanted;                    // somebody profits from codes
  bool has_one_zero;              // all channels have one zero point
  float width;                    // else: of the widest channel
} fov_packing_value;

typedef struct fov_packing {
  fov_graph *graph;
  const fov_pack_options *options;
  fov_diagnostic *diagnostic;
  fov_packing_node *nodes;    // (node_count,)
  fov_packing_value *values;  // (value_count,)
  fov_graph_users users;
} fov_packing;

// The bounds and the slope of an activation that convolutions apply themselves; false for others.
FOV_INTERNAL bool fov_pack_finish(const fov_unary *unary, fov_packed_finish *out_finish);

// Whether a convolution multiplies integers: its sums fit.
FOV_INTERNAL bool fov_pack_is_integer(const fov_packing *packing, const fov_graph_node *node);

// Whether it multiplies words: an integer one that is asked to, dense, of an input whose range is known.
FOV_INTERNAL bool fov_pack_is_words(const fov_packing *packing, const fov_graph_node *node);

// What words of a value mean; 0 where its range is not known.
FOV_INTERNAL float fov_pack_word_scale(const fov_packing *packing, uint32_t value);

// What is known of the channels of a value, or NULL.
FOV_INTERNAL const fov_channel_range *fov_pack_channels(const fov_packing *packing, uint32_t value);

// Whether the codes of activations follow from those, and not from the frame.
FOV_INTERNAL bool fov_pack_has_fixed_codes(const fov_packing *packing);

// The first value of the group of a value, after fov_pack_types.
FOV_INTERNAL fov_packing_value *fov_packing_group(const fov_packing *packing, uint32_t value);

// Whether a packed node only moves codes, so that its output has the quantization of its inputs.
FOV_INTERNAL bool fov_pack_only_moves(const fov_graph_node *node);

FOV_INTERNAL void fov_pack_types(fov_packing *packing);
FOV_INTERNAL fov_status fov_pack_fuse(fov_packing *packing);
FOV_INTERNAL fov_status fov_pack_zeros(fov_packing *packing);
FOV_INTERNAL fov_status fov_pack_emit(fov_packing *packing);
FOV_INTERNAL fov_status fov_pack_formats(fov_graph *graph, fov_diagnostic *diagnostic);

#endif
