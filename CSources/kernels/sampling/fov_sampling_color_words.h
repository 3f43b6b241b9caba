// Fovea - colors from luma and chroma in words of 16 bits, for both sets of x86.
// SPDX-License-Identifier: Apache-2.0
#ifndef FOV_SAMPLING_COLOR_WORDS_H
#define FOV_SAMPLING_COLOR_WORDS_H

#include "kernels/fov_inlining.h"
#include "kernels/sampling/fov_sampling_kernels.h"

// A set defines before it vectors of COLOR_WORDS words of 16 bits:
//
//   color_words, words_of(x)        words_from_bytes(p)      words_to_bytes(p, v)    in 0...255
//   words_add(a, b)                 words_subtract(a, b)     words_multiply(a, b)
//   words_zip_low(a, b)             words_zip_high(a, b)     pairs of a word of a and one of b
//   pairs_of(x)                     a pair in 32 bits, repeated
//   pairs_dot(a, b)                 sums of the products of pairs, of 32 bits
//   sums_add(a, b)                  sums_to_words(low, high) floor(sum / 2^16), zipped no more

// A factor is whole * 2^16 + rest with a rest that is a word. So the sums of fov_yuv_matrix are
//
//   sum of whole * x  +  (2^15 + sum of rest * x) >> 16
//
// and one instruction multiplies two words and adds the products. 2^15, which is no word, is 2 *
// 2^14.
typedef struct factor_parts {
  color_words whole;
  int rest;
} factor_parts;

INLINE factor_parts split_factor(int32_t factor) {
  const int32_t whole = (factor + (1 << 15)) >> 16;
  return (factor_parts){words_of(whole), factor - whole * (1 << 16)};
}

INLINE color_words pair_of_words(int first, int second) {
  return pairs_of((int)((unsigned)first & 0xFFFF) | (int)((unsigned)second << 16));
}

typedef struct color_factors {
  color_words black, half, center;
  color_words luma_whole, red_v_whole, green_u_whole, green_v_whole, blue_u_whole;
  color_words luma_rest, red_rest, green_rest, blue_rest;  // pairs
} color_factors;

INLINE color_factors factors_of(const fov_yuv_matrix *matrix) {
  const factor_parts luma = split_factor(matrix->luma), red_v = split_factor(matrix->red_v);
  const factor_parts green_u = split_factor(matrix->green_u);
  const factor_parts green_v = split_factor(matrix->green_v);
  const factor_parts blue_u = split_factor(matrix->blue_u);
  return (color_factors){
      .black = words_of(matrix->black),
      .half = words_of(2),
      .center = words_of(128),
      .luma_whole = luma.whole,
      .red_v_whole = red_v.whole,
      .green_u_whole = green_u.whole,
      .green_v_whole = green_v.whole,
      .blue_u_whole = blue_u.whole,
      .luma_rest = pair_of_words(luma.rest, 1 << 14),
      .red_rest = pair_of_words(0, red_v.rest),
      .green_rest = pair_of_words(green_u.rest, green_v.rest),
      .blue_rest = pair_of_words(blue_u.rest, 0),
  };
}

// Pairs of luma and 2, and of U and V, of the low and of the high words of every 128 bits.
typedef struct color_pairs {
  color_words luma[2], chroma[2];
} color_pairs;

INLINE color_words color_of(const color_pairs *pairs, const color_words *luma_sums,
                            color_words rests, color_words wholes) {
  const color_words low = sums_add(luma_sums[0], pairs_dot(pairs->chroma[0], rests));
  const color_words high = sums_add(luma_sums[1], pairs_dot(pairs->chroma[1], rests));
  return words_add(wholes, sums_to_words(low, high));
}

INLINE void color_step(const color_factors *f, const uint8_t *y_bytes, const uint8_t *u_bytes,
                       const uint8_t *v_bytes, uint8_t *red, uint8_t *green, uint8_t *blue) {
  const color_words y = words_subtract(words_from_bytes(y_bytes), f->black);
  const color_words u = words_subtract(words_from_bytes(u_bytes), f->center);
  const color_words v = words_subtract(words_from_bytes(v_bytes), f->center);
  const color_pairs pairs = {{words_zip_low(y, f->half), words_zip_high(y, f->half)},
                             {words_zip_low(u, v), words_zip_high(u, v)}};
  const color_words sums[2] = {pairs_dot(pairs.luma[0], f->luma_rest),
                               pairs_dot(pairs.luma[1], f->luma_rest)};
  const color_words luma = words_multiply(y, f->luma_whole);
  const color_words red_v = words_multiply(v, f->red_v_whole);
  const color_words green_u = words_multiply(u, f->green_u_whole);
  const color_words green_v = words_multiply(v, f->green_v_whole);
  const color_words blue_u = words_multiply(u, f->blue_u_whole);
  const color_words green_wholes = words_add(words_add(luma, green_u), green_v);
  words_to_bytes(red, color_of(&pairs, sums, f->red_rest, words_add(luma, red_v)));
  words_to_bytes(green, color_of(&pairs, sums, f->green_rest, green_wholes));
  words_to_bytes(blue, color_of(&pairs, sums, f->blue_rest, words_add(luma, blue_u)));
}

static void colors(const fov_yuv_matrix *matrix, const uint8_t *y, const uint8_t *u,
                   const uint8_t *v, size_t count, const fov_color_planes *out) {
  const color_factors factors = factors_of(matrix);
  ONE_BY_ONE for (size_t i = 0; i < count; i += COLOR_WORDS) {
    color_step(&factors, y + i, u + i, v + i, out->red + i, out->green + i, out->blue + i);
  }
}

#endif
