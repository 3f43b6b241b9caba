// Fovea - memory of decoded pictures, used again.
// SPDX-License-Identifier: Apache-2.0
#if Video
  internal import CLibAV

  /// One decoded picture of FFmpeg's.
  final class MediaMemory: @unchecked Sendable {  // written only while nobody else refers to it
    let pointer: UnsafeMutablePointer<AVFrame>
    var unpacked: UnpackedSamples?
    private let library: fov_libav_functions

    init?(_ library: fov_libav_functions) {
      guard let pointer = library.av_frame_alloc() else { return nil }
      self.pointer = pointer
      self.library = library
    }

    deinit {
      var pointer: UnsafeMutablePointer<AVFrame>? = pointer
      library.av_frame_free(&pointer)
    }
  }

  /// The pictures that a decoder writes, in turn. There are as many as are held at one time.
  struct ImageMemory {
    private var all: [MediaMemory] = []

    /// A picture that nobody holds.
    mutating func unused(_ library: fov_libav_functions) -> MediaMemory? {
      for index in all.indices where isKnownUniquelyReferenced(&all[index]) { return all[index] }
      guard let new = MediaMemory(library) else { return nil }
      all.append(new)
      return new
    }
  }
#endif
