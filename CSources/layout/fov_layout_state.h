// Fovea - the state of the layout pass, which its steps share.
// SPDX-License-Identifier: Apache-2.0
#ifndef FOV_LAYOUT_STATE_H
#define FOV_LAYOUT_STATE_H

#include "channels_last/fov_channels_last_convolution.h"
#include "channels_last/fov_range.h"
#include "graph/fov_graph_users.h"
#include "layout/fov_layout_pass.h"

typedef struct fov_layout_node {
  bool channels_last;
  bool stays_float;                 // convolution: asked for
  bool wants_int16;                 // the same, or for weights that a file does not quantize
  uint32_t input;                   // convolution: what it reads, before conversions
  bool pools;                       // convolution: 2x2 maxima
  bool shuffles;                    // transpose: in the middle of a shuffle of channels
  bool follows_curve;               // it moves into a convolution, behind its curve
  fov_fused_activation activation;  // convolution, add
  bool rounded;                     // its result is the codes that the file gives
  float *factors;                   // convolution with activation.has_factors; owned
  fov_unary table;                  // convolution with activation.has_table
  uint32_t before_table;            // the value between the two
} fov_layout_node;

typedef struct fov_layout_value {
  bool channels_last;             // a channels-last node writes it
  bool codes;                     // ... as uint8
  bool known;                     // its range is known, so that it can be quantized
  bool given;                     // the file says what its codes mean
  uint32_t read_instead;          // itself, or a value with the same codes (fov_layout_fuse)
  fov_quantization quantization;  // of those codes
  bool in_stream;                 // sums of bottlenecks and what is added: never codes
  size_t int16_readers;           // convolutions that multiply it as 16-bit integers
  uint32_t group;                 // a value whose scale this one shares
  fov_range range;                // of the group, at its first value, as are the next three:
  bool wanted;                    // an operation is faster with codes
  bool has_one_zero;              // all channels have one zero point
  float width;                    // else: of the widest channel
} fov_layout_value;

typedef struct fov_layout_state {
  fov_graph *graph;
  const fov_layout_options *options;
  fov_diagnostic *diagnostic;
  bool has_given;            // int8: there are values with given codes
  fov_layout_node *nodes;    // (node_count,)
  fov_layout_value *values;  // (value_count,)
  fov_graph_users users;
} fov_layout_state;

// Whether a convolution multiplies integers: its sums fit.
FOV_INTERNAL bool fov_layout_is_integer(const fov_layout_state *state, const fov_graph_node *node);

// Whether it multiplies 16-bit integers: it is integer and dense, was asked to, and the range of
// its input is known.
FOV_INTERNAL bool fov_layout_is_int16(const fov_layout_state *state, const fov_graph_node *node);

// The scale of 16-bit integers of a value; 0 if its range is not known.
FOV_INTERNAL float fov_layout_int16_scale(const fov_layout_state *state, uint32_t value);

// The known ranges of the channels of a value, or NULL.
FOV_INTERNAL const fov_channel_summary *fov_layout_channels(const fov_layout_state *state,
                                                            uint32_t value);

// Whether codes follow from known ranges, and not from the frame.
FOV_INTERNAL bool fov_layout_has_fixed_codes(const fov_layout_state *state);

// The first value of the group of a value, after fov_layout_types.
FOV_INTERNAL fov_layout_value *fov_layout_group(const fov_layout_state *state, uint32_t value);

// Whether a channels-last node only moves codes: its output then has the quantization of its
// inputs.
FOV_INTERNAL bool fov_layout_only_moves(const fov_graph_node *node);

// Whether a node makes the values that the codes of a file can hold.
FOV_INTERNAL bool fov_layout_gives(const fov_graph_node *node);

// The node that writes the input of such a node, if it can write these codes instead; else NULL.
FOV_INTERNAL fov_graph_node *fov_layout_rounder(const fov_layout_state *state,
                                                const fov_graph_node *node);

// The codes of which a table of a function takes to given codes, at most one beside the right one.
// false: there are none.
FOV_INTERNAL bool fov_layout_table_input(const fov_unary *unary, fov_quantization result,
                                         fov_quantization *out_input);

// The codes of which a table of a function takes to codes of a calibration. They cover the part of
// the range `before` outside of which all results have one code.
FOV_INTERNAL fov_quantization fov_layout_table_range(const fov_unary *unary,
                                                     fov_quantization before,
                                                     fov_quantization result);

// Whether a convolution may write codes of this meaning.
FOV_INTERNAL bool fov_layout_writes(const fov_layout_state *state, const fov_graph_node *node,
                                    fov_quantization result);

// Whether the input of such a node has the same codes. The node is then removed, and read_instead
// of its output is the input.
FOV_INTERNAL bool fov_layout_skip(fov_layout_state *state, fov_graph_node *node);

// Whether a node is a product of two values. It reads and writes floats, unless it is a gate.
FOV_INTERNAL bool fov_layout_multiplies(const fov_graph_node *node);

// Whether a node gives channels factors and offsets behind the curve of a convolution, into which
// both move.
FOV_INTERNAL bool fov_layout_follows_curve(const fov_layout_state *state,
                                           const fov_graph_node *node);

// Whether it computes codes: its result and one input, `out_image`, are codes, and the other input
// is one pixel, the gate, which is floats.
FOV_INTERNAL bool fov_layout_gates(const fov_layout_state *state, const fov_graph_node *node,
                                   size_t *out_image);

// Whether a node transposes planes that are the rows of a channels-last image, to which it may copy
// them.
FOV_INTERNAL bool fov_layout_reads_rows(const fov_layout_state *state, const fov_graph_node *node);

// Makes a transposition of a channels-last value one that reads this value, and not its planes.
FOV_INTERNAL fov_status fov_layout_turn_to_rows(fov_layout_state *state, fov_graph_node *node);

// Marks the transpositions of shuffles of channels. Then makes the last node of a shuffle one that
// reads a channels-last value.
FOV_INTERNAL void fov_layout_note_shuffles(fov_layout_state *state);
FOV_INTERNAL fov_status fov_layout_shuffle(fov_layout_state *state, fov_graph_node *node);

FOV_INTERNAL void fov_layout_given(fov_layout_state *state);
FOV_INTERNAL void fov_layout_types(fov_layout_state *state);
FOV_INTERNAL fov_status fov_layout_fuse(fov_layout_state *state);
FOV_INTERNAL fov_status fov_layout_zeros(fov_layout_state *state);
FOV_INTERNAL fov_status fov_layout_emit(fov_layout_state *state);

#endif
