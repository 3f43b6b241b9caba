// Fovea - a starter as it is pasted: its pixels in several sizes.
// SPDX-License-Identifier: Apache-2.0
internal import CFovea
internal import CFoveaTrain
internal import FoveaImaging

/// The pixels of a sheet that is pasted, in several sizes, each half as long as the one before.
///
/// A camera that is far away mixes many pixels into one; a smaller size has mixed them already.
struct StarterPicture: Sendable {
  /// One size.
  struct Level: Sendable {
    var width: Int
    var height: Int
    /// Red, green and blue, multiplied by the opacity.
    var colors: [UInt8]
    /// The opacity of each pixel; `nil` where all are opaque.
    var alpha: [UInt8]?
  }

  let label: Int
  let levels: [Level]
  /// The part of the area that is rather opaque than not.
  let opaqueShare: Double

  /// The least pixels along a side.
  static let leastSide = 16
  /// The most pixels along a side that are kept: networks do not see more.
  private static let greatestSide = 768
  /// No smaller size is made of one with fewer pixels along its longer side.
  private static let lastSide = 16

  var width: Double { Double(levels[0].width) }
  var height: Double { Double(levels[0].height) }

  /// Reads a starter.
  ///
  /// - Throws: `.unsuitablePictures` for what is no picture, too small, or transparent.
  init(_ starter: StarterSet.Starter) throws(TrainingError) {
    label = starter.label
    let whole = try Self.pixels(starter.path)
    guard min(whole.width, whole.height) >= Self.leastSide else {
      throw TrainingError(
        .unsuitablePictures,
        "\(starter.path): has \(whole.width) x \(whole.height) pixels; a starter needs at least"
          + " \(Self.leastSide) along each side")
    }
    opaqueShare =
      whole.alpha.map { alpha in Double(alpha.count { $0 >= 128 }) / Double(alpha.count) } ?? 1
    guard opaqueShare >= 0.01 else {
      throw TrainingError(
        .unsuitablePictures, "\(starter.path): is transparent all over; nothing can be pasted")
    }
    var levels = [try whole.reduced(to: Self.greatestSide)]
    while let last = levels.last, max(last.width, last.height) > Self.lastSide {
      levels.append(try last.reduced(to: max(last.width, last.height) / 2))
    }
    self.levels = levels
  }

  /// The pixels of a file, upright.
  ///
  /// Over black, colors are multiplied by their opacity; over white they differ by what is missing.
  private static func pixels(_ path: String) throws(TrainingError) -> Level {
    do throws(ImageError) {
      let file = try ImageFile(contentsOf: path)
      let colors = try file.decoded(alpha: .composed(red: 0, green: 0, blue: 0)).upright()
      var level = Level(width: colors.width, height: colors.height, colors: colors.rgb)
      guard file.header.format != .jpeg else { return level }
      let white = try file.decoded(alpha: .composed(red: 255, green: 255, blue: 255)).upright()
      guard white.rgb != colors.rgb else { return level }
      level.alpha = (0..<colors.width * colors.height).map {
        255 - (white.rgb[3 * $0] - colors.rgb[3 * $0])
      }
      return level
    } catch {
      throw TrainingError(.unsuitablePictures, "\(error)")
    }
  }

  /// The size at which a pixel is about as large as one of the canvas, or smaller.
  ///
  /// - Parameters:
  ///   - corners: Where the corners lie on the canvas, from the upper left clockwise.
  ///   - softness: How many sizes smaller a blurred one is.
  func level(for corners: [SIMD2<Double>], softness: Int) -> Level {
    func length(_ a: Int, _ b: Int) -> Double {
      let way = corners[a] - corners[b]
      return (way.x * way.x + way.y * way.y).squareRoot()
    }
    let across = (length(0, 1) + length(3, 2)) / 2, down = (length(0, 3) + length(1, 2)) / 2
    // Four samples make a pixel of the canvas: twice as many along an axis are still seen.
    let place =
      levels.firstIndex { Double($0.width) <= 2 * across && Double($0.height) <= 2 * down }
      ?? levels.count - 1
    return levels[min(place + softness, levels.count - 1)]
  }
}

extension StarterPicture.Level {
  /// The same with at most so many pixels along its longer side.
  fileprivate func reduced(to side: Int) throws(TrainingError) -> Self {
    let longer = max(width, height)
    guard longer > side else { return self }
    let (width, height) = (max(1, self.width * side / longer), max(1, self.height * side / longer))
    func smaller(_ pixels: SampledPixels, _ channels: Int) throws(TrainingError) -> [UInt8] {
      try pixels.sampled(width: width, height: height, channels: channels, filter: .area)
    }
    var level = Self(
      width: width, height: height,
      colors: try smaller(SampledPixels(rgb: colors, width: self.width, height: self.height), 3))
    if let alpha {
      level.alpha = try smaller(
        SampledPixels(gray: alpha, width: self.width, height: self.height), 1)
    }
    return level
  }
}
