// Fovea - tests of requests behind the names of Vision.
// SPDX-License-Identifier: Apache-2.0
import CoreML
import Foundation
import FoveaApple
import FoveaAppleVision
import FoveaGeometry
import FoveaImaging
import FoveaRuntime
import FoveaTestSupport
import FoveaVision
import Testing

@Suite("Requests by the names of Vision") struct RequestTests {
  @Test("A classifier names the color, most likely first, for every kind of picture")
  func classifier() throws {
    let model = try ModelTests.withClassifier { try VNCoreMLModel(for: MLModel(contentsOf: $0)) }
    let buffer = try ModelTests.plain(0, 0, 255, side: 9)
    let image = try #require(
      CIContext().createCGImage(
        CIImage(cvPixelBuffer: buffer), from: CGRect(x: 0, y: 0, width: 9, height: 9)))
    let png = Data(try #require(try image.rgbImage?.pngBytes()))
    var calls = 0
    let request = VNCoreMLRequest(model: model) { request, error in
      #expect(error == nil)
      calls += 1
    }
    for handler in [
      VNImageRequestHandler(cvPixelBuffer: buffer), VNImageRequestHandler(cgImage: image),
      VNImageRequestHandler(ciImage: CIImage(cgImage: image).oriented(.left)),
      VNImageRequestHandler(data: png, orientation: .down),
    ] {
      try handler.perform([request])
      let found = try #require(request.results as? [VNClassificationObservation])
      #expect(found.map(\.identifier) == ["red", "blue", "green"])
      #expect(abs(Double(found[0].confidence) - exp(1) / (exp(1) + 2)) < 1e-6)
    }
    #expect(calls == 4)
  }

