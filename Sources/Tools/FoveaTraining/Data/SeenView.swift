// Fovea - a view as people look at it.
// SPDX-License-Identifier: Apache-2.0
internal import CFoveaTrain

/// What a network sees of a picture or several, as people look at it.
package struct SeenView: Sendable {
  /// Columns.
  package let width: Int
  /// Rows.
  package let height: Int
  /// Red, green and blue of each pixel.
  package let rgb: [UInt8]
  /// The objects, in fractions of the view from its upper left.
  package let objects: [TrainingPicture.Object]

  init(_ view: TrainingView, _ size: TrainableNetwork.Size) {
    (width, height) = (size.width, size.height)
    rgb = size.channels == 3 ? view.bytes : view.bytes.flatMap { [$0, $0, $0] }
    objects = view.boxes.map { box in
      TrainingPicture.Object(
        label: Int(box.label), x: Double(box.x - box.width / 2), y: Double(box.y - box.height / 2),
        width: Double(box.width), height: Double(box.height), weight: Double(box.weight))
    }
  }
}
