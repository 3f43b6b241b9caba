// Fovea - what is counted at lines and in zones.
// SPDX-License-Identifier: Apache-2.0

/// How many objects have crossed a line.
package struct LineCounts: Hashable, Sendable, Encodable {
  /// From the right side to the left one.
  package var toLeft = 0
  /// From the left side to the right one.
  package var toRight = 0

  /// Nothing has been counted.
  package init() {}
}

/// How many objects have come into a zone, are in it, and have gone.
package struct ZoneCounts: Hashable, Sendable, Encodable {
  /// Came in over the border.
  package var entered = 0
  /// Went out over the border.
  package var left = 0
  /// Were inside when they were first seen.
  package var appeared = 0
  /// Were inside when they were last seen, and are not remembered any more.
  package var vanished = 0
  /// Are inside now, or were when they were last seen.
  package var present = 0

  /// Nothing has been counted.
  package init() {}
}

/// Counts of all objects, and of those of each label.
package struct Tally<Counts: Hashable & Sendable>: Hashable, Sendable {
  /// The counts of one label.
  package struct Entry: Hashable, Sendable {
    /// The number of the label.
    package var label: Int
    /// Its counts.
    package var counts: Counts
  }

  /// Of all labels together.
  package private(set) var total: Counts
  /// Of the labels that have been met, in ascending order of their numbers.
  package private(set) var byLabel: [Entry] = []
  private let zero: Counts

  init(zero: Counts) {
    total = zero
    self.zero = zero
  }

  /// Changes the counts of a label and the total alike.
  mutating func change(_ label: Int, _ change: (inout Counts) -> Void) {
    change(&total)
    var place = 0
    while place < byLabel.count, byLabel[place].label < label { place += 1 }
    if place == byLabel.count || byLabel[place].label != label {
      byLabel.insert(Entry(label: label, counts: zero), at: place)
    }
    change(&byLabel[place].counts)
  }
}

/// Something that was counted in a frame.
package struct CountingEvent: Hashable, Sendable {
  /// What happened. The names are those of the counts.
  package enum Kind: String, CaseIterable, Sendable {
    /// A line was crossed.
    case toLeft, toRight
    /// A zone was entered or left, or an object began or ended inside.
    case entered, left, appeared, vanished
  }

  /// What happened.
  package var kind: Kind
  /// The place of the line among the lines, or of the zone among the zones.
  package var place: Int
  /// The identifier of the object.
  package var identifier: Int
  /// The number of its label.
  package var label: Int
  /// Where the line was crossed; for zones, where the object was.
  package var point: CountingPoint

  /// Whether `place` counts lines; else it counts zones.
  package var isOfLine: Bool { kind == .toLeft || kind == .toRight }
}
