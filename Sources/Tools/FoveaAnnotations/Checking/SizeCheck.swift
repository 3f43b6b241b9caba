// Fovea - boxes that are too small to be meant, or to be found.
// SPDX-License-Identifier: Apache-2.0

/// Boxes that are too small to be meant, or to be found.
enum SizeCheck {
  static let leastSide = 2.0
  static let leastNetworkSide = 8.0

  static func findings(
    in picture: AnnotatedSet.Picture, networkSide: Int
  ) -> [AnnotationFinding] {
    // Letterbox: one scale for both sides.
    let scale = Double(networkSide) / Double(max(picture.width, picture.height, 1))
    return picture.boxes.compactMap { box in
      guard !box.isIgnored else { return nil }
      let side = min(box.width, box.height)
      let size = "\(text(box.width)) x \(text(box.height))"
      if side < leastSide {
        return AnnotationFinding(.tinyBox, picture.name, "a box has \(size) pixels")
      }
      guard side * scale < leastNetworkSide else { return nil }
      let seen = "\(text(box.width * scale)) x \(text(box.height * scale))"
      return AnnotationFinding(
        .smallForNetwork, picture.name,
        "a box has \(size) pixels, \(seen) in an input of \(networkSide)")
    }
  }

  private static func text(_ number: Double) -> String { BoxNumber.text(number, digits: 1) }
}
