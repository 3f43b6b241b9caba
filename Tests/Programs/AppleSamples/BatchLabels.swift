// Fovea - a program as people write it: a model that is compiled, asked, and described.
// SPDX-License-Identifier: Apache-2.0
import CoreML
import Foundation

public class PictureInput: MLFeatureProvider {
  let buffer: CVPixelBuffer
  let name: String

  init(name: String, buffer: CVPixelBuffer) {
    self.name = name
    self.buffer = buffer
  }

  public var featureNames: Set<String> { return [name] }

  public func featureValue(for featureName: String) -> MLFeatureValue? {
    return featureName == name ? MLFeatureValue(pixelBuffer: buffer) : nil
  }
}

/// The labels of pictures, and what the model says about itself.
public func labels(
  of pictures: [URL], modelURL: URL
) throws -> (labels: [String], summary: String) {
  let compiledURL = try MLModel.compileModel(at: modelURL)
  defer { try? FileManager.default.removeItem(at: compiledURL.deletingLastPathComponent()) }
  let configuration = MLModelConfiguration()
  configuration.computeUnits = MLComputeUnits.cpuOnly
  let model = try MLModel(contentsOf: compiledURL, configuration: configuration)
  let description = model.modelDescription
  guard let (name, input) = description.inputDescriptionsByName.first,
    let constraint = input.imageConstraint
  else { return ([], "no picture") }

  let inputs: [MLFeatureProvider] = try pictures.map { url in
    let value = try MLFeatureValue(imageAt: url, constraint: constraint, options: nil)
    return PictureInput(name: name, buffer: value.imageBufferValue!)
  }
  let batch = MLArrayBatchProvider(array: inputs)
  let results = try model.predictions(from: batch, options: MLPredictionOptions())
  let labels = (0..<results.count).map { index -> String in
    results.features(at: index).featureValue(for: description.predictedFeatureName!)!.stringValue
  }
  let kind = description.outputDescriptionsByName[description.predictedProbabilitiesName!]!.type
  let summary = "\(constraint.pixelsWide) x \(constraint.pixelsHigh) \(kind == .dictionary)"
  return (labels, summary)
}

/// An array that is scaled, and looked at in three ways.
public func sumOfSquares(_ count: Int) throws -> [Double] {
  let array = try MLMultiArray(shape: [1, count as NSNumber], dataType: .float32)
  for index in 0..<count { array[[0, index as NSNumber]] = index as NSNumber }
  let pointer = array.dataPointer.bindMemory(to: Float.self, capacity: array.count)
  let direct = UnsafeBufferPointer(start: pointer, count: count).reduce(0) { $0 + $1 * $1 }
  let shaped = MLShapedArray<Float>(array).scalars.reduce(0) { $0 + $1 * $1 }
  var lent: Float = 0
  array.withUnsafeBufferPointer(ofType: Float.self) { buffer in
    lent = buffer.reduce(0) { $0 + $1 * $1 }
  }
  return [direct, shaped, lent].map { Double($0) }
}
