// Fovea - TIFF pictures, by libtiff.
// SPDX-License-Identifier: Apache-2.0
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fov_picture_answer.h"
#include "fov_picture_library.h"

#ifdef FOV_HAVE_TIFF
#include "tiff_shim.h"

// The largest block that libtiff may ask for: a strip of a large picture of 16-bit samples.
#define BLOCK_BYTES_MAX ((tmsize_t)1 << 30)

static fov_tiff_functions tiff;

static fov_picture_library library = {"libtiff.so.6", fov_tiff_names,
                                      sizeof fov_tiff_names / sizeof *fov_tiff_names, &tiff, false};

// MARK: A file in memory

typedef struct memory_file {
  const uint8_t *bytes;
  toff_t count, position;
  char words[160];  // the first thing that libtiff said against it
} memory_file;

static tmsize_t read_file(thandle_t handle, void *out, tmsize_t size) {
  memory_file *file = (memory_file *)handle;
  if (size <= 0 || file->position >= file->count) return 0;
  const toff_t rest = file->count - file->position;
  const toff_t taken = (toff_t)size < rest ? (toff_t)size : rest;
  memcpy(out, file->bytes + file->position, (size_t)taken);
  file->position += taken;
  return (tmsize_t)taken;
}

static tmsize_t write_file(thandle_t handle, void *bytes, tmsize_t size) {
  (void)handle, (void)bytes, (void)size;
  return -1;
}

static toff_t seek_file(thandle_t handle, toff_t offset, int whence) {
  memory_file *file = (memory_file *)handle;
  const toff_t base = whence == SEEK_CUR ? file->position : whence == SEEK_END ? file->count : 0;
  file->position = base + offset;
  return file->position;
}

static int close_file(thandle_t handle) {
  (void)handle;
  return 0;
}

static toff_t size_of_file(thandle_t handle) { return ((memory_file *)handle)->count; }

static int keep_words(TIFF *opened, void *user_data, const char *module, const char *format,
                      va_list arguments) {
  (void)opened, (void)module;
  memory_file *file = (memory_file *)user_data;
  if (file->words[0] == 0) vsnprintf(file->words, sizeof file->words, format, arguments);
  return 1;
}

static int pass_over(TIFF *opened, void *user_data, const char *module, const char *format,
                     va_list arguments) {
  (void)opened, (void)user_data, (void)module, (void)format, (void)arguments;
  return 1;
}

static TIFF *open_file(memory_file *file) {
  TIFFOpenOptions *options = tiff.TIFFOpenOptionsAlloc();
  if (options == NULL) return NULL;
  tiff.TIFFOpenOptionsSetMaxSingleMemAlloc(options, BLOCK_BYTES_MAX);
  tiff.TIFFOpenOptionsSetErrorHandlerExtR(options, keep_words, file);
  tiff.TIFFOpenOptionsSetWarningHandlerExtR(options, pass_over, file);
  TIFF *opened = tiff.TIFFClientOpenExt("picture", "rm", (thandle_t)file, read_file, write_file,
                                        seek_file, close_file, size_of_file, NULL, NULL, options);
  tiff.TIFFOpenOptionsFree(options);
  return opened;
}

// MARK: Pixels

// Colors that are not multiplied by alpha come as they are stored when libtiff believes that they
// are; else it would multiply them. Returns whether they are.
static bool keep_colors(TIFF *opened) {
  uint16_t count = 0;
  uint16_t *kinds = NULL;
  if (!tiff.TIFFGetField(opened, TIFFTAG_EXTRASAMPLES, &count, &kinds) || count == 0) return false;
  if (kinds[0] != EXTRASAMPLE_UNASSALPHA) return kinds[0] == EXTRASAMPLE_ASSOCALPHA;
  uint16_t believed[8] = {EXTRASAMPLE_ASSOCALPHA};
  if (count > 8) return false;
  for (uint16_t i = 1; i < count; i++) believed[i] = kinds[i];
  tiff.TIFFSetField(opened, TIFFTAG_EXTRASAMPLES, (int)count, believed);
  return false;
}

// libtiff packs a pixel into a number: red in the lowest byte, alpha in the highest.
static void unpack(const uint32_t *pixels, size_t count, uint8_t *out) {
  for (size_t i = 0; i < count; i++) {
    out[4 * i] = (uint8_t)TIFFGetR(pixels[i]);
    out[4 * i + 1] = (uint8_t)TIFFGetG(pixels[i]);
    out[4 * i + 2] = (uint8_t)TIFFGetB(pixels[i]);
    out[4 * i + 3] = (uint8_t)TIFFGetA(pixels[i]);
  }
}

static bool decode(TIFF *opened, memory_file *file, const fov_picture_wish *wish,
                   fov_reader_answer *answer) {
  uint32_t width = 0, height = 0;
  tiff.TIFFGetField(opened, TIFFTAG_IMAGEWIDTH, &width);
  tiff.TIFFGetField(opened, TIFFTAG_IMAGELENGTH, &height);
  if (width != wish->width || height != wish->height) {
    return fov_picture_refuse(answer, 'D', "the headers disagree");
  }
  const uint32_t flags = keep_colors(opened) ? fov_picture_is_premultiplied : 0;
  const size_t count = (size_t)width * height;
  uint32_t *pixels = malloc(count * sizeof *pixels);
  if (pixels == NULL) return fov_picture_refuse(answer, 'M', NULL);
  // Rows stay in the file's order: the orientation that is asked for is that of the file.
  bool is_done =
      tiff.TIFFReadRGBAImageOriented(opened, width, height, pixels, (int)wish->orientation, 1) != 0;
  is_done = is_done && file->words[0] == 0;
  if (is_done) {
    fov_picture_describe(answer, width, height, 4, flags);
    uint8_t *out = fov_reader_extend(answer, 4 * count);
    is_done = out != NULL;
    if (is_done) unpack(pixels, count, out);
  } else {
    fov_picture_refuse(answer, 'D', file->words);
  }
  free(pixels);
  return is_done;
}

bool fov_picture_tiff(const fov_reader_question *question, const fov_picture_wish *wish,
                      fov_reader_answer *answer) {
  if (!fov_picture_library_open(&library, answer)) return false;
  memory_file file = {.bytes = question->picture, .count = question->picture_bytes};
  TIFF *opened = open_file(&file);
  if (opened == NULL) return fov_picture_refuse(answer, 'D', file.words);
  const bool is_answered = decode(opened, &file, wish, answer);
  tiff.TIFFClose(opened);
  return is_answered;
}
#else
bool fov_picture_tiff(const fov_reader_question *question, const fov_picture_wish *wish,
                      fov_reader_answer *answer) {
  (void)question, (void)wish;
  return fov_picture_refuse(answer, 'T', NULL);
}
#endif
