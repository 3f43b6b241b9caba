// Fovea - tests on real images, whole and broken.
// SPDX-License-Identifier: Apache-2.0
import FoveaFiles
import FoveaImaging
import FoveaTestSupport
import Foundation
import Testing

private struct Expected: Decodable {
  var width: Int
  var height: Int
  var mean_rgb: [Double]
  var sha256_rgb: String?
  var orientation: Int?
}

private struct Instances: Decodable {
  struct Image: Decodable {
    var file_name: String
    var width: Int
    var height: Int
  }
  var images: [Image]
}

#if JPEG && PNG
  @Suite(.enabled(if: SharedData.isPresent)) struct SharedImageTests {
    #if WebP
      static let webP = ["lossy.webp", "lossless.webp"]
    #else
      static let webP: [String] = []
    #endif
    static let formats =
      ["progressive.jpg", "odd-size-420.jpg", "cmyk.jpg", "palette.png"] + webP

    private func open(_ name: String) throws -> Image {
      try Image(contentsOf: SharedData.url(name).path)
    }

    @Test func everyImageIsRightOrRefusedByName() throws {
      let data = try Data(contentsOf: SharedData.url("images/expected.json"))
      let all = try JSONDecoder().decode([String: Expected].self, from: data)
      #expect(all.count == 28)
      for (name, expected) in all {
        if let reason = refusal(of: name) {
          let path = SharedData.url("images/" + name).path
          #expect(throws: ImageError(reason, file: path)) { try Image(contentsOf: path) }
          continue
        }
        let stored = try open("images/" + name)
        #expect(stored.storedOrientation == expected.orientation ?? 1, "\(name)")
        try check(stored.upright(), expected, name)
        let bytes = try SharedData.bytes("images/" + name)
        #expect(try Image(bytes: bytes) == stored)
        let header = try ImageHeader(bytes: bytes)
        #expect(header.width == stored.width && header.height == stored.height, "\(name)")
        #expect(header.orientation == stored.storedOrientation, "\(name)")
        #expect(header.uprightWidth == expected.width && header.uprightHeight == expected.height)
      }
    }

    private func refusal(of name: String) -> ImageError.Reason? {
      name.hasSuffix(".webp") && Self.webP.isEmpty ? .traitDisabled(.webP) : nil
    }

    private func check(_ image: Image, _ expected: Expected, _ name: String) throws {
      #expect(image.width == expected.width && image.height == expected.height, "\(name)")
      let tolerance = name.hasSuffix(".png") || name.hasSuffix(".bmp") ? 0.05 : 0.6
      for channel in 0..<3 {
        var sum = 0
        for index in stride(from: channel, to: image.rgb.count, by: 3) {
          sum += Int(image.rgb[index])
        }
        let mean = Double(sum) / Double(image.width * image.height)
        #expect(abs(mean - expected.mean_rgb[channel]) <= tolerance, "\(name): \(mean)")
      }
      if let hash = expected.sha256_rgb {
        #expect(SecureHash.hexadecimal(of: image.rgb) == hash, "\(name)")
      }
    }

    @Test func orientedImagesEqualTheUprightOne() throws {
      let upright = try open("images/exif/upright.png")
      let names = try SharedData.files(in: "images/exif", suffix: ".jpg")
      #expect(names.count == 9)
      for name in names {
        let turned = try open("images/exif/" + name).upright()
        #expect(turned.width == upright.width && turned.height == upright.height)
        let difference = zip(turned.rgb, upright.rgb).map { abs(Int($0) - Int($1)) }.max()
        #expect(try #require(difference) <= 19, "\(name)")
      }
    }

    @Test func everyBrokenImageIsAnError() throws {
      let names = try SharedData.files(in: "bad/images")
      #expect(names.count == 16)
      for name in names {
        let path = SharedData.url("bad/images/" + name).path
        let error = #expect(throws: ImageError.self, "\(name)") {
          try Image(contentsOf: path)
        }
        #expect(error?.file == path)
        let fromMemory = #expect(throws: ImageError.self) {
          try Image(bytes: FileBytes.read(path, maximumCount: 1 << 20))
        }
        #expect(fromMemory?.reason == error?.reason)
        if name.hasPrefix("truncated") {
          let format: ImageFormat =
            name.hasSuffix("png") ? .png : name.hasSuffix("webp") ? .webP : .jpeg
          #expect(error?.reason == .truncated(format), "\(name)")
        }
        if name.hasPrefix("zero-byte") { #expect(error?.reason == .emptyFile) }
      }
    }

    /// A reduced image is near the means of the pixels that it replaces; least so where colors
    /// have half the resolution on one axis (dog, person, subsampling-422).
    @Test(arguments: [
      "dog.jpg", "person.jpg", "cmyk.jpg", "progressive.jpg", "subsampling-422.jpg",
    ])
    func reducedPhotographs(name: String) throws {
      let file = try ImageFile(contentsOf: SharedData.url("images/" + name).path)
      let full = try file.decoded()
      for factor in [2, 4, 8] {
        let wanted = ImageReduction.covering(
          width: full.width / factor, height: full.height / factor)
        let reduced = try file.decoded(reduction: wanted)
        #expect(reduced.reductionFactor == factor)
        #expect(reduced.width == (full.width + factor - 1) / factor)
        #expect(reduced.height == (full.height + factor - 1) / factor)
        #expect(reduced.fullWidth == full.width && reduced.fullHeight == full.height)
        let difference = BoxMeans(of: full, factor: factor).meanDifference(to: reduced)
        #expect(difference < 2.2, "\(name), 1/\(factor): \(difference)")
      }
    }

    @Test func aLargeImageIsRead() throws {
      let image = try open("odd/large-9000x9000-grey.png")
      #expect(image.width == 9000 && image.height == 9000)
      #expect(image.rgb.count == 243_000_000)
    }

    @Test func photographsOfManyCameras() throws {
      let folder = "coco128-train/images/"
      let data = try Data(contentsOf: SharedData.url("coco128-train/instances.json"))
      let sizes = try JSONDecoder().decode(Instances.self, from: data).images
      #expect(sizes.count == 128)
      for size in sizes {
        let image = try open(folder + size.file_name)
        #expect(image.width == size.width && image.height == size.height)
      }
    }

    @Test(arguments: Self.formats)
    func cutAnywhereIsTruncated(name: String) throws {
      let whole = try SharedData.bytes("images/" + name)
      let format = try #require(ImageFormat(startOf: whole))
      for count in Array(stride(from: 12, to: whole.count, by: 61)) + [whole.count - 1] {
        #expect(throws: ImageError(.truncated(format)), "\(count) bytes") {
          try Image(bytes: Array(whole.prefix(count)))
        }
      }
    }

    @Test(arguments: Self.formats)
    func damageAnywhereIsAnImageOrAnError(name: String) throws {
      let whole = try SharedData.bytes("images/" + name)
      var random = SplitMix(seed: 12345)
      for round in 0..<400 {
        var bytes = whole
        for _ in 0...round % 4 {
          let state = random.next()
          // Half of the damage falls on the first 700 bytes, where the structure is.
          let span = state & 1 == 0 ? min(700, bytes.count) : bytes.count
          bytes[Int(state >> 8) % span] = UInt8(truncatingIfNeeded: state >> 3)
        }
        do throws(ImageError) {
          let image = try Image(
            bytes: bytes,
            reduction: round % 3 == 0 ? .none : .covering(width: round % 50, height: 12),
            alpha: round % 2 == 0 ? .ignored : .composed(red: 255, green: 255, blue: 255))
          #expect(image.rgb.count == image.width * image.height * 3)
        } catch {
          #expect(!error.description.isEmpty)
        }
      }
    }
  }
#endif
