// Fovea - tests of counting at lines and in zones, against answers worked out by hand.
// SPDX-License-Identifier: Apache-2.0
import FoveaTestSupport
import FoveaTracking
import Testing

@Suite struct ObjectCounterTests {
  /// An object of 40 by 100 pixels whose lower edge has its middle at (`x`, `y`).
  private func object(
    _ x: Double, _ y: Double, identifier: Int = 1, label: Int = 0, isPredicted: Bool = false
  ) -> TrackedObject {
    TrackedObject(
      identifier: identifier, box: TrackingBox(x: x, y: y - 50, width: 40, height: 100), score: 0.9,
      label: label, detection: isPredicted ? nil : 0)
  }

  private func point(_ x: Double, _ y: Double) -> CountingPoint { CountingPoint(x: x, y: y) }

  /// From (0, 100) to (200, 100): its right side is below.
  private var line: CountingLine {
    CountingLine(name: "door", start: point(0, 100), end: point(200, 100))
  }

  /// From (100, 100) to (200, 200).
  private var square: CountingZone {
    CountingZone(
      name: "square",
      corners: [point(100, 100), point(200, 100), point(200, 200), point(100, 200)])
  }

  /// Feeds one object a frame at 25 frames a second; `nil` is a frame without it.
  private func count(
    _ places: [(Double, Double)?], lines: [CountingLine] = [], zones: [CountingZone] = [],
    options: CountingOptions = CountingOptions()
  ) -> (counter: ObjectCounter, events: [[CountingEvent.Kind]]) {
    var counter = ObjectCounter(lines: lines, zones: zones, options: options)
    let events = places.enumerated().map { frame, place in
      counter.update(place.map { [object($0.0, $0.1)] } ?? [], seconds: Double(frame) / 25)
      return counter.events.map(\.kind)
    }
    return (counter, events)
  }

  /// The steps from one number to another by tens.
  private func tens(_ first: Int, _ last: Int) -> [Double] {
    stride(from: first, through: last, by: first < last ? 10 : -10).map(Double.init)
  }

  // MARK: Lines

  @Test func directionsAreThoseOfTheLine() throws {
    let walk = (tens(55, 145) + tens(145, 55)).map { (100.0, $0) }
    let (counter, events) = count(walk, lines: [line])
    let tally = try #require(counter.lineTallies.first)
    #expect(tally.total.toRight == 1 && tally.total.toLeft == 1)
    // 95 to 105 is less than a fifth of 40 pixels away; 115 is not.
    #expect(events[5] == [] && events[6] == [.toRight])
    let turned = CountingLine(name: "turned", start: line.end, end: line.start)
    let down = count(tens(55, 145).map { (100.0, $0) }, lines: [turned]).counter
    #expect(down.lineTallies[0].total.toLeft == 1 && down.lineTallies[0].total.toRight == 0)
  }

  @Test func theCrossingIsWhereTheLineWasCrossed() throws {
    var counter = ObjectCounter(lines: [line])
    counter.update([object(40, 60, identifier: 7, label: 3)], seconds: 0)
    counter.update([object(80, 140, identifier: 7, label: 3)], seconds: 0.04)
    let event = try #require(counter.events.first)
    #expect(event.kind == .toRight && event.isOfLine && event.place == 0)
    #expect(event.identifier == 7 && event.label == 3)
    #expect(event.point == point(60, 100))
  }

  @Test func tremblingOnTheLineCountsOnce() {
    let arrival = tens(60, 100).map { (100.0, $0) }
    let trembling = (0..<50).map { (100.0, $0 % 2 == 0 ? 103.0 : 97.0) }
    let departure = tens(110, 150).map { (100.0, $0) }
    var options = CountingOptions()
    options.countsReturns = true
    let walk = arrival + trembling + departure
    let calm = count(walk, lines: [line], options: options).counter
    #expect(calm.lineTallies[0].total.toRight == 1 && calm.lineTallies[0].total.toLeft == 0)
    // Without hysteresis each of the 50 steps counts, which shows that they cross.
    options.hysteresis = 0
    let nervous = count(walk, lines: [line], options: options).counter
    #expect(nervous.lineTallies[0].total.toRight == 26)
    #expect(nervous.lineTallies[0].total.toLeft == 25)
  }

