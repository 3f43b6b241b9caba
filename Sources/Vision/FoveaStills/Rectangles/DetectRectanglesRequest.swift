// Fovea - the request to find rectangles.
// SPDX-License-Identifier: Apache-2.0
public import FoveaGeometry

/// A request that finds rectangles: sheets, cards, screens, signs, as a camera sees them.
///
///     var request = DetectRectanglesRequest()
///     request.maximumObservations = 8
///     let photograph = try ImageFile(contentsOf: "desk.jpg")
///     for (i, sheet) in try request.perform(on: photograph).enumerated() {
///       try sheet.image(of: photograph).write(to: "sheet\(i).png", as: .png)
///     }
///
/// Corners are exact to a seventh of a pixel on clear pictures. Sides have to be straight, at least 8
/// pixels long and a 17th of the picture's shorter side; at most 64 rectangles are found in a picture.
public struct DetectRectanglesRequest: StillRequest {
  /// The part of the upright image to look at. Sizes count as fractions of it.
  public var regionOfInterest = NormalizedRect.fullImage
  /// The least ratio of the shorter to the longer side as they are seen, 0...1.
  public var minimumAspectRatio: Float = 0.5
  /// The greatest ratio of the shorter to the longer side as they are seen, 0...1.
  public var maximumAspectRatio: Float = 1
  /// By how many degrees each angle may differ from 90, 0...45.
  public var quadratureToleranceDegrees: Float = 30
  /// The least length of the shortest side, as a fraction of the picture's shorter side, 0...1.
  public var minimumSize: Float = 0.2
  /// The least confidence, 0...1. At 0.5 nearly all rectangles are found that can be; about a
  /// third of what is reported belongs to patterns.
  public var minimumConfidence: Float = 0
  /// How many rectangles are reported at most, the most confident first; 0 for no limit.
  public var maximumObservations = 1

  /// Creates a request with the defaults of Vision: the most confident rectangle.
  public init() {}

  /// The rectangles in a picture, the most confident first.
  ///
  /// - Throws: `.invalidRequest` for a property that is out of range.
  public func result(
    in picture: StillPicture
  ) throws(StillError) -> [RectangleObservation] {
    try check()
    let part = try picture.part(regionOfInterest)
    let finder = QuadFinder(
      minimumSize: Double(minimumSize), minimumAspectRatio: Double(minimumAspectRatio),
      maximumAspectRatio: Double(maximumAspectRatio),
      quadratureToleranceDegrees: Double(quadratureToleranceDegrees),
      minimumConfidence: Double(minimumConfidence), maximumCount: maximumObservations)
    return try finder.find(in: part).map { RectangleObservation($0, in: part) }
  }

  private func check() throws(StillError) {
    let fractions = [
      ("minimumAspectRatio", minimumAspectRatio), ("maximumAspectRatio", maximumAspectRatio),
      ("minimumSize", minimumSize), ("minimumConfidence", minimumConfidence),
    ]
    for (name, value) in fractions where !(0...1).contains(value) {
      throw .invalidRequest("\(name) is \(value); expected 0...1")
    }
    guard minimumAspectRatio <= maximumAspectRatio else {
      throw .invalidRequest(
        "minimumAspectRatio is \(minimumAspectRatio), above maximumAspectRatio, "
          + "\(maximumAspectRatio); expected at most as much")
    }
    guard (0...45).contains(quadratureToleranceDegrees) else {
      throw .invalidRequest(
        "quadratureToleranceDegrees is \(quadratureToleranceDegrees); expected 0...45")
    }
    guard maximumObservations >= 0 else {
      throw .invalidRequest(
        "maximumObservations is \(maximumObservations); expected 0 for no limit, or more")
    }
  }
}
