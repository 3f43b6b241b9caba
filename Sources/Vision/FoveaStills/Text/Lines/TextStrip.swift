// Fovea - a line of text, cut out, level and upright.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaGeometry

/// A line of text, cut out of its picture: level, upright, dark on light, with even paper.
package struct TextStrip: Sendable {
  /// Where the line lies in the picture.
  package let line: TextLine
  /// The pixels.
  package let pixels: GrayImage
  private let toPicture: PerspectiveMap

  /// Cuts a line out so that its small letters are `xHeight` pixels high, with a margin of a quarter
  /// of its height; at most four times as large as in the picture.
  ///
  /// - Returns: `nil` for a line that is too long, too high, or seen from behind.
  package init?(_ line: TextLine, of picture: StillPicture, xHeight: Double) {
    let share = max(line.xHeightShare, 0.4)
    let height = min(xHeight / share, 4 * line.quad.meanHeight)
    self.init(line, of: picture, height: height, margin: 0.25)
  }

  /// Cuts a line out so that its ink is `height` pixels high.
  ///
  /// - Parameters:
  ///   - margin: Around the ink, in heights.
  ///   - stretch: What the width is multiplied by.
  package init?(
    _ line: TextLine, of picture: StillPicture, height: Double, margin: Double,
    stretch: Double = 1
  ) {
    let width = line.quad.meanWidth * height / max(line.quad.meanHeight, 1e-3) * stretch
    let (columns, rows) = (Int(width.rounded(.up)), Int(height.rounded()))
    let pad = Int(height * margin)
    guard columns >= 1, rows >= 1, columns <= 12_000, rows <= 400,
      let inner = PerspectiveMap(
        rectangle: Double(columns), Double(rows), to: line.quad.corners)
    else { return nil }
    let (left, right) = (Double(-pad), Double(columns + pad))
    let (top, bottom) = (Double(-pad), Double(rows + pad))
    let outer = PixelQuad(
      inner(SIMD2(left, top)), inner(SIMD2(right, top)), inner(SIMD2(right, bottom)),
      inner(SIMD2(left, bottom)))
    let size = (columns + 2 * pad, rows + 2 * pad)
    guard
      let map = PerspectiveMap(
        rectangle: Double(size.0), Double(size.1), to: outer.corners),
      let pixels = picture.rectifiedGray(outer, width: size.0, height: size.1)
    else { return nil }
    self.line = line
    self.pixels = (line.isLight ? pixels.inverted : pixels).withEvenPaper
    toPicture = map
  }

  /// An upright box of the strip, in pixels of the picture.
  package func quad(left: Double, top: Double, right: Double, bottom: Double) -> PixelQuad {
    PixelQuad(
      toPicture(SIMD2(left, top)), toPicture(SIMD2(right, top)), toPicture(SIMD2(right, bottom)),
      toPicture(SIMD2(left, bottom)))
  }
}

extension GrayImage {
  /// Dark letters on paper of the level 235, whatever light falls on it.
  ///
  /// Paper and ink are measured in parts of the strip that overlap by half, and are interpolated.
  fileprivate var withEvenPaper: GrayImage {
    let parts = max(1, Int((Double(width) / (1.5 * Double(height))).rounded()))
    let all = levels(from: 0, to: width)
    let leastContrast = max(8, 0.35 * (all.paper - all.ink))
    let measured = (0..<parts).map { part in
      let share = Double(width) / Double(parts)
      let from = max(0, Int((Double(part) - 0.25) * share))
      let to = min(width, max(from + 1, Int((Double(part) + 1.25) * share)))
      return levels(from: from, to: to)
    }
    let curves: [(paper: Float, scale: Float)] = (0..<width).map { column in
      let place = (Double(column) + 0.5) * Double(parts) / Double(width) - 0.5
      let part = min(max(0, Int(place.rounded(.down))), parts - 1)
      let (a, b) = (measured[part], measured[min(part + 1, parts - 1)])
      let t = min(max(place - Double(part), 0), 1)
      let paper = a.paper + t * (b.paper - a.paper)
      let contrast = max((1 - t) * (a.paper - a.ink) + t * (b.paper - b.ink), leastContrast)
      return (Float(paper), Float(220 / contrast))
    }
    let result = [UInt8](unsafeUninitializedCapacity: pixels.count) { target, count in
      for index in 0..<pixels.count {
        let (paper, scale) = curves[index % width]
        let level = 235 - (paper - Float(pixels[index])) * scale
        target.initializeElement(at: index, to: UInt8(min(max(level, 0), 255)))
      }
      count = pixels.count
    }
    return GrayImage(width: width, height: height, pixels: result)
  }

  /// The levels of ink and paper in some columns: a few pixels are darker, some are lighter.
  private func levels(from: Int, to: Int) -> (ink: Double, paper: Double) {
    var counts = [Int](repeating: 0, count: 256)
    for row in 0..<height {
      for column in from..<to { counts[Int(pixels[row * width + column])] += 1 }
    }
    let total = height * (to - from)
    func level(at share: Double) -> Double {
      var left = Int(share * Double(total))
      for level in 0..<256 {
        left -= counts[level]
        if left < 0 { return Double(level) }
      }
      return 255
    }
    return (level(at: 0.03), level(at: 0.8))
  }
}
