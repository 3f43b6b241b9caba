// Fovea - what the clips of the shared data decode to.
// SPDX-License-Identifier: Apache-2.0
import Foundation
import FoveaTestSupport
import FoveaVideo
import Testing

/// A clip of the shared data and what another program decoded it to.
struct ExpectedClip: Sendable, CustomTestStringConvertible {
  struct Frame: Decodable, Sendable {
    var pts: Int64?
    var size: [Int]
    var rgbMd5: String?
    var rgbMean: [Double]?
  }

  struct Video: Decodable, Sendable {
    var timeBase: String
    var startPts: Int64?
    var interlaced: Bool
  }

  struct Entry: Decodable, Sendable {
    var opens: Bool
    var video: Video?
    var frames: [Frame]?
  }

  var name: String
  var entry: Entry

  var testDescription: String { name }

  var path: String { SharedData.url("video/clips/\(name)").path }

  var isBroken: Bool { name.hasPrefix("corrupt") || name.hasPrefix("truncated") }

  var tickSeconds: Double {
    let parts = (entry.video?.timeBase ?? "").split(separator: "/").compactMap { Double($0) }
    return parts.count == 2 ? parts[0] / parts[1] : 0
  }

  static let all: [ExpectedClip] = {
    guard SharedData.isPresent,
      let bytes = try? SharedData.bytes("video/expected.json"),
      let entries = try? JSONDecoder().decode([String: Entry].self, from: Data(bytes))
    else { return [] }
    return entries.sorted { $0.key < $1.key }.map { ExpectedClip(name: $0.key, entry: $0.value) }
  }()

  static let sound = all.filter { !$0.isBroken && $0.entry.frames != nil }
  static let broken = all.filter { $0.isBroken && $0.entry.frames != nil }
  static let refused = all.filter { $0.entry.frames == nil }
}

/// All pictures of a source.
func read(
  _ source: VideoSource, _ body: (VideoFrame) throws -> Void
) throws -> any VideoReader {
  let reader = try source.open()
  while let frame = try reader.next() { try body(frame) }
  return reader
}
