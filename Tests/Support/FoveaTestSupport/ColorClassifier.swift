// Fovea - a classifier of a few fields whose probabilities have a closed form.
// SPDX-License-Identifier: Apache-2.0

/// A neural network that says how red, green and blue a picture is.
public enum ColorClassifier {
  /// Columns and rows of its input.
  public static let side = 4

  /// The file: the mean of the plane of each color in 0...1, and the softmax of the three.
  ///
  /// - Parameters:
  ///   - hasSoftmax: Without it the "probabilities" are the means, times `scale`.
  ///   - scale: The factor of the pixels.
  public static func bytes(hasSoftmax: Bool = true, scale: Float = 1 / 255) -> [UInt8] {
    ProtobufWriter { writer in
      writer.integer(1, 4)
      writer.message(2) { description in
        description.data(1, ModelBuilder.image("image", width: side, height: side))
        description.data(10, ModelBuilder.feature("label") { $0.message(3) { _ in } })
        description.data(
          10,
          ModelBuilder.feature("chances") { type in
            type.message(6) { $0.message(2) { _ in } }
          })
        description.string(11, "label")
        description.string(12, "chances")
      }
      writer.message(403) { network in
        network.data(
          1,
          ModelBuilder.layer(
            120, name: "mean", inputs: ["image"], outputs: ["means"], ModelBuilder.globalAverage))
        if hasSoftmax {
          network.data(1, ModelBuilder.layer(175, inputs: ["means"], outputs: ["odds"]))
        }
        network.message(2) { preprocessing in
          preprocessing.string(1, "image")
          preprocessing.message(10) { $0.float(10, scale) }
        }
        network.message(100) { labels in
          for label in ["red", "green", "blue"] { labels.string(1, label) }
        }
        network.string(200, hasSoftmax ? "odds" : "means")
      }
    }.bytes
  }
}
