// Fovea - tests of sessions over a file that stands for a camera.
// SPDX-License-Identifier: Apache-2.0
import AVFoundation
import FoveaCapture
import FoveaVideo
import Testing

/// Takes frames as counted programs do, and remembers what came.
private final class Taker: NSObject, AVCaptureVideoDataOutputSampleBufferDelegate,
  @unchecked Sendable
{
  static let key = DispatchSpecificKey<Int>()
  private let lock = NSLock()
  private var (kept, lost): ([Int], [Double]) = ([], [])
  private var sizes: Set<[Int]> = []
  private var faults: [String] = []
  let pause: TimeInterval

  init(pause: TimeInterval = 0) { self.pause = pause }

  var levels: [Int] { lock.withLock { kept } }
  var dropped: [Double] { lock.withLock { lost } }
  var problems: [String] { lock.withLock { faults } }
  var size: [Int]? { lock.withLock { sizes.count == 1 ? sizes.first : nil } }

  func captureOutput(
    _ output: AVCaptureOutput, didOutput sampleBuffer: CMSampleBuffer,
    from connection: AVCaptureConnection
  ) {
    guard let pixelBuffer = CMSampleBufferGetImageBuffer(sampleBuffer) else { return }
    CVPixelBufferLockBaseAddress(pixelBuffer, CVPixelBufferLockFlags(rawValue: 0))
    let base = CVPixelBufferGetBaseAddress(pixelBuffer)!
    let row = base + 5 * CVPixelBufferGetBytesPerRow(pixelBuffer)
    let level = Int(row.load(fromByteOffset: 4 * 5, as: UInt8.self))
    CVPixelBufferUnlockBaseAddress(pixelBuffer, [])
    lock.withLock {
      kept.append(level)
      sizes.insert([CVPixelBufferGetWidth(pixelBuffer), CVPixelBufferGetHeight(pixelBuffer)])
      if DispatchQueue.getSpecific(key: Self.key) != 7 { faults.append("another queue") }
      if CVPixelBufferGetPixelFormatType(pixelBuffer) != kCVPixelFormatType_32BGRA {
        faults.append("another format")
      }
      if connection.output !== output { faults.append("another connection") }
    }
    if pause > 0 { Thread.sleep(forTimeInterval: pause) }
  }

  func captureOutput(
    _ output: AVCaptureOutput, didDrop sampleBuffer: CMSampleBuffer,
    from connection: AVCaptureConnection
  ) {
    lock.withLock {
      lost.append(CMTimeGetSeconds(CMSampleBufferGetPresentationTimeStamp(sampleBuffer)))
      if sampleBuffer.imageBuffer != nil { faults.append("pixels of a dropped frame") }
      let reason = CMGetAttachment(
        sampleBuffer, key: kCMSampleBufferAttachmentKey_DroppedFrameReason, attachmentModeOut: nil)
      if reason as? String != kCMSampleBufferDroppedFrameReason_FrameWasLate as String {
        faults.append("no reason")
      }
    }
  }
}

@Suite("Sessions over a file", .serialized) struct CaptureTests {
  /// Runs a session over a film until it ends.
  private func run(
    _ film: GrayFilm, _ taker: Taker, _ change: (AVCaptureSession, AVCaptureVideoDataOutput) -> Void
  ) throws -> AVCaptureSession {
    let session = AVCaptureSession()
    let device = AVCaptureDevice(.file(film.url.path))
    session.beginConfiguration()
    let input = try AVCaptureDeviceInput(device: device)
    #expect(session.canAddInput(input))
    session.addInput(input)
    let output = AVCaptureVideoDataOutput()
    output.videoSettings = [
      kCVPixelBufferPixelFormatTypeKey as String: Int(kCVPixelFormatType_32BGRA)
    ]
    let queue = DispatchQueue(label: "sampleBufferQueue")
    queue.setSpecific(key: Taker.key, value: 7)
    output.setSampleBufferDelegate(taker, queue: queue)
    if session.canAddOutput(output) { session.addOutput(output) }
    output.connection(with: .video)?.videoOrientation = .portrait
    change(session, output)
    session.commitConfiguration()
    let ended = DispatchSemaphore(value: 0)
    let token = NotificationCenter.default.addObserver(
      forName: .AVCaptureSessionDidStopRunning, object: session, queue: nil
    ) { _ in ended.signal() }
    session.startRunning()
    #expect(session.isRunning)
    #expect(ended.wait(timeout: .now() + 20) == .success)
    NotificationCenter.default.removeObserver(token)
    queue.sync {}
    #expect(!session.isRunning)
    #expect(taker.problems.isEmpty)
    return session
  }

