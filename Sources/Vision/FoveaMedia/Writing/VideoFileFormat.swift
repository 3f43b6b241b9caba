// Fovea - the containers that videos are written in, and what they hold.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaFiles

/// A container for videos, by the ending of a file's name.
package enum VideoFileFormat: String, Sendable, CaseIterable {
  /// MP4, in fragments of about a second: what was written can be played, however writing ends.
  case mp4
  /// Matroska, in clusters of about a second.
  case mkv
  /// AVI, whose pictures are JPEG. It has one frame rate; times are rounded to it.
  case avi

  /// The format that the name of a file says.
  ///
  /// - Throws: `.unknownFormat`, `.isDirectory`, `.unwritable`.
  package init(forFile path: String) throws(VideoWritingError) {
    let name = path.split(separator: "/", omittingEmptySubsequences: false).last ?? ""
    let ending = name.lastIndex(of: ".").map { name[name.index(after: $0)...].lowercased() } ?? ""
    guard let format = Self(rawValue: ending) else {
      throw VideoWritingError(.unknownFormat(ending: ending), file: path)
    }
    do throws(FileError) {
      _ = try FileBytes.isRegular(toWrite: path)
    } catch {
      guard case .isDirectory = error else {
        throw VideoWritingError(.unwritable("\(error)"), file: path)
      }
      throw VideoWritingError(.isDirectory, file: path)
    }
    self = format
  }

  /// What libavformat calls it.
  var muxer: String { self == .mkv ? "matroska" : rawValue }

  /// Encoders of libavcodec that are tried, the best first.
  var encoders: [VideoEncoderKind] {
    switch self {
    case .mp4: [.x264, .openH264, .mpeg4]
    case .mkv: [.x264, .openH264, .mpeg4, .motionJPEG]
    case .avi: [.motionJPEG]
    }
  }
}

/// An encoder of libavcodec.
enum VideoEncoderKind: String, Sendable {
  case x264 = "libx264"
  case openH264 = "libopenh264"
  case mpeg4
  case motionJPEG = "mjpeg"

  /// What samples must mean; `nil` where the file says it.
  var coding: SampleCoding? {
    switch self {
    case .x264, .openH264: nil
    case .mpeg4: .unspecified
    case .motionJPEG: .jpeg
    }
  }

  /// The most ticks in a second.
  var greatestRate: Int { self == .mpeg4 ? 65535 : 1_000_000 }

  /// Without pictures that wait for others: what is encoded can be written at once.
  var options: [(String, String)] {
    switch self {
    case .x264:
      [("preset", "superfast"), ("tune", "zerolatency"), ("crf", "23"), ("forced-idr", "1")]
    case .openH264, .mpeg4, .motionJPEG: []
    }
  }

  /// The size of steps, 1...31; `nil` for encoders that choose it themselves.
  var stepSize: Int? {
    switch self {
    case .x264, .openH264: nil
    case .mpeg4, .motionJPEG: 4
    }
  }
}
