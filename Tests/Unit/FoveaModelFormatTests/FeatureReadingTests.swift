// Fovea - tests: inputs, outputs, metadata and preprocessing.
// SPDX-License-Identifier: Apache-2.0
import FoveaModelFormat
import FoveaTestSupport
import Testing

struct FeatureReadingTests {
  private func read(_ feature: [UInt8]) throws -> FeatureDescription {
    let bytes = ModelBuilder.model(inputs: [feature], type: 500) { _ in }
    return try #require(ModelDescription(bytes: bytes).inputs.first)
  }

  private func refusal(_ feature: [UInt8]) throws -> ModelFormatError {
    try formatError { _ = try read(feature) }
  }

  private func image(_ fill: @escaping (inout ProtobufWriter) -> Void) -> [UInt8] {
    ModelBuilder.feature("image") { type in
      type.message(4) {
        $0.integer(3, 20)
        fill(&$0)
      }
    }
  }

  @Test func simpleTypes() throws {
    let types: [(Int, FeatureType)] = [
      (1, .int64), (2, .double), (3, .string), (6, .dictionary), (7, .sequence), (8, .state),
    ]
    for (number, type) in types {
      let feature = ModelBuilder.feature("f") {
        $0.message(number) { _ in }
        $0.integer(1000, 1)
      }
      #expect(try read(feature) == FeatureDescription(name: "f", type: type, isOptional: true))
    }
    #expect(try read(ModelBuilder.feature("f") { _ in }).type == .unspecified)
    #expect(try refusal(ModelBuilder.feature("")).code == .missingField)
    #expect(try refusal(ModelBuilder.feature("a\0b")).code == .invalidValue)
  }

