// Fovea - the protocol of DOODS.
// SPDX-License-Identifier: Apache-2.0
internal import Fovea
internal import FoveaDrawing
internal import FoveaGeometry
internal import FoveaHTTP
internal import FoveaJSON
internal import FoveaLibc

/// The protocol of DOODS, version 2: JSON with a picture in base 64, and boxes in fractions.
///
/// Home Assistant takes any answer that has a key `error` for a failure, and drops boxes that reach
/// beyond the picture.
struct DoodsProtocol: ServiceProtocol {
  let shelf: ModelShelf
  let renaming: LabelRenaming

  func task(for request: HTTPRequest) -> ServiceTask? {
    switch request.path {
    case "/detectors":
      return task("doods detectors") { [shelf, renaming] () throws(ServiceRefusal) in
        .json("{\"detectors\":[\(try Self.detectors(shelf, renaming))]}")
      }
    case "/detect":
      return task("doods detect", isWork: true) { [shelf, renaming] () throws(ServiceRefusal) in
        try Self.detect(request, shelf, renaming)
      }
    default: return nil
    }
  }

  /// The first model is also called default, as clients do that name none.
  private static func detectors(
    _ shelf: ModelShelf, _ renaming: LabelRenaming
  ) throws(ServiceRefusal) -> String {
    var texts: [String] = []
    let isDefaultThere = shelf.has("default")
    for (place, name) in shelf.names.enumerated() {
      let request = try shelf.model(name).request
      var seen: Set<String> = []
      let labels = request.classLabels.map(renaming.name).filter { seen.insert($0).inserted }
      for shown in place == 0 && !isDefaultThere ? ["default", name] : [name] {
        texts.append(
          "{\"name\":\(JSONText.quoted(shown)),\"type\":\"fovea\",\"model\":\(JSONText.quoted(name)),"
            + "\"labels\":[\(labels.map { JSONText.quoted($0) }.joined(separator: ","))],"
            + "\"width\":\(request.inputSize.width),\"height\":\(request.inputSize.height)}")
      }
    }
    return texts.joined(separator: ",")
  }

  private static func detect(
    _ request: HTTPRequest, _ shelf: ModelShelf, _ renaming: LabelRenaming
  ) throws(ServiceRefusal) -> HTTPResponse {
    let asked = try DoodsRequest(request.body)
    let name = asked.detector == "default" && !shelf.has("default") ? nil : asked.detector
    let model = try shelf.model(name)
    guard !asked.data.includes("://") else {
      throw ServiceRefusal(400, "data is an address; send the picture itself in base 64")
    }
    let text = asked.data.utf8
    // Browsers write what the data are before them: data:image/jpeg;base64,...
    let start =
      text.starts(with: "data:".utf8)
      ? text.firstIndex(of: UInt8(ascii: ",")).map { text.index(after: $0) } : text.startIndex
    guard let start, let picture = bytes(ofBase64: text[start...]), !picture.isEmpty else {
      throw ServiceRefusal(400, "data is no picture in base 64")
    }
    let least = ([asked.least] + asked.regions.map(\.least)).flatMap(\.values).min()
    let result = try model.objects(in: picture, confidence: least)
    let found = result.observations.compactMap { object in
      Detection(object, renaming).reported(by: asked)
    }
    var members = ["\"id\":\(JSONText.quoted(asked.identifier))"]
    if !asked.image.isEmpty {
      members.append(
        "\"image\":\"\(try drawing(found.map(\.object), on: picture, as: asked.image))\"")
    }
    members.append("\"detections\":[\(found.map(\.text).joined(separator: ","))]")
    return .json("{\(members.joined(separator: ","))}")
  }

  /// The picture with boxes, in base 64.
  private static func drawing(
    _ objects: [RecognizedObjectObservation], on picture: [UInt8], as format: String
  ) throws(ServiceRefusal) -> String {
    do {
      let image = try AnnotatedImage(Image(bytes: picture), boxes: objects.map { LabeledBox($0) })
        .rendered()
      var text: [UInt8] = []
      appendBase64(of: format == "png" ? try image.pngBytes() : try image.jpegBytes(), to: &text)
      return String(decoding: text, as: UTF8.self)
    } catch {
      throw ServiceRefusal(500, "the objects cannot be drawn: \(error)")
    }
  }

  private func task(
    _ route: String, isWork: Bool = false,
    _ answer: @escaping @Sendable () throws(ServiceRefusal) -> HTTPResponse
  ) -> ServiceTask {
    ServiceTask(route: route, isWork: isWork, answer: answer) { refusal in
      .json("{\"error\":\(JSONText.quoted(refusal.words))}", status: refusal.status)
    }
  }
}

/// An object as DOODS tells it.
private struct Detection {
  let object: RecognizedObjectObservation
  private let label: String
  private let confidence: Double
  private let (left, top, right, bottom): (Double, Double, Double, Double)
  private var region: String?

  init(_ object: RecognizedObjectObservation, _ renaming: LabelRenaming) {
    self.object = object
    label = renaming.name(of: object.bestLabel?.identifier ?? "")
    confidence = Double(object.topConfidence)
    let box = object.boundingBox.verticallyFlipped()
    func inside(_ place: Double) -> Double { min(max(place, 0), 1) }
    (left, top) = (inside(box.x), inside(box.y))
    (right, bottom) = (inside(box.x + box.width), inside(box.y + box.height))
  }

  /// The detection, where the request asks for it: by its own list, or by that of a region that the
  /// box meets or lies in.
  func reported(by request: DoodsRequest) -> Detection? {
    if request.regions.isEmpty, request.least.isEmpty { return self }
    if isEnough(request.least) { return self }
    for region in request.regions where isEnough(region.least) {
      let isInside =
        left >= region.left && top >= region.top && right <= region.right
        && bottom <= region.bottom
      let meets =
        left < region.right && right > region.left && top < region.bottom && bottom > region.top
      guard region.covers ? isInside : meets else { continue }
      var detection = self
      detection.region = region.identifier
      return detection
    }
    return nil
  }

  private func isEnough(_ least: DoodsRequest.Least) -> Bool {
    (least[label] ?? least["*"]).map { confidence >= $0 } ?? false
  }

  var text: String {
    let region = region.map { "\"region_id\":\(JSONText.quoted($0))," } ?? ""
    return "{\(region)\"top\":\(JSONText.number(top)),\"left\":\(JSONText.number(left)),"
      + "\"bottom\":\(JSONText.number(bottom)),\"right\":\(JSONText.number(right)),"
      + "\"label\":\(JSONText.quoted(label)),"
      + "\"confidence\":\(JSONText.number((confidence * 1e5).rounded() / 1e3))}"
  }
}
