// Fovea - fovea rectangles: finds rectangles and their corners.
// SPDX-License-Identifier: Apache-2.0
internal import Fovea
internal import FoveaCommandLine
internal import FoveaModelCommands
internal import FoveaStills

/// Finds rectangles and their corners.
enum RectanglesCommand: Subcommand {
  static let description = CommandDescription(
    name: "rectangles", synopsis: "IMAGE... [OPTIONS]",
    summary: "Finds rectangles, such as sheets, cards and screens, with exact corners.",
    options: [
      .init(
        name: "--minimum-confidence", value: "0...1",
        help: "the least confidence of a rectangle (default 0.5)"),
      .init(
        name: "--minimum-size", value: "0...1",
        help: "the shortest side, as a part of the image's shorter side (default 0.1)"),
      .init(
        name: "--minimum-aspect", value: "0...1",
        help: "the least ratio of the shorter to the longer side (default 0.2)"),
      .init(
        name: "--maximum-aspect", value: "0...1",
        help: "the greatest ratio of the shorter to the longer side (default 1)"),
      .init(
        name: "--tolerance", value: "0...45",
        help: "by how many degrees angles may differ from 90 (default 45)"),
      .init(
        name: "--maximum", value: "N",
        help: "report at most so many, the most confident first (default 0: all)"),
      .draw,
    ] + StillRun.options,
    operandCount: 1...Int.max,
    notes: """
      At most 64 rectangles are found in an image. Corners run clockwise, from the one that is upper
      left in the image. When one image of several fails, the others are still done and the exit code
      is 1.
      """)

  static func run(_ arguments: ArgumentList) throws -> Int32 {
    let run = try StillRun(description, key: "rectangles", arguments)
    let draw = try DrawingOutput("--draw", arguments, images: run.images.count)
    let request = run.applied(to: try request(arguments))
    return try run.run(text: text) { picture, path in
      let found = try request.result(in: picture)
      try draw?.write(picture.image, named: path, boxes: found.map { .drawn($0) })
      return found.map { RectangleReport($0, in: picture.fullSize) }
    }
  }

  /// The request without options. Its defaults are wider than those of Vision.
  static var standardRequest: DetectRectanglesRequest {
    var request = DetectRectanglesRequest()
    (request.minimumConfidence, request.minimumSize) = (0.5, 0.1)
    (request.minimumAspectRatio, request.maximumAspectRatio) = (0.2, 1)
    (request.maximumObservations, request.quadratureToleranceDegrees) = (0, 45)
    return request
  }

  /// The request that the options describe.
  private static func request(
    _ arguments: ArgumentList
  ) throws(UsageError) -> DetectRectanglesRequest {
    var request = standardRequest
    func read(_ option: String, _ value: inout Float) throws(UsageError) {
      if let given = try arguments.fraction(option) { value = Float(given) }
    }
    try read("--minimum-confidence", &request.minimumConfidence)
    try read("--minimum-size", &request.minimumSize)
    try read("--minimum-aspect", &request.minimumAspectRatio)
    try read("--maximum-aspect", &request.maximumAspectRatio)
    if let count = try arguments.integer("--maximum", in: 0...64) {
      request.maximumObservations = count
    }
    if let text = arguments.value("--tolerance") {
      guard let degrees = Float(text), (0...45).contains(degrees) else {
        throw UsageError("--tolerance is '\(text)'; expected degrees, 0...45")
      }
      request.quadratureToleranceDegrees = degrees
    }
    return request
  }

  private static func text(_ rectangles: [RectangleReport]) -> String {
    var table = TextTable(
      [.right("confidence")]
        + ["upper left", "upper right", "lower right", "lower left"].map {
          .right($0)
        })
    for rectangle in rectangles {
      table.rows.append(
        [NumberText.percent(rectangle.confidence)]
          + rectangle.corners.corners.map { corner in
            corner.map { NumberText.fixed($0, digits: 1) }.joined(separator: ", ")
          })
    }
    return table.text(indentation: 2)
  }
}

/// A rectangle as JSON has it.
struct RectangleReport: Encodable {
  let corners: CornersReport
  let confidence: Double

  init(_ rectangle: RectangleObservation, in size: ImageSize) {
    corners = CornersReport(rectangle, in: size)
    confidence = NumberText.rounded(Double(rectangle.confidence), digits: 6)
  }
}
