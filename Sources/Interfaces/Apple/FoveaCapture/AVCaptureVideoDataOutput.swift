// Fovea - frames of a session, for a delegate.
// SPDX-License-Identifier: Apache-2.0
public import Dispatch
public import FoveaApple
public import Foundation
internal import FoveaVideo

/// What takes frames of a session.
open class AVCaptureOutput: NSObject {
  private let lock = NSLock()
  private var joined: AVCaptureConnection?

  override init() { super.init() }

  open var connections: [AVCaptureConnection] { connection.map { [$0] } ?? [] }

  /// The connection to the session's camera; `nil` before the output is added to a session.
  open func connection(with mediaType: AVMediaType) -> AVCaptureConnection? {
    mediaType == .video ? connection : nil
  }

  var connection: AVCaptureConnection? {
    get { lock.withLock { joined } }
    set { lock.withLock { joined = newValue } }
  }
}

/// Gets frames. Its methods are called on the queue that the output was given.
public protocol AVCaptureVideoDataOutputSampleBufferDelegate: NSObjectProtocol {
  /// A frame.
  func captureOutput(
    _ output: AVCaptureOutput, didOutput sampleBuffer: CMSampleBuffer,
    from connection: AVCaptureConnection)

  /// A frame that came too late: its time, without its pixels.
  func captureOutput(
    _ output: AVCaptureOutput, didDrop sampleBuffer: CMSampleBuffer,
    from connection: AVCaptureConnection)
}

extension AVCaptureVideoDataOutputSampleBufferDelegate {
  public func captureOutput(
    _ output: AVCaptureOutput, didOutput sampleBuffer: CMSampleBuffer,
    from connection: AVCaptureConnection
  ) {}

  public func captureOutput(
    _ output: AVCaptureOutput, didDrop sampleBuffer: CMSampleBuffer,
    from connection: AVCaptureConnection
  ) {}
}

/// Hands the frames of a session to a delegate, one at a time.
///
/// A frame that comes while the delegate is at work is dropped, unless
/// `alwaysDiscardsLateVideoFrames` is `false`: then the source waits.
public final class AVCaptureVideoDataOutput: AVCaptureOutput, @unchecked Sendable {  // locked
  private struct Setting {
    weak var delegate: (any AVCaptureVideoDataOutputSampleBufferDelegate)?
    var queue: DispatchQueue?
    var settings: [String: Any]?
    var discards = true
    /// Whether the delegate has a frame.
    var isBusy = false
  }

  private let state = NSCondition()
  private var setting = Setting()

  public override init() { super.init() }

  private func withSetting<Result>(_ body: (inout Setting) -> Result) -> Result {
    state.lock()
    defer { state.unlock() }
    return body(&setting)
  }

  public func setSampleBufferDelegate(
    _ sampleBufferDelegate: (any AVCaptureVideoDataOutputSampleBufferDelegate)?,
    queue sampleBufferCallbackQueue: DispatchQueue?
  ) {
    withSetting {
      $0.delegate = sampleBufferDelegate
      $0.queue = sampleBufferCallbackQueue
    }
  }

  public var sampleBufferDelegate: (any AVCaptureVideoDataOutputSampleBufferDelegate)? {
    withSetting { $0.delegate }
  }

  public var sampleBufferCallbackQueue: DispatchQueue? { withSetting { $0.queue } }

  /// The format of the pixels, by `kCVPixelBufferPixelFormatTypeKey`; without it luma and chroma.
  public var videoSettings: [String: Any]! {
    get { withSetting { $0.settings } ?? [:] }
    set { withSetting { $0.settings = newValue } }
  }

  public var alwaysDiscardsLateVideoFrames: Bool {
    get { withSetting { $0.discards } }
    set { withSetting { $0.discards = newValue } }
  }

  public var availableVideoPixelFormatTypes: [OSType] { FramePixels.formats }

  var format: OSType? { withSetting { FramePixels.format(in: $0.settings) } }

  // MARK: The session's thread

  /// What becomes of a frame.
  enum Fate {
    case handed, dropped, unwanted
  }

  /// Claims the delegate for a frame. Waits for it where no frame is dropped.
  ///
  /// - Parameter isOver: Whether the session is being stopped.
  func claim(isOver: () -> Bool) -> Fate {
    state.lock()
    defer { state.unlock() }
    guard setting.delegate != nil, setting.queue != nil, connection?.isEnabled ?? false else {
      return .unwanted
    }
    while setting.isBusy {
      if setting.discards { return .dropped }
      if isOver() { return .unwanted }
      _ = state.wait(until: Date(timeIntervalSinceNow: 0.02))
    }
    setting.isBusy = true
    return .handed
  }

  /// Gives the delegate back without a frame.
  func release() {
    withSetting { $0.isBusy = false }
    state.lock()
    state.broadcast()
    state.unlock()
  }

  /// Calls the delegate on its queue.
  func deliver(_ sample: CMSampleBuffer, isDropped: Bool) {
    let (delegate, queue) = withSetting { ($0.delegate, $0.queue) }
    guard let delegate, let queue, let connection else {
      if !isDropped { release() }
      return
    }
    nonisolated(unsafe) let (receiver, buffer, from) = (delegate, sample, connection)
    queue.async { [self] in
      if isDropped {
        receiver.captureOutput(self, didDrop: buffer, from: from)
      } else {
        receiver.captureOutput(self, didOutput: buffer, from: from)
        release()
      }
    }
  }

  /// Waits until the delegate has returned.
  func drain(isOver: () -> Bool) {
    state.lock()
    while setting.isBusy, !isOver() {
      _ = state.wait(until: Date(timeIntervalSinceNow: 0.02))
    }
    state.unlock()
  }
}
