// Fovea - drawing on planes of luma and chroma, as videos have them.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaGeometry

/// Planes of luma and chroma (4:2:0) that somebody else holds, to draw on.
///
/// Only samples below what is drawn change. Outlines and plates lie on whole pixels, so that they
/// stay sharp after encoding; lines and letters have soft edges.
package struct PlaneCanvas {
  private let luma, u, v: UnsafeMutablePointer<UInt8>
  private let width, height: Int
  private let samples: (_ red: UInt8, _ green: UInt8, _ blue: UInt8) -> (UInt8, UInt8, UInt8)

  /// - Parameters:
  ///   - planes: The first samples of luma, U and V. Luma has `width` x `height` samples, U and V
  ///     half as many columns and rows, all without gaps.
  ///   - width: Columns of luma; even.
  ///   - height: Rows of luma; even.
  ///   - samples: Luma, U and V of a color.
  package init(
    planes: (
      luma: UnsafeMutablePointer<UInt8>, u: UnsafeMutablePointer<UInt8>,
      v: UnsafeMutablePointer<UInt8>
    ), width: Int, height: Int,
    samples: @escaping (_ red: UInt8, _ green: UInt8, _ blue: UInt8) -> (UInt8, UInt8, UInt8)
  ) {
    (luma, u, v) = planes
    (self.width, self.height, self.samples) = (width, height, samples)
  }

  // MARK: Elements

  /// Draws an element.
  ///
  /// - Parameter letters: What letters are drawn with.
  package func draw(_ element: DrawingElement, with letters: TextMasks) {
    switch element {
    case .rectangle(let rectangle):
      for stroke in rectangle.strokes { outline(rectangle.rect, stroke) }
    case .polygon(let polygon):
      for stroke in polygon.strokes {
        for (index, corner) in polygon.corners.enumerated() {
          let next = polygon.corners[(index + 1) % polygon.corners.count]
          blend(PlaneSegment(from: corner, to: next, width: stroke.width), stroke.color)
        }
      }
    case .area(let area):
      for bar in area.bars { blend(PlaneBar(bar), area.fill) }
    case .dot(let dot):
      for stroke in dot.strokes {
        blend(PlaneSegment(from: dot.center, to: dot.center, width: stroke.width), stroke.color)
      }
    case .line(let line):
      for stroke in line.strokes {
        blend(
          PlaneSegment(from: line.start, to: line.end, width: stroke.width), stroke.color)
      }
    case .plate(let plate):
      fill(plate.rect, plate.fill)
      if plate.border.width > 0 { outline(plate.borderRect, plate.border) }
      draw(.text(plate.text), with: letters)
    case .text(let text):
      if let mask = letters.mask(of: text) { blend(mask, text.color) }
    }
  }

  private func fill(_ rect: ImageRect, _ color: DrawingColor) {
    blend(PlaneBar(rect), color)
  }

  /// Draws a stroke along the edges of a rectangle, half of its width on each side.
  private func outline(_ rect: ImageRect, _ stroke: DrawingStroke) {
    let outer = PlaneBar(rect.expanded(by: stroke.width / 2))
    let thickness = max(1, Int(stroke.width.rounded()))
    guard outer.width > 2 * thickness, outer.height > 2 * thickness else {
      return blend(outer, stroke.color)
    }
    let inner = outer.rows.lowerBound + thickness..<outer.rows.upperBound - thickness
    let (left, right) = (outer.columns.lowerBound, outer.columns.upperBound)
    let bars = [
      PlaneBar(columns: left..<right, rows: outer.rows.lowerBound..<inner.lowerBound),
      PlaneBar(columns: left..<right, rows: inner.upperBound..<outer.rows.upperBound),
      PlaneBar(columns: left..<left + thickness, rows: inner),
      PlaneBar(columns: right - thickness..<right, rows: inner),
    ]
    for bar in bars { dash(bar, stroke) }
  }

  /// Draws the dashes of a bar along its longer side; all of it without dashes.
  private func dash(_ bar: PlaneBar, _ stroke: DrawingStroke) {
    let lengths = stroke.dashes.map { max(1, Int($0.rounded())) }
    guard lengths.count >= 2 else { return blend(bar, stroke.color) }
    let isWide = bar.width >= bar.height
    let range = isWide ? bar.columns : bar.rows
    var place = range.lowerBound
    var index = 0
    while place < range.upperBound {
      let next = min(range.upperBound, place + lengths[index % lengths.count])
      if index.isMultiple(of: 2) {
        blend(
          isWide
            ? PlaneBar(columns: place..<next, rows: bar.rows)
            : PlaneBar(columns: bar.columns, rows: place..<next), stroke.color)
      }
      place = next
      index += 1
    }
  }

  // MARK: Samples

  /// Mixes a color in where a shape covers pixels. A sample of chroma is covered as much as its four
  /// pixels are.
  private func blend(_ shape: some PlaneShape, _ color: DrawingColor) {
    let opacity = Int32((min(max(color.opacity, 0), 1) * 256).rounded())
    let (wantedLuma, wantedU, wantedV) = samples(color.red, color.green, color.blue)
    let rows = shape.rows.clamped(to: 0..<height)
    guard !rows.isEmpty, opacity > 0 else { return }
    for row in rows {
      let line = luma + row * width
      for column in columns(of: shape, row) {
        let share = shape.coverage(column, row) * opacity
        if share > 0 { Self.mix(&line[column], wantedLuma, share) }
      }
    }
    for row in rows.lowerBound / 2...(rows.upperBound - 1) / 2 {
      let (upper, lower) = (columns(of: shape, 2 * row), columns(of: shape, 2 * row + 1))
      let first = min(
        upper.isEmpty ? .max : upper.lowerBound, lower.isEmpty ? .max : lower.lowerBound)
      let end = max(
        upper.isEmpty ? 0 : upper.upperBound, lower.isEmpty ? 0 : lower.upperBound)
      guard first < end else { continue }
      for column in first / 2...(end - 1) / 2 {
        let (x, y) = (2 * column, 2 * row)
        let sum =
          shape.coverage(x, y) + shape.coverage(x + 1, y) + shape.coverage(x, y + 1)
          + shape.coverage(x + 1, y + 1)
        guard sum > 0 else { continue }
        let share = sum * opacity / 4
        let place = row * (width / 2) + column
        Self.mix(&u[place], wantedU, share)
        Self.mix(&v[place], wantedV, share)
      }
    }
  }

  private func columns(of shape: some PlaneShape, _ row: Int) -> Range<Int> {
    shape.rows.contains(row) ? shape.columns(ofRow: row).clamped(to: 0..<width) : 0..<0
  }

  /// Moves a sample towards another by a share of 65536.
  @inline(__always) private static func mix(_ sample: inout UInt8, _ wanted: UInt8, _ share: Int32)
  {
    let distance = Int32(wanted) - Int32(sample)
    sample = UInt8(truncatingIfNeeded: Int32(sample) + (distance * share + 32768) >> 16)
  }
}
