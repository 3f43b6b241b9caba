// Fovea - fovea-bench weights: what it costs to keep weights as the codes of the file.
// SPDX-License-Identifier: Apache-2.0
internal import Fovea
internal import FoveaCommandLine
internal import FoveaInspection

/// Compares the forms in which `float` keeps weights.
enum WeightsCommand: Subcommand {
  static let description = CommandDescription(
    name: "weights", synopsis: "MODEL.mlmodel [OPTIONS]",
    summary: "Bytes and milliseconds of float with weights as floats, and as the file's codes.",
    options: [
      .init(name: "--threads", value: "N,M", help: "thread counts (default 1)"),
      .init(name: "--rounds", value: "R", help: "rounds of three runs each (default 30)"),
      .image,
    ] + KernelChoice.options + BenchReport.options,
    operandCount: 1...1,
    notes: """
      Both forms take turns. ratio is the quotient of the medians, packed to expanded. weights and
      session are planned bytes: those of the model, and those of each session. Results are the same
      bits, which is checked.
      """)

  static func run(_ arguments: ArgumentList) throws -> Int32 {
    let threads = try arguments.integers("--threads", in: 1...1024) ?? [1]
    let rounds = try arguments.integer("--rounds", in: 1...1_000_000) ?? 30
    let kernels = try KernelChoice(arguments, for: [.float])
    let path = arguments.operands[0]
    var table = ResultTable(
      "weights",
      [
        .init("threads"), .init("weights"), .init("weight_mib", "weights MiB"),
        .init("session_mib", "session MiB"), .init("minimum_ms", "min ms"),
        .init("median_ms", "median"), .init("ratio"),
      ])
    for count in threads {
      let forms = try WeightForm.allCases.map { form in
        try measured(form, path, kernels, threads: count, arguments.value("--image"))
      }
      guard try outputs(forms[0]) == outputs(forms[1]) else {
        throw CommandFailure("\(path): the forms of the weights give different results")
      }
      let times = InterleavedRounds(rounds).samples(forms.count) { forms[$0].run().elapsed }
      append(times, of: forms, to: &table)
    }
    try BenchReport(heading: "\(path): forms of the weights, float", tables: [table])
      .publish(arguments)
    return 0
  }

  private static func measured(
    _ form: WeightForm, _ path: String, _ kernels: KernelChoice, threads: Int, _ image: String?
  ) throws -> LoadedSession {
    var options = kernels.modelOptions(.float)
    options.weights = form
    let model: Model
    do throws(FoveaError) {
      model = try Model(contentsOf: path, options: options)
    } catch {
      throw CommandFailure(error, file: path)
    }
    guard !model.isCompiled else {
      throw CommandFailure(
        "\(path): a compiled file has one form of its weights; name the original")
    }
    return try LoadedSession(model, backend: .float, threads: threads, image: image)
  }

  private static func outputs(_ loaded: LoadedSession) throws -> [Tensor] {
    _ = loaded.run()
    return try loaded.session.model.outputs.map { try loaded.session.output($0.name) }
  }

  private static func append(
    _ times: [[Double]], of forms: [LoadedSession], to table: inout ResultTable
  ) {
    let base = SampleSummary(times[0]).median
    for (index, (form, loaded)) in zip(WeightForm.allCases, forms).enumerated() {
      let summary = SampleSummary(times[index])
      let memory = loaded.session.model.memory
      table.rows.append(
        [.count(loaded.threads), .text(form.rawValue)]
          + [memory.weightBytes, memory.sessionBytes].map {
            .number(Double($0) / 1_048_576, digits: 2)
          }
          + [
            .number(summary.minimum, digits: 3), .number(summary.median, digits: 3),
            .number(summary.median / base, digits: 2),
          ])
    }
  }
}
