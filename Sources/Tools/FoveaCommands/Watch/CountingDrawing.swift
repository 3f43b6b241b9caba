// Fovea - lines and zones with their counts, drawn.
// SPDX-License-Identifier: Apache-2.0
internal import Fovea
internal import FoveaGeometry
internal import FoveaTracking

/// Lines and zones with their counts, drawn.
struct CountingDrawing {
  private static let lineColor = DrawingColor.white
  private static let zoneColor = DrawingColor(red: 255, green: 210, blue: 0)

  /// The lines and the edges of zones.
  private(set) var shapes: [DrawingElement] = []
  private var texts: [(text: String, center: ImagePoint, color: DrawingColor)] = []
  private let canvas: DrawingCanvas
  private let style: DrawingStyle

  /// - Parameter canvas: What is drawn on. Lines and zones are in pixels of the first picture, which
  ///   shows the same view.
  init(_ tracking: WatchTracking, _ canvas: DrawingCanvas, _ style: DrawingStyle) {
    self.canvas = canvas
    self.style = style
    guard let counter = tracking.counter, let size = tracking.size else { return }
    func place(_ point: CountingPoint) -> ImagePoint {
      canvas.point(point.x / Double(size.width), point.y / Double(size.height))
    }
    for (line, tally) in zip(counter.lines, counter.lineTallies) {
      let (start, end) = (place(line.start), place(line.end))
      add(from: start, to: end, Self.lineColor)
      let middle = ImagePoint(
        x: (start.x + end.x) / 2, y: (start.y + end.y) / 2, origin: .upperLeft)
      let total = tally.total
      texts.append(
        (
          "\(line.name): \(total.toLeft) left, \(total.toRight) right", middle, Self.lineColor
        ))
    }
    for (zone, tally) in zip(counter.zones, counter.zoneTallies) {
      let corners = zone.corners.map(place)
      var last = corners[corners.count - 1]
      for corner in corners {
        add(from: last, to: corner, Self.zoneColor)
        last = corner
      }
      let total = tally.total
      // The highest corner: below it lies the zone, whose middle should stay visible.
      let top = corners.min { ($0.y, $0.x) < ($1.y, $1.x) } ?? last
      texts.append(
        (
          "\(zone.name): \(total.present) inside, \(total.entered) entered, \(total.left) left",
          top, Self.zoneColor
        ))
    }
  }

  private mutating func add(from start: ImagePoint, to end: ImagePoint, _ color: DrawingColor) {
    let strokes = style.strokes(color, width: style.lineWidth)
    shapes.append(.line(LineElement(start: start, end: end, strokes: strokes)))
  }

  /// The counts.
  ///
  /// - Parameter measureText: The width of a line of bold text at a font size.
  func plates(measureText: (String, Double) -> Double) -> [DrawingElement] {
    texts.compactMap { text in
      PlateElement(
        text.text, centeredAt: text.center, color: text.color, on: canvas, style: style,
        measureText: measureText
      ).map { .plate($0) }
    }
  }
}
