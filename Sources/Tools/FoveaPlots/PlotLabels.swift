// Fovea - labels beside points that cover neither points nor each other.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaDrawing
internal import FoveaGeometry

/// Places labels beside marks.
enum PlotLabels {
  /// A mark that a label must not cover; its own label may be empty.
  struct Mark {
    var center: ImagePoint
    var label: String
  }

  private static let fontSize = 11.0
  /// Room around a label.
  private static let room = 1.5

  /// The labels, with lines to those that lie apart from their marks.
  ///
  /// Each takes the first place that is free, the nearest first; where there is none, the one that
  /// covers least.
  ///
  /// - Complexity: O(n²) in the number of marks.
  static func elements(_ marks: [Mark], in area: ImageRect) -> [PlotElement] {
    var taken = marks.map { ImageRect(around: $0.center, PlotMark.radius + room) }
    var (leaders, texts) = ([PlotElement](), [PlotElement]())
    for mark in marks where !mark.label.isEmpty {
      let (rect, isNear) = place(mark, taken, area)
      taken.append(rect)
      let middle = (rect.minX + rect.maxX) / 2
      texts.append(
        .text(
          PlotText(
            text: mark.label,
            anchor: ImagePoint(x: middle, y: rect.maxY - 0.3 * fontSize, origin: .upperLeft),
            alignment: .middle, fontSize: fontSize, paint: .ink)))
      guard !isNear else { continue }
      let end = ImagePoint(
        x: min(max(mark.center.x, rect.minX), rect.maxX),
        y: min(max(mark.center.y, rect.minY), rect.maxY), origin: .upperLeft)
      leaders.append(.line([mark.center, end], .muted, width: 0.75, dashes: []))
    }
    return leaders + texts
  }

  private static func place(
    _ mark: Mark, _ taken: [ImageRect], _ area: ImageRect
  ) -> (rect: ImageRect, isNear: Bool) {
    let width = PlotLayout.textWidth(mark.label, size: fontSize)
    let height = 1.25 * fontSize
    var best: (rect: ImageRect, isNear: Bool, cover: Double)?
    for ring in 0..<6 {
      let distance = PlotMark.radius + 3 + Double(ring) * 11
      for (x, y) in directions {
        let rect = ImageRect(
          x: mark.center.x + x * distance + (x - 1) / 2 * width,
          y: mark.center.y + y * distance + (y - 1) / 2 * height, width: width, height: height,
          origin: .upperLeft
        ).expanded(by: room)
        guard area.expanded(by: 2).contains(rect) else { continue }
        let cover = taken.reduce(0) { $0 + $1.commonArea(with: rect) }
        if cover == 0 { return (rect, ring == 0) }
        if cover < best?.cover ?? .infinity { best = (rect, ring == 0, cover) }
      }
    }
    guard let best else {
      return (ImageRect(around: mark.center, height / 2).moved(into: area), true)
    }
    return (best.rect, best.isNear)
  }

  /// Right, left, above, below, and between: signs of the axes, y downwards.
  private static let directions: [(Double, Double)] = [
    (1, 0), (-1, 0), (0, -1), (0, 1), (1, -1), (1, 1), (-1, -1), (-1, 1),
  ]
}

extension ImageRect {
  fileprivate init(around center: ImagePoint, _ radius: Double) {
    self.init(
      x: center.x - radius, y: center.y - radius, width: 2 * radius, height: 2 * radius,
      origin: .upperLeft)
  }

  fileprivate func contains(_ other: ImageRect) -> Bool {
    minX <= other.minX && minY <= other.minY && maxX >= other.maxX && maxY >= other.maxY
  }
}
