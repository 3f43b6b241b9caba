// Fovea - fovea detect on many images: a row for each.
// SPDX-License-Identifier: Apache-2.0
internal import Fovea
internal import FoveaCommandLine
internal import FoveaLibc
internal import FoveaModelCommands

/// `fovea detect` on many images: a row for each, in a file that a stopped job goes on with.
struct BatchDetection {
  static let options: [CommandDescription.Option] = [
    .init(
      name: "--jsonl", value: "FILE",
      help: "write a row of JSON for each image, on all threads; - is standard output"),
    .init(
      name: "--list", value: "FILE",
      help: "with --jsonl: the images, one path a line; - is standard input"),
  ]

  private let arguments: ArgumentList
  private let rows: String

  /// What the arguments say, or `nil` without `--jsonl`.
  ///
  /// - Throws: `UsageError`.
  init?(_ arguments: ArgumentList) throws(UsageError) {
    guard let rows = arguments.value("--jsonl") else {
      if arguments.has("--list") {
        throw UsageError("--list needs --jsonl, the file that the rows go to")
      }
      return nil
    }
    for option in ["--json", "--draw", "--blur", "--crop", "--explain"] where arguments.has(option)
    {
      throw UsageError("\(option) and --jsonl exclude each other")
    }
    guard arguments.has("--list") == arguments.operands.isEmpty else {
      throw UsageError(
        arguments.has("--list")
          ? "--list names the images; leave the other arguments out" : "an image is missing")
    }
    (self.arguments, self.rows) = (arguments, rows)
  }

  /// Looks at all images; returns the exit code.
  func run(_ source: ModelSource, _ options: DetectionOptions) throws -> Int32 {
    let threads =
      try arguments.integer("--threads", in: ThreadPool.threadCounts)
      ?? ThreadPool.defaultThreadCount
    let paths =
      try arguments.value("--list").map(BatchPaths.init(list:))
      ?? BatchPaths(ImageList.expanded(arguments.operands))
    let request: DetectObjectsRequest
    let settings: DetectionSettings
    do {
      // Images run side by side, each on one thread: nothing waits for anything.
      request = try options.request(
        model: try ModelLoading.load(source, arguments), pool: try ThreadPool(threadCount: 1))
      settings = try request.resolvedSettings()
    } catch let error as DetectionError {
      throw error.reported(file: source.name)
    }
    // Behind the model: one that cannot be opened leaves no file.
    let file = try RowFile(rows)
    let (orientation, background) = (options.images.orientation, options.background)
    var report = BatchReport(showsProgress: rows != "-" || SystemInterface.showsProgress)
    let job = try BatchRun(
      BatchImages(paths), to: file, report: report
    ) { image in
      let result = try request.result(
        on: background.applied(to: try image.file()), orientation: orientation, settings: settings)
      return DetectionRow.text(result, path: image.path)
    }
    if rows != "-" { Self.saysHowToGoOn(rows) }
    do {
      defer { report.clear() }
      report = try job.run(threads: threads)
    }
    if rows != "-" { SystemInterface.writeOutput("\(rows): \(report.summary)\n") }
    return report.allFailed ? 1 : 0
  }

  /// From now on, whoever stops the job reads how it goes on.
  private static func saysHowToGoOn(_ rows: String) {
    Interruption.listen {
      SystemInterface.writeProgress("")
      SystemInterface.writeError(
        "fovea detect: stopped; run the same command again to go on with \(rows.printable)\n")
    }
  }
}
