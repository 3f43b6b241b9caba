// Fovea - the frames of a film, one after another.
// SPDX-License-Identifier: Apache-2.0
public import FoveaApple
public import Foundation
internal import FoveaGeometry
internal import FoveaVideo

/// Where frames of a film are taken from.
open class AVAssetReaderOutput: NSObject {
  /// Whether buffers belong to the caller alone; they always do.
  open var alwaysCopiesSampleData = true

  override init() { super.init() }

  open var mediaType: AVMediaType { .video }

  /// The next frame; `nil` at the end.
  open func copyNextSampleBuffer() -> CMSampleBuffer? { nil }
}

/// The frames of a track, as they are stored.
public final class AVAssetReaderTrackOutput: AVAssetReaderOutput {
  public let track: AVAssetTrack
  public let outputSettings: [String: Any]?
  weak var reader: AVAssetReader?
  private let pixels: FramePixels

  /// - Parameter outputSettings: The format of the pixels, by `kCVPixelBufferPixelFormatTypeKey`.
  ///   Without settings frames are decoded too, to luma and chroma.
  public init(track: AVAssetTrack, outputSettings: [String: Any]?) {
    (self.track, self.outputSettings) = (track, outputSettings)
    pixels = FramePixels(format: FramePixels.format(in: outputSettings))
  }

  var isPossible: Bool { pixels.format.map(FramePixels.formats.contains) ?? true }

  public override func copyNextSampleBuffer() -> CMSampleBuffer? {
    guard let reader, let frame = reader.nextFrame() else { return nil }
    guard let buffer = pixels.buffer(of: frame, turned: .up) else {
      reader.fail(AVError(.outOfMemory))
      return nil
    }
    return frame.sample(buffer, size: frame.size, format: buffer.format, reader.times)
  }
}

/// Reads the frames of a film, as fast as they are taken.
public final class AVAssetReader: NSObject {
  public enum Status: Int, Sendable {
    case unknown, reading, completed, failed, cancelled
  }

  public let asset: AVAsset
  public private(set) var outputs: [AVAssetReaderOutput] = []
  /// Which frames are read; set before reading begins.
  public var timeRange = CMTimeRange(start: .zero, duration: .positiveInfinity)
  private let lock = NSLock()
  private var (state, problem): (Status, AVError?) = (.unknown, nil)
  private var film: (any VideoReader)?
  private(set) var times: FrameTimes

  /// Opens a film.
  ///
  /// - Throws: `AVError` for one that cannot be read.
  public init(asset: AVAsset) throws {
    self.asset = asset
    times = FrameTimes(try asset.described().video)
  }

  public var status: Status { lock.withLock { state } }
  public var error: (any Error)? { lock.withLock { problem } }

  /// One output of a format that there is.
  public func canAdd(_ output: AVAssetReaderOutput) -> Bool {
    status == .unknown && outputs.isEmpty
      && (output as? AVAssetReaderTrackOutput)?.isPossible ?? false
  }

  public func add(_ output: AVAssetReaderOutput) {
    guard canAdd(output), let output = output as? AVAssetReaderTrackOutput else { return }
    outputs.append(output)
    output.reader = self
  }

  /// Begins; `false` where there is no output or the film cannot be opened, for which `error` tells
  /// why.
  public func startReading() -> Bool {
    lock.withLock { () -> Bool in
      guard state == .unknown else { return false }
      guard !outputs.isEmpty else {
        (state, problem) = (.failed, AVError(.operationNotAllowed, "there is no output"))
        return false
      }
      do throws(VideoError) {
        let film = try asset.source.open()
        self.film = film
        times = FrameTimes(film.description)
        state = .reading
        return true
      } catch {
        (state, problem) = (.failed, AVError(error))
        return false
      }
    }
  }

  public func cancelReading() {
    lock.withLock {
      if state == .reading || state == .unknown { state = .cancelled }
      film = nil
    }
  }

  func fail(_ error: AVError) { lock.withLock { (state, problem) = (.failed, error) } }

  func nextFrame() -> VideoFrame? {
    lock.withLock { () -> VideoFrame? in
      guard state == .reading, let film else { return nil }
      do throws(VideoError) {
        while let frame = try film.next() {
          let time = times.time(frame.time)
          if time < timeRange.start { continue }
          if timeRange.duration.isNumeric, time >= timeRange.end { break }
          return frame
        }
        state = .completed
      } catch {
        (state, problem) = (.failed, AVError(error))
      }
      self.film = nil
      return nil
    }
  }
}
