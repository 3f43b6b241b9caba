// Fovea - a detector of colored squares whose weights are worked out, not trained.
// SPDX-License-Identifier: Apache-2.0

/// A Core ML detector of red, green and blue squares, built by hand.
///
/// It is a pipeline of a neural network and non-maximum suppression with 8-bit lookup-table
/// weights, as Apple's and Turi Create's detectors are, but every weight follows from a formula:
///
/// 1. A 1 x 1 convolution and a sigmoid say for each pixel whether it is red, green or blue.
/// 2. Averages of 4 x 4 pixels give a grid of 40 x 40 cells.
/// 3. The score of a cell corner is high where the 24 x 24 pixels around it have one color and a
///    ring 20 to 24 pixels away has not: a square of about 32 pixels.
/// 4. How much more color lies to the right than to the left tells the offset of the center; the
///    color in a strip through it tells the width. The same, turned, for y and height.
public enum ShapesDetector {
  /// Side of the network's square input in pixels.
  public static let inputSide = 160
  /// The labels, in the order of the scores.
  public static let labels = ["red square", "green square", "blue square"]
  /// Side of the squares it looks for, in pixels of the input.
  public static let objectSide = 32

  private static let cellSide = 4
  private static let gridSide = inputSide / cellSide
  private static let windowSide = 12
  private static let boxCount = gridSide * gridSide

  /// The bytes of the `.mlmodel` file.
  public static func modelBytes() -> [UInt8] {
    var model = ProtobufMessageWriter()
    model.write(1, integer: specificationVersion)
    model.write(2) { writePipelineDescription(&$0) }
    model.write(202) { pipeline in
      pipeline.write(1) { writeNetworkStage(&$0) }
      pipeline.write(1) { writeSuppressionStage(&$0) }
    }
    return model.bytes
  }

  // MARK: The network

  private static func network() -> ProtobufMessageWriter {
    var network = CoreMLNetworkWriter()
    addColorMasks(to: &network)
    addScores(to: &network)
    addBoxes(to: &network)
    network.setPixelScale(1 / 255, input: "image")
    return network.message
  }

  /// How sure a pixel's color is: sigmoid(24 (own channel - 0.9 (other channels) - 0.35)).
  private static func addColorMasks(to network: inout CoreMLNetworkWriter) {
    let weights: [Float] = (0..<9).map { $0 % 4 == 0 ? 24 : 24 * -0.9 }
    network.add(
      .init(
        name: "colors", input: "image", inputChannels: 3, outputChannels: 3, kernel: 1,
        padding: .same, weights: weights, bias: Array(repeating: 24 * -0.35, count: 3)))
    network.addSigmoid("masks", input: "colors")
    network.addAveragePooling("cells", input: "masks", size: cellSide)
  }

  /// sigmoid(12 (mean of the core) - 24 (mean of the ring) - 8) for each color.
  private static func addScores(to network: inout CoreMLNetworkWriter) {
    let evidence = window { row, column in
      let distance = max(distanceFromCenter(row), distanceFromCenter(column))
      return distance < 3 ? 12.0 / 36 : distance > 5 ? -24.0 / 44 : 0
    }
    addWindow(
      "evidence", outputs: 3, groups: 3, weights: evidence + evidence + evidence,
      bias: [-8, -8, -8], to: &network)
    network.addSigmoid("scores", input: "evidence")
    network.addPermutation("scoresByCell", input: "scores", axes: [0, 2, 3, 1])
    network.addReshape(
      "raw_confidence", input: "scoresByCell", shape: [1, boxCount, labels.count])
  }

  /// Center x, center y, width, height in fractions of the input, for each cell corner.
  private static func addBoxes(to network: inout CoreMLNetworkWriter) {
    let side = Float(inputSide)
    let cellArea = Float(cellSide * cellSide)
    let perHalf = cellArea / Float(objectSide) / side
    let perStrip = cellArea / Float(2 * cellSide) / side
    let offset = window { row, column in
      max(distanceFromCenter(row), distanceFromCenter(column)) > 4
        ? 0 : 2 * column < windowSide ? -perHalf : perHalf
    }
    let extent = window { row, _ in distanceFromCenter(row) < 1 ? perStrip : 0 }
    let size = everyColor(extent) + everyColor(transposed(extent))
    addWindow(
      "offsets", outputs: 2, weights: everyColor(offset) + everyColor(transposed(offset)),
      to: &network)
    network.addConstant("corners", shape: [2, gridSide, gridSide], values: cornerPositions())
    network.addSum("centers", inputs: ["offsets", "corners"])
    addWindow("sizes", outputs: 2, weights: size, to: &network)
    network.addConcatenation("boxes", inputs: ["centers", "sizes"])
    network.addPermutation("boxesByCell", input: "boxes", axes: [0, 2, 3, 1])
    network.addReshape("raw_coordinates", input: "boxesByCell", shape: [1, boxCount, 4])
  }

