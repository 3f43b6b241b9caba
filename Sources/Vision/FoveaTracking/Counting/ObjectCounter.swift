// Fovea - objects counted at lines and in zones.
// SPDX-License-Identifier: Apache-2.0

/// Counts tracked objects that cross lines, and that enter, leave and are in zones.
///
/// Only where objects were seen counts: predicted boxes change nothing. An object that is seen again
/// after a gap has gone straight. An object counts once in each number, however often it comes back,
/// unless `countsReturns`. Memory is kept from one frame to the next. A frame takes O(n p) steps for
/// n objects and p points of lines and zones.
package struct ObjectCounter: Sendable {
  /// The lines, in the order of `lineTallies`.
  package let lines: [CountingLine]
  /// The zones, in the order of `zoneTallies`.
  package let zones: [CountingZone]
  /// How objects are counted.
  package let options: CountingOptions

  /// What has been counted at each line.
  package private(set) var lineTallies: [Tally<LineCounts>]
  /// What has been counted in each zone.
  package private(set) var zoneTallies: [Tally<ZoneCounts>]
  /// What was counted in the last frame: object after object, lines before zones; then what has
  /// vanished.
  package private(set) var events: [CountingEvent] = []

  private var objects: [FollowedObject] = []
  /// For each object its states at all lines, and in all zones.
  private var passages: [Passage] = []
  private var visits: [Visit] = []
  private var lastTime = -Double.infinity

  /// An object that is seen or was seen a moment ago.
  private struct FollowedObject: Sendable {
    var identifier: Int
    var label: Int
    var point: CountingPoint
    var lastSeen: Double
  }

  /// Creates a counter that has seen nothing.
  package init(
    lines: [CountingLine], zones: [CountingZone] = [], options: CountingOptions = CountingOptions()
  ) {
    self.lines = lines
    self.zones = zones
    self.options = options
    lineTallies = lines.map { _ in Tally(zero: LineCounts()) }
    zoneTallies = zones.map { _ in Tally(zero: ZoneCounts()) }
  }

  /// Takes in the objects of a frame.
  ///
  /// - Parameters:
  ///   - tracked: The objects of a tracker; their identifiers are different.
  ///   - seconds: The time of the frame, as the tracker got it. A time that goes back counts as the
  ///     time of the frame before.
  package mutating func update(_ tracked: [TrackedObject], seconds: Double) {
    events.removeAll(keepingCapacity: true)
    if seconds.isFinite { lastTime = max(lastTime, seconds) }
    var next = 0
    for object in tracked where !object.isPredicted && object.box.isUsable {
      let index = place(of: object, from: next)
      next = index + 1
      follow(index, object)
    }
    forget(before: lastTime - options.memory - Self.roundingSeconds)
  }

  /// Forgets all objects, as `ObjectTracker.reset` does; counts go on.
  package mutating func reset() {
    events.removeAll(keepingCapacity: true)
    forget(before: .infinity)
    lastTime = -.infinity
  }

  /// Times of frames are sums and differences of numbers that are rounded.
  private static let roundingSeconds = 1e-6

  // MARK: Objects

  /// The place of an object among those that are followed. Trackers keep the order of objects, so it
  /// is seldom looked for elsewhere than at `first`.
  private mutating func place(of object: TrackedObject, from first: Int) -> Int {
    for index in first..<max(first, objects.count)
    where objects[index].identifier == object.identifier { return index }
    for index in 0..<min(first, objects.count)
    where objects[index].identifier == object.identifier { return index }
    begin(object)
    return objects.count - 1
  }

  private mutating func begin(_ object: TrackedObject) {
    let point = options.point(of: object)
    objects.append(
      FollowedObject(
        identifier: object.identifier, label: object.label, point: point, lastSeen: lastTime))
    for line in lines { passages.append(Passage(offset: line.offset(point))) }
    for place in zones.indices {
      let isInside = zones[place].contains(point)
      visits.append(Visit(isInside: isInside))
      if isInside { appear(objects.count - 1, zone: place) }
    }
  }

  private mutating func follow(_ index: Int, _ object: TrackedObject) {
    let point = options.point(of: object)
    let margin = options.hysteresis * min(object.box.width, object.box.height)
    for place in lines.indices {
      let slot = index * lines.count + place
      let isCrossed = passages[slot].move(
        from: objects[index].point, to: point, margin: margin, lines[place])
      if isCrossed { count(index, slot: slot, line: place) }
    }
    objects[index].point = point
    objects[index].lastSeen = lastTime
    for place in zones.indices {
      let slot = index * zones.count + place
      if visits[slot].move(to: point, margin: margin, zones[place]) {
        count(index, slot: slot, zone: place)
      }
    }
  }

  /// Forgets who was not seen since a time.
  private mutating func forget(before time: Double) {
    var kept = 0
    for index in objects.indices {
      if objects[index].lastSeen < time {
        vanish(index)
        continue
      }
      if kept != index {
        objects[kept] = objects[index]
        for place in lines.indices {
          passages[kept * lines.count + place] = passages[index * lines.count + place]
        }
        for place in zones.indices {
          visits[kept * zones.count + place] = visits[index * zones.count + place]
        }
      }
      kept += 1
    }
    let gone = objects.count - kept
    objects.removeLast(gone)
    passages.removeLast(gone * lines.count)
    visits.removeLast(gone * zones.count)
  }

  // MARK: Counting

  private mutating func count(_ index: Int, slot: Int, line place: Int) {
    let isToRight = passages[slot].side > 0
    let kind: CountingEvent.Kind = isToRight ? .toRight : .toLeft
    guard passages[slot].isNews(kind) || options.countsReturns else { return }
    lineTallies[place].change(objects[index].label) {
      if isToRight { $0.toRight += 1 } else { $0.toLeft += 1 }
    }
    report(kind, place, objects[index], at: passages[slot].crossing)
  }

  private mutating func count(_ index: Int, slot: Int, zone place: Int) {
    let isInside = visits[slot].isInside
    let kind: CountingEvent.Kind = isInside ? .entered : .left
    let isCounted = visits[slot].isNews(kind) || options.countsReturns
    zoneTallies[place].change(objects[index].label) {
      $0.present += isInside ? 1 : -1
      guard isCounted else { return }
      if isInside { $0.entered += 1 } else { $0.left += 1 }
    }
    if isCounted { report(kind, place, objects[index], at: objects[index].point) }
  }

  private mutating func appear(_ index: Int, zone place: Int) {
    zoneTallies[place].change(objects[index].label) {
      $0.appeared += 1
      $0.present += 1
    }
    report(.appeared, place, objects[index], at: objects[index].point)
  }

  private mutating func vanish(_ index: Int) {
    for place in zones.indices where visits[index * zones.count + place].isInside {
      zoneTallies[place].change(objects[index].label) {
        $0.vanished += 1
        $0.present -= 1
      }
      report(.vanished, place, objects[index], at: objects[index].point)
    }
  }

  private mutating func report(
    _ kind: CountingEvent.Kind, _ place: Int, _ object: FollowedObject, at point: CountingPoint
  ) {
    events.append(
      CountingEvent(
        kind: kind, place: place, identifier: object.identifier, label: object.label, point: point))
  }
}
