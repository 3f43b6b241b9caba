// Fovea - an open file or stream of FFmpeg's.
// SPDX-License-Identifier: Apache-2.0
#if Video
  internal import CLibAV
  internal import FoveaGeometry

  /// An open file or stream, and which of its streams has the pictures.
  final class MediaInput {
    let context: UnsafeMutablePointer<AVFormatContext>
    let stream: UnsafeMutablePointer<AVStream>
    let codec: UnsafePointer<AVCodec>
    let source: String
    private let library: fov_libav_functions
    /// What the callback of `context` points to.
    private let reading: ReadingGuard
    /// What `context` reads instead of an address.
    private let bytes: MediaBytes?

    init(
      _ source: VideoSource, _ options: VideoOptions, _ library: fov_libav_functions
    ) throws(VideoError) {
      self.library = library
      self.source = source.name
      reading = options.reading
      if case .file(let path) = source { try FileLook.check(path) }
      bytes = try MediaBytes.pipe(of: source, options, library)
      context = try Self.open(source, options, bytes, library)
      do throws(VideoError) {
        (stream, codec) = try Self.findPictures(in: context, source, options, bytes, library)
      } catch {
        // `deinit` does not run for an object that was never whole.
        var context: UnsafeMutablePointer<AVFormatContext>? = context
        library.avformat_close_input(&context)
        throw error
      }
    }

    deinit {
      var context: UnsafeMutablePointer<AVFormatContext>? = context
      library.avformat_close_input(&context)
    }

    // MARK: Opening

    private static func open(
      _ source: VideoSource, _ options: VideoOptions, _ bytes: MediaBytes?,
      _ library: fov_libav_functions
    ) throws(VideoError) -> UnsafeMutablePointer<AVFormatContext> {
      let kind = try format(of: source, options, bytes, library)
      guard let made = library.avformat_alloc_context() else {
        throw VideoError(.outOfMemory, source: source.name)
      }
      made.pointee.interrupt_callback = AVIOInterruptCB(
        callback: { Unmanaged<ReadingGuard>.fromOpaque($0!).takeUnretainedValue().mustEnd ? 1 : 0 },
        opaque: Unmanaged.passUnretained(options.reading).toOpaque())
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
      guard status >= 0, let opened = context else {
        throw bytes?.failure ?? failure(status, source, options, library)
      }
      return opened
    }

    /// The format, where it is known before the source is opened. A file that names other files is
    /// refused before any of them is opened.
    private static func format(
      of source: VideoSource, _ options: VideoOptions, _ bytes: MediaBytes?,
      _ library: fov_libav_functions
    ) throws(VideoError) -> UnsafePointer<AVInputFormat>? {
      if let name = MediaOptions.format(of: source) { return library.av_find_input_format(name) }
      if case .network = source { return nil }
      let address = MediaOptions.address(of: source)
      var file: UnsafeMutablePointer<AVIOContext>?
      defer { _ = library.avio_closep(&file) }
      var format: UnsafePointer<AVInputFormat>?
      var status = bytes == nil ? library.avio_open(&file, address, AVIO_FLAG_READ) : 0
      if status >= 0 {
        status = library.av_probe_input_buffer(
          bytes?.context ?? file, &format, address, nil, 0, 0)
      }
      guard status >= 0, let format else {
        throw bytes?.failure ?? failure(status, source, options, library)
      }
      if ["concat", "dash", "hls", "imf"].contains(String(cString: format.pointee.name)) {
        throw VideoError(.notAVideo("it names other files", isText: false), source: source.name)
      }
      return format
    }

    private static func failure(
      _ status: Int32, _ source: VideoSource, _ options: VideoOptions,
      _ library: fov_libav_functions
    ) -> VideoError {
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

    private static func findPictures(
      in context: UnsafeMutablePointer<AVFormatContext>, _ source: VideoSource,
      _ options: VideoOptions, _ bytes: MediaBytes?, _ library: fov_libav_functions
    ) throws(VideoError) -> (UnsafeMutablePointer<AVStream>, UnsafePointer<AVCodec>) {
      let status = library.avformat_find_stream_info(context, nil)
      guard status >= 0 else {
        throw bytes?.failure ?? failure(status, source, options, library)
      }
      var codec: UnsafePointer<AVCodec>?
      let index = library.av_find_best_stream(context, AVMEDIA_TYPE_VIDEO, -1, -1, &codec, 0)
      let streams = context.pointee.streams
      for other in 0..<Int(context.pointee.nb_streams) where other != Int(index) {
        streams?[other]?.pointee.discard = AVDISCARD_ALL
      }
      guard index >= 0, let stream = streams?[Int(index)], let codec else {
        throw bytes?.failure ?? missingPictures(in: context, source, options, library)
      }
      // A cover of a piece of music is no video.
      guard stream.pointee.disposition & AV_DISPOSITION_ATTACHED_PIC == 0 else {
        throw VideoError(.noVideoStream, source: source.name)
      }
      return (stream, codec)
    }

    private static func missingPictures(
      in context: UnsafeMutablePointer<AVFormatContext>, _ source: VideoSource,
      _ options: VideoOptions, _ library: fov_libav_functions
    ) -> VideoError {
      if options.reading.mustEnd || options.reading.isCancelled {
        return failure(fov_libav_interrupted, source, options, library)
      }
      for index in 0..<Int(context.pointee.nb_streams) {
        guard let parameters = context.pointee.streams?[index]?.pointee.codecpar,
          parameters.pointee.codec_type == AVMEDIA_TYPE_VIDEO
        else { continue }
        let name = library.avcodec_get_name(parameters.pointee.codec_id).map { String(cString: $0) }
        return VideoError(.unsupportedCodec(name ?? "unknown"), source: source.name)
      }
      return VideoError(.noVideoStream, source: source.name)
    }

    /// Whether a pipe is read.
    var isPipe: Bool { bytes != nil }

    /// Why the pipe that is read has failed.
    var failure: VideoError? { bytes?.failure }

    // MARK: What is known

    var description: VideoDescription {
      var description = VideoDescription()
      if let format = context.pointee.iformat {
        description.format = String(cString: format.pointee.name)
      }
      let stream = stream.pointee
      description.codec = String(cString: codec.pointee.name)
      if let parameters = stream.codecpar?.pointee {
        description.size = ImageSize(
          width: Int(parameters.width), height: Int(parameters.height))
      }
      description.tickSeconds = Self.quotient(stream.time_base) ?? 0
      description.frameRate = Self.quotient(stream.avg_frame_rate)
      if context.pointee.duration != fov_libav_no_time, context.pointee.duration > 0 {
        description.seconds = Double(context.pointee.duration) / 1e6
      }
      return description
    }

    /// The orientation that the stream asks for.
    var orientation: ImageOrientation {
      var bytes = 0
      guard
        let data = library.av_stream_get_side_data(stream, AV_PKT_DATA_DISPLAYMATRIX, &bytes),
        bytes >= 36
      else { return .up }
      return DisplayMatrix.orientation(UnsafePointer(data)) ?? .up
    }

    static func quotient(_ ratio: AVRational) -> Double? {
      guard ratio.den > 0, ratio.num > 0 else { return nil }
      return Double(ratio.num) / Double(ratio.den)
    }
  }

  extension DisplayMatrix {
    /// The orientation that nine numbers in memory ask for.
    static func orientation(_ data: UnsafePointer<UInt8>) -> ImageOrientation? {
      func number(_ index: Int) -> Int32 {
        UnsafeRawPointer(data).loadUnaligned(fromByteOffset: 4 * index, as: Int32.self)
      }
      return orientation(number(0), number(1), number(3), number(4))
    }
  }
#endif
