// Fovea - why a video cannot be written.
// SPDX-License-Identifier: Apache-2.0

/// The reason why a video cannot be written. `description` names the file, the cause and the remedy.
package struct VideoWritingError: Error, Hashable, Sendable {
  /// What went wrong.
  package enum Reason: Hashable, Sendable {
    /// The ending of the file's name is not that of a container that is written.
    case unknownFormat(ending: String)
    /// FFmpeg's libraries cannot be opened, are another version, or are left out of this build.
    case library(VideoError.Reason)
    /// The library has none of these encoders.
    case noEncoder([String])
    /// The encoder takes no such pictures; with the library's words.
    case refused(String)
    /// The path is that of a folder.
    case isDirectory
    /// The file is the source itself.
    case isSource
    /// The file cannot be made or written, such as on a full disk; with the system's words.
    case unwritable(String)
    /// Sound is copied from files alone.
    case soundOfStream
    /// The source has no sound.
    case noSound
    /// The container does not hold sound of this codec.
    case soundCodec(String)
    /// Memory ran out.
    case outOfMemory
  }

  /// What went wrong.
  package var reason: Reason
  /// The file as it was given.
  package var file: String

  /// Creates an error about a file.
  package init(_ reason: Reason, file: String) {
    self.reason = reason
    self.file = file
  }
}

extension VideoWritingError: CustomStringConvertible {
  /// One line with the file, the cause and the remedy.
  package var description: String {
    switch reason {
    case .library(let reason): VideoError(reason, source: file).description
    default: "\(file): \(explanation.cause); \(explanation.remedy)"
    }
  }

  private var explanation: (cause: String, remedy: String) {
    switch reason {
    case .unknownFormat(let ending):
      (
        ending.isEmpty
          ? "a name without an ending says no video format"
          : "the ending .\(ending) says no video format that is written",
        "end the name in .mp4, .mkv or .avi"
      )
    case .noEncoder(let names):
      (
        "libavcodec has no encoder of these: \(names.joined(separator: ", "))",
        "name an .avi file, or install libavcodec-extra59"
      )
    case .refused(let words):
      ("the encoder takes no such pictures: \(words)", "name an .avi file")
    case .isDirectory: ("is a folder", "name a file in it")
    case .isSource: ("is the source itself", "name another file")
    case .unwritable(let words):
      ("cannot be written: \(words)", "free some room, or name a file that can be written")
    case .soundOfStream:
      ("sound is copied from files alone", "leave --audio out")
    case .noSound: ("the source has no sound to copy", "leave --audio out")
    case .soundCodec(let name):
      ("the container holds no sound of the codec \(name)", "name an .mkv file")
    case .library, .outOfMemory: ("memory ran out", "use smaller pictures")
    }
  }
}
