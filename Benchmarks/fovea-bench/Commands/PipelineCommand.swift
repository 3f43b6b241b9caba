// Fovea - fovea-bench pipeline: from a file to boxes.
// SPDX-License-Identifier: Apache-2.0
internal import Fovea
internal import FoveaCommandLine

/// Times detection from an image file to boxes.
enum PipelineCommand: Subcommand {
  static let description = CommandDescription(
    name: "pipeline", synopsis: "MODEL IMAGE... [OPTIONS]",
    summary: "Times detection from an image file to boxes, stage by stage.",
    options: [
      .init(name: "--backend", value: "NAME", help: "backend (default auto)"), .threads,
      .init(name: "--rounds", value: "R", help: "rounds through all images (default 20)"),
      .init(name: "--confidence", value: "0...1", help: "least confidence (default: the model's)"),
    ] + KernelChoice.options + BenchReport.options + [BenchReport.svg],
    operandCount: 2...Int.max,
    notes: """
      decode decodes the file; prepare samples it upright into the network's input; inference runs
      the network; postprocess finds candidates and suppresses double ones; total also reads the
      file, which is in the system's cache. The sessions are warm: one round is not counted.
      """)

  private static let stages = ["decode", "prepare", "inference", "postprocess", "total"]

  static func run(_ arguments: ArgumentList) throws -> Int32 {
    let backend = try BackendName.list(arguments.value("--backend") ?? "auto")
    guard backend.count == 1 else { throw UsageError("--backend takes one name here") }
    let threads = try arguments.threadCount()
    let rounds = try arguments.integer("--rounds", in: 1...1_000_000) ?? 20
    let confidence = try arguments.fraction("--confidence")
    let kernels = try KernelChoice(arguments, for: backend)
    let (path, images) = (arguments.operands[0], Array(arguments.operands.dropFirst()))
    var request: DetectObjectsRequest
    do {
      let model = try Model(contentsOf: path, options: kernels.modelOptions(backend[0]))
      request = try DetectObjectsRequest(
        model: model, pool: try ThreadPool(threadCount: threads))
    } catch {
      throw CommandFailure(error, file: path)
    }
    request.minimumConfidence = confidence.map { Float($0) }
    let (times, objects) = try measure(request, images, rounds: rounds)
    let table = table(times)
    let heading =
      "\(path): file to boxes, \(request.model.backend.rawValue), \(threadText(threads)), "
      + "\(images.count) images, \(rounds) rounds"
    let bars = zip(stages, times).map { stage, samples in
      let summary = SampleSummary(samples)
      return BarChart.Bar(label: stage, minimum: summary.minimum, median: summary.median)
    }
    try BenchReport(
      heading: heading, tables: [table], notes: ["\(objects) objects in a round"],
      chart: BarChart(title: heading, bars: bars).grid
    ).publish(arguments)
    return 0
  }

  /// Milliseconds by stage, and the number of objects in all images.
  private static func measure(
    _ request: DetectObjectsRequest, _ images: [String], rounds: Int
  ) throws -> ([[Double]], Int) {
    let progress = ProgressLine()
    var times = stages.map { _ in [Double]() }
    var objects = 0
    for round in 0...rounds {
      objects = 0
      progress.show("round \(round) of \(rounds)")
      for image in images {
        do {
          let start = ContinuousClock.now
          let result = try ImageRequestHandler(ImageFile(contentsOf: image)).result(of: request)
          let total = ContinuousClock.now - start
          objects += result.observations.count
          guard round > 0 else { continue }
          let parts = result.timings
          let all = [parts.decode, parts.prepare, parts.inference, parts.postprocess, total]
          for (index, time) in all.enumerated() { times[index].append(time.milliseconds) }
        } catch {
          progress.clear()
          throw CommandFailure(error, file: image)
        }
      }
    }
    progress.clear()
    return (times, objects)
  }

  private static func table(_ times: [[Double]]) -> ResultTable {
    var table = ResultTable(
      "pipeline",
      [
        .init("stage"), .init("minimum_ms", "min ms"), .init("p50_ms", "p50"),
        .init("p90_ms", "p90"), .init("p99_ms", "p99"),
      ])
    for (stage, samples) in zip(stages, times) {
      let summary = SampleSummary(samples)
      table.rows.append(
        [.text(stage), .number(summary.minimum, digits: 3)]
          + [50, 90, 99].map { .number(summary.percentile($0), digits: 3) })
    }
    return table
  }
}
