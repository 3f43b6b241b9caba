// Fovea - tests of what files say about themselves.
// SPDX-License-Identifier: Apache-2.0
import FoveaImaging
import FoveaTestSupport
import Testing

@Suite struct ImageHeaderTests {
  private static let tiff = HandmadeTIFF.orientation(6, bigEndian: false)

  @Test func everyFormatWithoutItsDecoder() throws {
    var jpeg = HandmadeJPEG(width: 30, height: 20)
    jpeg.prologue = HandmadeTIFF.segment(Self.tiff)
    let png = HandmadePNG(
      width: 30, height: 20, depth: 8, colorType: 0, rows: [], chunks: [("eXIf", Self.tiff)])
    let webP = HandmadeWebP(width: 30, height: 20, after: [("EXIF", Self.tiff)])
    let files: [(ImageFormat, [UInt8])] = [
      (.jpeg, jpeg.bytes), (.png, png.bytes), (.webP, webP.bytes),
    ]
    for (format, bytes) in files {
      let header = try ImageHeader(bytes: bytes)
      #expect(header.format == format && header.width == 30 && header.height == 20)
      #expect(header.orientation == 6 && header.swapsSides)
      #expect(header.uprightWidth == 20 && header.uprightHeight == 30)
      #expect(!header.hasColorProfile)
      let file = try ImageFile(bytes: bytes)
      #expect(file.header == header && file.limits == .standard)
    }
  }

  @Test func colorProfilesAreNoticed() throws {
    let jpeg = HandmadeJPEG(
      prologue: HandmadeJPEG.segment(0xE2, Array("ICC_PROFILE\0\u{1}\u{1}".utf8) + [0, 1, 2]))
    #expect(try ImageHeader(bytes: jpeg.bytes).hasColorProfile)
    let other = HandmadeJPEG(prologue: HandmadeJPEG.segment(0xE2, Array("MPF\0".utf8)))
    #expect(try !ImageHeader(bytes: other.bytes).hasColorProfile)
    let png = HandmadePNG(
      width: 1, height: 1, depth: 8, colorType: 0, rows: [[0, 7]],
      chunks: [("iCCP", Array("name\0\0".utf8))])
    #expect(try ImageHeader(bytes: png.bytes).hasColorProfile)
    #if JPEG
      let image = try Image(bytes: jpeg.bytes)
      #expect(image.hasColorProfile && image.rgb.allSatisfy { $0 == 128 })
      #expect(image.upright().hasColorProfile)
    #endif
    #if PNG
      #expect(try Image(bytes: png.bytes).hasColorProfile)
      #expect(try Image(bytes: png.bytes).rgb == [7, 7, 7])
    #endif
  }

  @Test func theHeadOfAJPEGIsEnough() throws {
    let whole = HandmadeJPEG(width: 30, height: 20, scan: [0, 0, 0]).bytes
    let headCount = whole.count - 5
    for count in 2..<whole.count {
      let start = Array(whole.prefix(count))
      if count < headCount {
        #expect(throws: ImageError(.truncated(.jpeg))) { try ImageHeader(bytes: start) }
      } else {
        #expect(try ImageHeader(bytes: start).width == 30)
      }
    }
  }

  @Test func whatIsNoImageHasNoHeader() {
    #expect(throws: ImageError(.emptyFile)) { try ImageHeader(bytes: []) }
    #expect(throws: ImageError(.notAnImage(isText: true))) {
      try ImageHeader(bytes: Array("hello".utf8))
    }
    #expect(throws: ImageError(.truncated(.gif))) {
      try ImageHeader(bytes: Array("GIF89a".utf8))
    }
    #expect(throws: ImageError(.missingFile, file: "/nowhere/a.jpg")) {
      try ImageFile(contentsOf: "/nowhere/a.jpg")
    }
  }
}
