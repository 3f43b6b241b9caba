// Fovea - fovea preview: what a network is given of an image.
// SPDX-License-Identifier: Apache-2.0
internal import Fovea
internal import FoveaCommandLine
internal import FoveaPlots

/// Shows what a network is given.
enum PreviewCommand: Subcommand {
  static let description = CommandDescription(
    name: "preview", aliases: ["see"], synopsis: "IMAGE -o OUT.png [OPTIONS]",
    summary: "Writes exactly the pixels that a network is given of an image.",
    options: [
      .model, .function, .size, .matchAspect, .head, units, .scores, .task,
      .init(name: "-o", value: "FILE", help: "the image to write"),
      .init(
        name: "--outline", value: "FILE",
        help: "also write the whole image with what is seen of it outlined"),
      .init(
        name: "--sheet",
        help: "write test boxes in all orientations and actions on one sheet instead"),
    ] + ImageOptions.options,
    operandCount: 1...1,
    notes: """
      Nothing is drawn on the pixels: compare them before anything else when boxes are wrong. With
      --sheet each image of the sheet is what a network would be given of the image stored in one
      of the eight orientations, with five boxes brought there from the upright image: the whole,
      which must trace the image's edge, and its quarters.
      """,
    leading: .modelBeforeImages)

  /// The flag of the sheet was called so before.
  private static var units: CommandDescription.Option {
    var option = CommandDescription.Option.boxes
    option.note = "; the sheet of test boxes is --sheet now"
    return option
  }

  static func run(_ arguments: ArgumentList) throws -> Int32 {
    let image = arguments.operands[0]
    guard let output = try DrawingOutput("-o", arguments, images: 1) else {
      throw UsageError("-o is missing: name the image to write")
    }
    let outline = try DrawingOutput("--outline", arguments, images: 1)
    let options = try ImageOptions(arguments)
    if arguments.has("--sheet"), outline != nil || options.orientation != nil {
      throw UsageError("--sheet goes through all orientations and outlines nothing")
    }
    var loading = try ModelLoading.options(arguments)
    loading.pictures = PictureInput()
    var request = try request(ModelSource(arguments), loading)
    options.apply(to: &request)
    if arguments.has("--sheet") {
      try write(BoxSheet(image, request), to: output.path(for: image))
      return 0
    }
    let input: NetworkInput
    do throws(DetectionError) {
      input = try request.networkInput(
        on: ImageFile(toDetectIn: image), orientation: options.orientation)
    } catch {
      throw error.reported(file: image)
    }
    try output.write(input.image, named: image)
    if let outline {
      let whole = try Image.toDrawOn(image, orientation: options.orientation)
      try outline.write(
        whole, named: image, regions: [LabeledRegion(label: "seen", rect: input.seen)])
    }
    SystemInterface.writeOutput(text(input, image: image))
    return 0
  }

  private static func request(
    _ source: ModelSource, _ options: Model.Options
  ) throws -> DetectObjectsRequest {
    do {
      let pool = try ThreadPool(threadCount: 1)
      return try DetectObjectsRequest(
        model: try source.load(options), pool: pool)
    } catch {
      throw CommandFailure(error, file: source.name)
    }
  }

  private static func write(_ sheet: BoxSheet, to path: String) throws(CommandFailure) {
    do throws(DrawingError) {
      try sheet.contact().write(to: path)
    } catch {
      throw CommandFailure("\(error)")
    }
    SystemInterface.reportWritten(path)
  }

  /// Where the image lies, in numbers.
  private static func text(_ input: NetworkInput, image: String) -> String {
    let geometry = input.geometry
    func numbers(_ values: [Double]) -> String {
      values.map { NumberText.fixed($0, digits: 3) }.joined(separator: ", ")
    }
    let crop = geometry.cropRect, padding = geometry.padding
    let seen = numbers([crop.x, crop.y, crop.width, crop.height])
    let around = numbers([padding.top, padding.left, padding.bottom, padding.right])
    return """
      \(image)
        image  \(geometry.uprightSize) upright, orientation \(geometry.orientation.rawValue)
        input    \(geometry.modelSize), \(geometry.cropAndScaleAction.rawValue)
        seen     \(seen) (x, y, width, height)
        padding  \(around) (top, left, bottom, right, of the input)

      """
  }
}

extension NetworkInput {
  /// The part of the upright image that is in the input.
  fileprivate var seen: NormalizedRect {
    NormalizedRect(imageRect: geometry.cropRect, in: geometry.uprightSize)
  }
}