  @Test("A delegate that is told of every frame sees each once, in order") func all() throws {
    let taker = Taker(pause: 0.005)
    let film = try GrayFilm()
    let session = try run(film, taker) { $1.alwaysDiscardsLateVideoFrames = false }
    #expect(taker.levels.count == 12 && taker.dropped.isEmpty)
    #expect(taker.levels.enumerated().allSatisfy { abs($1 - 20 * $0) <= 2 })
    #expect(taker.size == [64, 48])
    let preview = AVCaptureVideoPreviewLayer(session: session)
    preview.frame = CGRect(x: 0, y: 0, width: 128, height: 48)
    preview.videoGravity = .resizeAspectFill
    let pixels = try LayerPixels(preview, width: 128, height: 48)
    #expect(abs(Int(pixels[40, 20][0]) - 220) <= 2 && pixels[120, 40][0] > 250)
    let outline = filled(0, 0, 10, 10, red)
    preview.addSublayer(outline)
    #expect(try LayerPixels(preview, width: 128, height: 48)[5, 5] == [255, 0, 0, 255])
    // What another project does before it draws new boxes.
    preview.sublayers?.removeSubrange(1...)
    #expect(outline.superlayer == nil && preview.sublayers?.count == 1)
    #expect(
      AVMakeRect(
        aspectRatio: CGSize(width: 2, height: 1),
        insideRect: CGRect(x: 0, y: 0, width: 4, height: 4))
        == CGRect(x: 0, y: 1, width: 4, height: 2))
    let place = preview.layerRectConverted(
      fromMetadataOutputRect: CGRect(x: 0, y: 0.25, width: 1, height: 0.5))
    #expect(place == CGRect(x: 0, y: 0, width: 128, height: 48))
  }

  @Test("What comes while the delegate is at work is dropped, and told of") func late() throws {
    let taker = Taker(pause: 0.09)
    _ = try run(try GrayFilm(), taker) { _, _ in }
    #expect(taker.levels.count + taker.dropped.count == 12)
    #expect(!taker.levels.isEmpty && !taker.dropped.isEmpty)
    #expect(taker.levels == taker.levels.sorted() && taker.dropped == taker.dropped.sorted())
  }

  @Test("A preset's size is filled, and frames are mirrored") func sizes() throws {
    let taker = Taker()
    _ = try run(try GrayFilm(frames: 3), taker) { session, output in
      session.sessionPreset = AVCaptureSession.Preset.cif352x288
      output.connection(with: AVMediaType.video)?.isVideoMirrored = true
      output.alwaysDiscardsLateVideoFrames = false
    }
    #expect(taker.size == [352, 288])
    #expect(taker.levels.allSatisfy { $0 > 250 } && taker.levels.count == 3)
  }

  @Test("A session can be stopped while its delegate is at work") func stopping() throws {
    let taker = Taker(pause: 0.05)
    let session = AVCaptureSession()
    let film = try GrayFilm()
    session.addInput(try AVCaptureDeviceInput(device: AVCaptureDevice(.file(film.url.path))))
    #expect(!session.canAddInput(session.inputs[0]))
    let output = AVCaptureVideoDataOutput()
    output.setSampleBufferDelegate(taker, queue: DispatchQueue(label: "q"))
    session.addOutput(output)
    output.alwaysDiscardsLateVideoFrames = false
    session.startRunning()
    session.stopRunning()
    #expect(!session.isRunning && taker.levels.count <= 2)
    #expect(throws: AVError.self) {
      _ = try AVCaptureDeviceInput(device: AVCaptureDevice(.file("/no/such/film.mp4")))
    }
  }
}
