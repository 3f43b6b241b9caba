// Fovea - composed views to learn from, and composed pictures to measure on.
// SPDX-License-Identifier: Apache-2.0
internal import CFoveaTrain
internal import FoveaImaging
internal import FoveaLibc

/// Composed views to learn from.
struct ComposedViews: ViewSource {
  private let composer: ViewComposer
  private let size: TrainableNetwork.Size

  init(_ composer: ViewComposer, size: TrainableNetwork.Size) {
    (self.composer, self.size) = (composer, size)
  }

  var pictureCount: Int { composer.backdrops.count }

  func view(
    of picture: Int, random: inout CounterRandom, others: inout CounterRandom, usesMosaic: Bool
  ) throws(TrainingError) -> TrainingView {
    let aspect = exp(random.number(in: -0.4...0.4))
    let shape = CanvasShape(width: size.width, height: size.height, aspect: aspect)
    let (image, objects) = try composer.picture(shape, on: picture, &random)
    let bytes =
      size.channels == 3
      ? image.rgb
      : try SampledPixels(image).sampled(
        width: size.width, height: size.height, channels: size.channels)
    return TrainingView(
      bytes: bytes,
      boxes: objects.map { object in
        fov_train_box(
          x: Float(object.x + object.width / 2), y: Float(object.y + object.height / 2),
          width: Float(object.width), height: Float(object.height), label: Int32(object.label),
          weight: Float(object.weight))
      })
  }
}

/// Composed pictures, as large as photographs are for the network. They are composed again when they
/// are asked for.
struct ComposedPictures: MeasuredPictures {
  let labels: [String]
  let count: Int
  private let composer: ViewComposer
  private let side: Int
  private let key: UInt64

  /// - Parameters:
  ///   - side: The side of the network's input.
  ///   - key: What random numbers follow from.
  init(_ composer: ViewComposer, labels: [String], count: Int, side: Int, key: UInt64) {
    (self.composer, self.labels, self.count) = (composer, labels, count)
    (self.side, self.key) = (side, key)
  }

  func picture(_ place: Int) throws(TrainingError) -> (Image, [TrainingPicture.Object]) {
    var random = CounterRandom(key, UInt64(place), 0xC0DE)
    let (longer, shorter) = (side * 3 / 2, side * 9 / 8)
    let (width, height) =
      place % 3 == 2 ? (shorter, shorter) : place % 3 == 1 ? (shorter, longer) : (longer, shorter)
    let shape = CanvasShape(
      width: width, height: height, aspect: Double(width) / Double(height))
    return try composer.picture(shape, on: place % composer.backdrops.count, &random)
  }
}
