// Fovea - planning and running channels-last convolutions with Winograd's algorithm.
// SPDX-License-Identifier: Apache-2.0
#include "channels_last/fov_channels_last_winograd.h"

#include "base/fov_size.h"
#include "pool/fov_parallel_slots.h"
#include "weights/fov_int8_packing.h"

// The inputs and sums of so many tiles stay in the second cache, unless there are many channels.
#define BAND_TILES 64

// With so many panels, threads share the panels.
#define MANY_PANELS 8

// A multiple of common numbers of threads, so that all threads end at the same time.
#define BANDS_STEP 4

static bool suits(const fov_channels_last_convolution *layer) {
  const fov_convolution *c = &layer->convolution;
  return !layer->weights.depthwise && c->kernel[0] == 3 && c->kernel[1] == 3 && c->stride[0] == 1 &&
         c->stride[1] == 1 && c->dilation[0] == 1 && c->dilation[1] == 1 &&
         (!layer->weights.integer || layer->weights.sums_are_small);
}

static void cut_bands(fov_channels_last_winograd *winograd) {
  const size_t rows = fov_size_max(BAND_TILES / winograd->tile_columns, 1);
  winograd->bands = fov_size_parts(winograd->tile_rows, rows);
  winograd->shares_inputs = winograd->panels >= MANY_PANELS || winograd->bands == 1;
  if (winograd->shares_inputs) return;
  const size_t even = fov_size_parts(winograd->bands, BANDS_STEP) * BANDS_STEP;
  winograd->bands = fov_size_min(even, winograd->tile_rows);
}

static size_t band_row(const fov_channels_last_winograd *winograd, size_t band) {
  return band * winograd->tile_rows / winograd->bands;
}

static bool measure(fov_channels_last_winograd *winograd) {
  fov_winograd_tiles tiles;
  const size_t inputs_count = winograd->shares_inputs ? 1 : winograd->slots;
  size_t inputs, scratch;
  return fov_winograd_plan(winograd->kernels, 0,
                           fov_size_parts(winograd->tile_rows, winograd->bands),
                           winograd->tile_columns, winograd->channels, winograd->block, &tiles,
                           &winograd->inputs_bytes, &winograd->scratch_bytes) &&
         fov_size_multiply(winograd->inputs_bytes, inputs_count, &inputs) &&
         fov_size_multiply(winograd->scratch_bytes, winograd->slots, &scratch) &&
         fov_size_add(inputs, scratch, &winograd->bytes);
}

bool fov_channels_last_winograd_plan(const fov_channels_last_convolution *layer,
                                     const fov_kernel_set *kernels, const fov_planes *result,
                                     size_t slots, fov_channels_last_winograd *out_winograd) {
  *out_winograd = (fov_channels_last_winograd){0};
  const fov_winograd_kernels *set =
      layer->weights.integer ? kernels->int8_winograd : kernels->float_winograd;
  const size_t windows = layer->pools ? 2 : 1;
  const size_t inputs = layer->weights.group_inputs;
  const fov_winograd_shape shape = {result->rows * windows, result->columns * windows, inputs,
                                    layer->weights.group_outputs};
  const bool has_direct_rest = !layer->pools && layer->weights.panels >= MANY_PANELS;
  size_t tile_rows, tile_columns;
  if (!set || !suits(layer) ||
      !fov_winograd_cover(set, &shape, has_direct_rest, &tile_rows, &tile_columns)) {
    return true;
  }
  *out_winograd = (fov_channels_last_winograd){
      .kernels = set,
      .slots = slots,
      .channels = layer->weights.integer ? fov_int8_padded_channels(inputs) : inputs,
      .block = layer->weights.block,
      .panels = layer->weights.panels,
      .tile_rows = tile_rows,
      .tile_columns = tile_columns,
      .rows = result->rows,
      .columns = result->columns,
  };
  cut_bands(out_winograd);
  return measure(out_winograd);
}

// MARK: Running

typedef struct job {
  const fov_channels_last_winograd *winograd;
  const fov_channels_last_work *work;
  fov_channels_last_call inputs_call;  // for transforms, which need no weights
  fov_winograd_tiles tiles;
  uint8_t *inputs, *scratch;
} job;

static fov_winograd_tiles tiles_of(const fov_channels_last_winograd *winograd, size_t band) {
  fov_winograd_tiles tiles;
  size_t inputs, scratch;
  // Cannot overflow, since the largest band did not when the workspace was planned.
  (void)fov_winograd_plan(winograd->kernels, band_row(winograd, band), band_row(winograd, band + 1),
                          winograd->tile_columns, winograd->channels, winograd->block, &tiles,
                          &inputs, &scratch);
  return tiles;
}