  @Test func whoTurnsBackOnTheLineHasNotCrossed() {
    let walk = (tens(55, 105) + tens(105, 55)).map { (100.0, $0) }
    #expect(count(walk, lines: [line]).counter.lineTallies[0].total == LineCounts())
  }

  @Test func onlyThePartBetweenTheEndsCounts() {
    // Down beside the end of the line, then up through it.
    let around =
      tens(55, 145).map { (250.0, $0) } + tens(240, 100).map { ($0, 145.0) }
      + tens(135, 55).map { (100.0, $0) }
    let counts = count(around, lines: [line]).counter.lineTallies[0].total
    #expect(counts.toLeft == 1 && counts.toRight == 0)
  }

  @Test func anIdentifierCountsOnceInEachDirection() {
    let walk = (0..<3).flatMap { _ in tens(55, 145) + tens(145, 55) }.map { (100.0, $0) }
    let once = count(walk, lines: [line]).counter.lineTallies[0].total
    #expect(once.toRight == 1 && once.toLeft == 1)
    var options = CountingOptions()
    options.countsReturns = true
    let all = count(walk, lines: [line], options: options).counter.lineTallies[0].total
    #expect(all.toRight == 3 && all.toLeft == 3)
  }

  @Test func aGapIsCrossedStraight() {
    let gap: [(Double, Double)?] = [(100, 60), (100, 70)] + Array(repeating: nil, count: 10)
    let counts = count(gap + [(100, 130)], lines: [line]).counter.lineTallies[0].total
    #expect(counts.toRight == 1)
    // After a second and a half it is somebody else's way.
    let long = gap + Array(repeating: nil, count: 30)
    let forgotten = count(long + [(100, 130)], lines: [line]).counter.lineTallies[0].total
    #expect(forgotten == LineCounts())
  }

  @Test func predictedBoxesCountNothing() {
    var counter = ObjectCounter(lines: [line], zones: [square])
    for frame in 0..<20 {
      let y = 55 + 10 * Double(frame)
      counter.update(
        [object(150, min(y, 145), isPredicted: frame > 2)], seconds: Double(frame) / 25)
    }
    #expect(counter.lineTallies[0].total == LineCounts())
    #expect(counter.zoneTallies[0].total == ZoneCounts())
  }

  @Test func anObjectOnTheLineHasNoSideYet() {
    let counts = count([(100, 100), (100, 100), (100, 140), (100, 60)], lines: [line])
    #expect(counts.events == [[], [], [], [.toLeft]])
  }

  // MARK: Zones

  @Test func whoComesAndGoesIsCounted() {
    // From the left through the square, and out on the right.
    let walk = tens(50, 250).map { ($0, 150.0) }
    let (counter, events) = count(walk, zones: [square])
    let counts = counter.zoneTallies[0].total
    #expect(counts.entered == 1 && counts.left == 1 && counts.present == 0)
    #expect(counts.appeared == 0 && counts.vanished == 0)
    // The left edge belongs to the square. 200 and 207 are no clear outside; 210 is.
    #expect(events.firstIndex(of: [.entered]) == 5)
    #expect(events.firstIndex(of: [.left]) == 16)
  }

  @Test func whoBeginsAndEndsInsideIsCountedApart() {
    var counter = ObjectCounter(lines: [], zones: [square])
    for frame in 0..<10 { counter.update([object(150, 150)], seconds: Double(frame) / 25) }
    var counts = counter.zoneTallies[0].total
    #expect(counts.appeared == 1 && counts.present == 1 && counts.entered == 0)
    // The tracker remembers objects for 1.2 seconds.
    counter.update([], seconds: 1.5)
    #expect(counter.zoneTallies[0].total.present == 1)
    counter.update([], seconds: 1.6)
    counts = counter.zoneTallies[0].total
    #expect(counts.vanished == 1 && counts.present == 0 && counts.left == 0)
    #expect(counter.events.map(\.kind) == [.vanished])
  }

