// Fovea - tests: what a file may ask for can be set, and is refused before it is given.
// SPDX-License-Identifier: Apache-2.0
import Fovea
import FoveaExampleModel
import FoveaModelFormat
import Testing

@Suite struct LimitsTests {
  @Test func imagesAboveTheLimitsOfTheirFileAreRefused() throws {
    let bytes = ImageRequestHandlerTests.pngBytes()
    let pixels = ShapesImage.width * ShapesImage.height
    let request = try ExampleDetector.request()
    var limits = ImageLimits(maximumPixels: pixels, maximumFileBytes: bytes.count)
    let found = try request.perform(on: ImageFile(bytes: bytes, limits: limits))
    #expect(ExampleDetector.mismatches(found, ShapesImage(seed: 7).objects) == [])
    limits.maximumPixels = pixels - 1
    let narrow = try ImageFile(bytes: bytes, limits: limits)
    let refusal = ImageError.Reason.tooManyPixels(
      width: ShapesImage.width, height: ShapesImage.height, limit: pixels - 1)
    try expect(refusal) { try request.perform(on: narrow) }
    try expect(refusal) { try ImageRequestHandler(narrow).perform(request) }
    limits.maximumFileBytes = bytes.count - 1
    #expect(throws: ImageError(.fileTooLarge(limit: bytes.count - 1))) {
      try ImageFile(bytes: bytes, limits: limits)
    }
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
