// Fovea - the order in which codes are looked for in a picture.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaGeometry
internal import FoveaVision

/// Looks for the codes of a picture. The library reads the whole picture, then each box of the detector:
/// rectified, enlarged and sharpened until it reads something; then the picture at twice its size, if
/// something was found and not read. What is read several times is one code.
struct CodeSearch {
  private let picture: StillPicture
  private let reader: CodeReader
  private let formats: CodeFormat
  private let effort: CodeReader.Effort
  private let isThorough: Bool
  /// What has been read so far.
  private(set) var codes: CodeCollection
  /// The boxes in which nothing was read.
  private(set) var unread: [CodeBox] = []

  init(
    _ picture: StillPicture, _ reader: CodeReader, wanted: Set<BarcodeSymbology>, isThorough: Bool
  ) {
    (self.picture, self.reader, self.isThorough) = (picture, reader, isThorough)
    formats = wanted.reduce(into: []) { $0.formUnion($1.format) }
    effort = wanted.contains(where: \.isFullASCII) ? .fullASCII : []
    codes = CodeCollection(wanted: wanted)
  }

  /// Looks for codes.
  ///
  /// - Throws: `.detection`.
  mutating func run() throws(StillError) {
    guard !formats.isEmpty else { return }
    readWhole(picture.gray, scale: 1, [])
    if isThorough { readWhole(picture.gray, scale: 1, .inverted) }
    let boxes = try picture.codeBoxes()
    for box in boxes where !isRead(box) { readBox(box) }
    unread = boxes.filter { !isRead($0) }
    guard isThorough, !unread.isEmpty || codes.hasDoubt || codes.all.isEmpty else { return }
    if let larger = picture.enlarged {
      readWhole(larger, scale: 2, [])
      unread.removeAll(where: isRead)
    }
  }

  private func isRead(_ box: CodeBox) -> Bool {
    codes.all.contains { $0.isCertain && box.contains($0.corners.center) }
  }

  // MARK: The whole picture

  private mutating func readWhole(
    _ gray: GrayImage, scale: Double, _ options: CodeReader.Effort
  ) {
    let effort = effort.union(options).union(.all)
    let (symbols, isComplete) = reader.read(gray, formats, effort)
    add(symbols, precision: scale) { $0.scaled(by: 1 / scale) }
    guard !isComplete else { return }
    // The library fails on all of it: four parts, each 3/5 of the sides.
    for part in 0..<4 {
      let (left, top) = (part % 2 * 2 * gray.width / 5, part / 2 * 2 * gray.height / 5)
      let tile = gray.part(
        left: left, top: top, width: max(1, 3 * gray.width / 5),
        height: max(1, 3 * gray.height / 5))
      let (symbols, _) = reader.read(tile, formats, effort.subtracting(.downscaled))
      let place = SIMD2(Double(left), Double(top))
      add(symbols, precision: scale) { $0.scaled(by: 1, movedBy: place).scaled(by: 1 / scale) }
    }
  }

  private mutating func add(
    _ symbols: [CodeSymbol], precision: Double, _ map: (PixelQuad) -> PixelQuad
  ) {
    for var symbol in symbols {
      symbol.corners = map(symbol.corners)
      codes.add(symbol, precision: precision)
    }
  }

  // MARK: Boxes

  /// What is done to the pixels before they are read.
  private enum Filter {
    case none
    /// Stronger edges: fine ones, and the more the greater the number.
    case sharp(radius: Int, amount: Float)
    /// Bars and modules that are wider in light or in dark: ink that has spread, or is lacking.
    case light, dark
  }

  /// One way to look at a box.
  private struct Attempt {
    /// Gradients of which strength are inside; `nil` for the box as it is.
    var share: Double?
    var side: Double
    var filter = Filter.none
    var options: CodeReader.Effort = []
  }

  /// Those that read the most come first.
  private static let attempts = [
    Attempt(share: 0.55, side: 420),
    Attempt(share: 0.55, side: 420, filter: .sharp(radius: 3, amount: 1.5)),
    Attempt(share: 0.35, side: 420),
    Attempt(share: 0.35, side: 420, filter: .sharp(radius: 3, amount: 1.5)),
    Attempt(share: nil, side: 300),
    Attempt(share: 0.35, side: 420, options: .inverted),
    Attempt(share: 0.55, side: 250),
    Attempt(share: 0.35, side: 250),
    Attempt(share: nil, side: 500),
    Attempt(share: 0.35, side: 420, filter: .sharp(radius: 10, amount: 3)),
    Attempt(share: 0.35, side: 420, filter: .sharp(radius: 10, amount: 3), options: .global),
    Attempt(share: 0.35, side: 250, filter: .sharp(radius: 4, amount: 5)),
    Attempt(share: 0.35, side: 420, filter: .light),
    Attempt(share: 0.35, side: 420, filter: .dark),
    Attempt(share: 0.25, side: 250),
    Attempt(share: 0.35, side: 420, filter: .sharp(radius: 4, amount: 5), options: .inverted),
    Attempt(share: 0.55, side: 420, options: .inverted),
    Attempt(share: 0.55, side: 700),
  ]

  private mutating func readBox(_ box: CodeBox) {
    let count = isThorough ? (box.confidence < 0.2 ? 5 : Self.attempts.count) : 2
    var quads: [Double: PixelQuad?] = [:]
    for attempt in Self.attempts.prefix(count) {
      var corners: PixelQuad?
      if let share = attempt.share {
        if quads[share] == nil { quads[share] = picture.codeCorners(in: box.rect, share: share) }
        corners = quads[share] ?? nil
      } else {
        let rect = box.rect
        corners = PixelQuad(x: rect.minX, y: rect.minY, width: rect.width, height: rect.height)
      }
      guard let corners, let code = RectifiedCode(picture, corners, side: attempt.side) else {
        continue
      }
      read(filtered(code.picture, attempt.filter), of: code, attempt.options)
      if codes.all.contains(where: { $0.endsSearch && box.contains($0.corners.center) }) { return }
    }
  }

