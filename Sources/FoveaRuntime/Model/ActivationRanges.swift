// Fovea - what a calibration measures.
// SPDX-License-Identifier: Apache-2.0
internal import CFovea

/// The least and the greatest value that every channel of every activation of a model took on over
/// the pictures of a calibration.
///
/// `int8` rescales channels by them until those of one activation fill its codes alike - what stands
/// between convolutions lets a factor through, `f(s * x) = s * f(x)` - and chooses the codes by what
/// comes out. After Nagel, van Baalen, Blankevoort, Welling: "Data-Free Quantization Through Weight
/// Equalization and Bias Correction", ICCV 2019, with the ranges of activations in the place of those
/// of weights.
///
/// Ranges belong to the graph they were measured on: the same file, the same `lastStage` and
/// picture sizes.
public struct ActivationRanges: Sendable, Hashable {
  /// One for each channel of each activation, in the order of the graph; `nil` where nothing was
  /// measured.
  public let ranges: [ClosedRange<Float>?]

  /// Creates ranges from those of a session whose model measures them.
  init(_ ranges: [fov_range]) {
    self.ranges = ranges.map { $0.low <= $0.high ? $0.low...$0.high : nil }
  }

  /// The core's words.
  var core: [fov_range] {
    ranges.map { range in
      guard let range else { return fov_range(low: .infinity, high: -.infinity) }
      return fov_range(low: range.lowerBound, high: range.upperBound)
    }
  }
}

extension Session {
  /// The ranges of all activations over all runs so far.
  ///
  /// Empty unless the model was loaded with `Model.Options.measuresRanges`.
  public func activationRanges() -> ActivationRanges {
    var ranges = [fov_range](
      repeating: fov_range(low: .infinity, high: -.infinity),
      count: fov_model_range_count(model.core.pointer))
    fov_session_ranges(handle, &ranges, ranges.count)
    return ActivationRanges(ranges)
  }
}
