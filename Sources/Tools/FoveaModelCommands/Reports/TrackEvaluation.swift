// Fovea - fovea evaluate --tracks: how well tracks follow objects.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaCommandLine
internal import FoveaEvaluation

/// The part of `fovea evaluate` that compares tracks with ground truth.
enum TrackEvaluation {
  static let options: [CommandDescription.Option] = [
    .init(
      name: "--tracks", value: "FILE",
      help: "instead of detections, tracks in MOTChallenge's text; may be given for each sequence",
      isRepeatable: true),
    .init(
      name: "--truth", value: "FILE",
      help: "with --tracks: where the objects are (gt.txt), one for each file of tracks",
      isRepeatable: true),
    .init(
      name: "--seqinfo", value: "FILE",
      help: "with --tracks: how many frames there are (seqinfo.ini; default: the last with a box)",
      isRepeatable: true),
    .init(
      name: "--rules", value: "NAME",
      help: "with --tracks: what counts: mot15, mot17 or mot20 (default: by the columns)",
      choices: GroundTruthRules.allCases.map(\.rawValue)),
  ]

  /// Whether tracks are what is evaluated.
  ///
  /// - Throws: `UsageError` if an option of the other kind stands beside.
  static func isChosen(
    _ arguments: ArgumentList, among all: [CommandDescription.Option]
  ) throws(UsageError) -> Bool {
    let own = Set(options.map(\.name))
    guard arguments.has("--tracks") else {
      if let stranger = options.first(where: { arguments.has($0.name) }) {
        throw UsageError("\(stranger.name) is for --tracks, which names the tracks to evaluate")
      }
      return false
    }
    let stranger = all.first {
      !own.contains($0.name) && $0.name != "--json" && arguments.has($0.name)
    }
    if let stranger {
      throw UsageError("\(stranger.name) is for detections; it cannot stand beside --tracks")
    }
    if let operand = arguments.operands.first {
      throw UsageError("--tracks needs no model, but '\(operand)' is given")
    }
    return true
  }

  static func run(_ arguments: ArgumentList) throws -> Int32 {
    let tracks = arguments.values("--tracks")
    let truths = arguments.values("--truth")
    let informations = arguments.values("--seqinfo")
    guard tracks.count == truths.count else {
      throw UsageError(
        "\(tracks.count) times --tracks and \(truths.count) times --truth; "
          + "give both for each sequence")
    }
    guard informations.isEmpty || informations.count == tracks.count else {
      throw UsageError("--seqinfo is given for some sequences only; give it for all or for none")
    }
    let rules = try arguments.choice("--rules", GroundTruthRules.self)
    var report = TrackMetricsReport()
    for (index, path) in tracks.enumerated() {
      do throws(EvaluationError) {
        let information =
          informations.isEmpty ? nil : try SequenceInformation(contentsOf: informations[index])
        let metrics = try TrackMetrics(
          results: MOTChallengeFile(contentsOf: path),
          truth: MOTChallengeFile(contentsOf: truths[index]), rules: rules,
          frameCount: information?.frameCount)
        report.add(metrics, name: information?.name ?? path)
      } catch {
        throw CommandFailure("\(error)")
      }
    }
    if arguments.has("--json") {
      try JSONOutput.write(TrackMetricsDocument(report))
    } else {
      SystemInterface.writeOutput(report.text)
    }
    return 0
  }
}
