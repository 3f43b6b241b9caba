// Fovea - weights of programs that stay codes, against the same weights as floats.
// SPDX-License-Identifier: Apache-2.0
import FoveaModelFormat
import FoveaRuntime
import FoveaTestSupport
import Testing

/// Weights as codes, and the numbers that they stand for.
struct CodedForm: CustomTestStringConvertible, Sendable {
  let name: String
  /// The shape of the weights.
  var shape = [32, 24, 3, 3]
  var bits = 4
  var isSigned = false
  /// The parts along each axis.
  let counts: [Int]
  /// Tables with entries of so many numbers; `nil`: scales.
  var vector: Int?
  var vectorAxis = 0
  var hasOffsets = false
  /// The operation that has the weights.
  var kind = "conv"

  var testDescription: String { name }

  static let all: [CodedForm] = [
    CodedForm(name: "tables of groups", counts: [4, 1, 1, 1], vector: 1),
    CodedForm(name: "tables of positions", bits: 2, counts: [1, 3, 3, 3], vector: 1),
    CodedForm(name: "tables of 3 bits", bits: 3, counts: [8, 2, 1, 1], vector: 1),
    CodedForm(name: "vectors of outputs", counts: [2, 1, 1, 1], vector: 4),
    CodedForm(name: "vectors of inputs", counts: [1, 1, 1, 1], vector: 2, vectorAxis: 1),
    CodedForm(name: "blocks", isSigned: true, counts: [32, 3, 1, 1]),
    CodedForm(name: "blocks with offsets", counts: [32, 3, 1, 1], hasOffsets: true),
    CodedForm(
      name: "blocks of bytes", bits: 8, isSigned: true, counts: [4, 6, 1, 3], hasOffsets: true),
    CodedForm(name: "scales of inputs", bits: 8, counts: [1, 24, 1, 1]),
    CodedForm(
      name: "blocks of a dense layer", shape: [96, 64], isSigned: true, counts: [96, 2],
      kind: "linear"),
    CodedForm(
      name: "tables of a dense layer", shape: [96, 64], counts: [12, 1], vector: 1, kind: "linear"),
    CodedForm(
      name: "tables of a signal", shape: [48, 32, 4], bits: 6, counts: [2, 1, 2], vector: 1),
    CodedForm(
      name: "vectors of a signal", shape: [48, 32, 4], bits: 2, counts: [1, 1, 1], vector: 2,
      vectorAxis: 2),
    CodedForm(
      name: "tables of a transposed convolution", shape: [24, 32, 2, 4], counts: [1, 8, 1, 1],
      vector: 1, kind: "conv_transpose"),
    CodedForm(
      name: "scales of its inputs", shape: [24, 32, 2, 4], bits: 8, counts: [24, 1, 1, 1],
      kind: "conv_transpose"),
    CodedForm(
      name: "blocks of its outputs", shape: [24, 32, 2, 4], counts: [1, 16, 2, 1],
      kind: "conv_transpose"),
  ]

  // MARK: Numbers

  private var codeShape: [Int] {
    shape.enumerated().map { $0.offset == vectorAxis ? $0.element / (vector ?? 1) : $0.element }
  }
  private var partCount: Int { counts.reduce(1, *) }
  var weightCount: Int { shape.reduce(1, *) }
  var codeCount: Int { codeShape.reduce(1, *) }
  /// The numbers of all tables, or of scales and what is added to them.
  var numberCount: Int { vector.map { partCount * $0 << bits } ?? 2 * partCount }

  private var codes: [Int] {
    var random = SplitMix(seed: 7)
    let least = isSigned ? -(1 << (bits - 1)) : 0
    return (0..<codeCount).map { _ in least + Int.random(in: 0..<1 << bits, using: &random) }
  }
  /// Sixteenths up to 1.
  private var table: [Float] {
    var random = SplitMix(seed: 8)
    return (0..<numberCount).map { _ in Float(Int.random(in: -16...16, using: &random)) / 16 }
  }
  private var scales: [Float] {
    (0..<partCount).map { Float(1 + $0 % 7) / Float(4 << bits) }
  }
  private var offsets: [Int] { (0..<partCount).map { $0 % 5 - (isSigned ? 2 : 0) } }

  /// The weights, one after another.
  var values: [Float] {
    let (codes, table, scales, offsets) = (codes, table, scales, offsets)
    return (0..<weightCount).map { index in
      var place = [Int](repeating: 0, count: shape.count)
      var rest = index
      for axis in shape.indices.reversed() {
        place[axis] = rest % shape[axis]
        rest /= shape[axis]
      }
      let neighbor = place[vectorAxis] % (vector ?? 1)
      place[vectorAxis] /= vector ?? 1
      var (code, part) = (0, 0)
      for axis in shape.indices {
        code = code * codeShape[axis] + place[axis]
        part = part * counts[axis] + place[axis] * counts[axis] / codeShape[axis]
      }
      if let vector { return table[(part << bits + codes[code]) * vector + neighbor] }
      return scales[part] * Float(codes[code] - (hasOffsets ? offsets[part] : 0))
    }
  }

