// Fovea - pictures of files and streams, by FFmpeg's libraries.
// SPDX-License-Identifier: Apache-2.0
#if Video
  internal import CLibAV
  internal import FoveaGeometry
  internal import FoveaLibc

  /// Reads a file or a stream by libavformat and decodes its pictures by libavcodec.
  final class MediaReader: VideoReader {
    let description: VideoDescription
    var damage: VideoDamage {
      var damage = VideoDamage()
      damage.lostPictures = decoder.lostPictures
      damage.damagedPictures = damagedPictures
      damage.passedErrors = messages.readingErrors
      damage.words = messages.firstWords
      damage.ending = ending
      return damage
    }

    private var damagedPictures = 0
    private var ending: String?

    private let library: fov_libav_functions
    private let source: VideoSource
    private let options: VideoOptions
    private let input: MediaInput
    private let decoder: MediaDecoder
    private let packet: MediaPacket
    private let messages = MediaMessages()
    private var clock: FrameClock
    private var count = 0
    private var isDraining = false
    /// Whether times are those of arrival, since the source states none that mean anything.
    private let usesArrival: Bool
    private let opening: UInt64

    init(_ source: VideoSource, _ options: VideoOptions) throws(VideoError) {
      library = try MediaLibrary.shared(toRead: source.name)
      self.source = source
      self.options = options
      options.reading.allow(seconds: options.limits.openingSeconds)
      input = try Self.open(source, options, library, messages)
      decoder = try MediaDecoder(input, options, library, messages)
      // To find out what streams hold, pictures were decoded that are decoded again.
      messages.forget()
      packet = try MediaPacket(library, source: source.name)
      let stream = input.stream.pointee
      var description = input.description
      description.isLive = source.isLive
      self.description = description
      let start =
        stream.start_time == fov_libav_no_time
        ? nil : Double(stream.start_time) * description.tickSeconds
      usesArrival = source.isLive && description.format.includes("mpjpeg")
      clock = FrameClock(
        start: usesArrival ? nil : start, duration: description.frameRate.map { 1 / $0 })
      opening = MonotonicClock.nanoseconds()
    }

    private static func open(
      _ source: VideoSource, _ options: VideoOptions, _ library: fov_libav_functions,
      _ messages: MediaMessages
    ) throws(VideoError) -> MediaInput {
      do throws(VideoError) {
        return try messages.during(.opening) { () throws(VideoError) in
          try MediaInput(source, options, library)
        }
      } catch {
        // The number of an error says less than what was printed about it.
        guard case .notAVideo(let words, isText: false) = error.reason,
          let detail = messages.firstWords
        else { throw error }
        throw VideoError(.notAVideo("\(words) (\(detail))", isText: false), source: error.source)
      }
    }

    func next() throws(VideoError) -> VideoFrame? {
      options.reading.allow(seconds: patience)
      while true {
        if let picture = try decoder.receive(input.stream) { return finished(picture) }
        if isDraining { return nil }
        try feed()
      }
    }

    /// Seconds that the next picture may take. A file waits for nobody: only work takes time.
    private var patience: Double {
      switch source {
      case .file where !input.isPipe, .pictures: .infinity
      default: options.limits.readingSeconds
      }
    }

    // MARK: Packets

    /// Gives the decoder the next packet of the stream, or the end.
    private func feed() throws(VideoError) {
      let status = messages.during(.reading) {
        library.av_read_frame(input.context, packet.pointer)
      }
      guard status >= 0 else { return try endOrRetry(status) }
      defer { library.av_packet_unref(packet.pointer) }
      if options.reading.isCancelled { throw VideoError(.cancelled, source: source.name) }
      // A live source whose packets make no picture keeps nobody waiting for ever.
      if source.isLive, options.reading.mustEnd { throw timeout() }
      guard packet.pointer.pointee.stream_index == input.stream.pointee.index else { return }
      decoder.send(packet.pointer)
    }

    private func endOrRetry(_ status: Int32) throws(VideoError) {
      if options.reading.isCancelled { throw VideoError(.cancelled, source: source.name) }
      if let failure = input.failure { throw failure }
      if status == fov_libav_timed_out || options.reading.mustEnd { throw timeout() }
      if status == fov_libav_again {
        MonotonicClock.sleep(milliseconds: 5)
        return
      }
      if status != fov_libav_end { ending = library.words(status) }
      isDraining = true
      decoder.send(nil)
    }

    private func timeout() -> VideoError {
      VideoError(.timedOut(seconds: options.limits.readingSeconds), source: source.name)
    }

    // MARK: Pictures

    private func finished(_ picture: MediaImage) -> VideoFrame {
      var frame = picture.frame
      let now = MonotonicClock.nanoseconds()
      let stated: Double? =
        usesArrival
        ? Double(now - opening) / 1e9
        : frame.ticks.map { Double($0) * description.tickSeconds }
      (frame.time, frame.isTimeEstimated) = clock.time(of: stated)
      if !usesArrival { frame.statedTime = stated }
      frame.arrival = now
      frame.index = count
      frame.orientation = picture.orientation ?? input.orientation
      count += 1
      if frame.isDamaged { damagedPictures += 1 }
      return frame
    }
  }

  /// A packet that is used again and again.
  final class MediaPacket {
    let pointer: UnsafeMutablePointer<AVPacket>
    private let library: fov_libav_functions

    init(_ library: fov_libav_functions, source: String) throws(VideoError) {
      guard let pointer = library.av_packet_alloc() else {
        throw VideoError(.outOfMemory, source: source)
      }
      self.pointer = pointer
      self.library = library
    }

    deinit {
      var pointer: UnsafeMutablePointer<AVPacket>? = pointer
      library.av_packet_free(&pointer)
    }
  }
#endif
