// Fovea - fovea faces: finds faces with a network that is named.
// SPDX-License-Identifier: Apache-2.0
internal import Fovea
internal import FoveaCommandLine
internal import FoveaModelCommands
internal import FoveaStills

/// Finds faces with a network that is named.
enum FacesCommand: Subcommand {
  static let description = CommandDescription(
    name: "faces", synopsis: "--model FILE IMAGE... [OPTIONS]",
    summary: "Finds faces, and their landmarks, with networks that you name.",
    options: [
      .init(
        name: "--model", value: "FILE", help: "the detector of faces: BlazeFace or YuNet (required)"
      ),
      .init(
        name: "--landmarks", value: "FILE", help: "MediaPipe's face mesh: also find landmarks"),
      .init(
        name: "--confidence", value: "0...1", help: "the least confidence of a face (default 0.5)"),
      .init(
        name: "--minimum-size", value: "0...1",
        help: "the smallest face, as a part of the longer side of the image (default 0.04)"),
      .draw,
    ] + StillRun.options,
    operandCount: 1...Int.max,
    notes: """
      No weights for faces come with Fovea; the documentation says where such networks are found.
      Faces are found in every position. When one image of several fails, the others are still done
      and the exit code is 1.
      """,
    leading: .modelBeforeImages)

  static func run(_ arguments: ArgumentList) throws -> Int32 {
    guard let path = arguments.value("--model") else {
      throw UsageError("--model is missing; name a detector of faces, such as BlazeFace or YuNet")
    }
    let run = try StillRun(description, key: "faces", arguments)
    let draw = try DrawingOutput("--draw", arguments, images: run.images.count)
    var request = try network(path, arguments) { model throws(StillError) in
      try DetectFaceRectanglesRequest(model: model)
    }
    if let least = try arguments.fraction("--confidence") {
      request.minimumConfidence = Float(least)
    }
    if let least = try arguments.fraction("--minimum-size") {
      request.minimumFaceSize = least
    }
    let faces = run.applied(to: request)
    let both = try arguments.value("--landmarks").map { path in
      run.applied(
        to: try network(path, arguments) { model throws(StillError) in
          try DetectFaceLandmarksRequest(faces: faces, model: model)
        })
    }
    return try run.run(text: text) { picture, path in
      let found = try both?.result(in: picture) ?? faces.result(in: picture)
      try draw?.write(picture.image, named: path, boxes: found.map { .drawn($0) })
      return found.map { FaceReport($0, in: picture.fullSize) }
    }
  }

  /// A request that runs the network of a file.
  static func network<Request>(
    _ path: String, _ arguments: ArgumentList, _ make: (Model) throws(StillError) -> Request
  ) throws -> Request {
    // Requests know themselves what the levels of a picture become.
    let model = try ModelLoading.load(
      .file(path), arguments, pictures: nil, decodesHead: false)
    do throws(StillError) { return try make(model) } catch {
      throw CommandFailure(error, file: path)
    }
  }

  private static func text(_ faces: [FaceReport]) -> String {
    var table = TextTable([
      .right("confidence"), .right("x"), .right("y"), .right("width"), .right("height"),
      .right("roll"),
    ])
    for face in faces {
      table.rows.append(
        [NumberText.percent(face.confidence)] + face.bbox.map { NumberText.fixed($0, digits: 1) }
          + [face.rollDegrees.map { NumberText.fixed($0, digits: 1) } ?? "-"])
    }
    return table.text(indentation: 2)
  }
}

/// A face as JSON has it. Points are pixels of the upright image, from its upper left.
struct FaceReport: Encodable {
  let confidence: Double
  /// x, y, width, height in pixels.
  let bbox: [Double]
  /// x, y, width, height in fractions of the upright image, from its lower left.
  let boundingBox: [Double]
  /// Counterclockwise.
  let rollDegrees: Double?
  let yawDegrees: Double?
  let pitchDegrees: Double?
  let points: [String: [Double]]
  /// Points of each part, with `--landmarks`.
  let landmarks: [String: [[Double]]]?

  init(_ face: FaceObservation, in size: ImageSize) {
    func rounded(_ point: ImagePoint) -> [Double] {
      [point.x, point.y].map { NumberText.rounded($0, digits: 3) }
    }
    func degrees(_ angle: Double?) -> Double? {
      angle.map { NumberText.rounded($0 * 180 / .pi, digits: 2) }
    }
    confidence = NumberText.rounded(Double(face.confidence), digits: 6)
    let box = face.boundingBox
    let pixels = box.toImageCoordinates(size, origin: .upperLeft)
    bbox = [pixels.x, pixels.y, pixels.width, pixels.height]
      .map { NumberText.rounded($0, digits: 3) }
    boundingBox = [box.x, box.y, box.width, box.height]
      .map { NumberText.rounded($0, digits: 9) }
    (rollDegrees, yawDegrees, pitchDegrees) = (
      degrees(face.roll), degrees(face.yaw), degrees(face.pitch)
    )
    points = Dictionary(
      uniqueKeysWithValues: face.points.map { name, point in
        (name.rawValue, rounded(point.toImageCoordinates(size, origin: .upperLeft)))
      })
    landmarks = face.landmarks.map { landmarks in
      var parts: [String: [[Double]]] = [:]
      for part in FaceLandmarks.Part.allCases {
        parts[part.rawValue] = landmarks[part]?
          .pointsInImageCoordinates(size, origin: .upperLeft).map(rounded)
      }
      return parts
    }
  }
}
