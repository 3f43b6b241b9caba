// Fovea - pixels in memory, and pictures that are decoded, drawn on and encoded.
// SPDX-License-Identifier: Apache-2.0
#ifndef FOVEA_PICTURE_H
#define FOVEA_PICTURE_H

#include "fovea/fovea_base.h"

#ifdef __cplusplus
extern "C" {
#endif

// MARK: Pixels

typedef enum fovea_pixel_format {
  fovea_pixel_format_rgb = 0,  // 3 bytes
  fovea_pixel_format_bgr = 1,
  fovea_pixel_format_rgba = 2,  // 4 bytes
  fovea_pixel_format_bgra = 3,
  fovea_pixel_format_gray = 4,  // 1 byte
  fovea_pixel_format_nv12 = 5,  // a plane of luma, and a plane of U V pairs, one for 2x2 pixels
  fovea_pixel_format_yuyv = 6   // Y U Y V for two pixels side by side
} fovea_pixel_format;

typedef enum fovea_alpha {
  fovea_alpha_ignored = 0,
  fovea_alpha_composed = 1  // straight alpha, over `background`
} fovea_alpha;

typedef enum fovea_yuv {
  fovea_yuv_bt601_video = 0,
  fovea_yuv_bt601_full = 1,
  fovea_yuv_bt709_video = 2,
  fovea_yuv_bt709_full = 3
} fovea_yuv;

// Pixels in memory, rows from the top. The bytes are borrowed for the time of a call, and read
// where they lie.
typedef struct fovea_pixels {
  size_t size;
  int32_t format;            // fovea_pixel_format
  int32_t alpha;             // rgba, bgra: fovea_alpha
  int32_t yuv;               // nv12, yuyv: fovea_yuv
  uint8_t background[4];     // composed: red, green, blue
  int64_t width, height;     // 1 ... 2^31 - 1
  int64_t row_bytes;         // from row to row; 0: without gaps
  int64_t chroma_offset;     // nv12: where the U V pairs begin; 0: behind the luma
  int64_t chroma_row_bytes;  // nv12: from row to row of pairs; 0: without gaps
  const void *data;
  size_t byte_count;  // of data, up to the end of the last row
} fovea_pixels;

// rgb without pixels. size: sizeof(fovea_pixels).
void fovea_pixels_init(fovea_pixels *pixels, size_t size);

// MARK: Pictures

// A decoded picture, upright, in memory of its own.
typedef struct fovea_picture fovea_picture;

// Reads an image file of any format and turns it upright: as it says, or as orientation (1...8)
// does; 0 for what it says. file, invalid_picture, unsupported, invalid_argument (orientation).
FOVEA_NODISCARD fovea_status fovea_picture_open(const char *path, int32_t orientation,
                                                fovea_picture **out_picture, char **out_message);

// The same for the bytes of such a file.
FOVEA_NODISCARD fovea_status fovea_picture_decode(const void *bytes, size_t byte_count,
                                                  int32_t orientation, fovea_picture **out_picture,
                                                  char **out_message);

// Copies pixels of any format, and turns them upright. invalid_argument, buffer_too_small.
FOVEA_NODISCARD fovea_status fovea_picture_copy(const fovea_pixels *pixels, int32_t orientation,
                                                fovea_picture **out_picture, char **out_message);

// The pixels as rgb without gaps. Borrowed from the picture; NULL for a closed one.
const fovea_pixels *fovea_picture_pixels(const fovea_picture *picture);

// NULL and closed pictures are allowed.
void fovea_picture_close(fovea_picture *picture);

// MARK: Drawing

// A key point of an object.
typedef struct fovea_keypoint {
  size_t size;
  const char *name;  // such as "left_wrist"
  double x, y;       // pixels of the upright picture, from its upper left; may lie outside
  float confidence;  // 0...1; 1 where the network does not say
  int32_t reserved;
} fovea_keypoint;

// A box with a label.
typedef struct fovea_box {
  size_t size;
  const char *label;           // UTF-8; NULL for none
  int32_t class_index;         // chooses the color; -1: the label does
  float confidence;            // 0...1, written in percent; NaN: not written
  double x, y, width, height;  // pixels of the upright picture, from its upper left
  // Programs older than these members give a smaller size.
  const double *corners;    // x and y of four corners that are drawn for the box; NULL: none
  const char *mask_counts;  // COCO's compressed run lengths of the picture; NULL: no mask
  size_t keypoint_count;
  const fovea_keypoint *keypoints;  // keypoints->size bytes apart
} fovea_box;

// Makes a new picture with boxes drawn upon it, as `fovea detect --draw` does, by cairo. boxes:
// box_count structures, boxes->size bytes apart. unsupported: a build without drawing, or a machine
// without cairo.
FOVEA_NODISCARD fovea_status fovea_picture_draw(const fovea_picture *picture,
                                                const fovea_box *boxes, size_t box_count,
                                                fovea_picture **out_picture, char **out_message);

// How wide lines and how high letters are, in pixels. 0: as fits the picture.
typedef struct fovea_drawing_style {
  size_t size;
  double line_width, font_size;
} fovea_drawing_style;

// As fovea_picture_draw, in this style. style: NULL for the one that fits the picture.
FOVEA_NODISCARD fovea_status fovea_picture_draw_styled(const fovea_picture *picture,
                                                       const fovea_box *boxes, size_t box_count,
                                                       const fovea_drawing_style *style,
                                                       fovea_picture **out_picture,
                                                       char **out_message);

// MARK: Encoding

typedef enum fovea_file_format {
  fovea_file_format_png = 0,
  fovea_file_format_jpeg = 1
} fovea_file_format;

// Writes a file. quality: 1...100, for JPEG. file, unsupported, invalid_argument.
FOVEA_NODISCARD fovea_status fovea_picture_write(const fovea_picture *picture, const char *path,
                                                 fovea_file_format format, int32_t quality,
                                                 char **out_message);

// The bytes of such a file. The caller takes them and gives them to fovea_free.
FOVEA_NODISCARD fovea_status fovea_picture_encode(const fovea_picture *picture,
                                                  fovea_file_format format, int32_t quality,
                                                  void **out_bytes, size_t *out_byte_count,
                                                  char **out_message);

#ifdef __cplusplus
}
#endif
#endif
