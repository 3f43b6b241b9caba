// Fovea - where one object is: beside one line, inside or outside one zone.
// SPDX-License-Identifier: Apache-2.0

/// On which side of a line an object is.
struct Passage: Sendable {
  /// The side where it was last seen clearly: -1 on the left, 1 on the right, 0 if it has only been
  /// on the line itself.
  private(set) var side: Int8
  /// Where it last went from one side to the other.
  private(set) var crossing = CountingPoint(x: 0, y: 0)

  /// The side of its last place that was not on the line itself.
  private var nearSide: Int8
  /// Whether the last crossing lies between the ends of the line.
  private var isBetweenEnds = false
  private var counted = CountedKinds()

  /// An object is first seen, `offset` to the right of the line.
  init(offset: Double) {
    side = Self.side(of: offset)
    nearSide = side
  }

  private static func side(of offset: Double) -> Int8 { offset > 0 ? 1 : offset < 0 ? -1 : 0 }

  /// The object moves. Returns whether it has changed sides between the ends of the line, and is at
  /// least `margin` away from it.
  mutating func move(
    from old: CountingPoint, to new: CountingPoint, margin: Double, _ line: CountingLine
  ) -> Bool {
    let offset = line.offset(new)
    let reached = Self.side(of: offset)
    guard reached != 0 else { return false }
    if nearSide == 0 {
      (side, nearSide) = (reached, reached)
      return false
    }
    if reached != nearSide {
      // The old place is on the other side, or on the line.
      let oldOffset = line.offset(old)
      let share = oldOffset / (oldOffset - offset)
      crossing = CountingPoint(
        x: old.x + share * (new.x - old.x), y: old.y + share * (new.y - old.y))
      isBetweenEnds = line.spans(crossing)
      nearSide = reached
    }
    guard reached != side, offset.magnitude >= margin else { return false }
    side = reached
    return isBetweenEnds
  }

  /// Whether this kind of event happens for the first time.
  mutating func isNews(_ kind: CountingEvent.Kind) -> Bool { counted.insert(kind) }
}

/// Whether an object is inside a zone.
struct Visit: Sendable {
  private(set) var isInside: Bool
  private var counted = CountedKinds()

  init(isInside: Bool) { self.isInside = isInside }

  /// The object moves. Returns whether it has come in or gone out. Inside is inside, so that small
  /// zones work, too; outside is at least `margin` away from the border.
  mutating func move(to point: CountingPoint, margin: Double, _ zone: CountingZone) -> Bool {
    guard zone.contains(point) != isInside else { return false }
    if isInside, zone.distanceToBorder(point) < margin { return false }
    isInside.toggle()
    return true
  }

  /// Whether this kind of event happens for the first time.
  mutating func isNews(_ kind: CountingEvent.Kind) -> Bool { counted.insert(kind) }
}

/// Which of two opposite events have been counted.
private struct CountedKinds: Sendable {
  private var hasFirst = false
  private var hasSecond = false

  /// Remembers a kind; returns whether it is new.
  mutating func insert(_ kind: CountingEvent.Kind) -> Bool {
    let isFirst = kind == .toLeft || kind == .entered
    let isNew = isFirst ? !hasFirst : !hasSecond
    if isFirst { hasFirst = true } else { hasSecond = true }
    return isNew
  }
}
