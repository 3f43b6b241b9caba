// Fovea - graphs that decode detector heads layer by layer, right or with one defect.
// SPDX-License-Identifier: Apache-2.0
import CFovea
import FoveaTestSupport
import Testing

/// A graph whose inputs are heads and whose outputs are `confidence` and `coordinates`.
struct DetectionGraph: Sendable, CustomTestStringConvertible {
  struct Head: Sendable {
    var anchors: Int
    var rows: Int
    var columns: Int
    var pixels: Int { rows * columns }
    var count: Int { anchors * pixels }
  }

  /// What keeps the layers from being a decoding, though they look like one.
  enum Defect: CaseIterable {
    case classesOffByOne, centersSwapped, sizesMissing
    case rawClasses, rawObjectness, otherActivation, sigmoidTwice
    case objectnessOfAnotherAnchor, objectnessOfAnotherPixel
    case boxesInAnotherOrder, headsInAnotherOrder, headTwice
    case scalesDiffer, sizesShifted, scoresScaled, sum
    case intermediateOutput, boxOutput
  }

  var heads: [Head]
  var classes: Int
  /// The objectness is repeated by a concatenation of copies, not by broadcasting.
  var copies = false
  var scaled = true
  /// (2 sigmoid)^2 instead of exp, as a power or as a product with itself.
  var squares: Squares?
  var pixelsOutermost = false
  var coordinatesFirst = false
  /// All of a head goes through the sigmoid before it is sliced.
  var sigmoidFirst = false
  var defect: Defect?

  enum Squares { case power, product }

  var testDescription: String {
    "\(heads.map { "\($0.anchors)x\($0.rows)x\($0.columns)" }) \(classes)"
      + (copies ? " copies" : "") + (scaled ? "" : " unscaled")
      + (squares.map { " \($0)" } ?? "") + (pixelsOutermost ? " pixels outermost" : "")
      + (coordinatesFirst ? " coordinates first" : "") + (sigmoidFirst ? " sigmoid first" : "")
      + (defect.map { " \($0)" } ?? "")
  }

  var count: Int { heads.reduce(0) { $0 + $1.count } }

  // MARK: Running

  struct Outputs: Equatable {
    var nodes: Int
    var confidence: [Float]
    var coordinates: [Float]
  }

  /// Runs the graph on random logits.
  func run(folds: Bool, backend: fov_backend = .blas, floor: Float = 0) throws -> Outputs {
    var options = fov_model_options_default()
    options.backend = backend
    options.thread_count = 1
    options.keep_all_nodes = !folds
    var model: OpaquePointer?
    try check { fov_model_create(try build(), &options, &model, $0) }
    defer { fov_model_destroy(model) }
    var session: OpaquePointer?
    try check { _ in fov_session_create(model!, nil, &session) }
    defer { fov_session_destroy(session) }
    fov_session_set_confidence_floor(session!, floor)
    var random = SplitMix(seed: 3)
    for index in heads.indices {
      var data: UnsafeMutableRawPointer?
      var bytes = 0
      try check { _ in fov_session_input(session!, index, &data, &bytes) }
      let floats = UnsafeMutableRawBufferPointer(start: data, count: bytes)
        .bindMemory(to: Float.self)
      for i in floats.indices { floats[i] = Float.random(in: -4...4, using: &random) }
    }
    fov_session_run(session!)
    let first = defect == .intermediateOutput || defect == .boxOutput ? 1 : 0
    func output(_ index: Int) throws -> [Float] {
      var data: UnsafeRawPointer?
      var bytes = 0
      try check { _ in fov_session_output(session!, first + index, &data, &bytes) }
      return [Float](UnsafeRawBufferPointer(start: data, count: bytes).bindMemory(to: Float.self))
    }
    return Outputs(
      nodes: fov_model_node_count(model!),
      confidence: try output(coordinatesFirst ? 1 : 0),
      coordinates: try output(coordinatesFirst ? 0 : 1))
  }

  // MARK: Layers

