// Fovea - tests of the detection service, over real connections.
// SPDX-License-Identifier: Apache-2.0
import Fovea
import FoveaExampleModel
import FoveaHTTP
import FoveaLibc
import FoveaRuntime
import FoveaServing
import FoveaTestSupport
import FoveaVision
import Foundation
import Testing

@Suite("Detection service", .tags(.startsThreads)) struct DetectionServiceTests {
  private static let shapes = ShapesImage(seed: 5)
  private static let picture = UncompressedPNG.encode(
    width: ShapesImage.width, height: ShapesImage.height, pixels: shapes.pixels)

  /// A service with the detector of squares under two names.
  private final class Served {
    let asking: HTTPAsking
    let objects: [RecognizedObjectObservation]
    private let server: HTTPServer
    private let queue: WorkQueue

    init(
      token: String? = nil, renaming: [String: String] = [:], threads: Int = 2, limit: Int = 8
    ) throws {
      let source = { (name: String) in
        ServedModel.Source(name: name) {
          try DetectObjectsRequest(
            model: Model(bytes: ShapesDetector.modelBytes(), name: "shapes.mlmodel"),
            pool: ThreadPool(threadCount: 1))
        } forArrays: {
          var options = Model.Options()
          options.decodesHead = false
          return try Model(
            bytes: ShapesDetector.modelBytes(), name: "shapes.mlmodel", options: options)
        }
      }
      let shelf = try ModelShelf([source("squares"), source("face")])
      queue = try #require(WorkQueue(threads: threads, limit: limit))
      let address = try #require(ServiceAddress("0"))
      let service = DetectionService(
        shelf, queue, ServiceAccess(token: token, at: address),
        renaming: LabelRenaming(renaming), version: "1")
      server = try HTTPServer(at: address, refusal: DetectionService.refusal) { service.handle($0) }
      asking = HTTPAsking(server.port)
      let request = try source("own").forPictures()
      objects = try request.perform(on: ImageFile(bytes: DetectionServiceTests.picture))
    }

    deinit {
      server.stop(seconds: 1)
      queue.close()
    }
  }

  private func json(_ reply: HTTPReply?) throws -> [String: Any] {
    let reply = try #require(reply)
    return try #require(try JSONSerialization.jsonObject(with: Data(reply.body)) as? [String: Any])
  }

  // MARK: DeepStack

  @Test(arguments: [
    "/v1/vision/detection", "/v1/vision/custom/squares", "//v1/vision/custom/Face.pt",
  ])
  func deepStack(path: String) throws {
    let served = try Served()
    let answer = try json(served.asking.form(path, [("api_key", "")], picture: Self.picture))
    #expect(answer["success"] as? Bool == true)
    let predictions = try #require(answer["predictions"] as? [[String: Any]])
    #expect(predictions.count == served.objects.count && predictions.count > 2)
    let size = ImageSize(width: ShapesImage.width, height: ShapesImage.height)
    for (prediction, object) in zip(predictions, served.objects) {
      let box = object.boundingBox.toImageCoordinates(size, origin: .upperLeft)
      #expect(prediction["label"] as? String == object.bestLabel?.identifier)
      let confidence = try #require(prediction["confidence"] as? Double)
      #expect(abs(confidence - Double(object.topConfidence)) < 1e-6)
      for (name, place) in [
        ("x_min", box.x), ("y_min", box.y), ("x_max", box.x + box.width),
        ("y_max", box.y + box.height),
      ] {
        #expect(prediction[name] as? Int == Int(place.rounded()), "\(name)")
      }
    }
    let confidences = predictions.compactMap { $0["confidence"] as? Double }
    #expect(confidences == confidences.sorted(by: >))
  }

  @Test func facesHaveNoLabel() throws {
    let served = try Served()
    let answer = try json(served.asking.form("/v1/vision/face", picture: Self.picture))
    let predictions = try #require(answer["predictions"] as? [[String: Any]])
    #expect(!predictions.isEmpty && predictions.allSatisfy { $0["label"] == nil })
  }

  /// Every answer is a JSON object, whatever its status: there are programs that end otherwise.
  @Test func deepStackRefusals() throws {
    let served = try Served()
    let asking = served.asking
    for (reply, status) in [
      (asking.form("/v1/vision/detection"), 400),
      (asking.form("/v1/vision/detection", picture: [1, 2, 3]), 400),
      (asking.form("/v1/vision/detection", picture: Array(Self.picture.prefix(500))), 400),
      (asking.form("/v1/vision/custom/none", picture: Self.picture), 404),
      (asking.ask("POST", "/v1/vision/scene", [], []), 404),
      (asking.ask("GET", "/v1/../../etc/passwd"), 404), (asking.ask("GET", "/none"), 404),
      (asking.ask("POST", "/", ["Content-Type: multipart/form-data"], [65]), 400),
      (asking.ask("POST", "/", ["Content-Length: 999999999999"]), 413),
    ] {
      #expect(reply?.status == status, "\(reply?.text ?? "")")
      let answer = try json(reply)
      #expect(answer["success"] as? Bool == false && answer["error"] is String)
    }
    let list = try json(asking.ask("POST", "/v1/vision/custom/list", [], []))
    #expect(list["models"] as? [String] == ["squares", "face"])
  }

  /// Clients that state no least confidence get no more rows than they have room for.
  @Test func leastConfidence() throws {
    let served = try Served(renaming: ["red square": "car"])
    func predictions(_ least: String?) throws -> [[String: Any]] {
      let values = least.map { [("min_confidence", $0)] } ?? []
      let answer = try json(
        served.asking.form("/v1/vision/detection", values, picture: Self.picture))
      return try #require(answer["predictions"] as? [[String: Any]])
    }
    let all = try predictions("0.0001")
    let few = try predictions(nil)
    #expect(few.count <= 20 && all.count >= few.count)
    #expect(few.allSatisfy { ($0["confidence"] as? Double ?? 0) >= 0.4 })
    #expect(try predictions("7").allSatisfy { $0["confidence"] as? Double == 1 })
    #expect(try predictions("x").count == few.count)
    let labels = Set(all.compactMap { $0["label"] as? String })
    #expect(labels.contains("car") && !labels.contains("red square"))
  }

  // MARK: DOODS

  @Test func doods() throws {
    let served = try Served()
    let detectors =
      try json(served.asking.ask("GET", "//detectors"))["detectors"] as? [[String: Any]]
    #expect(detectors?.map { $0["name"] as? String } == ["default", "squares", "face"])
    #expect(detectors?[0]["labels"] as? [String] == ShapesDetector.labels)
    #expect(detectors?[0]["width"] as? Int == ShapesDetector.inputSide)
    let data = Data(Self.picture).base64EncodedString()
    func detect(_ more: String) throws -> [String: Any] {
      try json(
        served.asking.ask("POST", "/detect", [], Array("{\"data\":\"\(data)\"\(more)}".utf8)))
    }
    let answer = try detect(",\"detector_name\":\"default\",\"detect\":{\"*\":40},\"id\":\"\"")
    #expect(answer["error"] == nil)
    let detections = try #require(answer["detections"] as? [[String: Any]])
    #expect(detections.count == served.objects.count)
    for (detection, object) in zip(detections, served.objects) {
      let box = object.boundingBox.verticallyFlipped()
      for (name, place) in [
        ("left", box.x), ("top", box.y), ("right", box.x + box.width),
        ("bottom", box.y + box.height),
      ] {
        let value = try #require(detection[name] as? Double)
        #expect(abs(value - min(max(place, 0), 1)) < 1e-9 && (0...1).contains(value))
      }
      let confidence = try #require(detection["confidence"] as? Double)
      #expect(abs(confidence - 100 * Double(object.topConfidence)) < 0.001)
    }
    // By label, and by region.
    let red = try detect(",\"detect\":{\"red square\":1}")["detections"] as? [[String: Any]]
    #expect(red?.isEmpty == false)
    #expect(red?.allSatisfy { $0["label"] as? String == "red square" } == true)
    let covered = try detect(
      ",\"regions\":[{\"id\":\"l\",\"top\":0,\"left\":0,\"bottom\":1,\"right\":0.5,"
        + "\"detect\":{\"*\":40},\"covers\":true}]")
    let left = try #require(covered["detections"] as? [[String: Any]])
    let inside = detections.filter { ($0["right"] as? Double ?? 1) <= 0.5 }
    #expect(left.count == inside.count && left.allSatisfy { $0["region_id"] as? String == "l" })
    // The picture with boxes is one.
    let withImage = try detect(",\"image\":\"jpeg\"")
    let drawn = try #require(withImage["image"] as? String)
    let data64 = try #require(Data(base64Encoded: drawn))
    let image = try Image(bytes: Array(data64))
    #expect(image.width == ShapesImage.width && image.height == ShapesImage.height)
  }

  @Test(arguments: [
    ("{", 400), ("{}", 400), ("{\"data\":\"###\"}", 400), ("{\"data\":\"AAAA\"}", 400),
    ("{\"data\":\"http://a/b.jpg\"}", 400), ("{\"data\":\"AAAA\",\"detector_name\":\"x\"}", 404),
    ("{\"data\":[]}", 400), ("{\"regions\":[[]]}", 400),
  ])
  func doodsRefusals(body: String, status: Int) throws {
    let served = try Served()
    let reply = served.asking.ask("POST", "/detect", [], Array(body.utf8))
    #expect(reply?.status == status)
    #expect(try json(reply)["error"] is String)
  }

  // MARK: KServe

  @Test func kserveDescriptions() throws {
    let served = try Served()
    let asking = served.asking
    for path in ["/v2/health/live", "/v2/health/ready", "/v2/models/squares/ready"] {
      #expect(asking.ask("GET", path)?.status == 200)
    }
    #expect(asking.ask("GET", "/v2/models/none/ready")?.status == 404)
    #expect(asking.ask("GET", "/v2/models/squares/versions/2")?.status == 404)
    #expect(try json(asking.ask("GET", "/v2"))["name"] as? String == "fovea")
    let metadata = try json(asking.ask("GET", "/v2/models/squares/versions/1"))
    let inputs = try #require(metadata["inputs"] as? [[String: Any]])
    #expect(inputs.map { $0["datatype"] as? String } == ["UINT8"])
    #expect(inputs[0]["shape"] as? [Int] == [160, 160, 3])
    let configuration = try json(asking.ask("GET", "/v2/models/squares/config"))
    let parameters = configuration["parameters"] as? [String: [String: String]]
    let literal = try #require(parameters?["metadata"]?["string_value"])
    #expect(literal.contains("'names': {0: 'red square', 1: 'green square', 2: 'blue square'}"))
    #expect(literal.contains("'task': 'detect'") && literal.contains("'imgsz': [160, 160]"))
  }

  /// Tensors as numbers and as bytes give what the model gives.
  @Test func kserveTensors() throws {
    let served = try Served()
    let model = try Model(bytes: ShapesDetector.modelBytes(), name: "shapes.mlmodel")
    let input = model.inputs[0]
    let bytes = (0..<input.shape.reduce(1, *)).map { UInt8(truncatingIfNeeded: $0 &* 37) }
    let wanted = try model.prediction(
      from: [input.name: Tensor(shape: input.shape, uint8s: bytes)])
    let shape = "[160,160,3]"
    let numbers = bytes.map { "\($0)" }.joined(separator: ",")
    let asked =
      "{\"id\":\"7\",\"inputs\":[{\"name\":\"\(input.name)\",\"shape\":\(shape),\"datatype\":\"UINT8\","
    let plain = try json(
      served.asking.ask(
        "POST", "/v2/models/squares/infer", [], Array((asked + "\"data\":[\(numbers)]}]}").utf8)))
    #expect(plain["id"] as? String == "7" && plain["model_name"] as? String == "squares")
    let outputs = try #require(plain["outputs"] as? [[String: Any]])
    #expect(Set(outputs.compactMap { $0["name"] as? String }) == Set(wanted.keys))
    for output in outputs {
      let name = try #require(output["name"] as? String)
      let tensor = try #require(wanted[name])
      #expect(output["shape"] as? [Int] == tensor.shape)
      let values = try #require(output["data"] as? [Double]).map { Float($0) }
      #expect(values == tensor.floats())
    }
    let (name, tensor) = try #require(wanted.min { $0.key < $1.key })
    let head = Array(
      (asked + "\"parameters\":{\"binary_data_size\":\(bytes.count)}}],"
        + "\"outputs\":[{\"name\":\"\(name)\",\"parameters\":{\"binary_data\":true}}]}").utf8)
    let reply = try #require(
      served.asking.ask(
        "POST", "/v2/models/squares/infer", ["Inference-Header-Content-Length: \(head.count)"],
        head + bytes))
    let length = try #require(reply.headers["inference-header-content-length"].flatMap { Int($0) })
    let binary = Array(reply.body[length...])
    let floats = tensor.floats().flatMap { number in
      withUnsafeBytes(of: number.bitPattern.littleEndian) { Array($0) }
    }
    #expect(binary == floats)
  }

  /// A picture gives objects.
  @Test func kservePictures() throws {
    let served = try Served()
    let count = UInt32(Self.picture.count)
    let head = Array(
      ("{\"inputs\":[{\"name\":\"image\",\"shape\":[1],\"datatype\":\"BYTES\","
        + "\"parameters\":{\"binary_data_size\":\(count + 4)}}]}").utf8)
    let length = withUnsafeBytes(of: count.littleEndian) { Array($0) }
    for reply in [
      served.asking.ask(
        "POST", "/v2/models/squares/infer", ["Inference-Header-Content-Length: \(head.count)"],
        head + length + Self.picture),
      served.asking.ask(
        "POST", "/v2/models/squares/infer", ["Content-Type: image/png"], Self.picture),
      served.asking.ask(
        "POST", "/v2/models/squares/infer", [],
        Array(
          ("{\"inputs\":[{\"name\":\"image\",\"shape\":[1,1],\"datatype\":\"BYTES\",\"data\":[\""
            + Data(Self.picture).base64EncodedString() + "\"]}]}").utf8)),
    ] {
      let answer = try json(reply)
      let outputs = try #require(answer["outputs"] as? [[String: Any]])
      #expect(
        outputs.map { $0["name"] as? String } == ["boxes", "scores", "classes", "labels", "size"])
      #expect(outputs[0]["shape"] as? [Int] == [served.objects.count, 4])
      #expect(
        outputs[3]["data"] as? [String] == served.objects.map { $0.bestLabel?.identifier ?? "" })
      #expect(outputs[4]["data"] as? [Int] == [ShapesImage.width, ShapesImage.height])
      let boxes = try #require(outputs[0]["data"] as? [Double])
      let box = served.objects[0].boundingBox.toImageCoordinates(
        ImageSize(width: ShapesImage.width, height: ShapesImage.height), origin: .upperLeft)
      #expect(abs(boxes[0] - box.x) < 1e-3 && abs(boxes[3] - box.y - box.height) < 1e-3)
    }
  }

  @Test(
    arguments: [
      ("{", nil), ("[]", nil), ("{\"inputs\":[]}", nil), ("{\"inputs\":[{}]}", nil),
      (
        "{\"inputs\":[{\"name\":\"image\",\"shape\":[2],\"datatype\":\"BYTES\",\"data\":[\"AA\"]}]}",
        nil
      ),
      (
        "{\"inputs\":[{\"name\":\"image\",\"shape\":[160,160,3],\"datatype\":\"FP32\",\"data\":[1]}]}",
        nil
      ),
      (
        "{\"inputs\":[{\"name\":\"image\",\"shape\":[160,160,3],\"datatype\":\"UINT8\",\"data\":[1]}]}",
        nil
      ),
      (
        "{\"inputs\":[{\"name\":\"image\",\"shape\":[-1],\"datatype\":\"UINT8\",\"data\":[]}]}", nil
      ),
      (
        "{\"inputs\":[{\"name\":\"image\",\"shape\":[160,160,3],\"datatype\":\"UINT8\","
          + "\"parameters\":{\"binary_data_size\":9999}}]}", "120"
      ),
      ("{}", "3"), ("{}", "-1"), ("{}", "x"), ("{}", "99999999999999999999"),
    ] as [(String, String?)])
  func kserveRefusals(body: String, length: String?) throws {
    let served = try Served()
    let header = length.map { ["Inference-Header-Content-Length: \($0)"] } ?? []
    let reply = served.asking.ask(
      "POST", "/v2/models/squares/infer", header, Array(body.utf8))
    #expect(reply?.status == 400, "\(reply?.text ?? "")")
    #expect(try json(reply)["error"] is String)
  }

  /// Who has asked before a model is opened again is answered by the old one.
  @Test func reload() throws {
    let served = try Served()
    for _ in 0..<3 {
      #expect(
        served.asking.ask("POST", "/v2/repository/models/squares/load", [], [])?.status == 200)
      #expect(
        served.asking.form("/v1/vision/detection", picture: Self.picture)?.status == 200)
    }
    #expect(served.asking.ask("POST", "/v2/repository/models/none/load", [], [])?.status == 404)
    #expect(served.asking.ask("POST", "/v2/repository/models/face/unload", [], [])?.status == 400)
  }

  // MARK: Access and load

  @Test func tokens() throws {
    let served = try Served(token: "open-sesame")
    var asking = served.asking
    #expect(asking.ask("GET", "/health")?.status == 200)
    for path in ["/", "/metrics", "/detectors", "/v2", "/v1/vision/custom/list", "/none"] {
      #expect(asking.ask("GET", path)?.status == 401, "\(path)")
      #expect(asking.ask("GET", path + "?token=open-sesame")?.status != 401, "\(path)")
    }
    let form = { (key: String) in
      asking.form("/v1/vision/detection", [("api_key", key)], picture: Self.picture)?.status
    }
    #expect(form("") == 401 && form("open-sesam") == 401 && form("open-sesame") == 200)
    asking.headers = ["doods-auth-key: open-sesame"]
    #expect(asking.ask("GET", "/detectors")?.status == 200)
    asking.headers = ["Authorization: bearer open-sesame"]
    #expect(asking.ask("GET", "/v2")?.status == 200)
  }

  /// What comes beyond the queue is refused at once; what was taken is answered.
  @Test func fullQueue() throws {
    let queue = try #require(WorkQueue(threads: 1, limit: 2))
    let gate = Locked(false)
    let done = Locked(0)
    let work: @Sendable () -> Void = {
      gate.wait { $0 ? () : nil }
      done.withLock { $0 += 1 }
      done.wakeAll()
    }
    #expect(queue.add(work))
    _ = waitUntil { queue.load.running == 1 }
    #expect(queue.add(work) && queue.add(work) && !queue.add(work))
    #expect(queue.load.waiting == 2)
    gate.withLock { $0 = true }
    gate.wakeAll()
    done.wait { $0 == 3 ? () : nil }
    #expect(queue.add(work))
    queue.close()
    #expect(!queue.add(work))
    done.wait { $0 == 4 ? () : nil }
  }

  @Test func metrics() throws {
    let served = try Served()
    _ = served.asking.form("/v1/vision/detection", picture: Self.picture)
    _ = served.asking.form("/v1/vision/detection")
    let text = try #require(served.asking.ask("GET", "/metrics")).text
    #expect(text.contains("fovea_requests_total{route=\"deepstack detection\",status=\"200\"} 1\n"))
    #expect(text.contains("fovea_requests_total{route=\"deepstack detection\",status=\"400\"} 1\n"))
    #expect(text.contains("fovea_request_seconds_count{route=\"deepstack detection\"} 2\n"))
    #expect(text.contains("le=\"+Inf\"} 2\n") && text.contains("fovea_models 2\n"))
  }
}
