// Fovea - a network of one task on images, one after the other.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaCommandLine
internal import FoveaFiles
internal import FoveaGeometry
internal import FoveaImaging
internal import FoveaMaps
internal import FoveaModelCommands
internal import FoveaNetworkTasks
internal import FoveaRuntime
internal import FoveaVision

/// A network of one task on images, one after the other.
struct MapRun {
  let command: String
  let path: String
  let images: [String]
  let view: InputView
  let orientation: ImageOrientation?
  let isDocument: Bool
  private let arguments: ArgumentList

  /// Options that all of the commands have.
  static func options(_ task: String) -> [CommandDescription.Option] {
    let output: [CommandDescription.Option] = [
      .init(
        name: "--task", value: "NAME",
        help: "\(task): read the output as this even where nothing says that it is one",
        choices: [task]),
      .init(
        name: "--array", value: "NAME", help: "the output to read, where several may be meant"),
    ]
    return output + [
      .modelOperand, .function, .size, .backend, .weights, .calibrate, .quality, .floatShare,
      .int16Share, .threads,
    ] + ArrayInputOptions.options + ImageOptions.options + [.json]
  }

  /// Reads the arguments that all commands about maps have.
  init(_ arguments: ArgumentList, _ description: CommandDescription) throws {
    command = description.name
    path = arguments.operands[0]
    images = try ImageList.expanded(arguments.operands.dropFirst())
    let options = try ImageOptions(arguments)
    (view, orientation) = (options.view, options.orientation)
    isDocument = arguments.has("--json")
    if let task = arguments.value("--task"),
      let option = description.options.first(where: { $0.name == "--task" }),
      !option.choices.contains(task)
    {
      throw UsageError("--task is '\(task)'; expected \(option.choices.joined(separator: ", "))")
    }
    self.arguments = arguments
  }

  /// A request on the model that the arguments name.
  func request<Request>(
    _ make: (Model, _ output: String?, _ requiresEvidence: Bool, ThreadPool) throws(DetectionError)
      -> Request
  ) throws -> Request {
    let pool = try ModelLoading.threads(arguments)
    // The task of a detector has other words.
    let model = try ModelLoading.load(.file(path), arguments.without("--task"))
    do throws(DetectionError) {
      return try make(model, arguments.value("--array"), !arguments.has("--task"), pool)
    } catch {
      throw error.reported(file: path)
    }
  }

  /// The files of an option whose names end in one of `endings`; `nil` without it.
  ///
  /// - Throws: `UsageError` for another ending, or for several images and one file.
  func files(_ option: String, endings: [String]) throws(UsageError) -> FilePattern? {
    guard let text = arguments.value(option) else { return nil }
    guard endings.contains(where: { text.lowercased().hasSuffix($0) }) else {
      throw UsageError(
        "\(option) is '\(text)'; expected a name that ends in \(endings.joined(separator: ", "))")
    }
    return try FilePattern(text, option, images: images.count)
  }

  /// Does something with each image. Those that fail are reported, and the others are still done.
  ///
  /// - Throws: `UsageError`.
  func each(
    _ body: (_ image: String, _ file: ImageFile) throws -> Void
  ) throws -> [MapFailure]? {
    var failures: [MapFailure] = []
    for image in images {
      do {
        try body(image, ImageFile(toDetectIn: image))
      } catch {
        let error = (error as? DetectionError)?.reported(file: image) ?? error
        guard let failure = error as? CommandFailure else { throw error }
        failure.report(of: "fovea \(command)")
        failures.append(MapFailure(image: image, message: failure.message))
      }
    }
    return failures.isEmpty ? nil : failures
  }

  /// Does something with each image, and says what was found: one document of all, or words about
  /// each.
  ///
  /// - Parameter text: What is said of one; empty for nothing.
  /// - Returns: The exit code.
  func report<Found: Encodable>(
    _ network: MapNetwork, text: (Found) -> String = { _ in "" },
    _ body: (_ image: String, _ file: ImageFile) throws -> Found
  ) throws -> Int32 {
    var document = MapDocument<Found>(self, network)
    document.errors = try each { image, file in
      let found = try body(image, file)
      document.images.append(found)
      if !isDocument { SystemInterface.writeOutput(text(found)) }
    }
    if isDocument { try JSONOutput.write(document) }
    return document.errors == nil ? 0 : 1
  }

  /// The upright picture to draw on.
  func upright(_ file: ImageFile) throws(DetectionError) -> Image {
    try file.imageSource.uprightImage(orientation ?? file.imageSource.orientation)
  }

  /// Writes a file.
  ///
  /// - Throws: `CommandFailure`, which names it.
  func write(_ bytes: [UInt8], to path: String) throws(CommandFailure) {
    do throws(FileError) {
      try FileBytes.write(bytes, to: path)
    } catch {
      throw CommandFailure("\(path): \(error.explanation)")
    }
    if !isDocument { SystemInterface.reportWritten(path) }
  }

  /// Writes a map as an array or as a picture, whichever the name of the file says.
  func write(
    array: () throws -> Tensor, picture: () throws -> [UInt8], to path: String
  ) throws(CommandFailure) {
    let bytes: [UInt8]
    do {
      bytes = try path.lowercased().hasSuffix(".npy") ? array().npyBytes() : picture()
    } catch {
      throw CommandFailure("\(path): \(error)")
    }
    try write(bytes, to: path)
  }

  /// Writes a picture in the format that its name says.
  func write(_ picture: Image, to path: String) throws(CommandFailure) {
    do throws(ImageError) {
      try picture.write(to: path, as: path.lowercased().hasSuffix(".png") ? .png : .jpeg)
    } catch {
      throw CommandFailure("\(error)")
    }
    if !isDocument { SystemInterface.reportWritten(path) }
  }
}

/// An image that could not be looked at, in documents.
struct MapFailure: Encodable {
  var image: String
  var message: String
}

/// What all documents about maps begin with.
struct MapDocument<Image: Encodable>: Encodable {
  var model: String
  var backend: String
  /// The output that is read.
  var output: String
  /// Why it is what it is taken for.
  var because: String
  /// What pixels become in a model that reads an array; absent for one that reads images.
  var picture: PictureReport?
  /// The images that could be read.
  var images: [Image] = []
  /// Those that could not; absent when all could.
  var errors: [MapFailure]?

  init(_ run: MapRun, _ network: MapNetwork) {
    model = run.path
    backend = network.model.backend.rawValue
    output = network.reading.output
    because = network.reading.reason
    picture = PictureReport(network.model)
  }
}
