// Fovea - lines and zones as users write them.
// SPDX-License-Identifier: Apache-2.0

/// Reads lines and zones from text such as `door:120,400,520,400`: a name that may be left out, then
/// x and y of each point from the upper left corner, in pixels. `50%` is half of the width or height.
package struct CountingText: Sendable {
  /// What is wrong with a text, and what is expected.
  package struct Invalid: Error, Hashable, CustomStringConvertible {
    /// In words.
    package let description: String
  }

  /// The name before the colon; `nil` if there is none.
  package let name: String?
  private let numbers: [Number]

  /// Whether a coordinate is a part of the width or height.
  package var usesPercentages: Bool { numbers.contains { $0.isPercentage } }

  private struct Number: Hashable, Sendable {
    var value: Double
    var isPercentage: Bool
  }

  /// A name has at most this many bytes.
  package static let greatestNameLength = 200
  /// A zone has at most this many corners.
  package static let greatestCornerCount = 1000
  private static let greatestCoordinate = 1e6

  /// Reads a text.
  package init(_ text: String) throws(Invalid) {
    let colon = text.lastIndex(of: ":")
    var numberText = text[...]
    if let colon {
      guard colon != text.startIndex else { throw Invalid("the name before ':' is empty") }
      numberText = text[text.index(after: colon)...]
      name = String(text[..<colon])
    } else {
      name = nil
    }
    guard (name?.utf8.count ?? 0) <= Self.greatestNameLength else {
      throw Invalid("the name has more than \(Self.greatestNameLength) bytes; choose a short one")
    }
    let parts = numberText.split(separator: ",", omittingEmptySubsequences: false)
    guard parts.count <= 2 * Self.greatestCornerCount else {
      throw Invalid("more than \(Self.greatestCornerCount) points; leave some out")
    }
    var numbers: [Number] = []
    for part in parts { numbers.append(try Self.number(part)) }
    self.numbers = numbers
    guard numbers.count.isMultiple(of: 2) else {
      throw Invalid("\(numbers.count) numbers; expected x and y of each point")
    }
  }

  private static func number(_ text: Substring) throws(Invalid) -> Number {
    var digits = text
    while digits.first == " " { digits.removeFirst() }
    while digits.last == " " { digits.removeLast() }
    let isPercentage = digits.last == "%"
    if isPercentage { digits.removeLast() }
    guard let value = Double(digits), value.magnitude <= greatestCoordinate else {
      throw Invalid("'\(text.prefix(40))' is no number of pixels or percent, such as 120 or 50%")
    }
    return Number(value: value, isPercentage: isPercentage)
  }

  /// The line through the two points, in a picture of `width` by `height` pixels.
  ///
  /// - Parameter ordinal: Its number among the lines, which names it if it has no name.
  package func line(ordinal: Int, width: Int, height: Int) throws(Invalid) -> CountingLine {
    let points = points(width: width, height: height)
    guard points.count == 2 else {
      throw Invalid("\(points.count) points; a line has two: X1,Y1,X2,Y2")
    }
    guard points[0] != points[1] else {
      throw Invalid("the line begins where it ends; name two different points")
    }
    return CountingLine(name: name ?? "line \(ordinal)", start: points[0], end: points[1])
  }

  /// The zone between the points, in a picture of `width` by `height` pixels.
  ///
  /// - Parameter ordinal: Its number among the zones, which names it if it has no name.
  package func zone(ordinal: Int, width: Int, height: Int) throws(Invalid) -> CountingZone {
    let corners = points(width: width, height: height)
    guard corners.count >= 3 else {
      throw Invalid("\(corners.count) points; a zone has at least three: X1,Y1,X2,Y2,X3,Y3")
    }
    let (first, second) = (corners[0], corners.first { $0 != corners[0] } ?? corners[0])
    let (x, y) = (second.x - first.x, second.y - first.y)
    guard corners.contains(where: { ($0.y - first.y) * x != ($0.x - first.x) * y }) else {
      throw Invalid("all points lie on one line; a zone has an area")
    }
    return CountingZone(name: name ?? "zone \(ordinal)", corners: corners)
  }

  private func points(width: Int, height: Int) -> [CountingPoint] {
    func pixels(_ number: Number, _ length: Int) -> Double {
      number.isPercentage ? number.value / 100 * Double(length) : number.value
    }
    return stride(from: 0, to: numbers.count, by: 2).map {
      CountingPoint(x: pixels(numbers[$0], width), y: pixels(numbers[$0 + 1], height))
    }
  }
}

extension CountingText.Invalid {
  fileprivate init(_ description: String) { self.description = description }
}
