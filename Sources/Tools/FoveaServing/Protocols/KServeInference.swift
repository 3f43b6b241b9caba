// Fovea - running a model for clients of KServe V2.
// SPDX-License-Identifier: Apache-2.0
internal import Fovea
internal import FoveaGeometry
internal import FoveaHTTP
internal import FoveaJSON
internal import FoveaRuntime

/// Runs a model for clients of KServe V2.
struct KServeInference {
  private let model: ServedModel

  init(_ model: ServedModel) { self.model = model }

  /// The answer to a request, with tensors or a picture.
  ///
  /// - Throws: A refusal.
  func answer(to request: HTTPRequest) throws(ServiceRefusal) -> HTTPResponse {
    let header = request.headers["inference-header-content-length"]
    let length = header.flatMap { Int($0) }
    guard (header == nil) == (length == nil) else {
      throw ServiceRefusal(400, "Inference-Header-Content-Length is '\(header ?? "")', no number")
    }
    // Who sends a picture without anything else may say so by its type.
    let isPicture = request.headers["content-type"]?.hasPrefix("image/") ?? false
    let asked = try KServeRequest(request.body, jsonLength: length, isPicture: isPicture)
    let tensors =
      asked.inputs.contains { $0.datatype == "BYTES" }
      ? try objects(asked) : try arrays(asked)
    return try response(tensors, to: asked)
  }

  // MARK: Arrays

  private func arrays(_ asked: KServeRequest) throws(ServiceRefusal) -> [KServeTensor] {
    let arrayModel = try model.arrayModel()
    let ports = arrayModel.inputs
    var arrays: [String: Tensor] = [:]
    for input in asked.inputs {
      guard let port = ports.first(where: { $0.name == input.name }) else {
        throw ServiceRefusal(
          400,
          "there is no input '\(input.name)'; the model's inputs are "
            + ports.map { "'\($0.name)'" }.joined(separator: ", ")
            + ", or one picture of the type BYTES")
      }
      guard arrays[input.name] == nil else {
        throw ServiceRefusal(400, "the input '\(input.name)' is given twice")
      }
      arrays[input.name] = try input.tensor(for: port)
    }
    let found = try arrayModel.run(arrays)
    return arrayModel.outputs.compactMap { port in
      found[port.name].map {
        KServeTensor(name: port.name, shape: $0.shape, elements: .floats($0.floats()))
      }
    }
  }

  // MARK: Objects

  private func objects(_ asked: KServeRequest) throws(ServiceRefusal) -> [KServeTensor] {
    guard asked.inputs.count == 1 else {
      throw ServiceRefusal(400, "a picture of the type BYTES comes alone")
    }
    let result = try model.objects(
      in: asked.inputs[0].picture(), confidence: asked.confidence, iou: asked.iou)
    let (objects, size) = (result.observations, result.imageSize)
    let boxes = objects.flatMap { object -> [Float] in
      let box = object.boundingBox.toImageCoordinates(size, origin: .upperLeft)
      return [box.x, box.y, box.x + box.width, box.y + box.height].map { Float($0) }
    }
    return [
      KServeTensor(name: "boxes", shape: [objects.count, 4], elements: .floats(boxes)),
      KServeTensor(
        name: "scores", shape: [objects.count], elements: .floats(objects.map(\.topConfidence))),
      KServeTensor(
        name: "classes", shape: [objects.count],
        elements: .integers(objects.map { Int64($0.bestLabel?.classIndex ?? -1) })),
      KServeTensor(
        name: "labels", shape: [objects.count],
        elements: .texts(objects.map { $0.bestLabel?.identifier ?? "" })),
      KServeTensor(
        name: "size", shape: [2], elements: .integers([Int64(size.width), Int64(size.height)])),
    ]
  }

  // MARK: The answer

  /// The tensors that were asked for, in that order; all of them where none was named.
  private func response(
    _ tensors: [KServeTensor], to asked: KServeRequest
  ) throws(ServiceRefusal) -> HTTPResponse {
    let wanted =
      asked.outputs.isEmpty ? tensors.map { KServeRequest.Output(name: $0.name) } : asked.outputs
    var binary: [UInt8] = []
    var texts: [String] = []
    var hasBinary = false
    for output in wanted {
      guard let tensor = tensors.first(where: { $0.name == output.name }) else {
        throw ServiceRefusal(
          400,
          "there is no output '\(output.name)'; the outputs are "
            + tensors.map { "'\($0.name)'" }.joined(separator: ", "))
      }
      let isBinary = output.isBinary ?? asked.isBinary
      hasBinary = hasBinary || isBinary
      texts.append(tensor.text(isBinary: isBinary, into: &binary))
    }
    let identifier = asked.identifier.map { "\"id\":\(JSONText.quoted($0))," } ?? ""
    let json =
      "{\"model_name\":\(JSONText.quoted(model.name)),\"model_version\":\"1\",\(identifier)"
      + "\"outputs\":[\(texts.joined(separator: ","))]}"
    guard hasBinary else { return .json(json) }
    var response = HTTPResponse(type: "application/octet-stream", Array(json.utf8) + binary)
    response.headers = [("Inference-Header-Content-Length", "\(json.utf8.count)")]
    return response
  }
}
