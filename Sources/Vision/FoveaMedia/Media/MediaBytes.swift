// Fovea - bytes of files and pipes for FFmpeg's libraries.
// SPDX-License-Identifier: Apache-2.0
#if Video
  internal import CLibAV
  internal import FoveaLibc

  /// Bytes for libavformat. It reads regular files itself; for those of pipes, its own reader would
  /// wait for ever.
  final class MediaBytes {
    let context: UnsafeMutablePointer<AVIOContext>
    /// What a pipe gives; `nil` for a regular file.
    private let pipe: ByteSource?
    /// What the callback of a regular file's context points to.
    private let reading: ReadingGuard
    private let library: fov_libav_functions
    /// Why reading of a pipe ended before the end.
    private(set) var failure: VideoError?

    private static let bufferBytes = 1 << 15

    /// Whether a pipe is read.
    var isPipe: Bool { pipe != nil }

    /// Opens standard input, a pipe, a device or a regular file.
    ///
    /// - Returns: `nil` for what libavformat opens itself.
    static func open(
      _ source: VideoSource, _ options: VideoOptions, _ library: fov_libav_functions
    ) throws(VideoError) -> MediaBytes? {
      switch source {
      case .standardInput:
        try MediaBytes(pipe: dup(STDIN_FILENO), source, options, library)
      case .file(let path) where FileLook.isRegular(path) == true:
        try MediaBytes(file: source, options, library)
      case .file(let path):
        // A pipe that nobody writes yet would keep its opener waiting.
        try MediaBytes(
          pipe: FoveaLibc.open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC), source, options, library)
      case .pictures, .network, .camera: nil
      }
    }

    private init(
      file source: VideoSource, _ options: VideoOptions, _ library: fov_libav_functions
    ) throws(VideoError) {
      self.library = library
      reading = options.reading
      pipe = nil
      var callback = reading.callback
      var made: UnsafeMutablePointer<AVIOContext>?
      let status = library.avio_open2(
        &made, MediaOptions.address(of: source), AVIO_FLAG_READ, &callback, nil)
      guard status >= 0, let made else {
        throw VideoError(.unreadable(library.words(status)), source: source.name)
      }
      context = made
    }

    private init(
      pipe descriptor: Int32, _ source: VideoSource, _ options: VideoOptions,
      _ library: fov_libav_functions
    ) throws(VideoError) {
      guard descriptor >= 0 else {
        throw VideoError(.unreadable(String(cString: strerror(errno))), source: source.name)
      }
      self.library = library
      reading = options.reading
      pipe = ByteSource(descriptor, options, source: source.name)
      guard let buffer = library.av_malloc(Self.bufferBytes) else {
        throw VideoError(.outOfMemory, source: source.name)
      }
      let made = library.avio_alloc_context(
        buffer.assumingMemoryBound(to: UInt8.self), Int32(Self.bufferBytes), 0, nil,
        { target, memory, count in
          guard let target, let memory else { return fov_libav_end }
          return Unmanaged<MediaBytes>.fromOpaque(target).takeUnretainedValue()
            .read(memory, Int(count))
        }, nil, nil)
      guard let made else {
        library.av_free(buffer)
        throw VideoError(.outOfMemory, source: source.name)
      }
      context = made
      made.pointee.opaque = Unmanaged.passUnretained(self).toOpaque()
    }

    deinit {
      var context: UnsafeMutablePointer<AVIOContext>? = context
      guard isPipe else {
        _ = library.avio_closep(&context)
        return
      }
      // libavformat may have taken another buffer.
      library.av_free(context?.pointee.buffer)
      library.avio_context_free(&context)
    }

    private func read(_ memory: UnsafeMutablePointer<UInt8>, _ count: Int) -> Int32 {
      guard let pipe else { return fov_libav_end }
      do throws(VideoError) {
        let got = try pipe.read(into: UnsafeMutableRawBufferPointer(start: memory, count: count))
        return got > 0 ? Int32(got) : fov_libav_end
      } catch {
        failure = error
        return fov_libav_interrupted
      }
    }
  }

  extension ReadingGuard {
    /// What libavformat asks whether it has to end; the guard is to live as long.
    var callback: AVIOInterruptCB {
      AVIOInterruptCB(
        callback: {
          Unmanaged<ReadingGuard>.fromOpaque($0!).takeUnretainedValue().mustEnd ? 1 : 0
        }, opaque: Unmanaged.passUnretained(self).toOpaque())
    }
  }
#endif
