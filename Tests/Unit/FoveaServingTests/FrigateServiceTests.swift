// Fovea - tests of what Frigate asks over ZeroMQ.
// SPDX-License-Identifier: Apache-2.0
import Fovea
import FoveaExampleModel
import FoveaHTTP
import FoveaLibc
import FoveaRuntime
import FoveaServing
import FoveaTestSupport
import FoveaVision
import Testing

@Suite("Frigate over ZeroMQ", .tags(.startsThreads)) struct FrigateServiceTests {
  private static let shapes = ShapesImage(seed: 9)

  /// A service at a port of its own, and the lines that it reported.
  private final class Served {
    let port: UInt16
    let lines = Locked<[String]>([])
    private let service: FrigateService
    private let queue: WorkQueue

    init() throws {
      let open: FrigateService.Opening = { bytes, name in
        try DetectObjectsRequest(
          model: Model(bytes: bytes, name: name), pool: ThreadPool(threadCount: 1))
      }
      let shelf = try ModelShelf([
        ServedModel.Source(name: "squares") {
          try open(ShapesDetector.modelBytes(), "squares")
        } forArrays: {
          try Model(bytes: ShapesDetector.modelBytes(), name: "squares")
        }
      ])
      queue = try #require(WorkQueue(threads: 2, limit: 8))
      // Ports below those that the system gives to clients; the first of a few that is free.
      let report: @Sendable (String) -> Void = { [lines] line in
        lines.withLock { $0.append(line) }
      }
      var made: (UInt16, FrigateService)?
      var failure: ServiceError?
      for _ in 0..<20 where made == nil {
        let port = UInt16.random(in: 20_000...30_000)
        do throws(ServiceError) {
          made = (
            port,
            try FrigateService(
              at: "tcp://127.0.0.1:\(port)", shelf, queue, report: report, open: open)
          )
        } catch {
          failure = error
        }
      }
      (port, service) = try #require(made, "\(failure.map { "\($0)" } ?? "")")
    }

    deinit {
      service.close()
      queue.close()
    }
  }

  private func header(_ text: String) -> [UInt8] { Array(text.utf8) }

  private func text(_ frames: [[UInt8]]?) -> String {
    String(decoding: frames?.first ?? [], as: UTF8.self)
  }

  /// The rows of an answer that are not zero.
  private func rows(_ frames: [[UInt8]]?) throws -> [[Float]] {
    let bytes = try #require(frames?.first)
    #expect(frames?.count == 1 && bytes.count == 480)
    let numbers = stride(from: 0, to: bytes.count, by: 4).map { place in
      Float(
        bitPattern: bytes[place..<place + 4].reversed().reduce(UInt32(0)) { $0 << 8 | UInt32($1) })
    }
    return stride(from: 0, to: numbers.count, by: 6).map { Array(numbers[$0..<$0 + 6]) }
      .filter { row in row.contains { $0 != 0 } }
  }

  private let size = "[1, \(ShapesImage.height), \(ShapesImage.width), 3]"

  /// The model is asked for, sent, and used; what is found is what a request finds.
  @Test func ownModel() throws {
    let served = try Served()
    let client = try #require(ZeroMQAsking(served.port))
    client.send([header("{\"model_request\": true, \"model_name\": \"a.mlmodel\"}")])
    #expect(text(client.receive()) == "{\"model_available\": false, \"model_loaded\": false}")
    client.send([
      header("{\"model_data\": true, \"model_name\": \"a.mlmodel\"}"), ShapesDetector.modelBytes(),
    ])
    #expect(text(client.receive()) == "{\"model_saved\": true, \"model_loaded\": true}")
    let own = try DetectObjectsRequest(
      model: Model(bytes: ShapesDetector.modelBytes(), name: "own"),
      pool: ThreadPool(threadCount: 1))
    let image = try Image(
      width: ShapesImage.width, height: ShapesImage.height, rgb: Self.shapes.pixels)
    let objects = try own.perform(on: image).filter { $0.topConfidence >= 0.4 }
    let planes = (0..<3).flatMap { channel in
      stride(from: channel, to: Self.shapes.pixels.count, by: 3).map { Self.shapes.pixels[$0] }
    }
    let floats = Self.shapes.pixels.flatMap { value in
      withUnsafeBytes(of: (Float(value) / 255).bitPattern.littleEndian) { Array($0) }
    }
    for (shape, type, bytes) in [
      (size, "uint8", Self.shapes.pixels),
      ("[1, 3, \(ShapesImage.height), \(ShapesImage.width)]", "uint8", planes),
      (size, "float32", floats),
    ] {
      client.send([
        header(
          "{\"shape\": \(shape), \"dtype\": \"\(type)\", \"model_type\": \"yologeneric\"}"), bytes,
      ])
      let rows = try rows(client.receive())
      #expect(rows.count == min(objects.count, 20) && rows.count > 2)
      for (row, object) in zip(rows, objects) {
        let box = object.boundingBox.verticallyFlipped()
        let wanted = [
          Double(object.bestLabel?.classIndex ?? -1), Double(object.topConfidence), box.y, box.x,
          box.y + box.height, box.x + box.width,
        ]
        for (value, wanted) in zip(row, wanted) { #expect(abs(Double(value) - wanted) < 1e-5) }
      }
    }
    // Another client finds the file here.
    let other = try #require(ZeroMQAsking(served.port))
    other.send([header("{\"model_request\": true, \"model_name\": \"a.mlmodel\"}")])
    #expect(text(other.receive()) == "{\"model_available\": true, \"model_loaded\": true}")
  }

  /// Several clients ask at once; a model that cannot be opened, and what makes no sense, get an answer
  /// that harms nobody.
  @Test func clients() throws {
    let served = try Served()
    let clients = try (0..<4).map { _ in try #require(ZeroMQAsking(served.port)) }
    for client in clients {
      client.send([header("{\"shape\": \(size), \"dtype\": \"uint8\"}"), Self.shapes.pixels])
    }
    for client in clients { #expect(try rows(client.receive()).count > 2) }
    clients[0].send([header("{\"model_data\": true, \"model_name\": \"b.onnx\"}"), [1, 2, 3]])
    #expect(text(clients[0].receive()) == "{\"model_saved\": true, \"model_loaded\": false}")
    #expect(served.lines.withLock { $0.count == 1 && $0[0].hasPrefix("b.onnx") })
    for (shape, type) in [
      ("[1, 2]", "uint8"), ("[1, 360, 480, 3]", "int7"), ("[1, 9, 9, 3]", "uint8"),
      ("[2, 360, 480, 3]", "uint8"), ("[1, -1, 480, 3]", "uint8"),
    ] {
      clients[1].send([
        header("{\"shape\": \(shape), \"dtype\": \"\(type)\"}"), Self.shapes.pixels,
      ])
      #expect(try rows(clients[1].receive()).isEmpty)
    }
    // What is no message gets no answer, and those behind it get theirs.
    let silent = try #require(ZeroMQAsking(served.port))
    silent.send([header("nonsense")])
    silent.send([])
    clients[2].send([header("{\"model_request\": true, \"model_name\": \"squares.onnx\"}")])
    #expect(text(clients[2].receive()) == "{\"model_available\": true, \"model_loaded\": true}")
    withExtendedLifetime(silent) {}
  }

  /// Bytes that are no ZeroMQ end their connection alone.
  @Test func strangers() throws {
    let served = try Served()
    let strangers = ["GET / HTTP/1.1\r\n\r\n", String(repeating: "\u{7F}", count: 5000), "\u{0}"]
    let connections = try strangers.map { text in
      let connection = try #require(ViewerConnection(served.port))
      connection.send(text)
      return connection
    }
    let client = try #require(ZeroMQAsking(served.port))
    client.send([header("{\"shape\": \(size), \"dtype\": \"uint8\"}"), Self.shapes.pixels])
    #expect(try rows(client.receive()).count > 2)
    withExtendedLifetime(connections) {}
  }
}
