// Fovea - a video file that grows picture by picture.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaLibc

/// A video file that grows picture by picture.
///
/// It can be played however writing ends: what is missing then is the last second.
package final class VideoWriter {
  /// The file.
  package let path: String
  private let source: VideoSource
  private let copiesSound: Bool
  private let format: VideoFileFormat
  #if Video
    private let encoder: AvailableEncoder
    private var output: MediaOutput?
  #endif

  /// How many pictures have been written.
  package private(set) var count = 0

  /// Finds an encoder. The file is made with the first picture.
  ///
  /// - Parameters:
  ///   - path: The file; its ending says the container: `.mp4`, `.mkv` or `.avi`.
  ///   - source: Where the pictures come from.
  ///   - copiesSound: Whether the sound of the source is copied.
  /// - Throws: Any reason but `.refused` and `.outOfMemory`.
  package init(
    _ path: String, from source: VideoSource, copiesSound: Bool
  ) throws(VideoWritingError) {
    self.path = path
    self.source = source
    self.copiesSound = copiesSound
    format = try VideoFileFormat(forFile: path)
    guard !source.isFile(path) else { throw VideoWritingError(.isSource, file: path) }
    if copiesSound {
      // Sound is read from the file once more; what a pipe gives comes once.
      guard case .file(let name) = source, FileLook.isRegular(name) != false else {
        throw VideoWritingError(.soundOfStream, file: path)
      }
    }
    #if Video
      encoder = try AvailableEncoder(for: format, path)
    #else
      throw VideoWritingError(.library(.traitDisabled("Video")), file: path)
    #endif
  }

  /// Appends a picture. Its samples may get another meaning, that of the file.
  ///
  /// - Parameters:
  ///   - picture: A picture as large as the first.
  ///   - seconds: Its time, more than that of the picture before.
  ///   - stated: The time in seconds that the source states for it; `nil` where it states none.
  ///   - pixelAspect: The width of a pixel divided by its height; the first picture's counts.
  ///   - description: What the source says about its times.
  /// - Throws: `.unwritable`, `.refused`, `.outOfMemory`; of the first picture any.
  package func append(
    _ picture: UprightImage, at seconds: Double, stated: Double?, pixelAspect: Double,
    of description: VideoDescription
  ) throws(VideoWritingError) {
    #if Video
      if output == nil { output = try begin(picture, seconds, pixelAspect, description) }
      guard let output else { return }
      picture.recode(to: output.coding)
      try output.append(picture, at: seconds, stated: stated)
      count += 1
    #endif
  }

  /// Writes what the end of the file has to say. Without a picture there is no file.
  ///
  /// - Throws: `.unwritable`.
  package func finish() throws(VideoWritingError) {
    #if Video
      try output?.finish()
      output = nil
    #endif
  }

  #if Video
    private func begin(
      _ picture: UprightImage, _ seconds: Double, _ pixelAspect: Double,
      _ description: VideoDescription
    ) throws(VideoWritingError) -> MediaOutput {
      var sound: CopiedSound?
      if copiesSound, case .file(let name) = source {
        sound = try CopiedSound(of: name, into: path, encoder.library)
      }
      return try MediaOutput(
        path, format, encoder, picture, EncodedTiming(description, format, encoder.kind),
        pixelAspect: pixelAspect, startsLater: seconds > 0, sound)
    }
  #endif
}

/// The ticks that times are written in.
struct EncodedTiming {
  /// Ticks in `span` seconds.
  let ticks: Int
  let span: Int
  /// Pictures in a second, as far as that is known.
  let frameRate: Double
  private var last = -1

  /// The ticks of the source, where they are fine enough and the encoder takes them. AVI has one
  /// frame rate instead.
  init(_ description: VideoDescription, _ format: VideoFileFormat, _ kind: VideoEncoderKind) {
    let stated = description.frameRate.flatMap { (0.1...1000).contains($0) ? $0 : nil }
    frameRate = stated ?? 25
    if format == .avi {
      // 29.97 pictures a second are 30000 in 1001 seconds.
      let isWhole = abs(frameRate - frameRate.rounded()) < 1e-4
      (ticks, span) =
        isWhole ? (Int(frameRate.rounded()), 1) : (Int((frameRate * 1001).rounded()), 1001)
      return
    }
    span = 1
    let rate = description.tickSeconds > 0 ? 1 / description.tickSeconds : 0
    let isUsable =
      (1000...Double(kind.greatestRate)).contains(rate)
      && abs(rate - rate.rounded()) < 1e-6 * rate
    // Whole numbers of these are pictures of 24, 25, 30 and 60 in a second, and of 1000/1001 of it.
    ticks = isUsable ? Int(rate.rounded()) : min(120_000, kind.greatestRate / 12_000 * 12_000)
  }

  /// The tick of a time in seconds, which is more than the one before.
  mutating func tick(of seconds: Double) -> Int {
    let exact = seconds * Double(ticks) / Double(span)
    last = max(last + 1, Int(min(max(exact, 0), 1e15).rounded()))
    return last
  }
}
