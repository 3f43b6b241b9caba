// Fovea - fovea-bench kernels: the rate of single layers.
// SPDX-License-Identifier: Apache-2.0
internal import Fovea
internal import FoveaCommandLine
internal import FoveaInspection
internal import FoveaRuntime

/// Times single layers.
enum KernelsCommand: Subcommand {
  static let description = CommandDescription(
    name: "kernels", synopsis: "FILE... [OPTIONS]",
    summary: "Times single layers whose shapes are in text files.",
    options: [
      .backends, .threads,
      .init(name: "--rounds", value: "R", help: "rounds (default 20)"),
      .init(name: "--only", value: "A,B", help: "only shapes whose names contain A or B"),
    ] + KernelChoice.options + BenchReport.options,
    operandCount: 1...Int.max,
    notes: """
      A line of a file is: name, input channels, output channels, kernel, stride, rows, columns,
      groups, pooled (yes or no); # begins a comment. Benchmarks/shapes/ has some. Every shape is a
      network of its own (convolution, leaky ReLU, perhaps a pool); the time is that of the operations
      that come from the layer, without bringing the input into the backend's layout. The share is
      of what a loop of multiply-adds in registers reached in the best of the same rounds.
      """)

  static func run(_ arguments: ArgumentList) throws -> Int32 {
    let backends = try BackendName.list(arguments.value("--backends"))
    let threads = try arguments.threadCount()
    let rounds = try arguments.integer("--rounds", in: 1...1_000_000) ?? 20
    let kernels = try KernelChoice(arguments, for: backends)
    let shapes = try shapes(arguments)
    var table = ResultTable("kernels", columns(backends))
    for (index, shape) in shapes.enumerated() {
      let rounds = InterleavedRounds(
        rounds, subject: "\(shape.name), \(index + 1) of \(shapes.count)")
      do {
        table.rows.append(try measure(shape, backends, kernels, threads: threads, rounds))
      } catch {
        throw CommandFailure("shape '\(shape.name)': \(error)")
      }
    }
    let heading = "single layers, \(threadText(threads)), \(rounds) rounds"
    try BenchReport(heading: heading, tables: [table]).publish(arguments)
    return 0
  }

  private static func shapes(_ arguments: ArgumentList) throws -> [LayerShape] {
    var shapes: [LayerShape] = []
    for path in arguments.operands {
      guard let text = TextFile.read(path) else {
        throw CommandFailure("\(path): no text file that can be read")
      }
      shapes += try LayerShape.parse(text, file: path)
    }
    guard let wanted = arguments.value("--only")?.split(separator: ",") else { return shapes }
    let chosen = shapes.filter { shape in wanted.contains { shape.name.contains($0) } }
    guard !chosen.isEmpty else {
      throw UsageError(
        "--only fits no shape; the shapes are \(shapes.map(\.name).joined(separator: ", "))")
    }
    return chosen
  }

  private static func columns(_ backends: [Backend]) -> [ResultTable.Column] {
    [
      .init("name"), .init("input"), .init("output_channels", "out"), .init("kernel"),
      .init("stride"), .init("groups"), .init("pooled"), .init("mmac", "MMAC"),
    ]
      + backends.flatMap { backend -> [ResultTable.Column] in
        let name = backend.rawValue
        return [
          .init("\(name)_minimum_ms", "\(name) min ms"), .init("\(name)_median_ms", "median"),
          .init("\(name)_gmac_per_second", "GMAC/s"), .init("\(name)_share_of_peak", "of peak"),
        ]
      }
  }

  private static func measure(
    _ shape: LayerShape, _ backends: [Backend], _ kernels: KernelChoice, threads: Int,
    _ rounds: InterleavedRounds
  ) throws -> [ResultTable.Cell] {
    let network = shape.network()
    var times: [OperationTimes] = []
    for backend in backends {
      let model = try Model(file: network, name: shape.name, options: kernels.modelOptions(backend))
      times.append(OperationTimes(try LoadedSession(model, backend: backend, threads: threads)))
    }
    rounds.forEach(times.count) { times[$0].takeTurn() }
    let size = [shape.inputChannels, shape.rows, shape.columns]
    var cells: [ResultTable.Cell] = [
      .text(shape.name), .text(NumberText.shape(size)), .count(shape.outputChannels),
      .count(shape.kernel), .count(shape.stride), .count(shape.groups),
      .text(shape.isPooled ? "yes" : "no"),
      .number(Double(shape.multiplyAccumulates) / 1e6, digits: 1),
    ]
    for times in times { cells += figures(times, shape) }
    return cells
  }

  private static func figures(_ times: OperationTimes, _ shape: LayerShape) -> [ResultTable.Cell] {
    let own = times.nodes.indices.filter { times.nodes[$0].label == shape.name }
    let sums = times.totals.indices.map { round in
      own.reduce(0) { $0 + times.samples[$1][round] }
    }
    let summary = SampleSummary(sums)
    let rate = times.rate(
      multiplyAccumulates: shape.multiplyAccumulates, milliseconds: summary.minimum)
    return [
      .number(summary.minimum, digits: 3), .number(summary.median, digits: 3),
      rate.map { .number($0.gigaMACs, digits: 1) } ?? .none,
      rate?.share.map { .share($0) } ?? .none,
    ]
  }
}
