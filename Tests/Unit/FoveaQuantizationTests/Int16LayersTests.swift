// Fovea - tests of naming layers that compute in 16 bits.
// SPDX-License-Identifier: Apache-2.0
import Fovea
import FoveaExampleModel
import FoveaInspection
import FoveaQuantization
import Testing

@Suite struct Int16LayersTests {
  private func model(_ int16Layers: Set<String>) throws -> Model {
    let bytes = ShapesDetector.modelBytes()
    let calibrator = try ActivationCalibrator { options throws(FoveaError) in
      try Model(bytes: bytes, name: "shapes", options: options)
    }
    let image = ShapesImage()
    try calibrator.add(
      Image(width: ShapesImage.width, height: ShapesImage.height, rgb: image.pixels))
    return try Model(
      bytes: bytes, name: "shapes",
      options: Model.Options(
        backend: .int8(calibration: calibrator.ranges, int16Layers: int16Layers)))
  }

  @Test func namedLayersComputeInInt16() throws {
    let nodes = try model(["colors"]).nodes
    let convolutions = nodes.filter { $0.operation == "convolution" }
    #expect(convolutions.count > 1)
    for node in convolutions {
      #expect(node.weightEncoding == (node.label == "colors" ? "16-bit linear" : "8-bit linear"))
    }
    #expect(nodes.contains { $0.outputType == .int16 })
  }

  @Test(arguments: [
    ("color", "there is no convolution \"color\" to compute in 16 bits"),
    ("masks", "does not run as a convolution"),
  ])
  func strangersAreRefused(name: String, words: String) throws {
    let error = #expect(throws: FoveaError.self) { try model([name]) }
    #expect(error?.code == .invalidArgument)
    #expect(error?.message.contains(words) == true, "\(error?.message ?? "")")
  }
}