  private func filtered(_ picture: GrayImage, _ filter: Filter) -> GrayImage {
    switch filter {
    case .none: picture
    case .sharp(let radius, let amount): picture.sharpened(radius: radius, amount: amount)
    case .light: picture.widened(light: true)
    case .dark: picture.widened(light: false)
    }
  }

  /// Reads one code of pixels that are those of a rectified part.
  private mutating func read(
    _ pixels: GrayImage, of code: RectifiedCode, _ options: CodeReader.Effort,
    only: CodeFormat? = nil
  ) {
    let options = effort.union(options).union([.harder, .rotated, .one])
    let (symbols, _) = reader.read(pixels, only ?? formats, options)
    add(symbols, precision: code.scale) { code.source(of: $0) }
  }

  // MARK: Corners

  /// Makes the corners of all codes exact: bars are followed to their ends, and what has modules is read
  /// again, rectified by its own corners. Looks for add-ons beside EAN-13 and UPC-A, too.
  mutating func refineCorners() {
    for index in codes.all.indices {
      let code = codes.all[index]
      if CodeFormat.bars.contains(code.symbol.format) {
        guard let exact = picture.corners(ofLinear: code.symbol) else { continue }
        codes.setCorners(exact, of: index)
        if code.mayHaveAddOn { readAddOn(of: index) }
      } else if code.precision < 2,
        let again = RectifiedCode(picture, code.corners, side: 420)
      {
        read(again.picture, of: again, code.symbol.isInverted ? .inverted : [])
      }
    }
  }

  /// Reads a code with what is at its right, where its add-on would be.
  private mutating func readAddOn(of index: Int) {
    let code = codes.all[index]
    let corners = code.corners.corners
    let (upper, lower) = (corners[1] - corners[0], corners[2] - corners[3])
    let wide = PixelQuad(
      corners[0], corners[0] + 1.65 * upper, corners[3] + 1.65 * lower, corners[3])
    guard let rectified = RectifiedCode(picture, wide, side: 600) else { return }
    let options: CodeReader.Effort = code.symbol.isInverted ? .inverted : []
    read(rectified.picture, of: rectified, options, only: code.symbol.format)
    guard codes.all[index].payload.addOn != nil,
      let exact = picture.corners(ofLinear: codes.all[index].symbol)
    else { return }
    codes.setCorners(exact, of: index)
  }
}

/// A box in which the detector sees a code.
struct CodeBox {
  /// In pixels, from the upper left.
  let rect: ImageRect
  /// 0 to 1.
  let confidence: Float
  /// The label of the detector.
  let label: String

  /// Whether a point is inside.
  func contains(_ point: SIMD2<Double>) -> Bool {
    point.x >= rect.minX && point.x <= rect.maxX && point.y >= rect.minY && point.y <= rect.maxY
  }
}

extension StillPicture {
  /// The boxes of codes that the detector sees, the surest first; at most 48.
  ///
  /// - Throws: `.detection`.
  func codeBoxes() throws(StillError) -> [CodeBox] {
    let kinds: Set<String> = ["qrCode", "barcode", "dataMatrix"]
    return try shippedFindings.compactMap { finding -> CodeBox? in
      guard let label = finding.labels.first, kinds.contains(label.identifier) else { return nil }
      return CodeBox(
        rect: pixels(of: finding.boundingBox), confidence: label.confidence,
        label: label.identifier)
    }
    .sorted { $0.confidence > $1.confidence }.prefix(48).map { $0 }
  }

  /// The gray levels at twice the size; `nil` for pictures of which that would take long.
  fileprivate var enlarged: GrayImage? {
    guard width * height <= 3_000_000 else { return nil }
    let whole = PixelQuad(x: 0, y: 0, width: Double(width), height: Double(height))
    return rectifiedGray(whole, width: 2 * width, height: 2 * height)
  }
}

extension GrayImage {
  /// A part that lies inside.
  fileprivate func part(left: Int, top: Int, width: Int, height: Int) -> GrayImage {
    let rows = (top..<top + height).flatMap { row in
      pixels[row * self.width + left..<row * self.width + left + width]
    }
    return GrayImage(width: width, height: height, pixels: rows)
  }
}

extension PixelQuad {
  /// The mean of the corners.
  var center: SIMD2<Double> { corners.reduce(.zero, +) / 4 }
}

extension BarcodeSymbology {
  /// What the library calls it; empty for what it does not read.
  fileprivate var format: CodeFormat {
    switch self {
    case .aztec: .aztec
    case .codabar: .codabar
    case .code128: .code128
    case .code39, .code39Checksum, .code39FullASCII, .code39FullASCIIChecksum: .code39
    case .code93, .code93i: .code93
    case .dataMatrix: .dataMatrix
    case .ean13: [.ean13, .upca]
    case .ean8: .ean8
    case .gs1DataBar: .dataBar
    case .gs1DataBarExpanded: .dataBarExpanded
    case .i2of5, .i2of5Checksum, .itf14: .itf
    case .microQR: .microQR
    case .pdf417: .pdf417
    case .qr: .qr
    case .upce: .upce
    case .gs1DataBarLimited, .microPDF417, .msiPlessey, .unknown: []
    }
  }

  fileprivate var isFullASCII: Bool { self == .code39FullASCII || self == .code39FullASCIIChecksum }
}
