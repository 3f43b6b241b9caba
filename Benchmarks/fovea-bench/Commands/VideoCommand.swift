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
      .init(name: "--only", value: "STAGE", help: "with --protocol: decode, sample or threads"),
      .init(name: "--rounds", value: "R", help: "rounds of three runs (default 10)"),
      LineProtocol.option,
    ] + BenchReport.options,
    operandCount: 1...1,
    notes: """
      decode reads all pictures and forgets them; sample also scales each to the input, both axes
      independently, on the same thread. threads decodes on one thread and samples on another, as
      detectors on videos do. Milliseconds a picture. Opening the clip counts: a decoder that sees
      pictures ahead has them at the end for nothing, so that no picture may be left out.
      """)

  static func run(_ arguments: ArgumentList) throws -> Int32 {
    let side = try arguments.integer("--side", in: 1...16384) ?? 416
    let rounds = try arguments.integer("--rounds", in: 1...1_000_000) ?? 10
    let path = arguments.operands[0]
    let only = try arguments.choice("--only", VideoRun.Stage.self) ?? .sample
    do {
      let run = try VideoRun(path, side: side)
      if arguments.has("--protocol") {
        return try LineProtocol.answer(description.name) { try run.take(only) }
      }
      let stages = VideoRun.Stage.allCases
      let times = try InterleavedRounds(rounds).samples(stages.count) { try run.take(stages[$0]) }
      let heading = "\(path): to \(side) x \(side) bytes of a network, \(rounds) rounds"
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
    for (stage, summary) in zip(VideoRun.Stage.allCases, summaries) {
      table.rows.append([
        .text(stage.rawValue), .number(summary.minimum, digits: 3),
        .number(summary.median, digits: 3),
        .number(summary.minimum / summaries[0].minimum, digits: 3),
      ])
    }
    return table
  }
}

/// A clip that is decoded again and again.
private struct VideoRun {
  enum Stage: String, CaseIterable {
    case decode
    case sample
    case threads
  }

  private let source: VideoSource
  private let session: Session
  private let input: String

  init(_ path: String, side: Int) throws {
    source = try VideoSource(named: path)
    session = try ImageRun.session(width: side, height: side)
    input = session.model.inputs[0].name
  }

  /// Decodes all pictures once; returns the milliseconds of one.
  func take(_ stage: Stage) throws -> Double {
    let start = ContinuousClock.now
    let count = try pass(stage)
    return (ContinuousClock.now - start).milliseconds / Double(max(count, 1))
  }

  private func pass(_ stage: Stage) throws -> Int {
    if stage == .threads {
      let sequence = try VideoSequence(source)
      return try count(samples: true) { try sequence.next()?.frame }
    }
    let reader = try source.open()
    return try count(samples: stage == .sample) { try reader.next() }
  }

  private func count(samples: Bool, _ next: () throws -> VideoFrame?) throws -> Int {
    var count = 0
    while let frame = try next() {
      count += 1
      guard samples else { continue }
      try frame.withPlanes { try session.fillImageInput(input, from: $0) }
    }
    return count
  }
}
