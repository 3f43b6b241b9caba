// Fovea - fovea-bench image: from a file to a network's input.
// SPDX-License-Identifier: Apache-2.0
internal import Fovea
internal import FoveaCommandLine

/// Times reading, decoding and sampling.
enum ImageCommand: Subcommand {
  static let description = CommandDescription(
    name: "image", synopsis: "FILE [OPTIONS]",
    summary: "Times what precedes the network: reading an image, decoding, sampling.",
    options: [
      .init(name: "--size", value: "WxH", help: "the network's input (default 416x416)"),
      .init(name: "--full", help: "decode a JPEG at full size only"),
      .init(name: "--rounds", value: "R", help: "rounds of three runs (default 100)"),
    ] + BenchReport.options,
    operandCount: 1...1,
    notes: """
      read takes the file from the system's cache and reads its header; decode makes pixels, of a
      JPEG at the least scale that covers the input and also at full size; sample scales both axes
      to the input. One thread.
      """)

  static func run(_ arguments: ArgumentList) throws -> Int32 {
    let (width, height) = try size(arguments)
    let rounds = try arguments.integer("--rounds", in: 1...1_000_000) ?? 100
    let path = arguments.operands[0]
    do {
      let runs = try (arguments.has("--full") ? [false] : [true, false]).map {
        try ImageRun(path, width: width, height: height, reduces: $0)
      }
      let heading =
        "\(path): file to \(width) x \(height) bytes of a network, 1 thread, \(rounds) rounds"
      let table = try table(runs, rounds: rounds)
      try BenchReport(heading: heading, tables: [table]).publish(arguments)
    } catch let error as ImageError {
      throw CommandFailure(error, file: path)
    } catch let error as FoveaError {
      throw CommandFailure(error, file: path)
    }
    return 0
  }

  private static func size(_ arguments: ArgumentList) throws(UsageError) -> (Int, Int) {
    guard let text = arguments.value("--size") else { return (416, 416) }
    let sides = text.split(separator: "x", omittingEmptySubsequences: false).map { Int($0) }
    guard sides.count == 2, let width = sides[0], let height = sides[1],
      (1...16384).contains(width), (1...16384).contains(height)
    else { throw UsageError("--size is '\(text)'; expected width x height such as 416x416") }
    return (width, height)
  }

  private static func table(_ runs: [ImageRun], rounds: Int) throws -> ResultTable {
    let sizes = try runs.map { try $0.take().sizes }
    let times = try InterleavedRounds(rounds).samples(runs.count) { try runs[$0].take().times }
    var table = ResultTable(
      "image",
      [.init("file"), .init("decoded")]
        + ["read", "decode", "sample", "total"].flatMap { stage -> [ResultTable.Column] in
          [.init("\(stage)_minimum_ms", "\(stage) min ms"), .init("\(stage)_median_ms", "median")]
        })
    for (sizes, times) in zip(sizes, times) {
      let samples = [
        times.map(\.read), times.map(\.decode), times.map(\.sample), times.map(\.total),
      ]
      table.rows.append(
        [.text(text(sizes.full)), .text(text(sizes.decoded))]
          + samples.flatMap { samples -> [ResultTable.Cell] in
            let summary = SampleSummary(samples)
            return [.number(summary.minimum, digits: 3), .number(summary.median, digits: 3)]
          })
    }
    return table
  }

  private static func text(_ size: (width: Int, height: Int)) -> String {
    "\(size.width) x \(size.height)"
  }
}
