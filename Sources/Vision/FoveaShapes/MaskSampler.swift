// Fovea - from the planes of a network to the mask of an object.
// SPDX-License-Identifier: Apache-2.0
package import FoveaGeometry

/// Samples planes of a network where the box of an object lies on the upright image.
///
/// A plane covers the whole input. A pixel of the image is in the mask where the plane, sampled
/// bilinearly where the pixel's center lies, is above 0. Borders repeat:
///
///     plane      | a       | b       | c       |        a cell of the plane
///     image          . . .   . . .   .                  pixels between two centers of cells
///                    a -----> b: one sign, or looked at one by one
///
/// Between two centers of cells of a row the sampled number is linear. So stretches whose ends have
/// one sign are filled at once, and only the others are computed for each pixel. Memory stays from
/// one mask to the next.
package struct MaskSampler {
  private let imageSize: ImageSize
  private let taps: PlaneTaps
  private let planeColumns: Int
  private let planeRows: Int
  private var plane: [Float] = []
  private var line: [Float] = []

  /// A sampler of planes.
  ///
  /// - Parameters:
  ///   - map: From pixels of the upright image to pixels of the input, both from the upper left.
  ///   - inputSize: The size of the input.
  package init(
    imageSize: ImageSize, map: AffineMap, inputSize: ImageSize, planeColumns: Int, planeRows: Int
  ) {
    self.imageSize = imageSize
    taps = PlaneTaps(map, inputSize: inputSize, columns: planeColumns, rows: planeRows)
    (self.planeColumns, self.planeRows) = (planeColumns, planeRows)
  }

  /// The mask of the sum of prototypes by factors, within a box.
  ///
  /// - Parameters:
  ///   - box: The box of the object in pixels of the upright image, from the upper left. A pixel is
  ///     in it where x1 <= column < x2 and y1 <= row < y2.
  ///   - factors: One for each prototype.
  ///   - prototypes: Planes, one after another.
  /// - Returns: `nil` where no pixel is of the object.
  package mutating func mask(
    in box: CornerBox, factors: Span<Float>, prototypes: Span<Float>
  ) -> InstanceMask? {
    precondition(prototypes.count == factors.count * planeColumns * planeRows)
    guard let cut = Cut(box, imageSize, taps) else { return nil }
    plane.removeAll(keepingCapacity: true)
    plane.append(contentsOf: repeatElement(0, count: cut.planeColumns.count * cut.planeRows.count))
    let (width, first) = (cut.planeColumns.count, cut.planeColumns.lowerBound)
    for factor in factors.indices {
      let share = factors[factor]
      for (place, row) in cut.planeRows.enumerated() {
        let start = (factor * planeRows + row) * planeColumns + first
        plane.withUnsafeMutableBufferPointer { plane in
          prototypes.extracting(start..<start + width).withUnsafeBufferPointer { prototype in
            for x in 0..<width { plane[place * width + x] += share * prototype[x] }
          }
        }
      }
    }
    return sampled(cut)
  }

  /// The mask of the cells that a cut of the plane holds.
  private mutating func sampled(_ cut: Cut) -> InstanceMask? {
    var mask = InstanceMask(imageSize: imageSize, columns: cut.columns, rows: cut.rows)
    let groups = cut.groups
    line.removeAll(keepingCapacity: true)
    line.append(contentsOf: repeatElement(0, count: cut.across.count))
    for (place, row) in cut.rows.enumerated() {
      interpolate(cut, cut.down.taps[place])
      for group in groups { fill(group, of: cut, row, &mask) }
    }
    return mask.area > 0 ? mask.trimmed() : nil
  }

  /// Makes `line` the cells along a row of the image.
  private mutating func interpolate(_ cut: Cut, _ tap: PlaneTap) {
    let (step, stride) = cut.exchanges ? (cut.planeColumns.count, 1) : (1, cut.planeColumns.count)
    let (share, first, second) = (tap.share, tap.first * stride, tap.second * stride)
    plane.withUnsafeBufferPointer { plane in
      line.withUnsafeMutableBufferPointer { line in
        for x in 0..<line.count {
          line[x] = plane[first + x * step] * (1 - share) + plane[second + x * step] * share
        }
      }
    }
  }

  private func fill(
    _ group: Range<Int>, of cut: Cut, _ row: Int, _ mask: inout InstanceMask
  ) {
    let taps = cut.across.taps
    let tap = taps[group.lowerBound]
    let (a, b) = (line[tap.first], line[tap.second])
    let start = cut.columns.lowerBound
    if a > 0, b > 0 {
      mask.fill(start + group.lowerBound..<start + group.upperBound, inRow: row)
    } else if a > 0 || b > 0 {
      for x in group where a * (1 - taps[x].share) + b * taps[x].share > 0 {
        mask.fill(start + x..<start + x + 1, inRow: row)
      }
    }
  }
}

/// The part of an image that a box covers, and the cells of a plane that it needs.
private struct Cut {
  /// The cells along one side of the image.
  struct Side {
    /// For each pixel; cells are counted from the first of the cut.
    var taps: [PlaneTap]
    /// The cells of the plane that are needed.
    var cells: Range<Int>
    var count: Int { cells.count }

    init(_ taps: [PlaneTap]) {
      let low = taps.map(\.first).min() ?? 0
      let high = taps.map(\.second).max() ?? 0
      cells = low..<high + 1
      self.taps = taps.map {
        PlaneTap(first: $0.first - low, second: $0.second - low, share: $0.share)
      }
    }
  }

  let columns: Range<Int>
  let rows: Range<Int>
  /// The cells along the columns and along the rows of the image.
  let across: Side
  let down: Side
  /// Whether columns of the image are rows of the plane.
  let exchanges: Bool

  var planeColumns: Range<Int> { exchanges ? down.cells : across.cells }
  var planeRows: Range<Int> { exchanges ? across.cells : down.cells }

  /// `nil` for a box without a pixel.
  init?(_ box: CornerBox, _ size: ImageSize, _ taps: PlaneTaps) {
    func pixels(_ low: Double, _ high: Double, _ count: Int) -> Range<Int>? {
      guard low < high else { return nil }
      let edges = [low, high].map { Int(min(max($0.rounded(.up), 0), Double(count))) }
      return edges[0] < edges[1] ? edges[0]..<edges[1] : nil
    }
    guard let columns = pixels(box.minX, box.maxX, size.width),
      let rows = pixels(box.minY, box.maxY, size.height)
    else { return nil }
    (self.columns, self.rows) = (columns, rows)
    exchanges = taps.exchangesAxes
    across = Side(columns.map(taps.across))
    down = Side(rows.map(taps.down))
  }

  /// Stretches of columns between the same two cells.
  var groups: [Range<Int>] {
    var found: [Range<Int>] = []
    var start = 0
    for x in across.taps.indices.dropFirst() where across.taps[x].first != across.taps[start].first
    {
      found.append(start..<x)
      start = x
    }
    found.append(start..<across.taps.count)
    return found
  }
}
