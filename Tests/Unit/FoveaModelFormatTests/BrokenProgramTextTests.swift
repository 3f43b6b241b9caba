// Fovea - tests: texts of programs that are refused, and where.
// SPDX-License-Identifier: Apache-2.0
import FoveaModelFormat
import FoveaTestSupport
import Testing

struct BrokenProgramTextTests {
  /// An operation that breaks a rule.
  struct Broken: CustomTestStringConvertible {
    let operation: String
    let code: ModelFormatError.Code
    let found: String
    /// The first result, where it has been read.
    let layer: String

    init(
      _ operation: String, _ code: ModelFormatError.Code, _ found: String, layer: String = "y"
    ) {
      (self.operation, self.code, self.found, self.layer) = (operation, code, found, layer)
    }

    var testDescription: String { operation }
  }

  static let broken: [Broken] = [
    Broken("int32 y = const()[val = int32(2147483648)];", .invalidWeights, "2147483648"),
    Broken("int4 y = const()[val = int4(8)];", .invalidWeights, "number 8"),
    Broken("uint8 y = const()[val = uint8(-1)];", .invalidWeights, "number -1"),
    Broken(
      "uint64 y = const()[val = uint64(18446744073709551616)];", .invalidWeights, "number 184"),
    Broken("fp16 y = const()[val = fp16(0x1.ffep+15)];", .invalidWeights, "0x1.ffep+15"),
    Broken("fp8e4m3fn y = const()[val = fp8e4m3fn(inf)];", .invalidWeights, "inf"),
    Broken("fp32 y = const()[val = fp32(0x)];", .invalidWeights, "0x"),
    Broken("fp32 y = const()[val = fp32(1.2.3)];", .invalidWeights, "1.2.3"),
    Broken("fp32 y = const()[val = fp32(zero)];", .invalidWeights, "zero"),
    Broken("bool y = const()[val = bool(1)];", .malformedEncoding, "'1'"),
    Broken("string y = const()[val = string(\"\\q\")];", .malformedEncoding, "escape"),
    Broken("string y = const()[val = string(\"\\xFF\")];", .malformedEncoding, "UTF-8"),
    Broken("string y = const()[val = string(\"\\777\")];", .malformedEncoding, "escape"),
    Broken("string y = const()[val = string(\"a)];", .truncated, "without an end"),
    Broken(
      "tensor<int32, [2]> y = const()[val = tensor<int32, [2]>([1])];", .invalidWeights, "1 el"),
    Broken(
      "tensor<int32, [1]> y = const()[val = tensor<int32, [1]>([1, 2])];", .invalidWeights, "2"),
    Broken(
      "tensor<int32, [1]> y = const()[val = tensor<int32, [1]>([1, ])];", .malformedEncoding, "]"),
    Broken(
      "tensor<int32, [1]> y = const()[val = tensor<int32, [1]>([[1]])];", .malformedEncoding, "["),
    Broken(
      "tensor<int32, [?]> y = const()[val = tensor<int32, [?]>([1])];", .invalidValue, "unknown"),
    Broken("tensor<fp9, []> y = const()[];", .invalidValue, "fp9", layer: ""),
    Broken("tensor<fp32, [-1]> y = relu();", .malformedEncoding, "-1", layer: ""),
    Broken("tensor<fp32, [9999999999]> y = relu();", .limitExceeded, "9999999999", layer: ""),
    Broken(
      "tensor<fp32, [66666666666666666666666666]> y = relu();", .limitExceeded, "6666", layer: ""),
    Broken("int32 y = f(a = list<int32, 3>([1, 2]));", .invalidValue, "list of 2"),
    Broken("int32 y = f(a = dict<int32, int32>({{1, 2}}));", .missingField, "without a tensor"),
    // Elements of a list have bytes of their own, which those of a tensor would share.
    Broken("int32 y = f(a = list<int4, 2>([1, 2]));", .missingField, "without a tensor"),
    Broken("int32 y = f(a = z, a = z);", .invalidValue, "second argument"),
    Broken("int32 y = cond(a = z) { int32 q = f(); };", .unsupportedLayer, "blocks"),
    Broken("int32 y = f(x = z);", .unknownBlob, "'z'"),
    Broken("int32 y = f(x = 3);", .malformedEncoding, "'3'"),
    Broken("int32 y = f(x = z;", .malformedEncoding, "';'"),
    Broken("int32 y, int32 y = f();", .duplicateBlob, "'y'"),
    Broken("int32 9y = f();", .malformedEncoding, "'9y'", layer: ""),
    Broken(
      "fp32 y = const()[val = fp32(BLOBFILE(path = string(\"@model_path/w\")))];", .missingField,
      "no offset"),
    Broken(
      "fp32 y = const()[val = fp32(BLOBFILE(path = string(\"@model_path/w\"), "
        + "offset = uint64(64)))];", .missingField, "no such file"),
    Broken(
      "fp32 y = const()[val = fp32(BLOBFILE(path = string(BLOBFILE(path = string(\"\"))), "
        + "offset = uint64(64)))];", .malformedEncoding, "BLOBFILE"),
    Broken(
      "fp32 y = const()[val = fp32(BLOBFILE(path = string(\"@model_path/../w\"), "
        + "offset = uint64(64)))];", .invalidValue, "../w"),
  ]

