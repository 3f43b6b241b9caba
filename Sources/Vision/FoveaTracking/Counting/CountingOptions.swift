// Fovea - how objects are counted at lines and in zones.
// SPDX-License-Identifier: Apache-2.0

/// How objects are counted at lines and in zones.
package struct CountingOptions: Hashable, Sendable {
  /// The point of a box that stands for the object.
  package enum Anchor: String, CaseIterable, Sendable {
    /// The middle of the lower edge: where people stand and cars touch the road.
    case bottom
    /// The middle of the box, for cameras that look straight down.
    case center
    /// The middle between the ankles, where they are seen; else the middle of the lower edge, which
    /// lies elsewhere where the legs are hidden or a person lies.
    case feet
  }

  /// The point that stands for the object.
  package var anchor = Anchor.bottom
  /// How far beyond a line, or outside a zone that it was in, an object must be to count: a part of
  /// the shorter side of its box. Boxes that tremble on a line would count again and again.
  package var hysteresis = 0.2
  /// Whether an object counts each time that it comes or goes, and not only the first time.
  package var countsReturns = false
  /// For how many seconds an object that is not seen counts as present. It should be as long as the
  /// tracker remembers objects.
  package var memory = TrackingOptions().memory

  /// The default options.
  package init() {}

  func point(of object: TrackedObject) -> CountingPoint {
    let box = object.box
    let bottom = CountingPoint(x: box.x, y: box.y + box.height / 2)
    return switch anchor {
    case .bottom: bottom
    case .center: CountingPoint(x: box.x, y: box.y)
    case .feet: object.feet ?? bottom
    }
  }
}
