// Fovea - why a video cannot be read.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaFiles

/// The reason why a video cannot be read. `description` names the source, the cause and the remedy.
public struct VideoError: Error, Hashable, Sendable {
  /// What went wrong.
  public enum Reason: Hashable, Sendable {
    /// FFmpeg's libraries cannot be opened; with the loader's words.
    case libraryUnavailable(String)
    /// A library has another major version than this build.
    case libraryVersion(String, found: Int, expected: Int)
    /// A library that this build leaves out, by the name of its package trait.
    case traitDisabled(String)
    /// The words for a source name none.
    case invalidSource(String)
    /// There is no such file or device.
    case missing
    /// The path is that of a folder.
    case isDirectory
    /// The file has no bytes.
    case emptyFile
    /// The file is a pointer of Git LFS, not the video itself.
    case gitLFSPointer
    /// The bytes are no video; with the reader's words.
    case notAVideo(String, isText: Bool)
    /// The source cannot be opened or read; with the system's words.
    case unreadable(String)
    /// There are streams, but none of moving pictures.
    case noVideoStream
    /// No decoder is there for the codec.
    case unsupportedCodec(String)
    /// The decoder gives pixels of a kind that is not read.
    case unsupportedPixels(String)
    /// A picture has more pixels than `VideoLimits.maximumPixels`.
    case tooManyPixels(limit: Int)
    /// A frame, a header or a line has more bytes than allowed.
    case tooManyBytes(of: String, limit: Int)
    /// Nothing came for so many seconds.
    case timedOut(seconds: Double)
    /// Reading was cancelled.
    case cancelled
    /// A camera cannot do what is needed; with words.
    case camera(String)
    /// The server gave another answer than expected; with words.
    case badAnswer(String)
    /// Memory ran out.
    case outOfMemory
  }

  /// What went wrong.
  public var reason: Reason
  /// The source as it was given.
  public var source: String

  /// Creates an error about a source.
  public init(_ reason: Reason, source: String) {
    self.reason = reason
    self.source = source
  }
}

extension VideoError: CustomStringConvertible {
  /// One line with the source, the cause and the remedy.
  public var description: String {
    let (cause, remedy) = reason.explanation
    return "\(source): \(cause); \(remedy)"
  }
}

extension VideoError.Reason {
  /// The cause and the remedy.
  fileprivate var explanation: (cause: String, remedy: String) {
    switch self {
    case .libraryUnavailable(let words):
      ("FFmpeg's libraries cannot be opened: \(words)", "install the package libavformat59")
    case .libraryVersion(let name, let found, let expected):
      (
        "\(name) has the major version \(found), and this build needs \(expected)",
        "build Fovea again with the headers of this system (libavformat-dev)"
      )
    case .traitDisabled(let trait):
      ("what reads it is left out of this build", "build with the package trait \(trait)")
    case .invalidSource(let words): (words, "name a file, an address or a camera")
    // A camera is a file, too.
    case .missing: ("\(FileError.missing)", FileError.missing.remedy)
    case .isDirectory:
      ("\(FileError.isDirectory)", "name a video in it, or pictures by a pattern like %04d.jpg")
    case .emptyFile: ("is empty (0 bytes)", "copy or download the file again")
    case .gitLFSPointer: ("is a Git LFS pointer, not the file itself", "run 'git lfs pull'")
    case .notAVideo(let words, let isText):
      (
        isText ? "is text, not a video" : "is no video that can be read: \(words)",
        isText ? "name a video" : "copy or download the file again, or convert it"
      )
    case .unreadable(let words):
      ("\(FileError.unreadable(words))", "check that it is there and yours")
    case .noVideoStream: ("has no video stream", "name a source with moving pictures")
    default: rareExplanation
    }
  }

  private var rareExplanation: (cause: String, remedy: String) {
    switch self {
    case .unsupportedCodec(let name):
      (
        "the codec \(name) has no decoder here",
        "convert it to H.264, or install libavcodec-extra59"
      )
    case .unsupportedPixels(let name): ("pixels of the kind \(name) are not read", "convert it")
    case .tooManyPixels(let limit):
      ("a picture has more than \(limit) pixels", "make it smaller or raise the limit")
    case .tooManyBytes(let what, let limit):
      ("\(what) has more than \(limit) bytes", "check that the source is what you expect")
    case .timedOut(let seconds):
      ("nothing came for \(seconds) seconds", "check the connection, or allow more time")
    case .cancelled: ("reading was cancelled", "read it again")
    case .camera(let words): (words, "name another camera or format")
    case .badAnswer(let words): (words, "check the address")
    case .outOfMemory: ("memory ran out", "use a smaller picture")
    default: ("cannot be read", "name another source")
    }
  }
}
