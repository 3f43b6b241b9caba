// Fovea - running a packed convolution: planes, epilogues and units of work.
// SPDX-License-Identifier: Apache-2.0
#include <math.h>

#include "base/fov_alloc.h"
#include "base/fov_size.h"
#include "fovea/spi/fov_parallel.h"
#include "kernels/fov_int8_packing.h"
#include "packed/fov_packed_convolution.h"
#include "packed/fov_packed_winograd.h"

// Work is cut by shapes alone, so that results never depend on the number of threads:
//
//   many weights    units are pairs of panels over all rows: each weight is read once a frame
//   few weights     units are bands of rows over all panels: activations stay in the cache
//
// and in both directions until there are enough units to balance.
#define MANY_WEIGHT_BYTES ((size_t)192 * 1024)
#define PANELS_A_UNIT 2
#define WANTED_UNITS 16
#define UNIT_PRODUCTS 200000  // fewer multiply-accumulates are not worth a unit

typedef struct units {
  size_t panel_parts, row_parts;
  size_t panels_each, rows_each;
} units;

static units cut(const fov_packed_convolution *packed, size_t panels, size_t rows,
                 uint64_t products) {
  const size_t most = fov_size_max(1, fov_size_min(WANTED_UNITS, (size_t)(products / UNIT_PRODUCTS)));
  units cut = {.panels_each = panels, .rows_each = rows};
  if (packed->weights_size >= MANY_WEIGHT_BYTES) {
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

// The memory of one group of one picture.
typedef struct planes {
  fov_plane input, output, residual;
} planes;

// The window of output pixel (0, 0) begins in the border.
static const uint8_t *window_begin(const fov_packed_convolution *packed, const planes *at,
                                   size_t channel, size_t element) {
  const ptrdiff_t above = (ptrdiff_t)packed->convolution.before[0] * at->input.row;
  const ptrdiff_t beside = (ptrdiff_t)packed->convolution.before[1] * at->input.pixel;
  return (const uint8_t *)at->input.data +
         ((ptrdiff_t)channel - above - beside) * (ptrdiff_t)element;
}

typedef struct job {
  const fov_run *run;
  const fov_packed_convolution *packed;
  planes at;
  size_t group;
  const float *epilogue;  // integer
  units units;
  fov_planes result;
  fov_packed_winograd winograd;  // kernels NULL: direct
  uint8_t *winograd_memory;
} job;

static uint8_t code_of(float value, const fov_quantization *quantization, uint8_t fallback) {
  if (!isfinite(value)) return fallback;
  const double code = nearbyint((double)value / (double)quantization->scale) +
                      (double)quantization->zero_point;
  return (uint8_t)(code < 0.0 ? 0.0 : code > 255.0 ? 255.0 : code);
}

static void set_int8_epilogue(const job *job, size_t first_channel, fov_int8_epilogue *out) {
  const fov_packed_convolution *packed = job->packed;
  const fov_packed_finish *finish = &packed->finish;
  const size_t channels = fov_packed_channels(packed);
  const float *arrays = job->epilogue + first_channel;
  const bool sloped = finish->slope != 1.0f;
  *out = (fov_int8_epilogue){
      .scale = arrays,
      .bias = arrays + channels,
      .negative_scale = sloped ? arrays + 2 * channels : NULL,
      .negative_bias = sloped ? arrays + 3 * channels : NULL,
      .table = finish->has_table ? packed->table : NULL,
      .lowest = 0,
      .highest = 255,
      .to_float = job->run->output.type == fov_data_type_float32,
      .lowest_value = finish->lowest,
      .highest_value = finish->highest,
  };
  if (out->to_float) return;
  const fov_quantization output =
      finish->has_table ? packed->before_table : fov_format_quantization(&job->run->output);
  out->lowest = code_of(finish->lowest, &output, 0);
  out->highest = code_of(finish->highest, &output, 255);
  if (!finish->has_residual) return;
  const fov_quantization residual = fov_format_quantization(&job->run->inputs[1]);
  out->residual = (const uint8_t *)job->at.residual.data;
  out->residual_row = job->at.residual.row;
  out->residual_pixel = job->at.residual.pixel;
  out->residual_scale = residual.scale / output.scale;
}

static void set_float_epilogue(const job *job, size_t first_channel, size_t channel,
                               fov_float_epilogue *out) {
  const fov_packed_finish *finish = &job->packed->finish;
  *out = (fov_float_epilogue){
      .bias = job->packed->bias + first_channel,
      .slope = finish->slope,
      .lowest = finish->lowest,
      .highest = finish->highest,
  };
  if (!finish->has_residual) return;
  out->residual = (const float *)job->at.residual.data + channel;
  out->residual_row = job->at.residual.row;
  out->residual_pixel = job->at.residual.pixel;
}

// Geometry of a kernel call; the four structures name the same fields.
#define SET_GEOMETRY(call, job)                                             \
  do {                                                                      \
    for (int axis = 0; axis < 2; axis++) {                                  \
      (call).kernel[axis] = (job)->packed->convolution.kernel[axis];        \
      (call).stride[axis] = (job)->packed->convolution.stride[axis];        \
      (call).dilation[axis] = (job)->packed->convolution.dilation[axis];    \
    }                                                                       \
    (call).input_row = (job)->at.input.row;                                 \
    (call).input_pixel = (job)->at.input.pixel;                             \
    (call).output_row = (job)->at.output.row;                               \
    (call).output_pixel = (job)->at.output.pixel;                           \
    (call).rows = (job)->result.rows;                                       \
    (call).columns = (job)->result.columns;                                 \
  } while (0)

static void *output_at(const job *job, size_t channel) {
  return (uint8_t *)job->at.output.data + channel * fov_data_type_bytes(job->run->output.type);
}

static fov_int8_convolution int8_call(const job *job) {
  const fov_packed_convolution *packed = job->packed;
  const size_t first_panel = job->group * packed->panels;
  const size_t channel = job->group * fov_packed_group_outputs(packed);
  fov_int8_convolution call = {
      .input = window_begin(packed, &job->at, job->group * fov_packed_group_inputs(packed), 1),
      .channels = fov_int8_padded_channels(fov_packed_group_inputs(packed)),
      .block = packed->block,
      .weights = (const int8_t *)packed->weights + first_panel * packed->panel_bytes,
      .weight_sums = packed->weight_sums + first_panel * FOV_PANEL,
      .pairs_fit = packed->pairs_fit + first_panel,
      .panel_bytes = packed->panel_bytes,
      .pools = packed->pools,
      .output_channels = fov_packed_group_outputs(packed),
      .output = output_at(job, channel),
  };
  SET_GEOMETRY(call, job);
  set_int8_epilogue(job, first_panel * FOV_PANEL, &call.epilogue);
  if (call.epilogue.residual) call.epilogue.residual += channel;
  return call;
}

static fov_float_convolution float_call(const job *job) {
  const fov_packed_convolution *packed = job->packed;
  const size_t first_panel = job->group * packed->panels;
  const size_t channel = job->group * fov_packed_group_outputs(packed);
  fov_float_convolution call = {
      .input = (const float *)(const void *)window_begin(
          packed, &job->at, job->group * fov_packed_group_inputs(packed), sizeof(float)),
      .channels = fov_packed_group_inputs(packed),
      .block = packed->block,
      .weights =
          (const float *)packed->weights + first_panel * (packed->panel_bytes / sizeof(float)),
      .panel_floats = packed->panel_bytes / sizeof(float),
      .pools = packed->pools,
      .output_channels = fov_packed_group_outputs(packed),
      .output = output_at(job, channel),
  };
  SET_GEOMETRY(call, job);
  set_float_epilogue(job, first_panel * FOV_PANEL, channel, &call.epilogue);
  return call;
}

static void run_int8_depthwise(const job *job, const size_t rows[2]) {
  const fov_packed_convolution *packed = job->packed;
  fov_int8_depthwise call = {
      .input = window_begin(packed, &job->at, 0, 1),
      .weights = packed->weights,
      .weight_sums = packed->weight_sums,
      .pairs_fit = packed->pairs_fit,
      .channels = packed->input_channels,
      .output = job->at.output.data,
  };
  SET_GEOMETRY(call, job);
  set_int8_epilogue(job, 0, &call.epilogue);
  job->run->kernels->int8->depthwise(&call, rows[0], rows[1]);
}

static void run_float_depthwise(const job *job, const size_t rows[2]) {
  const fov_packed_convolution *packed = job->packed;
  fov_float_depthwise call = {
      .input = (const float *)(const void *)window_begin(packed, &job->at, 0, sizeof(float)),
      .weights = packed->weights,
      .channels = packed->input_channels,
      .output = job->at.output.data,
  };
  SET_GEOMETRY(call, job);
  set_float_epilogue(job, 0, 0, &call.epilogue);
  job->run->kernels->float32->depthwise(&call, rows[0], rows[1]);
}

static void move_columns(fov_plane *plane, size_t columns, size_t element) {
  plane->data = (uint8_t *)plane->data + (ptrdiff_t)columns * plane->pixel * (ptrdiff_t)element;
}

// Dense sums from, and up to, these rows, columns and panels.
static void run_dense(const void *context, const size_t rows[2], const size_t columns[2],
                      const size_t panels[2]) {
  job job = *(const struct job *)context;
  const fov_packed_convolution *packed = job.packed;
  const size_t element = fov_data_type_bytes(job.run->output.type);
  const size_t windows = packed->pools ? 2 : 1;
  move_columns(&job.at.input, columns[0] * windows * packed->convolution.stride[1],
               packed->integer ? 1 : sizeof(float));
  move_columns(&job.at.output, columns[0], element);
  if (packed->finish.has_residual) move_columns(&job.at.residual, columns[0], element);
  job.result.columns = columns[1] - columns[0];
  if (packed->integer) {
    const fov_int8_convolution call = int8_call(&job);
    job.run->kernels->int8->convolution(&call, rows[0], rows[1], panels[0], panels[1]);
  } else {
    const fov_float_convolution call = float_call(&job);
    job.run->kernels->float32->convolution(&call, rows[0], rows[1], panels[0], panels[1]);
  }
}

static void run_unit(void *context, size_t unit, size_t thread) {
  (void)thread;
  const job *job = context;
  const units *units = &job->units;
  const size_t panel = unit / units->row_parts * units->panels_each;
  const size_t row = unit % units->row_parts * units->rows_each;
  const size_t rows[2] = {row, fov_size_min(row + units->rows_each, job->result.rows)};
  const size_t panels[2] = {panel, fov_size_min(panel + units->panels_each, job->packed->panels)};
  if (!job->packed->depthwise) {
    run_dense(job, rows, (size_t[2]){0, job->result.columns}, panels);
  } else if (job->packed->integer) {
    run_int8_depthwise(job, rows);
  } else {
    run_float_depthwise(job, rows);
  }
}

static uint64_t products_of(const fov_packed_convolution *packed, const fov_planes *result) {
  const uint64_t pixels = (uint64_t)result->rows * result->columns * (packed->pools ? 4 : 1);
  return pixels * packed->convolution.output_channels * fov_packed_group_inputs(packed) *
         packed->convolution.kernel[0] * packed->convolution.kernel[1];
}

static void run_winograd(job *job) {
  for (job->group = 0; job->group < job->packed->convolution.groups; job->group++) {
    if (job->packed->integer) {
      const fov_int8_convolution call = int8_call(job);
      fov_packed_winograd_run(&job->winograd, &call, run_dense, job, job->run->pool,
                              job->winograd_memory);
    } else {
      const fov_float_convolution call = float_call(job);
      fov_packed_winograd_run(&job->winograd, &call, run_dense, job, job->run->pool,
                              job->winograd_memory);
    }
  }
}

static void run_groups(job *job) {
  const fov_packed_convolution *packed = job->packed;
  if (job->winograd.kernels) {
    run_winograd(job);
    return;
  }
  const uint64_t products = products_of(packed, &job->result);
  const size_t groups = packed->depthwise ? 1 : packed->convolution.groups;
  job->units = cut(packed, packed->depthwise ? 1 : packed->panels, job->result.rows,
                   products / groups);
  for (job->group = 0; job->group < groups; job->group++) {
    fov_parallel_for(job->run->pool, job->units.panel_parts * job->units.row_parts, run_unit, job);
  }
}

// Measured epilogues come first in the workspace.
static size_t epilogue_bytes(const fov_packed_convolution *packed) {
  return packed->measured ? 4 * fov_packed_channels(packed) * sizeof(float) : 0;
}

static void run_convolution(const fov_run *run) {
  const fov_packed_convolution *packed = run->parameters;
  job job = {
      .run = run,
      .packed = packed,
      .epilogue = packed->epilogue,
      .result = fov_shape_planes(run->output.shape),
      .winograd_memory = (uint8_t *)run->workspace + epilogue_bytes(packed),
  };
  fov_packed_winograd_plan(packed, run->kernels, &job.result, run->lanes, &job.winograd);
  if (packed->measured) {
    const fov_packed_codes codes = {.input = fov_format_quantization(&run->inputs[0])};
    fov_packed_epilogue(packed, codes, run->workspace);
    job.epilogue = run->workspace;
  }
  for (size_t picture = 0; picture < job.result.batch; picture++) {
    job.at.input = fov_format_plane(&run->inputs[0], picture);
    job.at.output = fov_format_plane(&run->output, picture);
    if (packed->finish.has_residual) {
      job.at.residual = fov_format_plane(&run->inputs[1], picture);
    }
    run_groups(&job);
  }
  fov_format_fill_border(&run->output);
}

static fov_status workspace(const void *parameters, const fov_workspace_request *request,
                            size_t *out_bytes) {
  const fov_packed_convolution *packed = parameters;
  const fov_planes result = fov_shape_planes(request->output);
  fov_packed_winograd winograd;
  const bool fits =
      fov_packed_winograd_plan(packed, request->kernels, &result, request->lanes, &winograd) &&
      fov_size_add(epilogue_bytes(packed), winograd.bytes, out_bytes);
  return fits ? fov_status_ok : fov_status_overflow;
}

static uint64_t multiply_accumulates(const void *parameters, const fov_shape *inputs,
                                     const fov_shape *output) {
  (void)inputs;
  const fov_planes result = fov_shape_planes(output);
  return products_of(parameters, &result) * result.batch;
}

static size_t weight_bytes(const void *parameters) {
  const fov_packed_convolution *packed = parameters;
  const size_t channels = fov_packed_channels(packed);
  const size_t integer = packed->integer ? channels * (sizeof(float) + sizeof(int32_t)) +
                                               channels / FOV_PANEL
                                         : 0;
  return packed->weights_size + channels * sizeof(float) + integer +
         (packed->epilogue ? 4 * channels * sizeof(float) : 0) + (packed->table ? 256 : 0);
}

static void release(void *parameters) {
  fov_packed_convolution *packed = parameters;
  fov_release(packed->owned);
  fov_release(packed->epilogue);
}

const fov_operation fov_operation_packed_convolution = {
    .name = "convolution",
    .workspace = workspace,
    .run = run_convolution,
    .multiply_accumulates = multiply_accumulates,
    .weight_bytes = weight_bytes,
    .release = release,
    .archive = fov_packed_convolution_archive,
    .parameter_bytes = sizeof(fov_packed_convolution),
    .check = fov_packed_convolution_check,
    .restore = fov_packed_convolution_restore,
};
