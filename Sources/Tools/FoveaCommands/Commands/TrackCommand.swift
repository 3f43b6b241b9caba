// Fovea - fovea track: detections in, tracks out.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaCommandLine
internal import FoveaEvaluation
internal import FoveaGeometry
internal import FoveaTracking

/// Follows the objects of a file of detections.
enum TrackCommand: Subcommand {
  static let description = CommandDescription(
    name: "track",
    synopsis: "--detections FILE [--seqinfo FILE] [--camera-motion FILE] -o FILE [OPTIONS]",
    summary: "Gives objects identifiers that they keep from frame to frame.",
    options: [
      .init(
        name: "--detections", value: "FILE",
        help: "what a detector found in each frame (MOTChallenge's det.txt)"),
      .init(
        name: "--seqinfo", value: "FILE",
        help: "the frame rate and the number of frames (MOTChallenge's seqinfo.ini)"),
      .init(
        name: "--frame-rate", value: "N", help: "frames a second, without --seqinfo (default 30)"),
      .init(
        name: "--camera-motion", value: "FILE",
        help: "how the picture moves: lines of frame (from 0) a11 a12 tx a21 a22 ty"),
      .init(name: "-o", value: "FILE", help: "the file of tracks to write; - is standard output"),
      .init(
        name: "--counts", value: "FILE",
        help: "with --line and --zone: the JSON document of counts to write; - is standard output"),
    ] + TrackingArguments.options + CountingArguments.options,
    operandCount: 0...0,
    notes: """
      Writes lines of frame, identifier, left, top, width, height, score, -1, -1, -1. Identifiers
      count from 1 and are never used again. A box that is predicted and not seen has the score 0.
      Left and right of a line are as seen from its first point. An object counts once in each
      number.
      """)

  static func run(_ arguments: ArgumentList) throws -> Int32 {
    let path = try arguments.required("--detections", "name the file of detections")
    let output = try arguments.required("-o", "name the file to write, or - for standard output")
    let options = try TrackingArguments.options(arguments)
    let statedRate = try frameRate(arguments)
    let counting = try CountingArguments(arguments)
    let counts = try countsOutput(arguments, counting, tracks: output)
    let information = try read { () throws(EvaluationError) in
      try arguments.value("--seqinfo").map(SequenceInformation.init(contentsOf:))
    }
    var run = TrackingRun(
      options: options, frameRate: information?.frameRate ?? statedRate ?? defaultFrameRate)
    run.counter = try counter(counting, information, memory: options.memory)
    let text = try read { () throws(EvaluationError) in
      if let path = arguments.value("--camera-motion") {
        run.motions = try CameraMotionFile(contentsOf: path).motions
      }
      return try run.follow(
        MOTChallengeFile(contentsOf: path), frameCount: information?.frameCount)
    }
    try write(text, to: output)
    if let counts, let counter = run.counter {
      let document = CountingDocument(counter, labels: ["object"], events: run.events)
      try write(JSONOutput.text(document), to: counts)
    }
    return 0
  }

  private static func read<Value>(
    _ body: () throws(EvaluationError) -> Value
  ) throws(CommandFailure) -> Value {
    do {
      return try body()
    } catch {
      throw CommandFailure("\(error)")
    }
  }

  private static func write(_ text: String, to path: String) throws(CommandFailure) {
    if path == "-" {
      SystemInterface.writeOutput(text)
    } else {
      try SystemInterface.writeFile(text, to: path)
      SystemInterface.reportWritten(path)
    }
  }

  private static func countsOutput(
    _ arguments: ArgumentList, _ counting: CountingArguments, tracks: String
  ) throws(UsageError) -> String? {
    guard let path = arguments.value("--counts") else {
      guard counting.isEmpty else {
        throw UsageError("--line and --zone count into a file; name it by --counts")
      }
      return nil
    }
    guard !counting.isEmpty else {
      throw UsageError("--counts has nothing to count; name a --line or --zone")
    }
    guard path != tracks else {
      throw UsageError("--counts and -o are both '\(path)'; name two files")
    }
    return path
  }

  private static func counter(
    _ counting: CountingArguments, _ information: SequenceInformation?, memory: Double
  ) throws(UsageError) -> ObjectCounter? {
    guard !counting.isEmpty else { return nil }
    guard counting.anchor != .feet else {
      throw UsageError("--anchor feet needs key points, which boxes do not have; use fovea watch")
    }
    let (width, height) = (information?.width, information?.height)
    guard !counting.needsSize || (width != nil && height != nil) else {
      throw UsageError("percent need imWidth and imHeight; give --seqinfo, or count in pixels")
    }
    return try counting.counter(width: width ?? 1, height: height ?? 1, memory: memory)
  }

  private static let defaultFrameRate = 30.0

  private static func frameRate(_ arguments: ArgumentList) throws(UsageError) -> Double? {
    guard let text = arguments.value("--frame-rate") else { return nil }
    guard !arguments.has("--seqinfo") else {
      throw UsageError("--frame-rate is stated by --seqinfo; give one of them")
    }
    guard let rate = Double(text), SequenceInformation.frameRates.contains(rate) else {
      throw UsageError("--frame-rate is '\(text)'; expected a number in 0.001...10000")
    }
    return rate
  }
}
