// Fovea - pipes, read for FFmpeg's libraries.
// SPDX-License-Identifier: Apache-2.0
#if Video
  internal import CLibAV
  internal import FoveaLibc

  /// Bytes of a pipe for libavformat, whose own reader would wait for them for ever.
  final class MediaBytes {
    let context: UnsafeMutablePointer<AVIOContext>
    private let bytes: ByteSource
    private let library: fov_libav_functions
    /// Why reading ended before the end.
    private(set) var failure: VideoError?

    private static let bufferBytes = 1 << 15

    /// Opens standard input or a file that is a pipe or a device.
    ///
    /// - Returns: `nil` for what libavformat opens itself.
    static func pipe(
      of source: VideoSource, _ options: VideoOptions, _ library: fov_libav_functions
    ) throws(VideoError) -> MediaBytes? {
      let descriptor: Int32
      switch source {
      case .standardInput: descriptor = dup(STDIN_FILENO)
      case .file(let path):
        if FileLook.isRegular(path) == true { return nil }
        // A pipe that nobody writes yet would keep its opener waiting.
        descriptor = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
      default: return nil
      }
      guard descriptor >= 0 else {
        throw VideoError(.unreadable(String(cString: strerror(errno))), source: source.name)
      }
      let bytes = ByteSource(descriptor, options, source: source.name)
      guard let made = MediaBytes(bytes, library) else {
        throw VideoError(.outOfMemory, source: source.name)
      }
      return made
    }

    private init?(_ bytes: ByteSource, _ library: fov_libav_functions) {
      self.bytes = bytes
      self.library = library
      guard let buffer = library.av_malloc(Self.bufferBytes) else { return nil }
      let made = library.avio_alloc_context(
        buffer.assumingMemoryBound(to: UInt8.self), Int32(Self.bufferBytes), 0, nil,
        { target, memory, count in
          guard let target, let memory else { return fov_libav_end }
          return Unmanaged<MediaBytes>.fromOpaque(target).takeUnretainedValue()
            .read(memory, Int(count))
        }, nil, nil)
      guard let made else {
        library.av_free(buffer)
        return nil
      }
      context = made
      made.pointee.opaque = Unmanaged.passUnretained(self).toOpaque()
    }

    deinit {
      // libavformat may have taken another buffer.
      library.av_free(context.pointee.buffer)
      var context: UnsafeMutablePointer<AVIOContext>? = context
      library.avio_context_free(&context)
    }

    private func read(_ memory: UnsafeMutablePointer<UInt8>, _ count: Int) -> Int32 {
      do throws(VideoError) {
        let got = try bytes.read(into: UnsafeMutableRawBufferPointer(start: memory, count: count))
        return got > 0 ? Int32(got) : fov_libav_end
      } catch {
        failure = error
        return fov_libav_interrupted
      }
    }
  }
#endif
