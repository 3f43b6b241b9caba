# Fovea - 32-bit ARM, compiled by GCC.
# SPDX-License-Identifier: Apache-2.0
set(processor arm)
set(tools arm-linux-gnueabihf)
set(emulator "qemu-arm-static")
include(${CMAKE_CURRENT_LIST_DIR}/debian-cross.cmake)
