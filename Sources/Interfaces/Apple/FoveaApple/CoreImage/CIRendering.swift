// Fovea - following the recipes of pictures.
// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import FoveaRuntime

extension PixelCanvas {
  /// Draws a picture.
  ///
  /// - Parameters:
  ///   - map: From the picture's coordinates to pixels of the canvas, which count from the upper left.
  ///   - clip: The pixels that may change.
  func render(
    _ image: CIImage, _ map: CGAffineTransform, _ clip: PixelClip,
    _ style: ImageDrawingStyle = ImageDrawingStyle()
  ) {
    var clip = clip
    switch image.recipe {
    case .nothing: return
    case .image(let picture):
      picture.withPlanes { planes in
        draw(
          DrawnImage(planes: planes, arrangement: picture.arrangement),
          Self.fromTop(picture.height, map), clip, style)
      }
    case .buffer(let buffer):
      guard let planes = buffer.pixelPlanes else { return }
      draw(
        DrawnImage(planes: planes, arrangement: buffer.arrangement),
        Self.fromTop(buffer.height, map), clip, style)
      withExtendedLifetime(buffer) {}
    case .color(let color): fill(color, clip)
    case .transformed(let inner, let transform):
      render(inner, transform.concatenating(map), clip, style)
    case .cropped(let inner):
      clip.limit(to: image.extent, map, width: width, height: height)
      render(inner, map, clip, style)
    case .sampled(let inner, let isNearest):
      var style = style
      style.isNearest = isNearest
      render(inner, map, clip, style)
    case .averaged(let inner):
      var style = style
      style.isSmooth = true
      render(inner, map, clip, style)
    case .recolored(let inner, let controls): renderRecolored(inner, controls, map, clip, style)
    case .composited(let top, let bottom):
      render(bottom, map, clip, style)
      render(top, map, clip, style)
    case .clamped(let inner): renderClamped(inner, map, clip, style)
    }
  }

  /// A picture whose edge goes on for ever: it is drawn by itself first.
  private func renderClamped(
    _ inner: CIImage, _ map: CGAffineTransform, _ clip: PixelClip, _ style: ImageDrawingStyle
  ) {
    guard !inner.extent.isInfinite else { return render(inner, map, clip, style) }
    guard let flat = CIContext().createCGImage(inner, from: inner.extent) else { return }
    var style = style
    style.isClamped = true
    let place = CGAffineTransform(translationX: inner.extent.minX, y: inner.extent.minY)
    flat.withPlanes { planes in
      draw(
        DrawnImage(planes: planes, arrangement: flat.arrangement),
        Self.fromTop(flat.height, place.concatenating(map)), clip, style)
    }
  }

  /// A picture with other colors: it is drawn by itself first.
  private func renderRecolored(
    _ inner: CIImage, _ controls: ColorControls, _ map: CGAffineTransform, _ clip: PixelClip,
    _ style: ImageDrawingStyle
  ) {
    let canvasRect = CGRect(x: 0, y: 0, width: width, height: height)
    // Neighbors of the visible pixels are mixed with them.
    let visible = canvasRect.applying(map.inverted()).insetBy(dx: -2, dy: -2).integral
    let area =
      inner.extent.isInfinite ? visible : inner.extent.integral.intersection(visible)
    guard !area.isNull, !area.isEmpty,
      let flat = CGContext(
        data: nil, width: Int(area.width), height: Int(area.height), bitsPerComponent: 8,
        bytesPerRow: 0, space: .deviceRGB,
        bitmapInfo: CGImageAlphaInfo.premultipliedLast.rawValue)
    else { return }
    flat.canvas.render(
      inner, CGAffineTransform(1, 0, 0, -1, -area.minX, area.maxY),
      PixelClip(columns: 0..<flat.width, rows: 0..<flat.height))
    controls.change(flat.canvas)
    guard let changed = flat.makeImage() else { return }
    let place = CGAffineTransform(translationX: area.minX, y: area.minY)
    changed.withPlanes { planes in
      draw(
        DrawnImage(planes: planes, arrangement: changed.arrangement),
        Self.fromTop(changed.height, place.concatenating(map)), clip, style)
    }
  }

  private func fill(_ color: CGColor, _ clip: PixelClip) {
    let paint = PaintedColor(color)
    for row in clip.rows {
      for column in clip.columns {
        let share = clip.mask?[row * width + column] ?? 1
        self.paint(paint, coverage: share, x: column, y: row, replaces: false)
      }
    }
  }

  private static func fromTop(_ height: Int, _ map: CGAffineTransform) -> CGAffineTransform {
    CGAffineTransform(1, 0, 0, -1, 0, CGFloat(height)).concatenating(map)
  }
}

extension PixelClip {
  /// Keeps what lies in a rectangle of a picture.
  mutating func limit(to rect: CGRect, _ map: CGAffineTransform, width: Int, height: Int) {
    guard !rect.isInfinite else { return }
    if map.keepsAxes { return intersect(rect.applying(map)) }
    var inside = [Float](repeating: 0, count: width * height)
    let polygon = rect.corners.map { $0.applying(map) }
    PathCoverage([polygon], isEvenOdd: false).forEachRow(columns: columns, rows: rows) {
      row, values in
      for (index, value) in values.enumerated() {
        let place = row * width + columns.lowerBound + index
        inside[place] = min(1, value) * (mask?[place] ?? 1)
      }
    }
    mask = inside
  }
}
