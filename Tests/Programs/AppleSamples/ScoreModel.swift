// Fovea - a program as people write it: a network of numbers, asked alone and in batches.
// SPDX-License-Identifier: Apache-2.0
import CoreGraphics
import CoreML
import Foundation

/// What a generated class looks like, written by hand.
public class ScoreInput: MLFeatureProvider {
  public var x: MLMultiArray

  public var featureNames: Set<String> {
    get { return ["x"] }
  }

  public func featureValue(for featureName: String) -> MLFeatureValue? {
    if featureName == "x" {
      return MLFeatureValue(multiArray: x)
    }
    return nil
  }

  public init(x: MLMultiArray) {
    self.x = x
  }
}

public final class ScoreModel {
  public enum Failure: Error {
    case noSuchFile(String)
    case wrongInput(String)
    case other(Error)
  }

  private let model: MLModel
  private let outputName: String

  public init(modelURL: URL) throws {
    let configuration = MLModelConfiguration()
    configuration.computeUnits = .cpuAndNeuralEngine
    configuration.allowLowPrecisionAccumulationOnGPU = true
    do {
      model = try MLModel(contentsOf: modelURL, configuration: configuration)
    } catch let error as MLModelError where error.code == .io {
      throw Failure.noSuchFile(error.localizedDescription)
    }
    let outputs: [String: MLFeatureDescription] = model.modelDescription.outputDescriptionsByName
    outputName = outputs.first { $0.value.type == MLFeatureType.multiArray }?.key ?? ""
  }

  /// The author, the version, and what else the model's maker wrote down.
  public func about() -> [String] {
    let description: MLModelDescription = model.modelDescription
    let metadata = description.metadata
    let custom = metadata[MLModelMetadataKey.creatorDefinedKey] as! [String: String]
    var lines = [MLModelMetadataKey.author, .versionString, .license, .description].map { key in
      metadata[key] as? String ?? "none"
    }
    for (key, value) in custom.sorted(by: { $0.key < $1.key }) { lines.append("\(key)=\(value)") }
    if let constraint = description.inputDescriptionsByName["x"]?.multiArrayConstraint {
      lines.append("x: \(constraint.shape) \(constraint.dataType == .float32)")
    }
    return lines
  }

  /// Scores of numbers that are scaled in place first.
  public func scores(of numbers: [Double], scale: Float) throws -> [Float] {
    let array = try MLMultiArray(shape: [NSNumber(value: numbers.count)], dataType: .float32)
    array.withUnsafeMutableBufferPointer(ofType: Float.self) { buffer, strides in
      for (index, number) in numbers.enumerated() {
        buffer[index * strides[0]] = Float(number) * scale
      }
    }
    do {
      let output = try model.prediction(from: ScoreInput(x: array))
      guard let result = output.featureValue(for: outputName)?.multiArrayValue else { return [] }
      return Self.floats(result)
    } catch let error as NSError
      where error.domain == MLModelErrorDomain && error.code == MLModelError.featureType.rawValue
    {
      throw Failure.wrongInput(error.localizedDescription)
    } catch {
      throw Failure.other(error)
    }
  }

  /// Scores of several rows at once, by dictionaries, into memory of one's own.
  public func batch(_ rows: [[Double]]) throws -> [[Float]] {
    let inputs = try rows.map { row -> MLFeatureProvider in
      // An array of Double, which the model takes as Float.
      let array: MLMultiArray = try MLMultiArray(row)
      return try MLDictionaryFeatureProvider(dictionary: ["x": array])
    }
    let batch: MLBatchProvider = MLArrayBatchProvider(array: inputs)
    let options = MLPredictionOptions()
    options.usesCPUOnly = true
    let results = try model.predictions(from: batch, options: options)
    return (0..<results.count).map { index in
      let features = results.features(at: index)
      return features.featureNames.compactMap { features.featureValue(for: $0)?.multiArrayValue }
        .flatMap(Self.floats)
    }
  }

  /// The scores as they were written into one array again and again.
  public func reusing(_ rows: [[Float]]) throws -> [[Double]] {
    let backing = try MLMultiArray(shape: [2], dataType: MLMultiArrayDataType.double)
    let options = MLPredictionOptions()
    options.outputBackings = [outputName: backing]
    return try rows.map { row in
      let input = ScoreInput(x: try MLMultiArray(row))
      let output = try model.prediction(from: input, options: options)
      assert(output.featureValue(for: outputName)!.multiArrayValue === backing)
      let pointer = UnsafeMutablePointer<Double>(OpaquePointer(backing.dataPointer))
      return [pointer[0], pointer[1]]
    }
  }

  private static func floats(_ array: MLMultiArray) -> [Float] {
    let stride = array.strides[array.strides.count - 1].intValue
    switch array.dataType {
    case .double:
      let pointer = array.dataPointer.bindMemory(to: Double.self, capacity: array.count)
      return (0..<array.count).map { Float(pointer[$0 * stride]) }
    case .float32:
      let pointer = array.dataPointer.bindMemory(to: Float32.self, capacity: array.count)
      return (0..<array.count).map { pointer[$0 * stride] }
    case .int32:
      return (0..<array.count).map { array[$0].floatValue }
    default:
      fatalError("unexpected type")
    }
  }
}

/// Pictures as features, and numbers beside them, for a detector with thresholds.
public func countRows(
  modelURL: URL, imageURL: URL, image: CGImage, threshold: Double
) throws -> (fromURL: Int, fromImage: Int, greatest: Double) {
  let model = try MLModel(contentsOf: modelURL)
  let side = model.modelDescription.inputDescriptionsByName["image"]!.imageConstraint!
  let values = [
    try MLFeatureValue(
      imageAt: imageURL, pixelsWide: side.pixelsWide, pixelsHigh: side.pixelsHigh,
      pixelFormatType: kCVPixelFormatType_32ARGB, options: nil),
    try MLFeatureValue(
      cgImage: image, pixelsWide: side.pixelsWide, pixelsHigh: side.pixelsHigh,
      pixelFormatType: kCVPixelFormatType_32BGRA,
      options: [.cropAndScale: NSNumber(value: 2)]),
  ]
  var greatest = 0.0
  let counts = try values.map { value -> Int in
    let provider = try MLDictionaryFeatureProvider(dictionary: [
      "image": value, "confidenceThreshold": MLFeatureValue(double: threshold),
    ])
    guard provider["confidenceThreshold"]?.doubleValue == threshold,
      let scores = try model.prediction(from: provider).featureValue(for: "confidence")?
        .multiArrayValue
    else { return -1 }
    let (rows, classes) = (scores.shape[0].intValue, scores.shape[1].intValue)
    for row in 0..<rows {
      for index in 0..<classes {
        greatest = max(greatest, scores[[row, index] as [NSNumber]].doubleValue)
      }
    }
    return rows
  }
  return (counts[0], counts[1], greatest)
}

/// Names and chances of a classifier, the best first.
public func chances(modelURL: URL, buffer: CVPixelBuffer) throws -> [(String, Double)] {
  let model = try MLModel(contentsOf: modelURL)
  let value = MLFeatureValue(pixelBuffer: buffer)
  let output = try model.prediction(
    from: MLDictionaryFeatureProvider(dictionary: ["image": value]))
  let name = model.modelDescription.predictedProbabilitiesName!
  let dictionary = output.featureValue(for: name)!.dictionaryValue as! [String: NSNumber]
  return dictionary.map { ($0.key, $0.value.doubleValue) }.sorted { $0.1 > $1.1 }
}