  /// A convolution that reads the cells around the upper left corner of each cell.
  private static func addWindow(
    _ name: String, outputs: Int, groups: Int = 1, weights: [Float], bias: [Float]? = nil,
    to network: inout CoreMLNetworkWriter
  ) {
    network.add(
      .init(
        name: name, input: "cells", inputChannels: 3, outputChannels: outputs, groups: groups,
        kernel: windowSide, padding: .valid(before: windowSide / 2, after: windowSide / 2 - 1),
        weights: weights, bias: bias))
  }

  /// Distance in cells from the middle of the window to the middle of a row or column.
  private static func distanceFromCenter(_ index: Int) -> Double {
    abs(Double(index) + 0.5 - Double(windowSide) / 2)
  }

  private static func window(_ weight: (Int, Int) -> Float) -> [Float] {
    (0..<windowSide * windowSide).map { weight($0 / windowSide, $0 % windowSide) }
  }

  private static func transposed(_ kernel: [Float]) -> [Float] {
    window { row, column in kernel[column * windowSide + row] }
  }

  private static func everyColor(_ kernel: [Float]) -> [Float] { kernel + kernel + kernel }

  private static func cornerPositions() -> [Float] {
    let x = (0..<boxCount).map { Float($0 % gridSide) / Float(gridSide) }
    let y = (0..<boxCount).map { Float($0 / gridSide) / Float(gridSide) }
    return x + y
  }

  // MARK: The stages

  private static let specificationVersion = 3

  private static func writeNetworkStage(_ model: inout ProtobufMessageWriter) {
    model.write(1, integer: specificationVersion)
    model.write(2) { description in
      description.write(1) { $0.writeColorImage("image", side: inputSide) }
      description.write(10) { $0.writeArray("raw_confidence", shape: [boxCount, labels.count]) }
      description.write(10) { $0.writeArray("raw_coordinates", shape: [boxCount, 4]) }
    }
    model.write(500, bytes: network().bytes)
  }

  private static func writeSuppressionStage(_ model: inout ProtobufMessageWriter) {
    model.write(1, integer: specificationVersion)
    model.write(2) { description in
      description.write(1) { $0.writeArray("raw_confidence", shape: [boxCount, labels.count]) }
      description.write(1) { $0.writeArray("raw_coordinates", shape: [boxCount, 4]) }
      description.write(1) { $0.writeDouble("iouThreshold", isOptional: false) }
      description.write(1) { $0.writeDouble("confidenceThreshold", isOptional: false) }
      description.write(10) { $0.writeRows("confidence", columns: labels.count) }
      description.write(10) { $0.writeRows("coordinates", columns: 4) }
    }
    model.write(610) { suppression in
      suppression.write(1) { $0.write(1, bool: true) }
      suppression.write(100) { vector in for label in labels { vector.write(1, string: label) } }
      suppression.write(110, double: 0.45)
      suppression.write(111, double: 0.25)
      suppression.write(200, string: "raw_confidence")
      suppression.write(201, string: "raw_coordinates")
      suppression.write(202, string: "iouThreshold")
      suppression.write(203, string: "confidenceThreshold")
      suppression.write(210, string: "confidence")
      suppression.write(211, string: "coordinates")
    }
  }

  private static func writePipelineDescription(_ description: inout ProtobufMessageWriter) {
    description.write(1) { $0.writeColorImage("image", side: inputSide) }
    description.write(1) { $0.writeDouble("iouThreshold", isOptional: true) }
    description.write(1) { $0.writeDouble("confidenceThreshold", isOptional: true) }
    description.write(10) { $0.writeRows("confidence", columns: labels.count) }
    description.write(10) { $0.writeRows("coordinates", columns: 4) }
    description.write(100) { metadata in
      metadata.write(1, string: "Finds red, green and blue squares; built by formula")
      metadata.write(2, string: "1")
      metadata.write(3, string: "Fovea")
      metadata.write(4, string: "Apache-2.0")
      metadata.writePair("classes", labels.joined(separator: ","), field: 100)
    }
  }
}
