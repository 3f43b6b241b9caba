// Fovea - the sound of a file, copied as it is.
// SPDX-License-Identifier: Apache-2.0
#if Video
  internal import CLibAV

  /// The sound of a file, copied as it is. The file is opened a second time: packets of sound come
  /// when pictures are written, which is later than they are decoded.
  final class CopiedSound {
    private let library: fov_libav_functions
    private let media: OpenMedia
    private let stream: UnsafeMutablePointer<AVStream>
    private var target: UnsafeMutablePointer<AVStream>?
    private let packet: MediaPacket
    /// What is added to times that the file states, in seconds. The first picture comes at 0.
    private var offset: Double
    /// When the last packet is heard, in seconds.
    private var last: Double?
    /// Whether `packet` waits for its time.
    private var isWaiting = false
    private var hasEnded = false
    /// The least time of the next packet, in the units of the target.
    private var leastTicks = Int64.min
    /// Whether the container holds packets of one time.
    private var takesEqualTimes = false

    /// Opens a file.
    ///
    /// - Throws: `.noSound`, `.outOfMemory`.
    init(
      of source: String, into path: String, _ library: fov_libav_functions
    ) throws(VideoWritingError) {
      self.library = library
      do throws(VideoError) {
        packet = try MediaPacket(library, source: path)
      } catch {
        throw VideoWritingError(.outOfMemory, file: path)
      }
      do throws(VideoError) {
        media = try OpenMedia(.file(source), VideoOptions(), library)
      } catch {
        throw VideoWritingError(.noSound, file: path)
      }
      let context = media.context
      let video = library.av_find_best_stream(context, AVMEDIA_TYPE_VIDEO, -1, -1, nil, 0)
      let sound = library.av_find_best_stream(context, AVMEDIA_TYPE_AUDIO, -1, video, nil, 0)
      guard sound >= 0, let stream = context.pointee.streams?[Int(sound)] else {
        throw VideoWritingError(.noSound, file: path)
      }
      self.stream = stream
      for other in 0..<Int(context.pointee.nb_streams) where other != Int(sound) {
        context.pointee.streams?[other]?.pointee.discard = AVDISCARD_ALL
      }
      let pictures = video >= 0 ? context.pointee.streams?[Int(video)] : nil
      offset = -(pictures.flatMap { Self.seconds($0.pointee.start_time, $0) } ?? 0)
    }

    private static func seconds(
      _ ticks: Int64, _ stream: UnsafeMutablePointer<AVStream>
    ) -> Double? {
      let base = stream.pointee.time_base
      guard ticks != fov_libav_no_time, base.den > 0 else { return nil }
      return Double(ticks) * Double(base.num) / Double(base.den)
    }

    /// Adds a stream for the sound to a file that is written.
    ///
    /// - Throws: `.soundCodec`, `.outOfMemory`.
    func addStream(
      to output: UnsafeMutablePointer<AVFormatContext>, _ path: String
    ) throws(VideoWritingError) {
      guard let parameters = stream.pointee.codecpar,
        let added = library.avformat_new_stream(output, nil)
      else { throw VideoWritingError(.outOfMemory, file: path) }
      let codec = parameters.pointee.codec_id
      // Matroska also holds what WAV files hold, such as the sound of telephones, by their numbers.
      let holdsMore = String(cString: output.pointee.oformat.pointee.name) == "matroska"
      let level = FF_COMPLIANCE_EXPERIMENTAL
      guard library.avformat_query_codec(output.pointee.oformat, codec, level) == 1 || holdsMore
      else {
        let name = library.avcodec_get_name(codec).map { String(cString: $0) } ?? "unknown"
        throw VideoWritingError(.soundCodec(name), file: path)
      }
      guard library.avcodec_parameters_copy(added.pointee.codecpar, parameters) >= 0 else {
        throw VideoWritingError(.outOfMemory, file: path)
      }
      // Numbers of codecs differ from container to container.
      added.pointee.codecpar.pointee.codec_tag = 0
      added.pointee.time_base = stream.pointee.time_base
      target = added
      takesEqualTimes = output.pointee.oformat.pointee.flags & AVFMT_TS_NONSTRICT != 0
    }

    // MARK: Packets

    /// Hands over the packets up to a time.
    ///
    /// - Parameters:
    ///   - seconds: The time, in seconds from the first picture on.
    ///   - pictureOffset: The difference of the picture's time and the one that the file states for
    ///     it; `nil` where it states none.
    func each(
      until seconds: Double, _ pictureOffset: Double?,
      _ body: (UnsafeMutablePointer<AVPacket>) throws(VideoWritingError) -> Void
    ) throws(VideoWritingError) {
      guard let target else { return }
      while readPacket() {
        let time = time(pictureOffset)
        if let time, time > seconds || isEarly(time, seconds) { return }
        // Sound from before the first picture is left out.
        guard let time, time >= 0, fit(into: target) else {
          drop()
          continue
        }
        last = time
        isWaiting = false
        try body(packet.pointer)
      }
    }

    /// Reads the next packet, unless one waits. The end is where this gives `false`.
    private func readPacket() -> Bool {
      if !isWaiting, !hasEnded {
        isWaiting = library.av_read_frame(media.context, packet.pointer) >= 0
        hasEnded = !isWaiting
      }
      return isWaiting
    }

    private func drop() {
      isWaiting = false
      library.av_packet_unref(packet.pointer)
    }

    /// Gives the packet the times and the number of the stream that it is written to.
    ///
    /// - Returns: Whether it may be written: a file takes no times that go back.
    private func fit(into target: UnsafeMutablePointer<AVStream>) -> Bool {
      let pointer = packet.pointer
      shift(pointer)
      library.av_packet_rescale_ts(pointer, stream.pointee.time_base, target.pointee.time_base)
      pointer.pointee.stream_index = target.pointee.index
      pointer.pointee.pos = -1
      let ticks =
        pointer.pointee.dts == fov_libav_no_time ? pointer.pointee.pts : pointer.pointee.dts
      guard ticks >= leastTicks else { return false }
      leastTicks = takesEqualTimes ? ticks : ticks &+ 1
      return true
    }

    // MARK: Times

    /// When the packet is heard; `nil` for one of another stream or without a time. Where
    /// recordings were joined, times begin again: sound then takes the offset that the pictures
    /// have taken.
    private func time(_ pictureOffset: Double?) -> Double? {
      guard packet.pointer.pointee.stream_index == stream.pointee.index,
        let stated = Self.seconds(packet.pointer.pointee.pts, stream)
      else { return nil }
      if let pictureOffset, abs(pictureOffset - offset) > 0.5 {
        if last == nil || isJump(stated + offset) { offset = pictureOffset }
      }
      return stated + offset
    }

    /// Whether a packet comes before the pictures that it belongs to: where recordings were joined,
    /// sound may get there first.
    private func isEarly(_ time: Double, _ seconds: Double) -> Bool {
      isJump(time) && seconds < (last ?? 0) + 2
    }

    /// Whether a time does not follow that of the packet before.
    private func isJump(_ time: Double) -> Bool {
      last.map { time < $0 - 0.5 || time > $0 + FrameClock.longestStep } ?? false
    }

    /// Adds the offset to the times of a packet.
    private func shift(_ packet: UnsafeMutablePointer<AVPacket>) {
      let base = stream.pointee.time_base
      // A file may state any time.
      let exact = (offset * Double(base.den) / Double(max(base.num, 1))).rounded()
      let ticks = Int64(max(-9e18, min(9e18, exact)))
      packet.pointee.pts &+= ticks
      if packet.pointee.dts != fov_libav_no_time { packet.pointee.dts &+= ticks }
    }
  }
#endif
