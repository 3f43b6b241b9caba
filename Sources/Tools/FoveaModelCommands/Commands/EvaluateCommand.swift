// Fovea - fovea evaluate: average precision of a model on annotated images; metrics of tracks.
// SPDX-License-Identifier: Apache-2.0
internal import Fovea
internal import FoveaAnnotations
internal import FoveaCommandLine
internal import FoveaEvaluation
internal import FoveaMeasurement
internal import FoveaReports

/// Measures how well a model finds what annotators say is in images.
enum EvaluateCommand: Subcommand {
  static let description = CommandDescription(
    name: "evaluate",
    synopsis: "MODEL --images FOLDER [--annotations FILE] [OPTIONS] | "
      + "--detections FILE --annotations FILE | --tracks FILE --truth FILE",
    summary: "Measures average precision, or how well tracks follow objects.",
    options: [
      .modelOperand,
      .init(
        name: "--annotations", value: "FILE",
        help:
          "what is in the images: a file or folder in any form that fovea annotations reads, or "
          + "the folder of maps of classes or depths"),
      .init(name: "--images", value: "FOLDER", help: "where the images are"),
      .init(
        name: "--detections", value: "FILE",
        help: "instead of a model, what one has found: a COCO file of results"),
      .function, .size, .matchAspect, .head, .boxes, .scores, .task, .backend, .weights, .calibrate,
      .threads,
      .init(name: "--confidence", value: "0...1", help: "least confidence (default 0.001)"),
      .init(
        name: "--iou", value: "0...1", help: "greatest overlap of two objects (default 0.45)"),
      .init(
        name: "--max", value: "N", help: "greatest number of objects in an image (default 100)"),
      .init(name: "--multi-label", help: "let one box stand for objects of several classes"),
      .init(
        name: "--plot", value: "FILE", help: "draw precision over recall (.svg, .png or .jpg)"),
      .init(
        name: "--plot-classes", value: "A,B",
        help: "categories that have a line of their own there, or all"),
      ReportOption.option, TaskEvaluation.levels,
    ] + ArrayInputOptions.options + DetectionNumbers.options(DetectionNumber.refinements)
      + ImageOptions.options
      + TrackEvaluation.options + [.json],
    operandCount: 0...1,
    notes: """
      Prints COCO's twelve numbers, which agree with pycocotools', and those of each category; "-", or
      -1 in JSON, where there are no objects. Masks, key points and turned boxes are measured beside
      boxes, where the model and the annotations have them. Classes are categories of the same name.
      Where no name matches, class 0 is the first category in the list of the file, whatever its id,
      and so on; one line says so. Boxes are cut at the edges of the image.

      Classifiers need no annotations: images of a class lie in a folder with its name. Maps of classes
      and depths are compared with files of the same name: PNG files whose pixels are numbers of
      classes, 255 for none, or levels of depth, 0 for none, or .npy files of meters.

      With --tracks: HOTA, CLEAR and identity metrics, which agree with TrackEval's. Files are
      MOTChallenge's text: frame, identifier, left, top, width, height, score or flag, class.
      """,
    leading: .model)

  static func run(_ arguments: ArgumentList) throws -> Int32 {
    if try TrackEvaluation.isChosen(arguments, among: description.options) {
      return try TrackEvaluation.run(arguments)
    }
    let measured = try MeasuredModel(arguments)
    if let measured, try TaskEvaluation.run(measured, arguments) { return 0 }
    let annotations = try arguments.required(
      "--annotations", "name a file or folder of annotations: \(AnnotationForm.allTitles)")
    let plot = try PlotOutput("--plot", arguments)
    if plot == nil, arguments.has("--plot-classes") {
      throw UsageError("--plot-classes is for --plot, which names the file to draw")
    }
    let page = ReportOption(arguments)
    var entries: [ExaminedImage] = []
    let report: EvaluationReport
    if let measured {
      report = try evaluate(measured, annotations, arguments) {
        if page != nil { entries.append($0) }
      }
    } else {
      let detections = try arguments.required("--detections", "name a file of results")
      guard page == nil else { throw UsageError("--report shows images; name MODEL and --images") }
      report = try evaluate(detections: detections, annotations, arguments)
    }
    try page?.write { try report.page(entries).write(to: $0) { try ImageFile(contentsOf: $0) } }
    try plot?.write(report.plot(categories: report.plotted(arguments)))
    if arguments.has("--json") {
      try JSONOutput.write(EvaluationDocument(report))
    } else {
      SystemInterface.writeOutput(report.text)
    }
    return 0
  }

  // MARK: A file of results

  private static func evaluate(
    detections path: String, _ annotations: String, _ arguments: ArgumentList
  ) throws -> EvaluationReport {
    guard arguments.operands.isEmpty, !arguments.has("--images") else {
      throw UsageError("--detections stands in place of MODEL and --images")
    }
    do {
      let results = try CocoResults(contentsOf: path)
      let instances = try AnnotatedImages.instances(
        annotations, keepsShapes: !results.shapes.isEmpty)
      var report = EvaluationReport(
        metrics: try results.metrics(against: instances), categories: instances.categories,
        hasAnnotationZero: instances.hasAnnotationZero)
      if results.leavesOutlinesOut {
        report.notes.append("masks are not measured: \(path) has outlines; write run lengths")
      }
      for overlap in results.shapes {
        if let obstacle = instances.obstacle(to: overlap) {
          report.notes.append("\(overlap.name) are not measured: \(obstacle)")
        } else {
          report.shapes.append(
            ShapeMetrics(
              overlap: overlap, metrics: try results.metrics(against: instances, overlap: overlap)))
        }
      }
      return report
    } catch let error as EvaluationError {
      throw CommandFailure(error, file: path)
    }
  }

  // MARK: A model

  /// - Parameter keep: Gets what is in each image, and what was found.
  private static func evaluate(
    _ measured: MeasuredModel, _ annotations: String, _ arguments: ArgumentList,
    keep: (ExaminedImage) -> Void
  ) throws -> EvaluationReport {
    let settings = measured.settings
    let request = try settings.request(
      model: measured.model, path: measured.path, pool: ModelLoading.threads(arguments))
    let images = try AnnotatedImages(
      annotations: annotations, folder: measured.folder, orientation: settings.orientation,
      keepsShapes: !request.shapes.isEmpty)
    let measurement: ModelMeasurement
    do throws(MeasurementError) {
      measurement = try ModelMeasurement(
        of: request, on: images, orientation: settings.orientation, keep: keep
      ) { SystemInterface.writeProgress("evaluating \($0)/\(images.entries.count)") }
    } catch {
      SystemInterface.writeProgress("")
      throw error.reported(annotations: annotations)
    }
    SystemInterface.writeProgress("")
    return EvaluationReport(
      metrics: measurement.metrics, shapes: measurement.shapes, notes: measurement.notes,
      categories: measurement.categories,
      hasAnnotationZero: images.hasAnnotationZero,
      run: .init(
        model: measured.path, backend: measured.model.backend, settings: settings,
        resolved: measurement.settings,
        mapping: measurement.mapping, labels: request.classLabels, times: measurement.times))
  }
}

extension MeasurementError {
  /// The error as the command reports it.
  fileprivate func reported(annotations: String) -> any Error {
    switch self {
    case .noKnownCategory: CommandFailure("\(annotations): has no category that the model knows")
    case .unusableModel(let error): error
    case .picture(let path, let error):
      (error as? DetectionError)?.reported(file: path) ?? CommandFailure(error, file: path)
    }
  }
}
