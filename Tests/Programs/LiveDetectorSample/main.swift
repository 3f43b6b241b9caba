// Fovea - a live detector as phones have it: layers over frames, drawn into pictures.
// SPDX-License-Identifier: Apache-2.0
//
// FOVEA_CAMERA=VIDEO LiveDetectorSample MODEL FOLDER [every]
//
// Writes a picture of the layers for every frame that was analyzed into the folder. With "every" the
// video waits for the detector.
import AVFoundation
import QuartzCore
import Vision

class LiveDetector: NSObject, AVCaptureVideoDataOutputSampleBufferDelegate {
  private let captureSession = AVCaptureSession()
  private var videoOutput = AVCaptureVideoDataOutput()
  private var requests = [VNRequest]()
  private var screenRect = CGRect.zero
  private let rootLayer = CALayer()
  private var detectionLayer: CALayer! = nil
  private let folder: URL
  private(set) var analyzed = 0
  private(set) var dropped = 0

  init(folder: URL) {
    self.folder = folder
    super.init()
  }

  func setupCaptureSession(discardsLateFrames: Bool) throws {
    captureSession.sessionPreset = AVCaptureSession.Preset.high
    guard let camera = AVCaptureDevice.default(for: .video) else {
      throw AVError(.deviceNotConnected)
    }
    captureSession.addInput(try AVCaptureDeviceInput(device: camera))
    videoOutput.videoSettings = [
      kCVPixelBufferPixelFormatTypeKey as String: Int(kCVPixelFormatType_32BGRA)
    ]
    videoOutput.alwaysDiscardsLateVideoFrames = discardsLateFrames
    videoOutput.setSampleBufferDelegate(self, queue: DispatchQueue(label: "sampleBufferQueue"))
    captureSession.addOutput(videoOutput)
    videoOutput.connection(with: .video)?.videoOrientation = .portrait
  }

  func setupDetector(_ modelURL: URL) throws {
    let compiled = try MLModel.compileModel(at: modelURL)
    let visionModel = try VNCoreMLModel(for: MLModel(contentsOf: compiled))
    let recognitions = VNCoreMLRequest(
      model: visionModel, completionHandler: detectionDidComplete)
    recognitions.imageCropAndScaleOption = .scaleFill
    requests = [recognitions]
  }

  /// Layers as large as the frames, made with the first one.
  func setupLayers(_ size: CGSize) {
    screenRect = CGRect(origin: .zero, size: size)
    rootLayer.frame = screenRect
    detectionLayer = CALayer()
    detectionLayer.frame = screenRect
    rootLayer.addSublayer(detectionLayer)
  }

  /// Runs until the source ends.
  func run() {
    captureSession.startRunning()
    while captureSession.isRunning {
      RunLoop.main.run(until: Date(timeIntervalSinceNow: 0.05))
    }
    RunLoop.main.run(until: Date(timeIntervalSinceNow: 0.05))
  }

  // MARK: Frames

  func captureOutput(
    _ output: AVCaptureOutput, didOutput sampleBuffer: CMSampleBuffer,
    from connection: AVCaptureConnection
  ) {
    guard let pixelBuffer = CMSampleBufferGetImageBuffer(sampleBuffer) else { return }
    let imageRequestHandler = VNImageRequestHandler(
      cvPixelBuffer: pixelBuffer, orientation: .up, options: [:])
    DispatchQueue.main.sync {
      if detectionLayer == nil { setupLayers(CVImageBufferGetDisplaySize(pixelBuffer)) }
    }
    do {
      try imageRequestHandler.perform(self.requests)
    } catch {
      print(error)
    }
    // The boxes were sent to the main queue before.
    let time = CMTimeGetSeconds(sampleBuffer.presentationTimeStamp)
    DispatchQueue.main.sync { show(pixelBuffer, time) }
  }

  func captureOutput(
    _ output: AVCaptureOutput, didDrop sampleBuffer: CMSampleBuffer,
    from connection: AVCaptureConnection
  ) {
    DispatchQueue.main.async { self.dropped += 1 }
  }

