// Fovea - fovea-bench variants: what forms of weights and backends cost and give.
// SPDX-License-Identifier: Apache-2.0
internal import Fovea
internal import FoveaCommandLine
internal import FoveaEvaluation

/// Makes all forms of one model and measures accuracy, time and memory of each with each backend.
enum VariantsCommand: Subcommand {
  static let description = CommandDescription(
    name: "variants", synopsis: "MODEL --images FOLDER --annotations FILE [OPTIONS]",
    summary: "Accuracy, time, memory and size of a model, by form of weights and backend.",
    options: [
      .init(name: "--images", value: "FOLDER", help: "where the images are"),
      .init(
        name: "--annotations", value: "FILE", help: "what is in them: a COCO file (instances.json)"),
      .init(
        name: "--split", value: "NAME",
        help: "which images calibrate and which are measured: alternate, halves or all "
          + "(default alternate)"),
      .init(name: "--first", value: "N", help: "only the first N images by name"),
      .init(
        name: "--weights", value: "A,B",
        help: "forms of weights (default: all of "
          + WeightVariant.allCases.map(\.rawValue).joined(separator: ",") + ")"),
      .backends, .threads,
      .init(name: "--rounds", value: "R", help: "rounds of the times (default 20)"),
      .init(
        name: "--keep", value: "FOLDER", help: "leave the files that were made in this folder"),
      .init(
        name: "--machine", value: "NAME",
        help: "what --csv calls this machine (default: the processor's name)"),
    ] + BenchReport.options + [BenchReport.svg],
    operandCount: 1...1,
    notes: """
      MODEL has weights in float32. Codes for weights, and ranges of activations, come from the images
      of the calibration. alternate: every second image by name calibrates, the others are measured;
      halves: the first half and the second; all: the first half calibrates and all are measured.
      "int8 calibrated" is compiled with ranges; "int8 mixed" computes the layers that lose most in
      floats, up to 5 % of all multiplications, and dense ones in integers of 16 bits. Their files are
      the compiled ones. The time is that of the network with the decoding of its boxes, on one of the
      images; resident is what loading, a session and 20 runs add to a process of their own.
      """)

  static func run(_ arguments: ArgumentList) throws -> Int32 {
    let path = arguments.operands[0]
    let forms = try WeightVariant.list(arguments.value("--weights"))
    let backends = try BackendName.list(arguments.value("--backends"))
    let threads = try arguments.threadCount()
    let rounds = try arguments.integer("--rounds", in: 1...100_000) ?? 20
    let images = try LabeledImages(
      annotations: arguments.required("--annotations", "name a COCO file of instances"),
      folder: arguments.required("--images", "name the folder of the images"),
      split: arguments.choice("--split", LabeledImages.Split.self) ?? .alternate,
      limit: arguments.integer("--first", in: 2...Int.max))
    let progress = ProgressLine()
    let folder = try WorkFolder(arguments.value("--keep"))
    defer { folder.remove() }
    var rows = try VariantFiles(
      model: path, forms: forms, backends: backends, images: images, folder: folder.path
    ).rows(progress)
    for index in rows.indices {
      let name = "\(rows[index].weights), \(rows[index].backend)"
      rows[index].residentMebibytes = try VariantMemory.resident(of: rows[index], threads: threads)
      rows[index].metrics = try images.metrics(
        of: rows[index].load(), pool: ThreadPool(), progress, name)
    }
    progress.clear()
    try VariantTimes.measure(
      &rows, threads: threads, rounds: rounds, image: images.measured[0].path)
    let report = VariantReport(
      rows: rows, model: path,
      heading: "\(path): \(images.measured.count) images measured (\(images.description)), "
        + "\(images.calibration.count) for calibration, \(threadText(threads)), \(rounds) rounds",
      machine: arguments.value("--machine"))
    try report.benchReport().publish(arguments)
    return 0
  }
}
