// Fovea - tests of the request on the example detector.
// SPDX-License-Identifier: Apache-2.0
import Fovea
import FoveaExampleModel
import FoveaTestSupport
import Testing

@Suite(.tags(.startsThreads)) struct DetectObjectsRequestTests {
  @Test(arguments: [Backend.reference, .blas])
  func findsExactlyWhatIsDrawn(_ backend: Backend) throws {
    let request = try ExampleDetector.request(backend: backend)
    for seed: UInt64 in [7, 1, 2] {
      let shapes = ShapesImage(seed: seed)
      let found = try request.perform(on: ExampleDetector.image(shapes))
      #expect(ExampleDetector.mismatches(found, shapes.objects) == [])
      #expect(found.map(\.topConfidence) == found.map(\.topConfidence).sorted(by: >))
    }
  }

  @Test func emptyImageHasNoObjects() throws {
    let gray = try Image(
      width: 33, height: 7, rgb: Array(repeating: 128, count: 33 * 7 * 3))
    #expect(try ExampleDetector.request().perform(on: gray).isEmpty)
  }

  @Test(arguments: ImageOrientation.allCases)
  func boxesAreThoseOfTheUprightImage(_ orientation: ImageOrientation) throws {
    let request = try ExampleDetector.request()
    let upright = try ExampleDetector.image()
    let expected = try request.perform(on: upright)
    // Turned by the inverse, an image is stored as `orientation` says.
    let stored = try Image(
      width: upright.width, height: upright.height, rgb: upright.rgb,
      storedOrientation: orientation.inverse.rawValue
    ).upright()
    let explicit = try request.result(on: stored, orientation: orientation)
    #expect(explicit.observations == expected)
    #expect(explicit.orientation == orientation)
    #expect(explicit.imageSize == ImageSize(width: upright.width, height: upright.height))
    let tagged = try Image(
      width: stored.width, height: stored.height, rgb: stored.rgb,
      storedOrientation: orientation.rawValue)
    #expect(try request.perform(on: tagged) == expected)
    // An explicit orientation wins over the tag.
    #expect(try request.result(on: tagged, orientation: .up).orientation == .up)
  }

  @Test func requestsThresholdsWinOverTheModels() throws {
    var request = try ExampleDetector.request()
    let own = try request.resolvedSettings()
    #expect(own.minimumConfidence == 0.25 && own.iouThreshold == 0.45)
    #expect(!own.isClassAgnostic && own.maximumObservations == nil)
    request.minimumConfidence = 0.5
    request.iouThreshold = 0.75
    request.isClassAgnostic = true
    let set = try request.resolvedSettings()
    #expect(set.minimumConfidence == 0.5 && set.iouThreshold == 0.75 && set.isClassAgnostic)
    request.iouThreshold = 1
    #expect(try request.perform(on: ExampleDetector.image()).count > 6)
    request.minimumConfidence = 1
    #expect(try request.perform(on: ExampleDetector.image()).isEmpty)
  }

  @Test func labelsAndCountLimitTheResult() throws {
    var request = try ExampleDetector.request()
    let all = try request.perform(on: ExampleDetector.image())
    request.maximumObservations = 2
    #expect(try request.perform(on: ExampleDetector.image()) == Array(all.prefix(2)))
    request.maximumObservations = nil
    request.allowedLabels = ["blue square"]
    let blue = try request.perform(on: ExampleDetector.image())
    #expect(blue == all.filter { $0.bestLabel?.identifier == "blue square" })
    #expect(blue.count == 2)
  }

  @Test func senselessRequestsAreRefused() throws {
    let image = try ExampleDetector.image()
    let changes: [(inout DetectObjectsRequest) -> Void] = [
      { $0.minimumConfidence = 1.5 }, { $0.minimumConfidence = .nan }, { $0.iouThreshold = -1 },
      { $0.maximumObservations = 0 }, { $0.allowedLabels = ["purple square"] },
    ]
    for change in changes {
      var request = try ExampleDetector.request()
      change(&request)
      let error = #expect(throws: DetectionError.self) { try request.perform(on: image) }
      guard case .invalidRequest = error else {
        Issue.record("\(String(describing: error))")
        continue
      }
    }
  }

  @Test func manyTasksShareOneRequest() async throws {
    let request = try ExampleDetector.request()
    let images = try (0..<8).map { try ExampleDetector.image(ShapesImage(seed: $0)) }
    let alone = try Self.performEach(request, on: images)
    let together = try await withThrowingTaskGroup(
      of: (Int, [RecognizedObjectObservation]).self
    ) { group in
      for index in 0..<32 {
        let image = images[index % 8]
        group.addTask { (index, try await request.perform(on: image)) }
      }
      return try await group.reduce(into: [:]) { $0[$1.0] = $1.1 }
    }
    #expect(together.count == 32)
    for (index, found) in together { #expect(found == alone[index % 8]) }
  }

  /// Outside the asynchronous test, where `perform` would mean the asynchronous form.
  static func performEach(
    _ request: DetectObjectsRequest, on images: [Image]
  ) throws -> [[RecognizedObjectObservation]] {
    try images.map { try request.perform(on: $0) }
  }

  @Test func threadsDoNotChangeTheResult() throws {
    let image = try ExampleDetector.image()
    let one = try ExampleDetector.request(threads: 1).perform(on: image)
    #expect(try ExampleDetector.request(threads: 3).perform(on: image) == one)
  }

  @Test func handlerServesBytesFilesAndSeveralRequests() async throws {
    let shapes = ShapesImage()
    let png = UncompressedPNG.encode(
      width: ShapesImage.width, height: ShapesImage.height, pixels: shapes.pixels)
    let handler = try ImageRequestHandler(ImageFile(bytes: png))
    var request = try ExampleDetector.request()
    #expect(ExampleDetector.mismatches(try await handler.perform(request), shapes.objects) == [])
    request.maximumObservations = 1
    #expect(try await handler.perform(request).count == 1)
    #expect(try await request.perform(on: ImageFile(bytes: png)).count == 1)
    let error = await #expect(throws: ImageError.self) {
      try await request.perform(on: ImageFile(contentsOf: "/no/such/image.png"))
    }
    #expect(error?.description.contains("/no/such/image.png") == true)
  }
}
