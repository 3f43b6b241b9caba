// Fovea - the decoding of detector heads in fuzzed graphs, right or with something changed.
// SPDX-License-Identifier: Apache-2.0
#include "fuzz_graph_program.h"
#include "tensor/fov_tensor.h"

// Folding recognizes this chain of layers and replaces it by two operations; what merely resembles
// it has to be left alone. At random it is never met, so it is written out here (compare
// fold/fov_detection_head.h):
//
//   parts       head as [5 + classes, anchors, pixels]
//   confidence  sigmoid(objectness) * sigmoid(classes) as rows of classes
//   coordinates (sigmoid(x, y) + cell) / columns, size(w, h) * anchor as rows of 4

typedef struct chain {
  fuzz_input *input;
  fuzz_program *program;
  fov_graph *graph;
  size_t anchors, classes, rows, columns;
  bool pixels_outermost;
  size_t until_change;  // steps to go; then one is changed
  bool failed;
} chain;

static size_t pixels_of(const chain *chain) { return chain->rows * chain->columns; }

// Something that is wrong or only looks so.
static void change(fuzz_input *input, fuzz_step *step) {
  const uint8_t kind = fuzz_byte(input);
  switch (step->operation) {
    case fuzz_unary:
      if (kind & 1) step->as.unary.function = kind & 2 ? fov_unary_relu : fov_unary_sigmoid;
      step->as.unary.alpha += (kind & 4) ? 0.5f : 0;
      step->as.unary.beta += (kind & 8) ? 0.25f : 0;
      break;
    case fuzz_slice:
      if (kind & 1) step->as.slice.begin[0] += 1;
      if (kind & 2) step->as.slice.begin[0] += step->as.slice.count[0] - 1;
      if (kind & 2) step->as.slice.stride[0] = -1;
      if (kind & 4) step->as.slice.begin[2] = step->as.slice.count[2] - 1;
      if (kind & 4) step->as.slice.stride[2] = -1;
      break;
    case fuzz_transpose: {
      const size_t i = kind % 3, j = (kind >> 2) % 3, kept = step->as.axes[i];
      step->as.axes[i] = step->as.axes[j];
      step->as.axes[j] = kept;
      break;
    }
    case fuzz_binary: step->as.binary = kind % 3; break;
    case fuzz_concat: {
      const fov_value kept = step->inputs[0];
      step->inputs[0] = step->inputs[1];
      step->inputs[1] = kept;
      break;
    }
    default: break;
  }
}

static fov_value add(chain *chain, fuzz_step step) {
  if (chain->until_change-- == 0) change(chain->input, &step);
  const fov_value value = {(uint32_t)chain->program->count};
  step.type = fov_data_type_float32;
  chain->failed = chain->failed || !fuzz_program_add(chain->graph, chain->program, &step);
  return value;
}

// MARK: Layers

static fuzz_step step_of(fuzz_operation operation, fov_value from) {
  return (fuzz_step){.operation = operation, .inputs = {from}, .input_count = 1};
}

static fov_value reshape(chain *chain, fov_value from, fov_shape shape) {
  fuzz_step step = step_of(fuzz_reshape, from);
  step.as.shape = shape;
  return add(chain, step);
}

static fov_value transpose(chain *chain, fov_value from, size_t a, size_t b, size_t c) {
  fuzz_step step = step_of(fuzz_transpose, from);
  step.as.axes[0] = a;
  step.as.axes[1] = b;
  step.as.axes[2] = c;
  return add(chain, step);
}

static fov_value slice(chain *chain, fov_value from, size_t begin, size_t count) {
  fuzz_step step = step_of(fuzz_slice, from);
  step.as.slice = (fov_slice){
      .begin = {begin}, .count = {count, chain->anchors, pixels_of(chain)}, .stride = {1, 1, 1}};
  return add(chain, step);
}

static fov_value apply(chain *chain, fov_unary_function function, float alpha, fov_value from) {
  fuzz_step step = step_of(fuzz_unary, from);
  step.as.unary = (fov_unary){.function = function, .alpha = alpha};
  return add(chain, step);
}

static fov_value combine(chain *chain, fov_binary_function function, fov_value a, fov_value b) {
  fuzz_step step = step_of(fuzz_binary, a);
  step.inputs[step.input_count++] = b;
  step.as.binary = function;
  return add(chain, step);
}

static fov_value join(chain *chain, fov_value a, fov_value b) {
  fuzz_step step = step_of(fuzz_concat, a);
  step.inputs[step.input_count++] = b;
  step.as.axis = 0;
  return add(chain, step);
}

static fov_value constant(chain *chain, fov_shape shape, const float *numbers, size_t count) {
  return add(chain, (fuzz_step){.operation = fuzz_constant,
                                .as.shape = shape,
                                .weights = {.data = numbers, .data_bytes = count * sizeof(float)}});
}

// [numbers, anchors, pixels] as rows of so many numbers.
static fov_value as_rows(chain *chain, fov_value from, size_t numbers) {
  const size_t first = chain->pixels_outermost ? 2 : 1;
  const fov_value moved = transpose(chain, from, first, 3 - first, 0);
  const fov_shape shape = {.rank = 2, .dims = {chain->anchors * pixels_of(chain), numbers}};
  return reshape(chain, moved, shape);
}

