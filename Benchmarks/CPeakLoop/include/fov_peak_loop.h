// Fovea - how many multiply-adds a core can do when nothing else limits it.
// SPDX-License-Identifier: Apache-2.0
#ifndef FOV_PEAK_LOOP_H
#define FOV_PEAK_LOOP_H

// Multiply-adds per second of one thread, from registers alone: no memory, no dependence that is
// longer than the units' latency. The widest instructions that the processor has; measured anew at
// each call, because the clock moves, in about 0.3 milliseconds.
//
//   float32   fused multiply-add
//   int8      8-bit products added to 32-bit sums: dot products where the processor has them, else
//             the better one of byte products in pairs and 16-bit products in pairs
//
// 0 where no loop is written for the processor.
double fov_peak_float32(void);
double fov_peak_int8(void);

#endif
