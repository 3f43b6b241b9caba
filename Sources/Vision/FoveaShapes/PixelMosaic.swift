// Fovea - which squares of a picture hide an object.
// SPDX-License-Identifier: Apache-2.0
package import FoveaGeometry

/// The squares of a picture that hide an object: each gets one color.
///
///     object       . . o o . .       squares      # # # # . .
///                  . . o o . .       of 2         # # # # . .
///                  . o o o . .                    # # # # . .
///                  . o . . . .                    # # . . . .
///
/// Squares are taken whole where the object touches them, so that no pixel of it stays. What is left
/// must not suffice to guess what was there. Along its shorter side an object touches at most six
/// squares, along its longer side at most fifteen. Their means have 16 levels, because the exact
/// means of several pictures of a video would tell more.
package struct PixelMosaic: Sendable {
  /// The side of a square in pixels; even, so that planes of half the size have squares, too.
  package let side: Int
  /// The columns and rows of squares that are hidden, counted in squares.
  private var squares: Set<Square> = []

  private struct Square: Hashable {
    var column, row: Int
  }

  /// The least side of a square in pixels. Smaller ones would leave letters readable.
  private static let leastSide = 16
  /// The part of a box's sides that is hidden around it: boxes cut hair and hands.
  private static let margin = 0.05

  /// The squares that an object touches.
  ///
  /// - Parameters:
  ///   - object: The object.
  ///   - content: Where the picture lies in what is changed, in pixels from the upper left.
  package init(_ object: HiddenObject, in content: ImageRect) {
    let (box, mask) = (object.box, object.mask)
    let (across, down) = (content.width, content.height)
    let extents = mask?.boundingBox ?? box
    let (width, height) = (extents.width * across, extents.height * down)
    let wanted = max(
      Double(Self.leastSide), min(width, height) / 4, max(width, height) / 12)
    // A square as large as the picture hides all of it.
    let most = max(Double(Self.leastSide), max(across, down))
    side = (Int((wanted < most ? wanted : most).rounded(.up)) + 1) / 2 * 2
    guard let mask, mask.imageSize.width > 0, mask.imageSize.height > 0 else {
      let (beside, above) = (width * Self.margin, height * Self.margin)
      let rect = ImageRect(
        x: content.x + box.x * across - beside,
        y: content.y + (1 - box.y - box.height) * down - above, width: width + 2 * beside,
        height: height + 2 * above, origin: .upperLeft)
      touch(rect, in: content)
      return
    }
    let (x, y) = (across / Double(mask.imageSize.width), down / Double(mask.imageSize.height))
    for bar in mask.bars {
      let rect = ImageRect(
        x: content.x + Double(bar.columns.lowerBound) * x,
        y: content.y + Double(bar.rows.lowerBound) * y, width: Double(bar.columns.count) * x,
        height: Double(bar.rows.count) * y, origin: .upperLeft)
      touch(rect, in: content)
    }
  }

  /// Hides the squares that a rectangle of pixels touches.
  private mutating func touch(_ rect: ImageRect, in content: ImageRect) {
    let columns = squares(rect.x, rect.width, content.x, content.width)
    for row in squares(rect.y, rect.height, content.y, content.height) {
      for column in columns { squares.insert(Square(column: column, row: row)) }
    }
  }

  /// The squares along one side that a stretch of pixels touches within the picture.
  private func squares(
    _ start: Double, _ length: Double, _ first: Double, _ all: Double
  ) -> Range<Int> {
    let (low, high) = (max(start, first), min(start + length, first + all))
    guard low < high else { return 0..<0 }
    return Int(low) / side..<(Int(high.rounded(.up)) - 1) / side + 1
  }

  /// Gives each square of a plane one value.
  ///
  /// - Parameters:
  ///   - plane: The samples, all rows without gaps.
  ///   - width: The columns of the plane.
  ///   - height: The rows of the plane.
  ///   - step: From a sample of a row to the next.
  ///   - reduction: How many columns and rows of the picture a sample stands for: 1 or 2.
  package func hide(
    in plane: UnsafeMutablePointer<UInt8>, width: Int, height: Int, step: Int = 1,
    reduction: Int = 1
  ) {
    let side = side / reduction
    for square in squares {
      let columns = square.column * side..<min(width, (square.column + 1) * side)
      let rows = square.row * side..<min(height, (square.row + 1) * side)
      var (sum, count) = (0, 0)
      for row in rows {
        for column in columns { sum += Int(plane[(row * width + column) * step]) }
        count += columns.count
      }
      guard count > 0 else { continue }
      let level = UInt8(sum / count) & 0xF0 | 8
      for row in rows {
        for column in columns { plane[(row * width + column) * step] = level }
      }
    }
  }
}
