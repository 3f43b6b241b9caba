// Fovea - fovea-bench live: a slow detector on a live source.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaCommandLine
internal import FoveaLibc
internal import FoveaVideo

/// Takes pictures of a live source more slowly than they come.
enum LiveCommand: Subcommand {
  static let description = CommandDescription(
    name: "live", synopsis: "SOURCE [OPTIONS]",
    summary: "Takes pictures of a live source more slowly than they come.",
    options: [
      .init(
        name: "--busy", value: "MS", help: "milliseconds that each picture keeps (default 100)"),
      .init(name: "--seconds", value: "N", help: "stop after N seconds (default 600)"),
      .init(name: "--realtime", help: "let a file come at its own pace, again and again"),
      .init(
        name: "--rate", value: "N", help: "pictures in a second that the source sends (default 25)"),
    ],
    operandCount: 1...1,
    notes: """
      Age is the time from a picture's arrival to its taking. Growth is that of VmRSS after the
      first twentieth. Exits 1 when a picture was older than the source's interval and the
      millisecond in which the system wakes the decoder, when pictures are neither taken nor dropped,
      or when memory grew by more than 1 MiB. Pictures also grow older while the host of a virtual
      machine lets it wait, and for how long it did is printed.
      """)

  static func run(_ arguments: ArgumentList) throws -> Int32 {
    let busy = try arguments.integer("--busy", in: 0...60_000) ?? 100
    let seconds = Double(try arguments.integer("--seconds", in: 1...1_000_000) ?? 600)
    let interval = 1 / Double(try arguments.integer("--rate", in: 1...1000) ?? 25)
    var run = LiveRun(busy: busy, seconds: seconds)
    do throws(VideoError) {
      let source = try VideoSource(named: arguments.operands[0])
      repeat {
        try run.take(source, isPaced: arguments.has("--realtime"))
      } while arguments.has("--realtime") && !run.isOver
    } catch {
      throw CommandFailure("\(error)")
    }
    return run.report(interval: interval) ? 0 : 1
  }
}

/// What came of a run.
private struct LiveRun {
  private let busy: Int
  private let start = MonotonicClock.seconds()
  private let seconds: Double
  private let stolenBefore = MachineFacts.stolenSeconds()
  private var ages: [Double] = []
  private var counts = SequenceCounts()
  private var waiting = 0
  private var earlyMemory: Double?
  private var memory = 0.0

  init(busy: Int, seconds: Double) {
    (self.busy, self.seconds) = (busy, seconds)
    ages.reserveCapacity(1 << 20)
  }

  var isOver: Bool { MonotonicClock.seconds() - start >= seconds }

  mutating func take(_ source: VideoSource, isPaced: Bool) throws(VideoError) {
    var options = SequenceOptions()
    options.isPaced = isPaced
    let sequence = try VideoSequence(source, options)
    while !isOver, let (frame, _) = try sequence.next() {
      ages.append(Double(MonotonicClock.nanoseconds() - frame.arrival) / 1e9)
      MonotonicClock.sleep(milliseconds: busy)
      let now = ProcessStatus.mebibytes("VmRSS") ?? 0
      memory = max(memory, now)
      if earlyMemory == nil, MonotonicClock.seconds() - start > seconds / 20 {
        earlyMemory = now
        memory = now
      }
    }
    let last = sequence.counts
    waiting += last.decoded - last.taken - last.dropped
    counts.decoded += last.decoded
    counts.taken += last.taken
    counts.dropped += last.dropped
    counts.reconnects += last.reconnects
    sequence.cancel()
  }

  /// Prints a summary; whether all is as it should be.
  func report(interval: Double) -> Bool {
    let sorted = ages.sorted()
    guard let oldest = sorted.last else {
      SystemInterface.writeOutput("no pictures\n")
      return false
    }
    let interval = interval + 0.001
    let old = sorted.filter { $0 > interval }.count
    let growth = memory - (earlyMemory ?? memory)
    let stolen = MachineFacts.stolenSeconds() - stolenBefore
    func milliseconds(_ seconds: Double) -> String { NumberText.fixed(seconds * 1e3, digits: 2) }
    SystemInterface.writeOutput(
      """
      \(NumberText.fixed(MonotonicClock.seconds() - start, digits: 1)) s: \(counts.decoded) decoded \
      = \(counts.taken) taken + \(counts.dropped) dropped + \(waiting) waiting, \
      \(counts.reconnects) times opened again
      age in ms: median \(milliseconds(sorted[sorted.count / 2])), 99 % \
      \(milliseconds(sorted[min(sorted.count - 1, sorted.count * 99 / 100)])), oldest \
      \(milliseconds(oldest)); \(old) older than \(milliseconds(interval))
      the host let the machine wait: \(NumberText.fixed(stolen, digits: 2)) s
      memory: \(NumberText.fixed(memory, digits: 1)) MiB, grown by \
      \(NumberText.fixed(growth, digits: 2)) MiB

      """)
    return old == 0 && (0...1).contains(waiting) && growth <= 1
  }
}
