// Fovea - choices made when a detector is trained.
// SPDX-License-Identifier: Apache-2.0

/// Choices made when a detector is trained.
public struct TrainingOptions: Sendable, Hashable, Codable {
  /// How long a run takes.
  public enum Length: Sendable, Hashable, Codable {
    /// So many minutes. How many steps that makes depends on the machine and its load.
    case minutes(Double)
    /// So many steps, which give the same weights again.
    case steps(Int)
  }

  /// How long the run takes; 20 minutes by default.
  public var length = Length.minutes(20)
  /// What random numbers follow from.
  public var seed: UInt64 = 0
  /// The threads that pictures of a batch are shared out to.
  public var threads: Int
  /// The side of the network's input in pixels; `nil` to choose it by the pictures, where the start
  /// allows several.
  public var size: Int?
  /// Pictures of a step; `nil` for 16, or 8 for large inputs.
  public var batch: Int?
  /// The greatest learning rate.
  public var rate = 1.5e-3
  /// Whether mirrored pictures show the same classes.
  public var mirrors = true
  /// Whether pictures are taken from above, so that up and down may be exchanged, too.
  public var isFromAbove = false
  /// The author, license and other words about the model.
  public var metadata: [String: String] = [:]

  /// Pictures that the program will look at after the run. A run of minutes leaves time for them.
  public var looksAfter = 0

  /// Creates options.
  public init(threads: Int) { self.threads = threads }

  /// How views differ from pictures.
  var augmentation: AugmentationOptions {
    var views = AugmentationOptions()
    (views.mirrorsAcross, views.mirrorsDown) = (mirrors, isFromAbove)
    return views
  }

  /// Checks what no type can.
  func check() throws(TrainingError) {
    switch length {
    case .minutes(let minutes):
      guard minutes > 0, minutes <= 100_000 else {
        throw TrainingError(.invalidOption, "\(minutes) minutes; expected more than 0")
      }
    case .steps(let steps):
      guard steps >= 1, steps <= 1_000_000_000 else {
        throw TrainingError(.invalidOption, "\(steps) steps; expected at least 1")
      }
    }
    guard threads >= 1, threads <= 1024 else {
      throw TrainingError(.invalidOption, "\(threads) threads; expected 1 to 1024")
    }
    if let batch, !(1...4096).contains(batch) {
      throw TrainingError(.invalidOption, "\(batch) pictures in a step; expected 1 to 4096")
    }
    guard rate > 0, rate < 1 else {
      throw TrainingError(.invalidOption, "a learning rate of \(rate); expected 0 to 1")
    }
  }
}
