// Fovea - the size of a network's input that keeps a deadline.
// SPDX-License-Identifier: Apache-2.0
package import FoveaGeometry

/// Chooses the size of a network's input, so that results come before a deadline.
///
/// After two late results in a row the next smaller size is taken. A larger one is taken again when
/// `patience` results in a row were so early that it would have kept the deadline, too.
package struct InputSizeChoice: Sendable {
  /// How many early results in a row allow a larger size.
  static let patience = 25
  /// The share of the deadline that a larger size may be expected to take.
  static let margin = 0.8

  /// The sizes, the largest first; the first is what the request asks for.
  private var sizes: [ImageSize]
  private let deadline: Double?
  private var current = 0
  private var lateCount = 0
  private var earlyCount = 0
  /// Whether the present size has not been used yet: its first result includes loading.
  private var isFresh = true

  /// - Parameter deadline: Seconds; `nil` keeps the first size.
  package init(deadline: Double?) {
    self.deadline = deadline
    sizes = []
  }

  /// The size for the next picture.
  ///
  /// - Parameters:
  ///   - wanted: The size that the request asks for.
  ///   - smaller: Smaller sizes, the largest first; called when another size is asked for.
  package mutating func size(
    wanted: ImageSize, smaller: () -> [ImageSize]
  ) -> ImageSize {
    if sizes.first != wanted {
      sizes = [wanted] + (deadline == nil ? [] : smaller())
      (current, lateCount, earlyCount, isFresh) = (0, 0, 0, true)
    }
    return sizes[current]
  }

  /// Takes note of a result.
  ///
  /// - Parameters:
  ///   - latency: Seconds from the picture's arrival to the result.
  ///   - work: Seconds that the detection took of it.
  package mutating func note(latency: Double, work: Double) {
    guard let deadline else { return }
    let wasFresh = isFresh
    isFresh = false
    if latency > deadline {
      earlyCount = 0
      if !wasFresh { lateCount += 1 }
      if lateCount >= 2, current + 1 < sizes.count { take(current + 1) }
      return
    }
    lateCount = 0
    guard current > 0 else { return }
    let growth = Double(sizes[current - 1].pixels) / Double(max(1, sizes[current].pixels))
    let isEarly = latency + work * (growth - 1) <= Self.margin * deadline
    earlyCount = isEarly ? earlyCount + 1 : 0
    if earlyCount >= Self.patience { take(current - 1) }
  }

  private mutating func take(_ place: Int) {
    current = place
    (lateCount, earlyCount, isFresh) = (0, 0, true)
  }
}

extension ImageSize {
  fileprivate var pixels: Int { width * height }
}
