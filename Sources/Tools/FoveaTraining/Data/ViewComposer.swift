// Fovea - composing pictures: starters pasted onto backdrops as a camera sees them.
// SPDX-License-Identifier: Apache-2.0
internal import CFoveaTrain
internal import FoveaImaging

/// Composes pictures of starters on backdrops.
struct ViewComposer: Sendable {
  private let starters: [StarterPicture]
  /// What starters are pasted onto.
  let backdrops: PictureStore
  private let arranger: SheetArranger
  /// How colors of a whole view change.
  private let options: AugmentationOptions

  init(
    _ starters: [StarterPicture], classCount: Int, backdrops: PictureStore,
    options: AugmentationOptions
  ) {
    (self.starters, self.backdrops, self.options) = (starters, backdrops, options)
    arranger = SheetArranger(
      starters, classCount: classCount, backdropCount: backdrops.count,
      isFromAbove: options.mirrorsDown)
  }

  /// A picture with its objects.
  ///
  /// - Parameters:
  ///   - backdrop: The place of what starters are pasted onto.
  /// - Throws: `.unsuitablePictures`.
  func picture(
    _ shape: CanvasShape, on backdrop: Int, _ random: inout CounterRandom
  ) throws(TrainingError) -> (Image, [TrainingPicture.Object]) {
    var canvas = try canvas(shape, backdrop, &random)
    let sheets = arranger.sheets(on: shape, &random)
    for (place, sheet) in sheets.enumerated() {
      try canvas.paste(
        level(of: sheet), corners: sheet.corners, light: sheet.light, owner: UInt8(place + 1))
    }
    let objects = sheets.enumerated().compactMap { place, sheet -> TrainingPicture.Object? in
      guard case .starter(let starter) = sheet.content else { return nil }
      return object(
        starters[starter], sheet.corners, canvas.part(of: UInt8(place + 1)), shape)
    }
    blur(&canvas, &random)
    canvas.changeColors(options, &random)
    return (
      Image(uprightRGB: canvas.colors, width: shape.width, height: shape.height), objects
    )
  }

  // MARK: Parts

  private func canvas(
    _ shape: CanvasShape, _ backdrop: Int, _ random: inout CounterRandom
  ) throws(TrainingError) -> Canvas {
    var part = PicturePart()
    part.width = random.number(in: 0.4...1)
    part.height = min(max(part.width * random.number(in: 0.8...1.25), 0.3), 1)
    part.x = random.unit() * (1 - part.width)
    part.y = random.unit() * (1 - part.height)
    part.isMirroredAcross = random.unit() < 0.5
    let colors = try SampledPixels(backdrops.image(backdrop)).sampled(
      part, width: shape.width, height: shape.height, channels: 3)
    return Canvas(colors, width: shape.width, height: shape.height)
  }

  private func level(of sheet: PlacedSheet) throws(TrainingError) -> StarterPicture.Level {
    switch sheet.content {
    case .starter(let place):
      return starters[place].level(for: sheet.corners, softness: sheet.softness)
    case .patch(let backdrop, let part):
      let (least, most) = sheet.corners.bounds
      let width = max(1, min(Int(most.x - least.x), 512))
      let height = max(1, min(Int(most.y - least.y), 512))
      let colors = try SampledPixels(backdrops.image(backdrop)).sampled(
        part, width: width, height: height, channels: 3)
      return StarterPicture.Level(width: width, height: height, colors: colors)
    }
  }

  /// Half of all views are blurred, some of them along one axis alone as by a moving camera.
  private func blur(_ canvas: inout Canvas, _ random: inout CounterRandom) {
    let unit = Double(max(canvas.width, canvas.height)) / 320
    let kind = random.unit(), amount = random.unit() * 1.4 * unit
    let (isBlurred, isMoved, isAcross) = (kind < 0.5, kind < 0.15, random.unit() < 0.5)
    guard isBlurred else { return }
    let variance = amount * amount
    let most = isMoved ? 4 * variance : variance, least = isMoved ? 0 : variance
    canvas.blur(across: isAcross ? most : least, down: isAcross ? least : most)
  }

  // MARK: Boxes

  /// The object of a starter: the upright box around what is seen of it.
  private func object(
    _ starter: StarterPicture, _ corners: [SIMD2<Double>], _ part: fov_train_part,
    _ shape: CanvasShape
  ) -> TrainingPicture.Object? {
    guard part.count > 0 else { return nil }
    let (least, most) = corners.bounds
    let (width, height) = (Double(shape.width), Double(shape.height))
    let left = edge(part.columns.begin, least.x, width)
    let right = edge(part.columns.end, most.x, width)
    let top = edge(part.rows.begin, least.y, height)
    let bottom = edge(part.rows.end, most.y, height)
    let share = Double(part.count) / max(corners.area * starter.opaqueShare, 1)
    // What is hardly seen is neither to be found nor missed.
    let isSeen = share >= options.leastObject && right - left >= 4 && bottom - top >= 4
    return TrainingPicture.Object(
      label: starter.label, x: left / width, y: top / height, width: (right - left) / width,
      height: (bottom - top) / height, weight: isSeen ? 1 : 0)
  }

  /// The edge of a box: that of the sheet, which may lie inside of a pixel, if it is seen there.
  private func edge(_ pixel: Int, _ sheet: Double, _ side: Double) -> Double {
    let inside = min(max(sheet, 0), side)
    return abs(inside - Double(pixel)) <= 1 ? inside : Double(pixel)
  }
}
