// Fovea - tests of ink on a transparent ground.
// SPDX-License-Identifier: Apache-2.0
import FoveaGeometry
import FoveaImaging
import FoveaStills
import FoveaTestSupport
import FoveaVision
import Testing

#if PNG && WebP
  @Suite(.enabled(if: SharedData.isPresent)) struct TransparentGroundTests {
    private static let folder = "reports/h1-codes"

    private static func file(_ name: String) throws -> ImageFile {
      try ImageFile(contentsOf: SharedData.url("\(folder)/\(name)").path)
    }

    /// White lies behind the ink; the colors that the file stores there are black.
    @Test(arguments: ["qr-rgba.webp", "text-rgba.png", "transparent.png"])
    func groundIsWhite(_ name: String) throws {
      let file = try Self.file(name)
      #expect(try file.decoded().rgb.prefix(3) == [0, 0, 0])
      #expect(try StillPicture(decoding: file).image.rgb.prefix(3) == [255, 255, 255])
      let handler = ImageRequestHandler(file)
      let first = try handler.perform(FirstPixel())
      #expect(first == [255, 255, 255])
      // What somebody says counts.
      var chosen = file
      chosen.alpha = .composed(red: 1, green: 2, blue: 3)
      #expect(try StillPicture(decoding: chosen).image.rgb.prefix(3) == [1, 2, 3])
    }

    /// Other grounds are tried while nothing is found, and not for opaque pictures.
    @Test func otherGroundsFollow() throws {
      func grounds(_ image: some ImageConvertible) throws -> [[UInt8]] {
        var seen: [[UInt8]] = []
        _ = try StillPicture(decoding: image).found { picture throws(StillError) in
          seen.append(Array(picture.image.rgb.prefix(3)))
        } isFound: {
          false
        }
        return seen
      }
      #expect(
        try grounds(Self.file("qr-rgba.png"))
          == [[255, 255, 255], [0, 0, 0], [255, 255, 255]])
      #expect(try grounds(Self.file("text-white.png")).count == 1)
      #expect(try grounds(Image(width: 1, height: 1, rgb: [1, 2, 3])) == [[1, 2, 3]])
    }

    /// Whether this build reads codes.
    private static let canRead: Bool = {
      guard let image = try? Image(width: 1, height: 1, rgb: [0, 0, 0]) else { return false }
      return (try? DetectBarcodesRequest().perform(on: image)) != nil
    }()

    @Test(
      .enabled(if: canRead),
      arguments: ["qr-rgba.webp", "qr-rgba.png", "qr-la.png", "qr-palette-trns.png"])
    func codesAreRead(_ name: String) throws {
      let codes = try DetectBarcodesRequest().perform(on: Self.file(name))
      #expect(codes.map(\.payloadString) == ["transparent ground"])
    }
  }

  /// The color of the upper left pixel.
  private struct FirstPixel: StillRequest {
    var regionOfInterest = NormalizedRect.fullImage

    func result(in picture: StillPicture) throws(StillError) -> [UInt8] {
      Array(picture.image.rgb.prefix(3))
    }
  }
#endif
