// Fovea - how the pictures of a source are handed over.
// SPDX-License-Identifier: Apache-2.0
public import FoveaGeometry

/// Which pictures are kept for who takes them.
public enum FrameKeeping: String, Sendable, Hashable, CaseIterable {
  /// The newest. What it replaces is counted as dropped. Where the next one is due, it is waited for.
  case latest
  /// All. The source waits until there is room.
  case all
}

/// How the pictures of a source are handed over.
public struct SequenceOptions: Sendable {
  /// How the source is opened.
  public var video = VideoOptions()
  /// Which pictures are kept; `nil`: the latest of live sources, all of others.
  public var keeping: FrameKeeping?
  /// Whether a file comes at its own pace, as a camera does. Its latest pictures are kept then.
  public var isPaced = false
  /// The age in seconds at which a picture's result is late; `nil` for never. A detector that allows
  /// several sizes of its input takes a smaller one when results are late.
  public var deadline: Double?
  /// How often in a row a lost network source is opened again.
  public var maximumReconnects = 8
  /// The pause in seconds before the first of these attempts; it doubles each time, to 30 at most.
  public var reconnectPause = 0.5
  /// Whether a detector looks at one field of a picture that is woven of two. All of such a picture
  /// shows what moves twice.
  public var splitsFields = true
  /// How the stored pictures must be turned; `nil` for what the source says.
  public var orientation: ImageOrientation?

  /// Creates the usual options.
  public init() {}
}

/// What became of the pictures of a source, up to one of them.
///
/// `decoded` = `taken` + `dropped` + those that wait.
public struct SequenceCounts: Sendable, Hashable {
  /// Pictures that were decoded.
  public var decoded = 0
  /// Pictures that were taken.
  public var taken = 0
  /// Pictures that were replaced by newer ones before anybody took them.
  public var dropped = 0
  /// Results that came after the deadline.
  public var late = 0
  /// Pictures whose damage the decoder filled in.
  public var damaged = 0
  /// Coded pictures that no picture could be made of.
  public var lost = 0
  /// Errors in the container or the stream, which the reader passed over.
  public var passedErrors = 0
  /// How often the source was opened again.
  public var reconnects = 0

  /// Creates counts of nothing.
  public init() {}
}
