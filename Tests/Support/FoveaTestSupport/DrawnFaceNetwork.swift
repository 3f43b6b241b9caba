// Fovea - tests: a network of YuNet's form that finds drawn faces.
// SPDX-License-Identifier: Apache-2.0

/// Networks that find drawn faces, and nothing else: red disks with a green and a blue eye on black.
/// All their weights follow from the meaning of sums.
public enum DrawnFaceNetwork {
  /// Columns and rows of the detector's input.
  public static let side = 64
  /// The points of the mesh of `landmarks`, in pixels of its input of 192 x 192.
  public static func meshPoint(_ index: Int) -> (x: Double, y: Double) {
    (Double(40 + index % 26 * 4), Double(50 + index / 26 * 5))
  }

  /// A detector with the outputs of YuNet, whose scores tell how far the eyes are above the middle.
  /// It finds one face of a picture: the middle and the size of all that is not black.
  public static func detector() -> [UInt8] {
    var writer = ONNXWriter()
    writer.input("x", [1, 3, side, side])
    addMoments(&writer)
    addScore(&writer)
    addBoxAndPoints(&writer)
    for stride in [8, 16, 32] { addOutputs(&writer, stride: stride) }
    return writer.bytes
  }

  /// A network of landmarks with one mesh for every picture, and a score of 1 / (1 + e^-4).
  public static func landmarks() -> [UInt8] {
    var writer = ONNXWriter()
    writer.input("x", [1, 3, 192, 192])
    writer.add("GlobalAveragePool", ["x"], ["mean"])
    let mesh = (0..<468).flatMap { index -> [Float] in
      let point = meshPoint(index)
      return [Float(point.x), Float(point.y), 0]
    }
    for (name, numbers) in [("mesh", mesh), ("score", [4])] {
      writer.floats(
        "\(name)_w", [Float](repeating: 0, count: 3 * numbers.count), [numbers.count, 3, 1, 1])
      writer.floats("\(name)_b", numbers)
      writer.add("Conv", ["mean", "\(name)_w", "\(name)_b"], [name])
      writer.output(name, [1, numbers.count, 1, 1])
    }
    return writer.bytes
  }

  /// Sums over the picture: of all colors, of green and of blue, plain and times column and row.
  private static func addMoments(_ writer: inout ONNXWriter) {
    // Channels are blue, green and red.
    let masks: [[Float]] = [[1, 1, 1], [0, 1, 0], [1, 0, 0]]
    var weights: [Float] = []
    for mask in masks {
      for factor in 0..<3 {
        for channel in 0..<3 {
          for row in 0..<side {
            for column in 0..<side {
              let value = factor == 0 ? 1 : factor == 1 ? Float(column) + 0.5 : Float(row) + 0.5
              weights.append(mask[channel] * value / 255)
            }
          }
        }
      }
    }
    writer.floats("moment_w", weights, [9, 3, side, side])
    writer.add("Conv", ["x", "moment_w"], ["moments"])
    writer.integers("places_i", [1, 2, 4, 5, 7, 8])
    writer.integers("masses_i", [0, 0, 3, 3, 6, 6])
    writer.add("Gather", ["moments", "places_i"], ["places_s"], ["axis": .int(1)])
    writer.add("Gather", ["moments", "masses_i"], ["masses_s"], ["axis": .int(1)])
    // The places of the face, the green eye and the blue eye: x and y of each, in pixels.
    writer.add("Div", ["places_s", "masses_s"], ["places"])
  }

  /// The height of the eyes above the middle, a quarter of a pixel each, in 0...1.
  private static func addScore(_ writer: inout ONNXWriter) {
    writer.floats("score_w", [0, 0.25, 0, -0.125, 0, -0.125], [1, 6, 1, 1])
    writer.add("Conv", ["places", "score_w"], ["height"])
    writer.floats("zero", [0], [])
    writer.floats("one", [1], [])
    writer.add("Clip", ["height", "zero", "one"], ["score_4"])
    writer.integers("row_1", [1, 1, 1])
    writer.add("Reshape", ["score_4", "row_1"], ["score_row"])
  }

  /// The box and the points of a face in cells of 8 pixels, from the first cell.
  private static func addBoxAndPoints(_ writer: inout ONNXWriter) {
    func gather(_ indices: [Int], _ name: String, from input: String = "places") {
      writer.integers("\(name)_i", indices)
      writer.add("Gather", [input, "\(name)_i"], [name], ["axis": .int(1)])
    }
    gather([0, 1], "middle")
    gather([2, 3], "green")
    gather([4, 5], "blue")
    gather([2], "green_x")
    gather([4], "blue_x")
    // The left eye is the one at the left of the picture, mirrored or not.
    writer.add("Less", ["green_x", "blue_x"], ["is_green_left"])
    writer.add("Where", ["is_green_left", "green", "blue"], ["left"])
    writer.add("Where", ["is_green_left", "blue", "green"], ["right"])
    writer.add(
      "Concat", ["left", "right", "middle", "middle", "middle"], ["points_px"], ["axis": .int(1)])
    writer.floats("eighth", [0.125], [])
    writer.add("Mul", ["points_px", "eighth"], ["points_4"])
    writer.integers("row_10", [1, 1, 10])
    writer.add("Reshape", ["points_4", "row_10"], ["points_row"])
    // A disk of the mass m is 2 sqrt(m / pi) wide; sizes are logarithms.
    gather([0, 0], "mass", from: "moments")
    writer.floats("disk", [4 / .pi / 64], [])
    writer.floats("half", [0.5], [])
    writer.add("Mul", ["mass", "disk"], ["squares"])
    writer.add("Log", ["squares"], ["logarithms"])
    writer.add("Mul", ["logarithms", "half"], ["sizes"])
    writer.add("Mul", ["middle", "eighth"], ["middle_cells"])
    writer.add("Concat", ["middle_cells", "sizes"], ["box_4"], ["axis": .int(1)])
    writer.integers("row_4", [1, 1, 4])
    writer.add("Reshape", ["box_4", "row_4"], ["box_row"])
  }

  /// The outputs of a stride: the face in the first cell of stride 8, zeros elsewhere.
  private static func addOutputs(_ writer: inout ONNXWriter, stride: Int) {
    let cells = (side / stride) * (side / stride)
    for (name, source, columns) in [
      ("cls", "score_row", 1), ("obj", "score_row", 1), ("bbox", "box_row", 4),
      ("kps", "points_row", 10),
    ] {
      let output = "\(name)_\(stride)"
      if stride == 8 {
        writer.integers("\(output)_p", [0, 0, 0, 0, cells - 1, 0])
        writer.add("Pad", [source, "\(output)_p"], [output])
      } else {
        writer.integers("\(output)_p", [0, 0, 0, 0, cells - 1, 0])
        writer.add("Mul", [source, "zero"], ["\(output)_z"])
        writer.add("Pad", ["\(output)_z", "\(output)_p"], [output])
      }
      writer.output(output, [1, cells, columns])
    }
  }
}
