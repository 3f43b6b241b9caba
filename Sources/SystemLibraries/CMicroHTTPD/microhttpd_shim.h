// Fovea - libmicrohttpd, as a system library that is opened when a server starts.
// SPDX-License-Identifier: Apache-2.0
#ifndef FOVEA_MICROHTTPD_SHIM_H
#define FOVEA_MICROHTTPD_SHIM_H

#include <dlfcn.h>
#include <microhttpd.h>
#include <stddef.h>

// Every function of libmicrohttpd that is called, without its prefix. Linking the library would
// cost each start of a process, whether it serves or not.
#define FOV_MICROHTTPD_FUNCTIONS(F) \
  F(add_response_header)            \
  F(create_post_processor)          \
  F(create_response_from_buffer)    \
  F(create_response_from_callback)  \
  F(destroy_post_processor)         \
  F(destroy_response)               \
  F(get_connection_info)            \
  F(get_connection_values)          \
  F(post_process)                   \
  F(queue_response)                 \
  F(quiesce_daemon)                 \
  F(resume_connection)              \
  F(start_daemon)                   \
  F(stop_daemon)                    \
  F(suspend_connection)

#define FOV_MICROHTTPD_MEMBER(name) __typeof__(MHD_##name) *_Nonnull name;
// The functions of an opened library. Any thread may call them: they are not changed once found.
typedef struct __attribute__((swift_attr("@Sendable"))) fov_microhttpd_functions {
  FOV_MICROHTTPD_FUNCTIONS(FOV_MICROHTTPD_MEMBER)
} fov_microhttpd_functions;
#undef FOV_MICROHTTPD_MEMBER

// Opens `file_name`, for good, and finds every function. Gives NULL, or what the loader says; its
// words live until the thread calls the loader again.
static inline const char *_Nullable fov_microhttpd_open(
    const char *_Nonnull file_name, fov_microhttpd_functions *_Nonnull out_functions) {
  void *library = dlopen(file_name, RTLD_LAZY | RTLD_LOCAL);
  if (library == NULL) return dlerror();
#define FOV_MICROHTTPD_FIND(name)                    \
  void *found_##name = dlsym(library, "MHD_" #name); \
  if (found_##name == NULL) return dlerror();        \
  out_functions->name = (__typeof__(MHD_##name) *)found_##name;
  FOV_MICROHTTPD_FUNCTIONS(FOV_MICROHTTPD_FIND)
#undef FOV_MICROHTTPD_FIND
  return NULL;
}

// How a server is started.
typedef struct fov_microhttpd_settings {
  int listener;              // a socket that listens; the library closes it
  size_t memory;             // bytes of a connection: its headers must fit
  unsigned int connections;  // the most at one time
  unsigned int seconds;      // after so long a connection without progress is closed
  MHD_AccessHandlerCallback _Nonnull handle;
  MHD_RequestCompletedCallback _Nonnull completed;
  MHD_NotifyConnectionCallback _Nonnull notify;
  void *_Nullable context;  // the first argument of all three
} fov_microhttpd_settings;

// Starts a server with one thread of its own; NULL where the system has no thread for it. Functions
// with a variable number of arguments cannot be called from Swift.
static inline struct MHD_Daemon *_Nullable fov_microhttpd_start(
    const fov_microhttpd_functions *_Nonnull functions,
    const fov_microhttpd_settings *_Nonnull settings) {
  return functions->start_daemon(
      MHD_USE_AUTO_INTERNAL_THREAD | MHD_ALLOW_SUSPEND_RESUME, 0, NULL, NULL, settings->handle,
      settings->context, MHD_OPTION_LISTEN_SOCKET, settings->listener,
      MHD_OPTION_CONNECTION_MEMORY_LIMIT, settings->memory, MHD_OPTION_CONNECTION_LIMIT,
      settings->connections, MHD_OPTION_CONNECTION_TIMEOUT, settings->seconds,
      MHD_OPTION_NOTIFY_COMPLETED, settings->completed, settings->context,
      MHD_OPTION_NOTIFY_CONNECTION, settings->notify, settings->context,
      MHD_OPTION_STRICT_FOR_CLIENT, 1, MHD_OPTION_END);
}

// The socket of a connection; -1 for none.
static inline int fov_microhttpd_socket(const fov_microhttpd_functions *_Nonnull functions,
                                        struct MHD_Connection *_Nonnull connection) {
  const union MHD_ConnectionInfo *info =
      functions->get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
  return info == NULL ? -1 : info->connect_fd;
}

#endif
