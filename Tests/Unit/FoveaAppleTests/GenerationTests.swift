// Fovea - tests that both interfaces of Vision show the same results.
// SPDX-License-Identifier: Apache-2.0
import Foundation
import FoveaImaging
import FoveaRuntime
import FoveaStills
import FoveaTestSupport
import Testing
import Vision

@Suite("Both interfaces of Vision show the same") struct GenerationTests {
  /// A red disk on black with a green eye and a blue one, which the drawn network calls a face.
  private static func drawnFace() -> Image {
    let (width, height) = (240, 200)
    var rgb = [UInt8](repeating: 0, count: 3 * width * height)
    for y in 0..<height {
      for x in 0..<width {
        func isNear(_ centerX: Double, _ centerY: Double, _ radius: Double) -> Bool {
          hypot(Double(x) + 0.5 - centerX, Double(y) + 0.5 - centerY) < radius
        }
        let channel = isNear(102, 80, 6) ? 1 : isNear(138, 80, 6) ? 2 : 0
        if isNear(120, 100, 40) { rgb[3 * (y * width + x) + channel] = 255 }
      }
    }
    return Image(uprightRGB: rgb, width: width, height: height)
  }

  @Test("Faces with their landmarks") func faces() throws {
    let request = try FoveaStills.DetectFaceLandmarksRequest(
      faces: FoveaStills.DetectFaceRectanglesRequest(
        model: Model(bytes: DrawnFaceNetwork.detector(), name: "drawn.onnx")),
      model: Model(bytes: DrawnFaceNetwork.landmarks(), name: "mesh.onnx"))
    let face = try #require(try request.perform(on: Self.drawnFace()).first)
    let older = VNFaceObservation(face)
    let newer = Vision.FaceObservation(older)
    #expect(newer.uuid == older.uuid && newer.confidence == face.confidence)
    #expect(newer.boundingBox.cgRect == older.boundingBox)
    for (angle, number) in [
      (newer.roll, older.roll), (newer.yaw, older.yaw), (newer.pitch, older.pitch),
    ] {
      #expect(angle.converted(to: .radians).value == number?.doubleValue)
    }
    let size = CGSize(width: 240, height: 200)
    let (old, new) = try (#require(older.landmarks), #require(newer.landmarks))
    for (first, second) in [
      (old.allPoints, new.allPoints), (old.leftEye, new.leftEye), (old.leftPupil, new.leftPupil),
      (old.faceContour, new.faceContour), (old.innerLips, new.innerLips),
    ] {
      let (first, second) = try (#require(first), #require(second))
      #expect(first.normalizedPoints == second.points.map(\.cgPoint) && first.pointCount > 0)
      let (places, same) = (
        first.pointsInImage(imageSize: size), second.pointsInImageCoordinates(size)
      )
      #expect(zip(places, same).allSatisfy { hypot($0.x - $1.x, $0.y - $1.y) < 1e-9 })
    }
    #expect(old.leftEye?.pointsClassification == .closedPath)
    #expect(new.leftEye?.pointsClassification == .closedPath)
    let copy = try JSONDecoder().decode(
      Vision.FaceObservation.self, from: JSONEncoder().encode(newer))
    #expect(copy == newer)
  }

  @Test("Codes, lines and documents", .enabled(if: SharedData.isPresent))
  func page() async throws {
    let url = SharedData.url("stills/codes/000-qr.jpg")
    let codes = VNDetectBarcodesRequest()
    let text = VNRecognizeTextRequest()
    let lines = VNDetectTextRectanglesRequest()
    let document = VNDetectDocumentSegmentationRequest()
    text.recognitionLevel = .fast
    lines.reportCharacterBoxes = true
    try VNImageRequestHandler(url: url).perform([codes, text, lines, document])

    let handler = Vision.ImageRequestHandler(url)
    let newerCodes = try await handler.perform(Vision.DetectBarcodesRequest())
    let known = (codes.results ?? []).compactMap { Vision.BarcodeObservation($0) }
    #expect(!known.isEmpty && known.count == newerCodes.count)
    for (old, new) in zip(known, newerCodes) {
      #expect(old.topLeft == new.topLeft && old.bottomRight == new.bottomRight)
      #expect(old.symbology == new.symbology && old.payloadString == new.payloadString)
      #expect(old.payloadData == new.payloadData && old.confidence == new.confidence)
    }
    var reading = Vision.RecognizeTextRequest()
    reading.recognitionLevel = .fast
    let read = try await handler.perform(reading)
    #expect(read.map(\.transcript) == text.results?.map { $0.topCandidates(1)[0].string })
    for (old, new) in zip(text.results ?? [], read) {
      let range = new.transcript.startIndex..<new.transcript.endIndex
      let box = try old.topCandidates(1)[0].boundingBox(for: range)
      #expect(new.topCandidates(1)[0].boundingBox(for: range)?.topLeft.cgPoint == box?.topLeft)
      #expect(Vision.RecognizedTextObservation(old).bottomLeft == new.bottomLeft)
    }
    var finding = Vision.DetectTextRectanglesRequest()
    finding.reportCharacterBoxes = true
    let found = try await handler.perform(finding)
    #expect(found.map(\.topLeft.cgPoint) == lines.results?.map(\.topLeft))
    #expect(
      found.map { $0.characterBoxes?.map(\.boundingBox.cgRect) }
        == lines.results?.map { $0.characterBoxes?.map(\.boundingBox) })
    let sheet = try await handler.perform(Vision.DetectDocumentSegmentationRequest())
    #expect(sheet?.topRight.cgPoint == document.results?.first?.topRight)
    guard let mask = document.results?.first?.globalSegmentationMask else { return }
    #expect(sheet?.globalSegmentationMask.size == CGSize(width: 256, height: 256))
    let middle = try #require(sheet?.boundingBox.cgRect)
    let point = NormalizedPoint(x: middle.midX, y: middle.midY)
    #expect(sheet?.globalSegmentationMask.pixel(at: point) == 1)
    #expect(Vision.PixelBufferObservation(mask).pixel(at: point) == 1)
  }
}
