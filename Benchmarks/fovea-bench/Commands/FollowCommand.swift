// Fovea - fovea-bench follow: following one object through numbered pictures.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaCommandLine
internal import FoveaFollowing

/// Follows one object through the pictures of a folder and compares its boxes with true ones.
enum FollowCommand: Subcommand {
  static let description = CommandDescription(
    name: "follow", synopsis: "FOLDER BOXES [FOLDER BOXES ...] [OPTIONS]",
    summary: "Follows one object through numbered pictures: overlap with true boxes, and time.",
    options: [
      .init(name: "--level", value: "LEVEL", help: "fast (default) or accurate"),
      .init(name: "--rate", value: "FPS", help: "pictures a second (default 25)"),
    ] + BenchReport.options,
    operandCount: 2...1000,
    notes: """
      FOLDER holds JPEG or PNG pictures, in the order of their names. BOXES is a text file with a
      line a picture, left, top, width, height, separated by commas or blanks; a line that is no
      box of positive size says that the object is absent. The first box begins. auc is the mean,
      over thresholds 0, 0.05 ... 1, of the share of pictures whose intersection over union is above
      it; the first picture and those without the object are left out. absent is the share of those
      without it with a confidence below 0.3. Times are of the follower alone, on one thread.
      """)

  static func run(_ arguments: ArgumentList) throws -> Int32 {
    let level = try arguments.choice("--level", TrackingLevel.self) ?? .fast
    let rate = try arguments.integer("--rate", in: 1...1000) ?? 25
    let operands = arguments.operands
    guard operands.count.isMultiple(of: 2) else {
      throw UsageError("'\(operands[operands.count - 1])' has no file of boxes after it")
    }
    var rows: [FollowedRun] = []
    for index in stride(from: 0, to: operands.count, by: 2) {
      rows.append(
        try FollowedRun(
          folder: operands[index], boxes: operands[index + 1], level: level,
          seconds: 1 / Double(rate)))
    }
    let heading = "level \(level.rawValue), \(rows.count) sequences"
    try BenchReport(heading: heading, tables: [table(rows)]).publish(arguments)
    return 0
  }

  private static func table(_ runs: [FollowedRun]) -> ResultTable {
    var table = ResultTable(
      "follow",
      [
        .init("sequence"), .init("auc"), .init("pictures"), .init("absent_said"), .init("absent"),
        .init("minimum_ms", "min ms"), .init("median_ms", "median ms"),
      ])
    for run in runs {
      let times = SampleSummary(run.milliseconds)
      table.rows.append([
        .text(run.name), .number(run.areaUnderCurve, digits: 4), .count(run.overlaps.count),
        .count(run.absentSaid), .count(run.absent), .number(times.minimum, digits: 3),
        .number(times.median, digits: 3),
      ])
    }
    let mean = runs.map(\.areaUnderCurve).reduce(0, +) / Double(runs.count)
    let times = SampleSummary(runs.flatMap(\.milliseconds))
    table.rows.append([
      .text("mean"), .number(mean, digits: 4), .count(runs.map(\.overlaps.count).reduce(0, +)),
      .count(runs.map(\.absentSaid).reduce(0, +)), .count(runs.map(\.absent).reduce(0, +)),
      .number(times.minimum, digits: 3), .number(times.median, digits: 3),
    ])
    return table
  }
}
