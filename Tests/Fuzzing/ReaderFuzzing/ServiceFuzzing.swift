// Fovea - fuzzing: requests to the detection service.
// SPDX-License-Identifier: Apache-2.0
import FoveaExampleModel
import FoveaHTTP
import FoveaRuntime
import FoveaServing
import FoveaTestSupport
import FoveaVision

enum ServiceFuzzing {
  /// A service with the detector of squares.
  private static let service: DetectionService? = {
    let source = ServedModel.Source(name: "squares") {
      try DetectObjectsRequest(model: model(), pool: ThreadPool(threadCount: 1))
    } forArrays: {
      try model()
    }
    guard let shelf = try? ModelShelf([source]), let address = ServiceAddress("0"),
      let queue = WorkQueue(threads: 1, limit: 1)
    else { return nil }
    return DetectionService(
      shelf, queue, ServiceAccess(token: nil, at: address), version: "1")
  }()

  private static func model() throws -> Model {
    try Model(bytes: ShapesDetector.modelBytes(), name: "shapes.mlmodel")
  }

  /// The first byte says what is asked, the second how much of the rest is JSON. Every answer has a
  /// status of HTTP, and a refusal says why.
  static func read(_ bytes: [UInt8]) {
    guard let service, bytes.count >= 2 else { return promise(bytes.count < 2, "no service") }
    let rest = Array(bytes.dropFirst(2))
    var request = HTTPRequest(method: "POST", path: "/detect")
    request.body = rest
    switch bytes[0] % 6 {
    case 0: break
    case 1: request.path = "/v2/models/squares/infer"
    case 2:
      request.path = "/v2/models/squares/infer"
      request.headers["inference-header-content-length"] = "\(min(Int(bytes[1]), rest.count))"
    case 3: request.path = "/v1/vision/detection"
    case 4:
      request.path = "/v1/vision/custom/Squares.pt"
      let cut = min(Int(bytes[1]), rest.count)
      request.form = [
        .init(name: "min_confidence", fileName: nil, bytes: Array(rest[..<cut])),
        .init(name: "image", fileName: "image", bytes: Array(rest[cut...])),
      ]
    default:
      request.method = "GET"
      request.path = String(decoding: rest, as: UTF8.self)
      _ = ServiceAddress(request.path)
    }
    let response = service.answer(to: request)
    promise((200...505).contains(response.status), "the status \(response.status)")
    guard response.status != 200, case .bytes(let body) = response.content else { return }
    promise(
      String(decoding: body, as: UTF8.self).contains("\"error\":\""), "a refusal without words")
  }

  /// What clients send, and what is refused.
  static let seeds: [[UInt8]] = {
    let picture = UncompressedPNG.encode(
      width: 8, height: 8, pixels: [UInt8](repeating: 90, count: 8 * 8 * 3))
    func asked(_ kind: UInt8, _ cut: Int, _ text: String, _ more: [UInt8] = []) -> [UInt8] {
      [kind, UInt8(cut)] + Array(text.utf8) + more
    }
    let head =
      "{\"inputs\":[{\"name\":\"image\",\"shape\":[1],\"datatype\":\"BYTES\","
      + "\"parameters\":{\"binary_data_size\":\(picture.count + 4)}}],"
      + "\"outputs\":[{\"name\":\"boxes\",\"parameters\":{\"binary_data\":true}}]}"
    let length = [UInt8(picture.count & 255), UInt8(picture.count >> 8), 0, 0]
    return [
      asked(
        0, 0,
        "{\"data\":\"iVBORw0KGgo=\",\"detector_name\":\"default\",\"detect\":{\"*\":0},\"id\":\"a\","
          + "\"regions\":[{\"top\":0,\"left\":0.1,\"bottom\":1,\"right\":1,\"covers\":true}]}"),
      asked(
        1, 0,
        "{\"id\":\"1\",\"inputs\":[{\"name\":\"image\",\"shape\":[1,2],\"datatype\":\"UINT8\","
          + "\"data\":[[1,2]]}],\"parameters\":{\"binary_data_output\":true,\"confidence\":0.1}}"),
      asked(2, head.utf8.count, head, length + picture), asked(3, 0, "", picture),
      asked(4, 3, "0.4", picture), asked(5, 0, "/v2/models/squares/versions/1"),
      asked(5, 0, "/v2/models/squares/config"), asked(5, 0, "[::1]:8080"),
    ]
  }()
}
