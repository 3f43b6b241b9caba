// Fovea - pixels into which sheets are pasted, and who is seen in each.
// SPDX-License-Identifier: Apache-2.0
internal import CFoveaTrain
internal import FoveaGeometry

/// Pixels into which sheets are pasted, and which of them is seen in each.
struct Canvas {
  let width: Int
  let height: Int
  /// Red, green and blue of each pixel.
  private(set) var colors: [UInt8]
  /// The number of the sheet that is seen in each pixel; 0 for none.
  private var owners: [UInt8]

  /// A canvas with colors, and no sheets.
  init(_ colors: [UInt8], width: Int, height: Int) {
    (self.colors, self.width, self.height) = (colors, width, height)
    owners = [UInt8](repeating: 0, count: width * height)
  }

  /// Pastes a sheet.
  ///
  /// - Parameters:
  ///   - corners: Where the corners of the sheet come to lie, from its upper left clockwise. Those
  ///     of no quadrilateral that a camera sees change nothing.
  ///   - owner: The number of the sheet, 1...255.
  /// - Throws: `.unsuitablePictures`.
  mutating func paste(
    _ sheet: StarterPicture.Level, corners: [SIMD2<Double>], light: fov_train_light, owner: UInt8
  ) throws(TrainingError) {
    guard
      let map = PerspectiveMap(
        rectangle: Double(sheet.width), Double(sheet.height), to: corners)?.inverse
    else { return }
    let (least, most) = corners.bounds
    func range(_ from: Double, _ to: Double, _ side: Int) -> fov_pixel_range {
      let begin = min(max(from.rounded(.down), 0), Double(side))
      let end = min(max(to.rounded(.up), begin), Double(side))
      return fov_pixel_range(begin: Int(begin), end: Int(end))
    }
    let (columns, rows) = (range(least.x, most.x, width), range(least.y, most.y, height))
    var (light, coefficients) = (light, map.coefficients)
    let status = withCanvas { canvas in
      sheet.colors.withUnsafeBufferPointer { colors in
        (sheet.alpha ?? []).withUnsafeBufferPointer { alpha in
          var own = fov_train_sheet(
            colors: colors.baseAddress!, alpha: sheet.alpha == nil ? nil : alpha.baseAddress,
            width: sheet.width, height: sheet.height, row_pixels: sheet.width)
          return fov_train_paste(&canvas, &own, &coefficients, columns, rows, &light, owner)
        }
      }
    }
    guard status == .ok else {
      throw TrainingError(.unsuitablePictures, "a starter cannot be pasted: \(status)")
    }
  }

  /// The pixels in which a sheet is seen.
  mutating func part(of owner: UInt8) -> fov_train_part {
    withCanvas { fov_train_part_of(&$0, owner) }
  }

  /// Blurs all pixels by bells of these variances, in square pixels.
  mutating func blur(across: Double, down: Double) {
    fov_train_blur(&colors, width, height, Float(across), Float(down))
  }

  /// Changes the colors of all pixels.
  mutating func changeColors(_ options: AugmentationOptions, _ random: inout CounterRandom) {
    options.changeColors(&colors, channels: 3, &random)
  }

  private mutating func withCanvas<Result>(
    _ body: (inout fov_train_canvas) -> Result
  ) -> Result {
    let (width, height) = (width, height)
    return colors.withUnsafeMutableBufferPointer { colors in
      owners.withUnsafeMutableBufferPointer { owners in
        var canvas = fov_train_canvas(
          colors: colors.baseAddress!, owners: owners.baseAddress!, width: width, height: height)
        return body(&canvas)
      }
    }
  }
}
