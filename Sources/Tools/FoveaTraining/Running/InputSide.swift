// Fovea - the size at which a network sees the objects of a set.
// SPDX-License-Identifier: Apache-2.0

/// Chooses the side of a network's input.
enum InputSide {
  /// What is chosen from.
  private static let sides = [224, 256, 320, 416, 512]
  /// Pixels that most objects are to have along their shorter side.
  private static let least = 12.0

  /// The smallest side at which nine of ten objects have enough pixels.
  static func choose(_ set: TrainingSet) -> Int {
    let shorter = set.pictures.flatMap(\.objects).filter { $0.weight > 0 }
      .map { min($0.width, $0.height) }.sorted()
    guard !shorter.isEmpty else { return 320 }
    let tenth = shorter[shorter.count / 10]
    return sides.first { Double($0) * tenth >= least } ?? sides[sides.count - 1]
  }
}
