// Fovea - fovea detect: finds objects in images.
// SPDX-License-Identifier: Apache-2.0
internal import Fovea
internal import FoveaCommandLine
internal import FoveaFiles
internal import FoveaModelCommands

/// Finds objects in images.
enum DetectCommand: Subcommand {
  static let description = CommandDescription(
    name: "detect", synopsis: "[OPTIONS] IMAGE...",
    summary: "Finds objects in images.",
    options: [
      .model, .function, .size, .matchAspect, .head, .boxes, .scores, .task, .backend, .weights,
      .calibrate, .quality, .floatShare,
      .int16Share, .threads,
    ] + DetectionOptions.thresholds + ArrayInputOptions.options
      + ImageOptions.options + [
        BackgroundOption.option,
        .init(
          name: "--draw", value: "FILE",
          help: "draw the objects on the image; {} in the name stands for the image's"),
        HidingOption.option, CropOutput.option, masksOption,
        .init(name: "--explain", help: "also print the boxes that are no objects, and why"),
        .json,
      ] + BatchDetection.options,
    operandCount: 0...Int.max,
    notes: """
      The detector inside finds qrCode, barcode, dataMatrix, textLine and document.
      Images are JPEG, PNG or WebP files, or folders of them. Prints for each object its class, the
      confidence of that class and its box in pixels of the upright image, counted from the top left.
      An image without objects is a result. When one image of several fails, the others are
      still done and the exit code is 1.
      With --jsonl, images are looked at one on each thread, and may stand in .tar archives. A row
      has path, width, height, objects (label, score, xmin, ymin, xmax, ymax) and error. An image
      that fails is a row with an error, and the exit code is 0 when every image has its row, unless
      all rows are errors. A job that was stopped goes on when the same command is run again.
      """,
    leading: .modelBeforeImages)

  private static let masksOption = CommandDescription.Option(
    name: "--masks", value: "FORM",
    help: "how --json writes masks: rle (COCO's run lengths, default) or polygon",
    choices: MaskForm.allCases.map(\.rawValue))

  static func run(_ arguments: ArgumentList) throws -> Int32 {
    let source = ModelSource(arguments)
    let settings = try DetectionOptions(arguments)
    if let batch = try BatchDetection(arguments) { return try batch.run(source, settings) }
    guard !arguments.operands.isEmpty else { throw UsageError("an image is missing") }
    let images = try ImageList.expanded(arguments.operands)
    let draw = try DrawingOutput("--draw", arguments, images: images.count)
    let crops = CropOutput(arguments)
    let hiding = try HidingOption(arguments, outputs: ["--draw", "--crop"])
    let masks = try arguments.choice("--masks", MaskForm.self) ?? .rle
    let pool = try ModelLoading.threads(arguments)
    let model = try ModelLoading.load(source, arguments)
    let run: DetectionRun
    do throws(DetectionError) {
      let request = try settings.request(model: model, pool: pool)
      try hiding.check(request)
      run = DetectionRun(
        request: request, settings: try request.resolvedSettings(), modelPath: source.name,
        orientation: settings.images.orientation, background: settings.background, draw: draw,
        crops: crops, hiding: hiding,
        explains: settings.explains, asJSON: arguments.has("--json"),
        masks: masks,
        hint: settings.labels == nil ? source.hint : nil)
    } catch {
      throw error.reported(file: source.name)
    }
    return try run.detect(images)
  }
}

/// What is done with each image.
private struct DetectionRun {
  var request: DetectObjectsRequest
  var settings: DetectionSettings
  var modelPath: String
  var orientation: ImageOrientation?
  var background: BackgroundOption
  var draw: DrawingOutput?
  var crops: CropOutput?
  var hiding: HidingOption
  var explains: Bool
  var asJSON: Bool
  var masks: MaskForm
  /// What a person reads who finds nothing.
  var hint: String?

