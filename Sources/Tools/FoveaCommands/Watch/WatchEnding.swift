// Fovea - how fovea watch ends.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaCommandLine
internal import FoveaVideo

/// How `fovea watch` ends.
enum WatchEnding {
  /// Says on standard error what did not go as it should.
  static func report(_ count: Int, _ sequence: VideoSequence) {
    let counts = sequence.counts
    var parts: [String] = []
    func add(_ number: Int, _ words: String) {
      if number > 0 { parts.append("\(number) \(words)") }
    }
    add(counts.dropped, "dropped")
    add(counts.late, "late")
    add(counts.damaged, "damaged")
    add(counts.lost, "lost")
    add(counts.passedErrors, "errors passed over")
    add(counts.reconnects, "times opened again")
    if let ending = sequence.ending { parts.append("ended early: \(ending)") }
    guard !parts.isEmpty else { return }
    let words = (["\(count) pictures looked at"] + parts).joined(separator: ", ")
    SystemInterface.writeError("fovea watch: \(sequence.source.name): \(words)\n")
  }

  /// The exit code after `count` pictures.
  ///
  /// - Throws: `CommandFailure` for a failure, and where there was no picture.
  static func exitCode(
    _ count: Int, _ sequence: VideoSequence, _ failure: String?
  ) throws(CommandFailure) -> Int32 {
    if let code = Interruption.exitCode { return code }
    if let failure { throw CommandFailure(failure) }
    if count == 0 { throw CommandFailure(wordsWithoutPicture(sequence.source)) }
    return 0
  }

  /// What to say of a source that gave no picture.
  static func wordsWithoutPicture(_ source: VideoSource) -> String {
    let remedy =
      source == .standardInput
      ? "name the file: an MP4 whose index comes last cannot come through a pipe"
      : "copy or download it again"
    return "\(source.name): gave no picture; \(remedy)"
  }
}
