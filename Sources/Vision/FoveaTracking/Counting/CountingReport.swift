// Fovea - counts with the names of lines, zones and labels, as JSON documents state them.
// SPDX-License-Identifier: Apache-2.0

/// What a counter has counted, by names. Encoded, it is an object with the members `lines` and
/// `zones`; names of numbers are those of `LineCounts` and `ZoneCounts`.
package struct CountingReport: Hashable, Sendable, Encodable {
  /// What has been counted at one line.
  package struct Line: Hashable, Sendable, Encodable {
    /// The name of the line.
    package var name: String
    /// The counts of all objects.
    package var total: LineCounts
    /// The counts of each label that was met.
    package var byLabel: [String: LineCounts]
  }

  /// What has been counted in one zone.
  package struct Zone: Hashable, Sendable, Encodable {
    /// The name of the zone.
    package var name: String
    /// The counts of all objects.
    package var total: ZoneCounts
    /// The counts of each label that was met.
    package var byLabel: [String: ZoneCounts]
  }

  /// The lines, in their order.
  package var lines: [Line]
  /// The zones, in their order.
  package var zones: [Zone]

  /// Reads what a counter has counted.
  ///
  /// - Parameter labels: The names of labels by their numbers, different from each other. Labels
  ///   without a name are called by their number.
  package init(_ counter: ObjectCounter, labels: [String] = []) {
    lines = zip(counter.lines, counter.lineTallies).map { line, tally in
      Line(name: line.name, total: tally.total, byLabel: Self.named(tally, labels))
    }
    zones = zip(counter.zones, counter.zoneTallies).map { zone, tally in
      Zone(name: zone.name, total: tally.total, byLabel: Self.named(tally, labels))
    }
  }

  private static func named<Counts>(
    _ tally: Tally<Counts>, _ labels: [String]
  ) -> [String: Counts] {
    var named: [String: Counts] = [:]
    for entry in tally.byLabel {
      let name = labels.indices.contains(entry.label) ? labels[entry.label] : "\(entry.label)"
      named[name] = entry.counts
    }
    return named
  }
}
