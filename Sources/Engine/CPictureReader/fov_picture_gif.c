// Fovea - the first picture of GIF files, by giflib.
// SPDX-License-Identifier: Apache-2.0
#include <stdlib.h>
#include <string.h>

#include "fov_picture_answer.h"
#include "fov_picture_library.h"

#ifdef FOV_HAVE_GIF
#include "gif_shim.h"

static fov_gif_functions gif;

static fov_picture_library library = {"libgif.so.7", fov_gif_names,
                                      sizeof fov_gif_names / sizeof *fov_gif_names, &gif, false};

typedef struct memory_file {
  const uint8_t *bytes;
  size_t count, position;
} memory_file;

static int read_file(GifFileType *opened, GifByteType *out, int size) {
  memory_file *file = (memory_file *)opened->UserData;
  if (size <= 0) return 0;
  const size_t rest = file->count - file->position;
  const size_t taken = (size_t)size < rest ? (size_t)size : rest;
  memcpy(out, file->bytes + file->position, taken);
  file->position += taken;
  return (int)taken;
}

static bool refuse(fov_reader_answer *answer, int error) {
  const bool ends = error == D_GIF_ERR_EOF_TOO_SOON || error == D_GIF_ERR_READ_FAILED;
  const bool lacks_memory = error == D_GIF_ERR_NOT_ENOUGH_MEM;
  return fov_picture_refuse(answer,
                            ends           ? 'E'
                            : lacks_memory ? 'M'
                                           : 'D',
                            gif.GifErrorString(error));
}

// Finds the first picture; the index that stands for transparent pixels, or -1, comes before it.
// Returns false where the file has none; its error says why.
static bool find_picture(GifFileType *file, int *out_transparent) {
  *out_transparent = -1;
  GifRecordType record = UNDEFINED_RECORD_TYPE;
  while (gif.DGifGetRecordType(file, &record) == GIF_OK) {
    if (record == IMAGE_DESC_RECORD_TYPE) return gif.DGifGetImageDesc(file) == GIF_OK;
    if (record == TERMINATE_RECORD_TYPE) {
      file->Error = D_GIF_ERR_NO_IMAG_DSCR;
      return false;
    }
    if (record != EXTENSION_RECORD_TYPE) continue;
    int code = 0;
    GifByteType *block = NULL;
    if (gif.DGifGetExtension(file, &code, &block) != GIF_OK) return false;
    while (block != NULL) {
      // A block begins with its length: flags, delay (2), the transparent index.
      if (code == GRAPHICS_EXT_FUNC_CODE && block[0] >= 4) {
        *out_transparent = block[1] & 1 ? block[4] : -1;
      }
      if (gif.DGifGetExtensionNext(file, &block) != GIF_OK) return false;
    }
  }
  return false;
}

// The row of the picture that stands at place `index` of the file.
static int row_at(int index, int height, bool is_interlaced) {
  static const int starts[] = {0, 4, 2, 1}, steps[] = {8, 8, 4, 2};
  if (!is_interlaced) return index;
  for (int pass = 0; pass < 4; pass++) {
    const int rows = (height - starts[pass] + steps[pass] - 1) / steps[pass];
    if (index < rows) return starts[pass] + index * steps[pass];
    index -= rows;
  }
  return height - 1;
}

static void write_row(const GifPixelType *row, int width, const ColorMapObject *colors,
                      int transparent, uint8_t *out) {
  for (int x = 0; x < width; x++) {
    // Indices beyond the colors are black, as in browsers.
    GifColorType color = {0, 0, 0};
    if (row[x] < colors->ColorCount) color = colors->Colors[row[x]];
    const uint8_t pixel[4] = {color.Red, color.Green, color.Blue, row[x] == transparent ? 0 : 255};
    memcpy(out + 4 * x, pixel, sizeof pixel);
  }
}

// Draws the picture on the screen, as far as it lies there. The rest of the screen is transparent.
static bool draw(GifFileType *file, int transparent, uint8_t *screen, GifPixelType *row) {
  const GifImageDesc place = file->Image;
  const ColorMapObject *colors = place.ColorMap != NULL ? place.ColorMap : file->SColorMap;
  if (colors == NULL || colors->Colors == NULL) {
    file->Error = D_GIF_ERR_NO_COLOR_MAP;
    return false;
  }
  const int right =
      place.Left + place.Width < file->SWidth ? place.Left + place.Width : file->SWidth;
  for (int index = 0; index < place.Height; index++) {
    if (gif.DGifGetLine(file, row, place.Width) != GIF_OK) return false;
    const int y = place.Top + row_at(index, place.Height, place.Interlace);
    if (y >= file->SHeight || right <= place.Left) continue;
    uint8_t *out = screen + 4 * ((size_t)y * (size_t)file->SWidth + (size_t)place.Left);
    write_row(row, right - place.Left, colors, transparent, out);
  }
  return true;
}

static bool decode(GifFileType *file, const fov_picture_wish *wish, fov_reader_answer *answer) {
  if (file->SWidth < 0 || file->SHeight < 0 || (uint32_t)file->SWidth != wish->width ||
      (uint32_t)file->SHeight != wish->height) {
    return fov_picture_refuse(answer, 'D', "the headers disagree");
  }
  int transparent = -1;
  if (!find_picture(file, &transparent)) return refuse(answer, file->Error);
  if (file->Image.Left < 0 || file->Image.Top < 0 || file->Image.Width <= 0 ||
      file->Image.Height <= 0) {
    return fov_picture_refuse(answer, 'D', "its picture has no size");
  }
  const size_t count = (size_t)wish->width * wish->height;
  uint8_t *screen = calloc(count, 4);
  GifPixelType *row = malloc((size_t)file->Image.Width);
  bool is_done = false;
  if (screen == NULL || row == NULL) {
    fov_picture_refuse(answer, 'M', NULL);
  } else if (!draw(file, transparent, screen, row)) {
    refuse(answer, file->Error);
  } else {
    fov_picture_describe(answer, wish->width, wish->height, 4, 0);
    fov_reader_append(answer, screen, 4 * count);
    is_done = true;
  }
  free(row);
  free(screen);
  return is_done;
}

bool fov_picture_gif(const fov_reader_question *question, const fov_picture_wish *wish,
                     fov_reader_answer *answer) {
  if (!fov_picture_library_open(&library, answer)) return false;
  memory_file memory = {question->picture, question->picture_bytes, 0};
  int error = 0;
  GifFileType *file = gif.DGifOpen(&memory, read_file, &error);
  if (file == NULL) return refuse(answer, error);
  const bool is_answered = decode(file, wish, answer);
  gif.DGifCloseFile(file, &error);
  return is_answered;
}
#else
bool fov_picture_gif(const fov_reader_question *question, const fov_picture_wish *wish,
                     fov_reader_answer *answer) {
  (void)question, (void)wish;
  return fov_picture_refuse(answer, 'T', NULL);
}
#endif
