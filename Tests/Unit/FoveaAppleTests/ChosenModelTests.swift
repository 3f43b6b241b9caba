// Fovea - tests of people's pixels, masks, prints and classes behind the names of Vision.
// SPDX-License-Identifier: Apache-2.0
import AppleSamples
import Foundation
import FoveaApple
import FoveaAppleVision
import FoveaExampleModel
import FoveaGeometry
import FoveaImaging
import FoveaRuntime
import FoveaShapes
import FoveaTestSupport
import FoveaVision
import Testing

@Suite("Requests with a network of the program", .serialized) struct ChosenModelTests {
  private static func folder(_ name: String) -> URL { SharedData.url("tasks/" + name) }

  static func picture(_ url: URL) throws -> CGImage {
    let source = try #require(CGImageSourceCreateWithURL(url as CFURL, nil))
    return try #require(CGImageSourceCreateImageAtIndex(source, 0, nil))
  }

  static func bytes(_ buffer: CVPixelBuffer, _ size: Int) -> [UInt8] {
    let base = CVPixelBufferGetBaseAddress(buffer)!
    return (0..<CVPixelBufferGetHeight(buffer)).flatMap { row in
      UnsafeRawBufferPointer(
        start: base + row * CVPixelBufferGetBytesPerRow(buffer),
        count: CVPixelBufferGetWidth(buffer) * size)
    }
  }

  @Test("Without a network each error says what to set") func noNetworks() throws {
    let buffer = try ModelTests.plain(0, 0, 255, side: 9)
    let handler = VNImageRequestHandler(cvPixelBuffer: buffer)
    for (request, name) in [
      (VNClassifyImageRequest(), "imageClassification"),
      (VNGenerateImageFeaturePrintRequest(), "featurePrint"),
      (VNGeneratePersonSegmentationRequest(), "personSegmentation"),
      (VNGenerateForegroundInstanceMaskRequest(), "instanceMasks"),
      (VNGeneratePersonInstanceMaskRequest(), "instanceMasks"),
    ] as [(VNRequest, String)] {
      do {
        try handler.perform([request])
        Issue.record("\(name) without a network")
      } catch {
        #expect((error as NSError).code == VNErrorCode.dataUnavailable.rawValue)
        #expect((error as NSError).localizedDescription.contains("VisionModels.\(name)"))
      }
    }
  }

  @Test("People's pixels are those of their class", .enabled(if: SharedData.isPresent))
  func people() throws {
    let folder = Self.folder("semantic-yolo26-onnx-map")
    VisionModels.personSegmentation = folder.appendingPathComponent("model.onnx")
    defer { VisionModels.personSegmentation = nil }
    let expected = try #require(
      try SharedData.json("tasks/semantic-yolo26-onnx-map/expected.json") as? [String: Any])
    let areas = try #require(expected["areas"] as? [String: Int])
    let image = try Self.picture(folder.appendingPathComponent("input.png"))
    let found = try #require(try PersonMatte().mask(of: image))
    #expect(CVPixelBufferGetWidth(found.mask) == image.width)
    #expect(CVPixelBufferGetHeight(found.mask) == image.height)
    #expect(abs(found.pixels - (try #require(areas["0"]))) <= image.width * image.height / 200)

