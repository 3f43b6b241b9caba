// Fovea - pictures of a source, one after another.
// SPDX-License-Identifier: Apache-2.0
public import FoveaGeometry

/// What a source says about its pictures before the first.
package struct VideoDescription: Sendable, Hashable {
  /// The name of the container or device format.
  package var format = ""
  /// The name of the codec.
  package var codec = ""
  /// The size that the source states; pictures may have others.
  package var size = ImageSize(width: 0, height: 0)
  /// The seconds of a tick.
  package var tickSeconds = 0.0
  /// Pictures in a second, as far as the source says; `nil` where it does not.
  package var frameRate: Double?
  /// The duration in seconds; `nil` where the source does not say.
  package var seconds: Double?
  /// Whether pictures come at their own pace.
  package var isLive = false

  /// Creates an empty description.
  package init() {}
}

/// What was wrong with the pictures that a source gave so far.
package struct VideoDamage: Sendable, Hashable {
  /// Coded pictures that no picture could be made of.
  package var lostPictures = 0
  /// Pictures whose damage the decoder filled in; they are given, and marked.
  package var damagedPictures = 0
  /// Errors in the container or the stream, which the reader passed over.
  package var passedErrors = 0
  /// What the reader or the decoder said first about an error, in its own words.
  package var words: String?
  /// Why the source ended before its end, in words.
  package var ending: String?

  /// Creates a report of no damage.
  package init() {}

  /// Whether nothing was wrong.
  package var isNone: Bool {
    lostPictures == 0 && damagedPictures == 0 && passedErrors == 0 && ending == nil
  }
}

/// Gives the pictures of a source, one after another, to one thread.
package protocol VideoReader: AnyObject {
  /// What the source says about its pictures.
  var description: VideoDescription { get }
  /// What was wrong so far.
  var damage: VideoDamage { get }
  /// The next picture; `nil` at the end of the source.
  ///
  /// What ends a source early is no error where pictures were given: `damage` says it.
  ///
  /// - Throws: `.cancelled`; `.timedOut` for a live source that gives nothing; others.
  func next() throws(VideoError) -> VideoFrame?
}

/// How a source is opened.
public struct VideoOptions: Sendable {
  /// Bounds of sizes and times.
  public var limits = VideoLimits.standard
  /// Threads of the decoder. More decode faster, but take processors from the detector.
  public var decoderThreads = 1
  /// What ends reading from another thread.
  package var reading = ReadingGuard()
  /// The picture size to ask a camera for; `nil` for the largest that it gives quickly.
  public var cameraSize: ImageSize?
  /// The frame rate to ask a camera for.
  public var cameraRate: Double?

  /// Creates the usual options.
  public init() {}
}

extension VideoSource {
  /// Opens the source.
  ///
  /// - Throws: `VideoError` where it cannot be opened, holds no moving pictures, or takes too long.
  package func open(
    _ options: VideoOptions = VideoOptions()
  ) throws(VideoError) -> any VideoReader {
    if case .camera(let path) = self { return try Self.openCamera(path, options) }
    #if Video
      do throws(VideoError) {
        return try MediaReader(self, options)
      } catch {
        // A Motion JPEG needs no FFmpeg.
        switch error.reason {
        case .libraryUnavailable, .libraryVersion:
          guard let reader = try openMotionJPEG(options) else { throw error }
          return reader
        default: throw error
        }
      }
    #else
      guard let reader = try openMotionJPEG(options) else {
        throw VideoError(.traitDisabled("Video"), source: name)
      }
      return reader
    #endif
  }

  private static func openCamera(
    _ path: String, _ options: VideoOptions
  ) throws(VideoError) -> any VideoReader {
    #if os(Linux) && JPEG
      return try CameraReader(path, options)
    #elseif os(Linux)
      throw VideoError(.traitDisabled("JPEG"), source: path)
    #else
      throw VideoError(.camera("cameras are read on Linux alone"), source: path)
    #endif
  }
}
