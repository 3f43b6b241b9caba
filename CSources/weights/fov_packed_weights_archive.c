// Fovea - packed weights in compiled files.
// SPDX-License-Identifier: Apache-2.0
#include "weights/fov_packed_weights.h"

static void archive_floats(fov_archive *archive, const float **floats, size_t count) {
  const void *place = *floats;
  fov_archive_block_in_place(archive, &place, count, sizeof(float));
  *floats = place;
}

static void archive_words(fov_archive *archive, const uint32_t **words, size_t count) {
  const void *place = *words;
  fov_archive_block_in_place(archive, &place, count, sizeof(uint32_t));
  *words = place;
}

// Reading: the first fields say which form follows.
static void archive_coding(fov_archive *archive, fov_packed_weights *weights) {
  fov_coded_weights *coding = &weights->coding;
  const size_t channels = fov_packed_channels(weights), positions = fov_packed_positions(weights);
  bool is_linear = coding->scale != NULL, has_positions = coding->position_begin != NULL;
  fov_archive_bool(archive, &is_linear);
  fov_archive_bool(archive, &has_positions);
  fov_archive_size(archive, &coding->numbers);
  coding->codes = weights->panel_data;
  if (is_linear) {
    archive_floats(archive, &coding->scale, coding->numbers);
    archive_floats(archive, &coding->offset, coding->numbers);
  } else {
    archive_floats(archive, &coding->table, coding->numbers);
  }
  archive_floats(archive, &coding->factor, channels);
  archive_words(archive, &coding->channel_begin, channels);
  if (has_positions) archive_words(archive, &coding->position_begin, positions);
  if (fov_archive_reads(archive) && !fov_coded_weights_are_valid(coding, channels, positions)) {
    fov_archive_fail(archive, fov_status_invalid_weights,
                     "weights in the file have tables or scales that do not exist");
  }
}

void fov_packed_weights_archive(fov_archive *archive, fov_packed_weights *weights) {
  const size_t channels = fov_packed_channels(weights);
  fov_archive_block_in_place(archive, &weights->panel_data, weights->bytes, 1);
  archive_floats(archive, &weights->bias, channels);
  if (weights->integer) archive_floats(archive, &weights->scale, channels);
  if (weights->coded) archive_coding(archive, weights);
}
