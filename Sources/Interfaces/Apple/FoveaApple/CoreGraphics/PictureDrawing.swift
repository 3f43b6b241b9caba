// Fovea - drawing a picture, mapped, on pixels in memory.
// SPDX-License-Identifier: Apache-2.0
internal import CFovea
package import Foundation
package import FoveaRuntime

/// A picture that can be drawn: its planes, and where its alpha lies.
package struct DrawnImage {
  package var planes: PixelPlanes
  /// The arrangement of interleaved samples; `nil` for planes of luma and chroma.
  package var arrangement: PixelArrangement?

  package init(planes: PixelPlanes, arrangement: PixelArrangement?) {
    (self.planes, self.arrangement) = (planes, arrangement)
  }

  var width: Int { Int(planes.image.width) }
  var height: Int { Int(planes.image.height) }
  var hasAlpha: Bool { arrangement?.alpha != nil }
}

/// How a picture is mixed where it is drawn in another size.
package struct ImageDrawingStyle {
  package var isNearest = false
  package var isSmooth = false
  package var alpha: CGFloat = 1
  package var replaces = false
  /// Whether the edge pixels go on for ever.
  package var isClamped = false

  package init() {}
}

extension PixelCanvas {
  /// Draws a picture.
  ///
  /// - Parameter map: From pixels of the picture to pixels of the canvas, both from the upper left.
  package func draw(
    _ picture: DrawnImage, _ map: CGAffineTransform, _ clip: PixelClip,
    _ style: ImageDrawingStyle
  ) {
    let whole = CGRect(x: 0, y: 0, width: picture.width, height: picture.height)
    var clip = clip
    if !style.isClamped { clip.intersect(whole.applying(map).insetBy(dx: -1, dy: -1)) }
    let determinant = map.a * map.d - map.b * map.c
    guard !clip.columns.isEmpty, !clip.rows.isEmpty, determinant != 0, determinant.isFinite else {
      return
    }
    if map.keepsAxes, !style.isNearest, !style.isClamped, !picture.hasAlpha, clip.mask == nil,
      style.alpha >= 1
    {
      clip.intersect(whole.applying(map))
      guard !clip.columns.isEmpty, !clip.rows.isEmpty else { return }
      return copy(picture, map, clip, style)
    }
    mix(picture, map, clip, style)
  }

  /// Pixels that replace what is there, by the core's sampler.
  private func copy(
    _ picture: DrawnImage, _ map: CGAffineTransform, _ clip: PixelClip,
    _ style: ImageDrawingStyle
  ) {
    let shown = CGAffineTransform(
      translationX: CGFloat(clip.columns.lowerBound), y: CGFloat(clip.rows.lowerBound)
    ).concatenating(map.inverted())
    guard
      let rgb = PixelResampler.rgb(
        picture.planes, shown, width: clip.columns.count, height: clip.rows.count,
        isSmooth: style.isSmooth)
    else { return }
    rgb.withUnsafeBufferPointer { rgb in
      guard let source = rgb.baseAddress else { return }
      for (index, row) in clip.rows.enumerated() {
        store(
          source + index * clip.columns.count * 3, count: clip.columns.count,
          x: clip.columns.lowerBound, y: row)
      }
    }
  }

  /// Pixels that are mixed with what is there.
  private func mix(
    _ picture: DrawnImage, _ map: CGAffineTransform, _ clip: PixelClip,
    _ style: ImageDrawingStyle
  ) {
    guard let arrangement = picture.arrangement else {
      // Luma and chroma become colors first.
      guard
        let rgb = PixelResampler.rgb(
          picture.planes, .identity, width: picture.width, height: picture.height)
      else { return }
      return rgb.withUnsafeBufferPointer { rgb in
        guard let base = rgb.baseAddress else { return }
        let image = PixelArrangement.rgb.image(
          at: base, count: rgb.count, width: picture.width, height: picture.height,
          rowBytes: picture.width * 3)
        mix(
          DrawnImage(planes: PixelPlanes(image), arrangement: .rgb), map, clip, style)
      }
    }
    let sampler = ImageSampler(
      data: picture.planes.image.data, width: picture.width, height: picture.height,
      rowBytes: Int(picture.planes.image.row_bytes), arrangement: arrangement,
      isNearest: style.isNearest, isClamped: style.isClamped)
    let inverse = map.inverted()
    for row in clip.rows {
      for column in clip.columns {
        let point = CGPoint(x: CGFloat(column) + 0.5, y: CGFloat(row) + 0.5).applying(inverse)
        guard let color = sampler.color(at: point) else { continue }
        let coverage = Float(style.alpha) * (clip.mask?[row * width + column] ?? 1)
        paint(color, coverage: coverage, x: column, y: row, replaces: style.replaces)
      }
    }
  }
}

/// Colors between the pixels of a picture.
private struct ImageSampler {
  let data: UnsafePointer<UInt8>
  let width, height, rowBytes: Int
  let arrangement: PixelArrangement
  let isNearest, isClamped: Bool

  func color(at point: CGPoint) -> PaintedColor? {
    guard point.x.isFinite, point.y.isFinite, abs(point.x) < 1e9, abs(point.y) < 1e9 else {
      return nil
    }
    let isInside =
      point.x > -1e-6 && point.y > -1e-6 && point.x < CGFloat(width) + 1e-6
      && point.y < CGFloat(height) + 1e-6
    guard isInside || isClamped else { return nil }
    if isNearest { return pixel(Int(point.x.rounded(.down)), Int(point.y.rounded(.down))) }
    let (x, y) = (point.x - 0.5, point.y - 0.5)
    let (left, top) = (Int(x.rounded(.down)), Int(y.rounded(.down)))
    let (u, v) = (Float(x - CGFloat(left)), Float(y - CGFloat(top)))
    func mix(_ a: PaintedColor, _ b: PaintedColor, _ t: Float) -> PaintedColor {
      PaintedColor(
        red: a.red + (b.red - a.red) * t, green: a.green + (b.green - a.green) * t,
        blue: a.blue + (b.blue - a.blue) * t, alpha: a.alpha + (b.alpha - a.alpha) * t)
    }
    return mix(
      mix(pixel(left, top), pixel(left + 1, top), u),
      mix(pixel(left, top + 1), pixel(left + 1, top + 1), u), v)
  }

  private func pixel(_ x: Int, _ y: Int) -> PaintedColor {
    let (x, y) = (min(max(0, x), width - 1), min(max(0, y), height - 1))
    let pixel = data + y * rowBytes + x * arrangement.bytesPerPixel
    let alpha = arrangement.alpha.map { Float(pixel[$0]) / 255 } ?? 1
    let share = (arrangement.isPremultiplied ? 1 : alpha) / 255
    return PaintedColor(
      red: Float(pixel[arrangement.red]) * share, green: Float(pixel[arrangement.green]) * share,
      blue: Float(pixel[arrangement.blue]) * share, alpha: alpha)
  }
}
