// Fovea - libyaml, as a system library that is opened when YAML is read.
// SPDX-License-Identifier: Apache-2.0
#ifndef FOVEA_YAML_SHIM_H
#define FOVEA_YAML_SHIM_H

#include <dlfcn.h>
#include <stddef.h>
#include <yaml.h>

// Every function of libyaml that is called, without its prefix. Linking the library would cost each
// start of a process, whether it reads YAML or not.
#define FOV_YAML_FUNCTIONS(F) \
  F(event_delete)             \
  F(parser_delete)            \
  F(parser_initialize)        \
  F(parser_parse)             \
  F(parser_set_input_string)

#define FOV_YAML_MEMBER(name) __typeof__(yaml_##name) *_Nonnull name;
// The functions of an opened library.
typedef struct fov_yaml_functions {
  FOV_YAML_FUNCTIONS(FOV_YAML_MEMBER)
} fov_yaml_functions;
#undef FOV_YAML_MEMBER

// Opens `file_name`, for good, and finds every function. Gives NULL, or what the loader says; its
// words live until the thread calls the loader again.
static inline const char *_Nullable fov_yaml_open(const char *_Nonnull file_name,
                                                  fov_yaml_functions *_Nonnull out_functions) {
  void *library = dlopen(file_name, RTLD_LAZY | RTLD_LOCAL);
  if (library == NULL) return dlerror();
#define FOV_YAML_FIND(name)                           \
  void *found_##name = dlsym(library, "yaml_" #name); \
  if (found_##name == NULL) return dlerror();         \
  out_functions->name = (__typeof__(yaml_##name) *)found_##name;
  FOV_YAML_FUNCTIONS(FOV_YAML_FIND)
#undef FOV_YAML_FIND
  return NULL;
}

// What an event of scalars says; the bytes belong to the event.
static inline const unsigned char *_Nonnull fov_yaml_scalar(const yaml_event_t *_Nonnull event,
                                                            size_t *_Nonnull out_length) {
  *out_length = event->data.scalar.length;
  return event->data.scalar.value;
}

// Whether the value of an event has a name to be used again.
static inline _Bool fov_yaml_has_anchor(const yaml_event_t *_Nonnull event) {
  switch (event->type) {
    case YAML_SCALAR_EVENT: return event->data.scalar.anchor != NULL;
    case YAML_SEQUENCE_START_EVENT: return event->data.sequence_start.anchor != NULL;
    case YAML_MAPPING_START_EVENT: return event->data.mapping_start.anchor != NULL;
    default: return 0;
  }
}

#endif
