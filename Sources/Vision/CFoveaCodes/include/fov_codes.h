// Fovea - codes read by zxing-cpp, in a process of its own.
// SPDX-License-Identifier: Apache-2.0
#ifndef FOV_CODES_H
#define FOV_CODES_H

#include "fov_reader.h"

#ifdef __cplusplus
extern "C" {
#endif

// # The reader "codes"
//
// The library is opened in the child, so no start of a program pays for it, and its assertions and
// memory are the child's. It has a C++ interface only up to version 2.2. Its headers give the
// types; the few functions behind them are looked up by name. So one file knows the library, and
// nothing is linked.
//
// All numbers are 32 bits, as the processor has them. Texts are their length in bytes and UTF-8.
//
// `fov_codes_operation_read` reads the picture, rows of 8-bit gray levels, with the parameters of
// `fov_codes_parameters`. The answer is the number of symbols, and for each:
//
//   format      one of fov_codes_format
//   flags       fov_codes_symbol flags
//   lines       how many lines of a linear code agreed
//   corners     x, y of four pixels: upper left, upper right, lower right, lower left of the symbol
//   text, bytes, symbology identifier

// What a symbol is. Bits of `fov_codes_parameters.formats`.
typedef enum fov_codes_format {
  fov_codes_format_aztec = 1 << 0,
  fov_codes_format_codabar = 1 << 1,
  fov_codes_format_code39 = 1 << 2,
  fov_codes_format_code93 = 1 << 3,
  fov_codes_format_code128 = 1 << 4,
  fov_codes_format_data_bar = 1 << 5,
  fov_codes_format_data_bar_expanded = 1 << 6,
  fov_codes_format_data_matrix = 1 << 7,
  fov_codes_format_ean8 = 1 << 8,
  fov_codes_format_ean13 = 1 << 9,
  fov_codes_format_itf = 1 << 10,
  fov_codes_format_maxi_code = 1 << 11,
  fov_codes_format_pdf417 = 1 << 12,
  fov_codes_format_qr = 1 << 13,
  fov_codes_format_upca = 1 << 14,
  fov_codes_format_upce = 1 << 15,
  fov_codes_format_micro_qr = 1 << 16,
} fov_codes_format;

enum {
  fov_codes_operation_version = 0,  // opens the library; the answer is empty
  fov_codes_operation_read = 1,
};

// How hard to look.
enum {
  fov_codes_harder = 1 << 0,
  fov_codes_rotate = 1 << 1,      // also by a quarter turn
  fov_codes_downscale = 1 << 2,   // also a smaller copy
  fov_codes_one = 1 << 3,         // the first symbol alone
  fov_codes_global = 1 << 4,      // one threshold for the picture
  fov_codes_invert = 1 << 5,      // black and white exchanged
  fov_codes_full_ascii = 1 << 6,  // pairs of characters of Code 39 stand for one
};

// What is known about a symbol.
enum {
  fov_codes_symbol_binary = 1 << 0,    // the bytes are no text
  fov_codes_symbol_mirrored = 1 << 1,  // seen from behind
};

typedef struct fov_codes_parameters {
  uint32_t width, height;
  uint32_t formats;  // 0 for all
  uint32_t flags;
  uint32_t lines;  // how many lines of a linear code have to agree
} fov_codes_parameters;

// The reader. NULL in a build without zxing-cpp.
const fov_reader_kind *fov_codes_reader(void);

#ifdef __cplusplus
}
#endif

#endif
