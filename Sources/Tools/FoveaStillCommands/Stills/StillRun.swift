// Fovea - what the commands on still pictures do with each image.
// SPDX-License-Identifier: Apache-2.0
internal import Fovea
internal import FoveaCommandLine
internal import FoveaModelCommands
internal import FoveaStills

/// What the commands on still pictures have in common: they look at every image, print text or one JSON
/// document, and go on where an image fails.
struct StillRun {
  /// Options of all these commands.
  static let options: [CommandDescription.Option] = [
    .init(
      name: "--roi", value: "X,Y,W,H",
      help: "the part to look at: fractions of the upright image from its lower left"),
    .init(
      name: "--orientation", value: "1...8", help: "how to turn the image, instead of its EXIF",
      choices: ImageOrientation.allCases.map { "\($0.rawValue)" }),
    .json,
  ]

  /// The name of the command, for messages.
  let command: String
  /// The name of the list of findings in the JSON document.
  let key: String
  /// The paths of all images.
  let images: [String]
  private let arguments: ArgumentList
  private let region: NormalizedRect?
  private let orientation: ImageOrientation?

  /// Reads the options.
  ///
  /// - Throws: `UsageError`, and `CommandFailure` for a folder without images.
  init(_ command: CommandDescription, key: String, _ arguments: ArgumentList) throws {
    self.command = command.name
    self.key = key
    self.arguments = arguments
    region = try ImageOptions.region(arguments.value("--roi"))
    orientation = try arguments.integer("--orientation", in: 1...8)
      .flatMap { ImageOrientation(rawValue: $0) }
    images = try ImageList.expanded(arguments.operands)
  }

  /// A request with the options of all these commands.
  func applied<Request: StillRequest>(to request: Request) -> Request {
    var request = request
    if let region { request.regionOfInterest = region }
    return request
  }

  /// Looks at every image and prints what `look` finds; returns the exit code, 1 if an image failed.
  ///
  /// - Parameters:
  ///   - text: The lines that are printed without `--json`, for what was found in one image.
  ///   - look: What is found in one picture, in the form in which JSON has it.
  /// - Throws: `UsageError` for a request that is wrong for every image.
  func run<Row: Encodable>(
    text: ([Row]) -> String,
    look: (_ picture: StillPicture, _ path: String) throws -> [Row]
  ) throws -> Int32 {
    try run(text: { text($0.rows) }) { picture, path in
      OneList(key: key, rows: try look(picture, path))
    }
  }

  /// The same for findings of several kinds.
  func run<Findings: StillFindings>(
    text: (Findings) -> String,
    look: (_ picture: StillPicture, _ path: String) throws -> Findings
  ) throws -> Int32 {
    var document = StillDocument<Findings>()
    for path in images {
      do {
        let picture = try StillPicture(
          decoding: ImageFile(toLookAt: path), orientation: orientation)
        let found = try look(picture, path)
        document.images.append(.init(image: path, findings: found))
        if !arguments.has("--json") {
          SystemInterface.writeOutput(TerminalStyle.heading.output(path) + "\n" + text(found))
        }
      } catch StillError.invalidRequest(let message) {
        throw UsageError(message)
      } catch let error as StillError {
        let failure = CommandFailure(error, picture: path)
        failure.report(of: "fovea \(command)")
        document.errors = (document.errors ?? []) + [.init(image: path, message: failure.message)]
      }
    }
    if arguments.has("--json") { try JSONOutput.write(document) }
    return document.errors == nil ? 0 : 1
  }
}

extension ImageFile {
  /// `init(contentsOf:)` where all errors are those of requests on pictures.
  ///
  /// - Throws: `.detection`.
  fileprivate init(toLookAt path: String) throws(StillError) {
    do throws(DetectionError) {
      try self.init(toDetectIn: path)
    } catch {
      throw .detection(error)
    }
  }
}

/// What was found in one image, as fields of its JSON object.
protocol StillFindings {
  /// Writes a list for each kind.
  func encode(to container: inout KeyedEncodingContainer<NamedKey>) throws
}

/// Findings of one kind.
private struct OneList<Row: Encodable>: StillFindings {
  let key: String
  let rows: [Row]

  func encode(to container: inout KeyedEncodingContainer<NamedKey>) throws {
    try container.encode(rows, forKey: NamedKey(stringValue: key))
  }
}

/// The JSON document of a command on still pictures.
private struct StillDocument<Findings: StillFindings>: Encodable {
  /// The images that could be read.
  var images: [Image] = []
  /// Those that could not; absent when all could.
  var errors: [DetectionDocument.Failure]?

  /// What was found in one image.
  struct Image: Encodable {
    let image: String
    let findings: Findings

    func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: NamedKey.self)
      try container.encode(image, forKey: NamedKey(stringValue: "image"))
      try findings.encode(to: &container)
    }
  }
}

/// A key of any name.
struct NamedKey: CodingKey {
  let stringValue: String
  var intValue: Int? { nil }

  init(stringValue: String) { self.stringValue = stringValue }
  init?(intValue: Int) { nil }
}

/// Corners as JSON has them: pixels of the upright image from its upper left, [[x, y]] * 4.
struct CornersReport: Encodable {
  let corners: [[Double]]

  /// The corners of something in an image of `size`.
  init(_ quad: some QuadrilateralProviding, in size: ImageSize) {
    corners = quad.corners.map { corner in
      let point = corner.toImageCoordinates(size, origin: .upperLeft)
      return [
        NumberText.rounded(point.x, digits: 3), NumberText.rounded(point.y, digits: 3),
      ]
    }
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(corners)
  }
}
