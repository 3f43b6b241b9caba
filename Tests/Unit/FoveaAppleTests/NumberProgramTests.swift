// Fovea - tests of more programs written for Apple's frameworks: numbers, pixels, sheets.
// SPDX-License-Identifier: Apache-2.0
import AppleSamples
import CoreML
import Foundation
import FoveaApple
import FoveaGeometry
import FoveaImaging
import FoveaRuntime
import FoveaStills
import FoveaTestSupport
import FoveaVision
import Testing

@Suite("More programs for Apple's frameworks") struct NumberProgramTests {
  private static let weights: [[Float]] = [[1, 2, 3], [0.5, -1, 0]]
  private static let bias: [Float] = [0.25, -4]

  /// A layer of three numbers that gives two, with words of its maker.
  private static func numbers() -> [UInt8] {
    ProtobufWriter { writer in
      writer.integer(1, 4)
      writer.message(2) { description in
        description.data(1, ModelBuilder.array("x", [3]))
        description.data(10, ModelBuilder.array("scores", [2]))
        description.message(100) { words in
          words.string(1, "Two sums")
          words.string(2, "1.5")
          words.string(3, "Nobody")
          words.message(100) { pair in
            pair.string(1, "classes")
            pair.string(2, "a,b")
          }
        }
      }
      writer.message(500) { network in
        network.data(
          1,
          ModelBuilder.layer(140, name: "sums", inputs: ["x"], outputs: ["scores"]) { layer in
            layer.integer(1, 3)
            layer.integer(2, 2)
            layer.integer(10, 1)
            layer.message(20, ModelBuilder.weights(weights.flatMap(\.self)))
            layer.message(21, ModelBuilder.weights(bias))
          })
      }
    }.bytes
  }

  private static func sums(_ x: [Float]) -> [Float] {
    zip(weights, bias).map { row, bias in zip(row, x).reduce(bias) { $0 + $1.0 * $1.1 } }
  }

