// Fovea - pictures of a film at moments.
// SPDX-License-Identifier: Apache-2.0
public import FoveaApple
public import Foundation
internal import FoveaGeometry
internal import FoveaVideo

/// Gives pictures of a film: at each moment the one that a viewer sees.
public final class AVAssetImageGenerator: NSObject, @unchecked Sendable {  // because it is locked
  public let asset: AVAsset
  /// Whether pictures are turned upright.
  public var appliesPreferredTrackTransform = false
  /// The size that pictures fit into; zero sides for their own size.
  public var maximumSize = CGSize.zero
  // How far from the moment a picture may lie. The exact one is always given.
  public var requestedTimeToleranceBefore = CMTime.positiveInfinity
  public var requestedTimeToleranceAfter = CMTime.positiveInfinity

  private let lock = NSLock()
  /// The film, read up to a frame and the one after it.
  private var reading: (film: any VideoReader, frame: VideoFrame, next: VideoFrame?)?

  public init(asset: AVAsset) { self.asset = asset }

  /// The picture at a moment, and the time when it begins to be seen.
  ///
  /// - Throws: `AVError` for a film that cannot be read, and for a moment before or after it.
  public func copyCGImage(
    at requestedTime: CMTime, actualTime: UnsafeMutablePointer<CMTime>?
  ) throws -> CGImage {
    let (image, time) = try picture(at: requestedTime)
    actualTime?.pointee = time
    return image
  }

  /// The picture at a moment, and the time when it begins to be seen.
  ///
  /// - Throws: As `copyCGImage(at:actualTime:)`.
  public func image(at time: CMTime) async throws -> (image: CGImage, actualTime: CMTime) {
    let (image, actual) = try picture(at: time)
    return (image, actual)
  }

  public func generateCGImageAsynchronously(
    for requestedTime: CMTime,
    completionHandler handler: @escaping @Sendable (CGImage?, CMTime, (any Error)?) -> Void
  ) {
    do {
      let (image, time) = try picture(at: requestedTime)
      handler(image, time, nil)
    } catch {
      handler(nil, .invalid, error)
    }
  }

  private func picture(at time: CMTime) throws -> (CGImage, CMTime) {
    let film = try asset.described()
    let times = FrameTimes(film.video)
    guard time.isNumeric, time.seconds >= 0, time.seconds <= film.seconds + 1e-6 else {
      throw AVError(.noImageAtTime, "the film has no picture at \(time.seconds) s")
    }
    let frame = try lock.withLock {
      do {
        return try self.frame(at: time.seconds)
      } catch let error as VideoError {
        throw AVError(error)
      }
    }
    guard let frame else { throw AVError(.noImageAtTime, "the film has no pictures") }
    return (try image(of: frame), times.time(frame.time))
  }

  /// Reads on to the last frame that begins at or before a moment; from the start to go back.
  private func frame(at seconds: Double) throws -> VideoFrame? {
    // Half a microsecond forgives times that were rounded.
    let moment = seconds + 5e-7
    if reading == nil || (reading?.frame.time ?? 0) > moment {
      let film = try asset.source.open()
      guard let first = try film.next() else { return nil }
      reading = (film, first, try film.next())
    }
    while let current = reading, let next = current.next, next.time <= moment {
      reading = (current.film, next, try current.film.next())
    }
    return reading?.frame
  }

  private func image(of frame: VideoFrame) throws -> CGImage {
    let turned = appliesPreferredTrackTransform ? frame.orientation : .up
    let upright = turned.uprightSize(of: frame.size)
    let (width, height) = (CGFloat(upright.width), CGFloat(upright.height))
    let factor = min(
      maximumSize.width > 0 ? maximumSize.width / width : 1,
      maximumSize.height > 0 ? maximumSize.height / height : 1, 1)
    let size = ImageSize(
      width: max(1, Int((width * factor).rounded())),
      height: max(1, Int((height * factor).rounded())))
    let pixels = FramePixels(format: kCVPixelFormatType_32BGRA, size: size)
    guard let buffer = pixels.buffer(of: frame, turned: turned),
      let image = CIContext().createCGImage(
        CIImage(cvPixelBuffer: buffer),
        from: CGRect(x: 0, y: 0, width: size.width, height: size.height))
    else { throw AVError(.outOfMemory) }
    return image
  }
}
