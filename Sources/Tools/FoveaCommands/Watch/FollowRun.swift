// Fovea - fovea watch --follow: one object through the pictures of a source.
// SPDX-License-Identifier: Apache-2.0
internal import Fovea
internal import FoveaCommandLine
internal import FoveaFollowing
internal import FoveaGeometry
internal import FoveaJSON
internal import FoveaLibc
internal import FoveaModelCommands
internal import FoveaVideo

/// Follows one object through the pictures of a source, without a detector.
struct FollowRun {
  static let options: [CommandDescription.Option] = [
    .init(
      name: "--follow", value: "X,Y,W,H",
      help: "follow what this box of the first picture shows, without a detector; in pixels"),
    .init(
      name: "--level", value: "LEVEL",
      help: "with --follow: fast or accurate (default fast)",
      choices: TrackingLevel.allCases.map(\.rawValue)),
  ]

  private let source: VideoSource
  private let options: SourceOptions
  private let sequence: VideoSequence
  private let box: FollowedBox
  private let level: TrackingLevel
  private let rows: WatchOutput?

  /// Starts to open the source; `nil` without `--follow`.
  ///
  /// - Throws: `UsageError`, `CommandFailure`.
  init?(_ options: SourceOptions, _ arguments: ArgumentList) throws {
    guard let text = arguments.value("--follow") else {
      guard !arguments.has("--level") else {
        throw UsageError("--level is for an object that is followed; add --follow")
      }
      return nil
    }
    try Self.refuseOthers(arguments)
    box = try FollowedBox(text, option: "--follow")
    level = try arguments.choice("--level", TrackingLevel.self) ?? .fast
    var options = options
    options.sequence.orientation = try ImageOptions(arguments).orientation
    self.options = options
    let running = Locked<VideoSequence?>(nil)
    Interruption.listen { running.withLock { $0?.cancel() } }
    do throws(VideoError) {
      source = try VideoSource(named: arguments.operands[0])
      sequence = try VideoSequence(source, options.sequence)
    } catch {
      throw CommandFailure("\(error)")
    }
    rows = try WatchOutput(arguments, source)
    let sequence = sequence
    running.withLock { $0 = sequence }
  }

  /// Options of detectors would say nothing here.
  private static func refuseOthers(_ arguments: ArgumentList) throws(UsageError) {
    let known = (Self.options + SourceOptions.options).map(\.name) + ["--jsonl", "--orientation"]
    let others = WatchCommand.description.options.map(\.name).filter { name in
      name == "--deadline" || !known.contains(name)
    }
    if let name = others.first(where: arguments.has) {
      throw UsageError("\(name) says nothing to --follow, which runs no detector; leave it out")
    }
  }

  /// Follows the object until the source ends.
  ///
  /// - Returns: The exit code.
  func run() throws -> Int32 {
    var count = 0
    var failure: VideoError?
    defer { sequence.cancel() }
    let handler = SequenceRequestHandler()
    var request: TrackObjectRequest?
    do {
      while count < options.most, let (taken, _) = try sequence.next() {
        var frame = taken
        if let orientation = options.sequence.orientation { frame.orientation = orientation }
        let size = frame.orientation.uprightSize(of: frame.size)
        let begun = try request ?? box.request(in: size, level)
        request = begun
        let object = try follow(begun, in: frame, handler)
        try write(object, in: frame)
        count += 1
      }
    } catch let error as VideoError {
      failure = error
    }
    WatchEnding.report(count, sequence)
    return try WatchEnding.exitCode(count, sequence, failure.map { "\($0)" })
  }

  private func follow(
    _ request: TrackObjectRequest, in frame: VideoFrame, _ handler: SequenceRequestHandler
  ) throws -> TrackedObjectObservation {
    // A woven picture shows what moves twice; every second row of it does not.
    let isSplit = options.sequence.splitsFields && frame.interlacing != nil
    do {
      return try frame.withPlanes { planes throws(FollowingError) in
        try handler.perform(
          [request], onPlanes: isSplit ? planes.field(isTop: true) ?? planes : planes,
          orientation: frame.planesOrientation, time: frame.time)[0]
      }
    } catch FollowingError.invalidBox {
      throw UsageError(box.refusal(in: frame.orientation.uprightSize(of: frame.size)))
    } catch {
      throw CommandFailure("\(source.name): \(error)")
    }
  }

  private func write(
    _ object: TrackedObjectObservation, in frame: VideoFrame
  ) throws(CommandFailure) {
    let size = frame.orientation.uprightSize(of: frame.size)
    let box = object.boundingBox.toImageCoordinates(size, origin: .upperLeft)
    let sides = [box.x, box.y, box.width, box.height]
    guard let rows else {
      let place = sides.map { NumberText.fixed($0, digits: 0) }.joined(separator: ",")
      let confidence = NumberText.percent(Double(object.confidence))
      SystemInterface.writeOutput(
        "\(NumberText.fixed(frame.time, digits: 3)) s  \(confidence) at \(place), "
          + "\(object.state.rawValue)\n")
      return
    }
    let numbers = sides.map { JSONText.number(NumberText.rounded($0, digits: 3)) }
    let time = JSONText.number(NumberText.rounded(frame.time, digits: 6))
    let confidence = JSONText.number(NumberText.rounded(Double(object.confidence), digits: 6))
    try rows.append(
      "{\"frame\":\(frame.index),\"time\":\(time),\"bbox\":[\(numbers.joined(separator: ","))],"
        + "\"confidence\":\(confidence)}\n")
  }
}
