// Fovea - the box of an option, whose object is followed.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaCommandLine
internal import FoveaFollowing
internal import FoveaGeometry

/// The box of an option, in pixels of the upright picture from its upper left corner.
struct FollowedBox {
  private let text: String
  private let option: String
  private let rect: ImageRect

  /// Reads a box.
  ///
  /// - Parameter option: The name of the option, for messages.
  init(_ text: String, option: String) throws(UsageError) {
    let numbers = text.split(separator: ",", omittingEmptySubsequences: false)
      .map { Double($0) ?? .nan }
    guard numbers.count == 4, numbers.allSatisfy(\.isFinite), numbers[2] > 0, numbers[3] > 0 else {
      throw UsageError(
        "\(option) is '\(text)'; expected left, top, width and height in pixels, such as "
          + "120,80,40,60")
    }
    (self.text, self.option) = (text, option)
    rect = ImageRect(
      x: numbers[0], y: numbers[1], width: numbers[2], height: numbers[3], origin: .upperLeft)
  }

  /// - Throws: `UsageError` for a box that is not in a picture of this size.
  func request(
    in size: ImageSize, _ level: TrackingLevel
  ) throws(UsageError) -> TrackObjectRequest {
    let (width, height) = (Double(size.width), Double(size.height))
    guard rect.minX < width, rect.minY < height, rect.maxX > 0, rect.maxY > 0 else {
      throw UsageError(refusal(in: size))
    }
    return TrackObjectRequest(
      boundingBox: NormalizedRect(imageRect: rect, in: size), trackingLevel: level)
  }

  func refusal(in size: ImageSize) -> String {
    "\(option) is '\(text)', which cannot be followed in a picture of \(size.width) x "
      + "\(size.height) pixels; it needs sides of 3 pixels or more, and a tenth of it inside"
  }
}
