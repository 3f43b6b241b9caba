// Fovea - tests: the text form of a program means what its messages mean.
// SPDX-License-Identifier: Apache-2.0
import Foundation
import FoveaModelFormat
import FoveaTestSupport
import Testing

/// Elements of one type in both forms.
struct ElementCase: CustomTestStringConvertible {
  let element: ElementType
  let literals: [String]
  /// Writes the same elements as a TensorValue.
  let fill: @Sendable (inout ProtobufWriter) -> Void

  var testDescription: String { element.rawValue }

  /// Elements that messages have as raw bytes.
  static func raw(_ element: ElementType, _ literals: [String], _ bytes: [UInt8]) -> ElementCase {
    ElementCase(element: element, literals: literals) { $0.message(7) { $0.data(1, bytes) } }
  }

  static let all: [ElementCase] = [
    ElementCase(element: .bool, literals: ["true", "false", "true"]) {
      $0.message(3) { $0.integers(1, [1, 0, 1]) }
    },
    ElementCase(element: .string, literals: [#""a\"b\\c""#, #""""#, #""ü, (\n\x41\102""#]) {
      $0.message(4) { for text in ["a\"b\\c", "", "ü, (\nAB"] { $0.string(1, text) } }
    },
    .raw(
      .float16,
      [
        "0x1p-24", "0x1.ff8p-15", "0x1p-14", "-0x1.5p-17", "0x1.ffcp+15", "inf", "-inf", "nan",
        "-0x0p+0", "1.5", "2",
      ],
      [
        0x01, 0x00, 0xFF, 0x03, 0x00, 0x04, 0xA8, 0x80, 0xFF, 0x7B, 0x00, 0x7C, 0x00, 0xFC,
        0x00, 0x7E, 0x00, 0x80, 0x00, 0x3E, 0x00, 0x40,
      ]),
    ElementCase(
      element: .float32,
      literals: ["0x1.010102p-8", "-0x1p+1", "0x1p-149", "0x1.fffffep+127", "-inf", "nan", "1e-3"]
    ) {
      $0.message(1) {
        $0.floats(
          1,
          [
            0x1.010102p-8, -2, .leastNonzeroMagnitude, .greatestFiniteMagnitude, -.infinity, .nan,
            1e-3,
          ])
      }
    },
    ElementCase(
      element: .float64, literals: ["0x1.921fb54442d18p+1", "-0x1p-1074", "0x0p+0", "0.1"]
    ) {
      $0.message(6) {
        for value in [Double.pi, -Double.leastNonzeroMagnitude, 0, 0.1] { $0.double(1, value) }
      }
    },
    .raw(.bfloat16, ["0x1.8p+0", "-0x1p-133", "inf"], [0xC0, 0x3F, 0x01, 0x80, 0x80, 0x7F]),
    .raw(.float8E4M3FN, ["0x1.cp+8", "0x1p+0", "-0x1p-9", "nan"], [0x7E, 0x38, 0x81, 0x7F]),
    .raw(.float8E5M2, ["0x1.cp+15", "inf", "0x1p-16"], [0x7B, 0x7C, 0x01]),
    .raw(.int4, ["-8", "7", "-1"], [0x78, 0x0F]),
    .raw(.int8, ["-128", "127"], [0x80, 0x7F]),
    .raw(.int16, ["-32768", "258"], [0x00, 0x80, 0x02, 0x01]),
    ElementCase(element: .int32, literals: ["-2147483648", "2147483647", "-1"]) {
      $0.message(2) { $0.integers(1, [-2_147_483_648, 2_147_483_647, -1]) }
    },
    ElementCase(element: .int64, literals: ["-9223372036854775808", "9223372036854775807"]) {
      $0.message(5) { $0.integers(1, [.min, .max]) }
    },
    .raw(.uint1, Array("101100001").map(String.init), [0x0D, 0x01]),
    .raw(.uint2, ["3", "0", "2", "1", "3"], [0x63, 0x03]),
    .raw(.uint3, ["1", "2", "3"], [0xD1, 0x00]),
    .raw(.uint4, ["15", "1"], [0x1F]),
    .raw(.uint6, ["63", "1", "33"], [0x7F, 0x10, 0x02]),
    .raw(.uint8, ["0", "255"], [0x00, 0xFF]),
    .raw(.uint16, ["65535", "1"], [0xFF, 0xFF, 0x01, 0x00]),
    .raw(.uint32, ["4294967295"], [0xFF, 0xFF, 0xFF, 0xFF]),
    .raw(.uint64, ["18446744073709551615"], [UInt8](repeating: 0xFF, count: 8)),
  ]
}

struct ProgramTextTests {
  @Test func everyElementTypeHasACase() {
    #expect(Set(ElementCase.all.map(\.element)) == Set(ElementType.allCases))
  }