  @Test("A network of numbers is asked alone, in batches and into one array")
  func scores() throws {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    let url = URL(fileURLWithPath: try folder.write("Sums.mlmodel", Self.numbers()))
    let program = try ScoreModel(modelURL: url)
    #expect(
      program.about() == ["Nobody", "1.5", "", "Two sums", "classes=a,b", "x: [3] true"])
    #expect(try program.scores(of: [1, 2, 3], scale: 2) == Self.sums([2, 4, 6]))
    let rows: [[Float]] = [[1, 0, 0], [0, 1, 0], [4, -2, 0.5]]
    #expect(try program.batch(rows.map { $0.map(Double.init) }) == rows.map(Self.sums))
    #expect(
      try program.reusing(rows) == rows.map { row in Self.sums(row).map { Double($0) } })
    #expect {
      _ = try program.scores(of: [1, 2], scale: 1)
    } throws: { error in
      guard case ScoreModel.Failure.wrongInput(let text) = error else { return false }
      return text.contains("[3]")
    }
    #expect {
      _ = try ScoreModel(modelURL: URL(fileURLWithPath: folder.path("none.mlmodel")))
    } throws: { error in
      guard case ScoreModel.Failure.noSuchFile(let text) = error else { return false }
      return text.contains("none.mlmodel")
    }
  }

  @Test("Errors of Core ML have codes that are numbers and names") func codes() throws {
    let missing = URL(fileURLWithPath: "/nowhere/model.mlmodel")
    func thrown() -> any Error {
      do {
        _ = try MLModel(contentsOf: missing)
        return CancellationError()
      } catch { return error }
    }
    let error = try #require(thrown() as? MLModelError)
    #expect(error.code == .io && error.code == 3 && error.code != MLModelError.generic)
    let code: MLModelError.Code = error.code
    #expect(error.errorCode == 3 && error.errorUserInfo[NSLocalizedDescriptionKey] is String)
    #expect(code == .io && code.rawValue == (thrown() as NSError).code)
    do {
      throw thrown()
    } catch MLModelError.generic {
      Issue.record("matched another code")
    } catch MLModelError.io {
    } catch {
      Issue.record("\(error)")
    }
  }

  @Test(
    "A detector counts rows for pictures by URL and in memory", .enabled(if: SharedData.isPresent))
  func rows() throws {
    let model = SharedData.url("models/yolo-fastest-1.1-xl.mlmodel")
    let picture = SharedData.url("images/dog.jpg")
    let image = try #require(CIImage(contentsOf: picture)?.cgImage)
    let counts = try countRows(
      modelURL: model, imageURL: picture, image: image, threshold: 0.3)
    var request = try DetectObjectsRequest(model: Model(contentsOf: model.path))
    request.cropAndScaleAction = .scaleToFill
    request.minimumConfidence = 0.3
    let objects = try request.perform(on: Image(contentsOf: picture.path))
    #expect(objects.count >= 3)
    #expect(counts.fromURL == objects.count && counts.fromImage == objects.count)
    let greatest = try #require(objects.map(\.topConfidence).max())
    #expect(abs(counts.greatest - Double(greatest)) < 0.01)
  }

  @Test("Chances come by name, the best first") func classifier() throws {
    try ModelTests.withClassifier { url in
      let found = try chances(modelURL: url, buffer: ModelTests.plain(0, 255, 0, side: 4))
      let best = exp(1.0) / (exp(1.0) + 2)
      #expect(found.count == 3 && found[0].0 == "green" && abs(found[0].1 - best) < 1e-6)
      #expect(abs(found.reduce(0) { $0 + $1.1 } - 1) < 1e-6)
    }
  }

  @Test("Pixels go through buffers and images unchanged") func pixels() throws {
    let (width, height) = (5, 3)
    var bytes = (0..<4 * width * height).map { UInt8(truncatingIfNeeded: 37 * $0 + 11) }
    for place in stride(from: 3, to: bytes.count, by: 4) { bytes[place] = 255 }
    let image = try #require(CGImage.fromByteArrayRGBA(bytes, width: width, height: height))
    #expect(image.toByteArrayRGBA() == bytes)
    let buffer = try #require(image.pixelBuffer(width: width, height: height))
    #expect(CVPixelBufferGetBytesPerRow(buffer) > 4 * width)
    func mean(_ channel: Int) -> Double {
      Double(stride(from: channel, to: bytes.count, by: 4).reduce(0) { $0 + Int(bytes[$1]) })
        / Double(width * height)
    }
    let found = means(of: buffer)
    // 32ARGB; the first byte of a pixel is skipped.
    for channel in 0..<3 { #expect(abs(found[channel + 1] - mean(channel)) < 1e-9) }
    let plain = try #require(
      CGImage.fromByteArrayRGBA([90, 90, 90, 255], width: 1, height: 1))
    let gray = try #require(
      plain.pixelBuffer(
        width: 3, height: 2, pixelFormatType: kCVPixelFormatType_OneComponent8))
    let level = CVPixelBufferGetBaseAddress(gray)?.load(
      fromByteOffset: CVPixelBufferGetBytesPerRow(gray) + 1, as: UInt8.self)
    #expect(level == 90)
    let red = CIImage(color: .red).cropped(to: CGRect(x: 0, y: 0, width: 20, height: 10))
    let boxed = try #require(BufferMaker(width: 40, height: 40).letterboxed(red))
    #expect(means(of: boxed) == [0, 0, 127.5, 255])
    let planar = try #require(
      makePlanarBuffer(width: 6, height: 4, y: 150, cb: 100, cr: 180))
    let color = try #require(
      CIContext().createCGImage(
        CIImage(cvPixelBuffer: planar), from: CGRect(x: 0, y: 0, width: 6, height: 4)))
    let rgb = color.toByteArrayRGBA()
    // BT.601: 150 + 1.402 * 52, 150 + 0.344 * 28 - 0.714 * 52, 150 - 1.772 * 28.
    for (value, expected) in zip(rgb, [222.9, 122.5, 100.4]) {
      #expect(abs(Double(value) - expected) < 2)
    }
  }

  @Test("Filters scale pictures and change their colors") func filters() throws {
    func pixels(_ image: CIImage?) throws -> (bytes: [UInt8], extent: CGRect) {
      let image = try #require(image)
      let made = try #require(CIContext().createCGImage(image, from: image.extent))
      return (made.toByteArrayRGBA(), image.extent)
    }
    // Black and white pixels by turns: averaged, they are gray.
    let board = (0..<64).flatMap { place -> [UInt8] in
      let level: UInt8 = (place % 8 + place / 8) % 2 == 0 ? 0 : 255
      return [level, level, level, 255]
    }
    let checks = CIImage(
      cgImage: try #require(CGImage.fromByteArrayRGBA(board, width: 8, height: 8)))
    let half = try pixels(prepared(checks, scale: 0.5, contrast: 1))
    #expect(half.extent == CGRect(x: 0, y: 0, width: 4, height: 4))
    #expect(half.bytes.enumerated().allSatisfy { $0 % 4 == 3 || abs(Int($1) - 128) <= 2 })
    let color: [UInt8] = [200, 100, 50, 255]
    let plain = CIImage(
      cgImage: try #require(CGImage.fromByteArrayRGBA(color, width: 1, height: 1)))
    // The luma of BT.709 is 117.6; twice as far from 127.5 are 107.8.
    let gray = try pixels(prepared(plain, scale: 1, contrast: 2))
    #expect(gray.bytes == [108, 108, 108, 255])
    let inverse = try pixels(plain.applyingFilter("CIColorInvert"))
    #expect(inverse.bytes == [55, 155, 205, 255])
    let light = plain.transformed(by: CGAffineTransform(translationX: 7, y: -3)).applyingFilter(
      "CIColorControls", parameters: [kCIInputBrightnessKey: 0.2])
    #expect(try pixels(light).bytes == [251, 151, 101, 255])
    #expect(CIFilter(name: "CIThermal") == nil)
  }

  @Test("A thumbnail is small, and orientations turn pictures") func thumbnails() throws {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    let rgb = [UInt8](repeating: 120, count: 3 * 40 * 20)
    let data = Data(try Image(width: 40, height: 20, rgb: rgb).jpegBytes(quality: 90))
    let url = URL(fileURLWithPath: folder.path("small.jpg"))
    #expect(writeThumbnail(of: data, side: 10, to: url) == CGSize(width: 10, height: 5))
    let written = try Image(contentsOf: url.path)
    #expect(written.width == 10 && written.height == 5)
    #expect(written.rgb.allSatisfy { abs(Int($0) - 120) <= 2 })
    #expect(writeThumbnail(of: Data([1, 2, 3]), side: 10, to: url) == nil)
    let picture = CIImage(color: .blue).cropped(to: CGRect(x: 0, y: 0, width: 8, height: 6))
    var all: Set<CGImagePropertyOrientation> = []
    for angle in [0, 90, 180, 270] {
      for isFront in [false, true] {
        let turned = orientation(angle: angle, isFront: isFront)
        all.insert(turned)
        let size = picture.oriented(turned).extent.size
        #expect(
          size == (angle % 180 == 0 ? CGSize(width: 8, height: 6) : CGSize(width: 6, height: 8)))
      }
    }
    #expect(all.count == 8)
  }

  @Test("A sheet in a turned picture is found upright, and drawn around") func sheets() throws {
    let drawn = CGRect(x: 40, y: 20, width: 80, height: 60)
    let ground = CIImage(color: .gray).cropped(to: CGRect(x: 0, y: 0, width: 160, height: 120))
    let picture = CIImage(color: .white).cropped(to: drawn).composited(over: ground)
    let scanner = SheetScanner()
    scanner.scan(picture, orientation: .right, readsText: false)
    #expect(scanner.lastError == nil && scanner.sheets.count == 1)
    let sheet = try #require(scanner.sheets.first)
    // A quarter clockwise: columns become rows, rows columns from the right.
    let expected = CGRect(x: 20, y: 40, width: 60, height: 80)
    #expect(abs(sheet.frame.minX - 20) < 1 && abs(sheet.frame.minY - 40) < 1)
    #expect(abs(sheet.frame.width - 60) < 1 && abs(sheet.frame.height - 80) < 1)
    #expect(abs(sheet.corners[0].x - 20) < 1 && abs(sheet.corners[0].y - 40) < 1)
    let upright = try #require(
      CIContext().createCGImage(
        picture.oriented(.right), from: CGRect(x: 0, y: 0, width: 120, height: 160)))
    let rgba = try #require(scanner.annotated(upright)).toByteArrayRGBA()
    func pixel(_ x: CGFloat, _ y: CGFloat) -> [UInt8] {
      let place = 4 * (Int(y) * 120 + Int(x))
      return Array(rgba[place..<place + 3])
    }
    #expect(pixel(expected.minX, expected.midY) == [0, 255, 0])
    #expect(pixel(expected.midX, expected.maxY) == [0, 255, 0])
    #expect(pixel(expected.maxX, expected.minY) == [255, 0, 0])
    #expect(pixel(expected.midX, expected.midY) == [255, 255, 255])
    let stored = try #require(
      CIContext().createCGImage(picture, from: CGRect(x: 0, y: 0, width: 160, height: 120)))
    let places = try scanner.scan(stored, in: CGRect(x: 20, y: 0, width: 140, height: 110))
    #expect(places.count == 1 && abs(places[0].minX - 40) < 1 && abs(places[0].maxY - 80) < 1)
    #expect(throws: NSError.self) {
      try scanner.scan(stored, in: CGRect(x: 100, y: 0, width: 100, height: 100))
    }
    #expect(scanner.lastError?.code == 14)
  }

  @Test("Words of a page are those of Fovea's request", .enabled(if: SharedData.isPresent))
  func words() throws {
    let page = SharedData.url("stills/text/000-page-flat.jpg")
    let scanner = SheetScanner()
    scanner.scan(try #require(CIImage(contentsOf: page)), orientation: .up, readsText: true)
    var request = FoveaStills.RecognizeTextRequest()
    request.recognitionLevel = .fast
    request.usesLanguageCorrection = false
    let lines = try request.perform(on: Image(contentsOf: page.path))
    let expected = lines.flatMap { $0.topCandidates(1)[0].string.split(separator: " ") }
    #expect(expected.count > 10 && scanner.words == expected.map(String.init))
  }
}
