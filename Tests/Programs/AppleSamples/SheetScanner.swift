// Fovea - a program as people write it: sheets, codes and words, drawn over the picture.
// SPDX-License-Identifier: Apache-2.0
import CoreGraphics
import CoreImage
import Foundation
import ImageIO
import Vision

public struct Sheet {
  public let corners: [CGPoint]
  public let frame: CGRect
  public let confidence: VNConfidence
}

public final class SheetScanner {
  public private(set) var sheets: [Sheet] = []
  public private(set) var words: [String] = []
  public private(set) var lastError: NSError?

  private lazy var rectangleRequest: VNDetectRectanglesRequest = {
    let request = VNDetectRectanglesRequest(completionHandler: self.handleRectangles)
    request.maximumObservations = 0
    request.minimumSize = 0.1
    request.minimumAspectRatio = 0.2
    request.maximumAspectRatio = 1.0
    request.quadratureTolerance = 25
    request.minimumConfidence = 0.3
    return request
  }()

  private lazy var textRequest: VNRecognizeTextRequest = {
    let request = VNRecognizeTextRequest { [unowned self] request, error in
      guard let observations = request.results as? [VNRecognizedTextObservation] else { return }
      self.words = observations.flatMap { observation -> [String] in
        guard let best = observation.topCandidates(1).first, best.confidence > 0 else { return [] }
        return best.string.components(separatedBy: .whitespaces)
      }
    }
    request.recognitionLevel = .fast
    request.usesLanguageCorrection = false
    request.minimumTextHeight = 0
    if let languages = try? request.supportedRecognitionLanguages(), languages.contains("en-US") {
      request.recognitionLanguages = ["en-US"]
    }
    return request
  }()

  private var imageSize = CGSize.zero

  public init() {}

  private func handleRectangles(request: VNRequest?, error: Error?) {
    if let nsError = error as NSError? {
      lastError = nsError
      return
    }
    guard let results = request?.results as? [VNRectangleObservation] else { return }
    // From fractions counted from below to pixels counted from above.
    let flip = CGAffineTransform(scaleX: 1, y: -1).translatedBy(x: 0, y: -imageSize.height)
    let scale = CGAffineTransform.identity.scaledBy(x: imageSize.width, y: imageSize.height)
    sheets = results.map { observation in
      let corners = [
        observation.topLeft, observation.topRight, observation.bottomRight,
        observation.bottomLeft,
      ]
      return Sheet(
        corners: corners.map { $0.applying(scale).applying(flip) },
        frame: observation.boundingBox.applying(scale.concatenating(flip)),
        confidence: observation.confidence)
    }
  }

  /// Looks at a picture as a camera stored it.
  public func scan(_ image: CIImage, orientation: CGImagePropertyOrientation, readsText: Bool) {
    let upright = image.oriented(orientation)
    imageSize = upright.extent.size
    let handler = VNImageRequestHandler(
      ciImage: image, orientation: orientation, options: [VNImageOption.ciContext: CIContext()])
    do {
      try handler.perform(readsText ? [rectangleRequest, textRequest] : [rectangleRequest])
    } catch let error as NSError {
      lastError = error
    }
  }

  /// Looks at a part of a picture; what is found is told in fractions of the whole.
  public func scan(_ image: CGImage, in part: CGRect) throws -> [CGRect] {
    imageSize = CGSize(width: image.width, height: image.height)
    rectangleRequest.regionOfInterest = VNNormalizedRectForImageRect(
      part, image.width, image.height)
    defer { rectangleRequest.regionOfInterest = CGRect(x: 0, y: 0, width: 1, height: 1) }
    try VNImageRequestHandler(cgImage: image, options: [:]).perform([rectangleRequest])
    return (rectangleRequest.results ?? []).map {
      VNImageRectForNormalizedRect($0.boundingBox, image.width, image.height)
    }
  }

  /// The picture with a line around every sheet.
  public func annotated(_ image: CGImage) -> CGImage? {
    let context = CGContext(
      data: nil, width: image.width, height: image.height, bitsPerComponent: 8, bytesPerRow: 0,
      space: CGColorSpaceCreateDeviceRGB(),
      bitmapInfo: CGImageAlphaInfo.noneSkipLast.rawValue)!
    context.interpolationQuality = .none
    context.draw(image, in: CGRect(x: 0, y: 0, width: image.width, height: image.height))
    context.concatenate(
      CGAffineTransform(translationX: 0, y: CGFloat(image.height)).scaledBy(x: 1, y: -1))
    context.setStrokeColor(red: 0, green: 1, blue: 0, alpha: 1)
    context.setLineWidth(3)
    for sheet in sheets {
      context.beginPath()
      context.move(to: sheet.corners[0])
      sheet.corners.dropFirst().forEach { context.addLine(to: $0) }
      context.closePath()
      context.strokePath()
    }
    context.setFillColor(
      CGColor(colorSpace: CGColorSpaceCreateDeviceRGB(), components: [1, 0, 0, 1])!)
    for corner in sheets.flatMap({ $0.corners }) {
      context.addRect(CGRect(x: corner.x - 2, y: corner.y - 2, width: 4, height: 4))
    }
    context.fillPath()
    return context.makeImage()
  }
}