  @Test func tremblingOnTheBorderCountsOnce() {
    let trembling = (0..<50).map { ($0 % 2 == 0 ? 97.0 : 103.0, 150.0) }
    var options = CountingOptions()
    options.countsReturns = true
    let counts = count(trembling, zones: [square], options: options).counter.zoneTallies[0].total
    #expect(counts.entered == 1 && counts.left == 0 && counts.present == 1)
  }

  @Test func anIdentifierEntersOnce() {
    let walk = (0..<3).flatMap { _ in tens(50, 150) + tens(150, 50) }.map { ($0, 150.0) }
    let counts = count(walk, zones: [square]).counter.zoneTallies[0].total
    #expect(counts.entered == 1 && counts.left == 1 && counts.present == 0)
    let inside = count(walk + [(150, 150)], zones: [square]).counter.zoneTallies[0].total
    #expect(inside.entered == 1 && inside.left == 1 && inside.present == 1)
  }

  @Test func theCenterMayStandForTheObject() {
    var options = CountingOptions()
    options.anchor = .center
    // The feet are inside, the center is not.
    #expect(count([(150, 140)], zones: [square]).counter.zoneTallies[0].total.present == 1)
    let center = count([(150, 140)], zones: [square], options: options).counter
    #expect(center.zoneTallies[0].total.present == 0)
  }

  /// The bottom of the box is outside, the ankles are inside; without ankles the bottom counts.
  @Test func feetStandForTheObject() {
    var options = CountingOptions()
    options.anchor = .feet
    var person = object(150, 210, identifier: 1, label: 0)
    var counter = ObjectCounter(lines: [], zones: [square], options: options)
    counter.update([person], seconds: 0)
    #expect(counter.zoneTallies[0].total.present == 0)
    (person.feet, person.identifier) = (CountingPoint(x: 150, y: 150), 2)
    counter.update([person], seconds: 0.1)
    #expect(counter.zoneTallies[0].total.present == 1)
  }

  @Test func labelsAreCountedApart() throws {
    var counter = ObjectCounter(lines: [line], zones: [square])
    for (frame, y) in tens(55, 145).enumerated() {
      counter.update(
        [
          object(50, y, identifier: 1, label: 2), object(150, y, identifier: 2, label: 0),
          object(180, y, identifier: 3, label: 2),
        ], seconds: Double(frame) / 25)
    }
    #expect(counter.lineTallies[0].byLabel.map(\.label) == [0, 2])
    #expect(counter.lineTallies[0].byLabel.map(\.counts.toRight) == [1, 2])
    let report = CountingReport(counter, labels: ["person", "dog"])
    #expect(report.lines[0].name == "door" && report.lines[0].total.toRight == 3)
    #expect(report.zones[0].byLabel["person"]?.present == 1)
    #expect(report.zones[0].byLabel["2"]?.entered == 1)
    counter.reset()
    #expect(counter.zoneTallies[0].total.vanished == 2 && counter.zoneTallies[0].total.present == 0)
    #expect(counter.lineTallies[0].total.toRight == 3)
  }

  // MARK: Independent answers

