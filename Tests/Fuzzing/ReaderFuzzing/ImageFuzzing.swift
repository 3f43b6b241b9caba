// Fovea - fuzzing: images.
// SPDX-License-Identifier: Apache-2.0
import FoveaImaging

enum ImageFuzzing {
  /// An image has the size that its header says, whatever it is reduced to; or is refused with words.
  static func read(_ bytes: [UInt8]) {
    guard let first = bytes.first else { return }
    let limits = ImageLimits(maximumPixels: 1 << 16)
    numbers(Array(bytes.dropFirst()), limits)
    do throws(ImageError) {
      let file = try ImageFile(bytes: Array(bytes.dropFirst()), limits: limits)
      let header = file.header
      promise((1...8).contains(header.orientation), "orientation \(header.orientation)")
      let reduction: ImageReduction =
        first & 1 == 0 ? .none : .covering(width: Int(first >> 4) + 1, height: Int(first >> 2))
      let image = try file.decoded(
        reduction: reduction,
        alpha: first & 2 == 0 ? .ignored : .composed(red: 1, green: 2, blue: 3))
      promise(
        image.fullWidth == header.width && image.fullHeight == header.height,
        "\(image.fullWidth) x \(image.fullHeight) pixels, the header says \(header.width) x \(header.height)"
      )
      promise(
        image.rgb.count == image.width * image.height * 3,
        "\(image.rgb.count) bytes of pixels")
      promise(image.width * image.height <= limits.maximumPixels, "more pixels than allowed")
      let upright = image.upright()
      promise(
        upright.rgb.count == image.rgb.count
          && upright.width == (header.swapsSides ? image.height : image.width),
        "turning changes the number of pixels")
    } catch {
      promise(!error.description.isEmpty, "an error without words")
    }
  }

  /// A PNG file whose pixels are numbers has as many as its header says; or is refused with words.
  private static func numbers(_ bytes: [UInt8], _ limits: ImageLimits) {
    do throws(ImageError) {
      let map = try PNGMaps.numbers(in: bytes, limits: limits)
      promise(map.samples.count == map.width * map.height, "\(map.samples.count) numbers")
      promise(map.samples.count <= limits.maximumPixels, "more numbers than allowed")
    } catch {
      promise(!error.description.isEmpty, "an error without words")
    }
  }
}
