// Fovea - tests: examples of TensorFlow Lite files.
// SPDX-License-Identifier: Apache-2.0

/// The numbers of some operations.
public enum TensorFlowLiteKind: Int32 {
  case add = 0
  case averagePool = 1
  case concatenation = 2
  case convolution = 3
  case depthwiseConvolution = 4
  case dequantize = 6
  case fullyConnected = 9
  case maxPool = 17
  case relu = 19
  case reshape = 22
  case resizeBilinear = 23
  case pad = 34
  case transpose = 39
  case stridedSlice = 45
  case padWith = 60
  case slice = 65
  case transposedConvolution = 67
  case resizeNearest = 97
  case `where` = 109
  case quantize = 114
}

/// Small files, each with another part of the format.
public enum TensorFlowLiteExamples {
  /// A convolution of a 3x3 kernel 1...9 with strides of 2.
  public static var convolution: TensorFlowLiteWriter {
    var file = TensorFlowLiteWriter()
    let x = file.input("x", [1, 6, 6, 1])
    let weights = file.constant("w", [1, 3, 3, 1], (1...9).map { Float($0) })
    let bias = file.constant("b", [1], [0.5] as [Float])
    let y = file.tensor("y", [1, 3, 3, 1])
    file.add(
      .convolution, [x, weights, bias], [y],
      [1: .int(2), 2: .int(2), 3: .byte(1)])
    file.outputs = [y]
    return file
  }

  /// Codes in, codes out.
  public static var codes: TensorFlowLiteWriter {
    var file = TensorFlowLiteWriter()
    let x = file.input("x", [1, 4], .uint8, codes: .init(0.5, 128))
    let y = file.tensor("y", [1, 4], .uint8, codes: .init(0.25, 0))
    file.add(.relu, [x], [y])
    file.outputs = [y]
    return file
  }

  /// A convolution, a depthwise one and a dense layer of codes, whose weights have scales by channel.
  public static var integers: TensorFlowLiteWriter {
    var file = TensorFlowLiteWriter()
    let x = file.input("x", [1, 4, 4, 2], .int8, codes: .init(0.5, -3))
    let w = file.constant(
      "w", [2, 1, 1, 2], codes: [10, -20, 30, 40], .init([0.125, 0.25], axis: 0))
    let b = file.constant("b", [2], [16, -8] as [Int32], codes: .init([0.0625, 0.125], axis: 0))
    let h = file.tensor("h", [1, 4, 4, 2], .int8, codes: .init(0.5, -128))
    file.add(
      .convolution, [x, w, b], [h], [1: .int(1), 2: .int(1), 3: .byte(3)])
    let v = file.constant(
      "v", [1, 2, 2, 2], codes: [1, 2, 3, 4, 5, 6, 7, 8], .init([0.5, 0.25], axis: 3))
    let d = file.tensor("d", [1, 2, 2, 2], .int8, codes: .init(2, -100))
    file.add(
      .depthwiseConvolution, [h, v, -1], [d],
      [1: .int(2), 2: .int(2), 3: .int(1)])
    let u = file.constant("u", [3, 8], codes: (0..<24).map { Int8($0 * 5 - 60) }, .init(0.0625))
    let y = file.tensor("y", [1, 3], .int8, codes: .init(4, 1))
    file.add(.fullyConnected, [d, u, -1], [y])
    file.outputs = [y]
    return file
  }

  /// Boxes and scores of three anchors, with suppression.
  public static var detector: TensorFlowLiteWriter {
    var file = TensorFlowLiteWriter()
    let boxes = file.input("boxes", [1, 3, 4])
    let scores = file.input("scores", [1, 3, 3])
    let anchors = file.constant(
      "anchors", [3, 4], [0.5, 0.25, 0.25, 0.5, 0.5, 0.75, 0.5, 0.25, 0.25, 0.5, 1, 1] as [Float])
    let results = [
      file.tensor("TFLite_Detection_PostProcess", []),
      file.tensor("TFLite_Detection_PostProcess:1", []),
      file.tensor("TFLite_Detection_PostProcess:2", []),
      file.tensor("TFLite_Detection_PostProcess:3", []),
    ]
    file.add(
      custom: "TFLite_Detection_PostProcess", [boxes, scores, anchors], results,
      options: FlexMap([
        ("h_scale", 5), ("max_detections", 10), ("nms_iou_threshold", 0.5),
        ("nms_score_threshold", 0.25), ("num_classes", 2), ("w_scale", 5), ("x_scale", 10),
        ("y_scale", 10),
      ]).bytes)
    file.outputs = results
    return file
  }

