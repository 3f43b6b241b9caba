// Fovea - running a channels-last convolution: units of work.
// SPDX-License-Identifier: Apache-2.0
#include "base/fov_alloc.h"
#include "base/fov_size.h"
#include "channels_last/fov_channels_last_call.h"
#include "channels_last/fov_channels_last_part.h"
#include "channels_last/fov_channels_last_winograd.h"
#include "pool/fov_parallel_slots.h"
#include "weights/fov_weight_expansion.h"

// How work is divided depends only on shapes, so that results do not depend on the number of
// threads:
//
//   many weights    units are pairs of panels over all rows: each weight is read once a frame
//   few weights     units are bands of rows over all panels: activations stay in the cache
//
// If this gives too few units to balance, work is divided in both directions.
#define MANY_WEIGHT_BYTES ((size_t)192 * 1024)
#define PANELS_A_UNIT 2
#define WANTED_UNITS 16
#define UNIT_PRODUCTS 200000  // multiply-accumulates of a unit, at least

typedef struct units {
  size_t panel_parts, row_parts;
  size_t panels_each, rows_each;
} units;

static units cut(const fov_channels_last_convolution *layer, size_t panels, size_t rows,
                 uint64_t products) {
  const size_t most =
      fov_size_max(1, fov_size_min(WANTED_UNITS, (size_t)(products / UNIT_PRODUCTS)));
  units cut = {.panels_each = panels, .rows_each = rows};
  // In the form that kernels read.
  const size_t weights = layer->weights.bytes * (layer->weights.coded ? sizeof(float) : 1);
  if (weights >= MANY_WEIGHT_BYTES) {
    cut.panels_each = fov_size_min(panels, PANELS_A_UNIT);
    const size_t parts = fov_size_parts(panels, cut.panels_each);
    if (parts < most) cut.rows_each = fov_size_parts(rows, fov_size_parts(most, parts));
  } else {
    cut.rows_each = fov_size_parts(rows, most);
  }
  cut.panel_parts = fov_size_parts(panels, cut.panels_each);
  cut.row_parts = fov_size_parts(rows, cut.rows_each);
  return cut;
}

typedef struct job {
  fov_channels_last_place place;
  units units;
  fov_channels_last_winograd winograd;  // kernels NULL: direct
  uint8_t *winograd_memory;
  fov_weight_expansion expansion;
  uint8_t *expansion_memory;
  size_t values_bytes;  // of a slot; 0: the curve, if there is one, is computed in the output
  uint8_t *values_memory;
} job;

static float *values_of(const job *job, size_t slot) {
  return (float *)(void *)(job->values_memory + slot * job->values_bytes);
}

// panels: those that the slot expanded. Kernels prefetch no weights behind them.
static fov_float_convolution float_call(const job *job, const size_t panels[2], size_t slot) {
  const fov_channels_last_place *place = &job->place;
  fov_float_convolution call = fov_channels_last_float_call(
      place, fov_weight_expansion_floats(&job->expansion, &place->layer->weights, place->group,
                                         panels[0], slot, job->expansion_memory));
  if (job->expansion.slot_bytes != 0) {
    call.output_channels = fov_size_min(call.output_channels, panels[1] * FOV_PANEL);
  }
  return call;
}

static void move_columns(fov_plane *plane, size_t columns, size_t element) {
  plane->data = (uint8_t *)plane->data + (ptrdiff_t)columns * plane->pixel * (ptrdiff_t)element;
}

// Computes the sums of a block. The slot has expanded the panels.
static void sum_block(const void *context, const size_t rows[2], const size_t columns[2],
                      const size_t panels[2], size_t slot) {
  job job = *(const struct job *)context;
  fov_channels_last_place *place = &job.place;
  const fov_channels_last_convolution *layer = place->layer;
  const fov_kernel_set *kernels = place->run->kernels;
  const size_t element = fov_channels_last_element(place);
  const size_t windows = layer->pools ? 2 : 1;
  move_columns(&place->at.input, columns[0] * windows * layer->convolution.stride[1],
               layer->weights.integer ? fov_packed_code_bytes(&layer->weights) : sizeof(float));
  move_columns(&place->at.output, columns[0], element);
  if (layer->activation.has_residual) move_columns(&place->at.residual, columns[0], element);
  const fov_channels_last_block block = {rows, columns, panels};
  fov_channels_last_redirect(place, &block, values_of(&job, slot));
  place->result.columns = columns[1] - columns[0];
  if (layer->weights.integer) {
    const fov_int8_convolution call = fov_channels_last_int8_call(place);
    const fov_int8_convolution_kernel convolution =
        layer->weights.int16 ? kernels->int16->convolution : kernels->int8->convolution;
    convolution(&call, rows[0], rows[1], panels[0], panels[1]);
  } else {
    const fov_float_convolution call = float_call(&job, panels, slot);
    kernels->float32->convolution(&call, rows[0], rows[1], panels[0], panels[1]);
  }
}

