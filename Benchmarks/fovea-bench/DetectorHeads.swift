// Fovea - the last layers of a detector, on random logits.
// SPDX-License-Identifier: Apache-2.0
package import FoveaModelFormat
package import FoveaRuntime

/// The heads of a detector of the YOLO family and their decoding, as a network of its own.
///
/// Each head is a 1 x 1 convolution that hands its input through, as the last layer of a detector
/// is one: so the logits lie in the backend's own layout when the decoding reads them.
package struct DetectorHeads {
  /// Rows and columns of the image that the detector would see.
  package var side: Int
  /// Pixels between neighboring cells, head by head; all divide `side`.
  package var strides: [Int]
  package var classes: Int

  package init(side: Int, strides: [Int], classes: Int) {
    (self.side, self.strides, self.classes) = (side, strides, classes)
  }

  private static let anchors = 3

  /// The rows of both outputs.
  package var boxCount: Int {
    strides.reduce(0) { $0 + Self.anchors * (side / $1) * (side / $1) }
  }

  private var channels: Int { Self.anchors * (5 + classes) }

  // MARK: Logits

  /// The logits of every head, by the name of its input. The same every time.
  ///
  /// Objectness has mean -4.5, classes -7.5, both deviation 2.5. At 2535 x 80 that gives 16 scores
  /// of at least 0.25, and 12358 in 1492 rows of at least 0.001: ten times and more what a trained
  /// detector finds in a photograph, and nearly nothing overlaps.
  package func logits() throws(FoveaError) -> [(name: String, values: Tensor)] {
    var noise = NoiseGenerator()
    var result: [(name: String, values: Tensor)] = []
    for (head, stride) in strides.enumerated() {
      let cells = side / stride
      var values: [Float] = []
      values.reserveCapacity(channels * cells * cells)
      for channel in 0..<channels {
        let (mean, deviation) = Self.distribution(channel % (5 + classes))
        for _ in 0..<cells * cells { values.append(mean + deviation * noise.normal()) }
      }
      result.append(
        (input(head), try Tensor(shape: [1, channels, cells, cells], floats: values)))
    }
    return result
  }

  private static func distribution(_ channel: Int) -> (mean: Float, deviation: Float) {
    switch channel {
    case 0, 1: (0, 1)
    case 2, 3: (0, 0.5)
    case 4: (-4.5, 2.5)
    default: (-7.5, 2.5)
    }
  }

  // MARK: The network

  private func input(_ head: Int) -> String { "logits_\(head)" }

  /// The network, whose outputs are `confidence` and `coordinates`.
  package func network() -> CoreMLModel {
    var layers: [NeuralNetworkLayer] = []
    for (head, stride) in strides.enumerated() {
      addHead(head, cells: side / stride, to: &layers)
      addScores(head, cells: side / stride, to: &layers)
      addBoxes(head, stride: stride, to: &layers)
    }
    for output in ["confidence", "coordinates"] {
      let parts = strides.indices.map { "\(output)_\($0)" }
      add(.concatND(ConcatNDLayer(axis: 0)), output, from: parts, to: &layers)
    }
    let inputs = strides.enumerated().map { head, stride in
      FeatureDescription(
        name: input(head),
        type: .multiArray(
          MultiArrayFeature(
            shape: [1, channels, side / stride, side / stride], dataType: .float32)))
    }
    let outputs = ["confidence", "coordinates"].map {
      FeatureDescription(
        name: $0, type: .multiArray(MultiArrayFeature(shape: [], dataType: .float32)))
    }
    return CoreMLModel(
      specificationVersion: 4, inputs: inputs, outputs: outputs,
      body: .neuralNetwork(NeuralNetwork(layers: layers, arrayInputShapeMapping: .exact)))
  }

  /// "parts": [anchors, 5 + classes, cells].
  private func addHead(_ head: Int, cells: Int, to layers: inout [NeuralNetworkLayer]) {
    let one = SpatialSize(height: 1, width: 1)
    var identity = [Float](repeating: 0, count: channels * channels)
    for channel in 0..<channels { identity[channel * (channels + 1)] = 1 }
    let convolution = ConvolutionLayer(
      outputChannels: channels, kernelChannels: channels, groups: 1, kernelSize: one, stride: one,
      dilation: one, padding: .valid(BorderAmounts()), weights: Self.weights(identity))
    add(.convolution(convolution), "head_\(head)", from: [input(head)], to: &layers)
    add(
      .reshapeStatic(shape: [Self.anchors, 5 + classes, cells * cells]), "parts_\(head)",
      from: ["head_\(head)"], to: &layers)
  }

  /// sigmoid(class) * sigmoid(objectness).
  private func addScores(_ head: Int, cells: Int, to layers: inout [NeuralNetworkLayer]) {
    for (name, range) in [("object", 4..<5), ("classes", 5..<5 + classes)] {
      addSlice(range, of: head, "\(name)_logits_\(head)", to: &layers)
      add(
        .activation(.sigmoid), "\(name)_\(head)", from: ["\(name)_logits_\(head)"], to: &layers)
    }
    add(
      .broadcastable(.multiply), "scores_\(head)", from: ["classes_\(head)", "object_\(head)"],
      to: &layers)
    addRows(of: "scores", "confidence", head, columns: classes, to: &layers)
  }

  /// (sigmoid(x) + cell) / cells, exp(w) * anchor.
  private func addBoxes(_ head: Int, stride: Int, to layers: inout [NeuralNetworkLayer]) {
    let cells = side / stride
    let grid = (0..<2 * cells * cells).map { place -> Float in
      let cell = place % (cells * cells)
      return Float(place < cells * cells ? cell % cells : cell / cells)
    }
    addConstant("grid_\(head)", [1, 2, cells * cells], grid, to: &layers)
    addConstant("scale_\(head)", [1, 1, 1], [1 / Float(cells)], to: &layers)
    addConstant("anchors_\(head)", [Self.anchors, 2, 1], anchors(stride: stride), to: &layers)
    addSlice(0..<2, of: head, "center_logits_\(head)", to: &layers)
    addSlice(2..<4, of: head, "size_logits_\(head)", to: &layers)
    add(.activation(.sigmoid), "places_\(head)", from: ["center_logits_\(head)"], to: &layers)
    add(
      .broadcastable(.add), "cells_\(head)", from: ["places_\(head)", "grid_\(head)"],
      to: &layers)
    add(
      .broadcastable(.multiply), "centers_\(head)", from: ["cells_\(head)", "scale_\(head)"],
      to: &layers)
    add(
      .unary(UnaryFunctionLayer(operation: .exponential)), "factors_\(head)",
      from: ["size_logits_\(head)"], to: &layers)
    add(
      .broadcastable(.multiply), "sizes_\(head)", from: ["factors_\(head)", "anchors_\(head)"],
      to: &layers)
    add(
      .concatND(ConcatNDLayer(axis: 1)), "boxes_\(head)",
      from: ["centers_\(head)", "sizes_\(head)"], to: &layers)
    addRows(of: "boxes", "coordinates", head, columns: 4, to: &layers)
  }

  /// Widths and heights in fractions of the image: a square, a wide and a tall box.
  private func anchors(stride: Int) -> [Float] {
    let inCells: [Float] = [1.5, 1.5, 4, 2.5, 4, 7]
    return inCells.map { $0 * Float(stride) / Float(side) }
  }

  // MARK: Layers

  private func add(
    _ kind: LayerKind, _ name: String, from inputs: [String],
    to layers: inout [NeuralNetworkLayer]
  ) {
    layers.append(
      NeuralNetworkLayer(name: name, inputs: inputs, outputs: [name], kind: kind, typeName: name))
  }

  private func addConstant(
    _ name: String, _ shape: [Int], _ values: [Float], to layers: inout [NeuralNetworkLayer]
  ) {
    add(
      .loadConstantND(ConstantLayer(shape: shape, data: Self.weights(values))), name, from: [],
      to: &layers)
  }

  private func addSlice(
    _ range: Range<Int>, of head: Int, _ name: String, to layers: inout [NeuralNetworkLayer]
  ) {
    let slice = SliceStaticLayer(
      begins: [0, range.lowerBound, 0], beginMasks: [true, false, true],
      ends: [0, range.upperBound, 0], endMasks: [true, false, true], strides: [1, 1, 1])
    add(.sliceStatic(slice), name, from: ["parts_\(head)"], to: &layers)
  }

  /// From [anchors, columns, cells] to [anchors * cells, columns].
  private func addRows(
    of values: String, _ name: String, _ head: Int, columns: Int,
    to layers: inout [NeuralNetworkLayer]
  ) {
    add(
      .transpose(axes: [0, 2, 1]), "\(values)_by_cell_\(head)", from: ["\(values)_\(head)"],
      to: &layers)
    let cells = side / strides[head]
    add(
      .reshapeStatic(shape: [Self.anchors * cells * cells, columns]), "\(name)_\(head)",
      from: ["\(values)_by_cell_\(head)"], to: &layers)
  }

  private static func weights(_ floats: [Float]) -> WeightData {
    let bytes = floats.withUnsafeBytes { Array($0) }
    return WeightData(bytes: bytes, segments: [0..<bytes.count], encoding: .float32)
  }
}
