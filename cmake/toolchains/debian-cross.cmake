# Fovea - what the toolchains of other processors share: Debian's cross compilers and emulators.
# SPDX-License-Identifier: Apache-2.0
#
# A toolchain sets `processor`, `tools` (what the names of its programs begin with), `emulator`, and
# `clang_target` where Clang compiles instead of GCC.
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR ${processor})
if(clang_target)
  set(CMAKE_C_COMPILER clang)
  set(CMAKE_C_COMPILER_TARGET ${clang_target})
  # The cross compiler knows how to link.
  set(CMAKE_C_LINK_EXECUTABLE "${tools}-gcc <LINK_FLAGS> <OBJECTS> -o <TARGET> <LINK_LIBRARIES>")
else()
  set(CMAKE_C_COMPILER ${tools}-gcc)
endif()
set(CMAKE_CROSSCOMPILING_EMULATOR ${emulator})
# Programs carry the C library of that processor.
set(CMAKE_EXE_LINKER_FLAGS_INIT -static)
foreach(tool IN ITEMS AR NM OBJCOPY STRIP RANLIB)
  string(TOLOWER ${tool} name)
  set(CMAKE_${tool} ${tools}-${name})
endforeach()
set(CMAKE_LINKER ${tools}-ld)