// Rows of a block whose results stay in the first cache until the curve or the table is computed,
// but enough for a tile of the widest kernel.
#define FINISHED_BYTES ((size_t)24 * 1024)

static size_t rows_at_once(const fov_channels_last_convolution *layer, const size_t columns[2],
                           const size_t panels[2]) {
  if (!fov_channels_last_has_finish(layer)) return SIZE_MAX;
  const size_t element = layer->activation.has_table ? 1 : sizeof(float);
  const size_t bytes = (columns[1] - columns[0]) * (panels[1] - panels[0]) * FOV_PANEL * element;
  return fov_size_max(1, FINISHED_BYTES / fov_size_max(1, bytes));
}

// Computes a block of rows, columns and panels. The slot has expanded the panels.
static void run_dense(const void *context, const size_t rows[2], const size_t columns[2],
                      const size_t panels[2], size_t slot) {
  const fov_channels_last_place *place = &((const job *)context)->place;
  const size_t step = rows_at_once(place->layer, columns, panels);
  for (size_t row = rows[0]; row < rows[1];) {
    const size_t part[2] = {row, rows[1] - row <= step ? rows[1] : row + step};
    const fov_channels_last_block block = {part, columns, panels};
    sum_block(context, part, columns, panels, slot);
    fov_channels_last_finish(place, &block, values_of(context, slot));
    row = part[1];
  }
}

// Expands the weights of these panels if they are codes.
static void take_panels(const job *job, const size_t panels[2], size_t slot) {
  fov_weight_expansion_take(&job->expansion, &job->place.layer->weights, job->place.group, panels,
                            slot, job->expansion_memory);
}

static void sum_depthwise(fov_channels_last_place place, const fov_channels_last_block *block,
                          float *values) {
  const fov_kernel_set *kernels = place.run->kernels;
  fov_channels_last_redirect(&place, block, values);
  if (place.layer->weights.integer) {
    const fov_int8_depthwise call = fov_channels_last_int8_depthwise_call(&place);
    kernels->int8->depthwise(&call, block->rows[0], block->rows[1]);
  } else {
    const fov_float_depthwise call = fov_channels_last_float_depthwise_call(&place);
    kernels->float32->depthwise(&call, block->rows[0], block->rows[1]);
  }
}

// Rows whose floats have memory of their own are computed a few at a time.
static void run_depthwise(const job *job, const size_t rows[2], size_t slot) {
  const fov_channels_last_place *place = &job->place;
  const size_t columns[2] = {0, place->result.columns};
  const size_t panels[2] = {0, fov_size_parts(place->result.channels, FOV_PANEL)};
  const size_t step =
      place->layer->curves_codes ? rows_at_once(place->layer, columns, panels) : rows[1] - rows[0];
  for (size_t row = rows[0]; row < rows[1]; row += step) {
    const size_t part[2] = {row, fov_size_min(row + step, rows[1])};
    const fov_channels_last_block block = {part, columns, panels};
    sum_depthwise(*place, &block, values_of(job, slot));
    fov_channels_last_finish(place, &block, values_of(job, slot));
  }
}

static void run_unit(void *context, size_t unit, size_t slot) {
  const job *job = context;
  const units *units = &job->units;
  const size_t panel = unit / units->row_parts * units->panels_each;
  const size_t row = unit % units->row_parts * units->rows_each;
  const fov_channels_last_place *place = &job->place;
  const size_t rows[2] = {row, fov_size_min(row + units->rows_each, place->result.rows)};
  const size_t panels[2] = {panel,
                            fov_size_min(panel + units->panels_each, place->layer->weights.panels)};
  if (place->layer->weights.depthwise) {
    run_depthwise(job, rows, slot);
    return;
  }
  take_panels(job, panels, slot);
  run_dense(job, rows, (size_t[2]){0, place->result.columns}, panels, slot);
}

