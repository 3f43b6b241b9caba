// Fovea - libzmq, as a system library that is opened when a service listens for ZeroMQ.
// SPDX-License-Identifier: Apache-2.0
#ifndef FOVEA_ZEROMQ_SHIM_H
#define FOVEA_ZEROMQ_SHIM_H

#include <dlfcn.h>
#include <stddef.h>
#include <zmq.h>

// Every function of libzmq that is called, without its prefix.
#define FOV_ZEROMQ_FUNCTIONS(F) \
  F(bind)                       \
  F(ctx_new)                    \
  F(msg_close)                  \
  F(msg_data)                   \
  F(msg_init)                   \
  F(msg_more)                   \
  F(msg_recv)                   \
  F(msg_size)                   \
  F(poll)                       \
  F(send)                       \
  F(setsockopt)                 \
  F(socket)                     \
  F(strerror)

#define FOV_ZEROMQ_MEMBER(name) __typeof__(zmq_##name) *name;
// The functions of an opened library.
typedef struct fov_zeromq_functions {
  FOV_ZEROMQ_FUNCTIONS(FOV_ZEROMQ_MEMBER)
} fov_zeromq_functions;
#undef FOV_ZEROMQ_MEMBER

// Opens the library, for good, and finds every function. Gives NULL, or what the loader says.
static inline const char *fov_zeromq_open(fov_zeromq_functions *out_functions) {
  void *library = dlopen("libzmq.so.5", RTLD_LAZY | RTLD_LOCAL);
  if (library == NULL) return dlerror();
#define FOV_ZEROMQ_FIND(name)                        \
  void *found_##name = dlsym(library, "zmq_" #name); \
  if (found_##name == NULL) return dlerror();        \
  out_functions->name = (__typeof__(zmq_##name) *)found_##name;
  FOV_ZEROMQ_FUNCTIONS(FOV_ZEROMQ_FIND)
#undef FOV_ZEROMQ_FIND
  return NULL;
}

#endif
