// Fovea - the thread that hands frames of a camera over.
// SPDX-License-Identifier: Apache-2.0
internal import Dispatch
internal import FoveaApple
internal import Foundation
internal import FoveaGeometry
internal import FoveaVideo

/// Takes the frames of a source as they come, and hands them to outputs and previews.
final class CaptureThread: @unchecked Sendable {  // because a lock holds what changes
  private let device: AVCaptureDevice
  private let size: ImageSize?
  private let previews: PreviewList
  private weak var session: AVCaptureSession?
  private let lock = NSLock()
  private var sequence: VideoSequence?
  private var (running, cancelled) = (false, false)
  private var sinks: [AVCaptureVideoDataOutput] = []
  private let ended = DispatchGroup()

  init(
    _ device: AVCaptureDevice, size: ImageSize?, previews: PreviewList, session: AVCaptureSession
  ) {
    (self.device, self.size, self.previews, self.session) = (device, size, previews, session)
  }

  var isRunning: Bool { lock.withLock { running } }
  private var isOver: Bool { lock.withLock { cancelled } }

  var outputs: [AVCaptureVideoDataOutput] {
    get { lock.withLock { sinks } }
    set { lock.withLock { sinks = newValue } }
  }

  func start() {
    var options = SequenceOptions()
    options.isPaced = true
    // Which frames are dropped is decided here, so that each can be told of.
    options.keeping = .all
    options.video.cameraSize = size
    let shortest = device.activeVideoMinFrameDuration
    if shortest.isNumeric, shortest.seconds > 0 {
      options.video.cameraRate = 1 / shortest.seconds
    }
    do {
      let sequence = try VideoSequence(device.source, options)
      lock.withLock {
        self.sequence = sequence
        running = true
      }
      ended.enter()
      post(.AVCaptureSessionDidStartRunning)
      Thread.detachNewThread { [self] in
        let failure = run(sequence)
        // Who is told of the end may stop the session.
        ended.leave()
        if let failure { post(.AVCaptureSessionRuntimeError, failure) }
        post(.AVCaptureSessionDidStopRunning)
      }
    } catch {
      post(.AVCaptureSessionRuntimeError, AVError(error))
    }
  }

  func cancel() {
    lock.withLock { cancelled = true }
    lock.withLock { sequence }?.cancel()
  }

  func stop() {
    cancel()
    ended.wait()
  }

  private func post(_ name: Notification.Name, _ error: AVError? = nil) {
    guard let session else { return }
    NotificationCenter.default.post(
      name: name, object: session, userInfo: error.map { [AVCaptureSessionErrorKey: $0] })
  }

  /// Hands frames over until the source ends.
  ///
  /// - Returns: What went wrong.
  private func run(_ sequence: VideoSequence) -> AVError? {
    var failure: AVError?
    do {
      var sender = FrameSender(size: size)
      while let (frame, _) = try sequence.next(), !isOver {
        previews.show(frame)
        let times = FrameTimes(sequence.description)
        for output in outputs { sender.send(frame, to: output, times, isOver: { isOver }) }
      }
    } catch {
      failure = AVError(error)
    }
    for output in outputs { output.drain(isOver: { isOver }) }
    lock.withLock { running = false }
    return isOver ? nil : failure
  }
}

/// Makes samples of frames for outputs.
private struct FrameSender {
  private var converters: [ObjectIdentifier: FramePixels] = [:]
  private let size: ImageSize?

  init(size: ImageSize?) { self.size = size }

  mutating func send(
    _ frame: VideoFrame, to output: AVCaptureVideoDataOutput, _ times: FrameTimes,
    isOver: () -> Bool
  ) {
    let format = output.format
    let upright = size ?? frame.orientation.uprightSize(of: frame.size)
    let stated = format ?? kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange
    switch output.claim(isOver: isOver) {
    case .unwanted: return
    case .dropped:
      let sample = frame.sample(nil, size: upright, format: stated, times)
      CMSetAttachment(
        sample, key: kCMSampleBufferAttachmentKey_DroppedFrameReason,
        value: kCMSampleBufferDroppedFrameReason_FrameWasLate,
        attachmentMode: kCMAttachmentMode_ShouldPropagate)
      output.deliver(sample, isDropped: true)
    case .handed:
      let key = ObjectIdentifier(output)
      var converter = converters[key] ?? FramePixels(format: format, size: size)
      if converter.format != format { converter = FramePixels(format: format, size: size) }
      converters[key] = converter
      let isMirrored = output.connection?.isVideoMirrored ?? false
      let turned = isMirrored ? frame.orientation.mirrored : frame.orientation
      guard let buffer = converter.buffer(of: frame, turned: turned) else {
        return output.release()
      }
      let sample = frame.sample(buffer, size: upright, format: stated, times)
      output.deliver(sample, isDropped: false)
    }
  }
}

extension ImageOrientation {
  /// The same, and then mirrored left to right.
  var mirrored: ImageOrientation {
    switch self {
    case .up: .upMirrored
    case .upMirrored: .up
    case .down: .downMirrored
    case .downMirrored: .down
    case .left: .rightMirrored
    case .rightMirrored: .left
    case .right: .leftMirrored
    case .leftMirrored: .right
    }
  }
}
