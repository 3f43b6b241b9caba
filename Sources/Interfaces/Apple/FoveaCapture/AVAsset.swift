// Fovea - films in files.
// SPDX-License-Identifier: Apache-2.0
public import FoveaApple
public import Foundation
internal import FoveaGeometry
internal import FoveaVideo

/// A property that is read when somebody waits for it.
public class AVPartialAsyncProperty<Root> {
  init() {}
}

public final class AVAsyncProperty<Root, T>: AVPartialAsyncProperty<Root> {
  let read: (Root) throws -> T

  init(_ read: @escaping (Root) throws -> T) { self.read = read }
}

/// What a film says about itself, read once.
final class FilmDescription: @unchecked Sendable {  // because nothing of it changes
  let video: VideoDescription
  let orientation: ImageOrientation
  let size: ImageSize
  let seconds: Double

  /// Opens the film and reads its first picture.
  init(_ source: VideoSource) throws(VideoError) {
    let reader = try source.open()
    let first = try reader.next()
    video = reader.description
    orientation = first?.orientation ?? .up
    size = first?.size ?? video.size
    if let seconds = video.seconds {
      self.seconds = seconds
      return
    }
    // A file without a stated duration is read to its end.
    var end = first?.time ?? 0
    while let frame = try reader.next() { end = frame.time }
    seconds = end + (video.frameRate.map { $0 > 0 ? 1 / $0 : 0 } ?? 0)
  }
}

/// A film. It is opened when somebody asks for what it holds.
open class AVAsset: NSObject, @unchecked Sendable {  // because a lock holds what is read
  let url: URL
  private let lock = NSLock()
  private var known: Result<FilmDescription, VideoError>?

  public convenience init(url URL: URL) { self.init(address: URL) }

  init(address: URL) { url = address }

  var source: VideoSource { .file(url.path) }

  func described() throws -> FilmDescription {
    let result = lock.withLock { () -> Result<FilmDescription, VideoError> in
      if let known { return known }
      let result = Result { () throws(VideoError) in
        guard url.isFileURL else {
          throw VideoError(.invalidSource("only files are read"), source: url.absoluteString)
        }
        return try FilmDescription(source)
      }
      known = result
      return result
    }
    do {
      return try result.get()
    } catch {
      throw AVError(error)
    }
  }

  /// The duration; zero for a film that cannot be read.
  open var duration: CMTime { (try? describedDuration()) ?? .zero }

  fileprivate func describedDuration() throws -> CMTime {
    let film = try described()
    return FrameTimes(film.video).time(film.seconds)
  }

  /// The track of moving pictures; none for a film that cannot be read. Sound is not read.
  open var tracks: [AVAssetTrack] { (try? describedTracks()) ?? [] }

  fileprivate func describedTracks() throws -> [AVAssetTrack] {
    [AVAssetTrack(self, try described())]
  }

  open func tracks(withMediaType mediaType: AVMediaType) -> [AVAssetTrack] {
    mediaType == .video ? tracks : []
  }

  open var isPlayable: Bool { !tracks.isEmpty }
  open var isReadable: Bool { !tracks.isEmpty }

  /// The track of moving pictures.
  ///
  /// - Throws: `AVError` for a film that cannot be read.
  open func loadTracks(withMediaType mediaType: AVMediaType) async throws -> [AVAssetTrack] {
    mediaType == .video ? try describedTracks() : []
  }

  open func loadTracks(
    withMediaType mediaType: AVMediaType,
    completionHandler: @escaping @Sendable ([AVAssetTrack]?, (any Error)?) -> Void
  ) {
    let result = Result { try describedTracks() }
    switch result {
    case .success(let tracks): completionHandler(mediaType == .video ? tracks : [], nil)
    case .failure(let error): completionHandler(nil, error)
    }
  }

  open func load<T>(_ property: AVAsyncProperty<AVAsset, T>) async throws -> T {
    try property.read(self)
  }

