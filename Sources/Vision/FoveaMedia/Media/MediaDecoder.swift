// Fovea - pictures of packets, by libavcodec.
// SPDX-License-Identifier: Apache-2.0
#if Video
  internal import CFovea
  internal import CLibAV
  internal import FoveaGeometry

  /// A decoded picture, and how it says itself that it is to be turned.
  struct MediaImage {
    var frame: VideoFrame
    var orientation: ImageOrientation?
  }

  /// Decodes packets of one stream.
  final class MediaDecoder {
    private let library: fov_libav_functions
    private let context: UnsafeMutablePointer<AVCodecContext>
    private let input: MediaInput
    private let maximumPixels: Int
    /// Coded pictures that no picture could be made of.
    private(set) var lostPictures = 0
    private let messages: MediaMessages
    private var sentPackets: Int64 = 0
    private var pictures = ImageMemory()
    private var kind: (format: Int32, pixels: MediaPixels?)?

    init(
      _ input: MediaInput, _ options: VideoOptions, _ library: fov_libav_functions,
      _ messages: MediaMessages
    ) throws(VideoError) {
      self.library = library
      self.messages = messages
      self.input = input
      maximumPixels = options.limits.maximumPixels
      guard let made = library.avcodec_alloc_context3(input.codec) else {
        throw VideoError(.outOfMemory, source: input.source)
      }
      context = made
      _ = library.avcodec_parameters_to_context(made, input.stream.pointee.codecpar)
      made.pointee.pkt_timebase = input.stream.pointee.time_base
      made.pointee.thread_count = Int32(clamping: max(1, options.decoderThreads))
      // Threads for parts of a picture: threads for pictures would delay each by their number.
      made.pointee.thread_type = FF_THREAD_SLICE
      made.pointee.max_pixels = Int64(options.limits.maximumPixels)
      let status = library.avcodec_open2(made, input.codec, nil)
      guard status >= 0 else {
        // `deinit` frees the context: the object is whole.
        throw VideoError(
          .notAVideo(library.words(status), isText: false), source: input.source)
      }
      messages.own(made)
    }

    deinit {
      MediaMessages.release(context)
      var context: UnsafeMutablePointer<AVCodecContext>? = context
      library.avcodec_free_context(&context)
    }

    /// Takes a packet, or `nil` for the end. Every picture has been received before.
    func send(_ packet: UnsafeMutablePointer<AVPacket>?) {
      sentPackets += 1
      fov_libav_number_next(context, sentPackets)
      messages.begin(packet: sentPackets)
      let status = messages.during(.decoding(sentPackets)) {
        library.avcodec_send_packet(context, packet)
      }
      if status < 0, packet != nil { lostPictures += 1 }
    }

    /// The next picture; `nil` where more packets are needed, or at the end.
    ///
    /// - Throws: `.unsupportedPixels`, `.tooManyPixels`, `.outOfMemory`.
    func receive(_ stream: UnsafeMutablePointer<AVStream>) throws(VideoError) -> MediaImage? {
      guard let memory = pictures.unused(library) else {
        throw VideoError(.outOfMemory, source: input.source)
      }
      library.av_frame_unref(memory.pointer)
      let call = MediaMessages.Call.decoding(sentPackets)
      func receive() -> Int32 {
        messages.during(call) { library.avcodec_receive_frame(context, memory.pointer) }
      }
      var status = receive()
      var attempts = 0
      while status < 0, status != fov_libav_again, status != fov_libav_end, attempts < 1000 {
        lostPictures += 1
        attempts += 1
        status = receive()
      }
      return status < 0 ? nil : try picture(memory, stream)
    }

    private func picture(
      _ memory: MediaMemory, _ stream: UnsafeMutablePointer<AVStream>
    ) throws(VideoError) -> MediaImage {
      let pointer = memory.pointer
      let (width, height) = (Int(pointer.pointee.width), Int(pointer.pointee.height))
      guard width > 0, height > 0, width <= maximumPixels / height else {
        throw VideoError(.tooManyPixels(limit: maximumPixels), source: input.source)
      }
      let pixels = try pixels(pointer.pointee.format)
      var frame: VideoFrame
      if pixels.needsUnpacking {
        let samples = memory.unpacked ?? UnpackedSamples(capacity: 0)
        memory.unpacked = samples
        frame = VideoFrame(memory: memory, image: pixels.unpack(pointer, into: samples, library))
      } else {
        guard let (image, isBottomUp) = pixels.image(of: pointer) else {
          throw VideoError(.unsupportedPixels(pixels.name), source: input.source)
        }
        frame = VideoFrame(memory: memory, image: image, isBottomUp: isBottomUp)
      }
      let ticks = pointer.pointee.best_effort_timestamp
      frame.ticks = ticks == fov_libav_no_time ? nil : ticks
      frame.isKey = fov_libav_is_key(pointer) != 0
      frame.isDamaged =
        fov_libav_is_damaged(pointer) != 0
        || messages.isDamaged(packet: fov_libav_number(pointer))
      if fov_libav_is_interlaced(pointer) != 0 {
        frame.interlacing = fov_libav_top_field_first(pointer) != 0 ? .topFirst : .bottomFirst
      }
      frame.pixelName = pixels.name
      frame.pixelAspect = aspect(pointer, stream)
      return MediaImage(frame: frame, orientation: orientation(pointer))
    }

    private func pixels(_ format: Int32) throws(VideoError) -> MediaPixels {
      if kind?.format != format { kind = (format, MediaPixels(format, library)) }
      guard let pixels = kind?.pixels else {
        let name = library.av_pix_fmt_desc_get(AVPixelFormat(format)).map {
          String(cString: $0.pointee.name)
        }
        throw VideoError(.unsupportedPixels(name ?? "\(format)"), source: input.source)
      }
      return pixels
    }

    /// The width of a pixel divided by its height. Ratios near 1 are rounding of editors.
    private func aspect(
      _ frame: UnsafeMutablePointer<AVFrame>, _ stream: UnsafeMutablePointer<AVStream>
    ) -> Double {
      let ratio = library.av_guess_sample_aspect_ratio(input.context, stream, frame)
      guard let aspect = MediaInput.quotient(ratio), abs(aspect - 1) > 0.02,
        (0.05...20).contains(aspect)
      else { return 1 }
      return aspect
    }

    /// The orientation that the picture states itself.
    private func orientation(_ frame: UnsafeMutablePointer<AVFrame>) -> ImageOrientation? {
      guard
        let side = library.av_frame_get_side_data(frame, AV_FRAME_DATA_DISPLAYMATRIX),
        side.pointee.size >= 36, let data = side.pointee.data
      else { return nil }
      return DisplayMatrix.orientation(UnsafePointer(data))
    }
  }
#endif
