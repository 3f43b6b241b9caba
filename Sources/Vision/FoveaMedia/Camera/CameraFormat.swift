// Fovea - kinds of pixels that cameras give.
// SPDX-License-Identifier: Apache-2.0
#if os(Linux)
  internal import CFovea
  internal import CVideoDevice

  /// A kind of pixels that cameras give, by the four letters of the kernel's interface.
  enum CameraFormat: String, CaseIterable {
    case yuyv = "YUYV"
    case uyvy = "UYVY"
    case yvyu = "YVYU"
    case nv12 = "NV12"
    case nv21 = "NV21"
    case yu12 = "YU12"
    case yv12 = "YV12"
    case gray = "GREY"
    case rgb = "RGB3"
    case bgr = "BGR3"
    case motionJPEG = "MJPG"
    case jpeg = "JPEG"

    /// The letters as a number.
    var code: UInt32 {
      rawValue.utf8.enumerated().reduce(0) { $0 | UInt32($1.element) << UInt32(8 * $1.offset) }
    }

    init?(code: UInt32) {
      guard let format = Self.allCases.first(where: { $0.code == code }) else { return nil }
      self = format
    }

    /// Whether a picture is a JPEG.
    var isCompressed: Bool { self == .motionJPEG || self == .jpeg }

    /// Where the samples of a picture lie: offset, rows, bytes of a row, bytes from sample to
    /// sample, for each plane. `rowBytes` is what the driver says of the first.
    func planes(
      width: Int, height: Int, rowBytes: Int
    ) -> [(offset: Int, columns: Int, rows: Int, rowBytes: Int, step: Int)] {
      let (pairs, halfRows) = ((width + 1) / 2, (height + 1) / 2)
      let luma = rowBytes * height
      switch self {
      case .yuyv, .uyvy, .yvyu:
        let (y, u, v) = self == .yuyv ? (0, 1, 3) : self == .uyvy ? (1, 0, 2) : (0, 3, 1)
        return [
          (y, width, height, rowBytes, 2), (u, pairs, height, rowBytes, 4),
          (v, pairs, height, rowBytes, 4),
        ]
      case .nv12, .nv21:
        let (u, v) = self == .nv12 ? (luma, luma + 1) : (luma + 1, luma)
        return [
          (0, width, height, rowBytes, 1), (u, pairs, halfRows, rowBytes, 2),
          (v, pairs, halfRows, rowBytes, 2),
        ]
      case .yu12, .yv12:
        let second = luma + rowBytes / 2 * halfRows
        let (u, v) = self == .yu12 ? (luma, second) : (second, luma)
        return [
          (0, width, height, rowBytes, 1), (u, pairs, halfRows, rowBytes / 2, 1),
          (v, pairs, halfRows, rowBytes / 2, 1),
        ]
      case .gray: return [(0, width, height, rowBytes, 1)]
      case .rgb, .bgr:
        let (red, blue) = self == .rgb ? (0, 2) : (2, 0)
        return [
          (red, width, height, rowBytes, 3), (1, width, height, rowBytes, 3),
          (blue, width, height, rowBytes, 3),
        ]
      case .motionJPEG, .jpeg: return []
      }
    }

    /// The least bytes of a row of the first plane.
    func leastRowBytes(width: Int) -> Int {
      switch self {
      case .yuyv, .uyvy, .yvyu: 4 * ((width + 1) / 2)
      case .nv12, .nv21, .yu12, .yv12: 2 * ((width + 1) / 2)
      case .gray: width
      case .rgb, .bgr: 3 * width
      case .motionJPEG, .jpeg: 0
      }
    }

    /// How chroma is sampled: the shifts of columns and of rows.
    var chromaShifts: (UInt8, UInt8) {
      switch self {
      case .yuyv, .uyvy, .yvyu: (1, 0)
      case .nv12, .nv21, .yu12, .yv12: (1, 1)
      default: (0, 0)
      }
    }
  }

  /// What a camera agreed to give.
  struct CameraImage {
    var format: CameraFormat
    var width: Int
    var height: Int
    var rowBytes: Int
    var encoding: fov_yuv_encoding

    /// The picture that an answer of the driver describes; `nil` for one that cannot be.
    init?(_ answer: v4l2_pix_format, maximumPixels: Int) {
      guard let format = CameraFormat(code: answer.pixelformat) else { return nil }
      let (width, height) = (Int(answer.width), Int(answer.height))
      guard width > 0, height > 0, width <= maximumPixels / height else { return nil }
      let least = format.leastRowBytes(width: width)
      // Some drivers leave the distance of rows out.
      let rowBytes = answer.bytesperline == 0 ? least : Int(answer.bytesperline)
      guard rowBytes >= least, rowBytes <= 1 << 24 else { return nil }
      (self.format, self.width, self.height, self.rowBytes) = (format, width, height, rowBytes)
      let isFull = answer.quantization == fov_camera_full_range
      let code = answer.ycbcr_enc
      if format == .rgb || format == .bgr {
        encoding = .rgb
      } else if code == fov_camera_bt2020 {
        encoding = isFull ? .bt2020_full : .bt2020_video
      } else if code == fov_camera_bt709 || code == 0 && answer.colorspace == fov_camera_rec709 {
        encoding = isFull ? .bt709_full : .bt709_video
      } else {
        encoding = isFull || format == .gray ? .bt601_full : .bt601_video
      }
    }

    /// The samples in `count` bytes; `nil` where the picture does not fit.
    func image(_ data: UnsafePointer<UInt8>, count: Int) -> fov_image? {
      var planes = [fov_sample_plane](
        repeating: fov_sample_plane(data: nil, data_bytes: 0, row_bytes: 0, step: 1), count: 3)
      let parts = format.planes(width: width, height: height, rowBytes: rowBytes)
      for (index, part) in parts.enumerated() {
        let bytes = (part.rows - 1) * part.rowBytes + (part.columns - 1) * part.step + 1
        guard part.offset + bytes <= count else { return nil }
        planes[index] = fov_sample_plane(
          data: data + part.offset, data_bytes: bytes, row_bytes: part.rowBytes, step: part.step)
      }
      return fov_image(
        format: .planar, data: data, data_bytes: count, width: width, height: height,
        row_bytes: rowBytes, chroma_offset: 0, chroma_row_bytes: 0, alpha: .ignored,
        background: (0, 0, 0), yuv: encoding, planes: (planes[0], planes[1], planes[2]),
        chroma_shifts: format.chromaShifts, sample_bits: 8)
    }
  }
#endif