  @Test func images() throws {
    let spaces: [(Int, ImageFeature.ColorSpace, Int)] = [
      (10, .grayscale, 1), (20, .rgb, 3), (30, .bgr, 3), (40, .grayscaleFloat16, 1),
    ]
    for (number, space, channels) in spaces {
      let feature = ModelBuilder.image("i", width: 7, height: 5, colorSpace: number)
      #expect(
        try read(feature).type == .image(ImageFeature(width: 7, height: 5, colorSpace: space)))
      #expect(space.channelCount == channels)
    }
    #expect(
      try refusal(ModelBuilder.image("i", width: 7, height: 5, colorSpace: 0)).fieldPath
        == "description.input[0].type.imageType.colorSpace")
  }

  @Test(arguments: [
    (0, 0), (0, 8), (8, 0), (-1, 8), (65537, 1), (1, 65537), (Int.max, Int.max),
    (Int.min, Int.min), (65536, 65536), (1 << 32, 1 << 32),
  ])
  func sizesOfImagesAreBounded(width: Int, height: Int) throws {
    let error = try refusal(ModelBuilder.image("i", width: width, height: height))
    #expect(error.code == .invalidValue)
    #expect(error.found == "an image of \(width) x \(height) pixels")
  }

  @Test func largestImageIsAccepted() throws {
    _ = try read(ModelBuilder.image("i", width: 65536, height: 4096))
  }

  @Test func flexibleImages() throws {
    let enumerated = image { writer in
      writer.message(21) { sizes in
        for side in [32, 64] {
          sizes.message(1) {
            $0.integer(1, side)
            $0.integer(2, side + 1)
          }
        }
      }
    }
    #expect(
      try read(enumerated).type
        == .image(
          ImageFeature(
            width: 32, height: 33, colorSpace: .rgb,
            allowedSizes: .enumerated([
              ImageFeature.Size(width: 32, height: 33), ImageFeature.Size(width: 64, height: 65),
            ]))))
    func range(_ lower: Int, _ upper: Int) -> (inout ProtobufWriter) -> Void {
      {
        $0.integer(1, lower)
        $0.integer(2, upper)
      }
    }
    let ranged = image { writer in
      writer.integer(1, 100)
      writer.integer(2, 50)
      writer.message(31) {
        $0.message(1, range(10, -1))
        $0.message(2, range(20, 60))
      }
    }
    guard case .image(let feature) = try read(ranged).type,
      case .range(let width, let height) = feature.allowedSizes
    else { throw Missing(what: "a range") }
    #expect(width == SizeRange(lower: 10, upper: nil))
    #expect(height == SizeRange(lower: 20, upper: 60))
    #expect(width.contains(1 << 40) && !width.contains(9))
    #expect(height.contains(60) && !height.contains(61))
    let empty = image { writer in
      writer.message(31) {
        $0.message(1, range(10, 9))
        $0.message(2, range(1, 1))
      }
    }
    #expect(try refusal(empty).found == "sizes 10 to 9")
    #expect(try refusal(image { $0.message(21) { _ in } }).code == .invalidValue)
  }

  @Test func arrays() throws {
    let array = ModelBuilder.feature("a") { type in
      type.message(5) {
        $0.integers(1, [1, 80])
        $0.integer(2, 65568)
        $0.message(21) { $0.message(1) { $0.integers(1, [2, 80]) } }
      }
    }
    #expect(
      try read(array).type
        == .multiArray(
          MultiArrayFeature(
            shape: [1, 80], dataType: .float32, allowedShapes: .enumerated([[2, 80]]))))
    for shape in [[-1], [1 << 40], [1 << 30, 1 << 30], Array(repeating: 1, count: 33)] {
      let array = ModelBuilder.feature("a") { $0.message(5) { $0.integers(1, shape) } }
      #expect(throws: ModelFormatError.self) { try read(array) }
    }
    let odd = ModelBuilder.feature("a") { $0.message(5) { $0.integer(2, 5) } }
    #expect(try refusal(odd).fieldPath.hasSuffix("multiArrayType.dataType"))
  }

  @Test func equalNamesAreRefused() throws {
    let feature = ModelBuilder.feature("x")
    let bytes = ModelBuilder.model(inputs: [feature, feature], type: 500) { _ in }
    let error = try formatError { _ = try ModelDescription(bytes: bytes) }
    #expect(error.found == "a second input 'x'")
  }

  @Test func metadata() throws {
    let bytes =
      ModelBuilder.model(type: 500) { _ in }
      + ProtobufWriter {
        $0.message(2) {
          $0.message(100) { metadata in
            metadata.string(1, "finds things")
            metadata.string(2, "1.0")
            metadata.string(3, "Ada")
            metadata.string(4, "MIT")
            for (key, value) in [("a", "1"), ("b", "2"), ("a", "3")] {
              metadata.message(100) {
                $0.string(2, value)
                $0.string(1, key)
              }
            }
          }
        }
      }.bytes
    #expect(
      try ModelDescription(bytes: bytes).metadata
        == ModelMetadata(
          shortDescription: "finds things", version: "1.0", author: "Ada", license: "MIT",
          userDefined: ["a": "3", "b": "2"]))
  }

  @Test func textMustBeUTF8() throws {
    let feature = ProtobufWriter { $0.data(1, [0xC3, 0x28]) }.bytes
    #expect(try refusal(feature).found == "text that is not UTF-8")
  }

  @Test func preprocessing() throws {
    let bytes = ModelBuilder.model(type: 500) { writer in
      writer.message(2) {
        $0.string(1, "image")
        $0.message(10) { scaler in
          scaler.float(10, 0.5)
          scaler.float(20, 1)
          scaler.float(21, 2)
          scaler.float(22, 3)
          scaler.float(30, 4)
        }
      }
      writer.message(2) { $0.message(11) { $0.floats(1, [1, 2, 3]) } }
    }
    guard case .neuralNetwork(let network) = try ModelDescription(bytes: bytes).body else {
      throw Missing(what: "a network")
    }
    let scaler = ImageScaler(
      channelScale: 0.5, redBias: 3, greenBias: 2, blueBias: 1, grayBias: 4)
    #expect(
      network.preprocessing == [
        Preprocessing(featureName: "image", kind: .scaler(scaler)),
        Preprocessing(featureName: "", kind: .meanImage([1, 2, 3])),
      ])
    let broken = ModelBuilder.model(type: 500) {
      $0.message(2) { $0.message(10) { $0.float(10, .infinity) } }
    }
    #expect(throws: ModelFormatError.self) { try ModelDescription(bytes: broken) }
  }
}
