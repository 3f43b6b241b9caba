// Fovea - outputs of real networks against stored references.
// SPDX-License-Identifier: Apache-2.0
import FoveaInspection
import FoveaRuntime
import FoveaTestSupport
import Foundation
import Testing

@Suite(.enabled(if: SharedData.isPresent)) struct ReferenceOutputTests {
  static func npy(_ path: String) throws -> Tensor {
    try Tensor(contentsOf: SharedData.url(path).path)
  }

  static func run(
    _ model: String, _ input: String, _ backend: Backend, pool: ThreadPool? = nil
  ) throws -> Session {
    let model = try Model(
      contentsOf: SharedData.url(model).path, options: Model.Options(backend: .init(backend)))
    let session = try Session(model: model, pool: pool)
    try session.setInput("image", to: npy(input))
    session.run()
    return session
  }

  /// 1e-4 absolute or 1e-3 relative, whichever is larger.
  static func expectNear(
    _ found: [Float], _ expected: [Float], _ comment: String,
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    #expect(found.count == expected.count, "\(comment)", sourceLocation: sourceLocation)
    var worst: Float = 0
    for (a, b) in zip(found, expected) {
      let excess = abs(a - b) / max(1e-4, 1e-3 * abs(b))
      worst = excess.isNaN ? .infinity : max(worst, excess)
    }
    #expect(worst <= 1, "\(comment): \(worst) times the tolerance", sourceLocation: sourceLocation)
  }

  @Test(arguments: [Backend.reference, .blas, .float])
  func oddEncodings(backend: Backend) throws {
    for file in try SharedData.files(in: "odd", suffix: ".mlmodel") {
      let kind = file.contains("Int8LUT") ? "Int8LUT" : "float32"
      let session = try Self.run("odd/\(file)", "odd/input-uint8-hwc.npy", backend)
      for name in ["raw_confidence", "raw_coordinates"] {
        let expected = try Self.npy("odd/\(kind)-\(name).npy")
        #expect(try session.output(name).shape == expected.shape)
        Self.expectNear(
          try session.output(name).floats(), expected.floats(), "\(file) \(name)")
      }
    }
  }

  static let detectors = [
    ("yolo-fastest-1.1-xl", "raw_confidence", "raw_coordinates"),
    ("yolo-fastest-1.1-raw", "confidence", "coordinates"),
  ]

  @Test(arguments: [Backend.reference, .blas, .float], [0, 1])
  func detectorsOnPhotographs(backend: Backend, index: Int) throws {
    let (name, confidence, coordinates) = Self.detectors[index]
    let folder = "references/" + (index == 0 ? name : "yolo-fastest-1.1")
    // Without optimization a run takes seconds; one photograph serves there.
    let all = ["dog", "person", "horses", "eagle", "giraffe"]
    for image in BuildConfiguration.isOptimized ? all : ["dog"] {
      let session = try Self.run(
        "models/\(name).mlmodel", "references/inputs/\(image)-320x320.npy", backend)
      let comment = "\(name) \(image)"
      Self.expectNear(
        try session.output(coordinates).floats(),
        try Self.npy("\(folder)/\(image)-coordinates.npy").floats(), comment)
      let scores = try session.output(confidence).floats()
      if let expected = try? Self.npy("\(folder)/\(image)-confidence.npy") {
        Self.expectNear(scores, expected.floats(), comment)
      } else {
        let rows = try Self.npy("\(folder)/\(image)-top256-rows.npy").floats().map { Int($0) }
        Self.expectNear(
          rows.flatMap { scores[$0 * 80..<$0 * 80 + 80] },
          try Self.npy("\(folder)/\(image)-top256-confidence.npy").floats(), comment)
      }
    }
  }

  @Test(arguments: [Backend.reference, .blas, .float])
  func tinyDarknet(backend: Backend) throws {
    guard BuildConfiguration.isOptimized || backend == .blas else { return }
    let folder = "references/yolov3-tiny-random-Int8LUT"
    let session = try Self.run(
      "models/yolov3-tiny-random-Int8LUT.mlmodel", "references/inputs/dog-416x416.npy", backend)
    Self.expectNear(
      try session.output("raw_confidence").floats(),
      try Self.npy("\(folder)/dog-confidence.npy").floats(),
      "confidence")
    Self.expectNear(
      try session.output("raw_coordinates").floats(),
      try Self.npy("\(folder)/dog-coordinates.npy").floats(), "coordinates")
  }

  @Test func quantizedVariants() throws {
    let variants = try #require(
      SharedData.json("references/variants.json") as? [String: [String: Any]])
    #expect(!variants.isEmpty)
    for (name, answers) in variants {
      let path = "models/yolo-fastest-1.1-xl-\(name).mlmodel"
      let session = try Self.run(path, "references/inputs/dog-320x320.npy", .blas)
      let scores = try session.output("raw_confidence").floats()
      let boxes = try session.output("raw_coordinates").floats()
      for strongest in try #require(answers["strongest_rows"] as? [[String: Any]]) {
        let row = try #require(strongest["row"] as? Int)
        let label = try #require(strongest["class_id"] as? Int)
        let confidence = try #require(strongest["confidence"] as? Double)
        let coordinates = try #require(strongest["coordinates"] as? [Double])
        Self.expectNear([scores[row * 80 + label]], [Float(confidence)], "\(name) row \(row)")
        Self.expectNear(
          Array(boxes[row * 4..<row * 4 + 4]), coordinates.map { Float($0) }, "\(name) row \(row)")
      }
    }
  }

  /// Tables of 8 and of 4 bits, linear weights, and a batch normalization that stays a factor.
  @Test(arguments: ["Int8LUT", "Int8Linear", "Int4LUT"])
  func packedWeightsGiveTheSameBits(_ name: String) throws {
    let path = SharedData.url("models/yolo-fastest-1.1-xl-\(name).mlmodel").path
    let input = try Self.npy("references/inputs/dog-320x320.npy")
    var bits: [[UInt32]] = []
    var bytes: [Int] = []
    for form in WeightForm.allCases {
      let options = Model.Options(backend: .float(weights: form))
      let session = try Session(model: Model(contentsOf: path, options: options))
      try session.setInput("image", to: input)
      session.run()
      bits.append(try session.output("raw_confidence").floats().map(\.bitPattern))
      bytes.append(session.model.memory.weightBytes)
    }
    #expect(bits[0] == bits[1])
    #expect(bytes[1] * 5 < bytes[0] * 2)
  }

  @Test func unfusedLayersGiveTheSameValues() throws {
    let path = SharedData.url("models/yolo-fastest-1.1-xl.mlmodel").path
    let model = try Model(
      contentsOf: path, options: Model.Options(backend: .blas(keepsAllLayers: true)))
    let session = try Session(model: model)
    try session.setInput("image", to: Self.npy("references/inputs/dog-320x320.npy"))
    session.run()
    Self.expectNear(
      try session.output("raw_confidence").floats(),
      try Self.npy("references/yolo-fastest-1.1-xl/dog-confidence.npy").floats(), "unfused")
    let fused = try Model(contentsOf: path)
    #expect(fused.nodes.count < model.nodes.count)
  }

  @Test func sessionsOfOneModelWorkAtOnce() async throws {
    let path = SharedData.url("models/yolo-fastest-1.1-xl-Int8LUT.mlmodel").path
    let backend = BuildConfiguration.isOptimized ? Backend.float : .blas
    let model = try Model(contentsOf: path, options: Model.Options(backend: .init(backend)))
    let names = ["dog", "person", "horses", "eagle"]
    let inputs = try names.map { try Self.npy("references/inputs/\($0)-320x320.npy") }
    @Sendable func run(_ input: Tensor, _ pool: ThreadPool?) throws -> [Float] {
      let session = try Session(model: model, pool: pool)
      try session.setInput("image", to: input)
      session.run()
      return try session.output("raw_confidence").floats()
        + session.output("raw_coordinates").floats()
    }
    let serial = try inputs.map { try run($0, nil) }
    let pool = try ThreadPool(threadCount: 3)
    let results = try await withThrowingTaskGroup(of: (Int, [Float]).self) { group in
      for (index, input) in inputs.enumerated() {
        group.addTask { (index, try run(input, index % 2 == 0 ? pool : nil)) }
      }
      var results = [[Float]](repeating: [], count: inputs.count)
      for try await (index, result) in group { results[index] = result }
      return results
    }
    for (one, other) in zip(serial, results) {
      #expect(one.map(\.bitPattern) == other.map(\.bitPattern))
    }
  }

  @Test func timingsAddUp() throws {
    let session = try Self.run(
      "models/yolo-fastest-1.1-xl-Int8LUT.mlmodel", "references/inputs/dog-320x320.npy", .blas)
    #expect(session.nodeTimings().allSatisfy { $0.total == 0 })
    session.measuresTime = true
    session.run()
    let timings = session.nodeTimings()
    #expect(timings.count == session.model.nodes.count)
    #expect(timings.contains { $0.multiplication > 0 })
    #expect(timings.reduce(0) { $0 + $1.total } > 0)
  }
}
