// Fovea - programs that read arrays in which a picture can lie.
// SPDX-License-Identifier: Apache-2.0

/// Programs that read an array "x" in which a picture of 12 rows and 16 columns can lie, and write
/// what a convolution makes of it.
public enum PictureNetworks {
  /// Rows of the picture.
  public static let rows = 12
  /// Columns of the picture.
  public static let columns = 16

  /// A convolution of 3 x 3, padded above and below, as "y" [1, 4, 12, 14]: no map of the picture.
  ///
  /// - Parameter shape: Of the input: channels first or last, with or without a batch.
  public static func convolution(_ shape: [Int]) -> [UInt8] {
    var writer = ProgramWriter(inputs: [("x", shape)], operationSet: "CoreML7")
    let planes = planes(&writer, shape)
    convolution(&writer, planes, channels: shape.contains(3) ? 3 : 1)
    return writer.model()
  }

  /// The means of `count` planes of a convolution, as "y" [1, count]: the scores of classes.
  ///
  /// - Parameter hasSoftmax: Whether they are probabilities.
  public static func scores(count: Int = 4, hasSoftmax: Bool) -> [UInt8] {
    var writer = ProgramWriter(inputs: [("x", [1, 3, rows, columns])], operationSet: "CoreML7")
    convolution(&writer, "x", channels: 3, outputs: count, result: "planes")
    writer.add(
      "reduce_mean",
      ["x": .value("planes"), "axes": .ints([2, 3]), "keep_dims": .bool(false)],
      results: [hasSoftmax ? "means" : "y"])
    if hasSoftmax { writer.add("softmax", ["x": .value("means"), "axis": .int(1)]) }
    return writer.model()
  }

  private static func planes(_ writer: inout ProgramWriter, _ shape: [Int]) -> String {
    var last = "x"
    if shape.count == 3 {
      last = writer.add(
        "expand_dims", ["x": .value(last), "axes": .ints([0])], results: ["batch"])
    }
    if [1, 3].contains(shape[shape.count - 1]) {
      last = writer.add(
        "transpose", ["x": .value(last), "perm": .ints([0, 3, 1, 2])], results: ["planes"])
    }
    return last
  }

  private static func convolution(
    _ writer: inout ProgramWriter, _ input: String, channels: Int, outputs: Int = 4,
    result: String = "y"
  ) {
    let weights = (0..<outputs * channels * 9).map { Float($0 * 37 % 19) / 16 - 0.5 }
    let weight = writer.constant(.floats(weights, [outputs, channels, 3, 3]))
    writer.add(
      "conv",
      [
        "x": .value(input), "weight": .value(weight), "pad_type": .text("custom"),
        "pad": .ints([1, 1, 0, 0]),
      ], results: [result])
  }
}
