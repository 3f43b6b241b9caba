// Fovea - where the pixels of a picture lie in planes over a network's input.
// SPDX-License-Identifier: Apache-2.0
package import FoveaGeometry
package import FoveaNetworkTasks

/// Where the pixels of the upright picture lie in planes that cover a network's input.
///
/// Pixel i of the picture and cell i of a plane cover i...i + 1. A center of the picture goes through
/// the map of orientation, region and crop to a place of the input, and from there to a place between
/// the centers of cells:
///
///     cell = place in the input * cells / pixels of the input - 0.5
///
/// That map never mixes axes, so one list for columns and one for rows say all.
package struct PlaneGrid: Sendable {
  /// The two cells beside a place, as offsets in a plane, and how far the place is from the first.
  struct Tap: Hashable, Sendable {
    var first: Int
    var second: Int
    var fraction: Float

    /// The offset of the cell that the place lies in.
    var nearest: Int { fraction < 0.5 ? first : second }
  }

  /// The size of the upright picture.
  package let size: ImageSize
  /// The columns and rows of the picture that the network saw: those whose centers lie in the crop.
  package let seenColumns: Range<Int>
  package let seenRows: Range<Int>
  /// For each column of the picture, along its axis of the planes.
  let columns: [Tap]
  let rows: [Tap]
  /// The number of cells along the axis of the columns, and their distance in elements.
  let columnCells: Int
  let columnStride: Int
  /// The distance of the same place in two channels.
  let channelStride: Int

  /// The grid of a picture's geometry over planes.
  package init(_ geometry: ImageGeometry, _ planes: PlaneLayout) {
    size = geometry.uprightSize
    let crop = geometry.cropRect
    seenColumns = Self.centers(from: crop.minX, to: crop.maxX, of: size.width)
    seenRows = Self.centers(from: crop.minY, to: crop.maxY, of: size.height)
    let map = geometry.map(from: .upright, to: .model)
    let step = planes.isChannelsLast ? planes.channels : 1
    let x = Axis(
      cells: planes.width, stride: step, pixels: geometry.modelSize.width,
      scale: map.exchangesAxes ? map.b : map.a, offset: map.tx)
    let y = Axis(
      cells: planes.height, stride: step * planes.width, pixels: geometry.modelSize.height,
      scale: map.exchangesAxes ? map.c : map.d, offset: map.ty)
    let (across, down) = map.exchangesAxes ? (y, x) : (x, y)
    columns = (0..<size.width).map(across.tap)
    rows = (0..<size.height).map(down.tap)
    (columnCells, columnStride) = (across.cells, across.stride)
    channelStride = planes.isChannelsLast ? 1 : planes.width * planes.height
  }

  /// An axis of the planes, along which columns or rows of the picture run.
  private struct Axis {
    var cells: Int
    var stride: Int
    /// The number of pixels of the input.
    var pixels: Int
    /// From pixels of the picture to pixels of the input.
    var scale: Double
    var offset: Double

    func tap(_ index: Int) -> Tap {
      let place = (Double(index) + 0.5) * scale + offset
      let cell = place * Double(cells) / Double(pixels) - 0.5
      // Beyond the outermost centers, borders repeat.
      let inside = min(max(cell, 0), Double(cells - 1))
      let first = Int(inside.rounded(.down))
      return Tap(
        first: first * stride, second: min(first + 1, cells - 1) * stride,
        fraction: Float(inside - Double(first)))
    }
  }

  /// The pixels of a side whose centers lie in a stretch.
  private static func centers(from first: Double, to last: Double, of count: Int) -> Range<Int> {
    func edge(_ value: Double) -> Int {
      // Errors of rounding decide nothing.
      Int(min(max((value - 0.5 - 1e-6).rounded(.up), 0), Double(count)))
    }
    let lower = edge(first)
    return lower..<max(lower, edge(last))
  }
}
