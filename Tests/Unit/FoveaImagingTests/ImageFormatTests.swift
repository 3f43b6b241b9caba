// Fovea - tests of recognizing formats, of files, and of messages.
// SPDX-License-Identifier: Apache-2.0
import FoveaImaging
import FoveaTestSupport
import Foundation
import Testing

@Suite struct ImageFormatTests {
  static let beginnings: [(ImageFormat, [UInt8])] = [
    (.bmp, [0x42, 0x4D, 10, 20, 0, 0, 0, 0, 0, 0, 54, 0, 0, 0]),
    (.gif, Array("GIF89a".utf8)), (.gif, Array("GIF87a".utf8)),
    (.tiff, [0x49, 0x49, 42, 0, 8]), (.tiff, [0x4D, 0x4D, 0, 42, 0]),
    (.heic, [0, 0, 0, 24] + Array("ftypheic".utf8)),
    (.heic, [0, 0, 0, 24] + Array("ftypmif1".utf8)),
    (.avif, [0, 0, 0, 24] + Array("ftypavif".utf8)),
  ]

  @Test func beginningsAreRecognizedAndNotEnough() {
    for (format, bytes) in Self.beginnings {
      #expect(ImageFormat(startOf: bytes) == format)
      let error = #expect(throws: ImageError.self) { try Image(bytes: bytes) }
      #expect(error?.description.contains(format.rawValue) == true)
    }
  }

  @Test func whatIsNoImage() {
    #expect(throws: ImageError(.emptyFile)) { try Image(bytes: []) }
    #expect(throws: ImageError(.notAnImage(isText: true))) {
      try Image(bytes: Array("hello, world\n".utf8))
    }
    #expect(throws: ImageError(.notAnImage(isText: false))) { try Image(bytes: [1, 2, 3]) }
    #expect(throws: ImageError(.notAnImage(isText: true))) {
      try Image(bytes: Array("BMW is no bitmap".utf8))
    }
    let pointer = "version https://git-lfs.github.com/spec/v1\noid sha256:0\n"
    #expect(throws: ImageError(.gitLFSPointer)) { try Image(bytes: Array(pointer.utf8)) }
    for format in ImageFormat.allCases {
      for (_, bytes) in Self.beginnings {
        for count in 0...bytes.count { _ = ImageFormat(startOf: Array(bytes.prefix(count))) }
      }
      #expect(!format.rawValue.isEmpty)
    }
  }

  @Test func formatsLeftOutOfTheBuildAreRefusedByTrait() throws {
    let jpeg = HandmadeJPEG().bytes
    let webP = HandmadeWebP().bytes
    let png = HandmadePNG(width: 1, height: 1, depth: 8, colorType: 0, rows: [[0, 7]]).bytes
    let image = try Image(width: 1, height: 1, rgb: [7, 7, 7])
    #if JPEG
      #expect(try Image(bytes: jpeg).width == 8)
    #else
      #expect(throws: ImageError(.traitDisabled(.jpeg))) { try Image(bytes: jpeg) }
      #expect(throws: ImageError(.traitDisabled(.jpeg))) { try image.jpegBytes() }
    #endif
    #if WebP
      #expect(try Image(bytes: webP).width == 1)
    #else
      #expect(throws: ImageError(.traitDisabled(.webP))) { try Image(bytes: webP) }
    #endif
    #if PNG
      #expect(try Image(bytes: png) == image)
    #else
      #expect(throws: ImageError(.traitDisabled(.png))) { try Image(bytes: png) }
      #expect(throws: ImageError(.traitDisabled(.png))) { try image.pngBytes() }
    #endif
  }

  @Test func pathsWithoutAnImage() throws {
    let folder = FileManager.default.temporaryDirectory.path
    let nowhere = folder + "/fovea-\(UUID()).jpg"
    #expect(throws: ImageError(.missingFile, file: nowhere)) {
      try Image(contentsOf: nowhere)
    }
    #expect(throws: ImageError(.isDirectory, file: folder)) { try Image(contentsOf: folder) }
    let cut = folder + "\0/a.png"
    #expect(throws: ImageError(.missingFile, file: cut)) { try Image(contentsOf: cut) }
    #expect(throws: ImageError.self) { try Image(contentsOf: #filePath + "/inside-a-file") }
  }

  @Test func theFileLimitHoldsForBytesAndFiles() throws {
    let limits = ImageLimits(maximumFileBytes: 10_000)
    #expect(throws: ImageError(.fileTooLarge(limit: 10_000))) {
      try Image(bytes: [UInt8](repeating: 1, count: 10_001), limits: limits)
    }
    // A device has no size of its own and no end.
    #expect(throws: ImageError(.fileTooLarge(limit: 10_000), file: "/dev/zero")) {
      try Image(contentsOf: "/dev/zero", limits: limits)
    }
  }

  @Test func everyMessageNamesFileCauseAndRemedy() {
    let reasons: [ImageError.Reason] = [
      .missingFile, .isDirectory, .unreadable("words"), .unwritable("words"),
      .fileTooLarge(limit: 5), .emptyFile, .gitLFSPointer, .notAnImage(isText: true),
      .notAnImage(isText: false), .rawPhotograph, .traitDisabled(.jpeg), .traitDisabled(.avif),
      .libraryUnavailable(.heic, "words"), .animation(.webP),
      .truncated(.png), .damaged(.jpeg, "words"), .noPixels(width: 0, height: 5),
      .tooManyPixels(width: 9, height: 9, limit: 5),
      .impossibleSize(width: 9, height: 9, fileBytes: 5),
      .wrongSampleCount(expected: 3, found: 5), .notEncodable("words"),
      .invalidQuality(0),
    ]
    var seen = Set<String>()
    for reason in reasons {
      let message = ImageError(reason, file: "a.jpg").description
      #expect(message.hasPrefix("a.jpg: "))
      #expect(message.split(separator: "; ").count == 2, "\(message)")
      #expect(!message.contains("cannot be used"), "\(message)")
      #expect(seen.insert(message).inserted)
      #expect(ImageError(reason).description.hasPrefix("image: "))
    }
  }
}
