// Fovea - a correlation filter whose weights are confined to the object.
// SPDX-License-Identifier: Apache-2.0
#include "fov_filter.h"

#include <string.h>

#include "fov_exact_functions.h"

static const float bell_share = 0.0625f;  // of the object's size: the wanted response's width
static const float memory_weight = 25;    // of staying as before, against one picture
static const float penalty_inside = 0.03f, penalty_outside = 100;
static const float coupling = 1, coupling_growth = 10;  // between the two steps
static const size_t steps = 2, first_steps = 4;

// MARK: Memory

size_t fov_filter_lay_out(fov_filter *f, size_t cells, size_t groups, void *memory) {
  const size_t frequencies = fov_fourier_count(cells), pixels = cells * cells;
  const size_t spectrum = frequencies * groups * sizeof(fov_complex_lanes);
  char *const begin = memory, *end = begin;
  if (begin) {
    memset(f, 0, sizeof *f);
    fov_fourier_prepare(&f->fourier, cells);
    f->cells = cells;
    f->groups = groups;
    fov_complex_lanes **spectra[5] = {&f->sample, &f->weights, &f->before, &f->confined, &f->dual};
    for (size_t i = 0; i < 5; i++) {
      *spectra[i] = (fov_complex_lanes *)(void *)(begin + i * spectrum);
    }
    end = begin + 5 * spectrum;
    f->response = (fov_complex_lanes *)(void *)end;
    f->map = (fov_lanes *)(f->response + frequencies);
    f->penalty = (float *)(f->map + pixels * groups);
    f->target = f->penalty + pixels;
  }
  return 5 * spectrum + frequencies * sizeof(fov_complex_lanes) +
         pixels * groups * sizeof(fov_lanes) + (pixels + frequencies) * sizeof(float);
}

// MARK: Beginning

static float squared_penalty(float x, float y) {
  const float out = x > y ? x : y;  // 1 at the object's edge
  const float beyond = out > 1 ? out - 1 : 0;
  const float raw = penalty_inside + 4 * penalty_outside * beyond * beyond;
  const float cut = raw < penalty_outside ? raw : penalty_outside;
  return cut * cut;
}

void fov_filter_begin(fov_filter *f, float width, float height) {
  const size_t n = f->cells, frequencies = fov_fourier_count(n);
  const float spread = bell_share * sqrtf(width * height);
  memset(f->map, 0, n * n * f->groups * sizeof *f->map);
  memset(f->weights, 0, frequencies * f->groups * sizeof *f->weights);
  for (size_t y = 0; y < n; y++) {
    for (size_t x = 0; x < n; x++) {
      const float dx = (float)(x < n / 2 ? x : n - x), dy = (float)(y < n / 2 ? y : n - y);
      const float power = (dx * dx + dy * dy) / (2 * spread * spread);
      f->map[y * n + x][0] = power < 60 ? fov_exp(-power) : 0;
      const float half = 0.5f * (float)n;
      f->penalty[y * n + x] = squared_penalty(fabsf((float)x + 0.5f - half) / (width / 2),
                                              fabsf((float)y + 0.5f - half) / (height / 2));
    }
  }
  fov_fourier_forward(&f->fourier, 1, f->map, f->response);
  for (size_t i = 0; i < frequencies; i++) f->target[i] = f->response[i].re[0];
  f->learned = false;
}

// MARK: Learning

typedef struct step_weights {
  float coupling, memory, count;
} step_weights;

// The step of one frequency. The matrix is x x^H + ridge, which the formula of Sherman and
// Morrison inverts.
FOV_INLINE void solve_frequency(const fov_filter *f, size_t i, const step_weights *s) {
  const size_t groups = f->groups;
  const fov_complex_lanes *x = f->sample + i * groups, *g = f->confined + i * groups;
  const fov_complex_lanes *h = f->dual + i * groups, *b = f->before + i * groups;
  fov_complex_lanes *w = f->weights + i * groups;
  fov_lanes energy = {0}, re = {0}, im = {0};
  for (size_t k = 0; k < groups; k++) {
    fov_complex_lanes q;
    q.re =
        x[k].re * f->target[i] + (g[k].re * s->coupling - h[k].re + b[k].re * s->memory) * s->count;
    q.im =
        x[k].im * f->target[i] + (g[k].im * s->coupling - h[k].im + b[k].im * s->memory) * s->count;
    energy += x[k].re * x[k].re + x[k].im * x[k].im;
    re += x[k].re * q.re + x[k].im * q.im;
    im += x[k].re * q.im - x[k].im * q.re;
    w[k] = q;
  }
  const float ridge = s->count * (s->coupling + s->memory);
  const float share = 1 / (fov_lanes_sum(&energy) + ridge), scale = 1 / ridge;
  const float u = fov_lanes_sum(&re) * share, v = fov_lanes_sum(&im) * share;
  for (size_t k = 0; k < groups; k++) {
    w[k].re = (w[k].re - (x[k].re * u - x[k].im * v)) * scale;
    w[k].im = (w[k].im - (x[k].re * v + x[k].im * u)) * scale;
  }
}

