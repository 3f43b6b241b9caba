// Fovea - programs that scale and shift the images that they read.
// SPDX-License-Identifier: Apache-2.0
import FoveaGeometry
import FoveaModelFormat
import FoveaRuntime
import FoveaTestSupport
import Testing

/// Steps on an image are done while its bytes are read, whatever their order.
@Suite struct ImageStepTests {
  private static let mean: [Float] = [123.675, 116.28, 103.53]
  private static let deviation: [Float] = [58.395, 57.12, 57.375]

  private static func constant(_ numbers: [Float]) -> ProgramWriter.Argument {
    .constant(.floats(numbers, [1, 3, 1, 1]))
  }

  /// ((x - mean) / deviation + 1) * 0.5 - 2.
  private static func writer() -> ProgramWriter {
    var writer = ProgramWriter(inputs: [("x", [1, 3, 4, 6])], operationSet: "CoreML7")
    writer.add("sub", ["x": .value("x"), "y": constant(mean)], results: ["centered"])
    writer.add(
      "real_div", ["x": .value("centered"), "y": constant(deviation)], results: ["normal"])
    writer.add("add", ["x": .value("normal"), "y": .float(1)], results: ["positive"])
    writer.add("mul", ["x": .float(0.5), "y": .value("positive")], results: ["half"])
    writer.add("sub", ["x": .value("half"), "y": .float(2)], results: ["steps"])
    return writer
  }

  @Test(arguments: [BackendOptions.reference, .float, .blas])
  func stepsGiveTheirClosedForm(_ backend: BackendOptions) throws {
    var writer = Self.writer()
    writer.add("identity", ["x": .value("steps")])
    let model = try Model(
      bytes: writer.model(images: ["x": 20]), name: "test", options: .init(backend: backend))
    let bytes = (0..<4 * 6 * 3).map { UInt8(truncatingIfNeeded: $0 * 53) }
    let session = try Session(model: model)
    try session.setInput("x", to: Tensor(shape: [4, 6, 3], uint8s: bytes))
    session.run()
    let found = try session.output("y").floats()
    for channel in 0..<3 {
      for pixel in 0..<24 {
        let byte = Double(bytes[pixel * 3 + channel])
        let normal = (byte - Double(Self.mean[channel])) / Double(Self.deviation[channel])
        #expect(abs(Double(found[channel * 24 + pixel]) - ((normal + 1) * 0.5 - 2)) < 2e-6)
      }
    }
  }

  /// Weights take up the factors of channels; those that are codes stay codes.
  @Test func stepsCostNoOperation() throws {
    func operations(isCoded: Bool) throws -> [String] {
      var writer = Self.writer()
      let weight =
        isCoded
        ? writer.add(
          "constexpr_affine_dequantize", [:], results: ["weight"],
          attributes: [
            "quantized_data": .raw(type: 21, Array(1...6), [2, 3, 1, 1]),
            "scale": .floats([0.5], []), "zero_point": .raw(type: 21, [3], []),
            "axis": .ints([0], []),
          ]) : writer.constant(.floats([1, 2, 3, 4, 5, 6], [2, 3, 1, 1]))
      writer.add("conv", ["x": .value("steps"), "weight": .value(weight)])
      let model = try Model(
        bytes: writer.model(images: ["x": 20]), name: "test", options: .init(backend: .float))
      return model.nodes.map(\.operation).filter { $0 != "to_planes" }
    }
    #expect(try operations(isCoded: false) == ["pixels", "convolution"])
    #expect(try operations(isCoded: true).contains("channel_affine"))
  }

  /// A factor of 0 leaves nothing to shift while bytes are read.
  @Test func stepsThatCannotBeTurnedBackAreOperations() throws {
    var writer = ProgramWriter(inputs: [("x", [1, 3, 2, 2])], operationSet: "CoreML7")
    writer.add("mul", ["x": .value("x"), "y": Self.constant([0, 1, 2])], results: ["scaled"])
    writer.add("add", ["x": .value("scaled"), "y": Self.constant([7, 0, -1])])
    let model = try Model(
      bytes: writer.model(images: ["x": 20]), name: "test", options: .init(backend: .float))
    let session = try Session(model: model)
    let bytes = (0..<12).map { UInt8($0) }
    try session.setInput("x", to: Tensor(shape: [2, 2, 3], uint8s: bytes))
    session.run()
    #expect(
      try session.output("y").floats() == [7, 7, 7, 7, 1, 4, 7, 10, 3, 9, 15, 21])
  }
}
