// Fovea - where a classifier takes the image and where it puts probabilities.
// SPDX-License-Identifier: Apache-2.0
package import FoveaGeometry
internal import FoveaModelValues
package import FoveaRuntime

/// Where a classifier takes the image and where it puts probabilities.
package struct ClassifierLayout: Sendable, Hashable {
  /// The image input.
  let imageInput: String
  /// Its size in pixels.
  package let inputSize: ImageSize
  /// Its shape as an array: rows, columns, and channels unless gray.
  let inputShape: [Int]
  /// The output of probabilities, one for each label.
  let probabilitiesOutput: String
  /// The names of the classes, in the order of the probabilities.
  let classLabels: [String]

  /// Finds the features of a classifier. Only what the file itself calls probabilities counts.
  ///
  /// - Throws: `.unsuitableModel`, which lists what the model has instead.
  package init(model: Model) throws(DetectionError) {
    guard let probabilities = Self.probabilities(of: model) else {
      throw .unsuitableModel(
        "\(model.name) is no classifier: its outputs are \(DetectorLayout.list(model.outputs)), and "
          + "the file names none of them as probabilities. "
          + (model.otherTask.map { "Here \($0)." }.first
            ?? "Find objects with 'fovea detect' or DetectObjectsRequest, or run it with "
            + "'fovea run' or Session."))
    }
    guard model.inputs.count == 1, let input = model.inputs.first, input.image != nil else {
      throw .unsuitableModel(
        "\(model.name) is no classifier of images: it reads \(DetectorLayout.list(model.inputs)); "
          + "expected exactly one image, or an "
          + "array of 1 or 3 channels, rows and columns. Run it with 'fovea run' or Session instead."
      )
    }
    guard let labels = model.classLabels, labels.count == probabilities.count else {
      throw .unsuitableModel(
        "\(model.name) has \(model.classLabels?.count ?? 0) class labels for probabilities "
          + "'\(probabilities.name)' of shape \(probabilities.shape); expected one label for each. "
          + "Export the model again with all its labels.")
    }
    imageInput = input.name
    inputSize = input.imageSize
    inputShape = input.shape
    probabilitiesOutput = probabilities.name
    classLabels = labels
  }

  /// The output that the file names as a classifier's probabilities.
  static func probabilities(of model: Model) -> Model.Port? {
    let name = model.specification.predictedProbabilitiesName
    return name.isEmpty ? nil : model.outputs.first { $0.name == name }
  }

  /// The classes by descending probability, ties by index.
  ///
  /// - Throws: `.invalidOutput` for what is no probability.
  func observations(
    _ probabilities: Span<Float>
  ) throws(DetectionError) -> [ClassificationObservation] {
    var found: [ClassificationObservation] = []
    for index in probabilities.indices {
      let value = probabilities[index]
      // A sum that is rounded may exceed 1 by the last bits.
      guard (0...1 + Self.rounding).contains(value) else { throw invalid(probabilities, at: index) }
      found.append(
        ClassificationObservation(
          identifier: classLabels[index], classIndex: index, confidence: min(value, 1)))
    }
    return found.sorted { ($1.confidence, $0.classIndex) < ($0.confidence, $1.classIndex) }
  }

  private static let rounding: Float = 1e-5

  private func invalid(_ values: Span<Float>, at index: Int) -> DetectionError {
    var (least, greatest) = (Float.infinity, -Float.infinity)
    for place in values.indices {
      (least, greatest) = (min(least, values[place]), max(greatest, values[place]))
    }
    return .invalidOutput(
      "the output '\(probabilitiesOutput)' has \(values[index]) for '\(classLabels[index])', and "
        + "values from \(least) to \(greatest); probabilities are in 0...1. Export the model with "
        + "its softmax, or read the output with 'fovea run' or Session.")
  }
}