    let request = VNGeneratePersonSegmentationRequest()
    request.outputPixelFormat = kCVPixelFormatType_OneComponent32Float
    try VNImageRequestHandler(cgImage: image).perform([request])
    let shares = try #require(request.results?.first).pixelBuffer
    let floats = Self.bytes(shares, 4).withUnsafeBytes { Array($0.bindMemory(to: Float.self)) }
    #expect(Set(floats) == [0, 1] && floats.count { $0 == 1 } == found.pixels)
    request.outputPixelFormat = kCVPixelFormatType_32BGRA
    do {
      try VNImageRequestHandler(cgImage: image).perform([request])
      Issue.record("a mask of colors")
    } catch {
      #expect((error as NSError).code == VNErrorCode.invalidOption.rawValue)
    }
  }

  /// The subject is that of an object which Fovea's own request finds.
  @Test("A subject is lifted by its mask", .enabled(if: SharedData.isPresent))
  func subjects() throws {
    let folder = Self.folder("segment-yolo11-coreml-half-double-size")
    let model = folder.appendingPathComponent("model.mlpackage")
    let url = folder.appendingPathComponent("input.png")
    VisionModels.instanceMasks = model
    defer { VisionModels.instanceMasks = nil }
    let own = try DetectObjectsRequest(model: Model(contentsOf: model.path))
      .perform(on: ImageFile(contentsOf: url.path))
    let objects = own.filter { $0.mask?.area ?? 0 > 0 }
    for onlyPeople in [false, true] {
      let wanted = onlyPeople ? objects.filter { $0.bestLabel?.identifier == "person" } : objects
      let mask = try #require(wanted.first?.mask)
      // A pixel of the best object.
      let size = mask.imageSize
      let pixel = try #require(
        (0..<size.width * size.height).first {
          mask.contains(x: $0 % size.width, y: $0 / size.width)
        })
      let point = CGPoint(
        x: Double(pixel % size.width) / Double(size.width - 1),
        y: Double(pixel / size.width) / Double(size.height - 1))
      let found = try #require(
        try SubjectLifter().subject(at: point, in: url, onlyPeople: onlyPeople))
      #expect(found.count == min(255, wanted.count))
      let floats = Self.bytes(found.mask, 4).withUnsafeBytes {
        Array($0.bindMemory(to: Float.self))
      }
      let pixels = floats.indices.filter { floats[$0] == 1 }
      #expect(pixels.count == mask.area)
      #expect(pixels.allSatisfy { mask.contains(x: $0 % size.width, y: $0 / size.width) })
      // The cut has the extent of the mask, and is opaque where the mask is.
      let columns = pixels.map { $0 % size.width }, rows = pixels.map { $0 / size.width }
      let width = columns.max()! - columns.min()! + 1, height = rows.max()! - rows.min()! + 1
      #expect(CVPixelBufferGetWidth(found.cutout) == width)
      #expect(CVPixelBufferGetHeight(found.cutout) == height)
      let colors = Self.bytes(found.cutout, 4)
      #expect(stride(from: 3, to: colors.count, by: 4).count { colors[$0] == 255 } == pixels.count)
    }
  }

  @Test("Instances that there are not are refused", .enabled(if: SharedData.isPresent))
  func strangers() throws {
    let folder = Self.folder("segment-yolo11-onnx")
    VisionModels.instanceMasks = folder.appendingPathComponent("model.onnx")
    defer { VisionModels.instanceMasks = nil }
    let url = folder.appendingPathComponent("input.png")
    let handler = VNImageRequestHandler(url: url)
    let request = VNGenerateForegroundInstanceMaskRequest()
    try handler.perform([request])
    let observation = try #require(request.results?.first)
    #expect(!observation.allInstances.contains(0))
    for instances in [IndexSet(), IndexSet(integer: 0), IndexSet(integer: 999)] {
      #expect(throws: NSError.self) { try observation.generateMask(forInstances: instances) }
    }
    let other = VNImageRequestHandler(cvPixelBuffer: try ModelTests.plain(0, 0, 255, side: 9))
    #expect(throws: NSError.self) {
      try observation.generateScaledMaskForImage(
        forInstances: observation.allInstances, from: other)
    }
    // Boxes alone are no masks.
    VisionModels.instanceMasks = Self.folder("pose-yolo11-coreml-half")
      .appendingPathComponent("model.mlpackage")
    do {
      try handler.perform([request])
      Issue.record("masks of a network without masks")
    } catch {
      #expect((error as NSError).code == VNErrorCode.invalidModel.rawValue)
    }
  }

  @Test("A picture gets the words of its network", .enabled(if: SharedData.isPresent))
  func words() throws {
    let folder = Self.folder("classify-yolo11-onnx-center")
    VisionModels.imageClassification = folder.appendingPathComponent("model.onnx")
    defer { VisionModels.imageClassification = nil }
    let url = folder.appendingPathComponent("input.png")
    let tags = try PictureTagger.tags(url, above: 0.1)
    #expect(Set(tags.found.keys) == ["bus", "truck"] && tags.known > 5)
    #expect(abs(try #require(tags.found["bus"]) - 0.508) < 0.002)
  }

  @Test("Pictures are as far apart as their prints") func prints() throws {
    let pictures = try PlainPictures()
    defer { pictures.folder.remove() }
    VisionModels.featurePrint = pictures.model
    defer { VisionModels.featurePrint = nil }
    let (one, near, far) = (pictures.one, pictures.near, pictures.far)
    let ranking = SimilarPictures().ranked(one, [far, one, near])
    #expect(ranking.map(\.url.lastPathComponent) == ["one.png", "near.png", "far.png"])
    let distances: [Float] = [0, 5, 190]
    for (found, distance) in zip(ranking, distances) {
      #expect(abs(found.distance - distance) < 1e-3)
    }
    let request = VNGenerateImageFeaturePrintRequest()
    try VNImageRequestHandler(url: near).perform([request])
    let print = try #require(request.results?.first)
    #expect(print.elementCount == 3 && print.elementType == .float && print.data.count == 12)
    let floats = [UInt8](print.data).withUnsafeBytes { Array($0.bindMemory(to: Float.self)) }
    #expect(floats == [10, 24, 33])
  }
}

/// Pictures of one color, and a network that writes the means of red, green and blue.
struct PlainPictures {
  let folder: TemporaryFolder
  let model, one, near, far: URL

  init() throws {
    var writer = ONNXWriter()
    writer.input("x", [1, 3, 12, 16])
    writer.integers("axes", [2, 3])
    writer.add("ReduceMean", ["x", "axes"], ["mean"], ["keepdims": .int(0)])
    writer.add("Identity", ["mean"], ["embedding"])
    writer.output("embedding", [1, 3])
    writer.metadata("fovea.picture.scale", "1")
    writer.metadata("task", "embedding")
    let folder = try TemporaryFolder()
    func plain(_ name: String, _ color: [UInt8]) throws -> URL {
      let pixels = (0..<64).flatMap { _ in color }
      return URL(
        fileURLWithPath: try folder.write(
          name, UncompressedPNG.encode(width: 8, height: 8, pixels: pixels)))
    }
    self.folder = folder
    model = URL(fileURLWithPath: try folder.write("means.onnx", writer.bytes))
    one = try plain("one.png", [10, 20, 30])
    near = try plain("near.png", [10, 24, 33])
    far = try plain("far.png", [200, 20, 30])
  }
}
