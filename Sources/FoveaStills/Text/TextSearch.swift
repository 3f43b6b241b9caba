// Fovea - how requests on text find lines.
// SPDX-License-Identifier: Apache-2.0

/// How requests on text find lines: by ink, or by a network.
struct TextSearch {
  private let detector: TextDetector?
  private let minimumHeight: Double

  /// A search for lines of at least a fraction of the height of a picture.
  ///
  /// - Throws: `.invalidRequest` for a fraction that is not in 0...1.
  init(
    detector: TextDetector?, minimumHeightFraction: Float, of picture: StillPicture
  ) throws(StillError) {
    guard (0...1).contains(minimumHeightFraction) else {
      throw .invalidRequest(
        "minimumTextHeightFraction is \(minimumHeightFraction); expected 0 to 1")
    }
    self.detector = detector
    minimumHeight = Double(minimumHeightFraction) * Double(picture.height)
  }

  /// The lines of text in a picture, in the order in which they are read.
  ///
  /// - Throws: `.libraryFailed` without memory; `.detection` from a network.
  func lines(in picture: StillPicture) throws(StillError) -> [TextLine] {
    if let detector { return try detector.lines(in: picture, minimumHeight: minimumHeight) }
    return try TextLineFinder.lines(in: picture.gray, minimumHeight: minimumHeight)
  }
}
