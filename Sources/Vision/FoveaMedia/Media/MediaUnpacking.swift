// Fovea - rare kinds of pixels, unpacked to samples of 8 bits.
// SPDX-License-Identifier: Apache-2.0
#if Video
  internal import CFovea
  internal import CLibAV

  /// Memory for the samples of a picture whose components are palette indices, parts of words, bits
  /// or big-endian.
  final class UnpackedSamples {
    private(set) var bytes: UnsafeMutablePointer<UInt8>
    private(set) var capacity: Int

    init(capacity: Int) {
      self.capacity = capacity
      bytes = .allocate(capacity: max(capacity, 1))
    }

    deinit { bytes.deallocate() }

    func reserve(_ count: Int) {
      guard count > capacity else { return }
      bytes.deallocate()
      bytes = .allocate(capacity: count)
      capacity = count
    }
  }

  extension MediaPixels {
    /// Unpacks the samples of a picture; components keep their sampling and range.
    func unpack(
      _ frame: UnsafePointer<AVFrame>, into samples: UnpackedSamples,
      _ library: fov_libav_functions
    ) -> fov_image {
      let (width, height) = (Int(frame.pointee.width), Int(frame.pointee.height))
      let kind = descriptor.pointee
      let sides = (0..<componentCount).map { index in
        let isChroma = index > 0 && !isColor
        return (
          width: isChroma ? Self.shifted(width, kind.log2_chroma_w) : width,
          height: isChroma ? Self.shifted(height, kind.log2_chroma_h) : height
        )
      }
      samples.reserve(sides.reduce(0) { $0 + $1.width * $1.height })
      var planes = [fov_sample_plane](repeating: Self.noPlane, count: 3)
      var place = samples.bytes
      for (index, side) in sides.enumerated() {
        if kind.flags & UInt64(AV_PIX_FMT_FLAG_PAL) != 0 {
          unpackPalette(frame, component: index, place)
        } else {
          unpack(frame, component: index, width: side.width, height: side.height, place, library)
        }
        planes[index] = fov_sample_plane(
          data: place, data_bytes: side.width * side.height, row_bytes: side.width, step: 1)
        place += side.width * side.height
      }
      var image = Self.blank(.planar, width, height, data: samples.bytes)
      image.planes = (planes[0], planes[1], planes[2])
      // Finer sampling than 1 of 4 is all that the core reads.
      image.chroma_shifts =
        isColor ? (0, 0) : (min(kind.log2_chroma_w, 2), min(kind.log2_chroma_h, 2))
      image.yuv = encoding(of: frame.pointee)
      return image
    }

    private func unpack(
      _ frame: UnsafePointer<AVFrame>, component: Int, width: Int, height: Int,
      _ out: UnsafeMutablePointer<UInt8>, _ library: fov_libav_functions
    ) {
      let depth = Self.depth(descriptor.pointee, component)
      let most = (1 << depth) - 1
      let isLimited = Self.limited.contains(encoding(of: frame.pointee))
      // A bit that is set is black.
      let isNegative = name == "monow"
      withUnsafeTemporaryAllocation(of: UInt16.self, capacity: width) { line in
        withUnsafeTemporaryAllocation(of: UnsafePointer<UInt8>?.self, capacity: 4) { data in
          let starts = frame.pointee.data
          (data[0], data[1]) = (UnsafePointer(starts.0), UnsafePointer(starts.1))
          (data[2], data[3]) = (UnsafePointer(starts.2), UnsafePointer(starts.3))
          let strides = frame.pointee.linesize
          let lines = [strides.0, strides.1, strides.2, strides.3]
          for row in 0..<height {
            library.av_read_image_line2(
              line.baseAddress!, data.baseAddress!, lines, descriptor, 0, Int32(row),
              Int32(component), Int32(width), 0, 2)
            for column in 0..<width {
              let value = min(Int(line[column]), most)
              // In limited range further bits are fractions of levels; else all values are spread.
              let byte =
                depth > 8 && isLimited
                ? min((value + (1 << (depth - 9))) >> (depth - 8), 255)
                : (value * 255 + most / 2) / most
              out[row * width + column] = UInt8(isNegative ? 255 - byte : byte)
            }
          }
        }
      }
    }

    /// Looks up the color of each pixel: words of alpha, red, green and blue in the second plane.
    private func unpackPalette(
      _ frame: UnsafePointer<AVFrame>, component: Int, _ out: UnsafeMutablePointer<UInt8>
    ) {
      let (width, height) = (Int(frame.pointee.width), Int(frame.pointee.height))
      guard let indices = frame.pointee.data.0, let words = frame.pointee.data.1 else { return }
      let palette = UnsafeRawPointer(words)
      let shift = UInt32(16 - 8 * component)
      for row in 0..<height {
        let line = indices + row * Int(frame.pointee.linesize.0)
        for column in 0..<width {
          let word = palette.load(fromByteOffset: 4 * Int(line[column]), as: UInt32.self)
          out[row * width + column] = UInt8(truncatingIfNeeded: word >> shift)
        }
      }
    }

    private static let limited: [fov_yuv_encoding] = [.bt601_video, .bt709_video, .bt2020_video]

    private static func depth(_ kind: AVPixFmtDescriptor, _ component: Int) -> Int {
      let components = [kind.comp.0, kind.comp.1, kind.comp.2, kind.comp.3]
      return Int(min(max(components[component].depth, 1), 16))
    }
  }
#endif
