// Fovea - tests of where the boxes of a request lie.
// SPDX-License-Identifier: Apache-2.0
import Fovea
import FoveaExampleModel
import FoveaTestSupport
import Testing

@Suite struct RequestGeometryTests {
  /// Fractions of the input to fractions of the image, x' = ax x + ox, from the upper left: the
  /// formulas of the literature, written down once more.
  struct Placement {
    var ax, ay, ox, oy: Double

    init(_ image: ImageSize, _ action: ImageCropAndScaleAction, _ model: ImageSize) {
      let sx = Double(model.width) / Double(image.width)
      let sy = Double(model.height) / Double(image.height)
      let s =
        switch action {
        case .centerCrop: max(sx, sy)
        case .scaleToFit: min(sx, sy)
        default: 0.0
        }
      (ax, ay) = s == 0 ? (1, 1) : (sx / s, sy / s)
      (ox, oy) = ((1 - ax) / 2, (1 - ay) / 2)
    }

    /// A rectangle of the input, by center and size from the upper left, in the image.
    func rect(_ cx: Double, _ cy: Double, _ width: Double, _ height: Double) -> NormalizedRect {
      NormalizedRect(
        x: (cx - width / 2) * ax + ox, y: (cy - height / 2) * ay + oy, width: width * ax,
        height: height * ay
      ).verticallyFlipped()
    }
  }

  static let sizes = [
    ImageSize(width: 480, height: 320), ImageSize(width: 321, height: 479),
    ImageSize(width: 300, height: 300),
  ]

  /// The arrays of the network, run by hand on the input that the request says it was given, against
  /// the request's own answer.
  @Test(arguments: sizes, [ImageCropAndScaleAction.scaleToFill, .scaleToFit, .centerCrop])
  func boxesAreBroughtBackByTheLiteraturesFormulas(
    _ size: ImageSize, _ action: ImageCropAndScaleAction
  ) throws {
    var request = try ExampleDetector.request()
    request.cropAndScaleAction = action
    request.minimumConfidence = 0.01
    request.iouThreshold = 1
    let image = try Self.crop(ExampleDetector.image(), to: size)
    let input = try request.networkInput(on: image)
    let model = request.inputSize
    #expect(input.image.width == model.width && input.image.height == model.height)
    let session = try Session(model: request.model)
    try session.setInput(
      "image", to: Tensor(shape: [model.height, model.width, 3], uint8s: input.image.rgb))
    session.run()
    let port = try #require(request.model.outputs.first { $0.shape.last == 4 })
    let boxes = try session.output(port.name).floats().map { Double($0) }
    let placement = Placement(size, action, model)
    let result = try request.result(on: image)
    #expect(!result.observations.isEmpty && result.geometry == input.geometry)
    #expect(result.imageSize == size)
    for object in result.observations {
      let isThere = stride(from: 0, to: boxes.count, by: 4).contains { at in
        let expected = placement.rect(boxes[at], boxes[at + 1], boxes[at + 2], boxes[at + 3])
        return [\NormalizedRect.x, \.y, \.width, \.height].allSatisfy {
          abs(expected[keyPath: $0] - object.boundingBox[keyPath: $0]) < 1e-6
        }
      }
      #expect(isThere, "\(object) is no box of the network")
    }
  }

  private static func crop(_ image: Image, to size: ImageSize) throws -> Image {
    var rgb: [UInt8] = []
    for y in 0..<size.height {
      for x in 0..<size.width {
        let at = (min(y, image.height - 1) * image.width + min(x, image.width - 1)) * 3
        rgb += image.rgb[at..<at + 3]
      }
    }
    return try Image(width: size.width, height: size.height, rgb: rgb)
  }

  /// A region is what an image of that region alone would be, in another place.
  @Test func aRegionIsAnImageOfItsOwn() throws {
    let image = try ExampleDetector.image()
    let (left, top, width, height) = (37, 21, 301, 222)
    var rgb: [UInt8] = []
    for y in top..<top + height {
      rgb += image.rgb[(y * image.width + left) * 3..<(y * image.width + left + width) * 3]
    }
    let part = try Image(width: width, height: height, rgb: rgb)
    var request = try ExampleDetector.request()
    let alone = try request.perform(on: part)
    let size = ImageSize(width: image.width, height: image.height)
    request.regionOfInterest = NormalizedRect(
      imageRect: ImageRect(
        x: Double(left), y: Double(top), width: Double(width), height: Double(height),
        origin: .upperLeft), in: size)
    let found = try request.result(on: image)
    #expect(
      try request.networkInput(on: image).image.rgb
        == ExampleDetector.request().networkInput(on: part).image.rgb)
    #expect(alone.count == found.observations.count && alone.count > 0)
    for (a, b) in zip(alone, found.observations) {
      #expect(a.labels == b.labels && a.confidence == b.confidence)
      let inPart = a.boundingBox.toImageCoordinates(
        ImageSize(width: width, height: height), origin: .upperLeft)
      let inWhole = b.boundingBox.toImageCoordinates(size, origin: .upperLeft)
      #expect(abs(inPart.x + Double(left) - inWhole.x) < 1e-9)
      #expect(abs(inPart.y + Double(top) - inWhole.y) < 1e-9)
      #expect(abs(inPart.width - inWhole.width) < 1e-9)
    }
  }

  /// Eight images that differ by how they are stored give the network the same bytes; the area filter
  /// rounds between the axes, in the order in which they are stored.
  @Test(arguments: ImageCropAndScaleAction.allCases, [ResamplingFilter.bilinear, .area])
  func howAnImageIsStoredDoesNotMatter(
    _ action: ImageCropAndScaleAction, _ filter: ResamplingFilter
  ) throws {
    var request = try ExampleDetector.request()
    request.cropAndScaleAction = action
    request.resamplingFilter = filter
    request.regionOfInterest = NormalizedRect(x: 0.1, y: 0.25, width: 0.83, height: 0.7)
    let upright = try ExampleDetector.image()
    let expected = try request.networkInput(on: upright)
    let objects = try request.perform(on: upright)
    for orientation in ImageOrientation.allCases {
      let stored = try Image(
        width: upright.width, height: upright.height, rgb: upright.rgb,
        storedOrientation: orientation.inverse.rawValue
      ).upright()
      let tagged = try Image(
        width: stored.width, height: stored.height, rgb: stored.rgb,
        storedOrientation: orientation.rawValue)
      let found = try request.networkInput(on: tagged)
      if filter == .area && orientation.swapsSides {
        let pairs = zip(found.image.rgb, expected.image.rgb)
        #expect(pairs.allSatisfy { abs(Int($0) - Int($1)) <= 1 }, "\(orientation)")
        continue
      }
      #expect(found.image.rgb == expected.image.rgb, "\(orientation)")
      #expect(try request.perform(on: tagged) == objects, "\(orientation)")
    }
  }

  @Test func regionsOutsideTheImageAreRefused() throws {
    var request = try ExampleDetector.request()
    for region in [
      NormalizedRect(x: 0.5, y: 0, width: 0.6, height: 1),
      NormalizedRect(x: 0, y: 0, width: 0, height: 1),
      NormalizedRect(x: 0, y: .nan, width: 1, height: 1),
    ] {
      request.regionOfInterest = region
      let error = #expect(throws: DetectionError.self) {
        try request.perform(on: ExampleDetector.image())
      }
      guard case .invalidRequest(let text) = error else {
        Issue.record("\(String(describing: error))")
        continue
      }
      #expect(text.contains("region of interest"))
    }
  }
}
