// Fovea - finding objects in the pictures of a source, and saying which.
// SPDX-License-Identifier: Apache-2.0
internal import Fovea
internal import FoveaCommandLine
internal import FoveaFiles
internal import FoveaLibc
internal import FoveaModelCommands
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
  private var drawing: WatchDrawing?
  private var serving: WatchServing?
  private let hiding: HidingOption
  private let crops: CropOutput?

  /// Loads the detector and starts to open the source.
  ///
  /// - Throws: `UsageError`, `CommandFailure`.
  init(_ options: SourceOptions, _ arguments: ArgumentList) throws {
    let running = Locked<VideoAnalysis?>(nil)
    Interruption.listen { running.withLock { $0?.sequence.cancel() } }
    var options = options
    var settings = try DetectionOptions(arguments)
    do throws(VideoError) {
      source = try VideoSource(named: arguments.operands[0])
    } catch {
      throw CommandFailure("\(error)")
    }
    tracking = try WatchTracking(arguments, source)
    // Weak detections continue tracks.
    settings.numbers.fill("confidence", with: tracking?.leastScore)
    options.sequence.orientation = settings.images.orientation
    hiding = try HidingOption(arguments, outputs: ["--draw", "--crop", "--serve"])
    drawing = try WatchDrawing(arguments, source, options.sequence.orientation, hiding)
    serving = try WatchServing(arguments, source, options.sequence.orientation)
    crops = CropOutput(arguments)
    // Who looks wants to see a file at its own pace.
    if serving != nil { options.sequence.isPaced = true }
    printsRows = arguments.value("--jsonl") == "-"
    self.options = options
    let detector = ModelSource(arguments)
    let pool = try ModelLoading.threads(arguments)
    let model = try ModelLoading.load(detector, arguments)
    do throws(DetectionError) {
      request = try settings.request(model: model, pool: pool)
      _ = try request.resolvedSettings()
      try hiding.check(request)
    } catch {
      throw error.reported(file: detector.name)
    }
    // Behind the model: one that cannot be opened leaves an older file as it is.
    rows = try WatchOutput(arguments, source)
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
    // Who sees the objects in a video needs no words about each picture.
    let isQuiet = rows == nil && (drawing != nil || serving != nil || crops != nil)
    var progress = WatchProgress(most: options.most, isAlone: isQuiet)
    var failure: VideoResultError?
    let sequence = analysis.sequence
    defer { sequence.cancel() }
    do {
      while count < options.most, let result = try analysis.next() {
        count += 1
        try tracking?.update(result)
        let hidden = hiding.objects(of: result, tracking)
        try drawing?.append(result, tracking, hiding: hidden, of: sequence.description)
        try crops?.append(
          result, tracking, hiding: hidden, turned: options.sequence.orientation)
        if rows != nil || serving != nil {
          let added = try tracking?.members(in: result.imageSize) ?? []
          let row = WatchRow.text(result, adding: added)
          try rows?.append(row)
          serving?.post(result, row, tracking, hiding: hidden)
        } else if !isQuiet {
          printWords(result)
        }
        progress.show(result, of: sequence.description)
      }
    } catch let error as VideoResultError {
      failure = error
    }
    progress.clear()
    serving?.finish()
    try drawing?.finish()
    WatchEnding.report(count, sequence)
    try tracking?.finish(saysWords: !printsRows)
    return try WatchEnding.exitCode(count, sequence, failure.map { "\($0)" })
  }

  private func printWords(_ result: VideoResult) {
    let size = result.imageSize
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

  /// Opens the file of `--jsonl`, or makes it; what a regular file had in it goes. "-" is standard
  /// output.
  ///
  /// - Returns: `nil` without the option.
  /// - Throws: `UsageError` where the file is the source, `CommandFailure`.
  init?(_ arguments: ArgumentList, _ source: VideoSource) throws {
    guard let path = arguments.value("--jsonl") else { return nil }
    self.path = path
    guard path != "-" else {
      file = nil
      return
    }
    guard !source.isFile(path) else {
      throw UsageError("--jsonl \(path): is the source itself; name another file")
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
