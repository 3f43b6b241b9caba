// Fovea - cairo, as a system library that is opened when something is drawn.
// SPDX-License-Identifier: Apache-2.0
#ifndef FOVEA_CAIRO_SHIM_H
#define FOVEA_CAIRO_SHIM_H

// The folder in the name stands for pkg-config, whose flags would link the library.
#include <cairo/cairo.h>
#include <dlfcn.h>
#include <stddef.h>

// Every function of cairo that is called, without its prefix. To link the library would cost each
// start of a process half a millisecond and 2 MiB, whether it draws or not: cairo brings fontconfig
// and the client libraries of X11. The types below are those of its header, so a call that does not
// fit the library's interface does not compile.
#define FOV_CAIRO_FUNCTIONS(F)     \
  F(arc)                           \
  F(close_path)                    \
  F(create)                        \
  F(destroy)                       \
  F(fill)                          \
  F(fill_preserve)                 \
  F(font_options_create)           \
  F(font_options_destroy)          \
  F(font_options_set_antialias)    \
  F(font_options_set_hint_metrics) \
  F(font_options_set_hint_style)   \
  F(get_source)                    \
  F(image_surface_create)          \
  F(image_surface_get_data)        \
  F(image_surface_get_stride)      \
  F(line_to)                       \
  F(move_to)                       \
  F(new_path)                      \
  F(paint)                         \
  F(pattern_set_extend)            \
  F(pattern_set_filter)            \
  F(rectangle)                     \
  F(restore)                       \
  F(save)                          \
  F(scale)                         \
  F(select_font_face)              \
  F(set_dash)                      \
  F(set_font_options)              \
  F(set_font_size)                 \
  F(set_line_cap)                  \
  F(set_line_join)                 \
  F(set_line_width)                \
  F(set_source_rgba)               \
  F(set_source_surface)            \
  F(show_text)                     \
  F(status)                        \
  F(status_to_string)              \
  F(stroke)                        \
  F(surface_destroy)               \
  F(surface_flush)                 \
  F(surface_mark_dirty)            \
  F(surface_status)                \
  F(text_extents)                  \
  F(translate)

#define FOV_CAIRO_MEMBER(name) __typeof__(cairo_##name) *_Nonnull name;
// The functions of an opened library.
typedef struct fov_cairo_functions {
  FOV_CAIRO_FUNCTIONS(FOV_CAIRO_MEMBER)
} fov_cairo_functions;
#undef FOV_CAIRO_MEMBER

// Opens `file_name`, for good, and finds every function. Gives NULL, or what the loader says; its
// words live until the thread calls the loader again.
static inline const char *_Nullable fov_cairo_open(const char *_Nonnull file_name,
                                                   fov_cairo_functions *_Nonnull out_functions) {
  void *library = dlopen(file_name, RTLD_LAZY | RTLD_LOCAL);
  if (library == NULL) return dlerror();
#define FOV_CAIRO_FIND(name)                           \
  void *found_##name = dlsym(library, "cairo_" #name); \
  if (found_##name == NULL) return dlerror();          \
  out_functions->name = (__typeof__(cairo_##name) *)found_##name;
  FOV_CAIRO_FUNCTIONS(FOV_CAIRO_FIND)
#undef FOV_CAIRO_FIND
  return NULL;
}

#endif
