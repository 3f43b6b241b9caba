// Fovea - a large job: all cores, rows in order, constant memory.
// SPDX-License-Identifier: Apache-2.0
internal import Fovea
internal import FoveaCommandLine
internal import FoveaModelCommands
internal import FoveaLibc

/// A large job: every thread takes an image, looks at it alone and hands in its row. Rows are written
/// in the order of the images.
final class BatchRun: Sendable {
  /// How many images the fastest thread may be ahead of the slowest, whose row is waited for.
  private static let greatestLead = 1024
  private static let stackBytes = 8 << 20

  private let images: Locked<Images>
  private let progress: Locked<Progress>
  private let row: @Sendable (BatchImage) throws -> String

  /// What threads take from.
  private struct Images {
    var all: BatchImages
    var finished: FinishedRows
    var taken = 0
    var skipped = 0
  }

  /// What threads hand in.
  private struct Progress {
    let file: RowFile
    var report: BatchReport
    /// Images that threads have or wait for, and rows that wait for an earlier one.
    var lead = 0
    var next = 0
    var waiting: [Int: Row] = [:]
    var threads = 0
    var failure: (any Error)?
  }

  /// A row that may have to wait.
  private struct Row {
    var text: String
    var isError: Bool
    var fractionDone: Double?
  }

  /// - Parameter row: The row of an image; what it throws becomes a row with `error`.
  init(
    _ images: sending BatchImages, to file: sending RowFile, report: BatchReport,
    row: @escaping @Sendable (BatchImage) throws -> String
  ) throws(CommandFailure) {
    let finished = try FinishedRows(path: file.path, count: file.finishedCount)
    self.images = Locked(Images(all: images, finished: finished))
    progress = Locked(Progress(file: file, report: report))
    self.row = row
  }

  /// Looks at all images on `threads` threads, that of the caller among them.
  ///
  /// - Throws: `CommandFailure` for rows that cannot be written or a list that cannot be read; what is
  ///   written stays, and the next run goes on with it.
  func run(threads: Int) throws -> BatchReport {
    progress.withLock { $0.threads = threads }
    for _ in 1..<max(threads, 1) {
      if !startThread(stackBytes: Self.stackBytes, { self.work() }) {
        progress.withLock { $0.threads -= 1 }
      }
    }
    work()
    let failure = progress.wait { $0.threads == 0 ? .some($0.failure) : nil }
    if let failure { throw failure }
    var report = progress.withLock { $0.report }
    report.skipped = images.withLock { $0.skipped }
    return report
  }

  private func work() {
    do {
      while let (number, image) = try take() {
        try handIn(number, row(of: image))
      }
    } catch {
      progress.withLock { $0.failure = $0.failure ?? error }
    }
    progress.withLock { $0.threads -= 1 }
    progress.wakeAll()
  }

  /// The next image without a row and its number, or `nil` at the end.
  private func take() throws -> (Int, BatchImage)? {
    let mayGoOn = progress.wait { progress in
      if progress.failure != nil { return false }
      guard progress.lead < Self.greatestLead else { return nil as Bool? }
      progress.lead += 1
      return true
    }
    guard mayGoOn else { return nil }
    // Under a lock of its own: a list that comes through a pipe may make this wait.
    let found = try images.withLock { images in
      while let image = try images.all.next() {
        guard try images.finished.contains(image.path) else {
          defer { images.taken += 1 }
          return Optional((images.taken, image))
        }
        images.skipped += 1
      }
      return nil
    }
    if found == nil { progress.withLock { $0.lead -= 1 } }
    return found
  }

  private func row(of image: BatchImage) -> Row {
    do {
      return Row(text: try row(image), isError: false, fractionDone: image.fractionDone)
    } catch {
      let failure = (error as? CommandFailure) ?? CommandFailure(error, file: image.path)
      return Row(
        text: DetectionRow.text(error: failure.message, path: image.path), isError: true,
        fractionDone: image.fractionDone)
    }
  }

  /// Writes a row, and those that have waited for it.
  private func handIn(_ number: Int, _ row: Row) throws {
    try progress.withLock { progress in
      progress.waiting[number] = row
      while progress.failure == nil, let row = progress.waiting.removeValue(forKey: progress.next) {
        try progress.file.append(row.text)
        progress.next += 1
        progress.lead -= 1
        progress.report.add(isError: row.isError, fractionDone: row.fractionDone)
      }
    }
    progress.wakeAll()
  }
}
