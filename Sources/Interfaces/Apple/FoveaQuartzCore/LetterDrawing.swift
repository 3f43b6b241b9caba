// Fovea - lines of letters on pixels.
// SPDX-License-Identifier: Apache-2.0
package import FoveaApple
package import Foundation
internal import FoveaDrawing

/// How lines of letters are drawn.
package struct LetterDrawing {
  /// The height of the font in the user's units.
  package var size: CGFloat
  package var isBold: Bool
  package var color: CGColor
  /// The share of the free width that stands left of a line.
  package var alignment: CGFloat = 0
  package var isWrapped = false
  package var truncates = false
  /// Whether y grows upward where the letters stand.
  package var isUpward = false

  package init(size: CGFloat, isBold: Bool, color: CGColor) {
    (self.size, self.isBold, self.color) = (size, isBold, color)
  }

  /// The distance from line to line.
  package var lineHeight: CGFloat { size * 1.17 }

  /// The size that lines take, at most `width` wide where they are wrapped.
  package func size(of text: String, width: CGFloat = .greatestFiniteMagnitude) -> CGSize {
    let lines = lines(of: text, width)
    return CGSize(
      width: lines.map { self.width(of: $0) }.max() ?? 0,
      height: CGFloat(lines.count) * lineHeight)
  }

  private func width(of line: String) -> CGFloat {
    CGFloat((try? TextCoverage.width(of: line, fontSize: Double(size), isBold: isBold)) ?? 0)
  }

  /// Draws lines from the top of a rectangle on. Nothing is drawn where cairo is missing.
  package func draw(_ text: String, in rect: CGRect, _ context: CGContext) {
    guard size > 0, !text.isEmpty else { return }
    for (index, line) in lines(of: text, rect.width).enumerated() {
      let free = rect.width - width(of: line)
      let x = rect.minX + alignment * free
      let offset = CGFloat(index) * lineHeight
      let y = isUpward ? rect.maxY - offset : rect.minY + offset
      draw(line: line, from: CGPoint(x: x, y: y), context)
    }
  }

  /// Draws a line whose upper left corner is a point.
  private func draw(line: String, from corner: CGPoint, _ context: CGContext) {
    // Letters are drawn in the size of the pixels.
    let map = context.ctm
    let scale = abs(map.a * map.d - map.b * map.c).squareRoot()
    guard scale > 0, scale.isFinite,
      let letters = try? TextCoverage(
        line, fontSize: Double(size * scale), isBold: isBold),
      let image = picture(of: letters)
    else { return }
    var place = CGRect(
      x: corner.x - 1 / scale, y: corner.y, width: CGFloat(letters.width) / scale,
      height: CGFloat(letters.height) / scale)
    if isUpward { place.origin.y -= place.height }
    if context.keepsAxes {
      // Where a pixel of letters is one of the context, none is blurred.
      let pixels = place.applying(context.mapToPixels)
      place = CGRect(
        x: pixels.minX.rounded(), y: pixels.minY.rounded(), width: pixels.width.rounded(),
        height: pixels.height.rounded()
      ).applying(context.mapToPixels.inverted())
    }
    context.saveGState()
    if !isUpward {
      context.translateBy(x: 0, y: place.minY + place.maxY)
      context.scaleBy(x: 1, y: -1)
    }
    context.draw(image, in: place)
    context.restoreGState()
  }

  private func picture(of letters: TextCoverage) -> CGImage? {
    let (red, green, blue, alpha) = color.rgba
    var bytes = Data(count: letters.bytes.count * 4)
    for (place, coverage) in letters.bytes.enumerated() where coverage > 0 {
      let share = Double(coverage) * alpha
      bytes[4 * place] = UInt8(red * share + 0.5)
      bytes[4 * place + 1] = UInt8(green * share + 0.5)
      bytes[4 * place + 2] = UInt8(blue * share + 0.5)
      bytes[4 * place + 3] = UInt8(share + 0.5)
    }
    return CGDataProvider(data: bytes as NSData).flatMap { provider in
      CGImage(
        width: letters.width, height: letters.height, bitsPerComponent: 8, bitsPerPixel: 32,
        bytesPerRow: letters.width * 4, space: CGColorSpaceCreateDeviceRGB(),
        bitmapInfo: CGBitmapInfo(rawValue: CGImageAlphaInfo.premultipliedLast.rawValue),
        provider: provider, decode: nil, shouldInterpolate: true, intent: .defaultIntent)
    }
  }

  // MARK: Lines

  private func lines(of text: String, _ width: CGFloat) -> [String] {
    let stated = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    if isWrapped { return stated.flatMap { wrapped($0, width) } }
    return truncates ? stated.map { truncated($0, width) } : stated
  }

  private func wrapped(_ line: String, _ width: CGFloat) -> [String] {
    var (lines, current): ([String], String) = ([], "")
    for word in line.split(separator: " ", omittingEmptySubsequences: false) {
      let longer = current.isEmpty ? String(word) : current + " " + word
      if !current.isEmpty, self.width(of: longer) > width {
        lines.append(current)
        current = String(word)
      } else {
        current = longer
      }
    }
    return lines + [current]
  }

  private func truncated(_ line: String, _ width: CGFloat) -> String {
    guard self.width(of: line) > width else { return line }
    var rest = line
    while !rest.isEmpty, self.width(of: rest + "…") > width { rest.removeLast() }
    return rest + "…"
  }
}
