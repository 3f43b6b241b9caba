// Fovea - fovea-bench sampling: the time of filling an input from an image.
// SPDX-License-Identifier: Apache-2.0
internal import Fovea
internal import FoveaCommandLine
internal import FoveaRuntime

/// Times sampling images into the input of a network.
enum SamplingCommand: Subcommand {
  static let description = CommandDescription(
    name: "sampling", synopsis: "[WIDTHxHEIGHT...] [OPTIONS]",
    summary: "Times sampling images of noise into the input of a network, on one thread.",
    options: [
      .init(name: "--to", value: "N,M", help: "sides of the input (default 416,320)"),
      .init(
        name: "--format", value: "FORMAT",
        help: "of the images: \(formats.joined(separator: ", ")) (default rgb)"),
      .init(name: "--rounds", value: "R", help: "rounds (default 40)"),
    ] + BenchReport.options,
    operandCount: 0...Int.max,
    notes: """
      Without sizes: 1920x1080 and 768x576. Every instruction set that the processor has takes turns,
      with both filters, and with images that lie on their side (turned by 90 degrees on the way).
      The sets give the same bytes.
      """)

  private static let formats = PixelFormat.allCases.map(\.rawValue)

  static func run(_ arguments: ArgumentList) throws -> Int32 {
    let sizes = try sizes(
      arguments.operands.isEmpty ? ["1920x1080", "768x576"] : arguments.operands)
    let sides = try sides(arguments.value("--to") ?? "416,320")
    let name = arguments.value("--format") ?? "rgb"
    guard let format = PixelFormat(rawValue: name) else {
      throw UsageError("'\(name)' is no format; they are \(formats.joined(separator: ", "))")
    }
    let rounds = try arguments.integer("--rounds", in: 1...1_000_000) ?? 40
    var runs: [SamplingRun] = []
    for size in sizes {
      let layout = PixelLayout(format: format, width: size.width, height: size.height)
      let pixels = SamplingRun.noise(layout)
      for side in sides { runs += try Self.runs(layout, pixels, side: side) }
    }
    try InterleavedRounds(rounds).forEach(runs.count) { try runs[$0].takeTurn() }
    let heading = "sampling \(format.rawValue) images, 1 thread, \(rounds) rounds"
    try BenchReport(heading: heading, tables: [table(runs)]).publish(arguments)
    return 0
  }

  /// Set by set, for each filter and orientation.
  private static func runs(
    _ layout: PixelLayout, _ pixels: [UInt8], side: Int
  ) throws -> [SamplingRun] {
    let sessions = try instructionSets.map {
      try SamplingRun.session(side: side, instructionSet: $0)
    }
    var runs: [SamplingRun] = []
    for filter in ResamplingFilter.allCases {
      for isTurned in [false, true] {
        runs += sessions.map {
          SamplingRun(
            $0, side: side, pixels: pixels, layout: layout, filter: filter, isTurned: isTurned)
        }
      }
    }
    return runs
  }

  /// Those with kernels of their own for sampling.
  private static let instructionSets = [
    InstructionSet.scalar, .avx2, .avx512, .neon,
  ].filter(\.isAvailable)

  private static func sizes(_ words: [String]) throws(UsageError) -> [(width: Int, height: Int)] {
    var sizes: [(width: Int, height: Int)] = []
    for word in words {
      let sides = word.split(separator: "x", omittingEmptySubsequences: false).map { Int($0) ?? 0 }
      guard sides.count == 2, sides.allSatisfy((1...16384).contains) else {
        throw UsageError("'\(word)' is no size; expected one such as 1920x1080")
      }
      sizes.append((sides[0], sides[1]))
    }
    return sizes
  }

  private static func sides(_ list: String) throws(UsageError) -> [Int] {
    var sides: [Int] = []
    for word in list.split(separator: ",", omittingEmptySubsequences: false) {
      guard let side = Int(word), (1...4096).contains(side) else {
        throw UsageError("--to takes whole numbers in 1...4096; '\(word)' is none")
      }
      sides.append(side)
    }
    return sides
  }

  private static func table(_ runs: [SamplingRun]) -> ResultTable {
    var table = ResultTable(
      "sampling",
      [.init("image"), .init("side"), .init("filter"), .init("turned")]
        + instructionSets.flatMap { set -> [ResultTable.Column] in
          let name = set.rawValue
          return [
            .init("\(name)_minimum_ms", "\(name) min ms"), .init("\(name)_median_ms", "median"),
          ]
        })
    for start in stride(from: 0, to: runs.count, by: instructionSets.count) {
      let row = runs[start..<start + instructionSets.count]
      var cells = runs[start].cells
      for run in row {
        let summary = SampleSummary(run.milliseconds)
        cells += [.number(summary.minimum, digits: 3), .number(summary.median, digits: 3)]
      }
      table.rows.append(cells)
    }
    return table
  }
}
