// Fovea - codes that were read, several times each.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaGeometry

/// A code that was read at least once.
struct FoundCode {
  /// As it was read first, with the corners of the largest picture.
  var symbol: CodeSymbol
  let symbology: BarcodeSymbology
  var payload: CodePayload
  /// How often it was read.
  var votes = 1
  /// The most lines that agreed in one reading.
  var lines: Int
  /// Pixels that were read for each pixel of the picture, where the corners are from.
  var precision: Double

  /// In pixels of the picture.
  var corners: PixelQuad { symbol.corners }

  /// Whether chance cannot have made it. Kinds with one digit to check have to be read twice, UPC-E,
  /// whose digit is not even drawn, three times.
  var isCertain: Bool {
    !CodeFormat.weak.contains(symbol.format) || lines >= 4
      || votes >= (symbol.format == .upce ? 3 : 2)
  }

  /// Whether nothing else need be looked for at its place. Parts of an EAN-13 look like a UPC-E.
  var endsSearch: Bool { isCertain && symbol.format != .upce }

  /// Whether there may be digits beside it that were not read yet.
  var mayHaveAddOn: Bool {
    payload.addOn == nil && (symbol.format == .ean13 || symbol.format == .upca)
  }

  /// What is more likely to be right, of two at one place.
  fileprivate var rank: (Int, Int, Int) {
    (symbol.format == .upce ? 0 : CodeFormat.linear.contains(symbol.format) ? 1 : 2, votes, lines)
  }

  /// Whether one lies on the other.
  fileprivate func overlaps(_ other: FoundCode) -> Bool {
    corners.contains(other.corners.center) || other.corners.contains(corners.center)
  }

  /// Whether the two are readings of one code: the same payload, and centers closer than its size.
  fileprivate func isSame(as other: FoundCode) -> Bool {
    guard symbology == other.symbology, payload.bytes == other.payload.bytes else { return false }
    let distance = corners.center - other.corners.center
    let reach = 0.7 * max(corners.longestSide, other.corners.longestSide)
    return (distance * distance).sum() < reach * reach
  }
}

/// The codes of a picture, each with how often it was read.
struct CodeCollection {
  private let wanted: Set<BarcodeSymbology>
  private(set) var all: [FoundCode] = []

  init(wanted: Set<BarcodeSymbology>) { self.wanted = wanted }

  /// Counts a symbol, whose corners are in pixels of the picture.
  mutating func add(_ symbol: CodeSymbol, precision: Double) {
    guard let symbology = symbol.symbology(of: wanted),
      symbol.corners.corners.allSatisfy({ $0.x.isFinite && $0.y.isFinite })
    else { return }
    let code = FoundCode(
      symbol: symbol, symbology: symbology, payload: CodePayload(symbol), lines: symbol.lines,
      precision: precision)
    guard let index = all.firstIndex(where: { $0.isSame(as: code) }) else {
      all.append(code)
      return
    }
    all[index].votes += 1
    all[index].lines = max(all[index].lines, symbol.lines)
    if code.payload.addOn != nil, all[index].payload.addOn == nil {
      all[index].payload = code.payload
      all[index].symbol.text = symbol.text
    }
    if precision > all[index].precision, symbol.corners.isSound {
      all[index].symbol.corners = symbol.corners
      all[index].precision = precision
    }
  }

  /// Replaces the corners of one code by exact ones, which no reading changes any more.
  mutating func setCorners(_ corners: PixelQuad, of index: Int) {
    all[index].symbol.corners = corners
    all[index].precision = .infinity
  }

  /// Whether something was read that may be wrong.
  var hasDoubt: Bool { all.contains { !$0.isCertain } }

  /// The codes that are certain, and of those at one place the likelier.
  var accepted: [FoundCode] {
    let certain = all.filter(\.isCertain).sorted { $0.rank > $1.rank }
    return certain.enumerated().filter { index, code in
      !certain[..<index].contains { better in
        better.overlaps(code) && better.symbol.format.conflicts(with: code.symbol.format)
      }
    }
    .map(\.element)
  }
}

extension CodeFormat {
  /// Whether of two codes at one place one is wrong: linear ones side by side may be close, and what is
  /// read with much redundancy is there.
  fileprivate func conflicts(with other: CodeFormat) -> Bool {
    CodeFormat.weak.contains(other) || (CodeFormat.linear.contains(self) && other == self)
  }
}

extension PixelQuad {
  /// Whether the corners may be those of a code: they turn one way around and are no line.
  fileprivate var isSound: Bool {
    PerspectiveMap(rectangle: 1, 1, to: corners) != nil
      && abs(area) > 0.02 * longestSide * longestSide
  }

  /// The longest side, in pixels.
  var longestSide: Double { sides.max() ?? 0 }
}