  open func load<A, B>(
    _ first: AVAsyncProperty<AVAsset, A>, _ second: AVAsyncProperty<AVAsset, B>
  ) async throws -> (A, B) { (try first.read(self), try second.read(self)) }
}

/// A film in a file.
open class AVURLAsset: AVAsset, @unchecked Sendable {  // as its superclass
  public init(url URL: URL, options: [String: Any]? = nil) { super.init(address: URL) }

  open var fileURL: URL { url }
}

extension AVPartialAsyncProperty where Root: AVAsset {
  public static var duration: AVAsyncProperty<Root, CMTime> {
    AVAsyncProperty { try $0.describedDuration() }
  }

  public static var tracks: AVAsyncProperty<Root, [AVAssetTrack]> {
    AVAsyncProperty { try $0.describedTracks() }
  }

  public static var isPlayable: AVAsyncProperty<Root, Bool> { AVAsyncProperty { $0.isPlayable } }
  public static var isReadable: AVAsyncProperty<Root, Bool> { AVAsyncProperty { $0.isReadable } }
}

/// The moving pictures of a film.
open class AVAssetTrack: NSObject, @unchecked Sendable {  // because nothing of it changes
  public let asset: AVAsset?
  let film: FilmDescription

  init(_ asset: AVAsset, _ film: FilmDescription) { (self.asset, self.film) = (asset, film) }

  open var mediaType: AVMediaType { .video }
  open var trackID: Int32 { 1 }
  open var isEnabled: Bool { true }

  /// The size of the pictures as they are stored.
  open var naturalSize: CGSize { CGSize(width: film.size.width, height: film.size.height) }

  /// How the stored pictures are to be turned.
  package var orientation: CGImagePropertyOrientation {
    CGImagePropertyOrientation(film.orientation)
  }

  /// From stored to upright pictures, with y from the top.
  open var preferredTransform: CGAffineTransform { film.orientation.map(of: film.size) }

  /// Pictures in a second; 0 where the film does not say.
  open var nominalFrameRate: Float { Float(film.video.frameRate ?? 0) }

  open var naturalTimeScale: CMTimeScale { FrameTimes(film.video).scale }
  open var minFrameDuration: CMTime { FrameTimes(film.video).duration }

  open var timeRange: CMTimeRange {
    CMTimeRange(start: .zero, duration: FrameTimes(film.video).time(film.seconds))
  }

  open func load<T>(_ property: AVAsyncProperty<AVAssetTrack, T>) async throws -> T {
    try property.read(self)
  }

  open func load<A, B>(
    _ first: AVAsyncProperty<AVAssetTrack, A>, _ second: AVAsyncProperty<AVAssetTrack, B>
  ) async throws -> (A, B) { (try first.read(self), try second.read(self)) }

  open func load<A, B, C>(
    _ first: AVAsyncProperty<AVAssetTrack, A>, _ second: AVAsyncProperty<AVAssetTrack, B>,
    _ third: AVAsyncProperty<AVAssetTrack, C>
  ) async throws -> (A, B, C) {
    (try first.read(self), try second.read(self), try third.read(self))
  }
}

extension AVPartialAsyncProperty where Root: AVAssetTrack {
  public static var naturalSize: AVAsyncProperty<Root, CGSize> {
    AVAsyncProperty { $0.naturalSize }
  }

  public static var preferredTransform: AVAsyncProperty<Root, CGAffineTransform> {
    AVAsyncProperty { $0.preferredTransform }
  }

  public static var nominalFrameRate: AVAsyncProperty<Root, Float> {
    AVAsyncProperty { $0.nominalFrameRate }
  }

  public static var timeRange: AVAsyncProperty<Root, CMTimeRange> {
    AVAsyncProperty { $0.timeRange }
  }

  public static var minFrameDuration: AVAsyncProperty<Root, CMTime> {
    AVAsyncProperty { $0.minFrameDuration }
  }
}
