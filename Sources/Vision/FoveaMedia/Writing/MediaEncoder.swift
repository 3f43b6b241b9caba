// Fovea - packets of pictures, by libavcodec.
// SPDX-License-Identifier: Apache-2.0
#if Video
  internal import CLibAV

  /// An encoder that the system's libavcodec has.
  struct AvailableEncoder {
    let library: fov_libav_functions
    let kind: VideoEncoderKind
    let codec: UnsafePointer<AVCodec>

    /// Finds the best encoder for a container.
    ///
    /// - Throws: `.library` or `.noEncoder`.
    init(for format: VideoFileFormat, _ path: String) throws(VideoWritingError) {
      do throws(VideoError) {
        library = try MediaLibrary.shared(toRead: path)
      } catch {
        throw VideoWritingError(.library(error.reason), file: path)
      }
      for kind in format.encoders {
        if let found = library.avcodec_find_encoder_by_name(kind.rawValue) {
          (self.kind, codec) = (kind, found)
          return
        }
      }
      throw VideoWritingError(.noEncoder(format.encoders.map(\.rawValue)), file: path)
    }
  }

  /// Encodes upright pictures.
  final class MediaEncoder {
    let context: UnsafeMutablePointer<AVCodecContext>
    /// What samples mean in the file.
    let coding: SampleCoding
    private let library: fov_libav_functions
    private let frame: UnsafeMutablePointer<AVFrame>
    private let path: String
    private var timing: EncodedTiming
    /// The time of the last picture that can be decoded without others, in seconds.
    private var lastKey = -Double.infinity

    /// The most seconds between two pictures that can be decoded without others: what a run that is
    /// killed may lose.
    private static let keySeconds = 1.0

    init(
      _ encoder: AvailableEncoder, _ picture: UprightImage, _ timing: EncodedTiming,
      pixelAspect: Double, hasGlobalHeader: Bool, _ path: String
    ) throws(VideoWritingError) {
      library = encoder.library
      self.path = path
      self.timing = timing
      coding = encoder.kind.coding ?? picture.coding
      guard let context = library.avcodec_alloc_context3(encoder.codec) else {
        throw VideoWritingError(.outOfMemory, file: path)
      }
      guard let frame = library.av_frame_alloc() else {
        Self.free(context, library)
        throw VideoWritingError(.outOfMemory, file: path)
      }
      (self.context, self.frame) = (context, frame)
      prepare(encoder.kind, picture, pixelAspect, hasGlobalHeader)
      try open(encoder)
    }

    private static func free(
      _ context: UnsafeMutablePointer<AVCodecContext>, _ library: fov_libav_functions
    ) {
      var context: UnsafeMutablePointer<AVCodecContext>? = context
      library.avcodec_free_context(&context)
    }

    deinit {
      Self.free(context, library)
      var frame: UnsafeMutablePointer<AVFrame>? = frame
      library.av_frame_free(&frame)
    }

    private func prepare(
      _ kind: VideoEncoderKind, _ picture: UprightImage, _ pixelAspect: Double,
      _ hasGlobalHeader: Bool
    ) {
      let isJPEG = kind == .motionJPEG
      context.pointee.width = Int32(picture.width)
      context.pointee.height = Int32(picture.height)
      context.pointee.pix_fmt = isJPEG ? AV_PIX_FMT_YUVJ420P : AV_PIX_FMT_YUV420P
      context.pointee.time_base = AVRational(num: Int32(timing.span), den: Int32(timing.ticks))
      context.pointee.framerate = AVRational(
        num: Int32((timing.frameRate * 1000).rounded()), den: 1000)
      context.pointee.sample_aspect_ratio = Self.ratio(pixelAspect)
      context.pointee.color_range = coding.isFullRange ? AVCOL_RANGE_JPEG : AVCOL_RANGE_MPEG
      context.pointee.colorspace =
        switch coding.red {
        case SampleCoding.highDefinition.red: AVCOL_SPC_BT709
        case SampleCoding.ultraHighDefinition.red: AVCOL_SPC_BT2020_NCL
        default: AVCOL_SPC_SMPTE170M
        }
      context.pointee.max_b_frames = 0
      context.pointee.gop_size = 1000
      // The detector's threads have the other processors.
      context.pointee.thread_count = 1
      if let step = kind.stepSize {
        context.pointee.flags |= AV_CODEC_FLAG_QSCALE
        context.pointee.global_quality = Int32(step) * FF_QP2LAMBDA
      } else if kind == .openH264 {
        let pixels = Double(picture.width * picture.height)
        context.pointee.bit_rate = Int64(pixels * timing.frameRate * 0.12)
      }
      if hasGlobalHeader { context.pointee.flags |= AV_CODEC_FLAG_GLOBAL_HEADER }
    }

    private func open(_ encoder: AvailableEncoder) throws(VideoWritingError) {
      var words: OpaquePointer?
      defer { library.av_dict_free(&words) }
      for (key, value) in encoder.kind.options { _ = library.av_dict_set(&words, key, value, 0) }
      let messages = MediaMessages()
      let status = messages.during(.opening) {
        library.avcodec_open2(context, encoder.codec, &words)
      }
      guard status >= 0 else {
        throw VideoWritingError(
          .refused(messages.firstWords ?? library.words(status)), file: path)
      }
    }

    /// A ratio of numbers up to 255, as all encoders take it; 1 for square pixels.
    private static func ratio(_ aspect: Double) -> AVRational {
      var best = AVRational(num: 1, den: 1)
      var least = abs(aspect - 1)
      for den in 1...255 where least > 1e-7 {
        let num = (aspect * Double(den)).rounded()
        guard (1...255).contains(num), abs(num / Double(den) - aspect) < least else { continue }
        least = abs(num / Double(den) - aspect)
        best = AVRational(num: Int32(num), den: Int32(den))
      }
      return best
    }

    /// Encodes a picture at a time in seconds; `nil` for the end. Every packet that is there is
    /// handed over.
    ///
    /// - Throws: `.refused`, or what `body` throws.
    func encode(
      _ picture: UprightImage?, at seconds: Double,
      into packet: UnsafeMutablePointer<AVPacket>, _ body: () throws(VideoWritingError) -> Void
    ) throws(VideoWritingError) {
      let messages = MediaMessages()
      if let picture { fill(picture, at: seconds) }
      let status = messages.during(.opening) {
        library.avcodec_send_frame(context, picture == nil ? nil : frame)
      }
      guard status >= 0 || status == fov_libav_end else {
        throw VideoWritingError(
          .refused(messages.firstWords ?? library.words(status)), file: path)
      }
      while library.avcodec_receive_packet(context, packet) >= 0 { try body() }
    }

    /// Lends the picture's samples to the frame, which the encoder copies.
    private func fill(_ picture: UprightImage, at seconds: Double) {
      library.av_frame_unref(frame)
      let planes = picture.planes
      frame.pointee.format = context.pointee.pix_fmt.rawValue
      frame.pointee.width = context.pointee.width
      frame.pointee.height = context.pointee.height
      frame.pointee.data.0 = planes.luma
      frame.pointee.data.1 = planes.u
      frame.pointee.data.2 = planes.v
      frame.pointee.linesize.0 = Int32(picture.width)
      frame.pointee.linesize.1 = Int32(picture.width / 2)
      frame.pointee.linesize.2 = Int32(picture.width / 2)
      frame.pointee.color_range = context.pointee.color_range
      frame.pointee.colorspace = context.pointee.colorspace
      frame.pointee.sample_aspect_ratio = context.pointee.sample_aspect_ratio
      frame.pointee.quality = context.pointee.global_quality
      frame.pointee.pts = Int64(timing.tick(of: seconds))
      let isKey = seconds - lastKey >= Self.keySeconds
      if isKey { lastKey = seconds }
      frame.pointee.pict_type = isKey ? AV_PICTURE_TYPE_I : AV_PICTURE_TYPE_NONE
    }

    /// The ticks that a picture is seen, where no next one says it.
    var nominalTicks: Int64 {
      let ticks = Double(timing.ticks) / Double(timing.span) / timing.frameRate
      return max(1, Int64(ticks.rounded()))
    }
  }
#endif
