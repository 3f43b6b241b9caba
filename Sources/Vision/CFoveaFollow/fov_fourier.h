// Fovea - Fourier transforms of small square maps, eight channels at a time.
// SPDX-License-Identifier: Apache-2.0
#ifndef FOV_FOURIER_H
#define FOV_FOURIER_H

#include "fov_lanes.h"

#define FOV_FOURIER_MAX 64

// A map is real: [row][column][group], each element the lanes of one group of channels.
// Its spectrum has the columns 0 ... size / 2 of the transform, [column][row][group]:
//
//   spectrum[u][v] = sum over y, x of map[y][x] exp(-2 pi i (u x + v y) / size)
//
// The other columns are complex conjugates: spectrum[size - u][size - v] = conj spectrum[u][v].
typedef struct fov_fourier {
  size_t size;  // 4, 8, 16, 32 or 64
  size_t stages;
  size_t radix[4];                                         // 4 or 2, in the order of the stages
  float cosines[FOV_FOURIER_MAX], sines[FOV_FOURIER_MAX];  // of 2 pi k / size
} fov_fourier;

// The number of complex elements of one group's spectrum.
FOV_INLINE size_t fov_fourier_count(size_t size) { return (size / 2 + 1) * size; }

FOV_HIDDEN void fov_fourier_prepare(fov_fourier *fourier, size_t size);

FOV_HIDDEN void fov_fourier_forward(const fov_fourier *fourier, size_t groups, const fov_lanes *map,
                                    fov_complex_lanes *out_spectrum);

// The map times size * size. Overwrites the spectrum.
FOV_HIDDEN void fov_fourier_inverse(const fov_fourier *fourier, size_t groups,
                                    fov_complex_lanes *spectrum, fov_lanes *out_map);

#endif
