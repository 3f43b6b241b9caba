// Fovea - drawn pictures that starters are pasted onto, where there are no others.
// SPDX-License-Identifier: Apache-2.0
internal import CFoveaTrain
internal import FoveaGeometry
internal import FoveaImaging

/// Draws pictures of soft colors, sheets and grain. They are no photographs.
struct DrawnBackdrop: Sendable {
  let side: Int
  let seed: UInt64

  /// How many are drawn for a run.
  static let count = 100

  /// The picture at a place; the same one each time.
  func image(_ place: Int) throws(TrainingError) -> Image {
    var random = CounterRandom(seed, UInt64(place), 0xBACD)
    var canvas = try Canvas(
      clouds(3 + random.place(4), alike: random.number(in: 0...0.7), &random)
        .sampled(width: side, height: side, channels: 3), width: side, height: side)
    let length = Double(side)
    for _ in 0..<4 + random.place(10) {
      var pose = SheetPose()
      (pose.yaw, pose.pitch) = (random.number(in: -1...1), random.number(in: -1...1))
      pose.roll = random.number(in: -.pi ... .pi)
      let middle = SIMD2(random.unit(), random.unit()) * length
      let size = length * random.number(in: 0.05...0.7)
      let corners = pose.corners(width: 1, height: random.number(in: 0.1...2))
        .map { $0 * size + middle }
      // From flat ones to those with grain, as fine as print.
      let cells = [1, 2, 4, 8, 16][random.place(5)]
      let sheet = clouds(cells, alike: random.number(in: 0...0.9), &random)
      try canvas.paste(
        StarterPicture.Level(
          width: cells, height: cells, colors: sheet.bytes), corners: corners,
        light: fov_train_light(gains: (1, 1, 1), across: 0.2, down: 0.2), owner: 1)
    }
    return Image(uprightRGB: canvas.colors, width: side, height: side)
  }

  /// Cells of random colors along both axes.
  ///
  /// - Parameter alike: How much the cells have one color, 0...1.
  private func clouds(
    _ cells: Int, alike: Double, _ random: inout CounterRandom
  ) -> SampledPixels {
    let color = (random.unit() * 255, random.unit() * 255, random.unit() * 255)
    let bytes = (0..<cells * cells).flatMap { _ in
      let light = random.number(in: -60...60)
      return [color.0, color.1, color.2].map { own in
        let free = random.unit() * 255
        return UInt8(min(max(alike * own + (1 - alike) * (free + light), 0), 255))
      }
    }
    return SampledPixels(rgb: bytes, width: cells, height: cells)
  }
}
