// Fovea - what a run learns from, and what it is measured on.
// SPDX-License-Identifier: Apache-2.0

/// What a run learns from, and what it is measured on.
protocol TrainingMaterial {
  var labels: [String] { get }
  /// Objects as they appear, by which the size of the input is chosen.
  var examples: TrainingSet { get }
  /// Those by which sizes of boxes are chosen.
  var learnedExamples: TrainingSet { get }
  /// The most objects of a view.
  var mostObjects: Int { get }

  /// The views to learn from.
  func views(
    _ size: TrainableNetwork.Size, _ options: AugmentationOptions
  ) throws(TrainingError) -> any ViewSource
  /// The pictures to measure on.
  func measured(side: Int) throws(TrainingError) -> any MeasuredPictures
}

/// Labeled pictures to learn from and to measure on.
struct LabeledMaterial: TrainingMaterial {
  let training: TrainingSet
  let validation: TrainingSet

  /// Bytes of decoded pictures that are kept of each side.
  private static let byteBudget = 1 << 29

  /// - Parameter validation: Pictures to measure on; `nil` to take a fifth of the set.
  /// - Throws: `.unsuitablePictures`.
  init(
    _ set: TrainingSet, _ validation: TrainingSet?, seed: UInt64
  ) throws(TrainingError) {
    guard set.objectCount > 0, !set.labels.isEmpty else {
      throw TrainingError(
        .unsuitablePictures,
        "the \(set.pictures.count) pictures have no boxes; label some objects first")
    }
    try validation?.check(labels: set.labels)
    (training, self.validation) = validation.map { (set, $0) } ?? set.divided(seed: seed)
    examples = set
  }

  let examples: TrainingSet
  var learnedExamples: TrainingSet { training }
  var labels: [String] { training.labels }
  /// Four pictures may stand side by side.
  var mostObjects: Int { 4 * (training.pictures.map(\.objects.count).max() ?? 1) }

  func views(
    _ size: TrainableNetwork.Size, _ options: AugmentationOptions
  ) throws(TrainingError) -> any ViewSource {
    PictureViews(
      training, painter: ViewPainter(size: size, options: options), byteBudget: Self.byteBudget)
  }

  func measured(side: Int) throws(TrainingError) -> any MeasuredPictures {
    LabeledPictures(validation, side: side, byteBudget: Self.byteBudget)
  }
}

extension TrainingSet {
  /// Refuses pictures to measure on that have other classes.
  func check(labels: [String]) throws(TrainingError) {
    guard self.labels != labels else { return }
    throw TrainingError(
      .unsuitablePictures,
      "the pictures to measure on have the classes \(self.labels), and those to learn from"
        + " \(labels)")
  }
}
