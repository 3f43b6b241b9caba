// Fovea - tests of programs written for Apple's frameworks: they give what Fovea gives.
// SPDX-License-Identifier: Apache-2.0
import AppleSamples
import CoreML
import Foundation
import FoveaApple
import FoveaAppleVision
import FoveaGeometry
import FoveaImaging
import FoveaRuntime
import FoveaStills
import FoveaTestSupport
import FoveaVision
import Testing

@Suite("Programs for Apple's frameworks") struct ProgramTests {
  private static let detector = SharedData.url("models/yolo-fastest-1.1-xl.mlmodel")
  private static let network = SharedData.url("models/yolo-fastest-1.1-raw.mlmodel")
  private static let dog = SharedData.url("images/dog.jpg")

  /// A green picture in a file.
  private static func withPNG<R>(_ body: (URL) async throws -> R) async throws -> R {
    let url = FileManager.default.temporaryDirectory
      .appendingPathComponent("\(UUID().uuidString).png")
    let image = Image(
      uprightRGB: (0..<64).flatMap { _ in [UInt8(0), 255, 0] }, width: 8, height: 8)
    try Data(image.pngBytes()).write(to: url)
    defer { try? FileManager.default.removeItem(at: url) }
    return try await body(url)
  }

  private static func withClassifier<R>(_ body: (URL) async throws -> R) async throws -> R {
    let url = FileManager.default.temporaryDirectory
      .appendingPathComponent("\(UUID().uuidString).mlmodel")
    try Data(ColorClassifier.bytes()).write(to: url)
    defer { try? FileManager.default.removeItem(at: url) }
    return try await body(url)
  }

  @Test("Classifiers of both generations name the color") func classifiers() async throws {
    try await Self.withPNG { picture in
      try await Self.withClassifier { model in
        let image = try #require(CIImage(contentsOf: picture)?.cgImage)
        let text = PictureClassifier(modelURL: model).updateClassifications(for: image)
        let chance = exp(1.0) / (exp(1.0) + 2)
        #expect(text.hasPrefix(String(format: "(%.2f) green\n", chance)))
        let labels = try await newerLabels(picture, modelURL: model)
        #expect(labels.first == "green" && labels.count == 3)
        let run = try AppleSamples.labels(of: [picture, picture], modelURL: model)
        #expect(run.labels == ["green", "green"] && run.summary == "4 x 4 true")
      }
    }
    #expect(try sumOfSquares(5) == [30, 30, 30])
  }

  @Test("Detectors of both generations find Fovea's boxes", .enabled(if: SharedData.isPresent))
  func detectors() async throws {
    var request = try DetectObjectsRequest(model: Model(contentsOf: Self.detector.path))
    request.cropAndScaleAction = .scaleToFill
    let expected = try await request.perform(on: Image(contentsOf: Self.dog.path))
    #expect(expected.count >= 3)
    let program = try FrameDetector(modelURL: Self.detector)
    let frame = try #require(FrameDetector.pixelBuffer(from: Self.dog))
    try program.captureOutput(didOutput: #require(FrameDetector.sampleBuffer(of: frame)))
    let (width, height) = (
      Double(CVPixelBufferGetWidth(frame)), Double(CVPixelBufferGetHeight(frame))
    )
    #expect(program.predictions.count == expected.count)
    for (found, object) in zip(program.predictions, expected) {
      #expect(found.label == object.bestLabel?.identifier)
      #expect(found.confidence == object.topConfidence)
      #expect(abs(found.rect.minX - object.boundingBox.x * width) < 1e-9)
      #expect(abs(found.rect.maxY - object.boundingBox.maxY * height) < 1e-9)
    }
    let image = try #require(
      CIContext().createCGImage(
        CIImage(cvPixelBuffer: frame), from: CGRect(x: 0, y: 0, width: width, height: height)))
    let newer = try await NewerDetector(modelURL: Self.detector).boxes(image)
    #expect(newer.map(\.label) == expected.map { $0.bestLabel?.identifier })
    #expect(newer.map(\.confidence) == expected.map(\.confidence))
    #expect(abs(newer[0].box.minY - (1 - expected[0].boundingBox.maxY) * height) < 1e-9)
  }

  @Test("Rows of a network are Fovea's tensors", .enabled(if: SharedData.isPresent))
  func rows() async throws {
    let rows = try decodeRows(modelURL: Self.network, imageURL: Self.dog, threshold: 0.3)
    let greatest = try await newerGreatestScore(
      Data(contentsOf: Self.dog), modelURL: Self.network)
    #expect(rows.count >= 3 && rows.first?.score == greatest)
    var request = try DetectObjectsRequest(model: Model(contentsOf: Self.network.path))
    request.cropAndScaleAction = .scaleToFill
    let objects = try await request.perform(on: ImageFile(contentsOf: Self.dog.path))
    let best = try #require(objects.first)
    let row = try #require(rows.first)
    // Rows count from the upper left; files are decoded at a lower scale by Fovea's request.
    #expect(abs(row.rect.minX - best.boundingBox.x) < 0.01)
    #expect(abs(1 - row.rect.maxY - best.boundingBox.y) < 0.01)
  }

  @Test("A page is read by both generations", .enabled(if: SharedData.isPresent))
  func pages() async throws {
    let page = SharedData.url("stills/codes/000-qr.jpg")
    let file = try ImageFile(contentsOf: page.path)
    var request = FoveaStills.DetectBarcodesRequest()
    request.symbologies = [.qr, .ean13, .code128, .dataMatrix]
    let codes = try await request.perform(on: file).filter { $0.payloadString != nil }
    var rectangles = FoveaStills.DetectRectanglesRequest()
    rectangles.maximumObservations = 0
    let all = try await rectangles.perform(on: file)
    (rectangles.maximumObservations, rectangles.minimumConfidence) = (8, 0.6)
    rectangles.minimumAspectRatio = 0.3
    let sure = try await rectangles.perform(on: file)
    var text = FoveaStills.RecognizeTextRequest()
    text.recognitionLevel = .fast
    let lines = try await text.perform(on: file).map { $0.topCandidates(1)[0].string }
    let older = try readPage(at: page, fast: true)
    #expect(!codes.isEmpty)
    #expect(
      older.codes == codes.map { "\($0.symbology.rawValue): \($0.payloadString ?? "")" })
    #expect(older.rectangles == sure.map { CGRect($0.boundingBox) })
    #expect(older.lines == lines)
    let newer = try await newerPage(page)
    #expect(newer.codes == codes.map(\.payloadString))
    #expect(newer.rectangles == all.count && newer.lines == lines)
    #expect(
      newer.streamed.count == 2 && newer.streamed.last == "rectangles \(all.count)"
        && newer.streamed.first?.hasSuffix(" of 4 kinds") == true)
  }

  @Test("A picture is made of a picture", .enabled(if: SharedData.isPresent)) func maker() throws {
    let output = FileManager.default.temporaryDirectory
      .appendingPathComponent("\(UUID().uuidString).png")
    defer { try? FileManager.default.removeItem(at: output) }
    let model = SharedData.url("models/Image2Image.mlmodel")
    let size = try stylize(Self.dog, with: model, to: output)
    let written = try Image(contentsOf: output.path)
    #expect(size == CGSize(width: written.width, height: written.height))
    #expect(Set(written.rgb).count > 16)
  }
}
