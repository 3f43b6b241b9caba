// Fovea - tests of detectors on moving pictures.
// SPDX-License-Identifier: Apache-2.0
import CFovea
import Fovea
import FoveaExampleModel
import FoveaGeometry
import FoveaLibc
import FoveaRuntime
import FoveaTestSupport
import FoveaVideo
import FoveaVision
import Testing

@Suite("Detectors on videos", .tags(.startsThreads)) struct VideoResultsTests {
  private func request() throws -> DetectObjectsRequest {
    let model = try Model(bytes: ShapesDetector.modelBytes(), name: "shapes.mlmodel")
    return try DetectObjectsRequest(model: model, pool: ThreadPool(threadCount: 1))
  }

  private func clip(_ name: String) -> VideoSource {
    .file(SharedData.url("video/clips/\(name)").path)
  }

  /// Numbered pictures of shapes that move.
  private func shapes(_ count: Int, in folder: TemporaryFolder) throws -> [ShapesImage] {
    let images = (0..<count).map { ShapesImage(seed: UInt64($0) + 1) }
    for (number, image) in images.enumerated() {
      let bytes = UncompressedPNG.encode(
        width: ShapesImage.width, height: ShapesImage.height, pixels: image.pixels)
      _ = try folder.write("shapes-\(number).png", bytes)
    }
    return images
  }

  private func objects(
    in shapes: ShapesImage, _ request: DetectObjectsRequest
  ) throws -> [RecognizedObjectObservation] {
    try request.perform(
      on: Image(width: ShapesImage.width, height: ShapesImage.height, rgb: shapes.pixels))
  }

  @Test func everyPictureHasItsObjects() async throws {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    let images = try shapes(5, in: folder)
    let request = try request()
    var count = 0
    var last = -1.0
    for try await result in request.results(in: .pictures(folder.path("shapes-%d.png"))) {
      #expect(try result.observations == objects(in: images[count], request))
      #expect(result.observations.count == images[count].objects.count)
      #expect(result.index == count)
      #expect(result.time > last)
      #expect(result.imageSize == ImageSize(width: ShapesImage.width, height: ShapesImage.height))
      #expect(result.counts.taken == count + 1)
      #expect(result.counts.dropped == 0)
      #expect(result.latency >= result.age && result.age >= 0)
      last = result.time
      count += 1
    }
    #expect(count == 5)
  }

  @Test func callbacksEndTheSource() throws {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    _ = try shapes(4, in: folder)
    var indices: [Int] = []
    let counts = try request().forEachResult(in: .pictures(folder.path("shapes-%d.png"))) {
      indices.append($0.index)
      return indices.count < 2
    }
    #expect(indices == [0, 1])
    #expect(counts.taken == 2)
  }

  @Test func sourcesThatFailAreTold() async throws {
    var iterator = try request().results(in: .file("/nowhere/a.mp4")).makeAsyncIterator()
    do {
      _ = try await iterator.next()
      Issue.record("it opens")
    } catch {
      #expect(error == .source(VideoError(.missing, source: "/nowhere/a.mp4")))
    }
    #expect(try await iterator.next() == nil)
  }

  @Test(.enabled(if: SharedData.isPresent)) func slowLoopsSeeTheNewestPicture() async throws {
    var options = SequenceOptions()
    options.isPaced = true
    for try await result in try request().results(in: clip("base.mp4"), options: options) {
      #expect(result.counts.decoded == result.counts.taken + result.counts.dropped)
      #expect(result.index == result.counts.decoded - 1)
      try await Task.sleep(for: .milliseconds(150))
      if result.index > 12 {
        #expect(result.counts.dropped >= 6)
        break
      }
    }
  }

  @Test(.enabled(if: SharedData.isPresent)) func lateResultsTakeASmallerInput() throws {
    var request = try DetectObjectsRequest(
      model: Model(
        contentsOf: SharedData.url("mlprogram/flexible-enumerated-image/model.mlpackage").path,
        options: Model.Options(backend: .blas)),
      pool: ThreadPool(threadCount: 1))
    request.minimumConfidence = 0.3
    var options = SequenceOptions()
    options.deadline = 1e-6
    var sizes: [ImageSize] = []
    try request.forEachResult(in: clip("base.mp4"), options: options) { result in
      sizes.append(result.inputSize)
      #expect(result.isLate)
      #expect(result.counts.late == sizes.count)
      return sizes.count < 6
    }
    let large = ImageSize(width: 128, height: 96)
    let small = ImageSize(width: 64, height: 64)
    #expect(sizes == [large, large, large, small, small, small])
  }

  @Test(.enabled(if: SharedData.isPresent)) func tasksAreCancelled() async throws {
    var options = SequenceOptions()
    options.isPaced = true
    let results = try request().results(in: clip("pets-768x576.mp4"), options: options)
    let task = Task {
      var count = 0
      for try await _ in results {
        count += 1
        if count == 3 { withUnsafeCurrentTask { $0?.cancel() } }
      }
      return count
    }
    #expect(try await task.value <= 4)
  }

  /// A picture whose pixels are twice as wide as high is seen as it is shown.
  @Test func pixelsThatAreNotSquare() throws {
    let shapes = ShapesImage(seed: 3)
    let (width, height) = (ShapesImage.width / 2, ShapesImage.height)
    let narrow = (0..<width * height).flatMap { place in
      let start = 3 * (place / width * ShapesImage.width + place % width * 2)
      return shapes.pixels[start..<start + 3]
    }
    var request = try request()
    request.cropAndScaleAction = .scaleToFit
    let expected = try objects(in: shapes, request)
    let found = try narrow.withUnsafeBufferPointer { bytes in
      let none = fov_sample_plane(data: nil, data_bytes: 0, row_bytes: 0, step: 0)
      let image = fov_image(
        format: .rgb, data: try #require(bytes.baseAddress), data_bytes: bytes.count,
        width: width, height: height, row_bytes: 3 * width, chroma_offset: 0, chroma_row_bytes: 0,
        alpha: .ignored, background: (0, 0, 0), yuv: .bt601_video, planes: (none, none, none),
        chroma_shifts: (0, 0), sample_bits: 8)
      return try request.result(onPlanes: PixelPlanes(image), PlanesView(pixelAspect: 2))
        .observations
    }
    #expect(found.count == expected.count && !found.isEmpty)
    for object in expected {
      #expect(
        found.contains {
          $0.bestLabel?.identifier == object.bestLabel?.identifier
            && $0.boundingBox.intersectionOverUnion(with: object.boundingBox) > 0.7
        })
    }
  }
}
