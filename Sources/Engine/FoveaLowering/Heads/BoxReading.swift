// Fovea - what the four numbers of a box are.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaCore

/// What the four numbers of a box are: centers and sizes or corners, x or y first, pixels or
/// fractions.
///
/// A family of networks has its custom; exporters change it. The numbers that the network writes for
/// a synthetic picture tell more than the family:
///
///     fractions   no center is greater than 2
///     corners     the second two are greater than the first two, and grow with these
///     y first     the first stays within the height where the second goes beyond it; or the first
///                 grows with the rows of cells
struct BoxReading: Equatable {
  var hasCorners: Bool
  var isYFirst = false
  var units: BoxUnits

  /// Corners or centers in pixels, x first.
  init(corners: Bool, units: BoxUnits = .pixels) {
    hasCorners = corners
    self.units = units
  }

  /// In words.
  var words: String {
    "\(hasCorners ? "corners" : "centers and sizes")\(isYFirst ? ", y first," : "") in"
      + " \(units.rawValue)"
  }

  /// The matrix that turns the four numbers into center and size in fractions of the image.
  func matrix(width: Int, height: Int) -> [Float] {
    let isPixels = units == .pixels
    let (x, y) = (isPixels ? 1 / Float(width) : 1, isPixels ? 1 / Float(height) : 1)
    var rows: [[Float]] =
      hasCorners
      ? [[x / 2, 0, -x, 0], [0, y / 2, 0, -y], [x / 2, 0, x, 0], [0, y / 2, 0, y]]
      : [[x, 0, 0, 0], [0, y, 0, 0], [0, 0, x, 0], [0, 0, 0, y]]
    if isYFirst { rows = [rows[1], rows[0], rows[3], rows[2]] }
    return rows.flatMap { $0 }
  }
}

extension BoxReading {
  /// The numbers of boxes that are not all zero: rows that a network leaves empty say nothing.
  private struct Boxes {
    var columns: [[Float]]
    /// The places of these rows among all.
    var places: [Int]
    var count: Int { places.count }

    init?(_ rows: HeadRows, from first: Int) {
      let all = (first..<first + 4).map(rows.column)
      guard all.allSatisfy({ $0.allSatisfy(\.isFinite) }) else { return nil }
      let filled = (0..<rows.count).filter { row in all.contains { $0[row] != 0 } }
      places = filled
      columns = all.map { column in filled.map { column[$0] } }
    }

    /// Whether the numbers can be boxes at all, and not distances from something.
    ///
    /// Boxes have sizes and lie all over a picture. Networks that were never trained put many of
    /// those in pixels outside.
    func canBe(_ reading: BoxReading, outside: Double) -> Bool {
      let negative = Samples.part(of: count) { row in
        let size = reading.size(columns.map { $0[row] })
        return size.width < 0 || size.height < 0
      }
      let centers = (0..<count).map { row in reading.center(columns.map { $0[row] }).x }
      let spread = (centers.max() ?? 0) - (centers.min() ?? 0)
      let isPixels = reading.units == .pixels
      return negative <= 0.05 && outside <= (isPixels ? 0.75 : 0.35)
        && (!isPixels || spread >= 2)
    }

    /// The part of the boxes whose centers lie outside of a picture, or that have no size.
    func implausible(_ reading: BoxReading, width: Float, height: Float) -> Double {
      Samples.part(of: count) { row in
        let center = reading.center(columns.map { $0[row] })
        let size = reading.size(columns.map { $0[row] })
        let margin: Float = 0.1
        return center.x < -margin * width || center.x > (1 + margin) * width
          || center.y < -margin * height || center.y > (1 + margin) * height
          || size.width < 0 || size.height < 0
      }
    }
  }

  private func center(_ box: [Float]) -> (x: Float, y: Float) {
    let (first, second) =
      hasCorners ? ((box[0] + box[2]) / 2, (box[1] + box[3]) / 2) : (box[0], box[1])
    return isYFirst ? (second, first) : (first, second)
  }

  private func size(_ box: [Float]) -> (width: Float, height: Float) {
    let (first, second) = hasCorners ? (box[2] - box[0], box[3] - box[1]) : (box[2], box[3])
    return isYFirst ? (second, first) : (first, second)
  }

  /// How the four numbers from a column on are to be read.
  ///
  /// - Parameters:
  ///   - usual: The custom of the family.
  ///   - cells: The cells that the rows belong to, if there is one for each.
  ///   - isCertain: Whether it is known that boxes are corners, or that they are none.
  /// - Returns: `nil` where the numbers are boxes in no way that is known.
  static func find(
    _ rows: HeadRows, from first: Int, usual: BoxReading, _ evidence: HeadEvidence,
    cells: [(x: Int, y: Int, stride: Int)] = [], isCertain: Bool = false
  ) -> BoxReading? {
    guard let boxes = Boxes(rows, from: first) else { return nil }
    // Too few boxes say nothing.
    guard boxes.count >= 8 else { return usual }
    var reading = usual
    let greatest = boxes.columns.prefix(2).joined().reduce(0) { max($0, abs($1)) }
    reading.units = evidence.boxes ?? (greatest <= 2 ? .fractions : .pixels)
    if !isCertain { reading.hasCorners = hasCorners(boxes) ?? usual.hasCorners }
    let isPixels = reading.units == .pixels
    let (width, height) = (
      isPixels ? Float(evidence.width) : 1, isPixels ? Float(evidence.height) : 1
    )
    reading.isYFirst = reading.isYFirst(boxes, cells, width: width, height: height)
    let others = [reading, reading.turned].sorted {
      boxes.implausible($0, width: width, height: height)
        < boxes.implausible($1, width: width, height: height)
    }
    // A custom stays unless another order is plainly better.
    let (given, best) = (
      boxes.implausible(reading, width: width, height: height),
      boxes.implausible(others[0], width: width, height: height)
    )
    if given > best + 0.02 { reading = others[0] }
    return boxes.canBe(reading, outside: min(given, best)) ? reading : nil
  }

  private var turned: BoxReading {
    var other = self
    other.isYFirst.toggle()
    return other
  }

  /// Whether the numbers are corners; `nil` if they can be both.
  private static func hasCorners(_ boxes: Boxes) -> Bool? {
    let columns = boxes.columns
    let breaches = Samples.part(of: boxes.count) { row in
      columns[2][row] < columns[0][row] || columns[3][row] < columns[1][row]
    }
    guard breaches <= 0.01 else { return false }
    let across = Samples.correlation(columns[0], columns[2])
    let down = Samples.correlation(columns[1], columns[3])
    return min(across, down) > 0.3 ? true : nil
  }

  /// Whether the centers go along with the rows of cells first.
  private func isYFirst(
    _ boxes: Boxes, _ cells: [(x: Int, y: Int, stride: Int)], width: Float, height: Float
  ) -> Bool {
    guard let last = boxes.places.last, cells.count > last else { return isYFirst }
    let firsts = (0..<boxes.count).map { row in
      let center = center(boxes.columns.map { $0[row] })
      return isYFirst ? center.y : center.x
    }
    let (x, y) = (
      boxes.places.map { Float(cells[$0].x * cells[$0].stride) },
      boxes.places.map { Float(cells[$0].y * cells[$0].stride) }
    )
    let (along, down) = (Samples.correlation(firsts, x), Samples.correlation(firsts, y))
    if down > 0.5, along < 0.3 { return true }
    if along > 0.5, down < 0.3 { return false }
    return isYFirst
  }
}
