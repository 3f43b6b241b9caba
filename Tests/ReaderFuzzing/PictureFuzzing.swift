// Fovea - fuzzing: pictures.
// SPDX-License-Identifier: Apache-2.0
import FoveaImaging

enum PictureFuzzing {
  /// A picture has the size that its header says, whatever it is reduced to; or is refused with words.
  static func read(_ bytes: [UInt8]) {
    guard let first = bytes.first else { return }
    let limits = PictureLimits(maximumPixels: 1 << 16)
    do throws(PictureError) {
      let file = try PictureFile(bytes: Array(bytes.dropFirst()), limits: limits)
      let header = file.header
      promise((1...8).contains(header.orientation), "orientation \(header.orientation)")
      let reduction: PictureReduction =
        first & 1 == 0 ? .none : .covering(width: Int(first >> 4) + 1, height: Int(first >> 2))
      let picture = try file.decoded(
        reduction: reduction,
        alpha: first & 2 == 0 ? .ignored : .composed(red: 1, green: 2, blue: 3))
      promise(
        picture.fullWidth == header.width && picture.fullHeight == header.height,
        "\(picture.fullWidth) x \(picture.fullHeight) pixels, the header says \(header.width) x \(header.height)"
      )
      promise(
        picture.rgb.count == picture.width * picture.height * 3,
        "\(picture.rgb.count) bytes of pixels")
      promise(picture.width * picture.height <= limits.maximumPixels, "more pixels than allowed")
      let upright = picture.upright()
      promise(
        upright.rgb.count == picture.rgb.count
          && upright.width == (header.swapsSides ? picture.height : picture.width),
        "turning changes the number of pixels")
    } catch {
      promise(!error.description.isEmpty, "an error without words")
    }
  }
}
