// Fovea - the pictures of a file or stream that FFmpeg has opened.
// SPDX-License-Identifier: Apache-2.0
#if Video
  internal import CLibAV
  internal import FoveaGeometry

  /// An open file or stream, and which of its streams has the pictures.
  final class MediaInput {
    let stream: UnsafeMutablePointer<AVStream>
    let codec: UnsafePointer<AVCodec>
    private let media: OpenMedia
    private let library: fov_libav_functions

    var context: UnsafeMutablePointer<AVFormatContext> { media.context }
    var source: String { media.source.name }

    init(
      _ source: VideoSource, _ options: VideoOptions, _ library: fov_libav_functions
    ) throws(VideoError) {
      self.library = library
      media = try OpenMedia(source, options, library)
      (stream, codec) = try Self.findPictures(in: media, library)
    }

    private static func findPictures(
      in media: OpenMedia, _ library: fov_libav_functions
    ) throws(VideoError) -> (UnsafeMutablePointer<AVStream>, UnsafePointer<AVCodec>) {
      let context = media.context
      var codec: UnsafePointer<AVCodec>?
      let index = library.av_find_best_stream(context, AVMEDIA_TYPE_VIDEO, -1, -1, &codec, 0)
      let streams = context.pointee.streams
      for other in 0..<Int(context.pointee.nb_streams) where other != Int(index) {
        streams?[other]?.pointee.discard = AVDISCARD_ALL
      }
      guard index >= 0, let stream = streams?[Int(index)], let codec else {
        throw media.failure ?? missingPictures(in: media, library)
      }
      // A cover of a piece of music is no video.
      guard stream.pointee.disposition & AV_DISPOSITION_ATTACHED_PIC == 0 else {
        throw VideoError(.noVideoStream, source: media.source.name)
      }
      return (stream, codec)
    }

    private static func missingPictures(
      in media: OpenMedia, _ library: fov_libav_functions
    ) -> VideoError {
      if let interruption = media.interruption { return interruption }
      let (context, name) = (media.context, media.source.name)
      for index in 0..<Int(context.pointee.nb_streams) {
        guard let parameters = context.pointee.streams?[index]?.pointee.codecpar,
          parameters.pointee.codec_type == AVMEDIA_TYPE_VIDEO
        else { continue }
        let codec = library.avcodec_get_name(parameters.pointee.codec_id)
        return VideoError(
          .unsupportedCodec(codec.map { String(cString: $0) } ?? "unknown"), source: name)
      }
      return VideoError(.noVideoStream, source: name)
    }

    /// Whether a pipe is read.
    var isPipe: Bool { media.isPipe }

    /// Why the pipe that is read has failed.
    var failure: VideoError? { media.failure }

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
