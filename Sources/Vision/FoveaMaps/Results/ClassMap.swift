// Fovea - a class for every pixel of a picture.
// SPDX-License-Identifier: Apache-2.0
public import FoveaDrawing

/// A class for every pixel of the upright picture.
public struct ClassMap: Hashable, Sendable {
  /// The number of columns of the upright picture.
  public let width: Int
  /// The number of rows of the upright picture.
  public let height: Int
  /// The class of each pixel, row by row from the top: an index of `labels`, or `unassigned`.
  public let classes: [UInt16]
  /// The names of the classes, by index.
  public let labels: [String]
  /// The colors of the classes, by index.
  public let colors: [DrawingColor]
  /// What pixels without a class have: those that the network did not see, because the region or the
  /// crop leaves them out, and those that it ignores. 255; 65535 where there are more classes.
  public let unassigned: UInt16
  /// The number of pixels of each class, by index.
  public let areas: [Int]

  /// A map of `width` x `height` classes.
  ///
  /// - Precondition: Every class is an index of `labels` or `unassigned`.
  package init(
    width: Int, height: Int, classes: [UInt16], labels: [String], colors: [DrawingColor]
  ) {
    (self.width, self.height, self.classes) = (width, height, classes)
    (self.labels, self.colors) = (labels, colors)
    unassigned = Self.unassigned(for: labels.count)
    var counts = [Int](repeating: 0, count: 1 << 16)
    for found in classes { counts[Int(found)] += 1 }
    areas = Array(counts[0..<labels.count])
  }

  /// What stands for no class beside `count` classes.
  package static func unassigned(for count: Int) -> UInt16 { count <= 255 ? 255 : .max }

  /// The class of a pixel, counted from the upper left; `nil` for one without a class.
  ///
  /// - Precondition: The pixel lies in the picture.
  public subscript(x x: Int, y y: Int) -> Int? {
    precondition((0..<width).contains(x) && (0..<height).contains(y), "no such pixel")
    let found = classes[y * width + x]
    return found == unassigned ? nil : Int(found)
  }

  /// The part of the pixels with a class that have this one, 0...1; 0 where no pixel has one.
  public func share(of index: Int) -> Double {
    let all = areas.reduce(0, +)
    return all == 0 ? 0 : Double(areas[index]) / Double(all)
  }

  /// The pixels of a class.
  public func mask(of index: Int) -> [Bool] { classes.map { Int($0) == index } }
}
