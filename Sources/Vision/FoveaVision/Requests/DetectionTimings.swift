// Fovea - where the time of a detection went.
// SPDX-License-Identifier: Apache-2.0

/// The times of the stages of a detection.
public struct DetectionTimings: Hashable, Sendable {
  /// Decoding the image as it is stored. Zero for a frame that is sampled where it lies, and for all
  /// but the first of the requests that share an image.
  public var decode: Duration
  /// Sampling the image into the network's input, which also turns it upright.
  public var prepare: Duration
  /// Running the network.
  public var inference: Duration
  /// Reading boxes and suppressing duplicates.
  public var postprocess: Duration

  /// Creates timings.
  package init(
    decode: Duration = .zero, prepare: Duration = .zero, inference: Duration = .zero,
    postprocess: Duration = .zero
  ) {
    self.decode = decode
    self.prepare = prepare
    self.inference = inference
    self.postprocess = postprocess
  }

  /// The sum of all stages.
  public var total: Duration { decode + prepare + inference + postprocess }
}

/// Measures the time from one call to the next.
struct StageClock {
  private var last = ContinuousClock.now

  /// The time since the last call, or since this clock was made.
  mutating func lap() -> Duration {
    let now = ContinuousClock.now
    defer { last = now }
    return now - last
  }
}
