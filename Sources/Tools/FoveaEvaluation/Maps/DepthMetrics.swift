// Fovea - how far depths are from those that were measured.
// SPDX-License-Identifier: Apache-2.0

/// How far depths are from those that were measured: means over the pixels of an image, then over
/// images.
package struct DepthMetrics: Sendable {
  private var errorSum = 0.0
  private var nearSum = 0.0
  /// The number of images with a measured depth.
  package private(set) var imageCount = 0

  /// Metrics of no images.
  package init() {}

  /// The mean of |depth - truth| / truth; `nil` without images.
  package var absoluteRelativeError: Double? {
    imageCount > 0 ? errorSum / Double(imageCount) : nil
  }

  /// The part of the pixels whose depth and truth are less than a factor of 1.25 apart.
  package var nearShare: Double? { imageCount > 0 ? nearSum / Double(imageCount) : nil }

  /// Adds an image.
  ///
  /// - Parameters:
  ///   - truth: The depth of each pixel in meters; 0, and what is not finite, was not measured.
  ///   - found: The same of the network; NaN where it did not see the pixel, which does not count.
  ///   - isInverse: Whether larger numbers of the network are nearer, in a measure of its own. A
  ///     factor and an offset then make its numbers fit 1 / truth best, by least squares.
  /// - Returns: `false` where nothing could be compared.
  /// - Precondition: Both have as many pixels.
  package mutating func add(truth: [Float], found: [Float], isInverse: Bool) -> Bool {
    precondition(truth.count == found.count, "maps of different sizes")
    let pairs = zip(truth, found).filter { $0 > 0 && $0.isFinite && $1.isFinite }
      .map { (truth: Double($0), found: Double($1)) }
    guard !pairs.isEmpty else { return false }
    let line = isInverse ? Self.line(pairs) : nil
    var (errors, near) = (0.0, 0)
    for (truth, found) in pairs {
      // A network that finds a place behind infinity finds it far away.
      let depth = line.map { 1 / max($0.factor * found + $0.offset, 1e-3) } ?? found
      errors += abs(depth - truth) / truth
      if depth > 0, max(depth / truth, truth / depth) < 1.25 { near += 1 }
    }
    errorSum += errors / Double(pairs.count)
    nearSum += Double(near) / Double(pairs.count)
    imageCount += 1
    return true
  }

  /// The factor and the offset that bring what was found nearest to 1 / truth.
  private static func line(
    _ pairs: [(truth: Double, found: Double)]
  ) -> (factor: Double, offset: Double) {
    let count = Double(pairs.count)
    let meanFound = pairs.reduce(0) { $0 + $1.found } / count
    let meanTruth = pairs.reduce(0) { $0 + 1 / $1.truth } / count
    var (both, square) = (0.0, 0.0)
    for pair in pairs {
      let distance = pair.found - meanFound
      both += distance * (1 / pair.truth - meanTruth)
      square += distance * distance
    }
    let factor = square > 0 ? both / square : 0
    return (factor, meanTruth - factor * meanFound)
  }
}
