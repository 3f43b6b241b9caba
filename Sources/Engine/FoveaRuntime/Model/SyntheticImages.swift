// Fovea - images made of formulas, with the statistics of photographs.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaCore

/// Images of leaves that have fallen on one another: discs and rectangles of all sizes, each in front of the
/// ones before, in one color with some noise.
///
/// The sizes follow a power law, so that the images have edges, flat places and the spectrum of
/// photographs: D. Mumford, B. Gidas: "Stochastic models for generic images", Quarterly of Applied
/// Mathematics 59, 2001. Only whole numbers are used: the same bytes everywhere.
struct SyntheticImages {
  private var state: UInt64

  /// Creates the images of a seed.
  init(seed: UInt64) { state = seed }

  /// The next image: rows from the top, pixels of `channels` bytes.
  ///
  /// - Complexity: O(width * height) on average, times the leaves that lie on one another.
  mutating func next(width: Int, height: Int, channels: Int) -> [UInt8] {
    var image = [UInt8](repeating: 0, count: width * height * channels)
    let side = max(min(width, height), 1)
    fill(&image, width, channels, columns: 0..<width, rows: 0..<height) { _, _ in true }
    for _ in 0..<300 {
      // 2 / u pixels of 320, u from 0.01 to 1: a tail that falls as the square of the size.
      let radius = max(min(side * 200 / (320 * (random(100) + 1)), side / 2), 1)
      let (x, y) = (random(width), random(height))
      let flatness = 1 + random(4)
      let isDisc = random(2) == 0
      let tall = isDisc ? radius : max(radius / flatness, 1)
      fill(
        &image, width, channels,
        columns: max(x - radius, 0)..<min(x + radius + 1, width),
        rows: max(y - tall, 0)..<min(y + tall + 1, height)
      ) { column, row in
        let (dx, dy) = (column - x, row - y)
        return !isDisc || dx * dx + dy * dy <= radius * radius
      }
    }
    return image
  }

  /// Gives a session the next image for each of its inputs that is one.
  mutating func fill(_ session: Session) throws(FoveaError) {
    for input in session.model.inputs where input.image != nil {
      let (height, width) = (input.shape[0], input.shape[1])
      let bytes = next(
        width: width, height: height, channels: input.count / max(width * height, 1))
      try session.setInput(input.name, to: Tensor(shape: input.shape, uint8s: bytes))
    }
  }

  /// Draws one leaf.
  private mutating func fill(
    _ image: inout [UInt8], _ width: Int, _ channels: Int, columns: Range<Int>,
    rows: Range<Int>, where covers: (Int, Int) -> Bool
  ) {
    let brightness = 80 + random(176)
    let color = (0..<channels).map { _ in random(256) * brightness / 255 }
    let noise = 1 + random(32)
    for row in rows {
      for column in columns where covers(column, row) {
        let change = random(noise) - noise / 2
        for (channel, value) in color.enumerated() {
          image[(row * width + column) * channels + channel] = UInt8(clamping: value + change)
        }
      }
    }
  }

  /// A number below `bound`: SplitMix64 (G. Steele, D. Lea, C. Flood: "Fast Splittable Pseudorandom Number
  /// Generators", 2014).
  private mutating func random(_ bound: Int) -> Int {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = (state ^ (state >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return Int(truncatingIfNeeded: (mixed ^ (mixed >> 31)) >> 33) % max(bound, 1)
  }
}
