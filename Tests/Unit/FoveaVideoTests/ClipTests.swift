// Fovea - tests that clips decode to what another program decoded.
// SPDX-License-Identifier: Apache-2.0
import FoveaGeometry
import FoveaTestSupport
import FoveaVideo
import Testing

@Suite("Clips", .enabled(if: SharedData.isPresent))
struct ClipTests {
  /// Checksums are slow without optimization: then only the first pictures are compared.
  private static let compared = BuildConfiguration.isOptimized ? Int.max : 2

  @Test(arguments: ExpectedClip.sound)
  func soundClips(clip: ExpectedClip) throws {
    let expected = try #require(clip.entry.frames)
    let colors = ReferenceColors()
    var index = 0
    var last = -1.0
    let reader = try read(.file(clip.path)) { frame in
      try #require(index < expected.count)
      let stored = expected[index]
      #expect(frame.index == index)
      // FFmpeg 5 states no time for the last picture of this file.
      let lacksTime = clip.name == "mpeg4-bframes.avi" && index == expected.count - 1
      #expect(frame.ticks == stored.pts || lacksTime && frame.ticks == nil)
      #expect([frame.size.width, frame.size.height] == stored.size)
      #expect(frame.time > last)
      #expect(!frame.isDamaged)
      #expect(frame.isTimeEstimated == (frame.ticks == nil) || Self.jumps(clip))
      last = frame.time
      let isSmall = frame.size.width * frame.size.height < 200_000
      if let sum = stored.rgbMd5, index < (isSmall ? Self.compared : min(Self.compared, 11)) {
        #expect(MD5Digest.text(of: colors.rgb(of: frame)) == sum, "picture \(index)")
      }
      index += 1
    }
    #expect(index == expected.count)
    #expect(reader.damage.damagedPictures == 0)
    #expect(reader.damage.isNone || Self.mayComplain(clip), "\(reader.damage)")
  }

  /// Whether a clip starts between key pictures, or ends without its last boundary.
  private static func mayComplain(_ clip: ExpectedClip) -> Bool {
    ["starts-mid-gop.ts", "multipart.mpjpeg"].contains(clip.name)
  }

  /// Whether stated times jump: two recordings were joined.
  private static func jumps(_ clip: ExpectedClip) -> Bool {
    clip.name.contains("jump") || clip.name.hasPrefix("size-changes")
  }

  @Test(arguments: ExpectedClip.sound)
  func timesCountFromTheStart(clip: ExpectedClip) throws {
    let expected = try #require(clip.entry.frames)
    guard !Self.jumps(clip), let start = clip.entry.video?.startPts
    else { return }
    var index = 0
    _ = try read(.file(clip.path)) { frame in
      if let ticks = expected[index].pts {
        #expect(abs(frame.time - Double(ticks - start) * clip.tickSeconds) < 1e-6)
      }
      index += 1
    }
  }

  @Test func jumpsBecomeSteps() throws {
    for name in ["timestamps-jump-back.ts", "size-changes.ts"] {
      var times: [Double] = []
      _ = try read(.file(SharedData.url("video/clips/\(name)").path)) { times.append($0.time) }
      let steps = zip(times, times.dropFirst()).map { $1 - $0 }
      #expect(steps.allSatisfy { $0 > 0.03 && $0 < 0.3 }, "\(name): \(steps)")
    }
  }

  @Test(arguments: [
    "orientation-1": 1, "orientation-2": 2, "orientation-3": 3, "orientation-4": 4,
    "orientation-5": 5, "orientation-6": 6, "orientation-7": 7, "orientation-8": 8,
    "orientation-6-no-translation": 6, "orientation-45-degrees": 1,
  ])
  func orientations(name: String, exif: Int) throws {
    let reader = try VideoSource.file(SharedData.url("video/clips/\(name).mp4").path).open()
    let frame = try #require(try reader.next())
    #expect(frame.orientation.rawValue == exif)
  }

  @Test func aspectsAndFields() throws {
    func first(_ name: String) throws -> VideoFrame {
      let reader = try VideoSource.file(SharedData.url("video/clips/\(name)").path).open()
      return try #require(try reader.next())
    }
    #expect(abs(try first("sar-16x15.mp4").pixelAspect - 16.0 / 15) < 1e-9)
    #expect(try first("base.mp4").pixelAspect == 1)
    #expect(try first("interlaced-tff.mp4").interlacing == .topFirst)
    #expect(try first("interlaced-bff-mpeg2.ts").interlacing == .bottomFirst)
    #expect(try first("base.mp4").interlacing == nil)
  }

  // MARK: Broken ones

  /// Which sound clip each broken one was made of.
  private static let originals = [
    "corrupt-hevc.mp4": "hevc.mp4", "corrupt-vp9.webm": "vp9.webm",
    "corrupt.mjpeg": "no-timestamps.mjpeg", "corrupt.mkv": "base.mkv", "corrupt.mp4": "base.mp4",
    "corrupt.ts": "base.ts", "truncated-index-first.mp4": "base.mp4",
    "truncated.avi": "mpeg4-bframes.avi", "truncated.mjpeg": "no-timestamps.mjpeg",
    "truncated.mkv": "base.mkv", "truncated.mpjpeg": "multipart.mpjpeg", "truncated.ts": "base.ts",
    "truncated.webm": "vp9.webm",
  ]

  /// How many pictures of a broken clip come before the damage: those that another program decodes
  /// to the same as in the sound clip.
  private func picturesBeforeDamage(_ clip: ExpectedClip) throws -> Int {
    let name = try #require(Self.originals[clip.name])
    let original = try #require(ExpectedClip.sound.first { $0.name == name }?.entry.frames)
    let broken = try #require(clip.entry.frames)
    return zip(original, broken).prefix { $0.rgbMd5 == $1.rgbMd5 }.count
  }

  /// Nothing is lost before the damage, and the damage is reported.
  @Test(arguments: ExpectedClip.broken)
  func brokenClips(clip: ExpectedClip) throws {
    let expected = try #require(clip.entry.frames)
    let sound = try picturesBeforeDamage(clip)
    let colors = ReferenceColors()
    var count = 0
    let reader = try read(.file(clip.path)) { frame in
      if count < min(sound, Self.compared) {
        #expect(MD5Digest.text(of: colors.rgb(of: frame)) == expected[count].rgbMd5, "\(count)")
        #expect(frame.ticks == expected[count].pts)
        #expect(!frame.isDamaged)
      }
      count += 1
    }
    #expect(count >= max(1, sound))
    #expect(count <= 24)
    #expect(!reader.damage.isNone, "\(clip.name): \(reader.damage)")
  }

  @Test(arguments: ExpectedClip.refused)
  func clipsWithoutPictures(clip: ExpectedClip) throws {
    do {
      _ = try VideoSource.file(clip.path).open()
      Issue.record("\(clip.name) opens")
    } catch {
      switch clip.name {
      case "audio-only.mp4": #expect(error.reason == .noVideoStream)
      case "empty.mp4": #expect(error.reason == .emptyFile)
      case "git-lfs-pointer.mp4": #expect(error.reason == .gitLFSPointer)
      case "text.mp4":
        guard case .notAVideo(_, isText: true) = error.reason else {
          Issue.record("\(error)")
          return
        }
      default:
        guard case .notAVideo(_, isText: false) = error.reason else {
          Issue.record("\(error)")
          return
        }
      }
      #expect(error.description.hasPrefix(clip.path))
    }
  }
}
