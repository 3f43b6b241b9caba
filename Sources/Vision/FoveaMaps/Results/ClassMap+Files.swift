// Fovea - maps of classes as files and pictures.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaDrawing
public import FoveaImaging
public import FoveaRuntime

extension ClassMap {
  /// A PNG file whose pixels are the numbers of classes. Up to 255 classes are 8 bits with a palette of
  /// the colors of the classes; more are gray levels of 16 bits.
  ///
  /// - Throws: `.traitDisabled` in a build without PNG; `.notEncodable`.
  public func pngBytes() throws(ImageError) -> [UInt8] {
    guard labels.count <= 255 else {
      return try PNGMaps.gray16(width: width, height: height, samples: classes)
    }
    var palette: [UInt8] = []
    for index in 0..<256 {
      let color =
        index == unassigned
        ? ClassPalette.unassigned
        : index < colors.count ? colors[index] : ClassPalette.color(index)
      palette += [color.red, color.green, color.blue]
    }
    return try PNGMaps.indexed(
      width: width, height: height, indices: classes.map { UInt8(truncatingIfNeeded: $0) },
      palette: palette)
  }

  /// The classes as an array of [height, width], which writes .npy files: bytes, or integers of 32 bits
  /// for more than 255 classes.
  ///
  /// - Throws: `outOfMemory`.
  public func tensor() throws(FoveaError) -> Tensor {
    labels.count <= 255
      ? try Tensor(
        shape: [height, width], uint8s: classes.map { UInt8(truncatingIfNeeded: $0) })
      : try Tensor(shape: [height, width], int32s: classes.map { Int32($0) })
  }

  /// An upright picture of the map's size under the colors of its classes.
  ///
  /// - Parameters:
  ///   - image: The upright picture.
  ///   - opacity: Of the colors, 0...1. Pixels without a class keep theirs, and so does a class that is
  ///     called background.
  /// - Throws: `.wrongSampleCount` for a picture of another size.
  public func overlay(on image: Image, opacity: Double = 0.5) throws(ImageError) -> Image {
    var rgb = image.rgb
    guard image.width == width, image.height == height else {
      throw ImageError(.wrongSampleCount(expected: width * height * 3, found: rgb.count))
    }
    let part = min(max(opacity, 0), 1)
    let background = labels.firstIndex { $0.lowercased() == "background" }
    for (pixel, found) in classes.enumerated()
    where found != unassigned && Int(found) != background {
      let color = colors[Int(found)]
      for (channel, level) in [color.red, color.green, color.blue].enumerated() {
        let old = Double(rgb[pixel * 3 + channel])
        rgb[pixel * 3 + channel] = UInt8((old + (Double(level) - old) * part).rounded())
      }
    }
    return try Image(width: width, height: height, rgb: rgb)
  }
}
