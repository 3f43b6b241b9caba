// Fovea - tests of codes that are read.
// SPDX-License-Identifier: Apache-2.0
import Fovea
import FoveaGeometry
import FoveaStills
import FoveaTestSupport
import Foundation
import Testing

@Suite struct BarcodeTests {
  private static let folder = SharedData.url("stills").path

  /// Whether this build reads codes, and the data is there.
  private static let isEnabled = SharedData.isPresent && canRead

  private static let canRead: Bool = {
    guard let image = try? Image(width: 1, height: 1, rgb: [0, 0, 0]) else { return false }
    do {
      _ = try DetectBarcodesRequest().perform(on: image)
      return true
    } catch {
      print("*** SKIPPED: tests of codes; \(error) ***")
      return false
    }
  }()

  /// The codes of a drawn scene, as `codes.json` has them.
  private struct Scene: Decodable {
    struct Code: Decodable {
      let symbology: String
      let payload: String
      let corners: [[Double]]
    }
    let image: String
    let codes: [Code]
  }
  private struct Scenes: Decodable { let images: [Scene] }

  private func scenes() throws -> [Scene] {
    let file = URL(fileURLWithPath: Self.folder + "/codes.json")
    return try JSONDecoder().decode(Scenes.self, from: Data(contentsOf: file)).images
  }

  private func picture(_ name: String) throws -> StillPicture {
    try StillPicture(decoding: ImageFile(contentsOf: Self.folder + "/" + name))
  }

  /// How far corners are from true ones, in pixels: the mean of four, from any corner on.
  private func distance(
    _ code: BarcodeObservation, _ truth: Scene.Code, in picture: StillPicture
  ) -> Double {
    let size = ImageSize(width: picture.width, height: picture.height)
    let found = [code.topLeft, code.topRight, code.bottomRight, code.bottomLeft].map {
      $0.toImageCoordinates(size, origin: .upperLeft)
    }
    return (0..<4).map { first in
      (0..<4).map { i in
        let (point, corner) = (found[(i + first) % 4], truth.corners[i])
        return hypot(point.x - corner[0], point.y - corner[1])
      }.reduce(0, +) / 4
    }.min() ?? .infinity
  }

