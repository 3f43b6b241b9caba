// Fovea - the protocol of DeepStack and CodeProject.AI.
// SPDX-License-Identifier: Apache-2.0
internal import Fovea
internal import FoveaGeometry
internal import FoveaHTTP
internal import FoveaJSON
internal import FoveaLibc

/// The protocol of DeepStack and CodeProject.AI: a form with a picture, and boxes in whole pixels of the
/// upright picture.
///
/// Clients are less careful than their servers. Some read every answer as a JSON object, whatever its
/// status. Some read boxes as whole numbers alone. Frigate keeps 20 rows, and stops at the first object
/// below 0.4: so answers are sorted, and whoever names no least confidence gets 20 objects at most.
struct DeepStackProtocol: ServiceProtocol {
  let shelf: ModelShelf
  let renaming: LabelRenaming

  /// The least confidence where a client names none.
  private static let defaultConfidence = 0.4
  /// The most objects for a client that names no least confidence.
  private static let defaultMaximum = 20

  func task(for request: HTTPRequest) -> ServiceTask? {
    guard request.path.hasPrefix("/v1/") else { return nil }
    switch request.path.dropFirst(4) {
    case "vision/detection": return detection(request, model: nil, route: "deepstack detection")
    case "vision/face": return face(request)
    case "vision/custom/list":
      return task("deepstack list") { [shelf] in
        let names = shelf.names.map { JSONText.quoted($0) }.joined(separator: ",")
        return .json("{\"success\":true,\"models\":[\(names)],\"moduleId\":\"Fovea\",\"code\":200}")
      }
    case "server/status/ping", "status/ping":
      return task("deepstack status") { .json("{\"success\":true}") }
    case "status/updateavailable", "server/status/updateavailable":
      return task("deepstack status") { .json("{\"success\":true,\"updateAvailable\":false}") }
    case let path where path.hasPrefix("vision/custom/"):
      return detection(request, model: String(path.dropFirst(14)), route: "deepstack custom")
    default:
      return task("deepstack other") { () throws(ServiceRefusal) in
        throw ServiceRefusal(
          404,
          "there is no \(request.path); there are vision/detection, vision/face, "
            + "vision/custom/MODEL and vision/custom/list")
      }
    }
  }

  /// Faces: the model with this name finds them, where there is one.
  private func face(_ request: HTTPRequest) -> ServiceTask {
    guard shelf.has("face") else {
      return task("deepstack face") { () throws(ServiceRefusal) in
        throw ServiceRefusal(
          403, "no model finds faces; start the service with face=FILE, a detector of faces")
      }
    }
    return detection(request, model: "face", route: "deepstack face", hasLabels: false)
  }

  private func detection(
    _ request: HTTPRequest, model name: String?, route: String, hasLabels: Bool = true
  ) -> ServiceTask {
    task(route, isWork: true) { [shelf, renaming] () throws(ServiceRefusal) in
      let start = MonotonicClock.seconds()
      let model = try shelf.model(name)
      let picture = try request.picture()
      // Programs of strangers send what they like: what is no number counts as none.
      let stated = (request.formText("min_confidence") ?? request.query["min_confidence"])
        .flatMap { Double($0.trimmed) }.map { $0.isNaN ? Self.defaultConfidence : $0 }
      let result = try model.objects(
        in: picture, confidence: min(max(stated ?? Self.defaultConfidence, 0), 1))
      let objects =
        stated == nil
        ? Array(result.observations.prefix(Self.defaultMaximum)) : result.observations
      let predictions = objects.map { object in
        Self.text(object, in: result.imageSize, hasLabels ? renaming : nil)
      }
      let milliseconds = Int(((MonotonicClock.seconds() - start) * 1000).rounded())
      let inference = result.timings.inference.components
      return .json(
        "{\"success\":true,\"predictions\":[\(predictions.joined(separator: ","))],"
          + "\"count\":\(predictions.count),\"message\":\"\(Self.words(predictions.count))\","
          + "\"duration\":0,\"inferenceMs\":\(inference.attoseconds / 1_000_000_000_000_000),"
          + "\"processMs\":\(milliseconds),\"moduleId\":\"Fovea\",\"moduleName\":\"Fovea\","
          + "\"code\":200,\"command\":\"detect\",\"executionProvider\":\"CPU\","
          + "\"canUseGPU\":false}")
    }
  }

  private static func words(_ count: Int) -> String { count == 1 ? "1 object" : "\(count) objects" }

  /// An object, its box in whole pixels.
  private static func text(
    _ object: RecognizedObjectObservation, in size: ImageSize, _ renaming: LabelRenaming?
  ) -> String {
    let box = object.boundingBox.toImageCoordinates(size, origin: .upperLeft)
    func pixel(_ place: Double, _ side: Int) -> Int {
      Int(min(max(place, 0), Double(side)).rounded())
    }
    let label = renaming.map {
      "\"label\":\(JSONText.quoted($0.name(of: object.bestLabel?.identifier ?? ""))),"
    }
    let places = [
      ("y_min", pixel(box.y, size.height)), ("x_min", pixel(box.x, size.width)),
      ("y_max", pixel(box.y + box.height, size.height)),
      ("x_max", pixel(box.x + box.width, size.width)),
    ].map { name, place in ",\"\(name)\":\(place)" }
    let confidence = JSONText.number(object.topConfidence)
    return "{\(label ?? "")\"confidence\":\(confidence)\(places.joined())}"
  }

  private func task(
    _ route: String, isWork: Bool = false,
    _ answer: @escaping @Sendable () throws(ServiceRefusal) -> HTTPResponse
  ) -> ServiceTask {
    ServiceTask(route: route, isWork: isWork, answer: answer) { refusal in
      .json(
        "{\"success\":false,\"error\":\(JSONText.quoted(refusal.words)),"
          + "\"code\":\(refusal.status),\"predictions\":[],\"count\":0,\"duration\":0}",
        status: refusal.status)
    }
  }
}

extension HTTPRequest {
  /// The bytes of a picture: the part `image` of a form, or its first file, or its largest part, or the
  /// body. Some clients write names without quotes, which are not read.
  ///
  /// - Throws: A refusal of 400 without one.
  func picture() throws(ServiceRefusal) -> [UInt8] {
    let part = form.map { parts in
      parts.first { $0.name == "image" && !$0.bytes.isEmpty }
        ?? parts.first { $0.fileName != nil && !$0.bytes.isEmpty }
        ?? parts.max { $0.bytes.count < $1.bytes.count }
    }
    let bytes = part.map { $0?.bytes ?? [] } ?? body
    guard !bytes.isEmpty else {
      throw ServiceRefusal(400, "the picture is missing; send a form with the part 'image'")
    }
    return bytes
  }
}

extension String {
  /// Without spaces at both ends.
  fileprivate var trimmed: Substring {
    let start = drop { $0.isWhitespace }
    guard let end = start.lastIndex(where: { !$0.isWhitespace }) else { return "" }
    return start[...end]
  }
}
