// Fovea - Fourier transforms of small square maps: self-sorting passes of radix 4 and 2.
// SPDX-License-Identifier: Apache-2.0
#include "fov_fourier.h"

#include <string.h>

#include "fov_exact_functions.h"

void fov_fourier_prepare(fov_fourier *fourier, size_t size) {
  memset(fourier, 0, sizeof *fourier);
  fourier->size = size;
  size_t rest = size;
  while (rest > 1) {
    const size_t radix = rest % 4 == 0 ? 4 : 2;
    fourier->radix[fourier->stages++] = radix;
    rest /= radix;
  }
  for (size_t k = 0; k < size; k++) {
    const double angle = 2 * 3.14159265358979323846 * (double)k / (double)size;
    fov_sine_cosine(angle, &fourier->sines[k], &fourier->cosines[k]);
  }
}

// MARK: Butterflies

// out = (re + i im) * (c - i s)
FOV_INLINE void turn(const fov_complex_lanes *z, float c, float s, fov_complex_lanes *out) {
  out->re = z->re * c + z->im * s;
  out->im = z->im * c - z->re * s;
}

typedef struct pass {
  const fov_fourier *fourier;
  size_t parts, stride;  // size of the sub-transform / radix, and elements between its entries
} pass;

FOV_INLINE void pass4(const pass *p, const fov_complex_lanes *in, fov_complex_lanes *out) {
  const size_t m = p->parts, s = p->stride;
  for (size_t k = 0; k < m; k++) {
    const float *cosines = p->fourier->cosines, *sines = p->fourier->sines;
    const size_t w = k * s;
    const float c1 = cosines[w], s1 = sines[w], c2 = cosines[2 * w], s2 = sines[2 * w];
    const float c3 = cosines[3 * w], s3 = sines[3 * w];
    for (size_t q = 0; q < s; q++) {
      const fov_complex_lanes *from = in + q + s * k;
      const fov_complex_lanes a = from[0], b = from[s * m], c = from[2 * s * m];
      const fov_complex_lanes d = from[3 * s * m];
      const fov_complex_lanes ac = {a.re + c.re, a.im + c.im}, a_c = {a.re - c.re, a.im - c.im};
      const fov_complex_lanes bd = {b.re + d.re, b.im + d.im};
      const fov_complex_lanes jb_d = {d.im - b.im, b.re - d.re};  // i (b - d)
      const fov_complex_lanes x1 = {a_c.re - jb_d.re, a_c.im - jb_d.im};
      const fov_complex_lanes x2 = {ac.re - bd.re, ac.im - bd.im};
      const fov_complex_lanes x3 = {a_c.re + jb_d.re, a_c.im + jb_d.im};
      fov_complex_lanes *to = out + q + 4 * s * k;
      to[0].re = ac.re + bd.re;
      to[0].im = ac.im + bd.im;
      turn(&x1, c1, s1, to + s);
      turn(&x2, c2, s2, to + 2 * s);
      turn(&x3, c3, s3, to + 3 * s);
    }
  }
}

FOV_INLINE void pass2(const pass *p, const fov_complex_lanes *in, fov_complex_lanes *out) {
  const size_t m = p->parts, s = p->stride;
  for (size_t k = 0; k < m; k++) {
    const size_t w = k * s;
    for (size_t q = 0; q < s; q++) {
      const fov_complex_lanes a = in[q + s * k], b = in[q + s * (k + m)];
      const fov_complex_lanes difference = {a.re - b.re, a.im - b.im};
      fov_complex_lanes *to = out + q + 2 * s * k;
      to[0].re = a.re + b.re;
      to[0].im = a.im + b.im;
      turn(&difference, p->fourier->cosines[w], p->fourier->sines[w], to + s);
    }
  }
}

// Transforms `line`; the result lies in `line` or in `other`, which is returned.
static fov_complex_lanes *transform(const fov_fourier *fourier, fov_complex_lanes *line,
                                    fov_complex_lanes *other) {
  pass p = {.fourier = fourier, .stride = 1};
  size_t size = fourier->size;
  for (size_t i = 0; i < fourier->stages; i++) {
    const size_t radix = fourier->radix[i];
    p.parts = size / radix;
    if (radix == 4) {
      pass4(&p, line, other);
    } else {
      pass2(&p, line, other);
    }
    size = p.parts;
    p.stride *= radix;
    fov_complex_lanes *const swap = line;
    line = other;
    other = swap;
  }
  return line;
}

