// Fovea - the pixels of a picture in the memory of planes over a network's input.
// SPDX-License-Identifier: Apache-2.0
package import FoveaGeometry
package import FoveaNetworkTasks

/// Where the pixels of the upright picture lie in the memory of planes that cover a network's input.
package struct PlaneGrid: Sendable {
  /// The size of the upright picture.
  package let size: ImageSize
  /// The columns and rows of the picture that the network saw: those whose centers lie in the crop.
  package let seenColumns: Range<Int>
  package let seenRows: Range<Int>
  let taps: PlaneTaps
  /// The cells along the columns of the picture.
  let columnCells: Int
  /// The distances in elements of cells along the columns and the rows of the picture.
  let columnStride: Int
  let rowStride: Int
  /// The distance of the same place in two channels.
  let channelStride: Int

  /// The grid of a picture's geometry over planes.
  package init(_ geometry: ImageGeometry, _ planes: PlaneLayout) {
    size = geometry.uprightSize
    (seenColumns, seenRows) = (geometry.seenColumns, geometry.seenRows)
    taps = PlaneTaps(
      geometry.map(from: .upright, to: .model), inputSize: geometry.modelSize,
      columns: planes.width, rows: planes.height)
    let step = planes.isChannelsLast ? planes.channels : 1
    let strides = (step, step * planes.width)
    (columnStride, rowStride) = taps.exchangesAxes ? (strides.1, strides.0) : strides
    columnCells = taps.exchangesAxes ? planes.height : planes.width
    channelStride = planes.isChannelsLast ? 1 : planes.width * planes.height
  }
}