  private func build() throws -> OpaquePointer {
    var graph: OpaquePointer?
    try check { _ in fov_graph_create(&graph) }
    let layers = Layers(graph: graph!)
    do {
      var scores: [fov_value] = []
      var boxes: [fov_value] = []
      for (index, head) in heads.enumerated() {
        var shape = fov_shape(sizes: [1, head.anchors * (5 + classes), head.rows, head.columns])
        let input = try addedValue {
          fov_graph_add_input(graph!, "head \(index)", .float32, &shape, $0, $1)
        }
        let parts = try split(input, head, layers)
        scores.append(try self.scores(parts, head, layers, isFirst: index == 0))
        boxes.append(try self.boxes(parts, head, layers, isFirst: index == 0))
      }
      if defect == .headsInAnotherOrder { boxes.reverse() }
      if defect == .headTwice { (scores[1], boxes[1]) = (scores[0], boxes[0]) }
      let outputs = [
        ("confidence", try layers.concat(scores, axis: 0)),
        ("coordinates", try layers.concat(boxes, axis: 0)),
      ]
      for (name, value) in coordinatesFirst ? outputs.reversed() : outputs {
        try check { fov_graph_mark_output(graph!, value, name, $0) }
      }
    } catch {
      fov_graph_destroy(graph)
      throw error
    }
    return graph!
  }

  /// [5 + classes, anchors, pixels]
  private func split(_ input: fov_value, _ head: Head, _ layers: Layers) throws -> fov_value {
    let parts = try layers.reshape(input, [head.anchors, 5 + classes, head.pixels])
    let channels = try layers.transpose(parts, [1, 0, 2])
    return sigmoidFirst ? try layers.unary(.sigmoid, channels) : channels
  }

  private func slice(
    _ parts: fov_value, _ begin: Int, _ count: Int, _ head: Head, _ layers: Layers,
    step: Int64 = 1
  ) throws -> fov_value {
    try layers.slice(
      parts, begin: [begin, 0, 0], count: [count, head.anchors, head.pixels], stride: [step, 1, 1])
  }

  private func sigmoid(_ value: fov_value, _ layers: Layers) throws -> fov_value {
    sigmoidFirst ? value : try layers.unary(.sigmoid, value)
  }

  private func scores(
    _ parts: fov_value, _ head: Head, _ layers: Layers, isFirst: Bool
  ) throws -> fov_value {
    var object = try slice(parts, 4, 1, head, layers)
    if defect == .objectnessOfAnotherAnchor || defect == .objectnessOfAnotherPixel {
      let axis = defect == .objectnessOfAnotherAnchor ? 1 : 2
      var begin = [0, 0, 0], stride: [Int64] = [1, 1, 1]
      begin[axis] = [1, head.anchors, head.pixels][axis] - 1
      stride[axis] = -1
      object = try layers.slice(
        object, begin: begin, count: [1, head.anchors, head.pixels], stride: stride)
    }
    var classScores = try slice(parts, defect == .classesOffByOne ? 4 : 5, classes, head, layers)
    switch defect {
    case .rawObjectness: break
    case .otherActivation: object = try layers.unary(.relu, object)
    default: object = try sigmoid(object, layers)
    }
    if defect != .rawClasses { classScores = try sigmoid(classScores, layers) }
    if defect == .sigmoidTwice { classScores = try sigmoid(classScores, layers) }
    if defect == .scoresScaled { classScores = try layers.linear(classScores, 0.5, 0) }
    if defect == .intermediateOutput, isFirst {
      try check { fov_graph_mark_output(layers.graph, object, "objectness", $0) }
    }
    if copies {
      object = try layers.concat(Array(repeating: object, count: classes), axis: 0)
    }
    let product = try layers.binary(defect == .sum ? .add : .multiply, object, classScores)
    return try rows(product, classes, head, pixelsOutermost, layers)
  }

