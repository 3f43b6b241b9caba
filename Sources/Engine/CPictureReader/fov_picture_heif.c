// Fovea - HEIC and AVIF pictures, by libheif.
// SPDX-License-Identifier: Apache-2.0
#include <string.h>

#include "fov_picture_answer.h"
#include "fov_picture_library.h"

#ifdef FOV_HAVE_HEIF
#include "heif_shim.h"

static fov_heif_functions heif;

static fov_picture_library library = {"libheif.so.1", fov_heif_names,
                                      sizeof fov_heif_names / sizeof *fov_heif_names, &heif, false};

static bool refuse(fov_reader_answer *answer, struct heif_error error) {
  const bool ends = error.subcode == heif_suberror_End_of_data;
  const bool lacks =
      error.code == heif_error_Unsupported_feature || error.code == heif_error_Unsupported_filetype;
  const char *words = error.message != NULL ? error.message : "";
  return fov_picture_refuse(answer, ends ? 'E' : lacks ? 'U' : 'D', words);
}

static uint32_t flags_of(const struct heif_image_handle *handle, bool has_alpha) {
  uint32_t flags = 0;
  const enum heif_color_profile_type profile = heif.image_handle_get_color_profile_type(handle);
  if (profile == heif_color_profile_type_rICC || profile == heif_color_profile_type_prof) {
    flags |= fov_picture_has_profile;
  }
  if (has_alpha && heif.image_handle_is_premultiplied_alpha(handle)) {
    flags |= fov_picture_is_premultiplied;
  }
  return flags;
}

// Answers with the rows of a decoded picture, without their padding.
static bool append_pixels(const struct heif_image *image, uint32_t channels, uint32_t flags,
                          fov_reader_answer *answer) {
  const int width = heif.image_get_width(image, heif_channel_interleaved);
  const int height = heif.image_get_height(image, heif_channel_interleaved);
  int stride = 0;
  const uint8_t *rows = heif.image_get_plane_readonly(image, heif_channel_interleaved, &stride);
  if (rows == NULL || width <= 0 || height <= 0 || stride < 0 ||
      (size_t)stride < (size_t)width * channels) {
    return fov_picture_refuse(answer, 'D', "the decoder gave no pixels");
  }
  const size_t row_bytes = (size_t)width * channels;
  fov_picture_describe(answer, (uint32_t)width, (uint32_t)height, channels, flags);
  uint8_t *out = fov_reader_extend(answer, row_bytes * (size_t)height);
  if (out == NULL) return false;
  for (size_t y = 0; y < (size_t)height; y++) {
    memcpy(out + y * row_bytes, rows + y * (size_t)stride, row_bytes);
  }
  return true;
}

// Decodes what `handle` stands for: turned and mirrored as the file says, with 8 bits a sample.
static bool decode(const struct heif_image_handle *handle, bool has_alpha, uint32_t flags,
                   fov_reader_answer *answer) {
  struct heif_decoding_options *options = heif.decoding_options_alloc();
  if (options == NULL) return fov_picture_refuse(answer, 'M', NULL);
  options->convert_hdr_to_8bit = 1;
  if (options->version >= 3) options->strict_decoding = 1;
  struct heif_image *image = NULL;
  const enum heif_chroma chroma =
      has_alpha ? heif_chroma_interleaved_RGBA : heif_chroma_interleaved_RGB;
  const struct heif_error error =
      heif.decode_image(handle, &image, heif_colorspace_RGB, chroma, options);
  heif.decoding_options_free(options);
  if (error.code != heif_error_Ok || image == NULL) return refuse(answer, error);
  const bool is_done = append_pixels(image, has_alpha ? 4 : 3, flags, answer);
  heif.image_release(image);
  return is_done;
}

// Describes or decodes the primary picture.
static bool look(const struct heif_image_handle *handle, bool decodes, const fov_picture_wish *wish,
                 fov_reader_answer *answer) {
  const int width = heif.image_handle_get_width(handle);
  const int height = heif.image_handle_get_height(handle);
  if (width <= 0 || height <= 0) return fov_picture_refuse(answer, 'D', "it has no size");
  const bool has_alpha = heif.image_handle_has_alpha_channel(handle);
  const uint32_t flags = flags_of(handle, has_alpha);
  if (!decodes) {
    fov_picture_describe(answer, (uint32_t)width, (uint32_t)height, has_alpha ? 4 : 3, flags);
    return true;
  }
  if ((uint32_t)width != wish->width || (uint32_t)height != wish->height) {
    return fov_picture_refuse(answer, 'D', "the headers disagree");
  }
  return decode(handle, has_alpha, flags, answer);
}

bool fov_picture_heif(const fov_reader_question *question, const fov_picture_wish *wish,
                      fov_reader_answer *answer) {
  if (!fov_picture_library_open(&library, answer)) return false;
  struct heif_context *context = heif.context_alloc();
  if (context == NULL) return fov_picture_refuse(answer, 'M', NULL);
  struct heif_image_handle *handle = NULL;
  struct heif_error error = heif.context_read_from_memory_without_copy(
      context, question->picture, question->picture_bytes, NULL);
  if (error.code == heif_error_Ok) {
    error = heif.context_get_primary_image_handle(context, &handle);
  }
  bool is_answered = false;
  if (error.code != heif_error_Ok || handle == NULL) {
    refuse(answer, error);
  } else {
    is_answered = look(handle, question->operation == fov_picture_decode_heif, wish, answer);
  }
  if (handle != NULL) heif.image_handle_release(handle);
  heif.context_free(context);
  return is_answered;
}
#else
bool fov_picture_heif(const fov_reader_question *question, const fov_picture_wish *wish,
                      fov_reader_answer *answer) {
  (void)question, (void)wish;
  return fov_picture_refuse(answer, 'T', NULL);
}
#endif
