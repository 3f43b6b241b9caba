// Fovea - sampling an image into the input of a network.
// SPDX-License-Identifier: Apache-2.0
#ifndef FOV_IMAGE_H
#define FOV_IMAGE_H

#include "fovea/fov_status.h"
#include "fovea/fov_types.h"

#ifdef __cplusplus
extern "C" {
#endif

FOV_ASSUME_NONNULL_BEGIN

// MARK: Images

// How the bytes of a pixel lie in memory.
//
//   rgb, bgr     3 bytes
//   rgba, bgra   4 bytes; see fov_alpha
//   gray         1 byte
//   nv12         a plane of luma, a byte a pixel, and one of U V pairs, one for 2x2 pixels
//   yuyv         Y U Y V for 2 pixels that lie side by side
//
// Where the width or height is odd, the last pixels of nv12 and yuyv have a whole group of their own:
// ceil(width / 2) pairs a row, ceil(height / 2) rows of them.
typedef enum FOV_CLOSED_ENUM fov_pixel_format {
  fov_pixel_format_rgb = 0,
  fov_pixel_format_bgr = 1,
  fov_pixel_format_rgba = 2,
  fov_pixel_format_bgra = 3,
  fov_pixel_format_gray = 4,
  fov_pixel_format_nv12 = 5,
  fov_pixel_format_yuyv = 6,
} fov_pixel_format;

// What becomes of the fourth byte of rgba and bgra.
//
//   ignored    nothing: cameras and screens do not use it
//   straight   color over `background`: floor((c a + b (255 - a)) / 255 + 1/2). An image that is
//              multiplied by its alpha already is `ignored` over black.
typedef enum FOV_CLOSED_ENUM fov_alpha {
  fov_alpha_ignored = 0,
  fov_alpha_straight = 1,
} fov_alpha;

// What Y, U and V mean; (Kr, Kb) is (0.299, 0.114) in BT.601, (0.2126, 0.0722) in BT.709, Kg = 1 - Kr - Kb:
//
//   y = (Y - 16) 255/219 of video range, Y of full;   u = (U - 128) 255/224 or U - 128;   v alike
//   R = y + 2 (1 - Kr) v,   B = y + 2 (1 - Kb) u,   G = y - (2 Kb (1 - Kb) u + 2 Kr (1 - Kr) v) / Kg
//
// The factors are rounded to multiples of 2^-16, the sums to the nearest whole number, halves up, and
// kept in 0...255. A pixel takes the U and V of its group, without interpolation.
typedef enum FOV_CLOSED_ENUM fov_yuv_encoding {
  fov_yuv_encoding_bt601_video = 0,
  fov_yuv_encoding_bt601_full = 1,
  fov_yuv_encoding_bt709_video = 2,
  fov_yuv_encoding_bt709_full = 3,
} fov_yuv_encoding;

// An image of bytes, rows from the top. Borrowed.
typedef struct fov_image {
  fov_pixel_format format;
  const uint8_t *data;
  size_t data_bytes;        // to the end of the last row, of both planes
  size_t width, height;     // 1 ... 2^31 - 1
  size_t row_bytes;         // from row to row, at least the bytes of one
  size_t chroma_offset;     // nv12: where the U V pairs begin
  size_t chroma_row_bytes;  // nv12: from row to row of them, at least 2 ceil(width / 2)
  fov_alpha alpha;          // rgba, bgra
  uint8_t background[3];    // straight: red, green, blue
  fov_yuv_encoding yuv;     // nv12, yuyv
} fov_image;

// MARK: Sampling

// bilinear   the nearest four pixels, however many a pixel of the output covers
// area       where it covers more than one along an axis, all of them: a triangle twice as wide as what
//            it covers (Pillow's reducing BILINEAR). bilinear where it does so along neither axis.
typedef enum FOV_CLOSED_ENUM fov_image_filter {
  fov_image_filter_bilinear = 0,
  fov_image_filter_area = 1,
} fov_image_filter;

// x' = a x + b y + tx, y' = c x + d y + ty. Coordinates are continuous: pixel i covers [i, i + 1).
typedef struct fov_affine_map {
  double a, b, c, d, tx, ty;
} fov_affine_map;

// begin <= i < end
typedef struct fov_pixel_range {
  size_t begin, end;
} fov_pixel_range;

typedef struct fov_image_sampling {
  // From pixels of the output to pixels of the image as it is stored. Axes are aligned (b and c are 0)
  // or exchanged (a and d are 0); a negative factor mirrors.
  fov_affine_map map;
  fov_pixel_range source_columns, source_rows;    // of the image; not empty
  size_t width, height, channels;                 // of the output; channels 3: red, green, blue; or 1
  fov_pixel_range content_columns, content_rows;  // of the output; may be empty
  uint8_t fill[3];                                // of all other pixels; the first where channels is 1
  fov_image_filter filter;
  fov_instruction_set instruction_set;            // of the kernels; the bytes are the same
} fov_image_sampling;

// All of the image, bilinear, scaled independently along both axes; no padding.
fov_image_sampling fov_image_sampling_whole(const fov_image *image, size_t width, size_t height,
                                            size_t channels);

// All of the image at one scale along both axes: the rest of the output, half at each end, is `fill`.
// Boxes of objects are placed with the sampling's map.
fov_image_sampling fov_image_sampling_fit(const fov_image *image, size_t width, size_t height,
                                          size_t channels);

// The output is filled at one scale along both axes: what is too long of the image is cut off, half
// at each end.
fov_image_sampling fov_image_sampling_crop(const fov_image *image, size_t width, size_t height,
                                           size_t channels);

// Writes dense bytes [height, width, channels]: `fill`, and in the content the bytes of this computation:
//
//   1. Every pixel becomes red, green and blue (or stays gray) in 8 bits, the image is cut to the
//      source range and turned and mirrored as the map says. Pixels outside do not exist.
//   2. Along each axis pixel i of n of the content lies at
//        x(i) = (i + 0.5) * extent / n - 0.5 + origin,   clamped to [0, pixels - 1]
//      extent being the pixels that the content covers and origin where it begins, both rounded to
//      multiples of 2^-20: however an image is stored, what its maps mean is the same number.
//   3. bilinear: mixes of two neighbors along x, the mix of those along y, each low (1 - w) + high w,
//      w = x - floor(x); out = floor(mix + 0.5). All in double precision, no operation fused.
//      area: the mean of the pixels of weight 1 - |distance| / max(1, extent / n) in both axes, within
//      1 of the exactly rounded; where axes are exchanged perhaps by another 1 than where they are not.
//   4. Color becomes gray by 0.299 R + 0.587 G + 0.114 B, before the rounding; gray becomes color by
//      repetition.
//
// The same bytes on every machine and instruction set. Only pixels that are needed are converted.
// Image and output must not overlap. Allocates nothing; needs about 64 KiB of stack.
//
// invalid_argument: a size of 0, an enumerator that does not exist, channels other than 1 and 3, rows that
// overlap, a range that leaves its image, a map that is not finite, not axis-aligned or singular;
// buffer_too_small: data_bytes or out_bytes; overflow: a side above 2^31 - 1 or more than SIZE_MAX bytes;
// unsupported: an instruction set that this processor or build does not have. Nothing is written then.
FOV_NODISCARD fov_status fov_image_sample(const fov_image *image,
                                          const fov_image_sampling *sampling, uint8_t *out_data,
                                          size_t out_bytes);

FOV_ASSUME_NONNULL_END

#ifdef __cplusplus
}
#endif
#endif
