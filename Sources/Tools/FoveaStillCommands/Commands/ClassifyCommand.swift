// Fovea - fovea classify: names what is in images.
// SPDX-License-Identifier: Apache-2.0
internal import Fovea
internal import FoveaCommandLine
internal import FoveaModelCommands

/// Names what is in images.
enum ClassifyCommand: Subcommand {
  static let description = CommandDescription(
    name: "classify", synopsis: "MODEL IMAGE... [OPTIONS]",
    summary: "Names what is in images.",
    options: [
      .modelOperand,
      .init(name: "--top", value: "N", help: "how many classes of an image to print (default 5)"),
      .function, .size, .backend, .weights, .calibrate, .quality, .floatShare, .int16Share,
      .threads,
    ] + ArrayInputOptions.options + ImageOptions.options(usually: .centerCrop) + [.json],
    operandCount: 2...Int.max,
    notes: """
      MODEL is a classifier: its file names an output as the probabilities of its classes, or it reads
      an array that can be a picture and writes one row of scores.
      Images are JPEG, PNG or WebP files. The longer side is cut at both ends unless --crop-and-scale
      says otherwise, as classifiers are trained. Prints for each image its most probable classes. When
      one image of several fails, the others are still done and the exit code is 1.
      """,
    leading: .model)

  static func run(_ arguments: ArgumentList) throws -> Int32 {
    let path = arguments.operands[0]
    let top = try arguments.integer("--top", in: 1...Int.max) ?? 5
    let images = try ImageList.expanded(arguments.operands.dropFirst())
    let options = try ImageOptions(arguments)
    let pool = try ModelLoading.threads(arguments)
    let model = try ModelLoading.load(.file(path), arguments)
    var request: ClassifyImageRequest
    do throws(DetectionError) {
      request = try ClassifyImageRequest(model: model, pool: pool)
    } catch {
      throw error.reported(file: path)
    }
    options.apply(to: &request)
    var document = ClassificationDocument(model: path, backend: model.backend.rawValue)
    document.picture = PictureReport(request.model)
    for image in images {
      do throws(DetectionError) {
        let found = try request.perform(
          on: ImageFile(toDetectIn: image), orientation: options.orientation)
        document.images.append(.init(image: image, classes: found.prefix(top).map { .init($0) }))
        if !arguments.has("--json") { SystemInterface.writeOutput(text(found.prefix(top), image)) }
      } catch {
        guard let failure = error.reported(file: image) as? CommandFailure else {
          throw error.reported(file: image)
        }
        failure.report(of: "fovea \(description.name)")
        document.errors = (document.errors ?? []) + [.init(image: image, message: failure.message)]
      }
    }
    if arguments.has("--json") { try JSONOutput.write(document) }
    return document.errors == nil ? 0 : 1
  }

  private static func text(
    _ classes: ArraySlice<ClassificationObservation>, _ image: String
  ) -> String {
    var table = TextTable([.left("label"), .right("probability")])
    for found in classes {
      table.rows.append([found.identifier, NumberText.percent(Double(found.confidence))])
    }
    return TerminalStyle.heading.output(image) + "\n" + table.text(indentation: 2)
  }
}

/// The JSON document of `fovea classify`.
private struct ClassificationDocument: Encodable {
  var model: String
  var backend: String
  /// The images that could be read.
  var images: [Image] = []
  /// Those that could not; absent when all could.
  var errors: [DetectionDocument.Failure]?
  /// What pixels become in a model that reads an array; absent for one that reads images.
  var picture: PictureReport?

  /// The classes of one image, the most probable ones first.
  struct Image: Encodable {
    var image: String
    var classes: [Class]
  }

  /// A class of an image.
  struct Class: Encodable {
    var label: String
    var labelIndex: Int
    /// 0...1.
    var probability: Double

    init(_ found: ClassificationObservation) {
      label = found.identifier
      labelIndex = found.classIndex
      probability = NumberText.rounded(Double(found.confidence), digits: 9)
    }
  }
}