// MARK: Maps

// Two rows are the real and the imaginary part of one line.
static void forward_rows(const fov_fourier *fourier, size_t groups, const fov_lanes *map,
                         fov_complex_lanes *spectrum) {
  const size_t n = fourier->size;
  fov_complex_lanes line[FOV_FOURIER_MAX], other[FOV_FOURIER_MAX];
  for (size_t y = 0; y < n; y += 2) {
    for (size_t g = 0; g < groups; g++) {
      const fov_lanes *first = map + y * n * groups + g, *second = first + n * groups;
      for (size_t x = 0; x < n; x++) {
        line[x].re = first[x * groups];
        line[x].im = second[x * groups];
      }
      const fov_complex_lanes *z = transform(fourier, line, other);
      for (size_t u = 0; u <= n / 2; u++) {
        const fov_complex_lanes a = z[u], b = z[(n - u) % n];
        fov_complex_lanes *to = spectrum + (u * n + y) * groups + g;
        to[0].re = (a.re + b.re) * 0.5f;
        to[0].im = (a.im - b.im) * 0.5f;
        to[groups].re = (a.im + b.im) * 0.5f;
        to[groups].im = (b.re - a.re) * 0.5f;
      }
    }
  }
}

static void columns(const fov_fourier *fourier, size_t groups, bool inverse,
                    fov_complex_lanes *spectrum) {
  const size_t n = fourier->size;
  fov_complex_lanes line[FOV_FOURIER_MAX], other[FOV_FOURIER_MAX];
  for (size_t u = 0; u <= n / 2; u++) {
    for (size_t g = 0; g < groups; g++) {
      fov_complex_lanes *column = spectrum + u * n * groups + g;
      for (size_t v = 0; v < n; v++) {
        line[v].re = inverse ? column[v * groups].im : column[v * groups].re;
        line[v].im = inverse ? column[v * groups].re : column[v * groups].im;
      }
      const fov_complex_lanes *z = transform(fourier, line, other);
      for (size_t v = 0; v < n; v++) {
        column[v * groups].re = inverse ? z[v].im : z[v].re;
        column[v * groups].im = inverse ? z[v].re : z[v].im;
      }
    }
  }
}

static void inverse_rows(const fov_fourier *fourier, size_t groups,
                         const fov_complex_lanes *spectrum, fov_lanes *map) {
  const size_t n = fourier->size;
  fov_complex_lanes line[FOV_FOURIER_MAX], other[FOV_FOURIER_MAX];
  for (size_t y = 0; y < n; y += 2) {
    for (size_t g = 0; g < groups; g++) {
      // The line a + i b of two rows; real and imaginary part change places for the inverse.
      for (size_t u = 0; u <= n / 2; u++) {
        const fov_complex_lanes *from = spectrum + (u * n + y) * groups + g;
        const fov_complex_lanes a = from[0], b = from[groups];
        line[u].im = a.re - b.im;
        line[u].re = a.im + b.re;
        if (u > 0 && u < n / 2) {
          line[n - u].im = a.re + b.im;
          line[n - u].re = b.re - a.im;
        }
      }
      const fov_complex_lanes *z = transform(fourier, line, other);
      fov_lanes *first = map + y * n * groups + g, *second = first + n * groups;
      for (size_t x = 0; x < n; x++) {
        first[x * groups] = z[x].im;
        second[x * groups] = z[x].re;
      }
    }
  }
}

void fov_fourier_forward(const fov_fourier *fourier, size_t groups, const fov_lanes *map,
                         fov_complex_lanes *out_spectrum) {
  forward_rows(fourier, groups, map, out_spectrum);
  columns(fourier, groups, false, out_spectrum);
}

void fov_fourier_inverse(const fov_fourier *fourier, size_t groups, fov_complex_lanes *spectrum,
                         fov_lanes *out_map) {
  columns(fourier, groups, true, spectrum);
  inverse_rows(fourier, groups, spectrum, out_map);
}
