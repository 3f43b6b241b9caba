# Fovea - 64-bit ARM, compiled by Debian's cross compiler.
# SPDX-License-Identifier: Apache-2.0
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR aarch64)
set(CMAKE_C_COMPILER aarch64-linux-gnu-gcc)
set(CMAKE_CROSSCOMPILING_EMULATOR "qemu-aarch64-static;-cpu;max")
# Programs carry the C library of that processor.
set(CMAKE_EXE_LINKER_FLAGS_INIT -static)
foreach(tool IN ITEMS AR NM OBJCOPY STRIP RANLIB)
  string(TOLOWER ${tool} name)
  set(CMAKE_${tool} aarch64-linux-gnu-${name})
endforeach()
set(CMAKE_LINKER aarch64-linux-gnu-ld)
