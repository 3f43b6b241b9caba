// Fovea - how the elements of an array lie in memory when they do not lie row-major.
// SPDX-License-Identifier: Apache-2.0
#ifndef FOV_FORMAT_H
#define FOV_FORMAT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/fov_archive.h"
#include "fovea/core/fov_types.h"
#include "tensor/fov_tensor.h"

// Channels-last operations keep images with their channels last and a border around them:
//
//        left     columns      right
//       +----+---------------+------+
//   top | b  |       b       |  b   |    every cell is a pixel of `pixel` elements; a border pixel
//       +----+---------------+------+    holds what stands for zero: 0.0f, or zero points
//  rows | b  |  c0 c1 .. cn  |  b   |
//       +----+---------------+------+    images of a batch follow one another
// bottom| b  |       b       |  b   |
//       +----+---------------+------+
//
// Thanks to the border, a tap of a convolution is at the same distance from every output pixel. A
// value may be a view: a range of channels (`channel`) inside the pixels of a wider array. So a
// concatenation needs no copies.
//
// Elements of a pixel behind its last channel have any value. The weights for them are zero.
typedef enum fov_arrangement {
  fov_arrangement_planar = 0,  // dense, row-major: [..., channels, rows, columns]
  fov_arrangement_channels_last = 1,
} fov_arrangement;

// real = (code - zero point) * scale, codes in 0 ... 255.
//
// A value has one scale, since kernels multiply sums over many channels by one number. Each channel
// may have its own zero point. This costs no time, since zero points only add a constant to a sum
// of products. It saves precision: channels of linear layers and of leaky activations often lie
// far to one side of zero. One zero point for all must cover the lowest and the highest channel:
//
//   one for all     -10 [====== channel 0 ======|                         ] 10    256 codes for 20
//                       [                       |====== channel 1 ======= ]
//
//   one a channel   -10 [================= channel 0 ===================|=]  1    256 codes for 11
//                    -1 [=|================== channel 1 ==================] 10
//
// With a zero point for each channel, the widest channel alone sets the scale. The range of each
// channel lies in the middle of the codes, which leaves room on both sides for elements that the
// calibration did not see.
//
// Some convolutions read 16-bit integers (fov_int16_kernels.h). They have such a scale, but
// no zero point, since they are signed and fine enough.
//
// Operations that only move codes keep the zero point of each channel: maxima and averages within a
// channel, concatenation, nearest neighbors. Operations with one table or one bound for all
// channels need one zero point for all: functions of one element, sums outside of convolutions,
// results with bounds. layout/fov_layout_zeros.c decides.
typedef struct fov_quantization {
  float scale;
  int32_t zero_point;          // of all channels, unless
  const uint8_t *zero_points;  // each has its own: (channels,), borrowed; else NULL
} fov_quantization;

static inline int32_t fov_quantization_zero(fov_quantization quantization, size_t channel) {
  return quantization.zero_points ? quantization.zero_points[channel] : quantization.zero_point;
}

// The zero point of one channel.
static inline fov_quantization fov_quantization_of_channel(fov_quantization quantization,
                                                           size_t channel) {
  return (fov_quantization){quantization.scale, fov_quantization_zero(quantization, channel), NULL};
}

struct fov_format {
  fov_arrangement arrangement;
  size_t pixel;    // elements from one pixel to the next
  size_t channel;  // elements before channel 0 in its pixel
  bool is_view;    // elements around its channels in a pixel belong to others
  size_t top, left, bottom, right;
  bool measured;                  // uint8: every frame has a quantization of its own
  fov_quantization quantization;  // uint8, int16: what the codes mean, unless it is measured
};

// Whether elements of this type are codes of a known quantization.
static inline bool fov_format_has_codes(const fov_format *format, fov_data_type type) {
  return format->arrangement == fov_arrangement_channels_last && type == fov_data_type_uint8 &&
         !format->measured;
}

// Bytes in front of the elements of a value whose quantization is measured in every frame; they
// hold a fov_quantization.
#define FOV_MEASURED_HEADER 64

// Bytes behind the last element that vector loads may read.
#define FOV_FORMAT_SLACK 64

// One image of a batch as kernels see it: channel 0 of pixel (0, 0), and distances in elements.
typedef struct fov_plane {
  void *data;
  ptrdiff_t row;
  ptrdiff_t pixel;
} fov_plane;

// Bytes of the storage of a value of this shape; false when they overflow.
FOV_INTERNAL bool fov_format_bytes(const fov_format *format, const fov_shape *shape,
                                   fov_data_type type, size_t *out_bytes);

FOV_INTERNAL fov_plane fov_format_plane(const fov_tensor *tensor, size_t image);

// What the codes of a uint8 tensor mean in this frame; and the same set, where it is measured.
FOV_INTERNAL fov_quantization fov_format_quantization(const fov_tensor *tensor);
FOV_INTERNAL void fov_format_set_quantization(const fov_tensor *tensor,
                                              fov_quantization quantization);

// In a compiled file, with one zero point. The caller archives zero points of channels.
FOV_INTERNAL void fov_quantization_archive(fov_archive *archive, fov_quantization *quantization);

// Whether the quantization is valid: a scale that one can divide by, and a zero point that is a
// code.
FOV_INTERNAL bool fov_quantization_is_valid(fov_quantization quantization);

// Fills pixels of a row with zeros, in the channels of the tensor. `pixel`: channel 0 of the first.
FOV_INTERNAL void fov_format_fill_pixels(const fov_tensor *tensor, void *pixel, size_t count);

// Fills the border of every image, in the channels of the tensor.
FOV_INTERNAL void fov_format_fill_border(const fov_tensor *tensor);

#endif
