// Fovea - pixels of an image in any format as samples.
// SPDX-License-Identifier: Apache-2.0
#ifndef FOV_IMAGE_READER_H
#define FOV_IMAGE_READER_H

#include "fovea/core/fov_image.h"
#include "kernels/sampling/fov_sampling_kernels.h"

// Bytes of memory for `count` samples, to which kernels may add their slack.
#define FOV_READER_BYTES(count) ((count) + 3 * FOV_SAMPLING_SLACK)

typedef struct fov_image_reader {
  const fov_image *image;
  const fov_sampling_kernels *kernels;
  size_t channels;        // of the samples: 1 of a gray image, else 3
  bool blue_first;        // samples are blue, green, red: whoever writes the output turns them
  bool is_stored;         // samples lie in the image as they are read
  fov_yuv_matrix matrix;  // of words of full range: by their scale
  bool is_scalar;         // planes of words, or of red, green and blue
  uint8_t neutral[2];     // planes of gray images: a sample of U and V
} fov_image_reader;

// The image has been checked.
FOV_INTERNAL fov_image_reader fov_image_reader_make(const fov_image *image,
                                                    const fov_sampling_kernels *kernels);

// `count` pixels from `column` of a row into FOV_READER_BYTES(count * channels).
FOV_INTERNAL void fov_image_read_row(const fov_image_reader *reader, size_t row, size_t column,
                                     size_t count, uint8_t *out);

// Where the samples of a pixel lie, if is_stored.
static inline const uint8_t *fov_image_stored_samples(const fov_image_reader *reader, size_t row,
                                                      size_t column) {
  const fov_image *image = reader->image;
  return image->data + row * image->row_bytes + column * reader->channels;
}

#endif