// MARK: The two arrays

static fov_value scores(chain *chain, fov_value parts) {
  const fov_value object = apply(chain, fov_unary_sigmoid, 0, slice(chain, parts, 4, 1));
  const fov_value classes =
      apply(chain, fov_unary_sigmoid, 0, slice(chain, parts, 5, chain->classes));
  return as_rows(chain, combine(chain, fov_binary_multiply, object, classes), chain->classes);
}

static fov_value cells(chain *chain) {
  const size_t pixels = pixels_of(chain);
  float *grid = fuzz_program_keep(chain->program, 2 * pixels * sizeof *grid);
  for (size_t i = 0; i < pixels; i++) {
    grid[i] = (float)(i % chain->columns);
    grid[pixels + i] = (float)(i / chain->columns);
  }
  return constant(chain, (fov_shape){.rank = 3, .dims = {2, 1, pixels}}, grid, 2 * pixels);
}

static fov_value anchor_sizes(chain *chain) {
  float *sizes = fuzz_program_keep(chain->program, 2 * chain->anchors * sizeof *sizes);
  for (size_t i = 0; i < 2 * chain->anchors; i++) sizes[i] = 0.125f + 0.25f * (float)i;
  return constant(chain, (fov_shape){.rank = 3, .dims = {2, chain->anchors, 1}}, sizes,
                  2 * chain->anchors);
}

static fov_value boxes(chain *chain, fov_value parts, bool squares) {
  fov_value centers = apply(chain, fov_unary_sigmoid, 0, slice(chain, parts, 0, 2));
  centers = combine(chain, fov_binary_add, centers, cells(chain));
  centers = apply(chain, fov_unary_linear, 1.0f / (float)chain->columns, centers);
  fov_value sizes = slice(chain, parts, 2, 2);
  if (squares) {
    sizes = apply(chain, fov_unary_linear, 2, apply(chain, fov_unary_sigmoid, 0, sizes));
    sizes = combine(chain, fov_binary_multiply, sizes, sizes);
  } else {
    sizes = apply(chain, fov_unary_exp, 0, sizes);
  }
  sizes = combine(chain, fov_binary_multiply, sizes, anchor_sizes(chain));
  return as_rows(chain, join(chain, centers, sizes), 4);
}

static bool takes_head(const fuzz_program *program, fov_value value, chain *chain) {
  const fuzz_step *step = &program->steps[value.index];
  const fov_shape *shape = &step->shape;
  if (step->type != fov_data_type_float32 || shape->rank != 4 || shape->dims[0] != 1) return false;
  const size_t numbers = 5 + chain->classes;
  if (shape->dims[1] % numbers != 0 || shape->dims[1] > 64) return false;
  // The grid has two numbers for each pixel, whether the graph is run or not.
  if (fov_shape_count(shape) > FUZZ_MOST_ELEMENTS) return false;
  chain->anchors = shape->dims[1] / numbers;
  chain->rows = shape->dims[2];
  chain->columns = shape->dims[3];
  return true;
}

// A head of its own where no value is one.
static fov_value add_head(chain *chain) {
  chain->anchors = fuzz_between(chain->input, 1, 3);
  chain->rows = fuzz_between(chain->input, 1, 5);
  chain->columns = fuzz_between(chain->input, 1, 5);
  const fov_shape shape = {
      .rank = 4, .dims = {1, chain->anchors * (5 + chain->classes), chain->rows, chain->columns}};
  return add(chain, (fuzz_step){.operation = fuzz_input_value, .as.shape = shape});
}

void fuzz_program_add_heads(fuzz_input *input, fuzz_program *program, fov_graph *graph) {
  const uint8_t kind = fuzz_byte(input), changes = fuzz_byte(input);
  const size_t heads = kind & 1 ? 2 : 1;
  chain chain = {.input = input,
                 .program = program,
                 .graph = graph,
                 .classes = fuzz_between(input, 1, 4),
                 .pixels_outermost = kind & 2,
                 .until_change = changes < 128 ? SIZE_MAX : changes % 46};
  fov_value confidence = {0}, coordinates = {0};
  for (size_t i = 0; i < heads && !chain.failed; i++) {
    fov_value head = {(uint32_t)program->count - 1};
    if (i > 0 || !takes_head(program, head, &chain)) head = add_head(&chain);
    const fov_shape shape = {.rank = 3,
                             .dims = {chain.anchors, 5 + chain.classes, pixels_of(&chain)}};
    const fov_value parts = transpose(&chain, reshape(&chain, head, shape), 1, 0, 2);
    const fov_value score = scores(&chain, parts), box = boxes(&chain, parts, kind & 4);
    confidence = i == 0 ? score : join(&chain, confidence, score);
    coordinates = i == 0 ? box : join(&chain, coordinates, box);
  }
  if (chain.failed) return;
  program->has_heads = true;
  program->outputs[program->output_count++] = confidence.index;
  program->outputs[program->output_count++] = coordinates.index;
}
