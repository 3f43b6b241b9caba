// Fovea - fovea-bench suppression: from heads to the boxes that survive.
// SPDX-License-Identifier: Apache-2.0
internal import Fovea
internal import FoveaCommandLine

/// Times decoding and suppression.
enum SuppressionCommand: Subcommand {
  static let description = CommandDescription(
    name: "suppression", synopsis: "[OPTIONS]",
    summary: "Times what follows the network: decoding heads, candidates, suppression.",
    options: [
      .init(name: "--side", value: "S", help: "the detector's image (default 416)"),
      .init(name: "--strides", value: "A,B", help: "a head for each (default 32,16)"),
      .init(name: "--classes", value: "C", help: "classes (default 80)"),
      .init(name: "--confidence", value: "FILE.npy", help: "scores, boxes x classes, not heads"),
      .init(name: "--coordinates", value: "FILE.npy", help: "the boxes to them, boxes x 4"),
      .init(name: "--thresholds", value: "A,B", help: "least scores (default 0.25,0.001)"),
      .init(name: "--iou", value: "0...1", help: "greatest overlap (default 0.45)"),
      .init(
        name: "--rule", value: "RULE",
        help: "candidates of a box, multiLabel or bestClass (default multiLabel)"),
      .init(name: "--rounds", value: "R", help: "rounds of three runs (default 100)"),
      .init(name: "--backend", value: "NAME", help: "backend that decodes (default auto)"),
      .init(name: "--without-decoding", help: "decode once, and time what follows"),
      LineProtocol.option,
      .init(
        name: "--dump", value: "DIR", help: "write the arrays and what is kept, and time nothing"),
    ] + KernelChoice.options + BenchReport.options,
    operandCount: 0...0,
    notes: """
      Without files, the logits of heads with three anchors are random and the same every time.
      decode is the time of the two operations that turn logits into scores and boxes, with the
      threshold as the floor below which boxes need none; scan looks for candidates in the scores;
      suppress sorts and suppresses them class by class; total is their sum. objects is another
      run, from the scores to the observations that a request returns. With --protocol, for one
      threshold, a time is a total. One thread.
      """)

  static func run(_ arguments: ArgumentList) throws -> Int32 {
    let thresholds = try arguments.fractions("--thresholds") ?? [0.25, 0.001]
    let overlap = try arguments.fraction("--iou") ?? 0.45
    let rule = try arguments.choice("--rule", CandidateRule.self) ?? .multiLabel
    let rounds = try arguments.integer("--rounds", in: 1...1_000_000) ?? 100
    let speaksProtocol = arguments.has("--protocol")
    guard !speaksProtocol || thresholds.count == 1 else {
      throw UsageError("--protocol takes one threshold")
    }
    let source = try ArraySource(arguments)
    let arrays = try source.arrays()
    let runs = try thresholds.map { threshold in
      SuppressionRun(
        arrays,
        settings: try DetectionSettings(
          minimumConfidence: threshold, iouThreshold: overlap, candidateRule: rule),
        decodes: source.decodes)
    }
    do {
      if let folder = arguments.value("--dump") {
        try dump(arrays, runs, to: folder)
        return 0
      }
      if speaksProtocol {
        return try LineProtocol.answer(description.name) { try runs[0].take().total }
      }
      let heading =
        "\(source.name), \(arrays.boxCount) boxes x \(arrays.classCount) classes, "
        + "\(rule.rawValue), IoU \(overlap), 1 thread, \(rounds) rounds"
      let table = try table(runs, rounds: rounds)
      try BenchReport(heading: heading, tables: [table]).publish(arguments)
    } catch let error as DetectionError {
      throw CommandFailure(error, file: source.name)
    }
    return 0
  }

  // MARK: Where the arrays come from

  private enum ArraySource {
    case heads(DetectorHeads, Model.Options, decodes: Bool)
    case files(confidence: String, coordinates: String)

