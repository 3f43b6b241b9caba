// Fovea - tests of decoders that cannot begin.
// SPDX-License-Identifier: Apache-2.0
import Foundation
import FoveaTestSupport
import FoveaVideo
import Testing

@Suite("Decoders") struct DecoderTests {
  private func number(_ value: Int, bytes: Int = 4) -> [UInt8] {
    (0..<bytes).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
  }

  private func chunk(_ name: String, _ content: [UInt8]) -> [UInt8] {
    Array(name.utf8) + number(content.count) + content
  }

  private func list(_ name: String, _ content: [UInt8]) -> [UInt8] {
    chunk("LIST", Array(name.utf8) + content)
  }

  /// An AVI file of one picture of 16 x 16 pixels, with what the decoder is to know beforehand.
  private func file(codec: String, header: [UInt8], picture: [UInt8]) -> [UInt8] {
    let size = number(16) + number(16)
    let main = number(40_000) + [UInt8](repeating: 0, count: 12) + number(1) + number(0) + number(1)
    let stream =
      Array("vids\(codec)".utf8) + [UInt8](repeating: 0, count: 12) + number(1) + number(25)
      + number(0) + number(1) + [UInt8](repeating: 0, count: 20)
    let format =
      number(40 + header.count) + size + number(1, bytes: 2) + number(24, bytes: 2)
      + Array(codec.utf8) + [UInt8](repeating: 0, count: 20) + header
    let headers =
      chunk("avih", main + number(0) + size + [UInt8](repeating: 0, count: 16))
      + list("strl", chunk("strh", stream) + chunk("strf", format))
    return chunk(
      "RIFF",
      Array("AVI ".utf8) + list("hdrl", headers) + list("movi", chunk("00dc", picture)))
  }

  /// The decoder refuses its tables. What it had is given back once.
  @Test func damagedHeaders() throws {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    let tables = [2, 24, 0x10, 0] + [UInt8](repeating: 0xFF, count: 12)
    let path = try folder.write(
      "a.avi", file(codec: "FFVH", header: tables, picture: [UInt8](repeating: 7, count: 64)))
    let words = "Invalid data found when processing input"
    for _ in 0..<20 {
      let error = #expect(throws: VideoError.self) { try VideoSource.file(path).open() }
      #expect(error?.reason == .notAVideo(words, isText: false))
    }
  }

  /// Its luma lies elsewhere than FFmpeg says.
  @Test func misdescribedPixelsAreRefused() throws {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    let path = try folder.write(
      "a.avi", file(codec: "Y411", header: [], picture: [UInt8](repeating: 7, count: 384)))
    let error = #expect(throws: VideoError.self) { try VideoSource.file(path).open().next() }
    #expect(error?.reason == .unsupportedPixels("uyyvyy411"))
  }

  @Test(.enabled(if: SharedData.isPresent)) func filesNameNoOthers() throws {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    _ = try folder.write("b.ts", SharedData.bytes("video/clips/base.ts"))
    #expect(try VideoSource.file(folder.path("b.ts")).open().next() != nil)
    let lists = [
      "ffconcat version 1.0\nfile 'b.ts'\n",
      "#EXTM3U\n#EXT-X-TARGETDURATION:2\n#EXTINF:2,\nb.ts\n#EXT-X-ENDLIST\n",
    ]
    for (index, list) in lists.enumerated() {
      let path = try folder.write("\(index).mp4", Array(list.utf8))
      let error = #expect(throws: VideoError.self) { try VideoSource.file(path).open() }
      #expect(error?.reason == .notAVideo("it names other files", isText: false))
    }
  }

  /// A pipe that nobody writes would keep whoever opens it waiting for ever.
  @Test(arguments: [
    "ffconcat version 1.0\nfile p.ts\n", "#EXTM3U\n#EXT-X-TARGETDURATION:2\n#EXTINF:2,\np.ts\n",
  ])
  func namedFilesAreNotOpened(_ list: String) throws {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    #expect(mkfifo(folder.path("p.ts"), 0o600) == 0)
    let path = try folder.write("list.mp4", Array(list.utf8))
    let error = #expect(throws: VideoError.self) { try VideoSource.file(path).open() }
    #expect(error?.reason == .notAVideo("it names other files", isText: false))
  }
}
