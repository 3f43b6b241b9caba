// Fovea - fovea annotations follow: boxes of one picture become those of a whole clip.
// SPDX-License-Identifier: Apache-2.0
internal import Fovea
internal import FoveaAnnotationCommands
internal import FoveaAnnotations
internal import FoveaCommandLine
internal import FoveaFiles
internal import FoveaFollowing
internal import FoveaGeometry
internal import FoveaLibc
internal import FoveaVideo

/// Follows objects through a clip, and writes pictures of it with their boxes.
struct FollowAction {
  static let options: [CommandDescription.Option] = [
    .init(
      name: "--box", value: "X,Y,W,H",
      help: "with follow: where an object is in the first picture, in pixels; once for each object",
      isRepeatable: true),
    .init(
      name: "--label", value: "TEXT",
      help: "with follow: what the object is; once for all boxes, or once for each",
      isRepeatable: true),
    .init(
      name: "--every", value: "N", help: "with follow: keep each N-th picture (default 5)"),
  ]

  private let sequence: VideoSequence
  private let boxes: [FollowedBox]
  /// The place of each box's label in the classes.
  private let classes: [Int]
  private let step: Int
  private let form: AnnotationForm
  private let folder: String
  /// The beginning of pictures' names.
  private let stem: String
  private var set: AnnotatedSet
  /// Times of pictures in which an object was not seen.
  private var leftOut: [Double] = []

  static func run(_ arguments: ArgumentList) throws -> Int32 {
    var action = try FollowAction(arguments)
    return try action.run(asJSON: arguments.has("--json"))
  }

  private init(_ arguments: ArgumentList) throws {
    let texts = arguments.values("--box")
    guard !texts.isEmpty else {
      throw UsageError("--box is missing: name left, top, width and height of an object in pixels")
    }
    boxes = try texts.map { text throws(UsageError) in try FollowedBox(text, option: "--box") }
    let labels = arguments.values("--label")
    guard labels.count == 1 || labels.count == boxes.count else {
      throw UsageError(
        "\(boxes.count) --box and \(labels.count) --label are named; expected one label for all"
          + " boxes, or one for each")
    }
    let names = labels.reduce(into: [String]()) { if !$0.contains($1) { $0.append($1) } }
    classes = boxes.indices.map { names.firstIndex(of: labels[min($0, labels.count - 1)]) ?? 0 }
    step = try arguments.integer("--every", in: 1...1_000_000) ?? 5
    form = try arguments.choice("--to", AnnotationForm.self) ?? .createML
    folder = try arguments.output()
    if SystemInterface.fileNames(in: folder)?.isEmpty == false {
      throw CommandFailure("\(folder): is not empty; name a new folder for the pictures")
    }
    set = AnnotatedSet(classes: names, pictures: [])
    let name = arguments.operands[1]
    stem = Self.stem(of: name)
    let running = Locked<VideoSequence?>(nil)
    Interruption.listen { running.withLock { $0?.cancel() } }
    do throws(VideoError) {
      var options = SequenceOptions()
      options.keeping = .all
      sequence = try VideoSequence(VideoSource(named: name), options)
    } catch {
      throw CommandFailure("\(error)")
    }
    let sequence = sequence
    running.withLock { $0 = sequence }
  }

  /// The name without folders, ending and what would not stand in a file's name.
  private static func stem(of name: String) -> String {
    let file = name.split(separator: "/").last.map(String.init) ?? name
    let stem = file.lastIndex(of: ".").map { String(file[..<$0]) } ?? file
    let kept = String(stem.map { $0.isLetter || $0.isNumber || $0 == "-" ? $0 : "_" })
    return kept.isEmpty ? "picture" : kept
  }

  // MARK: Following

  private mutating func run(asJSON: Bool) throws -> Int32 {
    defer { sequence.cancel() }
    var failure: VideoError?
    do {
      try followAll()
    } catch let error as VideoError {
      failure = error
    }
    guard !set.pictures.isEmpty else {
      if let failure { throw CommandFailure("\(failure)") }
      throw CommandFailure("\(sequence.source.name): gave no picture in which all objects are seen")
    }
    try AnnotationOutput.write(set, as: form, to: folder)
    let document = FollowDocument(
      path: folder, form: form.rawValue, pictures: set.pictures.count, boxes: set.boxCount,
      leftOut: leftOut.map { NumberText.rounded($0, digits: 3) })
    if asJSON {
      try JSONOutput.write(document)
    } else {
      SystemInterface.writeOutput(document.text)
    }
    if let failure { throw CommandFailure("\(failure)") }
    return Interruption.exitCode ?? 0
  }

