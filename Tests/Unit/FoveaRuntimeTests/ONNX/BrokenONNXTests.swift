// Fovea - broken ONNX files are refused for what is wrong with them.
// SPDX-License-Identifier: Apache-2.0
import FoveaRuntime
import FoveaTestSupport
import Testing

@Suite struct BrokenONNXTests {
  /// What the messages say, by the names of the files.
  static let words: [String: [String]] = [
    "attribute-type": ["(Conv, which gives \"y\")", "texts where numbers belong"],
    "conv-channels": ["layer 'w'", "864 bytes"],
    "conv-pads-3": ["(Conv, which gives \"y\")", "\"pads\" has 3 numbers, not 4"],
    "conv-stride-0": ["(Conv, which gives \"y\")", "strides of [0, 1]"],
    "cut": ["at most 535"],
    "dims-huge": ["layer 'w'", "1152921504606846976"],
    "dims-negative": ["layer 'w'", "a size of -8"],
    "domain-unknown": ["(com.example.Relu, which gives \"z\")", "cannot be run"],
    "empty": ["an empty file"],
    "external-absolute": ["\"/etc/hostname\""],
    "external-beyond": ["some.bin of 864 bytes", "Copy the file again"],
    "external-escape": ["\"../outside-864.bin\""],
    "external-missing": ["no file nobody.bin"],
    "external-negative": ["'-64'"],
    "external-short": ["100 bytes of some.bin; expected 864"],
    "input-huge": ["1099511627776"],
    "no-graph": ["an ONNX file without a graph"],
    "op-unknown": ["\"relu\" (Frobnicate, which gives \"z\")", "cannot be run"],
    "opset-99": ["operation set 99", "or update Fovea"],
    "opset-missing": ["does not say its operation set"],
    "output-undefined": ["'nobody', which nothing computes"],
    "qdq-zero-points": ["7 zero points for 1 scale"],
    "raw-short": ["layer 'w'", "100 bytes"],
    "reshape-count": ["512 elements cannot have the shape [1, 8, 65]"],
    "subgraphs": ["a graph of its own", "without conditions and loops"],
    "text": ["a web page"],
    "type-lie": ["layer 'w'", "864 bytes", "fp64"],
    "value-cycle": ["'z', which only a later operation computes"],
    "value-twice": ["'y' computed a second time"],
    "value-undefined": ["'nobody', which nothing computes"],
  ]

  @Test(.enabled(if: SharedData.isPresent))
  func everyFileIsExpected() throws {
    let files = try SharedData.files(in: "mlprogram/bad/onnx", suffix: ".onnx")
    #expect(files.map { String($0.dropLast(5)) } == Self.words.keys.sorted())
  }

  @Test(.enabled(if: SharedData.isPresent), arguments: words.keys.sorted())
  func fileIsRefusedForWhatIsWrong(_ name: String) throws {
    let path = SharedData.url("mlprogram/bad/onnx/\(name).onnx").path
    let error = #expect(throws: FoveaError.self) { try Model(contentsOf: path) }
    let message = try #require(error).message
    for words in Self.words[name] ?? [] { #expect(message.contains(words), "\(message)") }
  }

  // MARK: What the data lack

  private static let square = ONNXArray([1, 1, 4, 4], Array(repeating: 1, count: 16))

  @Test func attributesOfLaterSetsAreNamed() throws {
    let message = try ONNXRunner("Relu", Self.square, [], ["slope": .float(1)]).refusal()
    #expect(message.contains("its attribute \"slope\" is not known here"), "\(message)")
  }

  @Test func trainingIsRefused() throws {
    let half = ONNXRunner.Constant.floats([0.5], [])
    try ONNXRunner("Dropout", Self.square, [half]).expect(Self.square.values)
    try ONNXRunner("Dropout", Self.square, [half, .codes(9, [0], [])])
      .expect(Self.square.values)
    let runner = ONNXRunner("Dropout", Self.square, [half, .codes(9, [1], [])])
    #expect(try runner.refusal().contains("it is in training mode"))
  }

  @Test func openEndedOperationsAreNamed() throws {
    let message = try ONNXRunner("NonZero", Self.square).refusal()
    #expect(message.contains("(NonZero, which gives \"y\")"), "\(message)")
    #expect(message.contains("nms=False"), "\(message)")
    let suppression = try ONNXRunner(
      "NonMaxSuppression", ONNXArray([1, 4, 4], Array(repeating: 1, count: 16)),
      [.floats([1, 2, 3, 4], [1, 1, 4])]
    ).refusal()
    #expect(suppression.contains("nms=False"), "\(suppression)")
  }

  @Test func dynamicQuantizationIsNamed() throws {
    let message = try ONNXRunner(
      "DynamicQuantizeLinear", Self.square, outputs: ["y", "s", "z"]
    ).refusal()
    #expect(message.contains("QDQ"), "\(message)")
  }

  @Test func computedParametersAreNamed() throws {
    let runner = ONNXRunner(ONNXArray([4], [0, 1, 2, 3])) { writer in
      writer.floats("data", [1, 2, 3, 4, 5, 6, 7, 8])
      writer.add("Cast", ["x"], ["shape"], ["to": .int(7)])
      writer.add("Reshape", ["data", "shape"], name: "shaper")
    }
    let message = try runner.refusal()
    #expect(message.contains("\"shaper\" (Reshape, which gives \"y\")"), "\(message)")
    #expect(message.contains("input 1 depends on what the model is given"), "\(message)")
  }

  @Test func secondOutputsThatNothingComputesAreNamed() throws {
    let message = try ONNXRunner(
      "MaxPool", Self.square, [], ["kernel_shape": .ints([2, 2])], outputs: ["y", "indices"]
    ).refusal()
    #expect(message.contains("\"indices\""), "\(message)")
  }
}