static void transform_row(void *context, size_t unit, size_t thread) {
  (void)thread;
  const job *job = context;
  const size_t row = job->tiles.row_begin + unit;
  job->winograd->kernels->transform(&job->inputs_call, &job->tiles, row, row + 1, job->inputs);
}

// Pixels to the right of the tiles and below them, while the panels are in the cache.
static void run_rest(const job *job, const size_t panels[2], size_t slot) {
  const fov_channels_last_winograd *winograd = job->winograd;
  const size_t last_row = winograd->tile_rows * FOV_WINOGRAD_TILE;
  const size_t last_column = winograd->tile_columns * FOV_WINOGRAD_TILE;
  const size_t beside[2] = {0, fov_size_min(last_row, winograd->rows)};
  const size_t right[2] = {last_column, winograd->columns};
  const size_t below[2] = {last_row, winograd->rows};
  const size_t all[2] = {0, winograd->columns};
  const fov_channels_last_work *work = job->work;
  if (right[0] < right[1]) work->direct(work->context, beside, right, panels, slot);
  if (below[0] < below[1]) work->direct(work->context, below, all, panels, slot);
}

void fov_channels_last_winograd_block(const fov_channels_last_winograd *winograd, size_t *out_rows,
                                      size_t *out_panels) {
  const size_t tiles = fov_size_parts(winograd->tile_rows, winograd->bands);
  *out_rows = fov_size_min(tiles * FOV_WINOGRAD_TILE, winograd->rows);
  *out_panels = winograd->shares_inputs ? fov_size_min(winograd->kernels->panels, winograd->panels)
                                        : winograd->panels;
}

// Multiplies the tiles by some panels, and computes the curve on their sums. The last tiles may
// leave the result. Inputs that are not transformed yet are transformed first.
static void multiply_tiles(const job *job, const fov_winograd_tiles *tiles, const size_t panels[2],
                           size_t slot, uint8_t *inputs, bool transformed, uint8_t *scratch) {
  const fov_channels_last_winograd *winograd = job->winograd;
  const fov_channels_last_work *work = job->work;
  const size_t rows[2] = {tiles->row_begin * FOV_WINOGRAD_TILE,
                          fov_size_min(tiles->row_end * FOV_WINOGRAD_TILE, winograd->rows)};
  const size_t columns[2] = {
      0, fov_size_min(winograd->tile_columns * FOV_WINOGRAD_TILE, winograd->columns)};
  const fov_channels_last_block block = {rows, columns, panels};
  fov_channels_last_call call;
  work->take(work->context, &block, slot, &call);
  if (!transformed) {
    winograd->kernels->transform(&call, tiles, tiles->row_begin, tiles->row_end, inputs);
  }
  winograd->kernels->multiply(&call, tiles, inputs, panels[0], panels[1], scratch);
  work->finish(work->context, &block, slot);
}

static void multiply_panels(void *context, size_t unit, size_t slot) {
  const job *job = context;
  const fov_channels_last_winograd *winograd = job->winograd;
  const size_t together = winograd->kernels->panels;
  const size_t panels[2] = {unit * together, fov_size_min((unit + 1) * together, winograd->panels)};
  multiply_tiles(job, &job->tiles, panels, slot, job->inputs, true,
                 job->scratch + slot * winograd->scratch_bytes);
  if (job->tiles.row_end == winograd->tile_rows) run_rest(job, panels, slot);
}

static void run_band(void *context, size_t unit, size_t slot) {
  const job *job = context;
  const fov_channels_last_winograd *winograd = job->winograd;
  const fov_winograd_tiles tiles = tiles_of(winograd, unit);
  uint8_t *inputs = job->inputs + slot * (winograd->inputs_bytes + winograd->scratch_bytes);
  const size_t panels[2] = {0, winograd->panels};
  multiply_tiles(job, &tiles, panels, slot, inputs, false, inputs + winograd->inputs_bytes);
}

void fov_channels_last_winograd_run(const fov_channels_last_winograd *winograd,
                                    const fov_channels_last_work *work, fov_pool *pool,
                                    uint8_t *memory) {
  job job = {
      .winograd = winograd,
      .work = work,
      .inputs = memory,
      .scratch = memory + winograd->inputs_bytes,
  };
  if (!winograd->shares_inputs) {
    fov_parallel_for_slots(pool, winograd->bands, winograd->slots, run_band, &job);
    return;
  }
  const size_t none[2] = {0, 0};
  work->take(work->context, &(fov_channels_last_block){none, none, none}, 0, &job.inputs_call);
  for (size_t band = 0; band < winograd->bands; band++) {
    job.tiles = tiles_of(winograd, band);
    fov_parallel_for(pool, job.tiles.row_end - job.tiles.row_begin, transform_row, &job);
    fov_parallel_for_slots(pool, fov_size_parts(winograd->panels, winograd->kernels->panels),
                           winograd->slots, multiply_panels, &job);
  }
}
