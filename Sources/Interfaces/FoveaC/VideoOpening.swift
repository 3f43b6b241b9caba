// Fovea - the options that a C program opens a video with.
// SPDX-License-Identifier: Apache-2.0
internal import CFovea.Detect
internal import FoveaGeometry
internal import FoveaVideo

/// The options that a C program opens a video with.
struct VideoOpening {
  private(set) var sequence = SequenceOptions()
  /// Whether objects get identifiers.
  private(set) var tracks = false
  private(set) var cameraMoves = false

  /// What the structure's own function fills in.
  static var defaults: fovea_video_options {
    var options = fovea_video_options()
    let usual = SequenceOptions()
    options.maximum_reconnects = Int32(clamping: usual.maximumReconnects)
    options.decoder_threads = Int32(clamping: usual.video.decoderThreads)
    options.deadline = .nan
    return options
  }

  /// The defaults, or what the options say.
  init(_ pointer: UnsafePointer<fovea_video_options>?) throws(CallFailure) {
    guard let pointer else { return }
    let options = try CallerMemory.structure(pointer, "fovea_video_options")
    sequence.keeping = try CallerMemory.choice(options.keep, [nil, .all, .latest], "keep")
    sequence.isPaced = try CallerMemory.choice(options.paced, [false, true], "paced")
    tracks = try CallerMemory.choice(options.track, [false, true], "track")
    cameraMoves = try CallerMemory.choice(options.camera_moves, [false, true], "camera_moves")
    if cameraMoves, !tracks { throw .invalid("camera_moves needs track; set it to 1, too") }
    sequence.maximumReconnects = try Self.number(
      options.maximum_reconnects, 0...1_000_000, "maximum_reconnects")
    sequence.video.decoderThreads = try Self.number(
      options.decoder_threads, 1...64, "decoder_threads")
    if !options.deadline.isNaN {
      guard options.deadline > 0 else {
        throw .invalid("deadline is \(options.deadline); expected seconds above 0, or NaN for none")
      }
      sequence.deadline = options.deadline
    }
    try readCamera(options)
  }

  private mutating func readCamera(_ options: fovea_video_options) throws(CallFailure) {
    let sides = (options.camera_width, options.camera_height)
    if sides != (0, 0) {
      guard (1...1 << 16).contains(sides.0), (1...1 << 16).contains(sides.1) else {
        throw .invalid("a camera has no pictures of \(sides.0) x \(sides.1) pixels")
      }
      sequence.video.cameraSize = ImageSize(width: Int(sides.0), height: Int(sides.1))
    }
    guard options.camera_rate >= 0, options.camera_rate <= 10_000 else {
      throw .invalid("camera_rate is \(options.camera_rate); expected 0 to 10000 a second")
    }
    if options.camera_rate > 0 { sequence.video.cameraRate = options.camera_rate }
  }

  private static func number(
    _ number: Int32, _ range: ClosedRange<Int>, _ name: String
  ) throws(CallFailure) -> Int {
    guard range.contains(Int(number)) else {
      throw .invalid(
        "\(name) is \(number); expected \(range.lowerBound) to \(range.upperBound)")
    }
    return Int(number)
  }

  /// Turns all pictures.
  mutating func turn(_ orientation: ImageOrientation?) { sequence.orientation = orientation }
}
