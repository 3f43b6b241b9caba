// Fovea - fovea inspect: what a model consists of.
// SPDX-License-Identifier: Apache-2.0
internal import Fovea
internal import FoveaCommandLine

/// Says what a model consists of.
enum InspectCommand: Subcommand {
  static let description = CommandDescription(
    name: "inspect", synopsis: "MODEL [OPTIONS]",
    summary: "Prints a model's interface, operations, layers, weight encodings, work and memory.",
    options: [
      .modelOperand,
      .json, .function, .size, .head, .boxes, .scores, .task, ArrayInputOptions.input,
    ] + ArrayInputOptions.options + [
      .init(name: "--profile", help: "also run the model on noise and print where the time goes"),
      .init(name: "--plan", help: "also print where every result lies in memory, and for how long"),
      .init(
        name: "--plan-svg", value: "FILE", help: "draw the plan: layers across, memory upwards"),
      .init(name: "--runs", value: "N", help: "runs to profile (default 5)"),
      .backend, .weights, .calibrate, .quality, .floatShare, .int16Share,
      .init(name: "--threads", value: "N", help: "threads to profile with (default 1)"),
    ],
    operandCount: 1...1,
    notes: """
      Of an ML Program it also prints functions, operations by kind, and how constants are stored.
      Layers are listed as they run: after batch normalization, scales and biases have been folded
      into convolutions and activations fused. MMAC are millions of multiplications with addition.
      Memory is planned exactly when the model is loaded; a session allocates nothing later.
      """,
    leading: .model)

  static func run(_ arguments: ArgumentList) throws -> Int32 {
    let path = arguments.operands[0]
    let runs = try arguments.integer("--runs", in: 1...10_000) ?? 5
    let threads = try arguments.integer("--threads", in: ThreadPool.threadCounts) ?? 1
    let model = try ModelLoading.load(
      .file(path), arguments, pictures: ArrayInputOptions.choice(arguments))
    var report = InspectionReport(model, path: path)
    if arguments.has("--profile") {
      do {
        report.profile = try ProfileReport(model, runs: runs, threads: threads)
      } catch {
        throw CommandFailure(error, file: path)
      }
    }
    if arguments.has("--plan") { report.plan = PlanReport(model) }
    if let file = arguments.value("--plan-svg") {
      try SystemInterface.writeFile(PlanDrawing(PlanReport(model)).svg, to: file)
    }
    if arguments.has("--json") {
      try JSONOutput.write(report)
    } else {
      SystemInterface.writeOutput(report.text)
    }
    return 0
  }
}
