// Fovea - shapes that cover pixels of planes.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaGeometry

/// A shape that covers pixels, some of them in part.
protocol PlaneShape {
  /// The rows that it touches.
  var rows: Range<Int> { get }
  /// The columns that it may touch in one of these rows.
  func columns(ofRow row: Int) -> Range<Int>
  /// How much of a pixel it covers, in parts of 256; 0 for pixels anywhere else.
  func coverage(_ column: Int, _ row: Int) -> Int32
}

/// A rectangle of whole pixels.
struct PlaneBar: PlaneShape {
  let columns: Range<Int>
  let rows: Range<Int>

  var width: Int { columns.count }
  var height: Int { rows.count }

  init(columns: Range<Int>, rows: Range<Int>) {
    (self.columns, self.rows) = (columns, rows)
  }

  /// The pixels nearest to a rectangle.
  init(_ rect: ImageRect) {
    let (left, top) = (Self.whole(rect.minX), Self.whole(rect.minY))
    columns = left..<max(left, Self.whole(rect.maxX))
    rows = top..<max(top, Self.whole(rect.maxY))
  }

  private static func whole(_ value: Double) -> Int {
    value.isFinite ? Int(min(max(value, -1e6), 1e6).rounded()) : 0
  }

  func columns(ofRow row: Int) -> Range<Int> { columns }

  @inline(__always) func coverage(_ column: Int, _ row: Int) -> Int32 {
    columns.contains(column) && rows.contains(row) ? 256 : 0
  }
}

/// A straight line with round ends and soft edges.
struct PlaneSegment: PlaneShape {
  private let startX, startY, alongX, alongY, squaredLength, half: Float
  let rows: Range<Int>

  init(from start: ImagePoint, to end: ImagePoint, width: Double) {
    func number(_ value: Double) -> Float { value.isFinite ? Float(min(max(value, -1e6), 1e6)) : 0 }
    (startX, startY) = (number(start.x), number(start.y))
    (alongX, alongY) = (number(end.x) - startX, number(end.y) - startY)
    squaredLength = alongX * alongX + alongY * alongY
    half = max(number(width) / 2, 0.5)
    let reach = half + 1
    let top = min(startY, startY + alongY) - reach
    let bottom = max(startY, startY + alongY) + reach
    rows = Int(top.rounded(.down))..<Int(bottom.rounded(.up)) + 1
  }

  /// The part of the line that is near the row, and what lies around it.
  func columns(ofRow row: Int) -> Range<Int> {
    let reach = half + 1
    var (first, last): (Float, Float) = (0, 1)
    if alongY.magnitude > 1e-3 {
      let center = Float(row) + 0.5 - startY
      let (one, other) = ((center - reach) / alongY, (center + reach) / alongY)
      first = min(max(min(one, other), 0), 1)
      last = min(max(max(one, other), 0), 1)
    }
    let (one, other) = (startX + first * alongX, startX + last * alongX)
    let left = Int((min(one, other) - reach).rounded(.down))
    return left..<Int((max(one, other) + reach).rounded(.up)) + 1
  }

  @inline(__always) func coverage(_ column: Int, _ row: Int) -> Int32 {
    let (x, y) = (Float(column) + 0.5 - startX, Float(row) + 0.5 - startY)
    let share = squaredLength > 0 ? (x * alongX + y * alongY) / squaredLength : 0
    let place = min(max(share, 0), 1)
    let (apartX, apartY) = (x - place * alongX, y - place * alongY)
    let distance = (apartX * apartX + apartY * apartY).squareRoot()
    return Int32(min(max(half + 0.5 - distance, 0), 1) * 256)
  }
}

/// Coverage of pixels that was drawn before, such as letters.
struct PlaneMask: PlaneShape {
  /// Rows of `columns.count` bytes, 0 for nothing and 255 for all of a pixel.
  let bytes: [UInt8]
  let columns: Range<Int>
  let rows: Range<Int>

  func columns(ofRow row: Int) -> Range<Int> { columns }

  @inline(__always) func coverage(_ column: Int, _ row: Int) -> Int32 {
    guard columns.contains(column), rows.contains(row) else { return 0 }
    let place = (row - rows.lowerBound) * columns.count + column - columns.lowerBound
    let value = Int32(bytes[place])
    return value + value >> 7
  }
}