static uint64_t products_of(const fov_channels_last_convolution *layer, const fov_planes *result) {
  const uint64_t pixels = (uint64_t)result->rows * result->columns * (layer->pools ? 4 : 1);
  return pixels * layer->convolution.output_channels * layer->weights.group_inputs *
         layer->convolution.kernel[0] * layer->convolution.kernel[1];
}

static void take_call(const void *context, const fov_channels_last_block *block, size_t slot,
                      fov_channels_last_call *out_call) {
  const job *job = context;
  if (job->place.layer->weights.integer) {
    fov_channels_last_place place = job->place;
    fov_channels_last_redirect(&place, block, values_of(job, slot));
    out_call->int8 = fov_channels_last_int8_call(&place);
    return;
  }
  take_panels(job, block->panels, slot);
  out_call->float32 = float_call(job, block->panels, slot);
}

static void finish_block(const void *context, const fov_channels_last_block *block, size_t slot) {
  const job *job = context;
  fov_channels_last_finish(&job->place, block, values_of(job, slot));
}

static void run_groups(job *job) {
  const fov_channels_last_convolution *layer = job->place.layer;
  const size_t slots = job->place.run->slots;
  fov_pool *pool = job->place.run->pool;
  const fov_channels_last_work work = {job, take_call, run_dense, finish_block};
  for (size_t group = 0; group < layer->weights.groups; group++) {
    const size_t units = job->units.panel_parts * job->units.row_parts;
    job->place.group = group;
    fov_weight_expansion_begin(&job->expansion, &layer->weights, group, pool,
                               job->expansion_memory);
    if (job->winograd.kernels) {
      fov_channels_last_winograd_run(&job->winograd, &work, pool, job->winograd_memory);
    } else if (job->expansion.slot_bytes != 0 || job->values_bytes != 0) {
      fov_parallel_for_slots(pool, units, slots, run_unit, job);
    } else {
      fov_parallel_for(pool, units, run_unit, job);
    }
  }
}

// The workspace begins with the epilogue, if that is measured.
static size_t epilogue_bytes(const fov_channels_last_convolution *layer) {
  return layer->measured ? 4 * fov_packed_channels(&layer->weights) * sizeof(float) : 0;
}

// How a convolution is computed. This follows from shapes. It is planned for the workspace, and
// again in each run.
typedef struct plan {
  units units;
  fov_channels_last_winograd winograd;
  fov_weight_expansion expansion;
  size_t values_bytes, all_values_bytes;  // of a slot, of all
} plan;

// Panels that only one unit of work uses; 0 where units share them.
static size_t own_panels(const plan *plan) {
  if (plan->winograd.kernels) {
    return plan->winograd.shares_inputs ? plan->winograd.kernels->panels : 0;
  }
  return plan->units.row_parts == 1 ? plan->units.panels_each : 0;
}

// Floats of the largest block between sums and codes.
static bool plan_values(const fov_channels_last_convolution *layer, const fov_planes *result,
                        size_t slots, plan *plan) {
  plan->values_bytes = plan->all_values_bytes = 0;
  if (!layer->curves_codes) return true;
  const size_t whole = fov_size_parts(result->channels, FOV_PANEL);
  size_t panels = layer->weights.depthwise ? whole : plan->units.panels_each, rows = 1;
  if (plan->winograd.kernels) fov_channels_last_winograd_block(&plan->winograd, &rows, &panels);
  size_t pixels;
  if (!fov_size_multiply(rows, result->columns, &pixels) ||
      !fov_channels_last_values_bytes(pixels, panels, &plan->values_bytes)) {
    return false;
  }
  plan->values_bytes = fov_size_max(plan->values_bytes, FINISHED_BYTES);
  return fov_size_multiply(plan->values_bytes, slots, &plan->all_values_bytes);
}

static bool plan_run(const fov_channels_last_convolution *layer, const fov_kernel_set *kernels,
                     const fov_planes *result, size_t slots, plan *out_plan) {
  out_plan->units = cut(layer, layer->weights.depthwise ? 1 : layer->weights.panels, result->rows,
                        products_of(layer, result) / layer->weights.groups);
  return fov_channels_last_winograd_plan(layer, kernels, result, slots, &out_plan->winograd) &&
         fov_weight_expansion_plan(&layer->weights, own_panels(out_plan), slots,
                                   &out_plan->expansion) &&
         plan_values(layer, result, slots, out_plan);
}

