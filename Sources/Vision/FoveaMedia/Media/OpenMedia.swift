// Fovea - an open file or stream of FFmpeg's.
// SPDX-License-Identifier: Apache-2.0
#if Video
  internal import CLibAV

  /// A file or stream that libavformat has opened and looked into.
  final class OpenMedia {
    let context: UnsafeMutablePointer<AVFormatContext>
    private let opening: MediaOpening

    /// - Throws: Any reason but those of streams and codecs.
    init(
      _ source: VideoSource, _ options: VideoOptions, _ library: fov_libav_functions
    ) throws(VideoError) {
      opening = try MediaOpening(source, options, library)
      context = try opening.open()
      let status = library.avformat_find_stream_info(context, nil)
      guard status >= 0 else { throw opening.failure(status) }
    }

    deinit {
      var context: UnsafeMutablePointer<AVFormatContext>? = context
      opening.library.avformat_close_input(&context)
    }

    var source: VideoSource { opening.source }

    /// Whether a pipe is read.
    var isPipe: Bool { opening.bytes?.isPipe == true }

    /// Why the pipe that is read has failed.
    var failure: VideoError? { opening.bytes?.failure }

    /// Why reading must end now, if it must.
    var interruption: VideoError? {
      opening.options.reading.mustEnd ? opening.failure(fov_libav_interrupted) : nil
    }
  }

  /// How a source is opened.
  private struct MediaOpening {
    let source: VideoSource
    let options: VideoOptions
    let library: fov_libav_functions
    /// What libavformat reads, where it is no address.
    let bytes: MediaBytes?

    init(
      _ source: VideoSource, _ options: VideoOptions, _ library: fov_libav_functions
    ) throws(VideoError) {
      (self.source, self.options, self.library) = (source, options, library)
      if case .file(let path) = source { try FileLook.check(path) }
      bytes = try MediaBytes.open(source, options, library)
    }

    func open() throws(VideoError) -> UnsafeMutablePointer<AVFormatContext> {
      let kind = try format()
      guard let made = library.avformat_alloc_context() else {
        throw VideoError(.outOfMemory, source: source.name)
      }
      made.pointee.interrupt_callback = options.reading.callback
      if let bytes {
        made.pointee.pb = bytes.context
        made.pointee.flags |= AVFMT_FLAG_CUSTOM_IO
      }
      var words: OpaquePointer?
      for (key, value) in MediaOptions.dictionary(for: source, options) {
        _ = library.av_dict_set(&words, key, value, 0)
      }
      defer { library.av_dict_free(&words) }
      // On failure the context is freed.
      var context: UnsafeMutablePointer<AVFormatContext>? = made
      let address = MediaOptions.address(of: source)
      let status = library.avformat_open_input(&context, address, kind, &words)
      guard status >= 0, let opened = context else { throw failure(status) }
      return opened
    }

    /// The format, where it is known before a demuxer sees the source. A file that names other
    /// files is refused before any of them is opened.
    private func format() throws(VideoError) -> UnsafePointer<AVInputFormat>? {
      if let name = MediaOptions.format(of: source) { return library.av_find_input_format(name) }
      guard let bytes else { return nil }
      var format: UnsafePointer<AVInputFormat>?
      let address = MediaOptions.address(of: source)
      let status = library.av_probe_input_buffer(bytes.context, &format, address, nil, 0, 0)
      guard status >= 0, let format else { throw failure(status) }
      if ["concat", "dash", "hls", "imf"].contains(String(cString: format.pointee.name)) {
        throw VideoError(.notAVideo("it names other files", isText: false), source: source.name)
      }
      return format
    }

    func failure(_ status: Int32) -> VideoError {
      if let failure = bytes?.failure { return failure }
      let name = source.name
      if options.reading.isCancelled { return VideoError(.cancelled, source: name) }
      let isLate = status == fov_libav_interrupted || status == fov_libav_timed_out
      if isLate || options.reading.mustEnd {
        return VideoError(.timedOut(seconds: options.limits.openingSeconds), source: name)
      }
      let words = library.words(status)
      if case .file(let path) = source {
        return VideoError(.notAVideo(words, isText: FileLook.isText(path)), source: name)
      }
      if status == fov_libav_invalid_data {
        return VideoError(.notAVideo(words, isText: false), source: name)
      }
      return VideoError(.unreadable(words), source: name)
    }
  }
#endif
