// Fovea - lines of text that Tesseract reads.
// SPDX-License-Identifier: Apache-2.0

/// Lines of text that Tesseract reads.
struct TesseractReading: Sendable {
  /// The engine.
  let engine: TesseractEngine
  /// Whether lines that are read badly are read again, each alone, and whole pages upside down.
  let isAccurate: Bool

  /// The height of small letters that Tesseract reads best, in pixels.
  private static let xHeight = 18.0
  /// Lines below are read again.
  private static let sureConfidence = 0.8
  /// Most lines that are read again.
  private static let secondReadings = 24

  /// What stands in lines of a picture; lines in which nothing can be read are left out.
  ///
  /// - Throws: As `TesseractEngine.words`.
  func read(_ groups: [TextGroup], of picture: StillPicture) throws(StillError) -> [ReadLine] {
    if groups.isEmpty {
      // What is not installed is an error for every picture.
      let blank = GrayImage(width: 16, height: 16, pixels: [UInt8](repeating: 235, count: 256))
      _ = try engine.words(in: blank, .line)
    }
    var found: [ReadLine] = []
    for group in groups {
      found += try read(group.lines, of: picture).compactMap { $0?.withoutNoise }
        .filter(group.isText)
    }
    return groups.count > 1 ? TextChoice.uncovered(found) : found
  }

  private func read(
    _ lines: [TextLine], of picture: StillPicture
  ) throws(StillError) -> [ReadLine?] {
    let strips = lines.compactMap { TextStrip($0, of: picture, xHeight: Self.xHeight) }
    let found = try improved(readPages(strips), strips)
    guard isAccurate, certainty(of: found) < 0.5 else { return found }
    // Nothing of the geometry tells up from down.
    let turned = lines.reversed().compactMap {
      TextStrip($0.upsideDown, of: picture, xHeight: Self.xHeight)
    }
    let other = try improved(readPages(turned), turned)
    return certainty(of: other) > certainty(of: found) + 0.1 ? other : found
  }

  private func readPages(_ strips: [TextStrip]) throws(StillError) -> [ReadLine?] {
    var found: [ReadLine?] = []
    for page in StripPage.pages(strips, margin: Int(0.6 * Self.xHeight)) {
      found += page.lines(try engine.words(in: page.pixels, .block))
    }
    return found
  }

  /// Lines that were read badly or not at all, read alone.
  private func improved(
    _ found: [ReadLine?], _ strips: [TextStrip]
  ) throws(StillError) -> [ReadLine?] {
    if !isAccurate { return found }
    var result = found
    var count = 0
    for (index, strip) in strips.enumerated() {
      let before = found[index]?.confidence ?? 0
      if before >= Self.sureConfidence || count == Self.secondReadings { continue }
      count += 1
      let page = StripPage([strip], margin: Int(0.6 * Self.xHeight))
      guard let line = page.lines(try engine.words(in: page.pixels, .line))[0] else { continue }
      if line.confidence > before { result[index] = line }
    }
    return result
  }

  /// How surely lines were read on average, each counted by its characters; those that were not read count
  /// as a few uncertain ones.
  private func certainty(of lines: [ReadLine?]) -> Double {
    var (sum, count) = (0.0, 0.0)
    for line in lines {
      let characters = Double(line?.text.count ?? 4)
      sum += characters * (line?.confidence ?? 0)
      count += characters
    }
    return count > 0 ? sum / count : 0
  }
}

extension ReadLine {
  /// The line without words that are noise; `nil` where nothing else is left.
  fileprivate var withoutNoise: ReadLine? {
    var line = self
    line.words.removeAll { $0.confidence < 0.3 }
    return line.words.isEmpty || line.confidence < 0.5 ? nil : line
  }
}
