// Fovea - the pictures that results are measured on.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaImaging

/// The pictures that results are measured on.
protocol MeasuredPictures: Sendable {
  var labels: [String] { get }
  var count: Int { get }

  /// A picture, upright, with the objects in it.
  ///
  /// - Throws: `.unsuitablePictures`.
  func picture(_ place: Int) throws(TrainingError) -> (Image, [TrainingPicture.Object])
}

/// Labeled pictures to measure on, kept where memory allows.
struct LabeledPictures: MeasuredPictures {
  private let labeled: TrainingSet
  private let store: PictureStore

  init(_ set: TrainingSet, side: Int, byteBudget: Int) {
    labeled = set
    store = PictureStore(paths: set.pictures.map(\.path), side: side, byteBudget: byteBudget)
  }

  var labels: [String] { labeled.labels }
  var count: Int { labeled.pictures.count }

  func picture(_ place: Int) throws(TrainingError) -> (Image, [TrainingPicture.Object]) {
    (try store.image(place), labeled.pictures[place].objects)
  }
}