  private func boxes(
    _ parts: fov_value, _ head: Head, _ layers: Layers, isFirst: Bool
  ) throws -> fov_value {
    let swapped = defect == .centersSwapped
    var centers = try slice(parts, swapped ? 1 : 0, 2, head, layers, step: swapped ? -1 : 1)
    centers = try sigmoid(centers, layers)
    let grid = (0..<2 * head.pixels).map { place -> Float in
      let pixel = place % head.pixels
      return Float(place < head.pixels ? pixel % head.columns : pixel / head.columns)
    }
    centers = try layers.binary(
      .add, centers, layers.constant([2, 1, head.pixels], grid))
    if defect == .scalesDiffer {
      let scales = (0..<2 * head.pixels).map { $0 == 1 ? 0.5 : 1 / Float(head.columns) }
      centers = try layers.binary(
        .multiply, centers, layers.constant([2, 1, head.pixels], scales))
    } else if scaled {
      centers = try layers.linear(centers, 1 / Float(head.columns), 0)
    }
    var box = try layers.concat([centers, sizes(parts, head, layers)], axis: 0)
    if defect == .boxOutput, isFirst {
      try check { fov_graph_mark_output(layers.graph, box, "box", $0) }
    }
    if head.count == 1, defect == .boxesInAnotherOrder {
      box = try layers.slice(box, begin: [3, 0, 0], count: [4, 1, 1], stride: [-1, 1, 1])
    }
    return try rows(box, 4, head, pixelsOutermost != (defect == .boxesInAnotherOrder), layers)
  }

  private func sizes(_ parts: fov_value, _ head: Head, _ layers: Layers) throws -> fov_value {
    var sizes = try slice(parts, 2, 2, head, layers)
    switch squares {
    case nil where defect == .sizesMissing: break
    case nil: sizes = try layers.unary(.exp, sizes)
    case .power:
      sizes = try layers.linear(sigmoid(sizes, layers), 2, 0)
      sizes = try layers.unary(.power, alpha: 2, sizes)
    case .product:
      sizes = try layers.linear(sigmoid(sizes, layers), 2, 0)
      sizes = try layers.binary(.multiply, sizes, sizes)
    }
    if defect == .sizesShifted { sizes = try layers.linear(sizes, 1, 0.25) }
    let anchors = (0..<2 * head.anchors).map { 0.125 + 0.25 * Float($0) }
    return try layers.binary(.multiply, sizes, layers.constant([2, head.anchors, 1], anchors))
  }

  /// [columns, anchors, pixels] as rows of `columns` numbers.
  private func rows(
    _ value: fov_value, _ columns: Int, _ head: Head, _ pixelsOutermost: Bool, _ layers: Layers
  ) throws -> fov_value {
    let moved = try layers.transpose(value, pixelsOutermost ? [2, 1, 0] : [1, 2, 0])
    return try layers.reshape(moved, [head.count, columns])
  }
}

/// Calls of the C interface that throw.
private struct Layers {
  let graph: OpaquePointer

  func reshape(_ input: fov_value, _ shape: [Int]) throws -> fov_value {
    var sizes = fov_shape(sizes: shape)
    return try addedValue { fov_graph_add_reshape(graph, &sizes, input, $0, $1) }
  }

  func transpose(_ input: fov_value, _ axes: [Int]) throws -> fov_value {
    try addedValue { fov_graph_add_transpose(graph, axes, input, $0, $1) }
  }

  func slice(
    _ input: fov_value, begin: [Int], count: [Int], stride: [Int64]
  ) throws -> fov_value {
    var slice = fov_slice(begin: begin, count: count, stride: stride)
    return try addedValue { fov_graph_add_slice(graph, &slice, input, $0, $1) }
  }

  func concat(_ inputs: [fov_value], axis: Int) throws -> fov_value {
    inputs.count == 1
      ? inputs[0]
      : try addedValue { fov_graph_add_concat(graph, axis, inputs, inputs.count, $0, $1) }
  }

  func unary(
    _ function: fov_unary_function, alpha: Float = 0, beta: Float = 0, _ input: fov_value
  ) throws -> fov_value {
    var unary = fov_unary(function: function, alpha: alpha, beta: beta)
    return try addedValue { fov_graph_add_unary(graph, &unary, input, $0, $1) }
  }

  func linear(_ input: fov_value, _ alpha: Float, _ beta: Float) throws -> fov_value {
    try unary(.linear, alpha: alpha, beta: beta, input)
  }

  func binary(
    _ function: fov_binary_function, _ left: fov_value, _ right: fov_value
  ) throws -> fov_value {
    try addedValue { fov_graph_add_binary(graph, function, left, right, $0, $1) }
  }

  func constant(_ shape: [Int], _ values: [Float]) throws -> fov_value {
    var sizes = fov_shape(sizes: shape)
    return try StoredWeights.float32(values).withDescription { weights in
      Result { try addedValue { fov_graph_add_constant(graph, &sizes, weights, $0, $1) } }
    }.get()
  }
}