  private mutating func followAll() throws {
    let handler = SequenceRequestHandler()
    var requests: [TrackObjectRequest] = []
    var count = 0
    while let (frame, _) = try sequence.next() {
      let size = frame.orientation.uprightSize(of: frame.size)
      if requests.isEmpty {
        requests = try boxes.map { box throws(UsageError) in try box.request(in: size, .accurate) }
      }
      let objects = try follow(requests, in: frame, handler)
      if count % step == 0 { try keep(objects, of: frame, in: size) }
      count += 1
      if count % 25 == 0 {
        SystemInterface.writeProgress("picture \(count), \(set.pictures.count) kept")
      }
    }
    SystemInterface.writeProgress("")
  }

  private func follow(
    _ requests: [TrackObjectRequest], in frame: VideoFrame, _ handler: SequenceRequestHandler
  ) throws -> [TrackedObjectObservation] {
    do {
      return try frame.withPlanes { planes throws(FollowingError) in
        try handler.perform(
          requests, onPlanes: planes, orientation: frame.planesOrientation, time: frame.time)
      }
    } catch FollowingError.invalidBox {
      let size = frame.orientation.uprightSize(of: frame.size)
      throw UsageError(boxes.map { $0.refusal(in: size) }.joined(separator: "; "))
    } catch {
      throw CommandFailure("\(sequence.source.name): \(error)")
    }
  }

  /// Keeps a picture in which all objects are seen. One that is hidden would be learned as
  /// background.
  private mutating func keep(
    _ objects: [TrackedObjectObservation], of frame: VideoFrame, in size: ImageSize
  ) throws {
    var found: [AnnotatedSet.Box] = []
    for (object, label) in zip(objects, classes) where object.state == .following {
      let box = object.boundingBox.toImageCoordinates(size, origin: .upperLeft)
      let (left, top) = (max(box.minX, 0), max(box.minY, 0))
      let (right, bottom) = (
        min(box.maxX, Double(size.width)), min(box.maxY, Double(size.height))
      )
      guard right - left >= 2, bottom - top >= 2 else { continue }
      found.append(
        .init(classIndex: label, x: left, y: top, width: right - left, height: bottom - top))
    }
    guard found.count == objects.count else {
      leftOut.append(frame.time)
      return
    }
    try SystemInterface.makeFolder(folder)
    let name = "\(stem)-\(NumberText.padded(frame.index, digits: 6)).jpg"
    let path = "\(folder)/\(name)"
    try write(frame, to: path)
    set.pictures.append(
      .init(name: name, path: path, width: size.width, height: size.height, boxes: found))
  }

  private func write(_ frame: VideoFrame, to path: String) throws(CommandFailure) {
    let bytes: [UInt8]
    do throws(ImageError) {
      let stored = try Image(
        width: frame.size.width, height: frame.size.height, rgb: ReferenceColors().rgb(of: frame),
        storedOrientation: frame.orientation.rawValue)
      bytes = try stored.upright().jpegBytes(quality: 92)
    } catch {
      throw CommandFailure("\(path): \(error.explanation)")
    }
    do throws(FileError) {
      try FileBytes.write(bytes, to: path)
    } catch {
      throw CommandFailure("\(path): \(error)")
    }
  }
}

private struct FollowDocument: Encodable {
  var path: String
  var form: String
  var pictures: Int
  var boxes: Int
  /// Seconds of pictures in which an object was not seen.
  var leftOut: [Double]

  var text: String {
    var text = "\(path): \(form), \(pictures) pictures, \(boxes) boxes\n"
    if let first = leftOut.first {
      text +=
        "left out: \(leftOut.count) pictures in which an object was hidden or gone, the first"
        + " at \(NumberText.fixed(first, digits: 1)) s\n"
    }
    return text + "look at them: fovea annotations draw \(path) -o sheet.png\n"
  }
}
