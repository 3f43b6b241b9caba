// Fovea - tests of recognising formats, of files, and of messages.
// SPDX-License-Identifier: Apache-2.0
import FoveaImaging
import FoveaTestSupport
import Foundation
import Testing

@Suite struct PictureFormatTests {
  static let beginnings: [(PictureFormat, [UInt8])] = [
    (.bmp, [0x42, 0x4D, 10, 20, 0, 0, 0, 0, 0, 0, 54, 0, 0, 0]),
    (.gif, Array("GIF89a".utf8)), (.gif, Array("GIF87a".utf8)),
    (.tiff, [0x49, 0x49, 42, 0, 8]), (.tiff, [0x4D, 0x4D, 0, 42, 0]),
    (.heic, [0, 0, 0, 24] + Array("ftypheic".utf8)),
    (.heic, [0, 0, 0, 24] + Array("ftypmif1".utf8)),
    (.avif, [0, 0, 0, 24] + Array("ftypavif".utf8)),
  ]

  @Test func othersAreRefusedByName() {
    for (format, bytes) in Self.beginnings {
      #expect(PictureFormat(startOf: bytes) == format)
      let error = #expect(throws: PictureError(.unsupportedFormat(format))) {
        try Picture(bytes: bytes)
      }
      #expect(error?.description.contains(format.rawValue) == true)
      #expect(error?.description.contains("convert it to JPEG, PNG or WebP") == true)
    }
  }

  @Test func whatIsNoPicture() {
    #expect(throws: PictureError(.emptyFile)) { try Picture(bytes: []) }
    #expect(throws: PictureError(.notAPicture(isText: true))) {
      try Picture(bytes: Array("hello, world\n".utf8))
    }
    #expect(throws: PictureError(.notAPicture(isText: false))) { try Picture(bytes: [1, 2, 3]) }
    #expect(throws: PictureError(.notAPicture(isText: true))) {
      try Picture(bytes: Array("BMW is no bitmap".utf8))
    }
    let pointer = "version https://git-lfs.github.com/spec/v1\noid sha256:0\n"
    #expect(throws: PictureError(.gitLFSPointer)) { try Picture(bytes: Array(pointer.utf8)) }
    for format in PictureFormat.allCases {
      for (_, bytes) in Self.beginnings {
        for count in 0...bytes.count { _ = PictureFormat(startOf: Array(bytes.prefix(count))) }
      }
      #expect(!format.rawValue.isEmpty)
    }
  }

  @Test func formatsLeftOutOfTheBuildAreRefusedByTrait() throws {
    let jpeg = HandmadeJPEG().bytes
    let webP = HandmadeWebP().bytes
    let png = HandmadePNG(width: 1, height: 1, depth: 8, colorType: 0, rows: [[0, 7]]).bytes
    let picture = try Picture(width: 1, height: 1, rgb: [7, 7, 7])
    #if JPEG
      #expect(try Picture(bytes: jpeg).width == 8)
    #else
      #expect(throws: PictureError(.traitDisabled(.jpeg))) { try Picture(bytes: jpeg) }
      #expect(throws: PictureError(.traitDisabled(.jpeg))) { try picture.jpegBytes() }
    #endif
    #if WebP
      #expect(try Picture(bytes: webP).width == 1)
    #else
      #expect(throws: PictureError(.traitDisabled(.webP))) { try Picture(bytes: webP) }
    #endif
    #if PNG
      #expect(try Picture(bytes: png) == picture)
    #else
      #expect(throws: PictureError(.traitDisabled(.png))) { try Picture(bytes: png) }
      #expect(throws: PictureError(.traitDisabled(.png))) { try picture.pngBytes() }
    #endif
  }

  @Test func pathsWithoutAPicture() throws {
    let folder = FileManager.default.temporaryDirectory.path
    let nowhere = folder + "/fovea-\(UUID()).jpg"
    #expect(throws: PictureError(.missingFile, file: nowhere)) {
      try Picture(contentsOf: nowhere)
    }
    #expect(throws: PictureError(.isDirectory, file: folder)) { try Picture(contentsOf: folder) }
    let cut = folder + "\0/a.png"
    #expect(throws: PictureError(.missingFile, file: cut)) { try Picture(contentsOf: cut) }
    #expect(throws: PictureError.self) { try Picture(contentsOf: #filePath + "/inside-a-file") }
  }

  @Test func theFileLimitHoldsForBytesAndFiles() throws {
    let limits = PictureLimits(maximumFileBytes: 10_000)
    #expect(throws: PictureError(.fileTooLarge(limit: 10_000))) {
      try Picture(bytes: [UInt8](repeating: 1, count: 10_001), limits: limits)
    }
    // A device has no size of its own and no end.
    #expect(throws: PictureError(.fileTooLarge(limit: 10_000), file: "/dev/zero")) {
      try Picture(contentsOf: "/dev/zero", limits: limits)
    }
  }

  @Test func everyMessageNamesFileCauseAndRemedy() {
    let reasons: [PictureError.Reason] = [
      .missingFile, .isDirectory, .unreadable("words"), .unwritable("words"),
      .fileTooLarge(limit: 5), .emptyFile, .gitLFSPointer, .notAPicture(isText: true),
      .notAPicture(isText: false), .unsupportedFormat(.gif), .traitDisabled(.jpeg),
      .animation(.webP),
      .truncated(.png), .damaged(.jpeg, "words"), .noPixels(width: 0, height: 5),
      .tooManyPixels(width: 9, height: 9, limit: 5),
      .impossibleSize(width: 9, height: 9, fileBytes: 5),
      .wrongSampleCount(expected: 3, found: 5), .notEncodable("words"),
      .invalidQuality(0),
    ]
    var seen = Set<String>()
    for reason in reasons {
      let message = PictureError(reason, file: "a.jpg").description
      #expect(message.hasPrefix("a.jpg: "))
      #expect(message.split(separator: "; ").count == 2, "\(message)")
      #expect(!message.contains("cannot be used"), "\(message)")
      #expect(seen.insert(message).inserted)
      #expect(PictureError(reason).description.hasPrefix("picture: "))
    }
  }
}