  // MARK: Texts

  /// A constant of a program's text.
  static func constant<Number: CustomStringConvertible>(
    _ type: String, _ shape: [Int], _ values: [Number]
  ) -> String {
    var parts = values.map(\.description)
    for size in shape.reversed() {
      parts = stride(from: 0, to: parts.count, by: size).map {
        "[" + parts[$0..<$0 + size].joined(separator: ", ") + "]"
      }
    }
    let type = "tensor<\(type), \(shape)>"
    return "\(type)(\(parts[0]))"
  }

  private func constant<Number: CustomStringConvertible>(
    _ type: String, _ shape: [Int], _ values: [Number]
  ) -> String { Self.constant(type, shape, values) }

  private var codeType: String { (isSigned ? "int" : "uint") + "\(bits)" }

  /// The statement that makes the weights.
  var coded: String {
    let codes = constant(codeType, codeShape, codes)
    let operation: String
    if let vector {
      let axis = vector > 1 ? ", vector_axis = int32(\(vectorAxis))" : ""
      let lut = constant("fp32", counts + [1 << bits, vector], table)
      operation = "constexpr_lut_to_dense(indices = \(codes), lut = \(lut)\(axis))"
    } else {
      let offset = hasOffsets ? ", offset = " + constant(codeType, counts, offsets) : ""
      let scale = constant("fp32", counts, scales)
      operation = "constexpr_blockwise_shift_scale(data = \(codes), scale = \(scale)\(offset))"
    }
    return "tensor<fp32, \(shape)> w = \(operation)[name = string(\"w\")];"
  }

  /// The same as floats.
  var plain: String {
    "tensor<fp32, \(shape)> w = const()[name = string(\"w\"), val = "
      + constant("fp32", shape, values) + "];"
  }

  var inputShape: [Int] {
    switch shape.count {
    case 2: [5, shape[1]]
    case 3: [1, shape[1], 9]
    default: [1, kind == "conv" ? shape[1] : shape[0], 7, 6]
    }
  }

  var outputShape: [Int] {
    switch shape.count {
    case 2: [5, shape[0]]
    case 3: [1, shape[0], 10 - shape[2]]
    default:
      kind == "conv"
        ? [1, shape[0], 8 - shape[2], 7 - shape[3]] : [1, shape[1], 6 + shape[2], 5 + shape[3]]
    }
  }
}

@Suite struct CodedProgramTests {
  private func model(
    _ form: CodedForm, _ weight: String, _ backend: BackendOptions
  ) throws -> Model {
    let input = form.inputShape
    let text = """
      program(1.3)
      {
          func main<ios18>(tensor<fp32, \(input)> x) {
              \(weight)
              tensor<fp32, \(form.outputShape)> y = \(form.kind)(weight = w, x = x)[name = string("y")];
          } -> (y);
      }
      """
    let program = try TensorProgram(text: Array(text.utf8), folder: EmptyFolder())
    let file = ModelDescription(
      specificationVersion: 9, inputs: [LayerRunner.array("x", input)],
      outputs: [LayerRunner.array("y", [])], body: .program(program))
    return try Model(file: file, name: "test", options: Model.Options(backend: backend))
  }

  private func run(_ model: Model, _ input: Tensor) throws -> [Float] {
    let session = try Session(model: model)
    try session.setInput("x", to: input)
    session.run()
    return try session.output("y").floats()
  }

  @Test(arguments: CodedForm.all) func codesStayCodes(_ form: CodedForm) throws {
    let input = try tensor(form.inputShape)
    let expected = try run(model(form, form.plain, .reference), input)
    for backend: BackendOptions in [.reference, .blas, .float, .float(weights: .coded)] {
      let model = try model(form, form.coded, backend)
      expectClose(try run(model, input), expected)
      // Biases, factors, and where tables and scales begin: 4 bytes each.
      let places = form.weightCount / form.shape[0] + 3 * 112
      let numbers = 4 * (form.numberCount + places)
      switch backend {
      case .blas:
        #expect(model.memory.weightBytes <= (form.codeCount * form.bits + 7) / 8 + numbers)
      case .float(weights: .coded) where form.kind != "conv_transpose":
        #expect(model.memory.weightBytes <= form.weightCount + numbers + 4 * 256)
      default: break
      }
    }
  }

  /// Where tables take more memory than floats, floats are kept.
  @Test func largeTablesAreLookedUp() throws {
    let form = CodedForm(
      name: "", shape: [4, 24, 3, 3], counts: [1, 24, 3, 3], vector: 1)
    let input = try tensor(form.inputShape)
    let expected = try run(model(form, form.plain, .blas), input)
    let coded = try model(form, form.coded, .blas)
    #expect(try run(coded, input) == expected)
    #expect(try coded.memory.weightBytes == model(form, form.plain, .blas).memory.weightBytes)
  }
}
