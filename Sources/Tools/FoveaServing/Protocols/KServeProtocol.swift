// Fovea - the protocol of KServe, version 2.
// SPDX-License-Identifier: Apache-2.0
internal import Fovea
internal import FoveaGeometry
internal import FoveaHTTP
internal import FoveaJSON
internal import FoveaRuntime

/// The protocol of KServe, version 2 (the Open Inference Protocol), with what clients of Triton ask for:
/// the configuration, binary tensors, and loading a model again.
///
/// A request has the model's own tensors, or one picture of the type BYTES. A picture is answered with
/// `boxes` [n, 4] (left, top, right, bottom in pixels of the upright picture), `scores` [n], `classes`
/// [n], `labels` [n] and `size` [2] (width and height of the picture).
struct KServeProtocol: ServiceProtocol {
  let shelf: ModelShelf
  let version: String

  func task(for request: HTTPRequest) -> ServiceTask? {
    var parts = request.path.split(separator: "/").map(String.init)
    guard parts.first == "v2" else { return nil }
    parts.removeFirst()
    switch parts {
    case []: return task("kserve server") { [version] in Self.server(version) }
    case ["health", "live"], ["health", "ready"]: return task("kserve health") { .json("{}") }
    case ["repository", "index"]: return task("kserve index") { [shelf] in Self.index(shelf) }
    case let words where words.count == 4 && words[0...1] == ["repository", "models"]:
      return repository(words[2], words[3])
    case let words where words.first == "models" && words.count >= 2:
      return model(words[1], Array(words.dropFirst(2)), request)
    default: return nothing(request.path)
    }
  }

  /// What is asked of a model; `words` may begin with its version.
  private func model(_ name: String, _ words: [String], _ request: HTTPRequest) -> ServiceTask {
    var words = words
    if words.count >= 2, words[0] == "versions" {
      guard words[1] == "1" else {
        return task("kserve other") { () throws(ServiceRefusal) in
          throw ServiceRefusal(404, "the model '\(name)' has the version 1 alone")
        }
      }
      words.removeFirst(2)
    }
    switch words {
    case []:
      return task("kserve metadata", isWork: true) { [shelf] () throws(ServiceRefusal) in
        try Self.metadata(shelf.model(name))
      }
    case ["ready"]:
      return task("kserve health") { [shelf] () throws(ServiceRefusal) in
        let model = try shelf.model(name)
        return .json("{\"name\":\(JSONText.quoted(model.name)),\"ready\":true}")
      }
    case ["config"]:
      return task("kserve configuration", isWork: true) { [shelf] () throws(ServiceRefusal) in
        try Self.configuration(shelf.model(name))
      }
    case ["infer"]:
      return task("kserve infer", isWork: true) { [shelf] () throws(ServiceRefusal) in
        try KServeInference(shelf.model(name)).answer(to: request)
      }
    default: return nothing(request.path)
    }
  }

  private func repository(_ name: String, _ verb: String) -> ServiceTask {
    task("kserve repository", isWork: true) { [shelf] () throws(ServiceRefusal) in
      guard verb == "load" else {
        throw ServiceRefusal(400, "models are loaded anew and not taken away; '\(verb)' is neither")
      }
      try shelf.reload(name)
      return .json("{}")
    }
  }

  private func nothing(_ path: String) -> ServiceTask {
    task("kserve other") { () throws(ServiceRefusal) in
      throw ServiceRefusal(404, "there is no \(path); there are /v2, /v2/models/MODEL and more")
    }
  }

  // MARK: Descriptions

  private static func server(_ version: String) -> HTTPResponse {
    .json(
      "{\"name\":\"fovea\",\"version\":\(JSONText.quoted(version)),\"extensions\":"
        + "[\"binary_tensor_data\",\"model_configuration\",\"model_repository\"]}")
  }

  private static func index(_ shelf: ModelShelf) -> HTTPResponse {
    let models = shelf.names.map {
      "{\"name\":\(JSONText.quoted($0)),\"version\":\"1\",\"state\":\"READY\",\"reason\":\"\"}"
    }
    return .json("[\(models.joined(separator: ","))]")
  }

  private static func list(
    _ ports: [ModelPort], _ text: (ModelPort, _ sizes: String) -> String
  ) -> String {
    ports.map { text($0, $0.shape.map { "\($0)" }.joined(separator: ",")) }.joined(separator: ",")
  }

  private static func metadata(_ model: ServedModel) throws(ServiceRefusal) -> HTTPResponse {
    let arrays = try model.arrayModel()
    func tensors(_ ports: [ModelPort]) -> String {
      list(ports) { port, sizes in
        "{\"name\":\(JSONText.quoted(port.name)),\"datatype\":\"\(port.kserveType)\","
          + "\"shape\":[\(sizes)]}"
      }
    }
    return .json(
      "{\"name\":\(JSONText.quoted(model.name)),\"versions\":[\"1\"],\"platform\":\"fovea\","
        + "\"inputs\":[\(tensors(arrays.inputs))],\"outputs\":[\(tensors(arrays.outputs))]}")
  }

  private static func configuration(_ model: ServedModel) throws(ServiceRefusal) -> HTTPResponse {
    let arrays = try model.arrayModel()
    func tensors(_ ports: [ModelPort]) -> String {
      list(ports) { port, sizes in
        "{\"name\":\(JSONText.quoted(port.name)),\"data_type\":\"TYPE_\(port.kserveType)\","
          + "\"dims\":[\(sizes)]}"
      }
    }
    let description = JSONText.quoted(PythonLiteral.description(of: model))
    return .json(
      "{\"name\":\(JSONText.quoted(model.name)),\"platform\":\"fovea\",\"backend\":\"fovea\","
        + "\"max_batch_size\":0,\"input\":[\(tensors(arrays.inputs))],"
        + "\"output\":[\(tensors(arrays.outputs))],"
        + "\"parameters\":{\"metadata\":{\"string_value\":\(description)}}}")
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
