// Fovea - what a calibration measures.
// SPDX-License-Identifier: Apache-2.0
internal import CFovea

/// What every channel of every activation of a model took on over the images of a calibration.
///
/// `int8` makes three uses of it. It rescales channels until those of one activation fill its codes alike -
/// what stands between convolutions lets a factor through, `f(s * x) = s * f(x)`; it
/// chooses the codes by the ranges that come out; and it rounds weights so that their errors
/// cancel in what the channels hold on average.
///
/// Rescaling follows Nagel, van Baalen, Blankevoort, Welling: "Data-Free Quantization Through Weight
/// Equalization and Bias Correction", ICCV 2019, with the ranges of activations in the place of those
/// of weights.
///
/// Ranges belong to the graph they were measured on: the same file, the same `lastStage` and
/// image sizes.
public struct ActivationRanges: Sendable, Hashable {
  /// One channel of one activation.
  package struct Channel: Sendable, Hashable {
    /// From the least to the greatest element.
    package var range: ClosedRange<Float>
    /// The mean of the elements.
    package var mean: Float
    /// The mean square of their distance from it.
    package var variance: Float
  }

  /// One for each channel of each activation, in the order of the graph; `nil` where nothing was
  /// measured.
  package let channels: [Channel?]

  /// Creates ranges from those of a session whose model measures them.
  init(_ channels: [fov_channel_summary]) {
    self.channels = channels.map { channel in
      guard channel.low <= channel.high else { return nil }
      return Channel(
        range: channel.low...channel.high, mean: channel.mean, variance: channel.variance)
    }
  }

  /// In the core's form.
  var core: [fov_channel_summary] {
    channels.map { channel in
      guard let channel else {
        return fov_channel_summary(low: .infinity, high: -.infinity, mean: 0, variance: 0)
      }
      return fov_channel_summary(
        low: channel.range.lowerBound, high: channel.range.upperBound, mean: channel.mean,
        variance: channel.variance)
    }
  }
}

extension Session {
  /// What was measured over all runs so far.
  ///
  /// Empty unless the model was loaded with `Model.Options.recordsRanges`.
  package func activationRanges() -> ActivationRanges {
    var channels = [fov_channel_summary](
      repeating: fov_channel_summary(), count: fov_model_range_count(model.core.pointer))
    fov_session_ranges(handle, &channels, channels.count)
    return ActivationRanges(channels)
  }
}
