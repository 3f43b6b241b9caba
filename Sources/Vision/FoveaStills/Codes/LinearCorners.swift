// Fovea - the corners of linear codes, of which libraries give only lines.
// SPDX-License-Identifier: Apache-2.0
internal import CFoveaStills
internal import FoveaGeometry

extension StillPicture {
  /// The corners of a linear code, which are the ends of its bars, from the ends of a line across it. They
  /// are off by some tenths of a pixel; `nil` where no bars are.
  func corners(ofLinear symbol: CodeSymbol) -> PixelQuad? {
    let start = symbol.line.start
    var along = symbol.line.way
    if let addOn = symbol.addOnModules { along *= 1 + addOn / Double(symbol.modules) }
    // Sixty percent of the width to both sides is more than the height of codes.
    let across = SIMD2(-along.y, along.x) * 0.6
    var quad = PixelQuad(
      start - across, start + along - across, start + along + across, start + across)
    let hasGuards = symbol.modules > 0 && symbol.addOnModules == nil
    // Each round sees the code more upright.
    for round in 0..<3 {
      guard let code = RectifiedCode(self, quad, side: 420), let inverse = code.map.inverse else {
        return nil
      }
      let corners = quad.corners.map { inverse($0) }
      let (left, right) = ((corners[0].x + corners[3].x) / 2, (corners[1].x + corners[2].x) / 2)
      let bars = fov_bars(
        left: left, right: right, row: corners.map(\.y).reduce(0, +) / 4,
        tolerance: max(3, (right - left) * Self.tolerance(symbol.format, round)),
        guard: hasGuards ? 3 / Double(symbol.modules) : 0)
      let picture = symbol.isInverted ? code.picture.inverted : code.picture
      guard let ends = picture.ends(of: bars) else { return nil }
      quad = code.source(of: ends)
    }
    return clipped(quad)
  }

  /// Bars of a code that the picture cuts end at its edge: what is beyond repeats them.
  private func clipped(_ quad: PixelQuad) -> PixelQuad? {
    let corners = quad.corners
    guard let left = clipped(corners[0], corners[3]), let right = clipped(corners[1], corners[2])
    else { return nil }
    return PixelQuad(left.0, right.0, right.1, left.1)
  }

  /// The part of a line between two points that lies in the picture; `nil` if none does.
  private func clipped(
    _ start: SIMD2<Double>, _ end: SIMD2<Double>
  ) -> (SIMD2<Double>, SIMD2<Double>)? {
    let way = end - start
    let size = SIMD2(Double(width), Double(height))
    var (first, last) = (0.0, 1.0)
    for axis in 0..<2 {
      guard abs(way[axis]) > 1e-9 else { continue }
      let edges = [-start[axis] / way[axis], (size[axis] - start[axis]) / way[axis]]
      first = max(first, min(edges[0], edges[1]))
      last = min(last, max(edges[0], edges[1]))
    }
    guard first < last else { return nil }
    return (
      (start + first * way).clamped(lowerBound: .zero, upperBound: size),
      (start + last * way).clamped(lowerBound: .zero, upperBound: size)
    )
  }

  /// How far the ends may be off, as a part of the width. Those of PDF417 are rough at first.
  private static func tolerance(_ format: CodeFormat, _ round: Int) -> Double {
    round == 2 ? 0.012 : round == 0 && format == .pdf417 ? 0.06 : 0.03
  }
}

extension GrayImage {
  /// The ends of bars; see `fov_code_bars`.
  fileprivate func ends(of bars: fov_bars) -> PixelQuad? {
    var bars = bars
    var memory = [Float](repeating: 0, count: fov_code_bars_floats(Int32(width), Int32(height)))
    var corners = [Double](repeating: 0, count: 8)
    let status = pixels.withUnsafeBufferPointer { levels in
      var image = fov_still_image(
        bytes: levels.baseAddress, row_bytes: width, width: Int32(width), height: Int32(height),
        channels: 1)
      return fov_code_bars(&image, &bars, &memory, &corners)
    }
    guard status == 0, corners.allSatisfy(\.isFinite) else { return nil }
    let points = (0..<4).map { SIMD2(corners[2 * $0], corners[2 * $0 + 1]) }
    return PixelQuad(points[0], points[1], points[2], points[3])
  }
}

extension CodeSymbol {
  /// A line across all bars: its start, and the way to its end.
  fileprivate var line: (start: SIMD2<Double>, way: SIMD2<Double>) {
    let points = corners.corners
    let start = (points[0] + points[3]) / 2
    let way = (points[1] + points[2]) / 2 - start
    guard format == .dataBarExpanded else { return (start, way) }
    // Its corners are those of some of its parts: the line goes from the first to the last one.
    let places = points.map { ($0 * way).sum() }
    guard let least = places.min(), let most = places.max(),
      let first = places.firstIndex(of: least), let last = places.firstIndex(of: most)
    else { return (start, way) }
    return (points[first], points[last] - points[first])
  }

  /// The modules between the ends of an EAN or UPC code, whose outer bars may be longer; 0 for others.
  fileprivate var modules: Int {
    switch format {
    case .ean13, .upca: 95
    case .ean8: 67
    case .upce: 51
    default: 0
    }
  }

  /// The modules of an add-on and of the gap before it; `nil` without one.
  fileprivate var addOnModules: Double? {
    guard CodeFormat.retail.contains(format),
      let addOn = text.split(separator: " ", maxSplits: 1).dropFirst().first
    else { return nil }
    return addOn.count == 2 ? 10 + 20 : 10 + 47
  }
}
