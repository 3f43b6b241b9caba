// Fovea - files of camera motion: a map of the picture for each frame.
// SPDX-License-Identifier: Apache-2.0
package import FoveaGeometry

/// The content of a file of camera motion. A line states how points of the frame before move:
///
///     frame a11 a12 tx a21 a22 ty
///
/// Frames count from 0, other than in files of boxes, and pixels from the upper left. The new point
/// is (a11 x + a12 y + tx, a21 x + a22 y + ty).
package struct CameraMotionFile: Sendable {
  /// How points move to each frame from the one before. Frames count from 1, as in files of boxes.
  package let motions: [Int: AffineMap]

  /// How much areas may grow in one frame. Maps outside cannot be inverted in numbers of 64 bits.
  private static let areaFactors = 1e-6...1e6

  /// Reads the file at `path`.
  ///
  /// - Throws: `.unreadable`, `.malformed`.
  package init(contentsOf path: String) throws(EvaluationError) {
    self = try AnnotationFile.withBytes(of: path) { bytes throws(EvaluationError) in
      try CameraMotionFile(bytes, name: path)
    }
  }

  /// Reads the bytes of a file, which errors call `name`.
  ///
  /// - Throws: `.malformed`.
  package init(text bytes: [UInt8], name: String = "camera motion") throws(EvaluationError) {
    self = try AnnotationFile.withBytes(of: bytes) { bytes throws(EvaluationError) in
      try CameraMotionFile(bytes, name: name)
    }
  }

  private init(_ bytes: UnsafeRawBufferPointer, name: String) throws(EvaluationError) {
    var motions: [Int: AffineMap] = [:]
    var lines = NumberLines(bytes, name: name)
    while try lines.next() {
      let numbers = lines.numbers
      guard numbers.count == 7 else {
        throw lines.error("\(numbers.count) numbers; expected frame a11 a12 tx a21 a22 ty")
      }
      guard let frame = Int(exactly: numbers[0]),
        (0..<MOTChallengeFile.greatestFrame).contains(frame)
      else { throw lines.error("the frame is no whole number; count from 0") }
      guard numbers.allSatisfy({ $0.magnitude <= 1e9 }) else {
        throw lines.error("the camera moves by a billion pixels; write the map of one frame")
      }
      guard Self.areaFactors.contains(numbers[1] * numbers[5] - numbers[2] * numbers[4]) else {
        throw lines.error(
          "the map has no inverse, mirrors, or zooms a thousandfold; write a11 a12 tx a21 a22 ty")
      }
      guard motions[frame + 1] == nil else {
        throw lines.error("frame \(frame) has two maps; leave one of them")
      }
      guard motions.count < MOTChallengeFile.greatestCount else {
        throw lines.error("more than \(MOTChallengeFile.greatestCount) frames; cut the sequence")
      }
      motions[frame + 1] = AffineMap(
        a: numbers[1], b: numbers[2], c: numbers[4], d: numbers[5], tx: numbers[3], ty: numbers[6])
    }
    self.motions = motions
  }
}