  /// Images between others: borders, pooling, sizes, slices, a transposed convolution and a sum.
  public static var shapes: TensorFlowLiteWriter {
    var file = TensorFlowLiteWriter()
    let x = file.input("x", [1, 5, 6, 2])
    let border = file.constant("p", [4, 2], [0, 0, 1, 0, 0, 1, 0, 0] as [Int32])
    let padded = file.tensor("padded", [1, 6, 7, 2])
    file.add(.pad, [x, border], [padded])
    let pooled = file.tensor("pooled", [1, 3, 3, 2])
    file.add(
      .averagePool, [padded], [pooled],
      [0: .byte(1), 1: .int(2), 2: .int(2), 3: .int(2), 4: .int(2)])
    let sizes = file.constant("sizes", [2], [6, 6] as [Int32])
    let large = file.tensor("large", [1, 6, 6, 2])
    file.add(
      .resizeBilinear, [pooled, sizes], [large], [3: .byte(1)])
    let wanted = file.constant("wanted", [4], [1, 6, 6, 2] as [Int32])
    let kernel = file.constant("k", [2, 2, 2, 2], (0..<16).map { Float($0) })
    let up = file.tensor("up", [1, 6, 6, 2])
    file.add(
      .transposedConvolution, [wanted, kernel, pooled], [up],
      [1: .int(2), 2: .int(2)])
    let sum = file.tensor("sum", [1, 6, 6, 2])
    file.add(.add, [large, up], [sum], [0: .byte(1)])
    let begins = file.constant("begins", [4], [0, 0, 5, 0] as [Int32])
    let ends = file.constant("ends", [4], [1, 6, 0, 1] as [Int32])
    let steps = file.constant("steps", [4], [1, 2, -2, 1] as [Int32])
    let part = file.tensor("part", [1, 3, 3])
    file.add(
      .stridedSlice, [sum, begins, ends, steps], [part], [4: .int(8)])
    let order = file.constant("order", [3], [0, 2, 1] as [Int32])
    let turned = file.tensor("turned", [1, 3, 3])
    file.add(.transpose, [part, order], [turned])
    let both = file.tensor("both", [1, 3, 6])
    file.add(.concatenation, [part, turned], [both], [0: .int(-1)])
    file.outputs = [both]
    return file
  }

  /// All of them.
  public static var all: [TensorFlowLiteWriter] {
    [convolution, codes, integers, detector, shapes]
  }
}

/// A map of a flexbuffer whose values are floats.
public struct FlexMap {
  /// The bytes.
  public private(set) var bytes: [UInt8] = []

  /// Keys have to be in order.
  public init(_ entries: [(key: String, value: Float)]) {
    var places: [Int] = []
    for entry in entries {
      places.append(bytes.count)
      bytes += Array(entry.key.utf8) + [0]
    }
    while bytes.count % 4 != 0 { bytes.append(0) }
    append(entries.count)
    let keys = bytes.count
    for place in places { append(bytes.count - place) }
    append(bytes.count - keys)
    append(4)
    append(entries.count)
    let map = bytes.count
    for entry in entries { append(Int(entry.value.bitPattern)) }
    bytes += entries.map { _ in 3 << 2 | 2 }
    while bytes.count % 4 != 0 { bytes.append(0) }
    append(bytes.count - map)
    bytes += [9 << 2 | 2, 4]
  }

  private mutating func append(_ number: Int) {
    withUnsafeBytes(of: UInt32(number).littleEndian) { bytes += $0 }
  }
}
