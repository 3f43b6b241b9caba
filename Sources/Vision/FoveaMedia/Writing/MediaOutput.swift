// Fovea - a file that libavformat writes.
// SPDX-License-Identifier: Apache-2.0
#if Video
  internal import CLibAV

  /// What libavformat knows about a file that it writes. The file is closed with it.
  private final class OutputContext {
    let pointer: UnsafeMutablePointer<AVFormatContext>
    private let library: fov_libav_functions

    /// - Returns: `nil` where memory ran out.
    init?(_ muxer: String, _ library: fov_libav_functions) {
      var made: UnsafeMutablePointer<AVFormatContext>?
      guard library.avformat_alloc_output_context2(&made, nil, muxer, nil) >= 0, let made else {
        return nil
      }
      pointer = made
      self.library = library
    }

    deinit {
      _ = library.avio_closep(&pointer.pointee.pb)
      library.avformat_free_context(pointer)
    }
  }

  /// A file with one stream of pictures, and one of sound where it is copied.
  final class MediaOutput {
    private let library: fov_libav_functions
    private let path: String
    private let container: OutputContext
    private let encoder: MediaEncoder
    private let packet: MediaPacket
    private let stream: UnsafeMutablePointer<AVStream>
    private let sound: CopiedSound?
    private var lastSeconds = 0.0
    private var lastOffset: Double?

    /// What samples mean in the file.
    var coding: SampleCoding { encoder.coding }

    /// Makes the file, in place of the one there was, and writes its beginning.
    init(
      _ path: String, _ format: VideoFileFormat, _ available: AvailableEncoder,
      _ picture: UprightImage, _ timing: EncodedTiming, pixelAspect: Double,
      startsLater: Bool, _ sound: CopiedSound?
    ) throws(VideoWritingError) {
      library = available.library
      self.path = path
      self.sound = sound
      do throws(VideoError) {
        packet = try MediaPacket(library, source: path)
      } catch {
        throw VideoWritingError(.outOfMemory, file: path)
      }
      guard let container = OutputContext(format.muxer, library) else {
        throw VideoWritingError(.outOfMemory, file: path)
      }
      self.container = container
      let context = container.pointer
      encoder = try MediaEncoder(
        available, picture, timing, pixelAspect: pixelAspect,
        hasGlobalHeader: context.pointee.oformat.pointee.flags & AVFMT_GLOBALHEADER != 0, path)
      stream = try Self.addStream(to: context, encoder, library, path)
      try sound?.addStream(to: context, path)
      try Self.begin(context, format, isDelayed: startsLater || sound != nil, library, path)
    }

    private var context: UnsafeMutablePointer<AVFormatContext> { container.pointer }

    private static func addStream(
      to context: UnsafeMutablePointer<AVFormatContext>, _ encoder: MediaEncoder,
      _ library: fov_libav_functions, _ path: String
    ) throws(VideoWritingError) -> UnsafeMutablePointer<AVStream> {
      guard let stream = library.avformat_new_stream(context, nil) else {
        throw VideoWritingError(.outOfMemory, file: path)
      }
      let status = library.avcodec_parameters_from_context(
        stream.pointee.codecpar, encoder.context)
      guard status >= 0 else { throw VideoWritingError(.outOfMemory, file: path) }
      stream.pointee.time_base = encoder.context.pointee.time_base
      stream.pointee.avg_frame_rate = encoder.context.pointee.framerate
      stream.pointee.sample_aspect_ratio = encoder.context.pointee.sample_aspect_ratio
      return stream
    }

    private static func begin(
      _ context: UnsafeMutablePointer<AVFormatContext>, _ format: VideoFileFormat, isDelayed: Bool,
      _ library: fov_libav_functions, _ path: String
    ) throws(VideoWritingError) {
      // With the prefix, a colon in a name is no protocol.
      let opened = library.avio_open2(
        &context.pointee.pb, "file:" + path, AVIO_FLAG_WRITE, nil, nil)
      guard opened >= 0 else {
        throw VideoWritingError(.unwritable(library.words(opened)), file: path)
      }
      // What is written reaches the system at once, so that it stays when the process is killed.
      context.pointee.flags |= AVFMT_FLAG_FLUSH_PACKETS
      // FLAC in MP4 counts as experimental; browsers play it.
      context.pointee.strict_std_compliance = FF_COMPLIANCE_EXPERIMENTAL
      var words: OpaquePointer?
      defer { library.av_dict_free(&words) }
      switch format {
      case .mp4:
        // Where pictures begin later than at 0, and what sound is, may be known after the first
        // second alone.
        let flags = "frag_keyframe+empty_moov+default_base_moof" + (isDelayed ? "+delay_moov" : "")
        _ = library.av_dict_set(&words, "movflags", flags, 0)
      case .mkv: _ = library.av_dict_set(&words, "cluster_time_limit", "1000", 0)
      case .avi: break
      }
      let messages = MediaMessages()
      let status = messages.during(.opening) { library.avformat_write_header(context, &words) }
      guard status >= 0 else {
        throw VideoWritingError(
          .unwritable(messages.firstWords ?? library.words(status)), file: path)
      }
    }

    // MARK: Writing

    /// Appends a picture, and the sound up to it.
    func append(
      _ picture: UprightImage, at seconds: Double, stated: Double?
    ) throws(VideoWritingError) {
      lastOffset = stated.map { seconds - $0 }
      try copySound(until: seconds)
      try encoder.encode(picture, at: seconds, into: packet.pointer) {
        () throws(VideoWritingError) in try writePicture()
      }
      lastSeconds = seconds
    }

    /// Writes the end of the file.
    func finish() throws(VideoWritingError) {
      try encoder.encode(nil, at: 0, into: packet.pointer) { () throws(VideoWritingError) in
        try writePicture()
      }
      let ticks = Double(encoder.nominalTicks) * Self.seconds(encoder.context.pointee.time_base)
      try copySound(until: lastSeconds + ticks)
      try check(library.av_write_trailer(context))
      try check(library.avio_closep(&context.pointee.pb))
    }

    private static func seconds(_ base: AVRational) -> Double {
      Double(base.num) / Double(base.den)
    }

    private func writePicture() throws(VideoWritingError) {
      let base = encoder.context.pointee.time_base
      if packet.pointer.pointee.duration == 0 {
        packet.pointer.pointee.duration = encoder.nominalTicks
      }
      library.av_packet_rescale_ts(packet.pointer, base, stream.pointee.time_base)
      packet.pointer.pointee.stream_index = stream.pointee.index
      try check(library.av_interleaved_write_frame(context, packet.pointer))
    }

    private func copySound(until seconds: Double) throws(VideoWritingError) {
      try sound?.each(until: seconds, lastOffset) { packet throws(VideoWritingError) in
        try check(library.av_interleaved_write_frame(context, packet))
      }
    }

    private func check(_ status: Int32) throws(VideoWritingError) {
      guard status < 0 else { return }
      throw VideoWritingError(.unwritable(library.words(status)), file: path)
    }
  }
#endif
