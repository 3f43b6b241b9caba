# Fovea - 64-bit RISC-V, compiled by Clang, with the libraries and tools of Debian's cross compiler.
# SPDX-License-Identifier: Apache-2.0
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR riscv64)
set(CMAKE_C_COMPILER clang)
set(CMAKE_C_COMPILER_TARGET riscv64-linux-gnu)
set(CMAKE_CROSSCOMPILING_EMULATOR "qemu-riscv64-static")
# Programs carry the C library of that processor.
set(CMAKE_EXE_LINKER_FLAGS_INIT -static)
foreach(tool IN ITEMS AR NM OBJCOPY STRIP RANLIB)
  string(TOLOWER ${tool} name)
  set(CMAKE_${tool} riscv64-linux-gnu-${name})
endforeach()
# Its compiler knows how to link.
set(CMAKE_C_LINK_EXECUTABLE "riscv64-linux-gnu-gcc <LINK_FLAGS> <OBJECTS> -o <TARGET> <LINK_LIBRARIES>")
set(CMAKE_LINKER riscv64-linux-gnu-ld)
