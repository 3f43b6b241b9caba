// Fovea - how often a classifier is right.
// SPDX-License-Identifier: Apache-2.0

/// How often the right class of an image is the most probable one, or among the first five.
package struct ClassificationMetrics: Sendable {
  /// The counts of one class.
  package struct Counts: Hashable, Sendable {
    /// Images of the class.
    package var images = 0
    /// Images whose most probable class is right.
    package var first = 0
    /// Images whose right class is among the first five.
    package var five = 0

    /// `first` as a part of the images; `nil` without images.
    package var top1: Double? { images > 0 ? Double(first) / Double(images) : nil }
    /// `five` as a part of the images; `nil` without images.
    package var top5: Double? { images > 0 ? Double(five) / Double(images) : nil }
  }

  /// By the index of the class.
  package private(set) var classes: [Counts]

  /// Metrics of no images.
  package init(classCount: Int) { classes = Array(repeating: Counts(), count: classCount) }

  /// Those of all images.
  package var total: Counts {
    classes.reduce(into: Counts()) { sum, counts in
      sum.images += counts.images
      sum.first += counts.first
      sum.five += counts.five
    }
  }

  /// Adds an image.
  ///
  /// - Parameters:
  ///   - truth: The index of its class.
  ///   - found: Classes, the most probable one first.
  package mutating func add(truth: Int, found: some Sequence<Int>) {
    let best = Array(found.prefix(5))
    classes[truth].images += 1
    if best.first == truth { classes[truth].first += 1 }
    if best.contains(truth) { classes[truth].five += 1 }
  }
}
