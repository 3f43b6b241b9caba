# Fovea - 64-bit ARM, compiled by Clang.
# SPDX-License-Identifier: Apache-2.0
set(processor aarch64)
set(tools aarch64-linux-gnu)
set(emulator "qemu-aarch64-static;-cpu;max")
set(clang_target aarch64-linux-gnu)
include(${CMAKE_CURRENT_LIST_DIR}/debian-cross.cmake)
