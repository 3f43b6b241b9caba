// Fovea - tracks and counts of fovea watch.
// SPDX-License-Identifier: Apache-2.0
internal import Fovea
internal import FoveaCommandLine
internal import FoveaModelCommands
internal import FoveaGeometry
internal import FoveaTracking
internal import FoveaVideo

/// Tracks what is found in the pictures of a source, and counts it at lines and in zones.
struct WatchTracking {
  static let options: [CommandDescription.Option] =
    [
      .init(
        name: "--track", help: "give objects identifiers that they keep from picture to picture"),
      .init(
        name: "--camera-moves",
        help: "with --track: take the motion of the camera, seen in the pictures, out of tracks"),
      .init(
        name: "--prominent", value: "1|5",
        help: "with --track: show the most prominent object alone, or five at most"),
      .init(
        name: "--counts", value: "FILE",
        help: "with --line and --zone: the JSON document of counts to write in the end;"
          + " - is standard output"),
    ] + CountingArguments.options + TrackingArguments.options

  /// The least score of detections that the tracker looks at.
  let leastScore: Double
  private let counting: CountingArguments
  private let memory: Double
  private let countsPath: String?
  private var tracking: VideoTracking
  /// What picks the objects that are shown; `nil` for all.
  private var prominent: ProminentTracks?
  /// The objects of the last picture that are shown.
  private(set) var tracks: [VideoTrack] = []
  /// What counts at lines and in zones; `nil` where there are none, and before the first picture.
  private(set) var counter: ObjectCounter?
  /// What was counted in the last picture.
  private var events: [CountingDocument.Event] = []

  /// Reads the options; `nil` without `--track`.
  ///
  /// - Throws: `UsageError`.
  init?(_ arguments: ArgumentList, _ source: VideoSource) throws(UsageError) {
    guard arguments.has("--track") else {
      if let option = Self.options.first(where: { arguments.has($0.name) }) {
        throw UsageError("\(option.name) is for tracked objects; add --track")
      }
      return nil
    }
    let options = try TrackingArguments.options(arguments)
    counting = try CountingArguments(arguments)
    countsPath = arguments.value("--counts")
    guard countsPath == nil || !counting.isEmpty else {
      throw UsageError("--counts has nothing to count; name a --line or --zone")
    }
    guard countsPath == nil || countsPath != arguments.value("--jsonl") else {
      throw UsageError("--counts and --jsonl are both '\(countsPath ?? "")'; name two files")
    }
    if let countsPath, source.isFile(countsPath) {
      throw UsageError("--counts \(countsPath): is the source itself; name another file")
    }
    leastScore = options.lowScore
    memory = options.memory
    tracking = VideoTracking(options: options, cameraMoves: arguments.has("--camera-moves"))
    prominent = try Self.prominent(arguments)
  }

  private static func prominent(
    _ arguments: ArgumentList
  ) throws(UsageError) -> ProminentTracks? {
    switch arguments.value("--prominent") {
    case nil: nil
    case "1": ProminentTracks()
    case "5": ProminentTracks(findsMultiple: true)
    case let text?:
      throw UsageError("--prominent is '\(text)'; expected 1 for one object, 5 for at most five")
    }
  }

  /// Takes in what was found in a picture.
  ///
  /// - Throws: `UsageError` for a line or zone that is none in a picture of this size.
  mutating func update(_ result: VideoResult) throws(UsageError) {
    tracking.update(result)
    tracks = tracking.tracks
    if let picked = prominent?.picked(from: tracks, in: result.imageSize) { tracks = picked }
    events.removeAll(keepingCapacity: true)
    guard !counting.isEmpty, let size = tracking.size else { return }
    if counter == nil {
      counter = try counting.counter(width: size.width, height: size.height, memory: memory)
    }
    counter?.update(tracking.objects, seconds: result.time)
    guard let counter else { return }
    for event in counter.events {
      events.append(CountingDocument.Event(event, of: counter, frame: result.index))
    }
  }

  /// All objects of the last picture, also those that are not shown.
  var everyTrack: [VideoTrack] { tracking.tracks }
  /// The size of the first upright picture, in whose pixels lines and zones are.
  var size: ImageSize? { tracking.size }
  /// The point of a box that is counted.
  var anchor: CountingOptions.Anchor { counting.anchor }

  // MARK: What is written

  /// The members that tracks and counts add to a line of JSON, for a picture of `size`.
  func members(in size: ImageSize) throws(CommandFailure) -> [String] {
    let tracks = tracks.map { track in
      "{\"identifier\":\(track.identifier),\"predicted\":\(track.isPredicted),"
        + DetectionRow.members(
          track.label, Double(track.confidence), track.boundingBox, in: size)
        + (track.observation.map { ObjectShapeDocument.members($0, in: size) } ?? "") + "}"
    }
    var members = ["\"tracks\":[\(tracks.joined(separator: ","))]"]
    if let counter {
      let report = CountingReport(counter, labels: tracking.labels)
      members.append("\"lines\":" + (try JSONOutput.line(report.lines)))
      members.append("\"zones\":" + (try JSONOutput.line(report.zones)))
      members.append("\"events\":" + (try JSONOutput.line(events)))
    }
    return members
  }

  /// The objects of the last picture in words, for a picture of `size`.
  func words(in size: ImageSize) -> [String] {
    tracks.map { track in
      "\(track.identifier): "
        + WatchRow.words(track.label, Double(track.confidence), track.boundingBox, in: size)
        + (track.isPredicted ? ", predicted" : "")
    }
  }

  /// Writes the counts in the end: to the file of `--counts`, and in words.
  ///
  /// - Parameter saysWords: Whether standard output is for people.
  func finish(saysWords: Bool) throws(CommandFailure) {
    guard let counter else { return }
    if let countsPath {
      let document = CountingDocument(counter, labels: tracking.labels, events: nil)
      let text = try JSONOutput.text(document)
      if countsPath == "-" {
        SystemInterface.writeOutput(text)
      } else {
        try SystemInterface.writeFile(text, to: countsPath)
      }
    }
    guard saysWords, countsPath != "-" else { return }
    let report = CountingReport(counter, labels: tracking.labels)
    for line in report.lines {
      say(line.name, Self.words(line.total), line.byLabel.mapValues(Self.words))
    }
    for zone in report.zones {
      say(zone.name, Self.words(zone.total), zone.byLabel.mapValues(Self.words))
    }
  }

  private func say(_ name: String, _ total: String, _ byLabel: [String: String]) {
    var text = "\(name): \(total)\n"
    for (label, words) in byLabel.sorted(by: { $0.key < $1.key }) {
      text += "  \(label): \(words)\n"
    }
    SystemInterface.writeOutput(text)
  }

  private static func words(_ counts: LineCounts) -> String {
    "\(counts.toLeft) to the left, \(counts.toRight) to the right"
  }

  private static func words(_ counts: ZoneCounts) -> String {
    "\(counts.entered) entered, \(counts.left) left, \(counts.appeared) appeared, "
      + "\(counts.vanished) vanished, \(counts.present) present"
  }
}
