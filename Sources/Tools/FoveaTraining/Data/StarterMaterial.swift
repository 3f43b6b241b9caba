// Fovea - starters to learn from, and what is composed of them.
// SPDX-License-Identifier: Apache-2.0

/// Starters, which are pasted onto backgrounds.
struct StarterMaterial: TrainingMaterial {
  let starters: StarterSet
  var labels: [String] { starters.labels }
  let examples: TrainingSet
  var learnedExamples: TrainingSet { examples }
  let mostObjects = SheetArranger.mostStarters
  /// Labeled pictures to measure on; `nil` for composed ones.
  private let validation: TrainingSet?
  private let pictures: [StarterPicture]
  private let backgrounds: (training: [String], validation: [String])
  private let options: TrainingOptions

  /// Bytes of decoded backgrounds that are kept of each side.
  private static let byteBudget = 1 << 26
  /// The arrangements by which sizes are chosen.
  private static let exampleCount = 256

  /// Reads the starters.
  ///
  /// - Throws: `.unsuitablePictures`.
  init(
    _ set: StarterSet, _ validation: TrainingSet?, _ options: TrainingOptions
  ) throws(TrainingError) {
    try set.check()
    if let validation { try Self.check(validation, labels: set.labels) }
    (starters, self.validation, self.options) = (set, validation, options)
    var pictures: [StarterPicture] = []
    for starter in set.starters { pictures.append(try StarterPicture(starter)) }
    self.pictures = pictures
    // Nothing is kept aside for labeled pictures.
    backgrounds =
      validation == nil
      ? set.dividedBackgrounds(seed: options.seed) : (set.backgrounds, set.backgrounds)
    examples = Self.examples(pictures, set.labels, options)
  }

  private static func check(
    _ validation: TrainingSet, labels: [String]
  ) throws(TrainingError) {
    try validation.check(labels: labels)
    guard validation.objectCount == 0 else { return }
    throw TrainingError(
      .unsuitablePictures,
      "the pictures to measure on have no boxes of the classes \(labels), which are the names of the"
        + " starters")
  }

  func views(
    _ size: TrainableNetwork.Size, _ options: AugmentationOptions
  ) throws(TrainingError) -> any ViewSource {
    ComposedViews(composer(backgrounds.training, size.width, 0x1EA2, options), size: size)
  }

  func measured(side: Int) throws(TrainingError) -> any MeasuredPictures {
    guard let validation else { return composed(side: side, isMeasured: true) }
    return LabeledPictures(validation, side: side, byteBudget: Self.byteBudget)
  }

  /// Composed pictures on the backgrounds of one side.
  func composed(side: Int, isMeasured: Bool) -> ComposedPictures {
    let salt: UInt64 = isMeasured ? 0x3EA5 : 0x1EA2
    let paths = isMeasured ? backgrounds.validation : backgrounds.training
    return ComposedPictures(
      composer(paths, side, salt, options.augmentation), labels: labels,
      count: DetectorTrainer.composedCount(classes: labels.count), side: side,
      key: options.seed ^ salt)
  }

  private func composer(
    _ paths: [String], _ side: Int, _ salt: UInt64, _ options: AugmentationOptions
  ) -> ViewComposer {
    let drawing = DrawnBackdrop(side: side, seed: self.options.seed ^ salt)
    let backdrops =
      paths.isEmpty
      ? PictureStore(count: DrawnBackdrop.count, byteBudget: Self.byteBudget) {
        place throws(TrainingError) in try drawing.image(place)
      } : PictureStore(paths: paths, side: side, byteBudget: Self.byteBudget)
    return ViewComposer(
      pictures, classCount: labels.count, backdrops: backdrops, options: options)
  }

  /// What is seen of starters, without anything painted.
  private static func examples(
    _ pictures: [StarterPicture], _ labels: [String], _ options: TrainingOptions
  ) -> TrainingSet {
    let arranger = SheetArranger(
      pictures, classCount: labels.count, backdropCount: 1, isFromAbove: options.isFromAbove)
    let shape = CanvasShape(width: 1000, height: 1000, aspect: 1)
    var set = TrainingSet(labels: labels, pictures: [])
    for place in 0..<exampleCount {
      var random = CounterRandom(options.seed, UInt64(place), 0xE8A3)
      let objects = arranger.sheets(on: shape, &random).filter(\.isStarter).map { sheet in
        let bounds = sheet.corners.bounds
        let least = pointwiseMax(bounds.least, SIMD2(0, 0)) / 1000
        let most = pointwiseMin(bounds.most, SIMD2(1000, 1000)) / 1000
        return TrainingPicture.Object(
          label: 0, x: least.x, y: least.y, width: max(most.x - least.x, 0),
          height: max(most.y - least.y, 0))
      }
      set.pictures.append(TrainingPicture(path: "", objects: objects))
    }
    return set
  }
}
