// Fovea - where tracked objects have been in the last seconds.
// SPDX-License-Identifier: Apache-2.0
internal import Fovea
internal import FoveaGeometry
internal import FoveaTracking
internal import FoveaVideo

/// The ways of tracked objects in the last seconds, to be drawn. A way leads through the point of
/// the box that is counted, so that it can be seen crossing a line.
struct TrackTrails {
  /// How long a place is shown, in seconds.
  private static let seconds = 2.0
  /// As many places of one object are kept, whatever the frame rate.
  private static let most = 128

  /// A place in fractions of the upright picture, from its upper left.
  private struct Place {
    var x, y, time: Double
  }

  private var places: [Int: [Place]] = [:]
  private var now = 0.0

  /// Takes in where objects are. Those that are gone are forgotten.
  mutating func update(_ tracking: WatchTracking, seconds: Double) {
    now = seconds
    let tracks = tracking.tracks
    var kept: [Int: [Place]] = [:]
    for track in tracks {
      var way = places.removeValue(forKey: track.identifier) ?? []
      let box = track.boundingBox
      let feet = tracking.anchor == .feet ? track.observation?.feet : nil
      let height = tracking.anchor == .center ? box.height / 2 : 0
      way.append(
        Place(
          x: feet?.x ?? box.x + box.width / 2, y: 1 - (feet?.y ?? box.y + height), time: seconds))
      way.removeAll { seconds - $0.time > Self.seconds }
      if way.count > Self.most { way.removeFirst(way.count - Self.most) }
      kept[track.identifier] = way
    }
    places = kept
  }

  /// The ways, thinner where they are older.
  func elements(on canvas: DrawingCanvas, _ style: DrawingStyle) -> [DrawingElement] {
    var casings: [DrawingElement] = []
    var lines: [DrawingElement] = []
    for (identifier, way) in places.sorted(by: { $0.key < $1.key }) {
      let color = DrawingColor(label: "", classIndex: identifier - 1)
      for (from, to) in zip(way, way.dropFirst()) {
        let freshness = 1 - min(max((now - to.time) / Self.seconds, 0), 1)
        let width = style.lineWidth * (0.4 + 0.6 * freshness)
        // Casings below all lines: else each piece would cut the one before it.
        for (index, stroke) in style.strokes(color, width: width).enumerated() {
          let line = DrawingElement.line(
            LineElement(
              start: canvas.point(from.x, from.y), end: canvas.point(to.x, to.y),
              strokes: [stroke]))
          if index == 0, style.casingWidth > 0 { casings.append(line) } else { lines.append(line) }
        }
      }
    }
    return casings + lines
  }
}

extension DrawingCanvas {
  /// The place of a point in fractions of the image, from its upper left.
  func point(_ x: Double, _ y: Double) -> ImagePoint {
    ImagePoint(
      x: image.x + x * image.width, y: image.y + y * image.height, origin: .upperLeft)
  }
}
