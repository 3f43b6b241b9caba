// Fovea - planes of a video's picture as those that a follower reads.
// SPDX-License-Identifier: Apache-2.0
internal import CFovea
internal import CFoveaFollow
internal import FoveaRuntime

extension FollowedImage {
  /// Lends a picture as decoders of videos leave it. Samples of bytes are read where they lie, and of
  /// words of 16 bits the high byte; shorter words are narrowed to bytes in `memory` first.
  ///
  /// Planes of red, green and blue are followed by green alone.
  ///
  /// - Throws: `.invalidPicture` for planes that end too early.
  static func withPlanes<Result>(
    _ planes: PixelPlanes, narrowedIn memory: inout [UInt8],
    _ body: (FollowedImage) throws(FollowingError) -> Result
  ) throws(FollowingError) -> Result {
    let image = planes.image
    switch image.format {
    case .rgb: return try body(colors(image, pixelBytes: 3, order: [0, 1, 2]))
    case .bgr: return try body(colors(image, pixelBytes: 3, order: [2, 1, 0]))
    case .rgba: return try body(colors(image, pixelBytes: 4, order: [0, 1, 2]))
    case .bgra: return try body(colors(image, pixelBytes: 4, order: [2, 1, 0]))
    case .planar, .gray, .nv12, .yuyv: break
    }
    let samples = SamplePlanes(image.inPlanes)
    guard samples.areWhole else { throw .invalidPicture }
    guard samples.needNarrowing else { return try body(FollowedImage(core: samples.picture)) }
    let count = samples.pixelCount
    if memory.count != count { memory = [UInt8](repeating: 0, count: count) }
    let outcome = memory.withUnsafeMutableBufferPointer { bytes in
      let picture = FollowedImage(core: samples.narrowed(into: bytes))
      do throws(FollowingError) {
        return Swift.Result<Result, FollowingError>.success(try body(picture))
      } catch {
        return .failure(error)
      }
    }
    return try outcome.get()
  }

  private static func colors(
    _ image: fov_image, pixelBytes: Int, order: [UInt8]
  ) throws(FollowingError) -> FollowedImage {
    let plane = Plane(
      width: Int(image.width), height: Int(image.height), rowBytes: image.row_bytes,
      pixelBytes: pixelBytes)
    guard plane.fits(image.data_bytes, used: pixelBytes) else { throw .invalidPicture }
    return FollowedImage(
      core: fov_picture_from_colors(
        image.data, plane.rowBytes, pixelBytes, plane.width, plane.height, order))
  }
}

extension fov_image {
  /// The same picture with luma and color differences as planes, where they lie; colors stay colors.
  /// Planes that begin behind the end have no bytes.
  fileprivate var inPlanes: fov_image {
    func plane(_ offset: Int, _ rowBytes: Int, step: Int) -> fov_sample_plane {
      guard (0...data_bytes).contains(offset) else { return fov_sample_plane() }
      return fov_sample_plane(
        data: data + offset, data_bytes: data_bytes - offset, row_bytes: rowBytes, step: step)
    }
    var image = self
    switch format {
    case .nv12:
      image.planes = (
        plane(0, row_bytes, step: 1), plane(chroma_offset, chroma_row_bytes, step: 2),
        plane(chroma_offset &+ 1, chroma_row_bytes, step: 2)
      )
      image.chroma_shifts = (1, 1)
    case .yuyv:
      image.planes = (
        plane(0, row_bytes, step: 2), plane(1, row_bytes, step: 4), plane(3, row_bytes, step: 4)
      )
      image.chroma_shifts = (1, 0)
    case .gray:
      image.planes = (plane(0, row_bytes, step: 1), fov_sample_plane(), fov_sample_plane())
    case .planar, .rgb, .bgr, .rgba, .bgra: return image
    }
    image.format = .planar
    image.sample_bits = 8
    return image
  }
}

/// Luma and color differences of a picture, as they are stored.
private struct SamplePlanes {
  private let luma: Samples
  private let blue: Samples?
  private let red: Samples?

  init(_ image: fov_image) {
    let bits = Int(image.sample_bits)
    let (width, height) = (Int(image.width), Int(image.height))
    func differences(_ plane: fov_sample_plane) -> Samples {
      let (across, down) = image.chroma_shifts
      return Samples(
        plane, bits, width: (width + (1 << across) - 1) >> across,
        height: (height + (1 << down) - 1) >> down)
    }
    if image.yuv == .rgb {
      luma = Samples(image.planes.1, bits, width: width, height: height)
      (blue, red) = (nil, nil)
    } else {
      luma = Samples(image.planes.0, bits, width: width, height: height)
      let hasColors = image.planes.1.data != nil && image.planes.2.data != nil
      blue = hasColors ? differences(image.planes.1) : nil
      red = hasColors ? differences(image.planes.2) : nil
    }
  }

  var areWhole: Bool { luma.isWhole && blue?.isWhole ?? true && red?.isWhole ?? true }
  var needNarrowing: Bool { luma.needsNarrowing }
  var pixelCount: Int { luma.pixelCount + (blue?.pixelCount ?? 0) + (red?.pixelCount ?? 0) }

  /// The planes where they lie.
  var picture: fov_picture {
    fov_picture(luma: luma.core, blue: blue?.core ?? fov_plane(), red: red?.core ?? fov_plane())
  }

  /// The planes as bytes in `memory`, which has `pixelCount` of them.
  func narrowed(into memory: UnsafeMutableBufferPointer<UInt8>) -> fov_picture {
    var place = memory.baseAddress
    func next(_ samples: Samples?) -> fov_plane {
      guard let samples, let start = place else { return fov_plane() }
      place = start + samples.pixelCount
      return samples.narrowed(into: start)
    }
    return fov_picture(luma: next(luma), blue: next(blue), red: next(red))
  }
}

/// The samples of one component.
private struct Samples {
  private let plane: fov_sample_plane
  private let bits: Int
  private let width, height: Int

  init(_ plane: fov_sample_plane, _ bits: Int, width: Int, height: Int) {
    (self.plane, self.bits) = (plane, bits)
    (self.width, self.height) = (width, height)
  }

  private var sampleBytes: Int { bits > 8 ? 2 : 1 }
  private var layout: FollowedImage.Plane {
    FollowedImage.Plane(
      width: width, height: height, rowBytes: plane.row_bytes, pixelBytes: plane.step)
  }

  var isWhole: Bool {
    plane.data != nil && (8...16).contains(bits) && layout.fits(plane.data_bytes, used: sampleBytes)
  }
  /// Of words of 16 bits the high byte is enough, and it has an address.
  var needsNarrowing: Bool { (9...15).contains(bits) }
  var pixelCount: Int { width * height }

  /// The samples where they lie; words are little-endian.
  var core: fov_plane {
    var core = layout.core
    core.bytes = plane.data.map { bits == 16 ? $0 + 1 : $0 }
    return core
  }

  /// The highest 8 of `bits` bits of each sample, rounded.
  func narrowed(into out: UnsafeMutablePointer<UInt8>) -> fov_plane {
    let shift = UInt16(bits - 8)
    let half = UInt16(1) << (shift - 1)
    if let data = plane.data {
      for row in 0..<height {
        let line = data + row * plane.row_bytes
        for column in 0..<width {
          let sample = line + column * plane.step
          let word = UInt16(sample[0]) | UInt16(sample[1]) << 8
          out[row * width + column] = UInt8(min((word & 0x7FFF &+ half) >> shift, 255))
        }
      }
    }
    var core = FollowedImage.Plane(width: width, height: height, rowBytes: width).core
    core.bytes = UnsafePointer(out)
    return core
  }
}
