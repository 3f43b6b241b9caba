// Fovea - fovea-bench video: from a clip to a network's input.
// SPDX-License-Identifier: Apache-2.0
internal import Fovea
internal import FoveaCommandLine
internal import FoveaVideo

/// Times decoding a clip, and sampling its pictures.
enum VideoCommand: Subcommand {
  static let description = CommandDescription(
    name: "video", synopsis: "CLIP [OPTIONS]",
    summary: "Times decoding a clip and sampling its pictures.",
    options: [
      .init(name: "--side", value: "N", help: "the sides of the network's input (default 416)"),
      .init(name: "--only", value: "STAGE", help: "with --protocol: decode, or decode and sample"),
      .init(name: "--rounds", value: "R", help: "rounds of three runs (default 10)"),
      LineProtocol.option,
    ] + BenchReport.options,
    operandCount: 1...1,
    notes: """
      decode reads all pictures and forgets them; sample also scales each to the input, both axes
      independently. Milliseconds a picture on one thread. Opening the clip is not counted.
      """)

  static func run(_ arguments: ArgumentList) throws -> Int32 {
    let side = try arguments.integer("--side", in: 1...16384) ?? 416
    let rounds = try arguments.integer("--rounds", in: 1...1_000_000) ?? 10
    let path = arguments.operands[0]
    let only = arguments.value("--only") ?? "sample"
    guard ["decode", "sample"].contains(only) else {
      throw UsageError("--only is '\(only)'; expected decode or sample")
    }
    do {
      let run = try VideoRun(path, side: side)
      if arguments.has("--protocol") {
        return try LineProtocol.answer(description.name) { try run.take(samples: only == "sample") }
      }
      let times = try InterleavedRounds(rounds).samples(2) { try run.take(samples: $0 == 1) }
      let heading = "\(path): to \(side) x \(side) bytes of a network, 1 thread, \(rounds) rounds"
      try BenchReport(heading: heading, tables: [table(times)]).publish(arguments)
    } catch let error as VideoError {
      throw CommandFailure("\(error)")
    } catch let error as FoveaError {
      throw CommandFailure(error, file: path)
    }
    return 0
  }

  private static func table(_ times: [[Double]]) -> ResultTable {
    var table = ResultTable(
      "video",
      [
        .init("stages"), .init("minimum_ms", "min ms"), .init("median_ms", "median"),
        .init("ratio", "of decode"),
      ])
    let summaries = times.map { SampleSummary($0) }
    for (name, summary) in zip(["decode", "decode and sample"], summaries) {
      table.rows.append([
        .text(name), .number(summary.minimum, digits: 3), .number(summary.median, digits: 3),
        .number(summary.minimum / summaries[0].minimum, digits: 3),
      ])
    }
    return table
  }
}

/// A clip that is decoded again and again.
private struct VideoRun {
  private let source: VideoSource
  private let session: Session
  private let input: String

  init(_ path: String, side: Int) throws {
    source = try VideoSource(named: path)
    session = try ImageRun.session(width: side, height: side)
    input = session.model.inputs[0].name
  }

  /// Decodes all pictures once; returns the milliseconds of one.
  func take(samples: Bool) throws -> Double {
    let reader = try source.open()
    var count = 0
    let start = ContinuousClock.now
    while let frame = try reader.next() {
      count += 1
      guard samples else { continue }
      try frame.withPlanes { try session.fillImageInput(input, from: $0) }
    }
    return (ContinuousClock.now - start).milliseconds / Double(max(count, 1))
  }
}
