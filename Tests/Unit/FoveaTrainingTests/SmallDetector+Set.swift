// Fovea - the pictures of the small detector as a set to learn from.
// SPDX-License-Identifier: Apache-2.0
import FoveaExampleModel
import FoveaTraining

extension SmallDetector {
  /// Pictures with one bright square each, written to the folder.
  func set(count: Int = 12) throws -> TrainingSet {
    let side = Double(Self.side)
    return TrainingSet(
      labels: Self.labels,
      pictures: try pictures(count: count).map { picture in
        TrainingPicture(
          path: picture.path,
          objects: [
            .init(
              label: picture.label, x: Double(picture.x) / side, y: Double(picture.y) / side,
              width: Double(picture.width) / side, height: Double(picture.height) / side)
          ])
      })
  }
}
