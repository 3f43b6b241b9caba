// Fovea - images, pipelines, sizes and labels, on networks built from values.
// SPDX-License-Identifier: Apache-2.0
import FoveaGeometry
import FoveaInspection
import FoveaModelFormat
import FoveaRuntime
import Testing

@Suite struct ImageLoweringTests {
  static let copy = NeuralNetworkLayer(
    name: "copy", inputs: ["image"], outputs: ["planes"],
    kind: .activation(.linear(alpha: 1, beta: 0)),
    typeName: "activation")

  static func model(
    _ image: ImageFeature, _ preprocessing: [Preprocessing.Kind],
    mapping: NeuralNetwork.ImageInputShapeMapping = .rank5
  ) -> ModelDescription {
    ModelDescription(
      specificationVersion: 4,
      inputs: [FeatureDescription(name: "image", type: .image(image))],
      outputs: [LayerRunner.array("planes", [])],
      body: .neuralNetwork(
        NeuralNetwork(
          layers: [copy],
          preprocessing: preprocessing.map { Preprocessing(featureName: "", kind: $0) },
          imageInputShapeMapping: mapping)))
  }

  static func run(_ file: ModelDescription, _ image: Tensor) throws -> Tensor {
    let session = try Session(model: Model(file: file, name: "test"))
    try session.setInput("image", to: image)
    session.run()
    return try session.output("planes")
  }

  /// One red-green-blue pixel 10, 20, 30 and one 40, 50, 60.
  static func twoPixels() throws -> Tensor {
    try Tensor(shape: [1, 2, 3], uint8s: [10, 20, 30, 40, 50, 60])
  }

  static let scaler = Preprocessing.Kind.scaler(
    ImageScaler(channelScale: 0.5, redBias: 1, greenBias: 2, blueBias: 3, grayBias: 4))

  @Test func biasesFollowTheirColors() throws {
    let rgb = ImageFeature(width: 2, height: 1, colorSpace: .rgb)
    let planes = try Self.run(Self.model(rgb, [Self.scaler]), Self.twoPixels())
    #expect(planes.shape == [1, 1, 3, 1, 2])
    #expect(planes.floats() == [6, 21, 12, 27, 18, 33])
    let bgr = ImageFeature(width: 2, height: 1, colorSpace: .bgr)
    let reversed = try Self.run(Self.model(bgr, [Self.scaler], mapping: .rank4), Self.twoPixels())
    #expect(reversed.shape == [1, 3, 1, 2])
    #expect(reversed.floats() == [18, 33, 12, 27, 6, 21])
    let gray = ImageFeature(width: 2, height: 1, colorSpace: .grayscale)
    let one = try Self.run(
      Self.model(gray, [Self.scaler]), Tensor(shape: [1, 2], uint8s: [0, 255]))
    #expect(one.floats() == [4, 131.5])
    #expect(one.shape == [1, 1, 1, 1, 2])
    let plain = try Self.run(Self.model(rgb, []), Self.twoPixels())
    #expect(plain.floats() == [10, 40, 20, 50, 30, 60])
  }

  @Test func memoryIsLimitedBeforeItIsAskedFor() throws {
    let huge = Self.model(ImageFeature(width: 32768, height: 32768, colorSpace: .rgb), [])
    let error = #expect(throws: FoveaError.self) { try Model(file: huge, name: "test") }
    #expect(error?.code == .outOfMemory)
    let small = Self.model(ImageFeature(width: 16, height: 16, colorSpace: .rgb), [])
    let bytes = try Model(file: small, name: "test").memory.sessionBytes
    let enough = Model.Options(maximumSessionBytes: bytes)
    let tooLittle = Model.Options(maximumSessionBytes: bytes - 1)
    _ = try Model(file: small, name: "test", options: enough)
    #expect(throws: FoveaError.self) { try Model(file: small, name: "test", options: tooLittle) }
  }

