// Fovea - what a long run takes from the system, read now and then.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaCommandLine

/// Resident memory and open descriptors of this process over a number of turns.
///
/// What is there after the first twentieth is what later turns are held to: until then pools fill, and pages of code are read.
struct SoakGauge {
  let turns: Int
  private(set) var settled: Reading?
  private(set) var last: Reading?
  /// The most that was seen after the first twentieth.
  private(set) var peak = 0.0

  /// What the system says at one moment.
  struct Reading {
    /// MiB.
    var resident: Double
    var descriptors: Int

    init?() {
      guard let resident = ProcessStatus.mebibytes("VmRSS"),
        let names = SystemInterface.fileNames(in: "/proc/self/fd")
      else { return nil }
      self.resident = resident
      descriptors = names.count
    }
  }

  init(turns: Int) { self.turns = turns }

  /// The number of turns after which growth counts.
  private var settling: Int { max(1, turns / 20) }

  /// Looks at the process after turn `turn` (counted from 1), a hundred times in all.
  mutating func look(after turn: Int) {
    guard turn == turns || turn == settling || turn % max(1, turns / 100) == 0, turn >= settling,
      let reading = Reading()
    else { return }
    if settled == nil { settled = reading }
    last = reading
    peak = max(peak, reading.resident)
  }

  /// MiB by which memory has grown since it had settled.
  var growth: Double? {
    guard let settled, let last else { return nil }
    return last.resident - settled.resident
  }

  /// Descriptors that are open now and were not when memory had settled.
  var leakedDescriptors: Int? {
    guard let settled, let last else { return nil }
    return last.descriptors - settled.descriptors
  }
}
