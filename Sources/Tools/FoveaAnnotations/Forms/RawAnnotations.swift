// Fovea - what a file of annotations says, before pictures are looked at.
// SPDX-License-Identifier: Apache-2.0

/// What a file of annotations says, before pictures are looked at.
package struct RawAnnotations {
  /// A picture, as the file names it.
  package struct Picture {
    /// The name or path; empty where only the file's own name tells.
    package var name: String
    /// The size that its boxes are meant for, where it is stated.
    package var width: Double?
    package var height: Double?
    package var boxes: [Box] = []

    init(name: String, width: Double? = nil, height: Double? = nil) {
      (self.name, self.width, self.height) = (name, width, height)
    }
  }

  /// A box, as the file gives it.
  package struct Box {
    /// The place of its label in `labels`.
    package var label: Int
    package var rectangle: RawRectangle
    package var isIgnored = false
    /// What YOLO's labels say beside the box.
    package var shape: RawShape?
  }

  /// The labels, each once.
  package private(set) var labels: [String] = []
  private var places: [String: Int] = [:]
  /// Whether the labels are listed in an order that means something.
  var hasListedLabels = false
  /// Whether the labels are numbers for lack of names.
  var hasNumbersForLabels = false
  package var pictures: [Picture] = []
  /// What was noticed.
  var findings: [AnnotationFinding] = []

  package init() {}

  /// The place of a label, which is added if it is new.
  mutating func label(_ text: String) -> Int {
    if let place = places[text] { return place }
    places[text] = labels.count
    labels.append(text)
    return labels.count - 1
  }
}

/// What YOLO's labels say of an object beside its box, in shares of the picture.
package struct RawShape {
  /// The corners of an outline, or of a turned box; empty where there is none.
  var outline: [(x: Double, y: Double)] = []
  /// The key points, `nil` for one that nobody labeled; empty where there are none.
  var keypoints: [(x: Double, y: Double)?] = []

  init(outline: [(x: Double, y: Double)]) { self.outline = outline }

  /// Key points of 2 numbers each, or of 3, the last of which is 0 for one that nobody labeled. With
  /// 2 numbers, 0 and 0 says the same.
  ///
  /// - Returns: `nil` where the numbers do not come out.
  init?(keypoints flat: ArraySlice<Double>, numbers count: Int) {
    guard !flat.isEmpty, count >= 2, flat.count % count == 0 else { return nil }
    keypoints = stride(from: flat.startIndex, to: flat.endIndex, by: count).map { start in
      let (x, y) = (flat[start], flat[start + 1])
      let isLabeled = count > 2 ? flat[start + 2] > 0 : x != 0 || y != 0
      return isLabeled ? (x, y) : nil
    }
  }
}

/// A rectangle in the numbers of a file.
package struct RawRectangle {
  /// The point that `x` and `y` give.
  var anchor = AnnotationOptions.Anchor.topLeft
  /// Whether `y` counts from the bottom of the picture.
  var countsFromBottom = false
  /// Whether the numbers are shares of the picture.
  package var isShare = false
  package var x: Double
  package var y: Double
  package var width: Double
  package var height: Double

  init(x: Double, y: Double, width: Double, height: Double) {
    (self.x, self.y, self.width, self.height) = (x, y, width, height)
  }

  /// The rectangle between two corners, in any order.
  init(left: Double, top: Double, right: Double, bottom: Double) {
    self.init(x: left, y: top, width: right - left, height: bottom - top)
  }

  /// The smallest rectangle around points; `nil` for none.
  init?(around points: [(x: Double, y: Double)]) {
    guard let first = points.first else { return nil }
    var (left, top, right, bottom) = (first.x, first.y, first.x, first.y)
    for point in points {
      (left, right) = (min(left, point.x), max(right, point.x))
      (top, bottom) = (min(top, point.y), max(bottom, point.y))
    }
    self.init(left: left, top: top, right: right, bottom: bottom)
  }

  /// Whether all numbers are finite, and small enough to compute with.
  package var isReasonable: Bool {
    [x, y, width, height].allSatisfy { $0.magnitude <= 1e9 }
  }
}