  @Test(.enabled(if: isEnabled))
  func readsScenesAndFindsCorners() throws {
    // One of each kind, drawn in perspective on textures.
    let names: Set = [
      "000-qr", "007-microQR", "013-dataMatrix", "019-pdf417", "022-ean13", "026-ean8", "027-upce",
      "028-code128", "032-code39Checksum", "034-code93", "035-i2of5", "038-gs1DataBar",
    ]
    var errors: [Double] = []
    for scene in try scenes() where names.contains(where: scene.image.contains) {
      let picture = try picture(scene.image)
      let codes = try DetectBarcodesRequest().result(in: picture)
      for truth in scene.codes {
        let code = try #require(
          codes.first { $0.payloadString == truth.payload }, "\(scene.image): \(codes)")
        errors.append(distance(code, truth, in: picture))
      }
      let read = codes.filter { $0.payloadString != nil }
      #expect(read.allSatisfy { code in scene.codes.contains { $0.payload == code.payloadString } })
    }
    #expect(errors.count == names.count)
    errors.sort()
    #expect(errors[errors.count / 2] < 0.8 && errors.last! < 3, "\(errors)")
  }

  @Test(.enabled(if: isEnabled))
  func tellsKindsPayloadsAndAddOns() throws {
    func only(_ name: String) throws -> BarcodeObservation {
      let codes = try DetectBarcodesRequest().result(in: picture("photos/" + name))
      return try #require(codes.first { $0.payloadString != nil })
    }
    let upce = try only("upce-1/1.png")
    #expect(upce.symbology == .upce && upce.payloadString == "0012345000065")
    let upca = try only("upca-extension-1/8.webp")
    #expect(upca.symbology == .ean13 && upca.payloadString == "0071831007995")
    #expect(upca.addOn == "19868")
    let dataBar = try only("rss14-1/1.png")
    #expect(dataBar.symbology == .gs1DataBar && dataBar.isGS1DataCarrier)
    #expect(dataBar.payloadString == "0104412345678909")
    let inverted = try only("aztec-1/abc-inverted.png")
    #expect(inverted.symbology == .aztec && inverted.isColorInverted)
    let extended = try only("code39-2/2.png")
    #expect(extended.symbology == .code39FullASCII && extended.payloadString == "12ab")
    let binary = try #require(
      try DetectBarcodesRequest().result(in: picture("photos/pdf417-4/01-01.webp")).first)
    #expect(binary.payloadString == nil && binary.payloadData?.prefix(2) == [0x78, 0x9C])
  }

  @Test(.enabled(if: isEnabled))
  func propertiesRestrictResults() throws {
    let picture = try picture("photos/multi-1/1.png")
    var request = DetectBarcodesRequest()
    request.includesUnreadCodes = false
    #expect(Set(try request.result(in: picture).map(\.symbology)) == [.qr, .ean13])
    request.symbologies = [.qr]
    #expect(try request.result(in: picture).map(\.symbology) == [.qr])
    request.symbologies = DetectBarcodesRequest.supportedSymbologies
    request.maximumObservations = 1
    #expect(try request.result(in: picture).count == 1)
    request.level = .fast
    #expect(try request.result(in: picture).count == 1)
    request.maximumObservations = 0
    #expect(throws: StillError.self) { try request.result(in: picture) }
    request.maximumObservations = nil
    request.symbologies = [.msiPlessey]
    #expect(throws: StillError.self) { try request.result(in: picture) }
    request.symbologies = []
    #expect(try request.result(in: picture).isEmpty)
  }

  @Test(.enabled(if: isEnabled))
  func codesInARegionLieInTheFullImage() throws {
    let picture = try picture("photos/multi-1/1.png")
    var request = DetectBarcodesRequest()
    request.symbologies = [.qr]
    let whole = try #require(try request.result(in: picture).first)
    let box = whole.boundingBox
    request.regionOfInterest =
      NormalizedRect(
        x: max(0, box.x - 0.05), y: max(0, box.y - 0.05), width: box.width + 0.05,
        height: box.height + 0.05
      ).clamped
    let part = try #require(try request.result(in: picture).first)
    #expect(part.payloadString == whole.payloadString)
    #expect(abs(part.topLeft.x - whole.topLeft.x) * Double(picture.width) < 1.5)
    #expect(abs(part.topLeft.y - whole.topLeft.y) * Double(picture.height) < 1.5)
  }

  @Test(.enabled(if: isEnabled))
  func assertionsOfTheLibraryAreSurvived() throws {
    // Debian's library calls abort when it is asked for all codes of these.
    let payloads = [
      "rss14-1/13.webp": "0102001234567893", "rssexpanded-2/3_06.webp": "1012A",
      "rss14-2/2.png": "0100821935106427",
    ]
    for (name, payload) in payloads {
      let codes = try DetectBarcodesRequest().result(in: picture("photos/" + name))
      #expect(codes.contains { $0.payloadString == payload }, "\(name): \(codes)")
      // Bars that the picture cuts end at its edge.
      for code in codes where code.payloadString != nil {
        let (box, inside) = (code.boundingBox, code.boundingBox.clamped)
        #expect(abs(box.width - inside.width) + abs(box.height - inside.height) < 0.02)
      }
    }
  }

  /// Pictures of random, damaged and tiny content end in results.
  @Test(.enabled(if: canRead)) func anyPixelsAreRead() throws {
    var generator = SystemRandomNumberGenerator()
    for (width, height) in [(1, 1), (1, 64), (7, 5), (64, 2), (97, 61)] {
      let bytes = (0..<width * height * 3).map { _ in UInt8.random(in: 0...255, using: &generator) }
      let picture = StillPicture(try Image(width: width, height: height, rgb: bytes))
      _ = try DetectBarcodesRequest().result(in: picture)
    }
  }

  /// A picture whose bytes are damaged ends in results, whatever the library does.
  @Test(.enabled(if: isEnabled)) func damagedPicturesAreRead() throws {
    var generator = SystemRandomNumberGenerator()
    let names = ["rss14-1/13.webp", "rssexpanded-2/5.webp", "upce-1/1.png", "aztec-1/rune-68.png"]
    let sources = try names.map { try picture("photos/" + $0).image }
    var request = DetectBarcodesRequest()
    request.level = .fast
    for number in 0..<(TestTier.isThorough ? 500 : 12) {
      let source = sources[number % sources.count]
      var bytes = source.rgb
      for _ in 0..<Int.random(in: 1...40, using: &generator) {
        let start = Int.random(in: 0..<bytes.count, using: &generator)
        let end = min(bytes.count, start + Int.random(in: 1...600, using: &generator))
        let mask = UInt8.random(in: 0...255, using: &generator)
        for place in start..<end { bytes[place] ^= mask }
      }
      let picture = try Image(width: source.width, height: source.height, rgb: bytes)
      _ = try request.result(in: StillPicture(picture))
    }
  }
}
