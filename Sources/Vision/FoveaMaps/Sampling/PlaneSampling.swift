// Fovea - planes sampled at the pixels of a picture.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaGeometry

extension PlaneGrid {
  /// Calls `body` for every row of the picture that was seen, with the numbers of its pixels that
  /// were: channel after channel, each `seenColumns.count` long, mixed from the four nearest cells.
  ///
  /// - Complexity: O(channels * (cells of a row + columns)) for each row.
  package func eachRow(
    of values: Span<Float>, channels: Int, _ body: (_ row: Int, _ mixed: borrowing [Float]) -> Void
  ) {
    let width = seenColumns.count
    var cells = [Float](repeating: 0, count: channels * columnCells)
    var mixed = [Float](repeating: 0, count: channels * width)
    let columns = seenColumns.map(taps.across)
    for row in seenRows {
      let tap = taps.down(row)
      let (first, second) = (tap.first * rowStride, tap.second * rowStride)
      for channel in 0..<channels {
        let (start, offset) = (channel * columnCells, channel * channelStride)
        for cell in 0..<columnCells {
          let place = offset + cell * columnStride
          let near = values[place + first]
          cells[start + cell] = near + (values[place + second] - near) * tap.share
        }
        for column in 0..<width {
          let tap = columns[column]
          let near = cells[start + tap.first]
          mixed[channel * width + column] = near + (cells[start + tap.second] - near) * tap.share
        }
      }
      body(row, mixed)
    }
  }

  /// Calls `body` for every pixel of the picture that was seen, with the number of the cell that its
  /// center lies in.
  package func eachNearest(of values: Span<Float>, _ body: (_ pixel: Int, _ value: Float) -> Void) {
    let places = seenColumns.map { taps.across($0).nearest * columnStride }
    for row in seenRows {
      let offset = taps.down(row).nearest * rowStride
      for (place, column) in zip(places, seenColumns) {
        body(row * size.width + column, values[offset + place])
      }
    }
  }
}

/// The greatest of several numbers for each column, and which it is; the first of equal ones.
package struct GreatestChannel {
  package private(set) var classes: [UInt16] = []
  private var values: [Float] = []

  package init() {}

  /// Finds them in numbers that lie channel after channel.
  package mutating func find(in mixed: borrowing [Float], channels: Int, width: Int) {
    classes = Array(repeating: 0, count: width)
    values = Array(mixed[0..<width])
    for channel in 1..<max(channels, 1) {
      let start = channel * width
      for column in 0..<width where mixed[start + column] > values[column] {
        values[column] = mixed[start + column]
        classes[column] = UInt16(truncatingIfNeeded: channel)
      }
    }
  }
}
