# Fovea - 32-bit ARM, compiled by Debian's cross compiler.
# SPDX-License-Identifier: Apache-2.0
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR arm)
set(CMAKE_C_COMPILER arm-linux-gnueabihf-gcc)
set(CMAKE_CROSSCOMPILING_EMULATOR "qemu-arm-static")
# Programs carry the C library of that processor.
set(CMAKE_EXE_LINKER_FLAGS_INIT -static)
foreach(tool IN ITEMS AR NM OBJCOPY STRIP RANLIB)
  string(TOLOWER ${tool} name)
  set(CMAKE_${tool} arm-linux-gnueabihf-${name})
endforeach()
set(CMAKE_LINKER arm-linux-gnueabihf-ld)
