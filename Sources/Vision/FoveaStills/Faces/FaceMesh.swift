// Fovea - which points of a face mesh make which part of a face.
// SPDX-License-Identifier: Apache-2.0

/// The mesh of 468 points that MediaPipe's network of face landmarks places, or of 478 with those of
/// the irises. The numbers are those of the mesh's topology.
enum FaceMesh {
  /// The numbers of points without and with irises.
  static let counts = [468, 478]

  /// A part, the points that make it in their order, and how they belong together.
  struct Part {
    let name: FaceLandmarks.Part
    let points: [Int]
    let classification: FaceLandmarks.Region.Classification
  }

  /// The parts that lines of points make.
  static let parts: [Part] = [
    Part(
      name: .faceContour,
      points: [
        234, 93, 132, 58, 172, 136, 150, 149, 176, 148, 152, 377, 400, 378, 379, 365, 397, 288, 361,
        323, 454,
      ], classification: .openPath),
    Part(name: .leftEye, points: leftEye, classification: .closedPath),
    Part(name: .rightEye, points: rightEye, classification: .closedPath),
    Part(
      name: .leftEyebrow, points: [70, 63, 105, 66, 107, 55, 65, 52, 53, 46],
      classification: .closedPath),
    Part(
      name: .rightEyebrow, points: [336, 296, 334, 293, 300, 276, 283, 282, 295, 285],
      classification: .closedPath),
    Part(
      name: .nose, points: [129, 64, 98, 97, 2, 326, 327, 294, 358], classification: .openPath),
    Part(name: .noseCrest, points: [168, 6, 197, 195, 5, 4], classification: .openPath),
    Part(
      name: .medianLine,
      points: [
        10, 151, 9, 8, 168, 6, 197, 195, 5, 4, 1, 2, 164, 0, 13, 14, 17, 18, 200, 199, 175, 152,
      ], classification: .openPath),
    Part(
      name: .outerLips,
      points: [
        61, 185, 40, 39, 37, 0, 267, 269, 270, 409, 291, 375, 321, 405, 314, 17, 84, 181, 91, 146,
      ], classification: .closedPath),
    Part(
      name: .innerLips,
      points: [
        78, 191, 80, 81, 82, 13, 312, 311, 310, 415, 308, 324, 318, 402, 317, 14, 87, 178, 88, 95,
      ], classification: .closedPath),
  ]

  /// The middle of each iris in the mesh that has them; without, a pupil is the middle of its eye.
  static let pupils: [(name: FaceLandmarks.Part, iris: Int, eye: [Int])] = [
    (.leftPupil, 468, leftEye), (.rightPupil, 473, rightEye),
  ]

  /// The two sides of the head, and its upper and lower end.
  static let (leftSide, rightSide, top, chin) = (234, 454, 10, 152)

  private static let leftEye = [
    33, 246, 161, 160, 159, 158, 157, 173, 133, 155, 154, 153, 145, 144, 163, 7,
  ]
  private static let rightEye = [
    362, 398, 384, 385, 386, 387, 388, 466, 263, 249, 390, 373, 374, 380, 381, 382,
  ]
}