// The pixels of a part alone.
static fov_plane plane_of(const fov_tensor *tensor, size_t image, fov_channels_last_part part) {
  fov_plane plane = fov_format_plane(tensor, image);
  const ptrdiff_t first =
      (ptrdiff_t)part.first[0] * plane.row + (ptrdiff_t)part.first[1] * plane.pixel;
  plane.data = (uint8_t *)plane.data + first * (ptrdiff_t)fov_data_type_bytes(tensor->type);
  plane.row *= (ptrdiff_t)part.step[0];
  plane.pixel *= (ptrdiff_t)part.step[1];
  return plane;
}

void fov_channels_last_convolution_run(const fov_run *run,
                                       const fov_channels_last_convolution *layer,
                                       fov_channels_last_part part) {
  const fov_planes result = fov_channels_last_planes_of(part, run->output.shape);
  if (result.rows == 0 || result.columns == 0) return;
  plan plan;
  plan_run(layer, run->kernels, &result, run->slots, &plan);
  uint8_t *memory = (uint8_t *)run->workspace + epilogue_bytes(layer);
  job job = {
      .place = {.run = run, .layer = layer, .epilogue = layer->epilogue, .result = result},
      .units = plan.units,
      .winograd = plan.winograd,
      .winograd_memory = memory,
      .expansion = plan.expansion,
      .expansion_memory = memory + plan.winograd.bytes,
      .values_bytes = plan.values_bytes,
      .values_memory = memory + plan.winograd.bytes + plan.expansion.bytes,
  };
  if (layer->measured) {
    const fov_channels_last_codes codes = {.input = fov_format_quantization(&run->inputs[0])};
    fov_channels_last_epilogue(layer, codes, run->workspace);
    job.place.epilogue = run->workspace;
  }
  for (size_t image = 0; image < result.batch; image++) {
    job.place.at.input = fov_format_plane(&run->inputs[0], image);
    job.place.at.output = plane_of(&run->output, image, part);
    if (layer->activation.has_residual) {
      job.place.at.residual = plane_of(&run->inputs[1], image, part);
    }
    run_groups(&job);
  }
}

fov_status fov_channels_last_convolution_workspace(const fov_channels_last_convolution *layer,
                                                   const fov_workspace_request *request,
                                                   fov_channels_last_part part, size_t *out_bytes) {
  const fov_planes result = fov_channels_last_planes_of(part, request->output);
  *out_bytes = 0;
  if (result.rows == 0 || result.columns == 0) return fov_status_ok;
  plan plan;
  const bool fits = plan_run(layer, request->kernels, &result, request->slots, &plan) &&
                    fov_size_add(epilogue_bytes(layer), plan.winograd.bytes, out_bytes) &&
                    fov_size_add(*out_bytes, plan.expansion.bytes, out_bytes) &&
                    fov_size_add(*out_bytes, plan.all_values_bytes, out_bytes);
  return fits ? fov_status_ok : fov_status_overflow;
}

static void run_all(const fov_run *run) {
  fov_channels_last_convolution_run(run, run->parameters, fov_channels_last_all_pixels());
  fov_format_fill_border(&run->output);
}

static fov_status workspace(const void *parameters, const fov_workspace_request *request,
                            size_t *out_bytes) {
  return fov_channels_last_convolution_workspace(parameters, request,
                                                 fov_channels_last_all_pixels(), out_bytes);
}

static uint64_t multiply_accumulates(const void *parameters, const fov_shape *inputs,
                                     const fov_shape *output) {
  (void)inputs;
  const fov_planes result = fov_shape_planes(output);
  return products_of(parameters, &result) * result.batch;
}

static size_t weight_bytes(const void *parameters) {
  const fov_channels_last_convolution *layer = parameters;
  const size_t channels = fov_packed_channels(&layer->weights);
  return fov_packed_weights_bytes(&layer->weights) +
         (layer->epilogue ? 4 * channels * sizeof(float) : 0) + (layer->table ? 256 : 0) +
         (layer->factors ? 2 * layer->convolution.output_channels * sizeof(float) : 0);
}

const fov_operation fov_operation_channels_last_convolution = {
    .name = "convolution",
    .workspace = workspace,
    .run = run_all,
    .multiply_accumulates = multiply_accumulates,
    .weight_bytes = weight_bytes,
    .release = fov_channels_last_convolution_release,
    .archive = fov_channels_last_convolution_archive,
    .parameter_bytes = sizeof(fov_channels_last_convolution),
    .check = fov_channels_last_convolution_check,
    .restore = fov_channels_last_convolution_restore,
};
