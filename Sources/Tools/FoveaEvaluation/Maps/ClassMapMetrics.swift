// Fovea - how well maps of classes agree with those of annotators.
// SPDX-License-Identifier: Apache-2.0

/// How well maps of classes agree with those of annotators, over the pixels of all images.
package struct ClassMapMetrics: Sendable {
  /// The pixels of one class.
  package struct Counts: Hashable, Sendable {
    /// Pixels that annotators gave the class.
    package var truth = 0
    /// Pixels that were found to have it, among those with a class in the truth.
    package var found = 0
    /// Pixels of both.
    package var shared = 0

    /// Intersection over union; `nil` for a class that occurs nowhere.
    package var overlap: Double? {
      let union = truth + found - shared
      return union > 0 ? Double(shared) / Double(union) : nil
    }
  }

  /// By the index of the class.
  package private(set) var classes: [Counts]

  /// Metrics of no images.
  package init(classCount: Int) { classes = Array(repeating: Counts(), count: classCount) }

  /// The mean intersection over union of the classes that occur; `nil` without pixels.
  package var meanOverlap: Double? {
    let overlaps = classes.compactMap(\.overlap)
    return overlaps.isEmpty ? nil : overlaps.reduce(0, +) / Double(overlaps.count)
  }

  /// The part of the pixels whose class is right; `nil` without pixels.
  package var pixelAccuracy: Double? {
    let pixels = classes.reduce(0) { $0 + $1.truth }
    return pixels > 0 ? Double(classes.reduce(0) { $0 + $1.shared }) / Double(pixels) : nil
  }

  /// Adds an image.
  ///
  /// - Parameters:
  ///   - truth: The class of each pixel.
  ///   - found: The same of the network. Pixels without a class are misses.
  ///   - ignored: What stands for no class in `truth`; such pixels do not count.
  /// - Returns: The first class in `truth` that the network does not have. Nothing is added then.
  /// - Precondition: Both have as many pixels.
  package mutating func add(truth: [UInt16], found: [UInt16], ignored: UInt16) -> UInt16? {
    precondition(truth.count == found.count, "maps of different sizes")
    let stranger = truth.first { $0 != ignored && Int($0) >= classes.count }
    if let stranger { return stranger }
    for (there, seen) in zip(truth, found) where there != ignored {
      classes[Int(there)].truth += 1
      if Int(seen) < classes.count { classes[Int(seen)].found += 1 }
      if there == seen { classes[Int(there)].shared += 1 }
    }
    return nil
  }
}
