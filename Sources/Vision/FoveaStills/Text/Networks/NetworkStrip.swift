// Fovea - a line of text as a network reads it.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaRuntime

/// A line of text as a network reads it, and what its columns tell about places.
struct NetworkStrip {
  private let strip: TextStrip
  private let rows: Int

  /// Darker than this is ink; paper has 235.
  private static let inkLevel = 150

  /// A line cut out in `rows` rows; its ink has `inkRows`, and its width is multiplied by `stretch`.
  init?(
    _ line: TextLine, of picture: StillPicture, rows: Int, inkRows: Double, stretch: Double = 1
  ) {
    let margin = (Double(rows) - inkRows) / 2 / inkRows
    guard
      let strip = TextStrip(
        line, of: picture, height: inkRows, margin: margin, stretch: stretch)
    else { return nil }
    self.strip = strip
    self.rows = rows
  }

  var pixels: GrayImage { strip.pixels }

  /// Writes three equal planes of levels from -1 to 1, and 0 beyond the strip. A strip that is wider than
  /// the input is squeezed.
  func write(to session: Session, input: String, width: Int) throws(FoveaError) {
    let source = pixels
    var plane = [Float](repeating: 0, count: rows * width)
    let squeeze = max(1, Double(source.width) / Double(width))
    let top = (rows - source.height) / 2
    for row in 0..<rows {
      let y = min(max(row - top, 0), source.height - 1)
      for column in 0..<min(width, source.width) {
        let x = squeeze == 1 ? column : Int((Double(column) + 0.5) * squeeze)
        let level = Float(source.pixels[y * source.width + min(x, source.width - 1)])
        plane[row * width + column] = level / 127.5 - 1
      }
    }
    try session.setInput(
      input, to: try Tensor(shape: [1, 3, rows, width], floats: plane + plane + plane))
  }

  /// The line that some characters make; `nil` for none but spaces.
  func line(_ characters: [CTCDecoder.Character], pixelsPerColumn: Double) -> ReadLine? {
    // Where in the strip the middles of columns of scores lie.
    let places = characters.map { (Double($0.column) + 0.5) * pixelsPerColumn }
    let ink = InkColumns(pixels, level: Self.inkLevel)
    let bounds = ink.bounds(of: places, spaces: characters.map { $0.text == " " })
    var words: [ReadLine.Word] = []
    var start = 0
    while start < characters.count {
      if characters[start].text == " " {
        start += 1
        continue
      }
      let end = characters[start...].firstIndex { $0.text == " " } ?? characters.count
      words.append(word(characters[start..<end], bounds: bounds[start..<end], ink: ink))
      start = end
    }
    if words.isEmpty { return nil }
    return ReadLine(
      quad: strip.line.quad, words: words, alternatives: alternatives(characters))
  }

  private func word(
    _ characters: ArraySlice<CTCDecoder.Character>, bounds: ArraySlice<ClosedRange<Double>>,
    ink: InkColumns
  ) -> ReadLine.Word {
    func quad(_ range: ClosedRange<Double>) -> PixelQuad {
      let rows = ink.rows(in: range)
      return strip.quad(
        left: range.lowerBound, top: rows.lowerBound, right: range.upperBound,
        bottom: rows.upperBound)
    }
    let all = (bounds.first?.lowerBound ?? 0)...(bounds.last?.upperBound ?? 0)
    return ReadLine.Word(
      text: characters.map(\.text).joined(),
      confidence: characters.reduce(0) { $0 + $1.confidence } / Double(characters.count),
      quad: quad(all),
      characters: zip(characters, bounds).map {
        ReadLine.Character(text: $0.text, quad: quad($1))
      })
  }

  /// Texts in which one character that is in doubt is the next best one.
  private func alternatives(_ characters: [CTCDecoder.Character]) -> [ReadLine.Alternative] {
    let mean = characters.reduce(0) { $0 + $1.confidence } / Double(characters.count)
    let doubtful = characters.indices.filter { characters[$0].secondConfidence > 0.01 }
      .sorted { characters[$0].secondConfidence > characters[$1].secondConfidence }.prefix(9)
    return doubtful.map { index in
      var texts = characters.map(\.text)
      texts[index] = characters[index].second
      let loss = characters[index].confidence - characters[index].secondConfidence
      return ReadLine.Alternative(
        text: texts.joined(),
        confidence: max(0, mean - loss / Double(characters.count)))
    }
  }
}
