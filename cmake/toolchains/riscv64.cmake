# Fovea - 64-bit RISC-V, compiled by Clang.
# SPDX-License-Identifier: Apache-2.0
set(processor riscv64)
set(tools riscv64-linux-gnu)
set(emulator "qemu-riscv64-static")
set(clang_target riscv64-linux-gnu)
include(${CMAKE_CURRENT_LIST_DIR}/debian-cross.cmake)
