// Fovea - fovea look: codes, text, rectangles and faces of one picture.
// SPDX-License-Identifier: Apache-2.0
internal import Fovea
internal import FoveaCommandLine
internal import FoveaModelCommands
internal import FoveaStills

/// Finds codes, text, rectangles and faces in images, each of which is decoded once.
enum LookCommand: Subcommand {
  /// What can be looked for.
  private enum Kind: String, CaseIterable {
    case rectangles, codes, text, faces
  }

  static let description = CommandDescription(
    name: "look", synopsis: "IMAGE... [OPTIONS]",
    summary: "Finds and reads codes, text, rectangles and faces in images.",
    options: [
      .init(
        name: "--only", value: "KINDS",
        help: "some of rectangles,codes,text,faces (default: all for which there is a model)"),
      .init(
        name: "--faces", value: "FILE", help: "the detector of faces: BlazeFace or YuNet"),
      .draw,
    ] + StillRun.options,
    operandCount: 1...Int.max,
    notes: """
      Does what fovea rectangles, codes, text and faces do with their defaults. Drawn are rectangles
      in blue, codes in orange with what they say, text in red, and faces in yellow. When one image of
      several fails, the others are still done and the exit code is 1.
      """)

  static func run(_ arguments: ArgumentList) throws -> Int32 {
    let run = try StillRun(description, key: "", arguments)
    let draw = try DrawingOutput("--draw", arguments, images: run.images.count)
    let kinds = try kinds(arguments)
    let rectangles = run.applied(to: RectanglesCommand.standardRequest)
    var codes = run.applied(to: DetectBarcodesRequest())
    codes.includesUnreadCodes = false
    let text = run.applied(to: RecognizeTextRequest())
    let faces = try arguments.value("--faces").map { path in
      run.applied(
        to: try FacesCommand.network(path, arguments) { model throws(StillError) in
          try DetectFaceRectanglesRequest(model: model)
        })
    }
    return try run.run(text: \.text) { picture, path in
      var found = LookFindings(size: picture.fullSize)
      if kinds.contains(.rectangles) { found.rectangles = try rectangles.result(in: picture) }
      if kinds.contains(.codes) { found.codes = try codes.result(in: picture) }
      if kinds.contains(.text) { found.lines = try text.result(in: picture) }
      if kinds.contains(.faces) { found.faces = try faces?.result(in: picture) }
      try draw?.write(picture.image, named: path, boxes: found.boxes)
      return found
    }
  }

  /// The kinds that `--only` names.
  ///
  /// - Throws: `UsageError` for another word, and for faces without a model.
  private static func kinds(_ arguments: ArgumentList) throws(UsageError) -> Set<Kind> {
    guard let list = arguments.value("--only") else { return Set(Kind.allCases) }
    var kinds: Set<Kind> = []
    for name in list.split(separator: ",", omittingEmptySubsequences: false) {
      guard let kind = Kind(rawValue: String(name)) else {
        throw UsageError(
          "--only has \"\(name)\"; expected some of "
            + Kind.allCases.map(\.rawValue).joined(separator: ", "))
      }
      kinds.insert(kind)
    }
    guard !kinds.contains(.faces) || arguments.has("--faces") else {
      throw UsageError("--only faces needs --faces FILE, a detector of faces")
    }
    return kinds
  }
}

/// What was found in one image; `nil` for what was not looked for.
private struct LookFindings: StillFindings {
  let size: ImageSize
  var rectangles: [RectangleObservation]?
  var codes: [BarcodeObservation]?
  var lines: [RecognizedTextObservation]?
  var faces: [FaceObservation]?

  func encode(to container: inout KeyedEncodingContainer<NamedKey>) throws {
    func key(_ name: String) -> NamedKey { NamedKey(stringValue: name) }
    try container.encodeIfPresent(
      rectangles?.map { RectangleReport($0, in: size) }, forKey: key("rectangles"))
    try container.encodeIfPresent(codes?.map { CodeReport($0, in: size) }, forKey: key("codes"))
    try container.encodeIfPresent(
      lines?.compactMap { LineReport($0, in: size) }, forKey: key("lines"))
    try container.encodeIfPresent(faces?.map { FaceReport($0, in: size) }, forKey: key("faces"))
  }

  /// What is printed without `--json`.
  var text: String {
    var parts: [String] = []
    if let rectangles { parts.append("  \(rectangles.count) rectangles\n") }
    parts += (codes ?? []).map { CodeReport($0, in: size).line }
    parts += (lines ?? []).compactMap { $0.topCandidates(1).first }.map { "  \($0.string)\n" }
    if let faces { parts.append("  \(faces.count) faces\n") }
    return parts.joined()
  }

  /// What is drawn, in the colors of Apple's sample. Bars and dots that pass for letters are drawn
  /// as a code only.
  var boxes: [LabeledBox] {
    let drawnCodes = (codes ?? []).map { LabeledBox.drawn($0) }
    let drawnLines = (lines ?? []).map { LabeledBox.drawn($0) }.filter { line in
      !drawnCodes.contains { $0.boundingBox.covers(line.boundingBox) }
    }
    return (rectangles ?? []).map { .drawn($0) } + drawnLines + drawnCodes
      + (faces ?? []).map { .drawn($0) }
  }
}

extension NormalizedRect {
  /// Whether most of another rectangle lies inside.
  fileprivate func covers(_ other: NormalizedRect) -> Bool {
    let width = min(maxX, other.maxX) - max(minX, other.minX)
    let height = min(maxY, other.maxY) - max(minY, other.minY)
    return width > 0 && height > 0 && width * height > 0.7 * other.area
  }
}
