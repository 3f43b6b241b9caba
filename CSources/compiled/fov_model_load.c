// Fovea - a model from the bytes of a compiled file.
// SPDX-License-Identifier: Apache-2.0
#include "base/fov_alloc.h"
#include "base/fov_size.h"
#include "compiled/fov_compiled_layout.h"
#include "compiled/fov_graph_archive.h"
#include "fovea/core/fov_compiled.h"
#include "session/fov_model_types.h"

static fov_status check_machine(const void *bytes, fov_diagnostic *diagnostic) {
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
  return fov_fail(diagnostic, fov_status_unsupported,
                  "compiled models are for little-endian machines");
#endif
  if ((uintptr_t)bytes % FOV_ALIGNMENT == 0) return fov_status_ok;
  return fov_fail(diagnostic, fov_status_invalid_argument,
                  "the bytes of a compiled model begin at a multiple of %d", FOV_ALIGNMENT);
}

static fov_status read_sections(const void *bytes, size_t count, fov_compiled_header *out_header,
                                fov_diagnostic *diagnostic) {
  FOV_FORWARD(fov_compiled_read_header(bytes, count, out_header, diagnostic));
  for (size_t i = 0; i < FOV_COMPILED_SECTIONS; i++) {
    FOV_FORWARD(fov_compiled_check_section(bytes, &out_header->sections[i], diagnostic));
  }
  return fov_status_ok;
}

static fov_status read_backend(fov_archive *archive, fov_backend *out_backend) {
  uint32_t backend = 0;
  fov_archive_u32(archive, &backend);
  if (backend != fov_backend_float32 && backend != fov_backend_int8) {
    fov_archive_fail(archive, fov_status_invalid_file, "a backend that is not compiled for");
  }
  *out_backend = (fov_backend)backend;
  return archive->status;
}

static fov_status build(fov_model *model, const void *bytes, size_t count,
                        fov_diagnostic *diagnostic) {
  fov_compiled_header header;
  FOV_FORWARD(check_machine(bytes, diagnostic));
  FOV_FORWARD(read_sections(bytes, count, &header, diagnostic));
  const fov_section *graph = &header.sections[fov_section_graph - 1];
  const fov_section *weights = &header.sections[fov_section_weights - 1];
  const uint8_t *begin = bytes;
  fov_archive archive = fov_archive_reader(begin + graph->offset, graph->bytes,
                                           begin + weights->offset, weights->bytes, diagnostic);
  FOV_FORWARD(read_backend(&archive, &model->options.backend));
  FOV_FORWARD(fov_model_check_options(&model->options, diagnostic));
  FOV_FORWARD(fov_model_find_kernels(model, diagnostic));
  FOV_FORWARD(fov_graph_read(&archive, &model->graph));
  return fov_model_freeze(model, diagnostic);
}

fov_status fov_model_load(const void *bytes, size_t count, const fov_model_options *options,
                          fov_model **out_model, fov_diagnostic *diagnostic) {
  *out_model = NULL;
  fov_model *model = fov_allocate(sizeof *model);
  if (!model) return fov_fail(diagnostic, fov_status_out_of_memory, "no memory for a model");
  model->options = (fov_model_options){
      .struct_size = options->struct_size,
      .thread_count = options->thread_count,
      .instruction_set = options->instruction_set,
      .uses_winograd = options->uses_winograd,
  };
  const fov_status status = build(model, bytes, count, diagnostic);
  if (status != fov_status_ok) {
    fov_model_destroy(model);
    return status;
  }
  *out_model = model;
  return fov_status_ok;
}
