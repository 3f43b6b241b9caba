// Fovea - tests: real, generated, odd and broken model files.
// SPDX-License-Identifier: Apache-2.0
import Foundation
import FoveaModelFormat
import FoveaTestSupport
import Testing

/// Reads a model of the shared data.
func sharedModel(_ path: String) throws -> ModelDescription {
  try ModelDescription(bytes: SharedData.bytes(path))
}

/// The first network of a model or of a pipeline.
func network(of model: ModelDescription) throws -> NeuralNetwork {
  switch model.body {
  case .neuralNetwork(let network): return network
  case .pipeline(let pipeline): return try network(of: #require(pipeline.stages.first).model)
  default: throw Missing(what: "a network")
  }
}

/// The first convolution of a network.
func convolution(of network: NeuralNetwork) throws -> ConvolutionLayer {
  for layer in network.layers {
    if case .convolution(let convolution) = layer.kind { return convolution }
  }
  throw Missing(what: "a convolution")
}

struct Missing: Error {
  let what: String
}

@Suite(.enabled(if: SharedData.isPresent))
struct SharedModelTests {
  @Test func everyModelParsesWithTheDescribedLayerCount() throws {
    let text = try String(decoding: SharedData.bytes("models/describe.txt"), as: UTF8.self)
    var expected: [String: Int] = [:]
    var current = ""
    for line in text.split(separator: "\n") {
      if line.hasPrefix("== ") { current = String(line.dropFirst(3)) }
      if let start = line.range(of: "layers (") {
        expected[current] = Int(line[start.upperBound...].prefix { $0.isNumber })
      }
    }
    let names = try SharedData.files(in: "models", suffix: ".mlmodel")
    #expect(names.count >= 9)
    for name in names {
      let layers = try network(of: sharedModel("models/\(name)")).layers
      #expect(layers.count == expected[name], "\(name)")
      for layer in layers {
        if case .unsupported(let type, _) = layer.kind { Issue.record("\(name): \(type)") }
      }
    }
  }

  @Test func detectorPipelineIsDescribed() throws {
    let model = try sharedModel("models/yolo-fastest-1.1-xl-Int8LUT.mlmodel")
    guard case .pipeline(let pipeline) = model.body else { throw Missing(what: "a pipeline") }
    #expect(pipeline.stages.count == 2)
    #expect(model.specificationVersion == 3)
    #expect(model.inputs.map(\.name) == ["image", "iouThreshold", "confidenceThreshold"])
    #expect(model.inputs.map(\.isOptional) == [false, true, true])
    #expect(
      model.inputs[0].type == .image(ImageFeature(width: 320, height: 320, colorSpace: .rgb)))
    #expect(model.metadata.userDefined["classes"]?.split(separator: ",").count == 80)
    guard case .multiArray(let confidence) = model.outputs[0].type else {
      throw Missing(what: "an array")
    }
    #expect(confidence.dataType == .double)
    #expect(
      confidence.allowedShapes
        == .ranges([SizeRange(lower: 0, upper: nil), SizeRange(lower: 80, upper: 80)]))
    guard case .nonMaximumSuppression(let stage) = pipeline.stages[1].model.body else {
      throw Missing(what: "a suppression stage")
    }
    #expect(stage.perClass)
    #expect(stage.iouThreshold == 0.45)
    #expect(stage.confidenceThreshold == 0.25)
    #expect(stage.classLabels.count == 80)
    #expect(stage.classLabels.names?.first == "person")
    #expect(stage.confidenceInputName == "raw_confidence")
    #expect(stage.coordinatesOutputName == "coordinates")
  }

  @Test func layersAreCountedByType() throws {
    let raw = try network(of: sharedModel("models/yolo-fastest-1.1-raw.mlmodel"))
    var counts: [String: Int] = [:]
    for layer in raw.layers { counts[layer.typeName, default: 0] += 1 }
    #expect(
      counts == [
        "activation": 60, "add": 20, "concat": 2, "concatND": 4, "convolution": 84,
        "loadConstantND": 6, "multiply": 6, "pooling": 3, "reshapeStatic": 6, "slice": 8,
        "transpose": 6, "unary": 2, "upsample": 1,
      ])
    #expect(!raw.usesRank5ArrayMapping)
    #expect(raw.imageInputShapeMapping == .rank4)
    #expect(
      raw.preprocessing.map(\.kind) == [.scaler(ImageScaler(channelScale: Float(1) / 255))])
  }

  @Test func weightsStayPackedInTheFile() throws {
    let bytes = try SharedData.bytes("models/yolo-fastest-1.1-xl-Int4LUT.mlmodel")
    let model = try ModelDescription(bytes: bytes)
    var names: [String: Int] = [:]
    for layer in try network(of: model).layers {
      guard case .convolution(let convolution) = layer.kind else { continue }
      names[convolution.weights.encodingName, default: 0] += 1
      #expect(convolution.weights.segments.count == 1)
      #expect(convolution.weights.bytes.count == bytes.count)
    }
    #expect(names == ["4-bit lookup table": 56, "8-bit lookup table": 28])
  }

  @Test func fixturesDecodeExactly() throws {
    let names = try SharedData.files(in: "models/fixtures", suffix: ".mlmodel")
    #expect(names.count == 16)
    for name in names {
      let layer = try convolution(of: network(of: sharedModel("models/fixtures/\(name)")))
      let json = try SharedData.json(
        "models/fixtures/" + name.replacingOccurrences(of: ".mlmodel", with: ".json"))
      let expected = try #require(json as? [String: [NSNumber]])
      let weights = try layer.weights.decoded(layer.weightLayout)
      let bias = try #require(layer.bias).decoded(count: layer.outputChannels)
      let expectedWeights = try #require(expected["weights"]).map { Float($0.doubleValue) }
      let expectedBias = try #require(expected["bias"]).map { Float($0.doubleValue) }
      #expect(bias.map(\.bitPattern) == expectedBias.map(\.bitPattern), "\(name)")
      #expect(weights.map(\.bitPattern) == expectedWeights.map(\.bitPattern), "\(name)")
    }
  }

  @Test func oddEncodingsMeanTheSame() throws {
    let plain = try sharedModel("odd/valid-float32.mlmodel")
    let odd = [
      "unpacked-floats", "packed-in-two-runs", "split-submessage", "unknown-fields",
      "reversed-fields", "long-varint",
    ]
    for name in odd {
      #expect(try sharedModel("odd/\(name).mlmodel") == plain, "\(name)")
    }
    let table = try sharedModel("odd/valid-Int8LUT.mlmodel")
    #expect(try network(of: table).layers.count == network(of: plain).layers.count)
    #expect(table != plain)
  }
}
