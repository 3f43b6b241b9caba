// Fovea - an image in memory, in any format, of exactly the bytes it needs.
// SPDX-License-Identifier: Apache-2.0
import CFovea
import FoveaTestSupport
import Testing

/// An image in memory of exactly the bytes it needs.
struct ImageBytes {
  var format: fov_pixel_format
  var width: Int
  var height: Int
  var rowBytes: Int
  var chromaOffset = 0
  var chromaRowBytes = 0
  var bytes: [UInt8]
  var alpha = fov_alpha.ignored
  var background: (UInt8, UInt8, UInt8) = (0, 0, 0)
  var yuv = fov_yuv_encoding.bt601_video

  /// Random bytes, also between the rows; now and then only the extremes 0 and 255.
  init(
    _ format: fov_pixel_format, width: Int, height: Int, gap: Int = 0,
    using random: inout SplitMix
  ) {
    self.format = format
    self.width = width
    self.height = height
    let length = Self.rowLength(format, width)
    rowBytes = length + gap
    var count = (height - 1) * rowBytes + length
    if format == .nv12 {
      let pairs = (width + 1) / 2 * 2
      chromaOffset = count + gap
      chromaRowBytes = pairs + gap
      count = chromaOffset + ((height + 1) / 2 - 1) * chromaRowBytes + pairs
    }
    let extremes = Int.random(in: 0..<4, using: &random) == 0
    bytes = (0..<count).map { _ in
      let byte = UInt8(truncatingIfNeeded: random.next())
      return extremes ? (byte & 1 == 0 ? 0 : 255) : byte
    }
  }

  /// One row of gray.
  init(gray row: [UInt8]) {
    format = .gray
    width = row.count
    height = 1
    rowBytes = row.count
    bytes = row
  }

  private static func rowLength(_ format: fov_pixel_format, _ width: Int) -> Int {
    switch format {
    case .rgb, .bgr: 3 * width
    case .rgba, .bgra: 4 * width
    case .gray, .nv12: width
    case .yuyv: (width + 1) / 2 * 4
    case .planar: 0
    @unknown default: 0
    }
  }

  var channels: Int { format == .gray ? 1 : 3 }

  /// The image as the core sees it, with data that is replaced before a call.
  func image(_ data: UnsafeBufferPointer<UInt8>) -> fov_image {
    let none = fov_sample_plane(data: nil, data_bytes: 0, row_bytes: 0, step: 0)
    return fov_image(
      format: format, data: data.baseAddress!, data_bytes: data.count, width: width,
      height: height, row_bytes: rowBytes, chroma_offset: chromaOffset,
      chroma_row_bytes: chromaRowBytes, alpha: alpha, background: background, yuv: yuv,
      planes: (none, none, none), chroma_shifts: (0, 0), sample_bits: 8)
  }

  // MARK: Pixels

  /// Red, green and blue, or gray, by the formulas of the header.
  func pixel(_ x: Int, _ y: Int) -> [UInt8] {
    let row = y * rowBytes
    func byte(_ index: Int) -> UInt8 { bytes[row + index] }
    switch format {
    case .rgb: return [byte(3 * x), byte(3 * x + 1), byte(3 * x + 2)]
    case .bgr: return [byte(3 * x + 2), byte(3 * x + 1), byte(3 * x)]
    case .rgba: return composed([0, 1, 2].map { byte(4 * x + $0) }, byte(4 * x + 3))
    case .bgra: return composed([2, 1, 0].map { byte(4 * x + $0) }, byte(4 * x + 3))
    case .gray: return [byte(x)]
    case .nv12:
      let pair = chromaOffset + y / 2 * chromaRowBytes + x / 2 * 2
      return color(byte(x), bytes[pair], bytes[pair + 1])
    case .yuyv:
      let pair = x / 2 * 4
      return color(byte(pair + x % 2 * 2), byte(pair + 1), byte(pair + 3))
    case .planar: return []
    @unknown default: return []
    }
  }

  private func composed(_ colors: [UInt8], _ opacity: UInt8) -> [UInt8] {
    guard alpha == .straight else { return colors }
    let under = [background.0, background.1, background.2]
    let share = Double(opacity) / 255
    return zip(colors, under).map { color, under in
      UInt8((Double(color) * share + Double(under) * (1 - share)).rounded())
    }
  }

  private func color(_ y: UInt8, _ u: UInt8, _ v: UInt8) -> [UInt8] {
    let isVideo = yuv == .bt601_video || yuv == .bt709_video
    let isBT601 = yuv == .bt601_video || yuv == .bt601_full
    let (kr, kb) = isBT601 ? (0.299, 0.114) : (0.2126, 0.0722)
    let kg = 1 - kr - kb
    let chroma = isVideo ? 255.0 / 224 : 1
    func fixed(_ factor: Double) -> Double { (factor * 65536).rounded() }
    let luma = fixed(isVideo ? 255.0 / 219 : 1) * (Double(y) - (isVideo ? 16 : 0))
    let (u, v) = (Double(u) - 128, Double(v) - 128)
    let sums = [
      luma + fixed(2 * (1 - kr) * chroma) * v,
      luma + fixed(-2 * kb * (1 - kb) / kg * chroma) * u
        + fixed(-2 * kr * (1 - kr) / kg * chroma) * v,
      luma + fixed(2 * (1 - kb) * chroma) * u,
    ]
    return sums.map { UInt8(min(max(($0 / 65536 + 0.5).rounded(.down), 0), 255)) }
  }
}

/// The instruction sets that this processor has.
let availableInstructionSets: [fov_instruction_set] = [
  .scalar, .avx2, .avx_vnni, .avx512, .avx512_vnni, .neon, .dotprod, .i8mm,
].filter(fov_instruction_set_is_available)

let allFormats: [fov_pixel_format] = [.rgb, .bgr, .rgba, .bgra, .gray, .nv12, .yuyv]

/// Samples an image into memory of exactly the size that is needed, with a byte behind it that must
/// stay as it is.
func sample(_ image: ImageBytes, _ sampling: fov_image_sampling) throws -> [UInt8] {
  var output = [UInt8](
    repeating: 0xA5, count: sampling.width * sampling.height * sampling.channels + 1)
  let status = image.bytes.withUnsafeBufferPointer { data in
    var image = image.image(data)
    var sampling = sampling
    return fov_image_sample(&image, &sampling, &output, output.count - 1)
  }
  try #require(status == .ok)
  #expect(output.removeLast() == 0xA5)
  return output
}

/// All of an image in all of the output.
func whole(_ image: ImageBytes, width: Int, height: Int, channels: Int) -> fov_image_sampling {
  image.bytes.withUnsafeBufferPointer { data in
    var image = image.image(data)
    return fov_image_sampling_whole(&image, width, height, channels)
  }
}