  /// Without hysteresis, crossings are pairs of segments that cross, and zones are polygons that
  /// contain a point. Whoever is inside has come and not gone.
  @Test(arguments: 1...8) func wanderersAreCountedAsTheirPathsSay(_ seed: UInt64) {
    var random = SplitMix(seed: seed)
    func number(_ bound: UInt64) -> Double { Double(random.next() % bound) }
    var options = CountingOptions()
    (options.hysteresis, options.countsReturns) = (0, true)
    let gate = CountingLine(name: "gate", start: point(60, 90), end: point(210, 160))
    var counter = ObjectCounter(lines: [gate], zones: [square], options: options)
    var places = (0..<6).map { _ in point(number(300) + 0.25, number(300) + 0.375) }
    var (expected, isFirst) = (LineCounts(), true)
    for frame in 0..<400 {
      // Half of them are seen in a frame, and nobody is away for longer than remembered.
      let seen = isFirst ? Array(0..<6) : (0..<6).filter { _ in random.next() % 2 == 0 }
      let objects = seen.map { index in
        let old = places[index]
        let new = isFirst ? old : point(number(300) + 0.25, number(300) + 0.375)
        places[index] = new
        if turns(gate.start, gate.end, old) != turns(gate.start, gate.end, new),
          turns(old, new, gate.start) != turns(old, new, gate.end)
        {
          let isRight = turns(gate.start, gate.end, new)
          if isRight { expected.toRight += 1 } else { expected.toLeft += 1 }
        }
        return object(new.x, new.y, identifier: index + 1, label: index % 2)
      }
      isFirst = false
      counter.update(objects, seconds: Double(frame) / 100)
      let counts = counter.zoneTallies[0].total
      #expect(
        counts.present == counts.entered + counts.appeared - counts.left - counts.vanished)
      #expect(counts.present == places.filter { square.contains($0) }.count)
      #expect(counts.present == counter.zoneTallies[0].byLabel.reduce(0) { $0 + $1.counts.present })
    }
    #expect(counter.lineTallies[0].total == expected)
    #expect(expected.toLeft + expected.toRight > 100)
  }

  /// Whether the way over three points turns to the right, where y points down.
  private func turns(_ a: CountingPoint, _ b: CountingPoint, _ c: CountingPoint) -> Bool {
    (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x) > 0
  }

  @Test func polygonsOfAnyShapeContainTheirPoints() {
    // A "U", open above, and a bow tie, which is crossed in its middle.
    let letter = CountingZone(
      name: "U",
      corners: [
        point(0, 0), point(10, 0), point(10, 30), point(20, 30), point(20, 0), point(30, 0),
        point(30, 40), point(0, 40),
      ])
    for (x, y, isInside) in [
      (5.0, 5.0, true), (15, 5, false), (25, 5, true), (15, 35, true), (15, 45, false),
      (-1, 20, false), (31, 20, false),
    ] { #expect(letter.contains(point(x, y)) == isInside, "\(x) \(y)") }
    let tie = CountingZone(
      name: "tie", corners: [point(0, 0), point(20, 20), point(20, 0), point(0, 20)])
    for (x, y, isInside) in [
      (2.0, 10.0, true), (18, 10, true), (10, 2, false), (10, 18, false),
    ] { #expect(tie.contains(point(x, y)) == isInside, "\(x) \(y)") }
  }

  @Test func neighborsShareNoPoint() {
    let left = CountingZone(
      name: "left", corners: [point(0, 0), point(10, 0), point(14, 10), point(0, 10)])
    let right = CountingZone(
      name: "right", corners: [point(20, 0), point(20, 10), point(14, 10), point(10, 0)])
    for x in 0..<20 {
      for y in 0..<10 {
        let place = point(Double(x), Double(y))
        #expect(left.contains(place) != right.contains(place), "\(x) \(y)")
      }
    }
  }

  @Test func nonsenseIsPassedOver() {
    var counter = ObjectCounter(lines: [line], zones: [square])
    let times = [0, .nan, -5, .infinity, -.infinity, 1e300, 3]
    for time in times {
      counter.update(
        [
          object(.nan, 100), object(150, .infinity, identifier: 2),
          object(150, 150, identifier: 3),
        ], seconds: time)
    }
    #expect(counter.zoneTallies[0].total.appeared == 1)
    #expect(counter.zoneTallies[0].total.present == 1)
  }
}
