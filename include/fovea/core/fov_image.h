// Fovea - sampling an image into the input of a network.
// SPDX-License-Identifier: Apache-2.0
#ifndef FOV_IMAGE_H
#define FOV_IMAGE_H

#include "fovea/core/fov_status.h"
#include "fovea/core/fov_types.h"

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
//   nv12         a plane of luma, one byte a pixel, and a plane of U V pairs, one for 2x2 pixels
//   yuyv         Y U Y V for two pixels side by side
//   planar       three planes of samples anywhere in memory; see fov_sample_plane
//
// If the width or height of nv12 and yuyv is odd, the last pixels have a whole group of their own:
// ceil(width / 2) pairs in a row, and for nv12 ceil(height / 2) rows of pairs.
typedef enum FOV_CLOSED_ENUM fov_pixel_format {
  fov_pixel_format_rgb = 0,
  fov_pixel_format_bgr = 1,
  fov_pixel_format_rgba = 2,
  fov_pixel_format_bgra = 3,
  fov_pixel_format_gray = 4,
  fov_pixel_format_nv12 = 5,
  fov_pixel_format_yuyv = 6,
  fov_pixel_format_planar = 7,
} fov_pixel_format;

// The meaning of the fourth byte of rgba and bgra.
//
//   ignored    none: cameras and screens do not use it
//   straight   opacity: the pixel becomes floor((c a + b (255 - a)) / 255 + 1/2), where c is its
//              color and b is `background`. If colors are multiplied by alpha already, use
//              `ignored`: the image then lies over black.
typedef enum FOV_CLOSED_ENUM fov_alpha {
  fov_alpha_ignored = 0,
  fov_alpha_straight = 1,
} fov_alpha;

// How Y, U and V become colors. (Kr, Kb) is (0.299, 0.114) in BT.601, (0.2126, 0.0722) in BT.709
// and (0.2627, 0.0593) in BT.2020; Kg = 1 - Kr - Kb.
//
//   video range   y = (Y - 16) 255/219   u = (U - 128) 255/224   v likewise
//   full range    y = Y                  u = U - 128             v likewise
//
//   R = y + 2 (1 - Kr) v
//   B = y + 2 (1 - Kb) u
//   G = y - (2 Kb (1 - Kb) u + 2 Kr (1 - Kr) v) / Kg
//
// Factors are rounded to multiples of 2^-16, sums to the nearest whole number (halves up) in
// 0...255. All pixels of a group have its U and V; nothing is interpolated. Samples of n bits are
// divided by 2^(n - 8) first (video range), or by (2^n - 1) / 255 (full range).
//
// `rgb`, for planar images alone, says that the planes are red, green and blue.
typedef enum FOV_CLOSED_ENUM fov_yuv_encoding {
  fov_yuv_encoding_bt601_video = 0,
  fov_yuv_encoding_bt601_full = 1,
  fov_yuv_encoding_bt709_video = 2,
  fov_yuv_encoding_bt709_full = 3,
  fov_yuv_encoding_bt2020_video = 4,
  fov_yuv_encoding_bt2020_full = 5,
  fov_yuv_encoding_rgb = 6,
} fov_yuv_encoding;

// Samples of one component. Sample (x, y) lies at data + y row_bytes + x step. Planes may share
// memory: their samples may alternate.
typedef struct fov_sample_plane {
  const uint8_t *_Nullable data;
  size_t data_bytes;  // from `data` to the end of the last sample
  size_t row_bytes;   // from row to row, at least the bytes of one
  size_t step;        // from sample to sample: from the bytes of one to 8; that of U and V is one
} fov_sample_plane;

// An image of bytes, rows from the top. The bytes are borrowed.
typedef struct fov_image {
  fov_pixel_format format;
  const uint8_t *data;
  size_t data_bytes;        // up to the end of the last row, of the last plane
  size_t width, height;     // 1 ... 2^31 - 1
  size_t row_bytes;         // from row to row, at least the bytes of one
  size_t chroma_offset;     // nv12: where the U V pairs begin
  size_t chroma_row_bytes;  // nv12: from row to row of pairs, at least 2 ceil(width / 2)
  fov_alpha alpha;          // rgba, bgra
  uint8_t background[3];    // straight: red, green, blue
  fov_yuv_encoding yuv;     // nv12, yuyv, planar
  // planar, whose `data`, `data_bytes` and `row_bytes` are not read:
  fov_sample_plane planes[3];  // Y, U, V or red, green, blue; gray without data in the others
  uint8_t chroma_shifts[2];  // U and V have one sample for 2^[0] columns and 2^[1] rows; at most 2
  uint8_t sample_bits;       // 8, or 9...16 for the low bits of little-endian words of 16
} fov_image;

