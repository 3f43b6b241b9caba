// Fovea - the table of a run.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaCommandLine
internal import FoveaFiles
internal import FoveaTraining

/// The table of a run: a row for each evaluation, with the names of columns that other trainers use.
struct ResultsFile {
  private static let columns = [
    "epoch", "time", "train/box_loss", "train/obj_loss", "train/cls_loss",
    "metrics/precision(B)", "metrics/recall(B)", "metrics/mAP50(B)", "metrics/mAP50-95(B)",
    "lr/pg0",
  ]
  private let path: String
  private var text: String

  /// A table at a path; that of a run that goes on keeps its rows of the steps that were taken.
  init(_ path: String, steps: Int) {
    self.path = path
    text = Self.columns.joined(separator: ",") + "\n"
    guard steps > 0, let bytes = try? FileBytes.read(path, maximumCount: 1 << 26) else { return }
    for row in String(decoding: bytes, as: UTF8.self).split(separator: "\n").dropFirst() {
      guard let step = row.split(separator: ",").first.flatMap({ Int($0) }), step <= steps else {
        continue
      }
      text += row + "\n"
    }
  }

  /// A row as numbers.
  struct Row {
    var step: Int
    var boxLoss: Double
    var objectLoss: Double
    var labelLoss: Double
    var averagePrecision50: Double
    var averagePrecision: Double
  }

  /// The rows of the table.
  var rows: [Row] {
    text.split(separator: "\n").dropFirst().compactMap { line in
      let cells = line.split(separator: ",", omittingEmptySubsequences: false)
      let numbers = cells.compactMap { Double($0) }
      guard numbers.count == Self.columns.count else { return nil }
      return Row(
        step: Int(numbers[0]), boxLoss: numbers[2], objectLoss: numbers[3], labelLoss: numbers[4],
        averagePrecision50: numbers[7], averagePrecision: numbers[8])
    }
  }

  /// Adds a row. The first column counts evaluations by their steps.
  mutating func add(_ progress: TrainingProgress) throws(TrainingError) {
    let score = progress.score
    let numbers = [
      progress.boxLoss, progress.objectLoss, progress.labelLoss, score?.precision ?? 0,
      score?.recall ?? 0, score?.averagePrecision50 ?? 0, score?.averagePrecision ?? 0,
    ]
    let row =
      ["\(progress.step)", NumberText.fixed(progress.seconds, digits: 1)]
      + numbers.map { NumberText.fixed($0, digits: 5) }
      + [NumberText.fixed(progress.rate, digits: 7)]
    text += row.joined(separator: ",") + "\n"
    do throws(FileError) {
      let file = try FileReplacement(path)
      try file.write(Array(text.utf8))
      try file.commit()
    } catch {
      throw TrainingError(.file, "\(path): \(error)")
    }
  }
}
