// Fovea - tests of what files say about themselves.
// SPDX-License-Identifier: Apache-2.0
import FoveaImaging
import FoveaTestSupport
import Testing

@Suite struct PictureHeaderTests {
  private static let tiff = HandmadeTIFF.orientation(6, bigEndian: false)

  @Test func everyFormatWithoutItsDecoder() throws {
    var jpeg = HandmadeJPEG(width: 30, height: 20)
    jpeg.prologue = HandmadeTIFF.segment(Self.tiff)
    let png = HandmadePNG(
      width: 30, height: 20, depth: 8, colorType: 0, rows: [], chunks: [("eXIf", Self.tiff)])
    let webP = HandmadeWebP(width: 30, height: 20, after: [("EXIF", Self.tiff)])
    let files: [(PictureFormat, [UInt8])] = [
      (.jpeg, jpeg.bytes), (.png, png.bytes), (.webP, webP.bytes),
    ]
    for (format, bytes) in files {
      let header = try PictureHeader(bytes: bytes)
      #expect(header.format == format && header.width == 30 && header.height == 20)
      #expect(header.orientation == 6 && header.swapsSides)
      #expect(header.uprightWidth == 20 && header.uprightHeight == 30)
      #expect(!header.hasColorProfile)
      let file = try PictureFile(bytes: bytes)
      #expect(file.header == header && file.limits == .standard)
    }
  }

  @Test func colourProfilesAreNoticed() throws {
    let jpeg = HandmadeJPEG(
      prologue: HandmadeJPEG.segment(0xE2, Array("ICC_PROFILE\0\u{1}\u{1}".utf8) + [0, 1, 2]))
    #expect(try PictureHeader(bytes: jpeg.bytes).hasColorProfile)
    let other = HandmadeJPEG(prologue: HandmadeJPEG.segment(0xE2, Array("MPF\0".utf8)))
    #expect(try !PictureHeader(bytes: other.bytes).hasColorProfile)
    let png = HandmadePNG(
      width: 1, height: 1, depth: 8, colorType: 0, rows: [[0, 7]],
      chunks: [("iCCP", Array("name\0\0".utf8))])
    #expect(try PictureHeader(bytes: png.bytes).hasColorProfile)
    #if JPEG
      let picture = try Picture(bytes: jpeg.bytes)
      #expect(picture.hasColorProfile && picture.rgb.allSatisfy { $0 == 128 })
      #expect(picture.upright().hasColorProfile)
    #endif
    #if PNG
      #expect(try Picture(bytes: png.bytes).hasColorProfile)
      #expect(try Picture(bytes: png.bytes).rgb == [7, 7, 7])
    #endif
  }

  @Test func theHeadOfAJPEGIsEnough() throws {
    let whole = HandmadeJPEG(width: 30, height: 20, scan: [0, 0, 0]).bytes
    let headCount = whole.count - 5
    for count in 2..<whole.count {
      let start = Array(whole.prefix(count))
      if count < headCount {
        #expect(throws: PictureError(.truncated(.jpeg))) { try PictureHeader(bytes: start) }
      } else {
        #expect(try PictureHeader(bytes: start).width == 30)
      }
    }
  }

  @Test func whatIsNoPictureHasNoHeader() {
    #expect(throws: PictureError(.emptyFile)) { try PictureHeader(bytes: []) }
    #expect(throws: PictureError(.notAPicture(isText: true))) {
      try PictureHeader(bytes: Array("hello".utf8))
    }
    #expect(throws: PictureError(.unsupportedFormat(.gif))) {
      try PictureHeader(bytes: Array("GIF89a".utf8))
    }
    #expect(throws: PictureError(.missingFile, file: "/nowhere/a.jpg")) {
      try PictureFile(contentsOf: "/nowhere/a.jpg")
    }
  }
}
