// Fovea - tests of several requests on one picture.
// SPDX-License-Identifier: Apache-2.0
import Fovea
import FoveaCodesAndText
import FoveaGeometry
import FoveaImaging
import FoveaStills
import FoveaTestSupport
import Testing

@Suite struct StillHandlerTests {
  /// A request that returns the color of the upper left pixel of its region.
  private struct Corner: StillRequest {
    var regionOfInterest = NormalizedRect.fullImage

    func result(in picture: StillPicture) throws(StillError) -> [UInt8] {
      Array(try picture.part(regionOfInterest).image.rgb.prefix(3))
    }
  }

  /// 4 x 2 pixels: red counts columns, green rows.
  private let image: Image

  init() throws {
    let rgb = (0..<8).flatMap { index -> [UInt8] in
      [UInt8(index % 4 * 10), UInt8(index / 4 * 10), 7]
    }
    image = try Image(width: 4, height: 2, rgb: rgb)
  }

  @Test func imageIsDecodedOnceForAllRequests() async throws {
    let handler = ImageRequestHandler(image)
    let lower = Corner(regionOfInterest: NormalizedRect(x: 0.5, y: 0, width: 0.5, height: 0.5))
    let detect = try DetectObjectsRequest(model: .codesAndText)
    let (first, second, objects) = try await handler.perform(Corner(), lower, detect)
    #expect(first == [0, 0, 7])
    #expect(second == [20, 10, 7])
    #expect(objects.isEmpty)
    let again = try await handler.perform(lower, Corner())
    #expect(again == ([20, 10, 7], [0, 0, 7]))
    #expect(handler.counts.decoded == 1)
  }

  @Test(arguments: [(3, [30, 10, 7]), (6, [0, 10, 7]), (8, [30, 0, 7]), (2, [30, 0, 7])])
  func picturesAreTurnedUpright(_ orientation: Int, _ corner: [Int]) throws {
    let orientation = try #require(ImageOrientation(rawValue: orientation))
    let found = try Corner().perform(on: image, orientation: orientation)
    #expect(found.map(Int.init) == corner)
  }

  @Test func pixelsOfOtherFormatsBecomeColors() throws {
    // Blue, green, red, and a byte of padding.
    let pixels: [UInt8] = [1, 2, 3, 0, 4, 5, 6, 0]
    let layout = PixelLayout(format: .bgra, width: 2, height: 1)
    let buffer = PixelBuffer(bytes: pixels, layout: layout)
    #expect(try Corner().perform(on: buffer) == [3, 2, 1])
    #expect(try Corner().perform(on: buffer, orientation: .down) == [6, 5, 4])
  }

  @Test func errorsNameWhatIsWrong() throws {
    let outside = Corner(regionOfInterest: NormalizedRect(x: 0.5, y: 0, width: 0.75, height: 1))
    #expect { try outside.perform(on: image) } throws: { "\($0)".contains("regionOfInterest") }
    let file = try ImageFile(bytes: Array(image.jpegBytes().dropLast(12)))
    #expect {
      try ImageRequestHandler(file).perform(Corner(), Corner())
    } throws: { error in
      if case .detection(.image) = error as? StillError { return true }
      return false
    }
  }
}
