// Fovea - tests of inputs whose size follows the image.
// SPDX-License-Identifier: Apache-2.0
import Foundation
import Fovea
import FoveaTestSupport
import Testing

/// A detector that allows 128 x 96, 64 x 64 and 96 x 128 pixels.
@Suite(.enabled(if: SharedData.isPresent)) struct MatchingAspectTests {
  static let path = SharedData.url("mlprogram/flexible-enumerated-image/model.mlpackage").path
  static let sizes = [
    ImageSize(width: 128, height: 96), ImageSize(width: 64, height: 64),
    ImageSize(width: 96, height: 128),
  ]
  static let backend: BackendOptions = BuildConfiguration.isOptimized ? .float : .blas

  static func request(_ size: ImageSize? = nil) throws -> DetectObjectsRequest {
    var options = Model.Options(backend: backend)
    if let size { options.imageSizes["image"] = size }
    var request = try DetectObjectsRequest(
      model: Model(contentsOf: path, options: options), pool: ThreadPool(threadCount: 1))
    request.minimumConfidence = 0.3
    return request
  }

  /// A picture of a size: colors that change from pixel to pixel.
  static func picture(_ width: Int, _ height: Int) throws -> Image {
    var random = SplitMix(seed: 7)
    return try Image(
      width: width, height: height,
      rgb: (0..<width * height * 3).map { _ in UInt8(truncatingIfNeeded: random.next()) })
  }

  @Test(arguments: [(640, 480, 0), (300, 310, 1), (90, 160, 2), (1000, 100, 0)])
  func resultsAreThoseOfAModelOfTheSize(_ width: Int, _ height: Int, _ index: Int) throws {
    let image = try Self.picture(width, height)
    let expected = try Self.request(Self.sizes[index]).result(on: image)
    #expect(!expected.observations.isEmpty)
    var request = try Self.request()
    request.matchesAspect = true
    let found = try request.result(on: image)
    #expect(found.geometry.modelSize == Self.sizes[index])
    #expect(found.observations == expected.observations)
    let kept = try ImageRequestHandler(image).results(of: [request, request])
    #expect(kept.map(\.observations) == [expected.observations, expected.observations])
    #expect(try request.networkInput(on: image).image.width == Self.sizes[index].width)
  }

  @Test func regionsAndOrientationsCount() throws {
    var request = try Self.request()
    request.matchesAspect = true
    let wide = ImageSize(width: 640, height: 480)
    #expect(try request.geometry(of: wide).modelSize == Self.sizes[0])
    #expect(try request.geometry(of: wide, orientation: .right).modelSize == Self.sizes[2])
    request.regionOfInterest = NormalizedRect(x: 0, y: 0, width: 0.75, height: 1)
    #expect(try request.geometry(of: wide).modelSize == Self.sizes[1])
  }

  @Test func modelsOfOneSizeKeepIt() throws {
    var fixed = try Self.request()
    #expect(try fixed.geometry(of: Self.sizes[2]).modelSize == Self.sizes[0])
    let file = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID()).fovea")
    defer { try? FileManager.default.removeItem(at: file) }
    try Model.compile(contentsOf: Self.path, to: file.path)
    fixed = try DetectObjectsRequest(model: Model(contentsOf: file.path))
    fixed.matchesAspect = true
    #expect(try fixed.geometry(of: Self.sizes[2]).modelSize == Self.sizes[0])
  }
}
