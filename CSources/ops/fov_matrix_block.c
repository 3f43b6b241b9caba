// Fovea - a block of a product of matrices.
// SPDX-License-Identifier: Apache-2.0
#include "ops/fov_matrix_block.h"

#include <math.h>
#include <string.h>

#include "base/fov_size.h"
#include "kernels/fov_gemm.h"
#include "kernels/fov_kernel_set.h"
#include "kernels/int8/fov_int8_kernels.h"

// The workspace: rows of the left, columns of the right, a bias of zeros for the panels.
typedef struct parts {
  size_t left, right, bias;  // floats
} parts;

// Columns, filled up to whole panels.
static size_t lanes_of(size_t columns) { return fov_size_parts(columns, FOV_PANEL) * FOV_PANEL; }

static bool find_parts(const fov_matrix_block *block, parts *out_parts) {
  const bool panels = block->backend != fov_backend_blas;
  const size_t lanes = lanes_of(block->columns);
  *out_parts = (parts){.bias = panels ? lanes : 0};
  return fov_size_multiply(block->transpose_left ? lanes_of(block->rows) : 0, block->k,
                           &out_parts->left) &&
         fov_size_multiply(panels || block->transpose_right ? lanes : 0, block->k,
                           &out_parts->right);
}

bool fov_matrix_block_floats(const fov_matrix_block *block, size_t *out_floats) {
  parts parts;
  return find_parts(block, &parts) && fov_size_add(parts.left, parts.right, out_floats) &&
         fov_size_add(*out_floats, parts.bias, out_floats);
}

// MARK: panels

// Columns of the right: [panel][k][FOV_PANEL].
static void fill_panels(const fov_matrix_block *block, float *panels) {
  const size_t k = block->k;
  for (size_t begin = 0; begin < block->columns; begin += FOV_PANEL, panels += k * FOV_PANEL) {
    const size_t lanes = fov_size_min(FOV_PANEL, block->columns - begin);
    if (lanes < FOV_PANEL) memset(panels, 0, k * FOV_PANEL * sizeof(float));
    if (block->transpose_right) {
      block->kernels->float32->transpose(block->right + (block->column + begin) * k, k, lanes, k,
                                         panels, FOV_PANEL);
      continue;
    }
    const float *from = block->right + block->column + begin;
    for (size_t i = 0; i < k; i++, from += block->n) {
      if (lanes == FOV_PANEL) {
        memcpy(panels + i * FOV_PANEL, from, FOV_PANEL * sizeof(float));
      } else {
        memcpy(panels + i * FOV_PANEL, from, lanes * sizeof(float));
      }
    }
  }
}

// int8 gives the same bits on every instruction set.
static void multiply_by_kernel(const fov_matrix_block *block, const float *left,
                               const float *panels, const float *bias) {
  const fov_float_convolution call = {
      .input = left,
      .input_pixel = (ptrdiff_t)block->k,
      .kernel = {1, 1},
      .stride = {1, 1},
      .dilation = {1, 1},
      .channels = block->k,
      .block = block->k,
      .in_order = block->backend == fov_backend_int8,
      .weights = panels,
      .panel_floats = block->k * FOV_PANEL,
      .rows = 1,
      .columns = block->rows,
      .output_channels = block->columns,
      .output = block->out,
      .output_pixel = (ptrdiff_t)block->n,
      .epilogue = {.bias = bias, .slope = 1.0f, .lowest = -INFINITY, .highest = INFINITY},
  };
  block->kernels->float32->convolution(&call, 0, 1, 0, fov_size_parts(block->columns, FOV_PANEL));
}

// MARK: blocks

void fov_matrix_block_multiply(const fov_matrix_block *block, float *workspace) {
  const size_t k = block->k;
  parts parts;
  find_parts(block, &parts);
  float *panels = workspace + parts.left, *bias = panels + parts.right;
  const float *left = block->left + block->row * k;
  if (block->transpose_left) {
    block->kernels->float32->transpose(block->left + block->row, block->m, k, block->rows,
                                       workspace, k);
    left = workspace;
  }
  if (block->backend != fov_backend_blas) {
    fill_panels(block, panels);
    memset(bias, 0, parts.bias * sizeof(float));
    multiply_by_kernel(block, left, panels, bias);
    return;
  }
  const float *right = block->right + block->column;
  size_t right_row = block->n;
  if (block->transpose_right) {
    block->kernels->float32->transpose(block->right + block->column * k, k, block->columns, k,
                                       panels, block->columns);
    right = panels;
    right_row = block->columns;
  }
  fov_gemm(block->rows, block->columns, k, left, k, right, right_row, false, block->out, block->n);
}
