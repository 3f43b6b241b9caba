// Fovea - a program as people write it: boxes on frames.
// SPDX-License-Identifier: Apache-2.0
import CoreImage
import CoreML
import Vision

public struct Prediction {
  public let label: String
  public let confidence: VNConfidence
  public let rect: CGRect
}

public final class FrameDetector {
  var requests = [VNRequest]()
  public private(set) var predictions: [Prediction] = []
  private var bufferSize: CGSize = .zero

  public init(modelURL: URL) throws {
    let configuration = MLModelConfiguration()
    configuration.computeUnits = .cpuAndGPU
    let visionModel = try VNCoreMLModel(
      for: MLModel(contentsOf: modelURL, configuration: configuration))
    let objectRecognition = VNCoreMLRequest(model: visionModel) { request, error in
      if let results = request.results { self.show(results) }
    }
    objectRecognition.imageCropAndScaleOption = .scaleFill
    self.requests = [objectRecognition]
  }

  func show(_ results: [Any]) {
    predictions = []
    for observation in results where observation is VNRecognizedObjectObservation {
      guard let objectObservation = observation as? VNRecognizedObjectObservation else { continue }
      let topLabelObservation = objectObservation.labels[0]
      let objectBounds = VNImageRectForNormalizedRect(
        objectObservation.boundingBox, Int(bufferSize.width), Int(bufferSize.height))
      predictions.append(
        Prediction(
          label: topLabelObservation.identifier,
          confidence: topLabelObservation.confidence * objectObservation.confidence,
          rect: objectBounds))
    }
  }

  public func captureOutput(didOutput sampleBuffer: CMSampleBuffer) throws {
    guard let pixelBuffer = CMSampleBufferGetImageBuffer(sampleBuffer) else { return }
    bufferSize = CGSize(
      width: CVPixelBufferGetWidth(pixelBuffer), height: CVPixelBufferGetHeight(pixelBuffer))
    let imageRequestHandler = VNImageRequestHandler(
      cvPixelBuffer: pixelBuffer, orientation: .up, options: [:])
    try imageRequestHandler.perform(self.requests)
  }

  public static func pixelBuffer(from url: URL) -> CVPixelBuffer? {
    guard let image = CIImage(contentsOf: url) else { return nil }
    let attributes =
      [
        kCVPixelBufferCGImageCompatibilityKey: kCFBooleanTrue!,
        kCVPixelBufferCGBitmapContextCompatibilityKey: kCFBooleanTrue!,
      ] as CFDictionary
    var pixelBuffer: CVPixelBuffer?
    let status = CVPixelBufferCreate(
      kCFAllocatorDefault, Int(image.extent.width), Int(image.extent.height),
      kCVPixelFormatType_32BGRA, attributes, &pixelBuffer)
    guard status == kCVReturnSuccess, let buffer = pixelBuffer else { return nil }
    CVPixelBufferLockBaseAddress(buffer, CVPixelBufferLockFlags(rawValue: 0))
    CIContext(options: nil).render(image, to: buffer)
    CVPixelBufferUnlockBaseAddress(buffer, CVPixelBufferLockFlags(rawValue: 0))
    return buffer
  }

  public static func sampleBuffer(of pixelBuffer: CVPixelBuffer) -> CMSampleBuffer? {
    var format: CMVideoFormatDescription?
    CMVideoFormatDescriptionCreateForImageBuffer(
      allocator: kCFAllocatorDefault, imageBuffer: pixelBuffer, formatDescriptionOut: &format)
    var timing = CMSampleTimingInfo(
      duration: .invalid, presentationTimeStamp: CMTime(value: 1, timescale: 30),
      decodeTimeStamp: .invalid)
    var sample: CMSampleBuffer?
    CMSampleBufferCreateReadyWithImageBuffer(
      allocator: kCFAllocatorDefault, imageBuffer: pixelBuffer, formatDescription: format!,
      sampleTiming: &timing, sampleBufferOut: &sample)
    return sample
  }
}
