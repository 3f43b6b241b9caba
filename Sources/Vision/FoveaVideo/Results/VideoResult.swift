// Fovea - what was found in one picture of a video.
// SPDX-License-Identifier: Apache-2.0
public import FoveaGeometry
package import FoveaImaging
public import FoveaMedia
public import FoveaVision

/// What was found in one picture of a video, a camera or a stream.
public struct VideoResult: Sendable {
  /// The objects, by descending score of their best class. Boxes are fractions of the upright
  /// picture.
  public let observations: [RecognizedObjectObservation]
  /// The size of the upright picture, in pixels as they are stored.
  public let imageSize: ImageSize
  /// The size of the network's input for this picture; see `SequenceOptions.deadline`.
  public let inputSize: ImageSize
  /// The place of the picture among those that were decoded, from 0.
  public let index: Int
  /// The time of the picture in seconds: from the start of the source, and never less than that of
  /// the picture before.
  public let time: Double
  /// Whether `time` is a guess, because the source states no usable one.
  public let isTimeEstimated: Bool
  /// The time in seconds that the source itself states; `nil` where it states none.
  public let statedTime: Double?
  /// When the picture was there, in nanoseconds of the system's monotonic clock.
  public let arrival: UInt64
  /// How many seconds after its arrival the detection began.
  public let age: Double
  /// How many seconds after its arrival the result was there.
  public let latency: Double
  /// Whether the result came after the deadline.
  public let isLate: Bool
  /// Whether the decoder filled in damaged parts of the picture.
  public let isDamaged: Bool
  /// What became of all pictures of the source up to this one.
  public let counts: SequenceCounts
  /// The picture.
  package let picture: VideoFrame
  /// How the stored picture was turned to stand upright.
  package let planesOrientation: ImageOrientation
  /// How what was seen of the picture lay in the network's input. Its upright picture is smaller
  /// than `imageSize` where one field was seen, or where pixels are no squares.
  package let geometry: ImageGeometry
  /// The time of each stage of the detection.
  package let timings: DetectionTimings
}

extension VideoResult {
  /// The upright picture as red, green and blue.
  ///
  /// - Parameter orientation: How it must be turned; `nil` for what the source says.
  package func uprightImage(turned orientation: ImageOrientation? = nil) -> Image {
    let turned = orientation ?? picture.orientation
    return Image(
      storedRGB: ReferenceColors().rgb(of: picture), width: picture.size.width,
      height: picture.size.height, orientation: turned.rawValue
    ).upright()
  }
}

/// Why no more results come.
public enum VideoResultError: Error, Hashable, Sendable {
  /// The source cannot be opened, or gave nothing for too long.
  case source(VideoError)
  /// The detector cannot look at a picture.
  case detection(DetectionError)
}

extension VideoResultError: CustomStringConvertible {
  /// One line with the cause and the remedy.
  public var description: String {
    switch self {
    case .source(let error): error.description
    case .detection(let error): error.description
    }
  }
}
