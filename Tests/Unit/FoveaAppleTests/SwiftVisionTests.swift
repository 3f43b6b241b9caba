// Fovea - tests of Vision's newer interface.
// SPDX-License-Identifier: Apache-2.0
import AppleSamples
import Foundation
import FoveaTestSupport
import Testing
import Vision

@Suite("Vision's newer interface") struct SwiftVisionTests {
  /// A white rectangle on gray, with a red dot: a thing that can be found and followed.
  private static func scene(
    _ rect: CGRect, width: Int = 160, height: Int = 120
  ) throws -> CVPixelBuffer {
    let buffer = try FrameTests.buffer(width, height, kCVPixelFormatType_32BGRA)
    let sheet = CIImage(color: .white).cropped(to: rect)
    let dot = CIImage(color: .red).cropped(
      to: CGRect(x: rect.minX + 8, y: rect.minY + 6, width: 8, height: 9))
    CIContext().render(
      dot.composited(over: sheet.composited(over: CIImage(color: .gray))), to: buffer)
    return buffer
  }

  @Test("Both generations find a drawn rectangle where it is") func rectangles() async throws {
    let drawn = CGRect(x: 40, y: 30, width: 80, height: 60)
    let size = CGSize(width: 160, height: 120)
    let buffer = try Self.scene(drawn)
    let found = try await DetectRectanglesRequest().perform(on: buffer)
    let rectangle = try #require(found.first)
    let box = rectangle.boundingBox.toImageCoordinates(size)
    #expect(abs(box.minX - drawn.minX) < 1 && abs(box.maxY - drawn.maxY) < 1)
    #expect(rectangle.topLeft.y > rectangle.bottomLeft.y && rectangle.topLeft.x < 0.5)
    #expect(rectangle.originatingRequestDescriptor == .detectRectanglesRequest(.revision1))
    let older = VNDetectRectanglesRequest()
    try VNImageRequestHandler(cvPixelBuffer: buffer).perform([older])
    let same = try #require(older.results?.first)
    #expect(rectangle.topLeft.cgPoint == same.topLeft && rectangle.confidence == same.confidence)
    #expect(rectangle.boundingBox.cgRect == same.boundingBox)
    // Turned by a quarter: what was upper left is lower left.
    let turned = try await DetectRectanglesRequest().perform(on: buffer, orientation: .left)
    let side = try #require(turned.first).boundingBox.toImageCoordinates(
      CGSize(width: 120, height: 160))
    #expect(abs(side.width - 60) < 1 && abs(side.height - 80) < 1)
    let copy = try JSONDecoder().decode(
      RectangleObservation.self, from: JSONEncoder().encode(rectangle))
    #expect(copy == rectangle)
  }

  @Test("An object is followed, and keeps its identifier") func tracking() async throws {
    let start = DetectedObjectObservation(
      boundingBox: NormalizedRect(x: 0.125, y: 0.25, width: 0.15, height: 0.2))
    let request = TrackObjectRequest(detectedObject: start)
    for step in 0..<6 {
      let buffer = try Self.scene(CGRect(x: 20 + 4 * step, y: 30, width: 24, height: 24))
      let found = try #require(await request.perform(on: buffer))
      #expect(found.uuid == start.uuid && request.inputObservation == found)
    }
    #expect(abs(request.inputObservation.boundingBox.cgRect.midX - 52.0 / 160) < 0.03)
    #expect(request == request && request != TrackObjectRequest(detectedObject: start))
  }

  @Test("Observations have the time of their frame") func times() async throws {
    let buffer = try Self.scene(CGRect(x: 40, y: 30, width: 80, height: 60))
    let sample = try #require(FrameDetector.sampleBuffer(of: buffer))
    let time = CMTimeRange(start: CMTime(value: 1, timescale: 30), duration: .zero)
    let older = VNDetectRectanglesRequest()
    try VNImageRequestHandler(cmSampleBuffer: sample).perform([older])
    #expect(older.results?.first?.timeRange == time)
    try VNSequenceRequestHandler().perform([older], on: buffer)
    #expect(older.results?.first?.timeRange == .zero)
    let newer = try #require(try await DetectRectanglesRequest().perform(on: sample).first)
    #expect(newer.timeRange == time)
    let copy = try JSONDecoder().decode(
      RectangleObservation.self, from: JSONEncoder().encode(newer))
    #expect(copy == newer && copy.timeRange == time)
    let timeless = try await DetectRectanglesRequest().perform(on: buffer)
    #expect(timeless.first != nil && timeless.first?.timeRange == nil)
  }

  @Test("Languages are those whose data is installed") func languages() throws {
    let folder =
      ProcessInfo.processInfo.environment["TESSDATA_PREFIX"]
      ?? "/usr/share/tesseract-ocr/5/tessdata"
    let files = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    let count = files.filter { $0.hasSuffix(".traineddata") && $0 != "osd.traineddata" }.count
    let older = try VNRecognizeTextRequest().supportedRecognitionLanguages()
    let levels = try VNRecognizeTextRequest.supportedRecognitionLanguages(
      for: .fast, revision: VNRecognizeTextRequestRevision3)
    let newer = RecognizeTextRequest().supportedRecognitionLanguages
    #expect(older == levels && newer == older.map { Locale.Language(identifier: $0) })
    guard files.contains("eng.traineddata") else { return }
    #expect(older.first == "en-US" && older.count == count)
  }

  @Test("Failures are errors of Vision with a text") func failures() async throws {
    let missing = URL(fileURLWithPath: "/nowhere.jpg")
    do {
      _ = try await DetectBarcodesRequest().perform(on: missing)
      Issue.record("a missing file was read")
    } catch VisionError.invalidImage(let text) {
      #expect(text.contains("/nowhere.jpg"))
    }
    let buffer = try Self.scene(CGRect(x: 0, y: 0, width: 20, height: 20))
    var request = DetectRectanglesRequest()
    request.regionOfInterest = NormalizedRect(x: 0.5, y: 0, width: 1, height: 1)
    do {
      _ = try await request.perform(on: buffer)
      Issue.record("a region outside was accepted")
    } catch VisionError.invalidArgument(let text) {
      #expect(text.contains("regionOfInterest"))
    }
    var results: [VisionResult] = []
    let requests: [any VisionRequest] = [request, DetectRectanglesRequest()]
    for await result in ImageRequestHandler(buffer).performAll(requests) { results.append(result) }
    guard results.count == 2, case .error = results[0], case .detectRectangles = results[1] else {
      Issue.record("\(results)")
      return
    }
  }

  @Test("Faces need a model, and say so") func faces() async throws {
    let buffer = try Self.scene(CGRect(x: 0, y: 0, width: 20, height: 20))
    guard ProcessInfo.processInfo.environment["FOVEA_FACE_MODEL"] == nil else { return }
    do {
      _ = try await DetectFaceRectanglesRequest().perform(on: buffer)
      Issue.record("faces were found without a model")
    } catch VisionError.dataUnavailable(let text) {
      #expect(text.contains("FOVEA_FACE_MODEL"))
    }
    let older = VNDetectFaceRectanglesRequest()
    #expect(throws: NSError.self) {
      try VNImageRequestHandler(cvPixelBuffer: buffer).perform([older])
    }
  }

  @Test("Fractions become pixels and come back") func geometry() {
    let size = CGSize(width: 200, height: 100)
    let rect = NormalizedRect(x: 0.5, y: 0.25, width: 0.25, height: 0.5)
    #expect(rect.toImageCoordinates(size) == CGRect(x: 100, y: 25, width: 50, height: 50))
    #expect(NormalizedRect(imageRect: rect.toImageCoordinates(size), in: size) == rect)
    #expect(rect.toImageCoordinates(size, origin: .upperLeft).minY == 25)
    #expect(rect.verticallyFlipped().origin == CGPoint(x: 0.5, y: 0.25))
    let region = NormalizedRect(x: 0.5, y: 0.5, width: 0.5, height: 0.5)
    let placed = rect.toImageCoordinates(from: region, imageSize: size)
    #expect(placed == CGRect(x: 150, y: 62.5, width: 25, height: 25))
    #expect(NormalizedRect(imageRect: placed, in: size, normalizedTo: region) == rect)
    let point = NormalizedPoint(x: 0.25, y: 0.25)
    #expect(point.toImageCoordinates(size, origin: .upperLeft) == CGPoint(x: 50, y: 75))
    #expect(NormalizedPoint(imagePoint: CGPoint(x: 50, y: 25), in: size) == point)
    #expect(NormalizedRect.fullImage.cgRect == CGRect(x: 0, y: 0, width: 1, height: 1))
  }
}