  @Test func meanImagesAreSubtracted() throws {
    let rgb = ImageFeature(width: 2, height: 1, colorSpace: .rgb)
    let mean = Preprocessing.Kind.meanImage([1, 2, 3, 4, 5, 6])
    let planes = try Self.run(Self.model(rgb, [mean, Self.scaler]), Self.twoPixels())
    #expect(planes.floats() == [5.5, 20, 10.5, 25, 15.5, 30])
    let error = #expect(throws: FoveaError.self) {
      try Model(file: Self.model(rgb, [.meanImage([1, 2])]), name: "test")
    }
    #expect(error?.code == .shapeMismatch)
  }

  /// Levels of 0 to 255, as halves have them exactly.
  @Test func grayHalvesAreReadAsBytes() throws {
    for color in [ImageFeature.ColorSpace.grayscale, .grayscaleFloat16] {
      let image = ImageFeature(width: 2, height: 1, colorSpace: color)
      let pixels = try Tensor(shape: [1, 2], uint8s: [9, 250])
      #expect(try Self.run(Self.model(image, []), pixels).floats() == [9, 250])
    }
  }

  @Test func flexibleSizes() throws {
    var feature = ImageFeature(
      width: 4, height: 2, colorSpace: .rgb,
      allowedSizes: .range(
        width: SizeRange(lower: 2, upper: 8), height: SizeRange(lower: 1, upper: nil)))
    func load(_ width: Int, _ height: Int, name: String = "image") throws -> Model {
      var options = Model.Options()
      options.imageSizes[name] = ImageSize(width: width, height: height)
      return try Model(file: Self.model(feature, []), name: "test", options: options)
    }
    #expect(try Model(file: Self.model(feature, []), name: "test").inputs[0].shape == [2, 4, 3])
    let sized = try load(8, 5)
    #expect(sized.inputs[0].shape == [5, 8, 3])
    #expect(sized.inputs[0].image?.width == 8)
    #expect(sized.outputs[0].shape == [1, 1, 3, 5, 8])
    let beyond = #expect(throws: FoveaError.self) { try load(9, 5) }
    #expect(beyond?.message.contains("a width of 2 to 8 and a height of at least 1") == true)
    feature.allowedSizes = .enumerated([ImageFeature.Size(width: 6, height: 6)])
    #expect(try load(6, 6).inputs[0].shape == [6, 6, 3])
    let other = #expect(throws: FoveaError.self) { try load(6, 2) }
    #expect(other?.message.contains("4x2, 6x6") == true)
    let unknown = #expect(throws: FoveaError.self) { try load(6, 6, name: "photo") }
    #expect(unknown?.message.contains("\"image\"") == true)
    feature.allowedSizes = .fixed
    #expect(throws: FoveaError.self) { try load(6, 6) }
    #expect(try load(4, 2).inputs[0].shape == [2, 4, 3])
  }

  @Test func inputsAreChecked() throws {
    let rgb = ImageFeature(width: 2, height: 1, colorSpace: .rgb)
    let session = try Session(model: Model(file: Self.model(rgb, []), name: "test"))
    func code(_ name: String, _ tensor: Tensor) -> FoveaError.Code? {
      #expect(throws: FoveaError.self) { try session.setInput(name, to: tensor) }?.code
    }
    #expect(code("photo", try Self.twoPixels()) == .invalidArgument)
    #expect(code("image", try tensor([1, 2, 3])) == .invalidArgument)
    #expect(code("image", try Tensor.zeros(shape: [2, 1, 3], type: .uint8)) == .shapeMismatch)
    #expect(throws: FoveaError.self) { try session.output("nothing") }
    try session.withInputBytes("image") { bytes in
      #expect(bytes.count == 6)
      for index in bytes.indices { bytes[index] = UInt8(index) }
    }
    session.run()
    try session.withOutput("planes") { planes in
      #expect(planes.count == 6)
      #expect((0..<6).map { planes[$0] } == [0, 3, 1, 4, 2, 5])
    }
  }

  @Test func imagesOfAnySizeFillAnInput() throws {
    let rgb = ImageFeature(width: 2, height: 1, colorSpace: .rgb)
    let session = try Session(model: Model(file: Self.model(rgb, []), name: "test"))
    let pixels: [UInt8] = [0, 10, 20, 100, 110, 120, 0, 10, 20, 100, 110, 120]
    try session.fillImageInput(
      "image", from: pixels.span.bytes, layout: PixelLayout(format: .rgb, width: 2, height: 2))
    session.run()
    #expect(try session.output("planes").floats() == [0, 100, 10, 110, 20, 120])
    let error = #expect(throws: FoveaError.self) {
      try session.fillImageInput(
        "image", from: pixels.span.bytes, layout: PixelLayout(format: .rgb, width: 3, height: 2))
    }
    #expect(error?.code == .bufferTooSmall)
  }
}
