// Fovea - the time of every operation of a session, over many rounds.
// SPDX-License-Identifier: Apache-2.0
internal import Fovea
internal import FoveaInspection

/// The time of every operation of a session, over many rounds.
struct OperationTimes {
  let loaded: LoadedSession
  let nodes: [Model.Node]
  /// Milliseconds of each operation, round by round.
  private(set) var samples: [[Double]]
  /// Milliseconds of whole runs.
  private(set) var totals: [Double] = []
  /// Processor milliseconds of whole runs, all threads together.
  private(set) var processorTotals: [Double] = []
  /// The largest rates of the peak loop, multiply-adds per second of one thread.
  private(set) var peak: Double?

  init(_ loaded: LoadedSession) {
    self.loaded = loaded
    nodes = loaded.session.model.nodes
    samples = nodes.map { _ in [] }
    loaded.session.measuresTime = true
  }

  /// A turn: the peak loop, a run to warm up, and one that counts.
  mutating func takeTurn() {
    if let now = loaded.backend.measuredPeak() { peak = max(peak ?? 0, now) }
    _ = loaded.run()
    let time = loaded.run()
    totals.append(time.elapsed)
    processorTotals.append(time.processor)
    for (index, timing) in loaded.session.nodeTimings().enumerated() {
      samples[index].append(Double(timing.total) / 1e6)
    }
  }

  /// The rate in GMAC/s and its share of the peak of all threads; `nil` without work.
  func rate(multiplyAccumulates: UInt64, milliseconds: Double) -> (
    gigaMACs: Double, share: Double?
  )? {
    guard multiplyAccumulates > 0, milliseconds > 0 else { return nil }
    let rate = Double(multiplyAccumulates) / milliseconds / 1e6
    return (rate, peak.map { rate / ($0 / 1e9 * Double(loaded.threads)) })
  }
}
