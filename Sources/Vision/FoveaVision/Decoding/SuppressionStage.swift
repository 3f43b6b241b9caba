// Fovea - the suppression stage of a Core ML pipeline, arrays in and arrays out.
// SPDX-License-Identifier: Apache-2.0
package import FoveaModelValues
package import FoveaRuntime

extension NonMaximumSuppression {
  /// Runs the stage on arrays, like Core ML.
  ///
  /// - Parameters:
  ///   - confidence: Scores, boxes x classes.
  ///   - coordinates: Boxes x 4: center x, center y, width, height, y counted from the top.
  ///   - iouThreshold: Replaces the threshold of the stage.
  ///   - confidenceThreshold: Replaces the threshold of the stage.
  ///   - minimumRowCount: The least number of rows: rows of zeros are added.
  /// - Returns: The rows that stay, by descending best score.
  /// - Throws: `.unsuitableModel` for shapes that do not fit each other or the labels,
  ///   `.invalidRequest` for a threshold outside 0...1, `.invalidOutput` for numbers that are not
  ///   finite.
  package func apply(
    confidence: Tensor, coordinates: Tensor, iouThreshold: Double? = nil,
    confidenceThreshold: Double? = nil, minimumRowCount: Int = 0
  ) throws(DetectionError) -> (confidence: Tensor, coordinates: Tensor) {
    let classCount = confidence.shape.last ?? 0
    try checkShapes(confidence, coordinates, classCount: classCount)
    let settings = try DetectionSettings(
      minimumConfidence: confidenceThreshold ?? self.confidenceThreshold,
      iouThreshold: iouThreshold ?? self.iouThreshold, isClassAgnostic: !perClass)
    let (scores, boxes) = (confidence.floats(), coordinates.floats())
    let decoder = ConfidenceCoordinatesDecoder(classCount: classCount, settings: settings)
    let candidates = DetectionCandidates()
    try decoder.findSurvivors(in: candidates, confidence: scores.span, coordinates: boxes.span)
    let rows = candidates.survivors.map { candidates[$0.index].row }
    return try DetectionError.translatingRuntime { () throws(FoveaError) in
      (
        try tensor(of: rows, from: scores, columns: classCount, atLeast: minimumRowCount),
        try tensor(of: rows, from: boxes, columns: 4, atLeast: minimumRowCount)
      )
    }
  }

  private func checkShapes(
    _ confidence: Tensor, _ coordinates: Tensor, classCount: Int
  ) throws(DetectionError) {
    guard classCount > 0, confidence.count % classCount == 0, coordinates.shape.last == 4,
      coordinates.count / 4 == confidence.count / classCount
    else {
      throw .unsuitableModel(
        "non-maximum suppression was given scores of shape \(confidence.shape) and boxes of shape "
          + "\(coordinates.shape); expected [boxes, classes] and [boxes, 4]. "
          + "Export the model again.")
    }
    guard classLabels.count == 0 || classLabels.count == classCount else {
      throw .unsuitableModel(
        "non-maximum suppression has \(classLabels.count) labels for \(classCount) classes; "
          + "expected one label per class. Export the model again with all its labels.")
    }
  }

  private func tensor(
    of rows: [Int], from values: [Float], columns: Int, atLeast minimum: Int
  ) throws(FoveaError) -> Tensor {
    var kept: [Float] = []
    for row in rows { kept += values[row * columns..<(row + 1) * columns] }
    let count = max(rows.count, minimum)
    kept += repeatElement(0, count: (count - rows.count) * columns)
    return try Tensor(shape: [count, columns], floats: kept)
  }
}
