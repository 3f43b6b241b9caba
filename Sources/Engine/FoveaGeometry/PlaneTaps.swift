// Fovea - where pixels of an image lie between the cells of a network's planes.
// SPDX-License-Identifier: Apache-2.0

/// The two cells along one side of a plane between whose centers a pixel lies.
package struct PlaneTap: Hashable, Sendable {
  package var first: Int
  package var second: Int
  /// How far the pixel is from the first, 0...1.
  package var share: Float

  /// Creates a tap.
  package init(first: Int, second: Int, share: Float) {
    (self.first, self.second, self.share) = (first, second, share)
  }

  /// The cell that the pixel's center lies in.
  package var nearest: Int { share < 0.5 ? first : second }
}

/// Where pixels of the upright image lie in planes that cover a network's input.
///
/// Pixel i of the image and cell i of a plane cover i...i + 1. The center of a pixel goes through the
/// map of orientation, region and crop to a place of the input, and from there to a place between the
/// centers of cells. Beyond the outermost centers, borders repeat:
///
///     cell = place in the input * cells / pixels of the input - 0.5
///
/// The map never mixes axes, so that columns and rows of the image are looked at by themselves.
package struct PlaneTaps: Sendable {
  /// Whether columns of the image run along the rows of the planes.
  package let exchangesAxes: Bool
  private let across: Axis
  private let down: Axis

  /// - Parameters:
  ///   - map: From pixels of the upright image to pixels of the input, both from the upper left.
  ///   - inputSize: The size of the input.
  ///   - columns: The cells of a row of a plane.
  ///   - rows: The cells of a column of a plane.
  package init(_ map: AffineMap, inputSize: ImageSize, columns: Int, rows: Int) {
    exchangesAxes = map.exchangesAxes
    let x = Axis(
      cells: columns, pixels: inputSize.width, scale: exchangesAxes ? map.b : map.a, offset: map.tx)
    let y = Axis(
      cells: rows, pixels: inputSize.height, scale: exchangesAxes ? map.c : map.d, offset: map.ty)
    (across, down) = exchangesAxes ? (y, x) : (x, y)
  }

  /// The cells beside a column of the image.
  package func across(_ column: Int) -> PlaneTap { across.tap(column) }

  /// The cells beside a row of the image.
  package func down(_ row: Int) -> PlaneTap { down.tap(row) }

  /// A side of the planes, along which columns or rows of the image run.
  private struct Axis {
    var cells: Int
    /// The pixels of the input along the side.
    var pixels: Int
    /// From pixels of the image to pixels of the input.
    var scale: Double
    var offset: Double

    func tap(_ index: Int) -> PlaneTap {
      let place = (Double(index) + 0.5) * scale + offset
      let cell = place * Double(cells) / Double(pixels) - 0.5
      let inside = min(max(cell, 0), Double(cells - 1))
      let first = Int(inside)
      return PlaneTap(
        first: first, second: min(first + 1, cells - 1), share: Float(inside - Double(first)))
    }
  }
}
