// Fovea - tests: what a file may ask for can be set, and is refused before it is given.
// SPDX-License-Identifier: Apache-2.0
import Fovea
import FoveaExampleModel
import FoveaModelFormat
import Testing

@Suite struct LimitsTests {
  @Test func imagesAboveTheRequestsLimitsAreRefused() throws {
    let file = ImageRequestHandlerTests.png()
    let pixels = ShapesImage.width * ShapesImage.height
    var request = try ExampleDetector.request()
    request.imageLimits = ImageLimits(maximumPixels: pixels, maximumFileBytes: file.count)
    let found = try request.perform(on: file)
    #expect(ExampleDetector.mismatches(found, ShapesImage(seed: 7).objects) == [])
    var narrow = request
    narrow.imageLimits.maximumPixels = pixels - 1
    try expect(
      .tooManyPixels(
        width: ShapesImage.width, height: ShapesImage.height, limit: pixels - 1)
    ) { try narrow.perform(on: file) }
    var short = request
    short.imageLimits.maximumFileBytes = file.count - 1
    try expect(.fileTooLarge(limit: file.count - 1)) { try short.perform(on: file) }
    // Together, the strictest counts, wherever it stands.
    for order in [[request, narrow], [narrow, request]] {
      #expect(throws: DetectionError.self) { try ImageRequestHandler(file).perform(order) }
    }
    let decoded = try ExampleDetector.image()
    #expect(try narrow.perform(on: decoded) == request.perform(on: decoded))
  }

  @Test func modelsAboveTheReadersLimitsAreRefused() throws {
    let bytes = ShapesDetector.modelBytes()
    let whole = try Model(bytes: bytes, name: "squares")
    guard case .pipeline(let pipeline) = whole.specification.body,
      case .neuralNetwork(let network) = pipeline.stages[0].model.body
    else {
      Issue.record("no pipeline of a network")
      return
    }
    var limits = ReadingLimits()
    limits.layers = network.layers.count
    _ = try Model(
      bytes: bytes, name: "squares", options: Model.Options(readingLimits: limits))
    limits.layers -= 1
    let error = #expect(throws: FoveaError.self) {
      try Model(bytes: bytes, name: "squares", options: Model.Options(readingLimits: limits))
    }
    #expect(error?.formatError?.code == .limitExceeded)
  }

  private func expect(
    _ reason: ImageError.Reason, sourceLocation: SourceLocation = #_sourceLocation,
    _ body: () throws -> [RecognizedObjectObservation]
  ) throws {
    let error = #expect(throws: DetectionError.self, sourceLocation: sourceLocation) {
      _ = try body()
    }
    guard case .image(let found) = error else {
      Issue.record("\(String(describing: error))", sourceLocation: sourceLocation)
      return
    }
    #expect(found.reason == reason, sourceLocation: sourceLocation)
  }
}
