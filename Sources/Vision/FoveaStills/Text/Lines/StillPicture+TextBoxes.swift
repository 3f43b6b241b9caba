// Fovea - where the detector that comes with Fovea sees text.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaGeometry
internal import FoveaVision

extension StillPicture {
  /// Tiles are at least as large as what the detector sees, in pixels.
  private static let leastTile = 416.0
  /// How many tiles would lie beside each other along the longer side of a large picture, were they not
  /// to overlap.
  private static let tilesPerSide = 4.0
  /// How much larger the tiles of a fast search are.
  private static let fastScale = 1.75
  /// The part of a tile that the next one sees, too.
  private static let overlap = 0.25
  /// Above chance: lines of text are seen in two or more tiles, and textures are not.
  private static let leastConfidence: Float = 0.15
  /// With codes of 8 bits, which make text a little less likely.
  private static let leastFastConfidence: Float = 0.1

  /// Where the detector looks for text: the whole picture and, at a larger scale, tiles of it.
  ///
  /// - Parameter isFast: Whether fewer and larger tiles are enough.
  func textRegions(isFast: Bool) -> [NormalizedRect] {
    [.fullImage] + tiles(scale: isFast ? Self.fastScale : 1)
  }

  /// Upright boxes around lines of text, and parts of lines, in pixels: what the detector that comes with
  /// Fovea sees in one of the regions. Lines have boxes in several regions.
  ///
  /// - Parameter isFast: Whether the detector computes in integers of 8 bits.
  /// - Throws: `.detection`.
  /// - Complexity: One run of the detector, on one thread.
  func textBoxes(in region: NormalizedRect, isFast: Bool) throws(StillError) -> [ImageRect] {
    if region == .fullImage, !isFast {
      return textBoxes(of: try shippedFindings, leastConfidence: Self.leastConfidence)
    }
    return textBoxes(
      of: try ShippedDetector.find(in: image, region: region, isFast: isFast),
      leastConfidence: isFast ? Self.leastFastConfidence : Self.leastConfidence)
  }

  private func textBoxes(
    of findings: [RecognizedObjectObservation], leastConfidence: Float
  ) -> [ImageRect] {
    findings.compactMap { finding in
      guard let label = finding.labels.first, label.identifier == "textLine",
        finding.topConfidence >= leastConfidence
      else { return nil }
      return pixels(of: finding.boundingBox)
    }
  }

  /// Parts of the picture that overlap; none of a picture that is hardly larger than one.
  private func tiles(scale: Double) -> [NormalizedRect] {
    let side = scale * max(Self.leastTile, Double(max(width, height)) / Self.tilesPerSide)
    func places(_ length: Int) -> [(from: Double, size: Double)] {
      let length = Double(length)
      if length < 1.2 * side { return [(0, 1)] }
      let count = ((length - side) / (side * (1 - Self.overlap))).rounded(.up) + 1
      let step = (length - side) / (count - 1)
      return (0..<Int(count)).map { (Double($0) * step / length, side / length) }
    }
    let (columns, rows) = (places(width), places(height))
    if columns.count * rows.count == 1 { return [] }
    return rows.flatMap { row in
      columns.map { NormalizedRect(x: $0.from, y: row.from, width: $0.size, height: row.size) }
    }
  }
}