  @Test(arguments: ElementCase.all)
  func constantsAreThoseOfMessages(_ example: ElementCase) throws {
    let (element, count) = (example.element, example.literals.count)
    let type = "tensor<\(element.rawValue), [\(count)]>"
    let literal = "[\(example.literals.joined(separator: ", "))]"
    let scalar = "tensor<\(element.rawValue), []>"
    let empty = "tensor<\(element.rawValue), [2, 0]>"
    let text = try TensorProgram.main([
      "\(type) y = const()[name = string(\"y\"), val = \(type)(\(literal))];",
      "\(empty) e = const()[val = \(empty)([[], []])];",
      "\(element.rawValue) s = const()[val = \(element.rawValue)(\(example.literals[0]))];",
      "\(scalar) t = const()[val = \(scalar)(\(example.literals[0]))];",
    ])
    let message = try ProgramMessages.program([
      ProgramMessages.constant(
        "y", element, [count], ProgramMessages.value(element, [count], example.fill)),
      ProgramMessages.constant(
        "e", element, [2, 0], ProgramMessages.value(element, [2, 0]) { _ in }),
    ])
    #expect(text.constant("y") == message.constant("y"))
    #expect(text.constant("e") == message.constant("e"))
    #expect(text.constant("s") == text.constant("t"))
    #expect(text.constant("s")?.shape == [])
  }

  @Test func operationsAreThoseOfMessages() throws {
    let folder = FolderInMemory(CompiledExample.files)
    let path = "@model_path/weights/weight.bin"
    let text = try TensorProgram.main(
      [
        "tensor<fp16, [2]> w = const()[name = string(\"w\"), val = tensor<fp16, [2]>"
          + "(BLOBFILE(path = string(\"\(path)\"), offset = uint64(64)))];",
        "tensor<fp16, [2]> v = const()[val = tensor<fp16, [2]>(BLOBFILE("
          + "offset = tensor<uint64, []>(64), path = tensor<string, []>(\"\(path)\")))];",
        "tensor<fp32, [1, ?]> a, tensor<fp32, [1, 2]> b = split(axis = int32(-1), x = x)"
          + "[name = string(\"op\"), depth = tuple<string, int32>((\"(\", 3)), extra = int32(4)];",
        "tensor<fp32, [?, 2]> c = concat(axis = int32(1), values = (a, b, x));",
        "tensor<fp32, [?, 2]> d = concat(axis = int32(1), values = (c));",
        "string y = classify(classes = list<string, 2>([string(\"cat\"), string(\"d\\\"og\")]),"
          + " probabilities = d);",
      ], inputs: "tensor<fp32, [1, ?]> x", outputs: "y, d", folder: folder)
    typealias Messages = ProgramMessages
    let classes = ProtobufWriter { value in
      value.data(2, Messages.list(.string, count: 2))
      value.message(3) { immediate in
        immediate.message(3) { list in
          for name in ["cat", "d\"og"] { list.data(1, Messages.strings([], [name])) }
        }
      }
    }.bytes
    let float = { (shape: [Int?]) in Messages.type(.float32, shape) }
    let message = try Messages.program(
      [
        Messages.constant("w", .float16, [2], Messages.blob(.float16, [2], path, 64)),
        Messages.constant("v", .float16, [2], Messages.blob(.float16, [2], path, 64)),
        Messages.operation(
          "split", ["axis": [.value(Messages.integers([], [-1]))], "x": [.name("x")]],
          results: [
            Messages.named("a", float([1, nil])), Messages.named("b", float([1, 2])),
          ], attributes: ["extra": Messages.integers([], [4])]),
        Messages.operation(
          "concat",
          [
            "axis": [.value(Messages.integers([], [1]))],
            "values": [.name("a"), .name("b"), .name("x")],
          ], results: [Messages.named("c", float([nil, 2]))]),
        Messages.operation(
          "concat", ["axis": [.value(Messages.integers([], [1]))], "values": [.name("c")]],
          results: [Messages.named("d", float([nil, 2]))]),
        Messages.operation(
          "classify", ["classes": [.value(classes)], "probabilities": [.name("d")]],
          results: [Messages.named("y", Messages.type(.string, []))]),
      ], inputs: [("x", [1, nil])], outputs: ["y", "d"], folder: folder)
    #expect(text.withoutPlaces == message.withoutPlaces)
    #expect(text.constant("w") == text.constant("v"))
  }

