// Fovea - what a calibration measures.
// SPDX-License-Identifier: Apache-2.0
package import CFovea

/// The range, mean and variance of every channel of a model's activations, measured by a
/// calibration.
///
/// `int8` uses them in three ways:
///
/// * It rescales channels, so that all channels of an activation use the range of 8 bits alike.
///   This is possible because operations between convolutions satisfy `f(s * x) = s * f(x)`.
/// * It chooses the codes by the ranges after rescaling.
/// * It rounds weights so that their errors cancel for average activations.
///
/// Rescaling follows Nagel, van Baalen, Blankevoort, Welling: "Data-Free Quantization Through
/// Weight Equalization and Bias Correction", ICCV 2019, with the ranges of activations instead of
/// those of weights.
///
/// Ranges are valid only for the graph on which they were measured: the same file, `lastStage` and
/// image sizes.
public struct ActivationRanges: Sendable, Hashable {
  /// One channel of one activation.
  package struct Channel: Sendable, Hashable {
    /// The range from the least to the greatest element, and on to where further images are
    /// expected to reach (`fov_channel_statistics.h`).
    package var range: ClosedRange<Float>
    /// The mean of the elements.
    package var mean: Float
    /// The variance of the elements.
    package var variance: Float
  }

  /// The channels of all activations, in the order of the graph; `nil` where nothing was measured.
  package let channels: [Channel?]

  /// How a picture took the place of an array while they were measured; `nil` where none did.
  /// Models that use the ranges read pictures as well.
  package var pictures: PictureInput?

  /// Creates ranges from those of a session whose model measures them.
  package init(_ channels: [fov_channel_summary]) {
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