// The step in space: confined = what the penalty leaves of weights + dual / coupling.
static void confine(fov_filter *f, float between) {
  const size_t count = fov_fourier_count(f->cells) * f->groups, pixels = f->cells * f->cells;
  for (size_t i = 0; i < count; i++) {
    f->confined[i].re = f->weights[i].re * between + f->dual[i].re;
    f->confined[i].im = f->weights[i].im * between + f->dual[i].im;
  }
  fov_fourier_inverse(&f->fourier, f->groups, f->confined, f->map);
  for (size_t i = 0; i < pixels; i++) {
    const float share = 1 / ((f->penalty[i] + between) * (float)pixels);
    for (size_t g = 0; g < f->groups; g++) f->map[i * f->groups + g] *= share;
  }
  fov_fourier_forward(&f->fourier, f->groups, f->map, f->confined);
  for (size_t i = 0; i < count; i++) {
    f->dual[i].re += (f->weights[i].re - f->confined[i].re) * between;
    f->dual[i].im += (f->weights[i].im - f->confined[i].im) * between;
  }
}

static void find_weights(fov_filter *f) {
  const size_t frequencies = fov_fourier_count(f->cells);
  const size_t bytes = frequencies * f->groups * sizeof *f->weights;
  memcpy(f->before, f->weights, bytes);
  memset(f->confined, 0, bytes);
  memset(f->dual, 0, bytes);
  step_weights s = {.coupling = coupling,
                    .memory = f->learned ? memory_weight : 0,
                    .count = (float)(f->cells * f->cells)};
  const size_t count = f->learned ? steps : first_steps;
  for (size_t i = 1; i <= count; i++) {
    for (size_t k = 0; k < frequencies; k++) solve_frequency(f, k, &s);
    if (i == count) break;
    confine(f, s.coupling);
    s.coupling *= coupling_growth;
  }
  f->learned = true;
}

void fov_filter_learn(fov_filter *f, const fov_lanes *map) {
  fov_fourier_forward(&f->fourier, f->groups, map, f->sample);
  find_weights(f);
}

typedef struct phases {
  float re[FOV_FOURIER_MAX], im[FOV_FOURIER_MAX];
} phases;

static void phases_of(float shift, size_t n, phases *out) {
  for (size_t u = 0; u < n; u++) {
    const double frequency = u <= n / 2 ? (double)u : (double)u - (double)n;
    const double angle = 2 * 3.14159265358979323846 * frequency * (double)shift / (double)n;
    fov_sine_cosine(angle, &out->im[u], &out->re[u]);
  }
}

void fov_filter_learn_seen(fov_filter *f, float across, float down) {
  const size_t n = f->cells;
  phases x, y;
  phases_of(across, n, &x);
  phases_of(down, n, &y);
  for (size_t u = 0; u <= n / 2; u++) {
    for (size_t v = 0; v < n; v++) {
      const float c = x.re[u] * y.re[v] - x.im[u] * y.im[v];
      const float s = x.re[u] * y.im[v] + x.im[u] * y.re[v];
      fov_complex_lanes *z = f->sample + (u * n + v) * f->groups;
      for (size_t g = 0; g < f->groups; g++) {
        const fov_complex_lanes a = z[g];
        z[g].re = a.re * c - a.im * s;
        z[g].im = a.im * c + a.re * s;
      }
    }
  }
  find_weights(f);
}

// MARK: Responding

void fov_filter_respond(fov_filter *f, const fov_lanes *map, float *out_response) {
  const size_t frequencies = fov_fourier_count(f->cells), pixels = f->cells * f->cells;
  fov_fourier_forward(&f->fourier, f->groups, map, f->sample);
  memset(f->response, 0, frequencies * sizeof *f->response);
  for (size_t i = 0; i < frequencies; i++) {
    const fov_complex_lanes *x = f->sample + i * f->groups, *w = f->weights + i * f->groups;
    fov_lanes re = {0}, im = {0};
    for (size_t k = 0; k < f->groups; k++) {
      re += w[k].re * x[k].re + w[k].im * x[k].im;
      im += w[k].re * x[k].im - w[k].im * x[k].re;
    }
    f->response[i].re[0] = fov_lanes_sum(&re);
    f->response[i].im[0] = fov_lanes_sum(&im);
  }
  fov_fourier_inverse(&f->fourier, 1, f->response, f->map);
  const float scale = 1 / (float)pixels;
  for (size_t i = 0; i < pixels; i++) out_response[i] = f->map[i][0] * scale;
}
