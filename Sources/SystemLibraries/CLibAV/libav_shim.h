// Fovea - FFmpeg's libraries, as system libraries that are opened when a video is.
// SPDX-License-Identifier: Apache-2.0
#ifndef FOVEA_LIBAV_SHIM_H
#define FOVEA_LIBAV_SHIM_H

#include <dlfcn.h>
#include <libavcodec/avcodec.h>
#include <libavformat/avformat.h>
#include <libavutil/display.h>
#include <libavutil/pixdesc.h>
#include <stddef.h>
#include <stdint.h>

// Every function that is called. To link the libraries would cost each start of a process 36 ms and
// 25 MiB. The types below are those of the headers, so a call that does not fit the interface does
// not compile. Structures change with each major version: a library of another one is refused.
#define FOV_LIBAV_UTIL_FUNCTIONS(F) \
  F(av_dict_free)                   \
  F(av_dict_set)                    \
  F(av_frame_alloc)                 \
  F(av_frame_free)                  \
  F(av_frame_get_side_data)         \
  F(av_frame_unref)                 \
  F(av_free)                        \
  F(av_log_default_callback)        \
  F(av_log_set_callback)            \
  F(av_log_set_level)               \
  F(av_malloc)                      \
  F(av_pix_fmt_desc_get)            \
  F(av_read_image_line2)            \
  F(av_strerror)

#define FOV_LIBAV_CODEC_FUNCTIONS(F) \
  F(av_packet_alloc)                 \
  F(av_packet_free)                  \
  F(av_packet_rescale_ts)            \
  F(av_packet_unref)                 \
  F(avcodec_alloc_context3)          \
  F(avcodec_find_encoder_by_name)    \
  F(avcodec_free_context)            \
  F(avcodec_get_name)                \
  F(avcodec_open2)                   \
  F(avcodec_parameters_copy)         \
  F(avcodec_parameters_from_context) \
  F(avcodec_parameters_to_context)   \
  F(avcodec_receive_frame)           \
  F(avcodec_receive_packet)          \
  F(avcodec_send_frame)              \
  F(avcodec_send_packet)

#define FOV_LIBAV_FORMAT_FUNCTIONS(F) \
  F(av_find_best_stream)              \
  F(av_find_input_format)             \
  F(av_guess_sample_aspect_ratio)     \
  F(av_interleaved_write_frame)       \
  F(av_probe_input_buffer)            \
  F(av_read_frame)                    \
  F(av_stream_get_side_data)          \
  F(av_write_trailer)                 \
  F(avformat_alloc_context)           \
  F(avformat_alloc_output_context2)   \
  F(avformat_close_input)             \
  F(avformat_find_stream_info)        \
  F(avformat_free_context)            \
  F(avformat_new_stream)              \
  F(avformat_open_input)              \
  F(avformat_query_codec)             \
  F(avformat_write_header)            \
  F(avio_alloc_context)               \
  F(avio_closep)                      \
  F(avio_context_free)                \
  F(avio_open2)

#define FOV_LIBAV_MEMBER(name) __typeof__(name) *_Nonnull name;
// The functions of the opened libraries.
typedef struct fov_libav_functions {
  FOV_LIBAV_UTIL_FUNCTIONS(FOV_LIBAV_MEMBER)
  FOV_LIBAV_CODEC_FUNCTIONS(FOV_LIBAV_MEMBER)
  FOV_LIBAV_FORMAT_FUNCTIONS(FOV_LIBAV_MEMBER)
} fov_libav_functions;
#undef FOV_LIBAV_MEMBER

// What opening came to.
typedef struct fov_libav_opening {
  const char *_Nullable failure;  // of the loader; lives until the thread calls it again
  unsigned found_major;           // of `library`, where it is not the headers'
  unsigned expected_major;
  const char *_Nonnull library;  // the last that was opened
} fov_libav_opening;

#define FOV_LIBAV_TEXT_OF(x) #x
#define FOV_LIBAV_TEXT(x) FOV_LIBAV_TEXT_OF(x)
#define FOV_LIBAV_FILE(name, major) "lib" name ".so." FOV_LIBAV_TEXT(major)

