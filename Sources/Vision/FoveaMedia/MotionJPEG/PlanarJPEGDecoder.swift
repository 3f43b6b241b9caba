// Fovea - pictures of a Motion JPEG as planes of samples, by libjpeg-turbo.
// SPDX-License-Identifier: Apache-2.0
#if JPEG
  internal import CFovea
  internal import CTurboJPEG

  /// Memory for the planes of one picture.
  final class PlaneMemory: @unchecked Sendable {  // written only while nobody else refers to it
    private(set) var bytes: UnsafeMutablePointer<UInt8>
    private var capacity: Int

    init(capacity: Int) {
      self.capacity = max(capacity, 1)
      bytes = .allocate(capacity: self.capacity)
    }

    deinit { bytes.deallocate() }

    /// Makes room for so many bytes; what was there is lost.
    func reserve(_ count: Int) {
      guard count > capacity else { return }
      bytes.deallocate()
      bytes = .allocate(capacity: count)
      capacity = count
    }
  }

  /// Decodes JPEG pictures to the planes that they store, without making colors of them. Huffman
  /// tables that a camera leaves out are the standard ones.
  final class PlanarJPEGDecoder {
    private let handle: tjhandle
    private let maximumPixels: Int
    private var memories: [PlaneMemory] = []

    init?(maximumPixels: Int) {
      guard let handle = tjInitDecompress() else { return nil }
      self.handle = handle
      self.maximumPixels = maximumPixels
    }

    deinit { tjDestroy(handle) }

    /// What became of a picture.
    enum Outcome {
      case frame(VideoFrame)
      /// It cannot be decoded.
      case broken
      /// It has more pixels than allowed.
      case tooLarge
    }

    /// Decodes one picture. What is damaged in its samples is filled in and marked.
    func decode(_ jpeg: UnsafeBufferPointer<UInt8>) -> Outcome {
      var (width, height, sampling, colors) = (Int32(0), Int32(0), Int32(-1), Int32(-1))
      let status = tjDecompressHeader3(
        handle, jpeg.baseAddress, UInt(jpeg.count), &width, &height, &sampling, &colors)
      guard status == 0 || isWarning, width > 0, height > 0,
        let shifts = Self.shifts(sampling), Self.areReadable(colors),
        // Nobody samples red, green and blue differently; the readers of planes do not expect it.
        shifts == (0, 0) || colors != Int32(TJCS_RGB.rawValue)
      else { return .broken }
      guard Int(width) <= maximumPixels / Int(height) else { return .tooLarge }
      let memory = unusedMemory()
      let image = layOut(Int(width), Int(height), sampling, shifts, colors, memory)
      var planes = [image.planes.0, image.planes.1, image.planes.2].map {
        UnsafeMutablePointer(mutating: $0.data)
      }
      var strides = [image.planes.0, image.planes.1, image.planes.2].map { Int32($0.row_bytes) }
      let decoded = tjDecompressToYUVPlanes(
        handle, jpeg.baseAddress, UInt(jpeg.count), &planes, width, &strides, height,
        TJFLAG_LIMITSCANS)
      guard decoded == 0 || isWarning else { return .broken }
      var frame = VideoFrame(memory: memory, image: image)
      frame.isKey = true
      frame.isDamaged = decoded != 0
      frame.pixelName = "jpeg"
      return .frame(frame)
    }

    /// Whether the last failure left a picture, whole or with gray parts.
    private var isWarning: Bool { tjGetErrorCode(handle) == Int32(TJERR_WARNING.rawValue) }

    private static func areReadable(_ colors: Int32) -> Bool {
      [TJCS_YCbCr, TJCS_GRAY, TJCS_RGB].contains { Int32($0.rawValue) == colors }
    }

    /// How chroma is sampled: the shifts of columns and of rows.
    private static func shifts(_ sampling: Int32) -> (UInt8, UInt8)? {
      switch UInt32(bitPattern: sampling) {
      case TJSAMP_444.rawValue, TJSAMP_GRAY.rawValue: (0, 0)
      case TJSAMP_422.rawValue: (1, 0)
      case TJSAMP_420.rawValue: (1, 1)
      case TJSAMP_440.rawValue: (0, 1)
      case TJSAMP_411.rawValue: (2, 0)
      default: nil
      }
    }

    private func unusedMemory() -> PlaneMemory {
      for index in memories.indices where isKnownUniquelyReferenced(&memories[index]) {
        return memories[index]
      }
      memories.append(PlaneMemory(capacity: 0))
      return memories[memories.count - 1]
    }

    /// The planes in `memory`, as large as the decoder wants them.
    private func layOut(
      _ width: Int, _ height: Int, _ sampling: Int32, _ shifts: (UInt8, UInt8), _ colors: Int32,
      _ memory: PlaneMemory
    ) -> fov_image {
      let isGray = UInt32(bitPattern: sampling) == TJSAMP_GRAY.rawValue
      let sides = (0..<(isGray ? 1 : 3)).map { plane in
        (
          width: Int(tjPlaneWidth(Int32(plane), Int32(width), sampling)),
          height: Int(tjPlaneHeight(Int32(plane), Int32(height), sampling))
        )
      }
      memory.reserve(sides.reduce(0) { $0 + $1.width * $1.height })
      var planes = [fov_sample_plane](
        repeating: fov_sample_plane(data: nil, data_bytes: 0, row_bytes: 0, step: 1), count: 3)
      var place = memory.bytes
      for (index, side) in sides.enumerated() {
        planes[index] = fov_sample_plane(
          data: place, data_bytes: side.width * side.height, row_bytes: side.width, step: 1)
        place += side.width * side.height
      }
      return fov_image(
        format: .planar, data: memory.bytes, data_bytes: 0, width: width, height: height,
        row_bytes: 0, chroma_offset: 0, chroma_row_bytes: 0, alpha: .ignored,
        background: (0, 0, 0),
        yuv: colors == Int32(TJCS_RGB.rawValue) ? .rgb : .bt601_full,
        planes: (planes[0], planes[1], planes[2]), chroma_shifts: shifts, sample_bits: 8)
    }
  }
#endif