  @Test("Failures have the domain and codes of the framework, and others still run")
  func failures() throws {
    let model = try ModelTests.withClassifier { try VNCoreMLModel(for: MLModel(contentsOf: $0)) }
    var codes: [Int] = []
    let bad = VNCoreMLRequest(model: model) { _, error in
      codes.append((error as NSError?)?.code ?? -9)
    }
    bad.regionOfInterest = CGRect(x: 0.5, y: 0, width: 1, height: 1)
    let good = VNCoreMLRequest(model: model)
    #expect(good.imageCropAndScaleOption == .centerCrop)
    let buffer = try ModelTests.plain(0, 0, 255, side: 4)
    do {
      try VNImageRequestHandler(cvPixelBuffer: buffer).perform([bad, good])
      Issue.record("a region outside was accepted")
    } catch {
      #expect((error as NSError).domain == VNErrorDomain)
      #expect((error as NSError).code == VNErrorCode.invalidArgument.rawValue)
    }
    #expect(codes == [14] && bad.results == nil && good.results?.count == 3)
    bad.regionOfInterest = VNNormalizedIdentityRect
    bad.revision = 7
    #expect(throws: NSError.self) {
      try VNImageRequestHandler(url: URL(fileURLWithPath: "/nowhere.jpg")).perform([bad])
    }
    #expect(throws: NSError.self) {
      try VNImageRequestHandler(cvPixelBuffer: buffer).perform([bad])
    }
    #expect(codes == [14, 13, 16])
  }

  @Test("A detector finds what Fovea's request finds", .enabled(if: SharedData.isPresent))
  func detector() throws {
    let path = SharedData.url("models/yolo-fastest-1.1-xl.mlmodel")
    let picture = SharedData.url("images/dog.jpg")
    let model = try VNCoreMLModel(for: MLModel(contentsOf: path))
    let request = VNCoreMLRequest(model: model)
    var expected = try DetectObjectsRequest(model: Model(contentsOf: path.path))
    let file = try ImageFile(contentsOf: picture.path)
    func check(_ objects: [FoveaVision.RecognizedObjectObservation]) throws {
      let found = try #require(request.results as? [VNRecognizedObjectObservation])
      #expect(found.count == objects.count && !found.isEmpty)
      for (a, b) in zip(found, objects) {
        #expect(a.confidence == b.confidence)
        #expect(a.labels.map(\.identifier) == b.labels.map(\.identifier))
        #expect(a.boundingBox == CGRect(b.boundingBox))
      }
    }
    expected.cropAndScaleAction = .centerCrop
    try VNImageRequestHandler(url: picture).perform([request])
    try check(expected.perform(on: file))
    request.imageCropAndScaleOption = .scaleFill
    expected.cropAndScaleAction = .scaleToFill
    let frame = try #require(CIImage(contentsOf: picture))
    let buffer = try FrameTests.buffer(
      Int(frame.extent.width), Int(frame.extent.height), kCVPixelFormatType_32ARGB)
    CIContext().render(frame, to: buffer)
    let image = try Image(contentsOf: picture.path)
    for orientation in [CGImagePropertyOrientation.up, .right] {
      try VNImageRequestHandler(cvPixelBuffer: buffer, orientation: orientation).perform([request])
      try check(expected.perform(on: image, orientation: .init(exif: Int(orientation.rawValue))))
    }
  }

  @Test("A bare network gives its outputs by name", .enabled(if: SharedData.isPresent))
  func values() throws {
    let path = SharedData.url("models/yolo-fastest-1.1-raw.mlmodel")
    let request = VNCoreMLRequest(model: try VNCoreMLModel(for: MLModel(contentsOf: path)))
    try VNImageRequestHandler(url: SharedData.url("images/dog.jpg")).perform([request])
    let found = try #require(request.results as? [VNCoreMLFeatureValueObservation])
    #expect(found.map(\.featureName) == ["confidence", "coordinates"])
    #expect(found[1].featureValue.multiArrayValue?.shape.last == 4)
  }

  @Test("An object is followed, and keeps its identifier") func tracking() throws {
    let handler = VNSequenceRequestHandler()
    let start = VNDetectedObjectObservation(
      boundingBox: CGRect(x: 0.1, y: 0.4, width: 0.2, height: 0.2))
    let request = VNTrackObjectRequest(detectedObjectObservation: start)
    var last = start
    for step in 0..<6 {
      let buffer = try FrameTests.buffer(160, 160, kCVPixelFormatType_32BGRA)
      let square = CIImage(color: .white).cropped(
        to: CGRect(x: 20 + 4 * step, y: 68, width: 24, height: 24))
      let dot = CIImage(color: .red).cropped(
        to: CGRect(x: 28 + 4 * step, y: 74, width: 8, height: 9))
      CIContext().render(
        dot.composited(over: square.composited(over: CIImage(color: .gray))), to: buffer)
      try handler.perform([request], on: buffer)
      last = try #require(request.results?.first as? VNDetectedObjectObservation)
      #expect(last.uuid == start.uuid)
      request.inputObservation = last
    }
    #expect(abs(last.boundingBox.midX - (0.2 + 20.0 / 160)) < 0.03)
    #expect(throws: NSError.self) {
      try VNImageRequestHandler(cvPixelBuffer: FrameTests.buffer(8, 8, 32)).perform([request])
    }
  }

  @Test("The corners of a rectangle move with it") func rectangleTracking() throws {
    let handler = VNSequenceRequestHandler()
    func corners(_ step: Int) -> [CGPoint] {
      // A sheet that is not upright, in pixels from the lower left.
      [(20, 68), (40, 72), (46, 92), (24, 90)].map { CGPoint(x: $0 + 4 * step, y: $1) }
    }
    func fractions(_ step: Int) -> [CGPoint] {
      corners(step).map { VNNormalizedPointForImagePoint($0, 160, 160) }
    }
    let start = fractions(0)
    let request = VNTrackRectangleRequest(
      rectangleObservation: VNRectangleObservation(
        requestRevision: 1, topLeft: start[3], bottomLeft: start[0], bottomRight: start[1],
        topRight: start[2]))
    let identifier = request.inputObservation.uuid
    for step in 0..<6 {
      let context = try #require(
        CGContext(
          data: nil, width: 160, height: 160, bitsPerComponent: 8, bytesPerRow: 0,
          space: CGColorSpaceCreateDeviceRGB(),
          bitmapInfo: CGImageAlphaInfo.premultipliedLast.rawValue))
      context.setFillColor(red: 0.4, green: 0.4, blue: 0.4, alpha: 1)
      context.fill(CGRect(x: 0, y: 0, width: 160, height: 160))
      context.setFillColor(red: 1, green: 1, blue: 1, alpha: 1)
      context.addLines(between: corners(step))
      context.fillPath()
      context.setFillColor(red: 1, green: 0, blue: 0, alpha: 1)
      context.fill(CGRect(x: 28 + 4 * step, y: 76, width: 8, height: 9))
      try handler.perform([request], on: try #require(context.makeImage()))
      let found = try #require(request.results?.first as? VNRectangleObservation)
      request.inputObservation = found
      #expect(found.uuid == identifier)
      let seen = [found.bottomLeft, found.bottomRight, found.topRight, found.topLeft]
      for (corner, place) in zip(seen, fractions(step)) {
        #expect(hypot(corner.x - place.x, corner.y - place.y) < 0.03, "step \(step)")
      }
    }
    request.inputObservation = VNDetectedObjectObservation(boundingBox: VNNormalizedIdentityRect)
    let last = try FrameTests.buffer(8, 8, kCVPixelFormatType_32BGRA)
    #expect(throws: NSError.self) { try handler.perform([request], on: last) }
  }

  @Test("Fractions become pixels and come back") func geometry() {
    let rect = CGRect(x: 0.5, y: 0.25, width: 0.25, height: 0.5)
    let pixels = VNImageRectForNormalizedRect(rect, 200, 100)
    #expect(pixels == CGRect(x: 100, y: 25, width: 50, height: 50))
    #expect(VNNormalizedRectForImageRect(pixels, 200, 100) == rect)
    let region = CGRect(x: 0.5, y: 0.5, width: 0.5, height: 0.5)
    let placed = VNImageRectForNormalizedRectUsingRegionOfInterest(rect, 200, 100, region)
    #expect(placed == CGRect(x: 150, y: 62.5, width: 25, height: 25))
    #expect(VNNormalizedRectForImageRectUsingRegionOfInterest(placed, 200, 100, region) == rect)
  }
}
