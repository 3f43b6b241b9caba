// Fovea - the ranges that a session measures.
// SPDX-License-Identifier: Apache-2.0
internal import CFovea
package import FoveaCore

extension Session {
  /// The ranges of all runs so far.
  ///
  /// Empty unless the model was loaded with `Model.Options.recordsRanges`.
  package func activationRanges() -> ActivationRanges {
    var channels = [fov_channel_summary](
      repeating: fov_channel_summary(), count: fov_model_range_count(model.core.pointer))
    fov_session_ranges(handle, &channels, channels.count)
    var ranges = ActivationRanges(channels)
    ranges.pictures = model.pictures
    return ranges
  }
}