#define FOV_LIBAV_FIND(name)                         \
  do {                                               \
    void *found = dlsym(library, #name);             \
    if (found == NULL) {                             \
      out->failure = dlerror();                      \
      return 0;                                      \
    }                                                \
    out_functions->name = (__typeof__(name) *)found; \
  } while (0);

// Opens one library, for good, and finds its functions; 0 where that fails.
#define FOV_LIBAV_OPENER(part, version, major, functions)                              \
  static inline int fov_libav_open_##part(const char *_Nonnull file_name,              \
                                          fov_libav_functions *_Nonnull out_functions, \
                                          fov_libav_opening *_Nonnull out) {           \
    out->library = file_name;                                                          \
    void *library = dlopen(file_name, RTLD_LAZY | RTLD_LOCAL);                         \
    unsigned (*find_version)(void) = NULL;                                             \
    if (library != NULL) find_version = (unsigned (*)(void))dlsym(library, #version);  \
    if (find_version == NULL) {                                                        \
      out->failure = dlerror();                                                        \
      return 0;                                                                        \
    }                                                                                  \
    out->expected_major = major;                                                       \
    out->found_major = find_version() >> 16;                                           \
    if (out->found_major != major) return 0;                                           \
    functions(FOV_LIBAV_FIND) return 1;                                                \
  }

FOV_LIBAV_OPENER(util, avutil_version, LIBAVUTIL_VERSION_MAJOR, FOV_LIBAV_UTIL_FUNCTIONS)
FOV_LIBAV_OPENER(codec, avcodec_version, LIBAVCODEC_VERSION_MAJOR, FOV_LIBAV_CODEC_FUNCTIONS)
FOV_LIBAV_OPENER(format, avformat_version, LIBAVFORMAT_VERSION_MAJOR, FOV_LIBAV_FORMAT_FUNCTIONS)

// The names of the libraries that fit the headers.
static const char *_Nonnull const fov_libav_util_file =
    FOV_LIBAV_FILE("avutil", LIBAVUTIL_VERSION_MAJOR);
static const char *_Nonnull const fov_libav_codec_file =
    FOV_LIBAV_FILE("avcodec", LIBAVCODEC_VERSION_MAJOR);
static const char *_Nonnull const fov_libav_format_file =
    FOV_LIBAV_FILE("avformat", LIBAVFORMAT_VERSION_MAJOR);

// Macros that Swift does not see.
static const int fov_libav_again = AVERROR(EAGAIN);
static const int fov_libav_end = AVERROR_EOF;
static const int fov_libav_timed_out = AVERROR(ETIMEDOUT);
static const int fov_libav_interrupted = AVERROR_EXIT;
static const int fov_libav_wrong_argument = AVERROR(EINVAL);
static const int fov_libav_invalid_data = AVERROR_INVALIDDATA;
static const int fov_libav_log_nothing = AV_LOG_QUIET;
static const int fov_libav_log_error = AV_LOG_ERROR;
static const int fov_libav_log_debug = AV_LOG_DEBUG;
static const int64_t fov_libav_no_time = AV_NOPTS_VALUE;

// The frames and their fields differ between versions; here they are read in one place.
static inline int fov_libav_is_key(const AVFrame *_Nonnull frame) { return frame->key_frame; }
static inline int fov_libav_is_interlaced(const AVFrame *_Nonnull frame) {
  return frame->interlaced_frame;
}
static inline int fov_libav_top_field_first(const AVFrame *_Nonnull frame) {
  return frame->top_field_first;
}
// Numbers the packet that is sent next, and tells which one a picture was made of.
static inline void fov_libav_number_next(AVCodecContext *_Nonnull context, int64_t number) {
  context->reordered_opaque = number;
}
static inline int64_t fov_libav_number(const AVFrame *_Nonnull frame) {
  return frame->reordered_opaque;
}
static inline int fov_libav_is_damaged(const AVFrame *_Nonnull frame) {
  return frame->decode_error_flags != 0 || (frame->flags & AV_FRAME_FLAG_CORRUPT) != 0;
}

#endif
