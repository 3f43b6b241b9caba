// Fovea - finding objects in the pictures of a source, and saying which.
// SPDX-License-Identifier: Apache-2.0
internal import Fovea
internal import FoveaCommandLine
internal import FoveaFiles
internal import FoveaLibc
internal import FoveaVideo

/// Finds objects in the pictures of a source, and says which.
struct WatchRun {
  private let source: VideoSource
  private let options: SourceOptions
  private let request: DetectObjectsRequest
  private let analysis: VideoAnalysis
  private let rows: WatchOutput?
  private let printsRows: Bool
  private var tracking: WatchTracking?

  /// Loads the detector and starts to open the source.
  ///
  /// - Throws: `UsageError`, `CommandFailure`.
  init(_ options: SourceOptions, _ arguments: ArgumentList) throws {
    let running = Locked<VideoAnalysis?>(nil)
    Interruption.listen { running.withLock { $0?.sequence.cancel() } }
    var options = options
    var settings = try DetectionOptions(arguments)
    tracking = try WatchTracking(arguments)
    // Weak detections continue tracks.
    settings.confidence = settings.confidence ?? tracking?.leastScore
    options.sequence.orientation = settings.images.orientation
    self.options = options
    do throws(VideoError) {
      source = try VideoSource(named: arguments.operands[0])
    } catch {
      throw CommandFailure("\(error)")
    }
    printsRows = arguments.value("--jsonl") == "-"
    rows = try arguments.value("--jsonl").map { path throws(CommandFailure) in
      try WatchOutput(path)
    }
    let detector = ModelSource(arguments)
    let pool = try ModelLoading.threads(arguments)
    let model = try ModelLoading.load(detector, arguments)
    do throws(DetectionError) {
      request = try settings.request(model: model, pool: pool)
      _ = try request.resolvedSettings()
    } catch {
      throw error.reported(file: detector.name)
    }
    do throws(VideoResultError) {
      analysis = try VideoAnalysis(request, source, options.sequence)
    } catch {
      throw CommandFailure("\(error)")
    }
    let analysis = analysis
    running.withLock { $0 = analysis }
  }

  /// Looks at pictures until the source ends.
  ///
  /// - Returns: The exit code: 1 where there was no picture.
  mutating func run() throws -> Int32 {
    var count = 0
    var progress = WatchProgress()
    var failure: VideoResultError?
    defer { analysis.sequence.cancel() }
    do {
      while count < options.most, let result = try analysis.next() {
        count += 1
        try tracking?.update(result)
        try write(result)
        progress.show(result)
      }
    } catch let error as VideoResultError {
      failure = error
    }
    progress.clear()
    WatchEnding.report(count, analysis.sequence)
    try tracking?.finish(saysWords: !printsRows)
    return try WatchEnding.exitCode(count, analysis.sequence, failure.map { "\($0)" })
  }

  private func write(_ result: VideoResult) throws(CommandFailure) {
    let size = result.imageSize
    if let rows {
      let added = try tracking?.members(in: size) ?? []
      return try rows.append(WatchRow.text(result, adding: added))
    }
    let objects =
      tracking?.words(in: size)
      ?? result.observations.map { object in
        WatchRow.words(
          object.bestLabel?.identifier ?? "object", Double(object.topConfidence),
          object.boundingBox, in: size)
      }
    let time = NumberText.fixed(result.time, digits: 3)
    let text = objects.isEmpty ? "no objects" : objects.joined(separator: "; ")
    SystemInterface.writeOutput("\(time) s  \(text)\n")
  }
}

/// Where lines of JSON go.
struct WatchOutput {
  private let path: String
  /// `nil` for standard output.
  private let file: AppendedFile?

  /// Opens a file or makes it; what a regular file had in it goes. "-" is standard output.
  init(_ path: String) throws(CommandFailure) {
    self.path = path
    guard path != "-" else {
      file = nil
      return
    }
    do throws(FileError) {
      let file = try AppendedFile(path)
      if file.isRegular { try file.cut(to: 0) }
      self.file = file
    } catch {
      throw CommandFailure("\(path): \(error); name a file that can be written for --jsonl")
    }
  }

  func append(_ line: String) throws(CommandFailure) {
    guard let file else { return SystemInterface.writeOutput(line) }
    do throws(FileError) {
      try file.append(Array(line.utf8))
    } catch {
      throw CommandFailure("\(path): \(error); free some room")
    }
  }
}

/// Shows a person, twice a second, how far it has come.
private struct WatchProgress {
  private var start = MonotonicClock.seconds()
  private var last = 0.0
  private var count = 0

  mutating func show(_ result: VideoResult) {
    count += 1
    let now = MonotonicClock.seconds()
    guard SystemInterface.showsProgress, now - last > 0.5 else { return }
    last = now
    let rate = Double(count) / max(now - start, 1e-3)
    let time = NumberText.fixed(result.time, digits: 1)
    SystemInterface.writeProgress(
      "\(time) s  \(NumberText.fixed(rate, digits: 1)) pictures/s  "
        + "\(result.counts.dropped) dropped  \(result.observations.count) objects")
  }

  func clear() { if last > 0 { SystemInterface.writeProgress("") } }
}
