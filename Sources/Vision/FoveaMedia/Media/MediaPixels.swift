// Fovea - the samples of FFmpeg's pictures as the core reads them.
// SPDX-License-Identifier: Apache-2.0
#if Video
  internal import CFovea
  internal import CLibAV

  /// How the samples of one kind of FFmpeg's pixels lie.
  ///
  /// FFmpeg describes each component by its plane, the place of its first sample and the distance to
  /// the next. Components of 8 to 16 bits are read where they lie. `MediaUnpacking` unpacks others.
  struct MediaPixels {
    /// What FFmpeg calls the kind.
    let name: String
    /// Whether samples have to be unpacked before they can be read.
    let needsUnpacking: Bool
    /// Whether full range follows from the kind, as for JPEG.
    private let isFullRange: Bool
    private let packed: fov_pixel_format?
    let descriptor: UnsafePointer<AVPixFmtDescriptor>

    /// - Returns: `nil` for a kind whose samples are not in memory, or no whole numbers, or which
    ///   FFmpeg 5 describes wrongly.
    init?(_ format: Int32, _ library: fov_libav_functions) {
      guard let descriptor = library.av_pix_fmt_desc_get(AVPixelFormat(format)) else { return nil }
      self.descriptor = descriptor
      name = String(cString: descriptor.pointee.name)
      let refused = Self.hardware | Self.floats | Self.raw
      guard descriptor.pointee.flags & refused == 0, descriptor.pointee.nb_components > 0,
        !name.hasPrefix("xyz"), !Self.misdescribed.contains(name)
      else { return nil }
      isFullRange = name.hasPrefix("yuvj")
      packed =
        switch name {
        case "rgb24": .rgb
        case "bgr24": .bgr
        case "rgba", "rgb0": .rgba
        case "bgra", "bgr0": .bgra
        default: nil
        }
      needsUnpacking = !Self.areReadable(descriptor.pointee)
    }

    /// Green and blue of rgb8, and luma of uyyvyy411, lie elsewhere than FFmpeg 5 says.
    private static let misdescribed = ["rgb8", "uyyvyy411"]
    private static let bigEndian = UInt64(AV_PIX_FMT_FLAG_BE)
    private static let palette = UInt64(AV_PIX_FMT_FLAG_PAL)
    private static let bits = UInt64(AV_PIX_FMT_FLAG_BITSTREAM)
    private static let hardware = UInt64(AV_PIX_FMT_FLAG_HWACCEL)
    private static let raw = UInt64(AV_PIX_FMT_FLAG_BAYER)
    private static let floats = UInt64(AV_PIX_FMT_FLAG_FLOAT)
    private static let colors = UInt64(AV_PIX_FMT_FLAG_RGB)

    /// Whether the components are red, green and blue.
    var isColor: Bool { descriptor.pointee.flags & (Self.colors | Self.palette) != 0 }

    /// How many components are colors, or luma and chroma: 3, or 1 of a gray picture.
    var componentCount: Int { descriptor.pointee.nb_components >= 3 || isColor ? 3 : 1 }

    private static func areReadable(_ kind: AVPixFmtDescriptor) -> Bool {
      guard kind.flags & (bigEndian | palette | bits) == 0, kind.log2_chroma_w <= 2,
        kind.log2_chroma_h <= 2
      else { return false }
      let first = kind.comp.0
      let count = kind.nb_components >= 3 ? 3 : 1
      let components = [kind.comp.0, kind.comp.1, kind.comp.2].prefix(count)
      return components.allSatisfy { component in
        let all = component.depth + component.shift
        let bytes: Int32 = all > 8 ? 2 : 1
        return component.depth == first.depth && component.shift == first.shift
          && (8...16).contains(all) && (all == 8 || all > 8) && component.depth >= 8
          && (bytes...8).contains(component.step)
      }
    }

    /// The samples of a picture, and whether its rows begin at the bottom.
    func image(of frame: UnsafePointer<AVFrame>) -> (image: fov_image, isBottomUp: Bool)? {
      let (width, height) = (Int(frame.pointee.width), Int(frame.pointee.height))
      // Rows from the bottom: read from the last row on.
      let isBottomUp = frame.pointee.linesize.0 < 0
      if let packed {
        guard let first = Self.start(frame, plane: 0, rows: height, isBottomUp) else { return nil }
        var image = Self.blank(packed, width, height, data: first.data)
        image.row_bytes = first.rowBytes
        let pixelBytes = packed == .rgb || packed == .bgr ? 3 : 4
        image.data_bytes = (height - 1) * image.row_bytes + width * pixelBytes
        return (image, isBottomUp)
      }
      guard let first = plane(0, of: frame, width, height, isBottomUp), let data = first.data
      else { return nil }
      var image = Self.blank(.planar, width, height, data: data)
      image.planes.0 = first
      if componentCount == 3 {
        guard let second = plane(1, of: frame, width, height, isBottomUp),
          let third = plane(2, of: frame, width, height, isBottomUp)
        else { return nil }
        (image.planes.1, image.planes.2) = (second, third)
      }
      let kind = descriptor.pointee
      image.chroma_shifts = isColor ? (0, 0) : (kind.log2_chroma_w, kind.log2_chroma_h)
      image.sample_bits = UInt8(kind.comp.0.depth + kind.comp.0.shift)
      image.yuv = encoding(of: frame.pointee)
      return (image, isBottomUp)
    }

    // Nothing is allocated for a picture, hence no arrays here.

    /// The samples of one component; `nil` where the picture lacks them.
    private func plane(
      _ index: Int, of frame: UnsafePointer<AVFrame>, _ width: Int, _ height: Int,
      _ isBottomUp: Bool
    ) -> fov_sample_plane? {
      let kind = descriptor.pointee
      let component = index == 0 ? kind.comp.0 : index == 1 ? kind.comp.1 : kind.comp.2
      let isChroma = index > 0 && !isColor
      let columns = isChroma ? Self.shifted(width, kind.log2_chroma_w) : width
      let rows = isChroma ? Self.shifted(height, kind.log2_chroma_h) : height
      guard
        let start = Self.start(frame, plane: Int(component.plane), rows: rows, isBottomUp)
      else { return nil }
      let bytes = component.depth + component.shift > 8 ? 2 : 1
      let length = (columns - 1) * Int(component.step) + bytes
      guard Int(component.offset) + length <= start.rowBytes else { return nil }
      return fov_sample_plane(
        data: start.data + Int(component.offset),
        data_bytes: (rows - 1) * start.rowBytes + length, row_bytes: start.rowBytes,
        step: Int(component.step))
    }

    /// Where a plane of FFmpeg's begins in memory, and the distance of its rows.
    private static func start(
      _ frame: UnsafePointer<AVFrame>, plane: Int, rows: Int, _ isBottomUp: Bool
    ) -> (data: UnsafePointer<UInt8>, rowBytes: Int)? {
      let (data, lines) = (frame.pointee.data, frame.pointee.linesize)
      let (first, line): (UnsafeMutablePointer<UInt8>?, Int32) =
        switch plane {
        case 0: (data.0, lines.0)
        case 1: (data.1, lines.1)
        case 2: (data.2, lines.2)
        default: (data.3, lines.3)
        }
      guard let first, (line < 0) == isBottomUp else { return nil }
      let start = isBottomUp ? first + (rows - 1) * Int(line) : first
      return (UnsafePointer(start), Int(line.magnitude))
    }

    /// How luma and chroma become colors. What is unspecified counts as BT.601 of limited range, and
    /// gray as of full range: it mostly comes from files of pictures.
    func encoding(of frame: AVFrame) -> fov_yuv_encoding {
      if isColor { return .rgb }
      let isFull =
        isFullRange || frame.color_range == AVCOL_RANGE_JPEG
        || componentCount == 1 && frame.color_range == AVCOL_RANGE_UNSPECIFIED
      switch frame.colorspace {
      case AVCOL_SPC_BT709: return isFull ? .bt709_full : .bt709_video
      case AVCOL_SPC_BT2020_NCL, AVCOL_SPC_BT2020_CL: return isFull ? .bt2020_full : .bt2020_video
      default: return isFull ? .bt601_full : .bt601_video
      }
    }

    static var noPlane: fov_sample_plane {
      fov_sample_plane(data: nil, data_bytes: 0, row_bytes: 0, step: 0)
    }

    /// An image whose planes are yet to be named.
    static func blank(
      _ format: fov_pixel_format, _ width: Int, _ height: Int, data: UnsafePointer<UInt8>
    ) -> fov_image {
      fov_image(
        format: format, data: data, data_bytes: 0, width: width, height: height, row_bytes: 0,
        chroma_offset: 0, chroma_row_bytes: 0, alpha: .ignored, background: (0, 0, 0),
        yuv: .bt601_video, planes: (noPlane, noPlane, noPlane), chroma_shifts: (0, 0),
        sample_bits: 8)
    }

    static func shifted(_ side: Int, _ shift: UInt8) -> Int { (side + (1 << shift) - 1) >> shift }
  }
#endif