  func detect(_ images: [String]) throws -> Int32 {
    var document = DetectionDocument()
    document.picture = PictureReport(request.model)
    document.leftOut = HeadReport(request.model)?.leftOut
    if let leftOut = document.leftOut {
      SystemInterface.writeError("\(modelPath): left out: \(leftOut)\n")
    }
    if explains, !asJSON, let picture = document.picture {
      SystemInterface.writeOutput(picture.text)
    }
    // Of images without objects; a warning is a better reason.
    var (needsHint, foundAny) = (false, false)
    for (index, image) in images.enumerated() {
      showProgress(index, of: images.count, image)
      do {
        let (result, pixels) = try look(at: background.applied(to: ImageFile(toDetectIn: image)))
        let warning = background.warning(share: result.transparentShare, image: image)
        if let warning { SystemInterface.writeError("fovea detect: \(warning)") }
        foundAny = foundAny || !result.observations.isEmpty
        needsHint = needsHint || warning == nil
        let explanations = try result.scores.map { try request.explanations(in: $0) }
        if let pixels { try show(result.observations, on: pixels, named: image) }
        if asJSON {
          document.images.append(
            .init(
              result, explanations, image: image, model: modelPath,
              backend: request.model.backend, masks: masks))
        } else {
          SystemInterface.writeOutput(text(result, explanations ?? [], image: image))
        }
      } catch {
        let failure = (error as? DetectionError)?.reported(file: image) ?? error
        guard let failure = failure as? CommandFailure else { throw failure }
        failure.report(of: "fovea \(DetectCommand.description.name)")
        document.errors = (document.errors ?? []) + [.init(image: image, message: failure.message)]
      }
    }
    if asJSON { try JSONOutput.write(document) }
    if let hint, !asJSON, needsHint, !foundAny {
      SystemInterface.writeError("fovea detect: \(hint)\n")
    }
    return document.errors == nil ? 0 : 1
  }

  /// What is found in a file, and the upright image where something is drawn on it. Pixels are decoded
  /// once, unless the network saw a JPEG at a part of its size.
  private func look(
    at file: ImageFile
  ) throws(DetectionError) -> (result: DetectObjectsResult, pixels: Image?) {
    guard draw != nil || crops != nil else {
      return (try request.result(on: file, orientation: orientation, settings: settings), nil)
    }
    let handler = ImageRequestHandler(file, orientation: orientation)
    return (try handler.result(of: request), try handler.kept { $0 })
  }

  /// Writes the image with objects drawn on it, and its parts. What is hidden has no box.
  private func show(
    _ objects: [RecognizedObjectObservation], on image: Image, named name: String
  ) throws(CommandFailure) {
    let image = image.hiding(hiding.hidden(objects))
    try draw?.write(
      image, named: name, boxes: hiding.shown(objects).map { LabeledBox($0) })
    for (index, object) in objects.enumerated() {
      try crops?.write(
        object.boundingBox, of: image, label: object.bestLabel?.identifier ?? "object",
        name: FilePath.stem(of: name), number: index + 1)
    }
  }

  private func showProgress(_ index: Int, of count: Int, _ image: String) {
    guard count > 1, SystemInterface.showsProgress else { return }
    SystemInterface.writeError("[\(index + 1)/\(count)] \(image)\n")
  }

  private func text(
    _ result: DetectObjectsResult, _ explanations: [CandidateExplanation], image: String
  ) -> String {
    let size = result.imageSize
    let heading = TerminalStyle.heading.output(image) + "  \(size.width) x \(size.height)\n"
    let objects = objectTable(result, in: size)
    guard explains else { return heading + objects }
    let reasons = explanations.filter { if case .kept = $0.outcome { false } else { true } }
    return heading + objects
      + reasons.map { candidate in
        let box = candidate.boundingBox.toImageCoordinates(size, origin: .upperLeft)
        let place = [box.x, box.y, box.width, box.height].map { NumberText.fixed($0, digits: 0) }
        return "  \(candidate) at \(place.joined(separator: ", "))\n"
      }.joined()
  }

  private func objectTable(_ result: DetectObjectsResult, in size: ImageSize) -> String {
    guard !result.observations.isEmpty else { return "  no objects\n" }
    var table = TextTable([
      .left("label"), .right("confidence"), .right("x"), .right("y"), .right("width"),
      .right("height"),
    ])
    for object in result.observations {
      let box = object.boundingBox.toImageCoordinates(size, origin: .upperLeft)
      table.rows.append(
        [object.bestLabel?.identifier ?? "", NumberText.percent(Double(object.topConfidence))]
          + [box.x, box.y, box.width, box.height].map { NumberText.fixed($0, digits: 0) })
    }
    return table.text(indentation: 2)
  }
}