// MARK: Sampling

// How the pixels of the image are mixed into a pixel of the output.
//
//   bilinear   the nearest four, however many the output pixel covers
//   area       along an axis where the output pixel covers more than one: all that it covers,
//              weighted by a triangle twice as wide (as Pillow's reducing BILINEAR). Otherwise as
//              bilinear.
typedef enum FOV_CLOSED_ENUM fov_image_filter {
  fov_image_filter_bilinear = 0,
  fov_image_filter_area = 1,
} fov_image_filter;

// The map x' = a x + b y + tx, y' = c x + d y + ty. Coordinates are continuous: pixel i covers
// [i, i + 1).
typedef struct fov_affine_map {
  double a, b, c, d, tx, ty;
} fov_affine_map;

// The pixels begin <= i < end.
typedef struct fov_pixel_range {
  size_t begin, end;
} fov_pixel_range;

// Which part of an image fills which part of an output, and how. fov_image_sampling_whole, _fit and
// _crop make the usual ones; change their fields as you need.
typedef struct fov_image_sampling {
  // From pixels of the output to pixels of the image as it is stored. Axes are aligned (b and c are
  // 0) or exchanged (a and d are 0); a negative factor mirrors.
  fov_affine_map map;
  fov_pixel_range source_columns, source_rows;    // the part of the image that is read; not empty
  size_t width, height, channels;                 // of the output; channels: 3 (red first) or 1
  fov_pixel_range content_columns, content_rows;  // where the output shows it; may be empty
  uint8_t fill[3];                                // the color of the rest; the first if gray
  fov_image_filter filter;
  fov_instruction_set instruction_set;  // of the kernels; no effect on the result
} fov_image_sampling;

// The whole image fills the output: both axes are scaled independently. Bilinear.
fov_image_sampling fov_image_sampling_whole(const fov_image *image, size_t width, size_t height,
                                            size_t channels);

// The whole image at one scale along both axes. The rest of the output, half at each end, is black.
fov_image_sampling fov_image_sampling_fit(const fov_image *image, size_t width, size_t height,
                                          size_t channels);

// The image at one scale along both axes fills the output. What is too long is cut off, half at
// each end.
fov_image_sampling fov_image_sampling_crop(const fov_image *image, size_t width, size_t height,
                                           size_t channels);

// Writes an output of dense bytes [height, width, channels]. Pixels outside the content are `fill`.
// The content is computed like this:
//
//   1. Every pixel becomes red, green and blue (or stays gray) in 8 bits. The image is cut to the
//      source range, and turned and mirrored as the map says. Pixels outside do not exist.
//   2. Along each axis, pixel i of the n pixels of the content lies at
//        x(i) = (i + 0.5) * extent / n - 0.5 + origin,   clamped to [0, pixels - 1]
//      The content covers `extent` pixels of the image from `origin` on. Both are rounded to
//      multiples of 2^-20, so that the result does not depend on how an image is stored.
//   3. bilinear: two neighbors along x are mixed, then two such mixes along y:
//        low (1 - w) + high w,   w = x - floor(x),   out = floor(mix + 0.5)
//      All in double precision; no operation is fused.
//      area: the mean of pixels with the weight 1 - |distance| / max(1, extent / n) along both
//      axes, within 1 of the exactly rounded value. If axes are exchanged, it may differ by 1 more.
//   4. Color becomes gray by 0.299 R + 0.587 G + 0.114 B, before rounding. Gray becomes color by
//      repetition.
//
// The bytes are the same on every machine and instruction set. Only pixels that are needed are
// converted. Image and output must not overlap. Allocates nothing; needs about 64 KiB of stack.
//
// A call that fails writes nothing.
// invalid_argument: a size of 0, an enumerator that does not exist, channels other than 1 and 3,
// rows that overlap, a range that leaves its image, a map that is not finite, not axis-aligned or
// singular;
// buffer_too_small: data_bytes or out_bytes; overflow: a side above 2^31 - 1 or more than SIZE_MAX
// bytes;
// unsupported: an instruction set that this processor or build does not have.
FOV_NODISCARD fov_status fov_image_sample(const fov_image *image,
                                          const fov_image_sampling *sampling, uint8_t *out_data,
                                          size_t out_bytes);

FOV_ASSUME_NONNULL_END

#ifdef __cplusplus
}
#endif
#endif
