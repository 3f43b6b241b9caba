// Fovea - tests of finding and decoding the pictures of a Motion JPEG.
// SPDX-License-Identifier: Apache-2.0
import FoveaTestSupport
import FoveaVideo
import Foundation
import Testing

@Suite("Motion JPEG")
struct MotionJPEGTests {
  /// A picture with a segment that holds a thumbnail, and samples with stuffed zeros.
  static let picture: [UInt8] =
    [0xFF, 0xD8, 0xFF, 0xE0, 0x00, 0x08, 0xFF, 0xD8, 0xFF, 0xD9, 0x01, 0x02]
    + [0xFF, 0xDA, 0x00, 0x03, 0x00, 0x11, 0xFF, 0x00, 0x22, 0xFF, 0xD0, 0x33, 0xFF, 0xD9]

  /// The pictures in bytes that come in pieces of `piece`.
  private func pictures(
    _ bytes: [UInt8], piece: Int = 7, most: Int = 1 << 16
  ) -> (pictures: [[UInt8]], lost: Int) {
    var splitter = MotionJPEGSplitter(maximumPictureBytes: most)
    var found: [[UInt8]] = []
    var place = 0
    while true {
      while let picture = splitter.withNextPicture({ Array($0) }) { found.append(picture) }
      let count = splitter.append { memory in
        let part = bytes[place..<min(place + min(piece, memory.count), bytes.count)]
        memory.copyBytes(from: part)
        return part.count
      }
      if count == 0 { break }
      place += count
    }
    splitter.finish()
    return (found, splitter.lostPictures)
  }

  @Test(arguments: [1, 2, 3, 7, 1000])
  func picturesOneAfterAnother(piece: Int) {
    let (found, lost) = pictures(Self.picture + Self.picture + Self.picture, piece: piece)
    #expect(found == [Self.picture, Self.picture, Self.picture])
    #expect(lost == 0)
  }

  @Test(arguments: [1, 5, 1000])
  func partsOfAnAnswer(piece: Int) {
    // Lengths lie, and boundaries differ from the stated one.
    let head = Array("\r\n--other\r\nContent-Type: image/jpeg\r\nContent-Length: 3\r\n\r\n".utf8)
    let (found, lost) = pictures(
      head + Self.picture + head + Self.picture + Array("--other--".utf8), piece: piece)
    #expect(found == [Self.picture, Self.picture])
    #expect(lost == 0)
  }

  @Test func picturesThatAreCut() {
    let cut = Array(Self.picture.dropLast(5))
    let (found, lost) = pictures(cut + Self.picture + cut)
    #expect(found == [Self.picture])
    #expect(lost == 2)
    #expect(pictures(cut).lost == 1)
    #expect(pictures([]).lost == 0)
  }

  @Test func picturesThatAreTooLong() {
    let start: [UInt8] = Array(Self.picture.prefix(Self.picture.count - 2))
    let long = start + [UInt8](repeating: 5, count: 5000) + [0xFF, 0xD9]
    let (found, lost) = pictures(long + Self.picture, piece: 100, most: 2000)
    #expect(found == [Self.picture])
    #expect(lost >= 1)
  }

  @Test func nothingButHeaders() {
    var splitter = MotionJPEGSplitter(maximumPictureBytes: 1 << 16, maximumGapBytes: 1 << 18)
    var count = 0
    while !splitter.hasTooLongGap, count < 1 << 20 {
      count += splitter.append { memory in
        memory.initializeMemory(as: UInt8.self, repeating: 0x41)
        return memory.count
      }
      let found = splitter.withNextPicture { $0.count }
      #expect(found == nil)
    }
    let hasEnded = splitter.hasTooLongGap
    #expect(hasEnded)
    #expect(count < 1 << 20)
  }

  // MARK: Whole files, without FFmpeg

  private func open(_ name: String) throws -> any VideoReader {
    let source = VideoSource.file(SharedData.url("video/clips/\(name)").path)
    return try #require(try source.openMotionJPEG(VideoOptions()))
  }

  @Test(
    .enabled(if: SharedData.isPresent),
    arguments: [("no-timestamps.mjpeg", 24), ("multipart.mpjpeg", 12)])
  func filesWithoutFFmpeg(name: String, pictures: Int) throws {
    let reader = try open(name)
    let expected = try #require(ExpectedClip.all.first { $0.name == name }?.entry.frames)
    let colors = ReferenceColors()
    var count = 0
    while let frame = try reader.next() {
      // Another inverse transform: the mean color is the same within a third of a level.
      let rgb = colors.rgb(of: frame)
      for channel in 0..<3 {
        let sum = stride(from: channel, to: rgb.count, by: 3).reduce(0) { $0 + Int(rgb[$1]) }
        let mean = Double(sum) / Double(rgb.count / 3)
        #expect(abs(mean - (expected[count].rgbMean?[channel] ?? 0)) < 0.34)
      }
      count += 1
    }
    #expect(count == pictures)
    #expect(reader.damage.isNone)
  }

  @Test(
    .enabled(if: SharedData.isPresent),
    arguments: [("truncated.mjpeg", 14), ("truncated.mpjpeg", 7), ("corrupt.mjpeg", 12)])
  func brokenFilesWithoutFFmpeg(name: String, least: Int) throws {
    let reader = try open(name)
    var count = 0
    while try reader.next() != nil { count += 1 }
    #expect(count >= least)
    #expect(!reader.damage.isNone)
  }

  @Test(.enabled(if: SharedData.isPresent))
  func picturesWithoutHuffmanTables() throws {
    let reader = try open("motion-jpeg-frame-without-huffman-tables.jpg")
    let frame = try #require(try reader.next())
    #expect(frame.size.width == 320 && frame.size.height == 180)
    #expect(try reader.next() == nil)
  }

  /// A picture whose components are said to be red, green and blue, with fewer greens and blues than
  /// reds.
  @Test(.enabled(if: SharedData.isPresent))
  func colorsThatAreSampledAreBroken() throws {
    var jpeg = try SharedData.bytes("video/clips/motion-jpeg-frame-without-huffman-tables.jpg")
    let letters = Array("RGB".utf8)
    var place = 2
    while jpeg[place] == 0xFF, jpeg[place + 1] != 0xDA {
      let length = Int(jpeg[place + 2]) << 8 | Int(jpeg[place + 3])
      switch jpeg[place + 1] {
      // What says JFIF says luma and chroma; it becomes a comment.
      case 0xE0...0xEF: jpeg[place + 1] = 0xFE
      case 0xC0: for index in 0..<3 { jpeg[place + 10 + 3 * index] = letters[index] }
      default: break
      }
      place += 2 + length
    }
    for index in 0..<3 { jpeg[place + 5 + 2 * index] = letters[index] }
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    let path = try folder.write("a.mjpeg", jpeg + jpeg)
    let reader = try #require(try VideoSource.file(path).openMotionJPEG(VideoOptions()))
    #expect(try reader.next() == nil)
    #expect(reader.damage.lostPictures == 2)
  }
}
