// Fovea - images of random bytes, and sampling written down without regard to speed.
// SPDX-License-Identifier: Apache-2.0
#ifndef SAMPLING_ORACLE_H
#define SAMPLING_ORACLE_H

#include <string.h>

#include "fovea/core/fov_image.h"
#include "native_test.h"
#include "random_choices.h"

// A part of a stored image, turned and mirrored, that fills a part of an output.
typedef struct sampling_case {
  fov_pixel_range columns, rows;
  bool exchanged;                        // rows of the output run along columns of the image
  bool mirrored_columns, mirrored_rows;  // those of the output run against the image
  size_t width, height, channels;        // of the output
  fov_pixel_range content_columns, content_rows;
  uint8_t fill[3];
  fov_image_filter filter;
} sampling_case;

static const fov_pixel_format all_formats[] = {
    fov_pixel_format_rgb,  fov_pixel_format_bgr,  fov_pixel_format_rgba, fov_pixel_format_bgra,
    fov_pixel_format_gray, fov_pixel_format_nv12, fov_pixel_format_yuyv};

// An image of exactly the bytes that it needs, random also between the rows, which are `gap` bytes
// longer; now and then only the extremes 0 and 255.
fov_image image_make(fov_pixel_format format, size_t width, size_t height, size_t gap,
                     chance *chance);
// An image of at most `most` by `most` pixels, with any gap.
fov_image image_random(fov_pixel_format format, size_t most, chance *chance);
// One row of gray, which is borrowed.
fov_image image_gray(const uint8_t *row, size_t width);

// Red, green and blue, or gray, by the formulas of the header. Returns the number of channels.
size_t image_pixel(const fov_image *image, size_t x, size_t y, uint8_t *out_pixel);

// All of the image in all of the output.
sampling_case case_whole(const fov_image *image, size_t width, size_t height, size_t channels);
// Any part, orientation, padding.
sampling_case case_random(const fov_image *image, chance *chance);
// What the core is asked for.
fov_image_sampling case_sampling(const sampling_case *part, fov_instruction_set set);
// What it has to write.
uint8_t *case_expected(const sampling_case *part, const fov_image *image);

// Samples into memory of exactly the size that is needed.
uint8_t *sample(const fov_image *image, const fov_image_sampling *sampling);
// Checks by hand: the bytes are these.
void check_sample(const fov_image *image, const fov_image_sampling *sampling,
                  const uint8_t *expected);

// Every instruction set that this processor has gives the same bytes, which differ from the
// expected ones by at most `most`. Returns the share that does.
double check_case(const fov_image *image, const sampling_case *part, int most);
// Both directions of an image of the first size in an output of the second.
void check_both_directions(const fov_image *image, const size_t output[2], fov_image_filter filter,
                           int most);

#endif