  func detectionDidComplete(request: VNRequest, error: Error?) {
    DispatchQueue.main.async(execute: {
      if let results = request.results {
        self.extractDetections(results)
      }
    })
  }

  // MARK: Layers

  func extractDetections(_ results: [VNObservation]) {
    detectionLayer.sublayers = nil  // Remove all previous detections

    for observation in results where observation is VNRecognizedObjectObservation {
      guard let objectObservation = observation as? VNRecognizedObjectObservation else { continue }
      let objectBounds = VNImageRectForNormalizedRect(
        objectObservation.boundingBox, Int(screenRect.size.width), Int(screenRect.size.height))
      let transformedBounds = CGRect(
        x: objectBounds.minX, y: screenRect.size.height - objectBounds.maxY,
        width: objectBounds.maxX - objectBounds.minX,
        height: objectBounds.maxY - objectBounds.minY)
      let boxLayer = self.drawBoundingBox(transformedBounds)
      boxLayer.addSublayer(drawLabel(objectObservation, transformedBounds))
      boxLayer.name = objectObservation.labels[0].identifier
      detectionLayer.addSublayer(boxLayer)
    }
  }

  func drawBoundingBox(_ bounds: CGRect) -> CALayer {
    let boxLayer = CALayer()
    boxLayer.frame = bounds
    boxLayer.borderWidth = 3.0
    boxLayer.borderColor = CGColor.init(red: 1.0, green: 0.8, blue: 0.0, alpha: 1.0)
    boxLayer.cornerRadius = 4
    return boxLayer
  }

  func drawLabel(_ observation: VNRecognizedObjectObservation, _ bounds: CGRect) -> CATextLayer {
    let textLayer = CATextLayer()
    let percent = Int((observation.confidence * 100).rounded())
    textLayer.string = "\(observation.labels[0].identifier) \(percent) %"
    textLayer.fontSize = 13
    textLayer.foregroundColor = CGColor(gray: 0, alpha: 1)
    textLayer.backgroundColor = CGColor(red: 1.0, green: 0.8, blue: 0.0, alpha: 0.8)
    textLayer.frame = CGRect(x: 0, y: -17, width: max(90, bounds.width), height: 17)
    textLayer.alignmentMode = .center
    return textLayer
  }

  /// Draws the layers over the frame and writes what they look like.
  private func show(_ pixelBuffer: CVPixelBuffer, _ time: Double) {
    let picture = CIImage(cvPixelBuffer: pixelBuffer)
    rootLayer.contents = CIContext().createCGImage(picture, from: picture.extent)
    for box in detectionLayer.sublayers ?? [] {
      let frame = [box.frame.minX, box.frame.minY, box.frame.width, box.frame.height]
      print(time, box.name ?? "", frame.map { String(Int($0.rounded())) }.joined(separator: " "))
    }
    let (width, height) = (Int(screenRect.width), Int(screenRect.height))
    guard
      let context = CGContext(
        data: nil, width: width, height: height, bitsPerComponent: 8, bytesPerRow: 0,
        space: CGColorSpaceCreateDeviceRGB(),
        bitmapInfo: CGImageAlphaInfo.premultipliedLast.rawValue)
    else { return }
    // Layers count y from the top.
    context.translateBy(x: 0, y: screenRect.height)
    context.scaleBy(x: 1, y: -1)
    rootLayer.render(in: context)
    let url = folder.appendingPathComponent("frame-\(analyzed).png")
    if let image = context.makeImage(),
      let file = CGImageDestinationCreateWithURL(url as CFURL, "public.png" as CFString, 1, nil)
    {
      CGImageDestinationAddImage(file, image, nil)
      CGImageDestinationFinalize(file)
    }
    analyzed += 1
  }
}

let detector = LiveDetector(folder: URL(fileURLWithPath: CommandLine.arguments[2]))
do {
  try detector.setupDetector(URL(fileURLWithPath: CommandLine.arguments[1]))
  try detector.setupCaptureSession(
    discardsLateFrames: !CommandLine.arguments.dropFirst(3).contains("every"))
  detector.run()
  print("analyzed", detector.analyzed, "dropped", detector.dropped)
} catch {
  print(error)
}
