// Fovea - a program as people write it: one frame of a camera at a time, on a queue of its own.
// SPDX-License-Identifier: Apache-2.0
import AVFoundation
import CoreML
import QuartzCore
import Vision

#if canImport(os)
  import os.signpost
#endif

public protocol CameraPipelineDelegate: AnyObject {
  func pipeline(_ pipeline: CameraPipeline, found: [Prediction], at time: CMTime)
}

/// Thresholds for a detector, beside the picture.
class ThresholdProvider: MLFeatureProvider {
  var values: [String: MLFeatureValue]

  init(iou: Double, confidence: Double) {
    values = [
      "iouThreshold": MLFeatureValue(double: iou),
      "confidenceThreshold": MLFeatureValue(double: confidence),
    ]
  }

  var featureNames: Set<String> { return Set(values.keys) }

  func featureValue(for featureName: String) -> MLFeatureValue? { return values[featureName] }
}

public class CameraPipeline: NSObject {
  public weak var delegate: CameraPipelineDelegate?
  public private(set) var skipped = 0
  public private(set) var framesPerSecond = 0.0
  public private(set) var bufferSize = CGSize.zero

  let captureSession = AVCaptureSession()
  let videoOutput = AVCaptureVideoDataOutput()
  let queue = DispatchQueue(label: "camera.queue", qos: .userInitiated)
  let inferenceQueue = DispatchQueue(label: "inference.queue")
  private let semaphore = DispatchSemaphore(value: 1)
  private let visionModel: VNCoreMLModel
  private var frameCount = 0
  private var startTime = CACurrentMediaTime()
  private var currentTime = CMTime()
  private var currentHandler: VNImageRequestHandler?
  private var camera: AVCaptureDevice?

  lazy var visionRequest: VNCoreMLRequest = {
    let request = VNCoreMLRequest(
      model: visionModel,
      completionHandler: { [weak self] request, error in
        self?.processObservations(for: request, error: error)
      })
    // NOTE: If you choose another crop/scale option, then you must also
    // change how the boxes get scaled when they are drawn.
    request.imageCropAndScaleOption = .scaleFill
    return request
  }()

  public init(modelURL: URL, confidence: Double) throws {
    visionModel = try VNCoreMLModel(for: MLModel(contentsOf: modelURL))
    visionModel.featureProvider = ThresholdProvider(iou: 0.45, confidence: confidence)
    super.init()
    assert(visionRequest.model === visionModel)
  }

  public func setUp(
    camera: AVCaptureDevice, sessionPreset: AVCaptureSession.Preset = .high,
    completion: @escaping (Bool) -> Void
  ) {
    self.camera = camera
    queue.async {
      let success = self.setUpCamera(sessionPreset: sessionPreset)
      DispatchQueue.global().async { completion(success) }
    }
  }

  func setUpCamera(sessionPreset: AVCaptureSession.Preset) -> Bool {
    captureSession.beginConfiguration()
    captureSession.sessionPreset = sessionPreset
    guard let captureDevice = camera else { return false }
    guard let videoInput = try? AVCaptureDeviceInput(device: captureDevice) else {
      print("Error: could not create AVCaptureDeviceInput")
      return false
    }
    if captureSession.canAddInput(videoInput) {
      captureSession.addInput(videoInput)
    }
    do {
      try captureDevice.lockForConfiguration()
      let dimensions = CMVideoFormatDescriptionGetDimensions(
        captureDevice.activeFormat.formatDescription)
      bufferSize.width = CGFloat(dimensions.width)
      bufferSize.height = CGFloat(dimensions.height)
      captureDevice.unlockForConfiguration()
    } catch {
      print(error)
    }
    let settings: [String: Any] = [
      kCVPixelBufferPixelFormatTypeKey as String: NSNumber(value: kCVPixelFormatType_32BGRA)
    ]
    videoOutput.videoSettings = settings
    videoOutput.alwaysDiscardsLateVideoFrames = false
    videoOutput.setSampleBufferDelegate(self, queue: queue)
    if captureSession.canAddOutput(videoOutput) {
      captureSession.addOutput(videoOutput)
    }
    let connection = videoOutput.connection(with: AVMediaType.video)
    if connection?.isVideoOrientationSupported == true {
      connection?.videoOrientation = .portrait
    }
    captureSession.commitConfiguration()
    return true
  }

  public func start() {
    if !captureSession.isRunning {
      startTime = CACurrentMediaTime()
      captureSession.startRunning()
    }
  }

  public func stop() {
    if captureSession.isRunning { captureSession.stopRunning() }
  }

  public var isRunning: Bool { captureSession.isRunning }

  /// Waits until all that was begun is done.
  public func drain() {
    queue.sync {}
    inferenceQueue.sync {}
  }

  func predict(_ sampleBuffer: CMSampleBuffer) {
    guard let pixelBuffer = CMSampleBufferGetImageBuffer(sampleBuffer) else {
      semaphore.signal()
      return
    }
    var options: [VNImageOption: Any] = [:]
    if let cameraIntrinsicMatrix = CMGetAttachment(
      sampleBuffer, key: kCMSampleBufferAttachmentKey_CameraIntrinsicMatrix,
      attachmentModeOut: nil)
    {
      options[.cameraIntrinsics] = cameraIntrinsicMatrix
    }
    currentTime = CMSampleBufferGetPresentationTimeStamp(sampleBuffer)
    bufferSize = CGSize(
      width: CVPixelBufferGetWidth(pixelBuffer), height: CVPixelBufferGetHeight(pixelBuffer))
    currentHandler = VNImageRequestHandler(cvPixelBuffer: pixelBuffer, options: options)
    inferenceQueue.async {
      autoreleasepool {
        do {
          try self.currentHandler?.perform([self.visionRequest])
        } catch {
          print("Error: Vision request failed with error \"\(error)\"")
        }
      }
    }
  }

  func processObservations(for request: VNRequest, error: Error?) {
    defer { semaphore.signal() }
    guard let results = request.results as? [VNRecognizedObjectObservation] else { return }
    frameCount += 1
    framesPerSecond = Double(frameCount) / (CACurrentMediaTime() - startTime)
    let scale = CGAffineTransform.identity.scaledBy(x: bufferSize.width, y: bufferSize.height)
    let transform = CGAffineTransform(scaleX: 1, y: -1).translatedBy(x: 0, y: -bufferSize.height)
    let predictions = results.map { observation in
      Prediction(
        label: observation.labels.first!.identifier, confidence: observation.confidence,
        rect: observation.boundingBox.applying(scale).applying(transform))
    }
    delegate?.pipeline(self, found: predictions, at: currentTime)
  }
}

extension CameraPipeline: AVCaptureVideoDataOutputSampleBufferDelegate {
  public func captureOutput(
    _ output: AVCaptureOutput, didOutput sampleBuffer: CMSampleBuffer,
    from connection: AVCaptureConnection
  ) {
    // Only one frame at a time: those that come while the model runs are left out.
    if semaphore.wait(timeout: .now()) == .success {
      predict(sampleBuffer)
    } else {
      skipped += 1
    }
  }

  public func captureOutput(
    _ output: AVCaptureOutput, didDrop sampleBuffer: CMSampleBuffer,
    from connection: AVCaptureConnection
  ) {}
}
