// Fovea - tests of video files that are written.
// SPDX-License-Identifier: Apache-2.0
import Foundation
import FoveaGeometry
import FoveaTestSupport
import FoveaVideo
import Testing

@Suite("Writing videos", .enabled(if: SharedData.isPresent)) struct VideoWriterTests {
  private func clip(_ name: String) -> String { SharedData.url("video/clips/\(name)").path }

  /// The pictures of a file, each with some of the samples of its luma.
  private func pictures(
    _ path: String, most: Int = .max
  ) throws -> [(frame: VideoFrame, luma: [UInt8])] {
    let reader = try VideoSource.file(path).open()
    var all: [(VideoFrame, [UInt8])] = []
    while all.count < most, let frame = try reader.next() {
      let picture = UprightImage(frame.orientation.uprightSize(of: frame.size))
      picture.take(frame)
      let isFull = picture.coding == .jpeg
      let samples = stride(from: 0, to: picture.width * picture.height, by: 37).map { place in
        let level = Double(picture.planes.luma[place])
        return UInt8(isFull ? 16 + level * 219 / 255 : level)
      }
      all.append((frame, samples))
    }
    return all
  }

  /// How many sound pictures a file has.
  private func count(_ path: String) throws -> Int {
    let reader = try VideoSource.file(path).open()
    var count = 0
    while let frame = try reader.next() {
      #expect(!frame.isDamaged)
      count += 1
    }
    return count
  }

  /// Writes the pictures of a clip as they are.
  ///
  /// - Parameter ends: Whether the end of the file is written, too.
  private func write(
    _ name: String, to path: String, most: Int = .max, sound: Bool = false, ends: Bool = true,
    repeats: Int = 1
  ) throws {
    let source = VideoSource.file(clip(name))
    let writer = try VideoWriter(path, from: source, copiesSound: sound)
    var picture: UprightImage?
    var start = 0.0
    for _ in 0..<repeats {
      let reader = try source.open()
      var last = start
      while let frame = try reader.next(), frame.index < most {
        let used =
          picture ?? UprightImage(frame.orientation.uprightSize(of: frame.size))
        picture = used
        used.take(frame)
        last = start + frame.time
        try writer.append(
          used, at: last, stated: frame.statedTime, pixelAspect: frame.pixelAspect,
          of: reader.description)
      }
      start = last + 0.04
    }
    if ends { try writer.finish() }
  }

  private func error(_ distance: [UInt8], _ other: [UInt8]) -> Double {
    let squares = zip(distance, other).reduce(0.0) {
      let difference = Double($1.0) - Double($1.1)
      return $0 + difference * difference
    }
    return (squares / Double(max(distance.count, 1))).squareRoot()
  }

  /// What is read again has the times of the source, and nearly its pictures.
  @Test(arguments: ["mp4", "mkv", "avi"]) func picturesAndTimesStay(ending: String) throws {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    for name in ["variable-rate.mp4", "orientation-6.mp4", "odd-321x181.webm", "sar-16x15.mp4"] {
      let path = folder.path("out.\(ending)")
      let most = name == "variable-rate.mp4" ? Int.max : 4
      try write(name, to: path, most: most)
      let (expected, found) = (try pictures(clip(name), most: most), try pictures(path))
      // AVI has one frame rate.
      if ending == "avi", name == "variable-rate.mp4" {
        #expect(found.count >= expected.count)
        continue
      }
      #expect(found.count == expected.count, "\(name)")
      for (one, other) in zip(found, expected) {
        #expect(abs(one.frame.time - other.frame.time) < 0.001, "\(name)")
        #expect(error(one.luma, other.luma) < 6, "\(name)")
        #expect(one.frame.orientation == .up)
        #expect(abs(one.frame.pixelAspect - other.frame.pixelAspect) < 0.001)
      }
    }
  }

  /// A picture of another size does not end the video.
  @Test func sizesMayChange() throws {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    let path = folder.path("out.mkv")
    try write("size-changes.ts", to: path)
    let found = try pictures(path)
    #expect(found.count == 22)
    #expect(Set(found.map(\.frame.size)).count == 1)
  }

  /// What is written can be played although its end is missing.
  @Test(arguments: ["mp4", "mkv", "avi"]) func endsMayBeMissing(ending: String) throws {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    let path = folder.path("out.\(ending)")
    // Nearly four seconds, of which one may be lost.
    try write("base.mp4", to: path, ends: false, repeats: 4)
    let found = try count(path)
    #expect((70...96).contains(found), "\(found)")
  }

  @Test(arguments: ["mp4", "mkv"]) func soundIsCopied(ending: String) throws {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    let path = folder.path("out.\(ending)")
    try write("bunny-720p-audio.mp4", to: path, sound: true)
    // To copy the sound of a file without any is refused.
    try copySound(of: path, to: folder.path("again.mkv"))
    let silent = folder.path("silent.mkv")
    try write("tiny-18x10.mp4", to: silent)
    #expect {
      try copySound(of: silent, to: folder.path("again.mkv"))
    } throws: {
      ($0 as? VideoWritingError)?.reason == .noSound
    }
  }

  /// Appends one picture to a file that takes its sound from another.
  private func copySound(of source: String, to path: String) throws {
    let writer = try VideoWriter(path, from: .file(source), copiesSound: true)
    let picture = UprightImage(ImageSize(width: 64, height: 64))
    try writer.append(picture, at: 0, stated: nil, pixelAspect: 1, of: VideoDescription())
    try writer.finish()
  }

  /// Logarithmic bytes, as telephones and cameras send them.
  @Test func soundOfTelephonesIsCopied() throws {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    let samples = [UInt8](repeating: 0xFF, count: 200)
    let sound = try folder.write(
      "a.wav",
      Array("RIFF".utf8) + [236, 0, 0, 0] + Array("WAVEfmt ".utf8)
        + [16, 0, 0, 0, 7, 0, 1, 0, 0x40, 0x1F, 0, 0, 0x40, 0x1F, 0, 0, 1, 0, 8, 0]
        + Array("data".utf8) + [200, 0, 0, 0] + samples)
    let path = folder.path("a.mkv")
    try copySound(of: sound, to: path)
    try copySound(of: path, to: folder.path("b.avi"))
    #expect {
      try copySound(of: path, to: folder.path("b.mp4"))
    } throws: {
      ($0 as? VideoWritingError)?.reason == .soundCodec("pcm_mulaw")
    }
  }

  /// Two recordings of a second each, as one file. The second's times begin at 0, or later than
  /// the first's end.
  @Test(arguments: [0, 100]) func soundOfJoinedRecordingsGoesOn(start: Int) throws {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    func bigEndian(_ value: Int, _ count: Int) -> [UInt8] {
      (1...count).map { UInt8(truncatingIfNeeded: value >> (8 * (count - $0))) }
    }
    // Flash video: ten times in a second, bytes of 11,025 samples a second that tell their place.
    var file = Array("FLV".utf8) + [1, 4] + bigEndian(9, 4) + bigEndian(0, 4)
    for place in 0..<20 {
      let samples = [UInt8](repeating: UInt8(100 + place), count: 1102)
      let time = place < 10 ? 100 * place : 1000 * start + 100 * (place - 10)
      let head = bigEndian(1103, 3) + bigEndian(time & 0xFFFFFF, 3) + bigEndian(time >> 24, 1)
      file += [8] + head + [0, 0, 0, 0x34] + samples + bigEndian(1114, 4)
    }
    let source = try folder.write("a.flv", file)
    let path = folder.path("a.mkv")
    let writer = try VideoWriter(path, from: .file(source), copiesSound: true)
    let picture = UprightImage(ImageSize(width: 64, height: 64))
    for place in 0..<50 {
      let stated = Double(place < 25 ? place : 25 * start + place - 25) / 25
      try writer.append(
        picture, at: Double(place) / 25, stated: stated, pixelAspect: 1, of: VideoDescription())
    }
    try writer.finish()
    let written = try Data(contentsOf: URL(fileURLWithPath: path))
    let found = (0..<20).map { place in
      written.firstRange(of: Data(repeating: UInt8(100 + place), count: 1102))?.lowerBound
    }
    let all = found.compactMap { $0 }
    #expect(all.count == 20 && all == all.sorted(), "\(found)")
  }

  @Test func whatCannotBeWrittenIsNamed() throws {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    let source = VideoSource.file(clip("base.mp4"))
    func reason(_ path: String, _ source: VideoSource, sound: Bool = false) -> String {
      do throws(VideoWritingError) {
        let writer = try VideoWriter(path, from: source, copiesSound: sound)
        let picture = UprightImage(ImageSize(width: 64, height: 64))
        for number in 0..<400 {
          try writer.append(
            picture, at: Double(number), stated: nil, pixelAspect: 1, of: VideoDescription())
        }
        try writer.finish()
      } catch {
        #expect(error.description.hasPrefix("\(path): "))
        return "\(error.reason)"
      }
      return "none"
    }
    #expect(reason(folder.path("a.gif"), source) == #"unknownFormat(ending: "gif")"#)
    #expect(reason(folder.path("a"), source) == #"unknownFormat(ending: "")"#)
    try FileManager.default.createDirectory(
      atPath: folder.path("b.mp4"), withIntermediateDirectories: false)
    #expect(reason(folder.path("b.mp4"), source) == "isDirectory")
    let copy = folder.path("source.mp4")
    try FileManager.default.copyItem(atPath: clip("base.mp4"), toPath: copy)
    #expect(reason(folder.path("./source.mp4"), .file(copy)) == "isSource")
    #expect(reason(folder.path("a.mp4"), .standardInput, sound: true) == "soundOfStream")
    #expect(reason(folder.path("a.mp4"), .file("/dev/null"), sound: true) == "soundOfStream")
    #expect(reason(folder.path("nowhere/a.mp4"), source).hasPrefix("unwritable"))
    for ending in ["mp4", "mkv", "avi"] {
      let full = folder.path("full.\(ending)")
      try FileManager.default.createSymbolicLink(atPath: full, withDestinationPath: "/dev/full")
      #expect(reason(full, source).contains("No space left on device"), "\(reason(full, source))")
    }
  }
}
