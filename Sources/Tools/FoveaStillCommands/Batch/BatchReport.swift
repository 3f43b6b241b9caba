// Fovea - how far a large job is.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaCommandLine

/// How far a large job is: for a person while it runs, and in one line at its end.
struct BatchReport {
  /// Rows that this run wrote.
  private(set) var written = 0
  /// Those of them that have an error.
  private(set) var errors = 0
  /// Images that had a row before.
  var skipped = 0
  private let showsProgress: Bool
  private let start = ContinuousClock.now
  private var shown = ContinuousClock.now
  /// The part of the job that was done when this run wrote its first row.
  private var firstFraction: Double?

  init(showsProgress: Bool) { self.showsProgress = showsProgress }

  /// Counts a row, and shows a line four times a second.
  mutating func add(isError: Bool, fractionDone: Double?) {
    written += 1
    errors += isError ? 1 : 0
    let firstFraction = firstFraction ?? fractionDone
    self.firstFraction = firstFraction
    guard showsProgress, ContinuousClock.now - shown >= .milliseconds(250) else { return }
    shown = .now
    SystemInterface.writeProgress(
      Self.line(
        written: written, errors: errors, seconds: (shown - start).milliseconds / 1000,
        done: fractionDone, sinceStart: fractionDone.map { $0 - (firstFraction ?? 0) }))
  }

  /// Takes the line away.
  func clear() {
    if showsProgress { SystemInterface.writeProgress("") }
  }

  /// Whether no image of the job has a row without an error.
  var allFailed: Bool { written > 0 && errors == written && skipped == 0 }

  /// The result in one line.
  var summary: String {
    let seconds = NumberText.fixed((ContinuousClock.now - start).milliseconds / 1000, digits: 1)
    let before = skipped > 0 ? "; \(skipped) were done before" : ""
    return "\(written) images, \(errors) with an error, in \(seconds) s\(before)"
  }

  /// "1200 images, 3 with an error, 162 a second, 61.0 %, 12 min left".
  static func line(
    written: Int, errors: Int, seconds: Double, done: Double?, sinceStart: Double?
  ) -> String {
    var parts = ["\(written) images"]
    if errors > 0 { parts.append("\(errors) with an error") }
    if seconds > 0 {
      let rate = Double(written) / seconds
      parts.append("\(NumberText.fixed(rate, digits: rate < 10 ? 1 : 0)) a second")
    }
    if let done { parts.append(NumberText.percent(done)) }
    if let done, let sinceStart, sinceStart > 0 {
      parts.append("\(duration((1 - done) / sinceStart * seconds)) left")
    }
    return parts.joined(separator: ", ")
  }

  private static func duration(_ seconds: Double) -> String {
    switch seconds {
    case ..<90: "\(NumberText.fixed(seconds, digits: 0)) s"
    case ..<5400: "\(NumberText.fixed(seconds / 60, digits: 0)) min"
    default: "\(NumberText.fixed(seconds / 3600, digits: 1)) h"
    }
  }
}
