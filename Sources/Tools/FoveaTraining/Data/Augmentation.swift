// Fovea - views of pictures that a network learns from.
// SPDX-License-Identifier: Apache-2.0
internal import CFoveaTrain
internal import FoveaImaging

/// How much views of a picture differ from it.
struct AugmentationOptions: Sendable {
  /// The least part of each side that a view takes.
  var leastPart = 0.6
  /// How far the aspect changes, as a logarithm.
  var aspect = 0.15
  var mirrorsAcross = true
  var mirrorsDown = false
  /// In turns.
  var hue = 0.015
  var saturation = 0.5
  var value = 0.35
  /// How often four pictures are put side by side.
  var mosaic = 0.5
  /// Objects of which less is left go.
  var leastObject = 0.4

  /// Gives pixels other colors; gray ones stay as they are.
  func changeColors(_ bytes: inout [UInt8], channels: Int, _ random: inout CounterRandom) {
    let hue = random.number(in: -hue...hue)
    let saturation = 1 + random.number(in: -saturation...saturation)
    let value = 1 + random.number(in: -value...value)
    guard channels == 3 else { return }
    fov_train_change_colors(
      &bytes, bytes.count / 3, Float(hue), Float(saturation), Float(value))
  }
}

/// The bytes of a network's input, and the objects in it.
struct TrainingView: Sendable {
  var bytes: [UInt8]
  var boxes: [fov_train_box]
}

/// Draws views of pictures. What it draws follows from its random numbers.
struct ViewPainter: Sendable {
  let size: TrainableNetwork.Size
  let options: AugmentationOptions

  /// A rectangle of the view in pixels.
  private struct Place {
    var x: Int
    var y: Int
    var width: Int
    var height: Int
  }

  /// A view of one picture, or of four.
  ///
  /// - Parameters:
  ///   - others: A picture to stand beside the first one.
  ///   - usesMosaic: Whether four pictures may stand side by side.
  func view(
    of picture: TrainingPicture, _ image: Image, random: inout CounterRandom, usesMosaic: Bool,
    others: (Int) throws(TrainingError) -> (TrainingPicture, Image)
  ) throws(TrainingError) -> TrainingView {
    var view = TrainingView(
      bytes: [UInt8](repeating: 0, count: size.height * size.width * size.channels), boxes: [])
    if usesMosaic, random.unit() < options.mosaic {
      let x = Int(random.number(in: 0.3...0.7) * Double(size.width))
      let y = Int(random.number(in: 0.3...0.7) * Double(size.height))
      let places = [
        Place(x: 0, y: 0, width: x, height: y),
        Place(x: x, y: 0, width: size.width - x, height: y),
        Place(x: 0, y: y, width: x, height: size.height - y),
        Place(x: x, y: y, width: size.width - x, height: size.height - y),
      ]
      for (index, place) in places.enumerated() {
        let (picture, image) = index == 0 ? (picture, image) : try others(index)
        try paint(picture, image, tile(place, &random), at: place, into: &view)
      }
    } else {
      let whole = Place(x: 0, y: 0, width: size.width, height: size.height)
      try paint(picture, image, crop(&random), at: whole, into: &view)
    }
    options.changeColors(&view.bytes, channels: size.channels, &random)
    return view
  }

  // MARK: Parts

  private func crop(_ random: inout CounterRandom) -> PicturePart {
    let part = random.number(in: options.leastPart...1)
    return placed(part, part, &random)
  }

  /// A part that has in its place about the size that it has in the picture.
  private func tile(_ place: Place, _ random: inout CounterRandom) -> PicturePart {
    let factor = random.number(in: 0.8...1.5)
    return placed(
      factor * Double(place.width) / Double(size.width),
      factor * Double(place.height) / Double(size.height), &random)
  }

  private func placed(
    _ width: Double, _ height: Double, _ random: inout CounterRandom
  ) -> PicturePart {
    let stretch = 1 + random.number(in: -options.aspect...options.aspect) / 2
    var part = PicturePart()
    part.width = min(max(width * stretch, 0.02), 1)
    part.height = min(max(height / stretch, 0.02), 1)
    part.x = random.unit() * (1 - part.width)
    part.y = random.unit() * (1 - part.height)
    let (across, down) = (random.unit() < 0.5, random.unit() < 0.5)
    part.isMirroredAcross = options.mirrorsAcross && across
    part.isMirroredDown = options.mirrorsDown && down
    return part
  }

  // MARK: Painting

  private func paint(
    _ picture: TrainingPicture, _ image: Image, _ part: PicturePart, at place: Place,
    into view: inout TrainingView
  ) throws(TrainingError) {
    guard place.width > 0, place.height > 0 else { return }
    let tile = try SampledPixels(image).sampled(
      part, width: place.width, height: place.height, channels: size.channels)
    let (row, channels) = (place.width * size.channels, size.channels)
    view.bytes.withUnsafeMutableBytes { target in
      tile.withUnsafeBytes { source in
        for line in 0..<place.height {
          let to = ((place.y + line) * size.width + place.x) * channels
          target[to..<to + row].copyBytes(from: source[line * row..<(line + 1) * row])
        }
      }
    }
    view.boxes += picture.objects.compactMap { box(of: $0, part, place) }
  }

  private func box(
    of object: TrainingPicture.Object, _ part: PicturePart, _ place: Place
  ) -> fov_train_box? {
    let left = max(object.x, part.x), right = min(object.x + object.width, part.x + part.width)
    let top = max(object.y, part.y), bottom = min(object.y + object.height, part.y + part.height)
    guard right > left, bottom > top else { return nil }
    let whole = object.width * object.height
    let isLeft = (right - left) * (bottom - top) >= options.leastObject * whole
    var x = ((left + right) / 2 - part.x) / part.width
    var y = ((top + bottom) / 2 - part.y) / part.height
    if part.isMirroredAcross { x = 1 - x }
    if part.isMirroredDown { y = 1 - y }
    let scaleX = Double(place.width) / Double(size.width)
    let scaleY = Double(place.height) / Double(size.height)
    let width = (right - left) / part.width * scaleX
    let height = (bottom - top) / part.height * scaleY
    // What is left of an object, or is too small to be seen, is neither to be found nor missed.
    let isSeen = isLeft && width * Double(size.width) >= 2 && height * Double(size.height) >= 2
    return fov_train_box(
      x: Float(Double(place.x) / Double(size.width) + x * scaleX),
      y: Float(Double(place.y) / Double(size.height) + y * scaleY), width: Float(width),
      height: Float(height), label: Int32(object.label),
      weight: isSeen ? Float(object.weight) : 0)
  }
}
