// Fovea - tests: Darknet's detectors give the scores and boxes that another evaluator computed.
// SPDX-License-Identifier: Apache-2.0
import FoveaGeometry
import FoveaInspection
import FoveaModelFormat
import FoveaRuntime
import FoveaTestSupport
import Foundation
import Testing

@Suite(.enabled(if: SharedData.isPresent)) struct DarknetDetectorTests {
  static let names = ["yolov2-tiny", "yolov3-tiny", "yolov4-tiny", "yolov7-tiny"]
  static let folder = "mlprogram/darknet"

  /// A network of the shared data, run on its stored picture.
  private func session(
    _ name: String, _ extension: String, _ backend: BackendOptions
  ) throws -> Session {
    let path = SharedData.url("\(Self.folder)/\(name).\(`extension`)").path
    let model = try Model(contentsOf: path, options: Model.Options(backend: backend))
    let session = try Session(model: model)
    try session.setInput(
      "image", to: ReferenceOutputTests.npy("\(Self.folder)/\(name)-input.npy"))
    session.run()
    return session
  }

  @Test(arguments: names)
  func networkGivesTheStoredOutputs(_ name: String) throws {
    let cases = try #require(try SharedData.json("\(Self.folder)/info.json") as? [[String: Any]])
    let stored = try #require(cases.first { $0["name"] as? String == name })
    for backend in SharedProgramTests.backends {
      let session = try session(name, "cfg", backend)
      for output in ["confidence", "coordinates"] {
        let tolerance = try #require(stored[output + "_tolerance"] as? Double)
        let expected = try ReferenceOutputTests.npy("\(Self.folder)/\(name)-\(output).npy")
        let found = try session.output(output)
        let difference = Difference(found.floats(), expected.floats())
        #expect(found.shape == expected.shape)
        #expect(
          difference.largest <= tolerance,
          "\(name) \(output) \(backend.backend): \(difference.largest)")
      }
    }
  }

  @Test(arguments: names)
  func eitherFileOpensTheNetwork(_ name: String) throws {
    for output in ["confidence", "coordinates"] {
      let outputs = try ["cfg", "weights"].map {
        try session(name, $0, .float).output(output).floats()
      }
      #expect(outputs[0] == outputs[1])
    }
  }

  /// Layers that multiply planes; what a plain computation in NumPy gives.
  @Test(
    arguments: [
      (
        "sam", [0.339843, 0.295429, 0.231284, 0.225265, 0.238849, 0.232877],
        [0.083916, 0.0596, 0.114947, 0.101174, 0.219098, 0.281902]
      ),
      (
        "scale-channels", [0.213326, 0.200341, 0.257266, 0.256409, 0.268436, 0.283687],
        [0.079159, 0.074812, 0.132536, 0.133124, 0.30747, 0.330099]
      ),
    ] as [(String, [Float], [Float])])
  func productsOfPlanesAreThoseOfNumPy(
    name: String, scores: [Float], widths: [Float]
  ) throws {
    let folder = "reports/d1-darknet"
    let pixels = (0..<64 * 96 * 3).map { UInt8(truncatingIfNeeded: $0 * 89) }
    for backend in SharedProgramTests.backends {
      let model = try Model(
        contentsOf: SharedData.url("\(folder)/\(name).cfg").path,
        options: Model.Options(backend: backend))
      let session = try Session(model: model)
      try session.setInput("image", to: Tensor(shape: [64, 96, 3], uint8s: pixels))
      session.run()
      let found = try [session.output("confidence"), session.output("coordinates")]
      for row in 0..<6 {
        #expect(abs(found[0].floats()[row * 48 * 3 + 1] - scores[row]) < 2e-6)
        #expect(abs(found[1].floats()[row * 48 * 4 + 2] - widths[row]) < 2e-6)
      }
    }
  }

  /// The decoding of all heads but that with softmax is two operations of the core.
  @Test(arguments: names.dropFirst())
  func headsAreDecodedByTheCore(_ name: String) throws {
    let session = try session(name, "cfg", .float)
    let kinds = session.model.nodes.map(\.operation)
    #expect(kinds.filter { $0.hasPrefix("detection") }.count == 2, "\(kinds)")
    #expect(!kinds.contains("transpose") && !kinds.contains("reshape"), "\(kinds)")
  }

  /// The same weights as a Core ML model: other layers, the same operations.
  @Test func networkIsAsFastAsTheSameOneFromCoreML() throws {
    let models = try ["yolo-fastest-1.1.cfg", "yolo-fastest-1.1-raw.mlmodel"].map {
      try Model(contentsOf: SharedData.url("models/\($0)").path)
    }
    let nodes = models.map { $0.nodes.map { [$0.operation, $0.activation] } }
    #expect(nodes[0] == nodes[1])
    #expect(models[0].classLabels == models[1].classLabels)
    let outputs = try models.map { model in
      let session = try Session(model: model)
      try session.setInput(
        "image", to: ReferenceOutputTests.npy("references/inputs/dog-320x320.npy"))
      session.run()
      return try ["confidence", "coordinates"].map { try session.output($0).floats() }
    }
    for (first, second) in zip(outputs[0], outputs[1]) {
      ReferenceOutputTests.expectNear(first, second, "of Darknet and of Core ML")
    }
  }

  /// Grids and sizes of boxes follow from the size of the picture.
  @Test func networkCanBeResized() throws {
    let path = SharedData.url("models/yolo-fastest-1.1.cfg").path
    let model = try Model(contentsOf: path)
    #expect(model.imageSize(nearestTo: 1) == ImageSize(width: 320, height: 320))
    let wide = try model.resized(to: ImageSize(width: 416, height: 256))
    #expect(
      wide.outputs.map(\.shape) == [[3 * (13 * 8 + 26 * 16), 80], [3 * (13 * 8 + 26 * 16), 4]])
    let error = #expect(throws: FoveaError.self) {
      try model.resized(to: ImageSize(width: 330, height: 330))
    }
    #expect(error?.message.contains("multiples of 32") == true, "\(String(describing: error))")
    for size in [0, -1, Int.max] {
      #expect(throws: FoveaError.self) {
        try model.resized(to: ImageSize(width: size, height: size))
      }
    }
  }
}
