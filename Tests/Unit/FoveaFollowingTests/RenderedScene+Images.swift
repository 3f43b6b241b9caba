// Fovea - rendered scenes as pictures and frames of a program that uses Fovea.
// SPDX-License-Identifier: Apache-2.0
import Fovea

extension RenderedScene {
  /// Where the object of a pose is: fractions, from the lower left.
  func normalized(_ pose: RenderedPose) -> NormalizedRect {
    NormalizedRect(imageRect: pose.box, in: ImageSize(width: width, height: height))
  }

  /// What a perfect detector would find.
  func detection(_ pose: RenderedPose, _ label: String) -> RecognizedObjectObservation {
    RecognizedObjectObservation(
      boundingBox: normalized(pose), confidence: 0.9,
      labels: [ClassificationObservation(identifier: label, classIndex: 0, confidence: 1)])
  }

  func image(_ pose: RenderedPose) throws -> Image {
    try Image(width: width, height: height, rgb: luma(pose).flatMap { [$0, $0, $0] })
  }

  /// The picture as a camera gives it, with `padding` bytes behind each row but the last.
  func frame(
    _ pose: RenderedPose, _ format: PixelFormat, padding: Int = 0
  ) -> (bytes: [UInt8], layout: PixelLayout) {
    let luma = luma(pose)
    let rowBytes = PixelLayout(format: format, width: width, height: height).rowBytes + padding
    let gap = [UInt8](repeating: 9, count: padding)
    let rows = (0..<height).map { row in luma[row * width..<(row + 1) * width] }
    let packed: [[UInt8]] = rows.map { row in
      switch format {
      case .rgb, .bgr: row.flatMap { [$0, $0, $0] }
      case .rgba, .bgra: row.flatMap { [$0, $0, $0, 255] }
      case .gray, .nv12: Array(row)
      case .yuyv: row.flatMap { [$0, 128] }
      }
    }
    var bytes = Array(packed.joined(separator: gap))
    var layout = PixelLayout(format: format, width: width, height: height, rowBytes: rowBytes)
    if format == .nv12 {
      layout.chromaOffset = bytes.count
      bytes += [UInt8](repeating: 128, count: width / 2 * 2 * (height / 2))
    }
    return (bytes, layout)
  }
}
