// Fovea - how the elements of an array lie in memory when they do not lie row-major.
// SPDX-License-Identifier: Apache-2.0
#ifndef FOV_FORMAT_H
#define FOV_FORMAT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/fov_archive.h"
#include "fovea/fov_types.h"
#include "tensor/fov_tensor.h"

// Packed operations keep pictures with their channels last and a border around them:
//
//        left     columns      right
//       +----+---------------+------+
//   top | b  |       b       |  b   |    every cell is a pixel of `pixel` elements; a border pixel
//       +----+---------------+------+    holds what stands for zero: 0.0f, or the zero point
//  rows | b  |  c0 c1 .. cn  |  b   |
//       +----+---------------+------+    pictures of a batch follow one another
// bottom| b  |       b       |  b   |
//       +----+---------------+------+
//
// With a border a convolution's tap is a constant distance in memory, whatever the output pixel.
// A value may be a view: a range of channels (`channel`) inside the pixels of a wider array, which
// is how a concatenation comes about without copying.
//
// Elements of a pixel behind the last channel are unspecified; weights are zero there.
typedef enum fov_arrangement {
  fov_arrangement_planar = 0,         // dense, row-major: [..., channels, rows, columns]
  fov_arrangement_channels_last = 1,
} fov_arrangement;

// real = (code - zero_point) * scale, codes in 0 ... 255.
typedef struct fov_quantization {
  float scale;
  int32_t zero_point;
} fov_quantization;

struct fov_format {
  fov_arrangement arrangement;
  size_t pixel;               // elements from one pixel to the next
  size_t channel;             // elements before channel 0 in its pixel
  bool is_view;               // elements around its channels in a pixel belong to others
  size_t top, left, bottom, right;
  bool measured;              // uint8: every frame has a quantization of its own
  fov_quantization quantization;  // uint8: what the codes mean, unless it is measured
};

// Bytes in front of the elements of a value whose quantization is measured in every frame; they
// hold a fov_quantization.
#define FOV_MEASURED_HEADER 64

// Vector loads may reach this far behind the last element.
#define FOV_FORMAT_SLACK 64

// One picture of a batch as kernels see it: channel 0 of pixel (0, 0), and distances in elements.
typedef struct fov_plane {
  void *data;
  ptrdiff_t row;
  ptrdiff_t pixel;
} fov_plane;

// Bytes of the storage of a value of this shape; false when they overflow.
FOV_INTERNAL bool fov_format_bytes(const fov_format *format, const fov_shape *shape,
                                   fov_data_type type, size_t *out_bytes);

FOV_INTERNAL fov_plane fov_format_plane(const fov_tensor *tensor, size_t picture);

// What the codes of a uint8 tensor mean in this frame; and the same set, where it is measured.
FOV_INTERNAL fov_quantization fov_format_quantization(const fov_tensor *tensor);
FOV_INTERNAL void fov_format_set_quantization(const fov_tensor *tensor,
                                              fov_quantization quantization);

// In a compiled file.
FOV_INTERNAL void fov_quantization_archive(fov_archive *archive, fov_quantization *quantization);

// Whether codes of it are what the kernels take for granted: a scale that divides, and a zero point
// that is a code.
FOV_INTERNAL bool fov_quantization_is_valid(fov_quantization quantization);

// Fills the border of every picture, in the channels of the tensor.
FOV_INTERNAL void fov_format_fill_border(const fov_tensor *tensor);

#endif
