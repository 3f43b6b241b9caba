// Fovea - options that say how moving pictures are read.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaCommandLine
internal import FoveaVideo

/// How moving pictures are read.
struct SourceOptions {
  static let options: [CommandDescription.Option] = [
    .init(
      name: "--keep", value: "WHICH",
      help: "the pictures to look at: latest or all (default: latest of live sources)",
      choices: FrameKeeping.allCases.map(\.rawValue)),
    .init(name: "--realtime", help: "let a file come at its own pace, as from a camera"),
    .init(
      name: "--deadline", value: "MS",
      help: "when a result is late: milliseconds after its picture; a detector that allows"
        + " several sizes then takes a smaller one"),
    .init(name: "--frames", value: "N", help: "stop after N pictures"),
    .init(
      name: "--timeout", value: "SECONDS",
      help: "how long to wait for the first picture, and for the next (default 15 and 10)"),
    .init(
      name: "--reconnect", value: "N",
      help: "how often in a row a lost stream is opened again (default 8)"),
    .init(name: "--decoder-threads", value: "N", help: "threads of the decoder (default 1)"),
    .init(name: "--both-fields", help: "look at both fields of interlaced pictures at once"),
  ]

  var sequence = SequenceOptions()
  /// The greatest number of pictures.
  let most: Int

  /// Reads the options.
  ///
  /// - Throws: `UsageError`.
  init(_ arguments: ArgumentList) throws(UsageError) {
    most = try arguments.integer("--frames", in: 1...Int.max) ?? .max
    sequence.keeping = try arguments.choice("--keep", FrameKeeping.self)
    sequence.isPaced = arguments.has("--realtime")
    sequence.splitsFields = !arguments.has("--both-fields")
    sequence.deadline = try arguments.integer("--deadline", in: 1...3_600_000).map {
      Double($0) / 1000
    }
    sequence.maximumReconnects = try arguments.integer("--reconnect", in: 0...Int.max) ?? 8
    sequence.video.decoderThreads = try arguments.integer("--decoder-threads", in: 1...64) ?? 1
    if let seconds = try arguments.integer("--timeout", in: 1...86_400) {
      sequence.video.limits.openingSeconds = Double(seconds)
      sequence.video.limits.readingSeconds = Double(seconds)
    }
  }
}