  @Test func listsMayStateTheirTypeOnce() throws {
    let program = try TensorProgram.main([
      "string y = classify(a = list<string, 2>([\"cat\", \"dog\"]), "
        + "b = list<int64, ?>([3, int64(-4)]));"
    ])
    let operation = try #require(program.functions["main"]?.operations.first)
    let cats = TensorConstant(element: .string, shape: [2], content: .strings(["cat", "dog"]))
    #expect(operation.arguments["a"] == [.constant(cats)])
    let numbers = StoredBytes([3, 0, 0, 0, 0, 0, 0, 0, 0xFC] + [UInt8](repeating: 0xFF, count: 7))
    let integers = TensorConstant(element: .int64, shape: [2], content: .bytes(numbers))
    #expect(operation.arguments["b"] == [.constant(integers)])
  }

  @Test func typesInsideTypesAreRead() throws {
    let program = try TensorProgram.main(
      ["tensor<fp32, []> y = read_state(input = s);"],
      inputs: "state<tensor<fp16, [2]>> s, dict<string, list<tuple<int32, fp32>, ?>> d")
    let types = try #require(program.functions["main"]).inputs.map(\.type)
    let scalar = { ValueType.tensor(TensorType(element: $0, shape: [])) }
    #expect(
      types == [
        .state(.tensor(TensorType(element: .float16, shape: [2]))),
        .dictionary(
          key: scalar(.string),
          value: .list(.tuple([scalar(.int32), scalar(.float32)]), count: nil)),
      ])
  }

  @Test func theExampleIsRead() throws {
    let text = Array(CompiledExample.text.utf8)
    let program = try TensorProgram(text: text, folder: FolderInMemory(CompiledExample.files))
    let function = try #require(program.functions["main"])
    #expect(function.operationSet == "CoreML8")
    #expect(function.operations.count == 10)
    #expect(function.outputs == ["y", "label"])
    let starts = function.operations.map {
      String(decoding: text[($0.byteOffset ?? 0)...], as: UTF8.self)
    }
    #expect(starts[0].hasPrefix("fp32 half ="))
    #expect(starts[9].hasPrefix("string label ="))
    #expect(program.constant("w")?.content == .bytes(StoredBytes([0x00, 0x3C, 0x00, 0xC0])))
    #expect(program.constant("codes")?.content == .bytes(StoredBytes([0xD1, 0x00])))
  }

  // MARK: Numbers

  @Test func everyHalfIsReadExactlyAndTiesGoToTheEvenOne() throws {
    // The value of a finite half that is not negative.
    func value(_ half: UInt16) -> Double {
      let (exponent, fraction) = (Int(half >> 10), Double(half & 0x3FF))
      return exponent == 0
        ? fraction * 0x1p-24
        : (1024 + fraction) * Double(sign: .plus, exponent: exponent - 25, significand: 1)
    }
    let halves = [UInt16](0..<0x7BFF)
    let exact = halves.map { String(format: "%a", value($0)) }
    let ties = halves.map { String(format: "-%a", (value($0) + value($0 + 1)) / 2) }
    let type = "tensor<fp16, [\(halves.count)]>"
    let program = try TensorProgram.main([
      "\(type) y = const()[val = \(type)([\(exact.joined(separator: ", "))])];",
      "\(type) z = const()[val = \(type)([\(ties.joined(separator: ", "))])];",
    ])
    func bytes(_ halves: [UInt16]) -> TensorConstant.Content {
      .bytes(StoredBytes(halves.flatMap { [UInt8(truncatingIfNeeded: $0), UInt8($0 >> 8)] }))
    }
    #expect(program.constant("y")?.content == bytes(halves))
    #expect(program.constant("z")?.content == bytes(halves.map { 0x8000 | ($0 + ($0 & 1)) }))
  }

  @Test func floatsAreRoundedOnce() throws {
    var random = SplitMix(seed: 7)
    var doubles = (0..<2000).map { _ in
      Double(bitPattern: random.next() % (UInt64(2046) << 52) | random.next() << 63)
    }
    // Most doubles are no floats at all.
    doubles = doubles.map { $0.exponent > 127 || $0.exponent < -160 ? $0.significand : $0 }
      .filter { Float($0).isFinite }
    let literals = doubles.map { String(format: "%a", $0) } + ["0x1.000001000000000000001p+0"]
    let type = "tensor<fp32, [\(literals.count)]>"
    let program = try TensorProgram.main([
      "\(type) y = const()[val = \(type)([\(literals.joined(separator: ", "))])];"
    ])
    let floats = doubles.map { Float($0) } + [1 + .ulpOfOne]
    let expected = floats.flatMap { withUnsafeBytes(of: $0.bitPattern.littleEndian, Array.init) }
    #expect(program.constant("y")?.content == .bytes(StoredBytes(expected)))
  }
}
