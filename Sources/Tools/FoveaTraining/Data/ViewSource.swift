// Fovea - where the views that a network learns from come from.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaImaging

/// Where the views that a network learns from come from. Several threads may ask.
protocol ViewSource: Sendable {
  /// The pictures that take turns.
  var pictureCount: Int { get }

  /// A view. It follows from the random numbers.
  ///
  /// - Parameters:
  ///   - picture: The picture whose turn it is.
  ///   - others: Random numbers that choose further pictures.
  ///   - usesMosaic: Whether four pictures may stand side by side.
  /// - Throws: `.unsuitablePictures`.
  func view(
    of picture: Int, random: inout CounterRandom, others: inout CounterRandom, usesMosaic: Bool
  ) throws(TrainingError) -> TrainingView
}

/// Views of labeled pictures.
struct PictureViews: ViewSource {
  private let labeled: TrainingSet
  private let store: PictureStore
  private let painter: ViewPainter

  /// - Parameter byteBudget: The most bytes of decoded pictures that are kept.
  init(_ set: TrainingSet, painter: ViewPainter, byteBudget: Int) {
    (labeled, self.painter) = (set, painter)
    store = PictureStore(
      paths: set.pictures.map(\.path), side: painter.size.width, byteBudget: byteBudget)
  }

  var pictureCount: Int { labeled.pictures.count }

  func view(
    of picture: Int, random: inout CounterRandom, others: inout CounterRandom, usesMosaic: Bool
  ) throws(TrainingError) -> TrainingView {
    var choice = others
    defer { others = choice }
    return try painter.view(
      of: labeled.pictures[picture], store.image(picture), random: &random, usesMosaic: usesMosaic
    ) { _ throws(TrainingError) in
      let other = choice.place(labeled.pictures.count)
      return (labeled.pictures[other], try store.image(other))
    }
  }
}
