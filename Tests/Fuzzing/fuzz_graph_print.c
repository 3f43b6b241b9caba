// Fovea - fuzzed graphs in words, for whoever looks at a finding.
// SPDX-License-Identifier: Apache-2.0
#include <stdio.h>

#include "fuzz_graph_program.h"
#include "tensor/fov_tensor.h"

static void print_step(const fuzz_step *step) {
  static const char *const names[] = {
      "input",   "constant", "pixels",    "convolution", "transposed convolution",
      "pooling", "unary",    "affine",    "binary",      "concat",
      "slice",   "reshape",  "transpose", "broadcast",   "padding",
      "resize",  "reduce",   "softmax",   "energy"};
  const fov_convolution *c = &step->as.convolution;
  const fov_pooling *p = &step->as.pooling;
  fprintf(stderr, "%s", names[step->operation]);
  switch (step->operation) {
    case fuzz_convolution:
    case fuzz_transposed:
      fprintf(stderr, " %zux%zu, %zu groups, stride %zux%zu, dilation %zux%zu, ", c->kernel[0],
              c->kernel[1], c->groups, c->stride[0], c->stride[1], c->dilation[0], c->dilation[1]);
      fprintf(stderr, "before %zux%zu, after %zux%zu, weights %d of %u bits%s", c->before[0],
              c->before[1], c->after[0], c->after[1], (int)step->weights.encoding,
              step->weights.bits, step->bias.data ? ", bias" : "");
      break;
    case fuzz_pooling:
      fprintf(stderr, " %d: %zux%zu, stride %zux%zu, before %zux%zu%s", (int)p->function,
              p->kernel[0], p->kernel[1], p->stride[0], p->stride[1], p->before[0], p->before[1],
              p->exclude_padding ? ", padding excluded" : "");
      break;
    case fuzz_unary:
      fprintf(stderr, " %d, alpha %.9g, beta %.9g", (int)step->as.unary.function,
              (double)step->as.unary.alpha, (double)step->as.unary.beta);
      break;
    case fuzz_binary: fprintf(stderr, " %d", (int)step->as.binary); break;
    case fuzz_concat:
    case fuzz_softmax: fprintf(stderr, " along %zu", step->as.axis); break;
    case fuzz_reduce:
      fprintf(stderr, " %d over 0x%x", (int)step->as.reduce.function, step->as.reduce.axes);
      break;
    case fuzz_resize:
      fprintf(stderr, " %d by %g, %g from %g, %g", (int)step->as.resize.filter,
              step->as.resize.step[0], step->as.resize.step[1], step->as.resize.offset[0],
              step->as.resize.offset[1]);
      break;
    case fuzz_padding:
      fprintf(stderr, " %d, %g", (int)step->as.padding.mode, (double)step->as.padding.value);
      break;
    default: break;
  }
}

void fuzz_program_print(const fuzz_program *program) {
  for (size_t i = 0; i < program->count; i++) {
    const fuzz_step *step = &program->steps[i];
    char text[FOV_SHAPE_TEXT];
    fprintf(stderr, "  step %zu: %s = ", i, fov_shape_describe(&step->shape, text));
    print_step(step);
    for (size_t k = 0; k < step->input_count; k++) {
      fprintf(stderr, "%s%u", k ? ", " : " of ", step->inputs[k].index);
    }
    fputc('\n', stderr);
  }
  for (size_t i = 0; i < program->output_count; i++) {
    fprintf(stderr, "  output %zu: step %u\n", i, program->outputs[i]);
  }
}
