// Fovea - shapes and pictures drawn on pixels in memory.
// SPDX-License-Identifier: Apache-2.0
public import Foundation

extension CGContext {
  public func fill(_ rect: CGRect) { fill(CGPath(rect: rect, transform: nil), isEvenOdd: false) }

  public func fill(_ rects: [CGRect]) { for rect in rects { fill(rect) } }

  public func fillEllipse(in rect: CGRect) {
    fill(CGPath(ellipseIn: rect, transform: nil), isEvenOdd: false)
  }

  public func stroke(_ rect: CGRect) { stroke(CGPath(rect: rect, transform: nil)) }

  public func stroke(_ rect: CGRect, width: CGFloat) {
    let old = state.line.width
    state.line.width = width
    stroke(rect)
    state.line.width = old
  }

  public func strokeEllipse(in rect: CGRect) { stroke(CGPath(ellipseIn: rect, transform: nil)) }

  /// Makes pixels transparent, or black where there is no alpha.
  public func clear(_ rect: CGRect) {
    let polygons = CGPath(rect: rect, transform: nil).polygons(pixelMap).map(\.points)
    paint(polygons, isEvenOdd: false, .clear, .copy)
  }

  // MARK: Clipping

  public func clip(to rect: CGRect) {
    if state.ctm.keepsAxes { return state.clip.intersect(rect.applying(pixelMap)) }
    clip(to: CGPath(rect: rect, transform: nil), isEvenOdd: false)
  }

  /// Limits drawing to the current path, and begins another.
  public func clip(using rule: CGPathFillRule = .winding) {
    clip(to: currentPath, isEvenOdd: rule == .evenOdd)
    beginPath()
  }

  public func resetClip() {
    state.clip = PixelClip(columns: 0..<width, rows: 0..<height)
  }

  public var boundingBoxOfClipPath: CGRect {
    CGRect(
      x: state.clip.columns.lowerBound, y: state.clip.rows.lowerBound,
      width: state.clip.columns.count, height: state.clip.rows.count
    ).applying(pixelMap.inverted())
  }

  private func clip(to path: CGPath, isEvenOdd: Bool) {
    var mask = [Float](repeating: 0, count: width * height)
    let old = state.clip
    let coverage = PathCoverage(path.polygons(pixelMap).map(\.points), isEvenOdd: isEvenOdd)
    coverage.forEachRow(columns: old.columns, rows: old.rows) { row, values in
      for (index, value) in values.enumerated() where value > 0 {
        let place = row * width + old.columns.lowerBound + index
        mask[place] = min(1, value) * (old.mask?[place] ?? 1)
      }
    }
    state.clip.mask = mask
  }

  // MARK: Pictures

  /// Draws a picture into a rectangle, its lowest row at the rectangle's least y.
  public func draw(_ image: CGImage, in rect: CGRect) {
    guard !rect.isNull, !rect.isInfinite else { return }
    let toUser = CGAffineTransform(
      rect.width / CGFloat(image.width), 0, 0, -rect.height / CGFloat(image.height), rect.minX,
      rect.maxY)
    var style = ImageDrawingStyle()
    style.alpha = state.alpha
    style.replaces = state.blend == .copy
    style.isNearest = state.interpolation == .none
    style.isSmooth = state.interpolation != .low
    image.withPlanes { planes in
      target.draw(
        DrawnImage(planes: planes, arrangement: image.arrangement),
        toUser.concatenating(pixelMap), state.clip, style)
    }
  }

  // MARK: Shapes

  func fill(_ path: CGPath, isEvenOdd: Bool) {
    paint(
      path.polygons(pixelMap).map(\.points), isEvenOdd: isEvenOdd, state.fill, state.blend)
  }

  func stroke(_ path: CGPath) {
    // Lines have their width in the user's units, and so the outline is made there.
    var line = state.line
    let scale = sqrt(abs(state.ctm.a * state.ctm.d - state.ctm.b * state.ctm.c))
    guard scale > 0, scale.isFinite else { return }
    let zoom = CGAffineTransform(scaleX: scale, y: scale)
    line.width *= scale
    line.dashes = line.dashes.map { $0 * scale }
    line.phase *= scale
    // Curves are cut finely enough for the pixels.
    let outline = line.outline(of: path.polygons(zoom))
    let map = zoom.inverted().concatenating(pixelMap)
    paint(
      outline.map { $0.map { $0.applying(map) } }, isEvenOdd: false,
      state.stroke, state.blend)
  }

  private func paint(
    _ polygons: [[CGPoint]], isEvenOdd: Bool, _ color: CGColor, _ blend: CGBlendMode
  ) {
    let paint = PaintedColor(blend == .clear ? .clear : color, alpha: state.alpha)
    let clip = state.clip
    let replaces = blend != .normal
    let target = target
    let coverage = PathCoverage(polygons, isEvenOdd: isEvenOdd)
    coverage.forEachRow(columns: clip.columns, rows: clip.rows) { row, values in
      for (index, value) in values.enumerated() where value > 0 {
        let column = clip.columns.lowerBound + index
        var share = state.antialiases ? value : (value >= 0.5 ? 1 : 0)
        if let mask = clip.mask { share *= mask[row * width + column] }
        if share > 0 { target.paint(paint, coverage: share, x: column, y: row, replaces: replaces) }
      }
    }
  }
}