  @Test(arguments: broken) func brokenOperationsAreRefused(_ broken: Broken) throws {
    let error = try formatError { _ = try TensorProgram.main([broken.operation]) }
    #expect(error.code == broken.code, "\(error)")
    #expect(error.found.contains(broken.found), "\(error)")
    #expect(error.fieldPath.hasPrefix("model.mil line 4, column "), "\(error)")
    #expect(error.layerName == broken.layer, "\(error)")
  }

  @Test func placesAreLinesAndColumns() throws {
    let error = try formatError {
      _ = try TensorProgram.main(["fp32 a = const()[val = fp32(0x1p+0)];", "fp32 y = add(x = ?);"])
    }
    #expect(error.fieldPath == "model.mil line 5, column 26.functions[main].add.x")
    #expect(error.layerName == "y")
    #expect(error.byteOffset != nil)
  }

  @Test(arguments: [
    ("program(7.0) {}", ModelFormatError.Code.unsupportedVersion),
    ("program(\"1.3\") {}", .unsupportedVersion), ("program(1.3) {}", .missingField),
    ("program(1.3) {} more", .malformedEncoding), ("program(1.3) {", .truncated),
    ("program(1.3) [x = (] {}", .truncated), ("program(1.3", .truncated),
    ("{\"json\": 1}", .notAModel), ("", .emptyFile), ("\0\0\0\0", .notAModel),
    ("version https://git-lfs.github.com/spec/v1", .gitLargeFilePointer),
    ("program(1.0) { func main<ios14>() { } -> (); }", .unsupportedVersion),
    ("program(1.0) { func main<ios17>() { } -> (); }", .missingField),
    ("program(1.0) { func main<ios17>() { } -> (y); }", .unknownBlob),
    (
      "program(1.0) { func main<ios17>(int32 y) { } -> (y); func main<ios17>() { } -> (y); }",
      .invalidValue
    ),
  ])
  func brokenTextsAreRefused(_ text: String, _ code: ModelFormatError.Code) throws {
    let error = try formatError {
      _ = try TensorProgram(text: Array(text.utf8), folder: EmptyFolder())
    }
    #expect(error.code == code, "\(error)")
    #expect(error.fieldPath.hasPrefix("model.mil"), "\(error)")
  }

  @Test func deepTypesAreRefused() throws {
    let deep = String(repeating: "state<", count: 100_000)
    let error = try formatError { _ = try TensorProgram.main(["\(deep)int32 y = f();"]) }
    #expect(error.code == .limitExceeded)
  }

  // MARK: Damage

  /// Reads a text; returns whether it was accepted.
  @discardableResult
  private func exercise(_ text: [UInt8]) -> Bool {
    do throws(ModelFormatError) {
      _ = try TensorProgram(text: text, folder: FolderInMemory(CompiledExample.files))
      return true
    } catch {
      #expect(!error.description.isEmpty)
      return false
    }
  }

  @Test func damagedTextsEnd() throws {
    let whole = Array(CompiledExample.text.utf8)
    #expect(exercise(whole))
    var random = SplitMix(seed: 11)
    var accepted = 0
    for _ in 0..<5000 {
      var text = whole
      for _ in 0...random.below(3) {
        let place = random.below(text.count)
        let length = random.below(min(40, text.count - place))
        switch random.below(5) {
        case 0: text[place] ^= 1 << UInt8(random.below(8))
        case 1: text.removeSubrange(place..<place + length)
        case 2: text.insert(contentsOf: text[place..<place + length], at: random.below(text.count))
        case 3: text[place] = Array("()[]{}<>,;=\"\\-?09x".utf8)[random.below(18)]
        default: text.removeSubrange(max(place, 1)...)
        }
      }
      if exercise(text) { accepted += 1 }
    }
    // Some changes only change a name or a number.
    #expect(accepted > 0 && accepted < 2500)
  }

  @Test(arguments: ["(", "[", "{", "<", "\\\"", "tensor<", "list<", "f(", "((("])
  func deepBracketsEndSoon(_ bracket: String) throws {
    let text = CompiledExample.text
    for place in ["{{\"core", "((\"Def", "0x1p-1", "image, y", "[1, 2, 3]", "= const", "(y, lab"] {
      let parts = text.split(separator: place, maxSplits: 1, omittingEmptySubsequences: false)
      try #require(parts.count == 2 || place == "((\"Def")
      #expect(
        growsLinearly(to: 100_000) { count in
          let many = String(repeating: bracket, count: count)
          exercise(Array((parts[0] + many + place + parts[parts.count - 1]).utf8))
        }, "before \(place)")
    }
  }

  @Test func longTextsTakeLinearTime() throws {
    let isLinear = try growsLinearly(to: 20_000) { count in
      let operations = (0..<count).map { "fp32 v\($0) = const()[val = fp32(0x1p+0)];" }
      let program = try TensorProgram.main(operations, outputs: "v7")
      #expect(program.functions["main"]?.operations.count == count)
    }
    #expect(isLinear)
  }
}