    init(_ arguments: ArgumentList) throws(UsageError) {
      let (confidence, coordinates) = (
        arguments.value("--confidence"), arguments.value("--coordinates")
      )
      if let confidence, let coordinates {
        self = .files(confidence: confidence, coordinates: coordinates)
        return
      }
      guard confidence == nil, coordinates == nil else {
        throw UsageError("--confidence and --coordinates belong together")
      }
      let backends = try BackendName.list(arguments.value("--backend") ?? "auto")
      guard backends.count == 1 else { throw UsageError("--backend takes one name here") }
      let kernels = try KernelChoice(arguments, for: backends)
      let heads = DetectorHeads(
        side: try arguments.integer("--side", in: 1...4096) ?? 416,
        strides: try arguments.integers("--strides", in: 1...4096) ?? [32, 16],
        classes: try arguments.integer("--classes", in: 1...10_000) ?? 80)
      guard heads.strides.allSatisfy({ heads.side % $0 == 0 }) else {
        throw UsageError("--side is \(heads.side); expected a multiple of every stride")
      }
      self = .heads(
        heads, kernels.modelOptions(backends[0]), decodes: !arguments.has("--without-decoding"))
    }

    var name: String {
      switch self {
      case .heads: "random heads"
      case .files(let confidence, _): confidence
      }
    }

    var decodes: Bool {
      if case .heads(_, _, let decodes) = self { decodes } else { false }
    }

    func arrays() throws -> DetectorArrays {
      switch self {
      case .heads(let heads, let options, _):
        return try DetectorArrays(heads, options: options)
      case .files(let confidence, let coordinates):
        return try DetectorArrays(confidence: confidence, coordinates: coordinates)
      }
    }
  }

  /// Writes `confidence.npy`, `coordinates.npy`, and row and class of what each threshold keeps.
  private static func dump(
    _ arrays: DetectorArrays, _ runs: [SuppressionRun], to folder: String
  ) throws {
    try SystemInterface.makeFolder(folder)
    _ = arrays.decode(floor: 0)
    try arrays.withArrays { confidence, coordinates in
      for (name, values, columns) in [
        ("confidence", confidence.array, arrays.classCount), ("coordinates", coordinates.array, 4),
      ] {
        try Tensor(shape: [arrays.boxCount, columns], floats: values)
          .write(toNPY: "\(folder)/\(name).npy")
      }
    }
    for run in runs {
      _ = try run.take()
      try Tensor(shape: [run.keptCount, 2], int32s: run.kept)
        .write(toNPY: "\(folder)/kept-\(run.settings.minimumConfidence).npy")
    }
  }

  // MARK: Measuring

  private static func table(_ runs: [SuppressionRun], rounds: Int) throws -> ResultTable {
    var times = runs.map { _ in [SuppressionRun.Times]() }
    var observing = runs.map { _ in [Double]() }
    try InterleavedRounds(rounds).forEach(runs.count) { index in
      _ = try runs[index].take()
      for _ in 0..<InterleavedRounds.runsInTurn { times[index].append(try runs[index].take()) }
      observing[index].append(try runs[index].observe())
    }
    let stages = ["decode", "scan", "suppress", "total", "objects"]
    var table = ResultTable(
      "suppression",
      [.init("threshold"), .init("candidates"), .init("kept")]
        + stages.flatMap { stage -> [ResultTable.Column] in
          [.init("\(stage)_minimum_ms", "\(stage) min ms"), .init("\(stage)_median_ms", "median")]
        })
    for (index, run) in runs.enumerated() {
      let times = times[index]
      let samples = [
        times.compactMap(\.decode), times.map(\.scan), times.map(\.suppress), times.map(\.total),
        observing[index],
      ]
      table.rows.append(
        [
          .text("\(run.settings.minimumConfidence)"), .count(run.candidateCount),
          .count(run.keptCount),
        ] + samples.flatMap(cells))
    }
    return table
  }

  private static func cells(_ samples: [Double]) -> [ResultTable.Cell] {
    guard !samples.isEmpty else { return [.none, .none] }
    let summary = SampleSummary(samples)
    return [.number(summary.minimum, digits: 3), .number(summary.median, digits: 3)]
  }
}

extension Span where Element == Float {
  /// A copy.
  fileprivate var array: [Float] { indices.map { self[$0] } }
}
