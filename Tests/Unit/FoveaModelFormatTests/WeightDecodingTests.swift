// Fovea - tests: weights in every encoding.
// SPDX-License-Identifier: Apache-2.0
import FoveaModelFormat
import FoveaTestSupport
import Testing

struct WeightDecodingTests {
  /// Codes as a string of bits, cut by the letter of the specification.
  private func pack(_ codes: [Int], bits: Int) -> [UInt8] {
    var digits = codes.flatMap { code in (0..<bits).reversed().map { code >> $0 & 1 } }
    while digits.count % 8 != 0 { digits.append(0) }
    return stride(from: 0, to: digits.count, by: 8).map { start in
      UInt8(digits[start..<start + 8].reduce(0) { $0 * 2 + $1 })
    }
  }

  @Test func packingOfTheTestsIsTheDocumentedOne() {
    #expect(pack([1, 0, 1, 1, 0, 0, 0, 0, 1], bits: 1) == [0xB0, 0x80])
    #expect(pack([1, 2, 3, 4, 5, 6, 7, 0, 5], bits: 3) == [0x29, 0xCB, 0xB8, 0xA0])
    #expect(pack([1, 2, 3], bits: 5) == [0x08, 0x86])
    #expect(pack([1, 2, 3, 4], bits: 6) == [0x04, 0x20, 0xC4])
    #expect(pack([1, 2], bits: 7) == [0x02, 0x08])
  }

  @Test(arguments: 1...8)
  func tablesAreLookedUp(bits: Int) throws {
    let table = (0..<1 << bits).map { Float($0 * $0) - 3.25 }
    for count in [1, 2, 7, 8, 9, 61] {
      let codes = (0..<count).map { $0 * 37 % (1 << bits) }
      let packed = pack(codes, bits: bits)
      for spare in [0, 3] {
        let bytes = [7, 7] + packed + [UInt8](repeating: 255, count: spare)
        let weights = WeightData(
          bytes: bytes, segments: [2..<bytes.count],
          encoding: .lookupTable(bits: bits, table: table))
        #expect(try weights.decoded(count: count) == codes.map { table[$0] })
        #expect(Array(weights.contiguousBytes().array.prefix(packed.count)) == packed)
        #expect(weights.encodingName == "\(bits)-bit lookup table")
      }
      let short = WeightData(
        bytes: packed, segments: [0..<packed.count - 1],
        encoding: .lookupTable(bits: bits, table: table))
      #expect(throws: ModelFormatError.self) { try short.decoded(count: count) }
    }
  }

  @Test(arguments: 1...8)
  func linearCodesAreScaledPerChannel(bits: Int) throws {
    let scale: [Float] = [0.1, -3.7, 1e-3]
    let bias: [Float] = [0.3, 11.1, -1e6]
    let codes = (0..<24).map { $0 * 29 % (1 << bits) }
    let packed = pack(codes, bits: bits)
    let weights = WeightData(
      bytes: packed, segments: [packed.indices],
      encoding: .linear(bits: bits, scale: scale, bias: bias))
    let expected = codes.enumerated().map { index, code in
      let channel = index / 4 % 3
      let product = Double(code) * Double(scale[channel])
      return Float(product + Double(bias[channel]))
    }
    #expect(try weights.decoded(count: 24, channelCount: 3, channelStride: 4) == expected)
    #expect(throws: ModelFormatError.self) {
      try weights.decoded(count: 24, channelCount: 4, channelStride: 3)
    }
    let one = WeightData(
      bytes: packed, segments: [packed.indices],
      encoding: .linear(bits: bits, scale: [0.5], bias: []))
    #expect(
      try one.decoded(count: 24, channelCount: 6, channelStride: 4) == codes.map { Float($0) / 2 })
  }

  @Test func partsHaveTablesOfTheirOwn() throws {
    let codes: [UInt8] = [0, 1, 2, 3, 3, 2, 1, 0, 1, 1, 0, 2]
    let parts = try #require(WeightParts(shape: [2, 6], counts: [2, 3]))
    let tables = (0..<24).map { Float($0) }
    let weights = WeightData(
      bytes: pack(codes.map { Int($0) }, bits: 2), segments: [0..<3],
      encoding: .lookupTables(bits: 2, tables: tables, parts: parts))
    let expected = codes.enumerated().map { tables[($0 / 6 * 3 + $0 % 6 / 2) * 4 + Int($1)] }
    #expect(try weights.decoded(count: 12) == expected)
    #expect(weights.encodingName == "2-bit lookup table, 6 groups")
    #expect(throws: ModelFormatError.self) { try weights.decoded(count: 11) }
  }

  @Test func vectorsAreNeighbors() throws {
    let codes: [UInt8] = [0, 1, 3, 2, 2, 1]
    let parts = try #require(
      WeightParts(shape: [4, 3], counts: [1, 1], vector: 2, vectorAxis: 0))
    let tables = (0..<8).map { Float($0) }
    let weights = WeightData(
      bytes: pack(codes.map { Int($0) }, bits: 2), segments: [0..<2],
      encoding: .lookupTables(bits: 2, tables: tables, parts: parts))
    let expected: [Float] = [0, 2, 6, 1, 3, 7, 4, 4, 2, 5, 5, 3]
    #expect(try weights.decoded(count: 12) == expected)
    #expect(weights.encodingName == "2-bit lookup table, vectors of 2")
    #expect(weights.holds(count: 12))
  }

  @Test func blocksHaveScalesOfTheirOwn() throws {
    let codes: [UInt8] = [1, 2, 3, 4, 5, 6, 7, 8]
    let parts = try #require(WeightParts(shape: [2, 4], counts: [2, 2]))
    func weights(_ scale: [Float], _ bias: [Float]) -> WeightData {
      WeightData(
        bytes: codes, segments: [0..<8],
        encoding: .linearParts(bits: 8, scale: scale, bias: bias, parts: parts))
    }
    let found = weights([1, 2, 4, 8], [0, 1, 2, 3])
    #expect(try found.decoded(count: 8) == [1, 2, 7, 9, 22, 26, 59, 67])
    #expect(found.encodingName == "8-bit linear, blocks of 2")
    for (scale, bias) in [([1, 2, 3], []), ([1, 2, 3, 4], [1])] as [([Float], [Float])] {
      #expect(throws: ModelFormatError.self) { try weights(scale, bias).decoded(count: 8) }
    }
  }

  @Test func partsDivideTheWeights() {
    #expect(WeightParts(shape: [4, 6], counts: [3, 1]) == nil)
    #expect(WeightParts(shape: [4, 6], counts: [0, 1]) == nil)
    #expect(WeightParts(shape: [4, 6], counts: [1]) == nil)
    #expect(WeightParts(shape: [], counts: []) == nil)
    #expect(WeightParts(shape: [4, 6], counts: [1, 1], vector: 4, vectorAxis: 1) == nil)
    #expect(WeightParts(shape: [4, 6], counts: [4, 1], vector: 2) == nil)
    #expect(WeightParts(shape: [4, 6], counts: [1, 1], vector: 2, vectorAxis: 2) == nil)
    #expect(WeightParts(shape: [.max, 2], counts: [1, 1]) == nil)
  }

  @Test func signedCodesAreScaled() throws {
    let weights = WeightData(
      bytes: [0, 127, 128, 255], segments: [0..<4], encoding: .signedLinear(scale: 0.5))
    #expect(try weights.decoded(count: 4) == [0, 63.5, -64, -0.5])
  }

  @Test(arguments: [-1, 0, 9, Int.max])
  func impossibleBitsAreRefused(bits: Int) {
    for encoding in [
      WeightEncoding.lookupTable(bits: bits, table: [1]),
      .linear(bits: bits, scale: [1], bias: []),
    ] {
      let weights = WeightData(bytes: [1, 2], segments: [0..<2], encoding: encoding)
      #expect(throws: ModelFormatError.self) { try weights.decoded(count: 1) }
      #expect(weights.storedValueCount >= 0)
    }
  }

  @Test func everyHalfIsWidened() throws {
    let bytes = (0...UInt16.max).flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
    let weights = WeightData(bytes: bytes, segments: [bytes.indices], encoding: .float16)
    let floats = try weights.decoded(count: 65536)
    for (pattern, value) in floats.enumerated() {
      let exponent = pattern >> 10 & 31
      let fraction = Double(pattern & 1023) / 1024
      let sign: FloatingPointSign = pattern & 0x8000 == 0 ? .plus : .minus
      if exponent == 31 {
        #expect(pattern & 1023 == 0 ? value.isInfinite : value.isNaN)
      } else {
        let magnitude =
          exponent == 0
          ? fraction * 0x1p-14
          : (1 + fraction) * Double(sign: .plus, exponent: exponent - 15, significand: 1)
        #expect(Double(value.magnitude) == magnitude)
      }
      #expect(value.sign == sign)
    }
  }

  @Test func floatsKeepTheirBits() throws {
    let patterns: [UInt32] = [0, 0x8000_0000, 0x7F80_0000, 0x7FC0_0001, 1, 0x3F80_0000]
    let bytes = ProtobufWriter { writer in patterns.forEach { writer.fixed($0) } }.bytes
    let whole = WeightData(bytes: bytes, segments: [0..<24], encoding: .float32)
    #expect(try whole.decoded(count: 6).map(\.bitPattern) == patterns)
    let pieces = WeightData(bytes: bytes, segments: [0..<4, 4..<16, 16..<24], encoding: .float32)
    #expect(try pieces.decoded(count: 6).map(\.bitPattern) == patterns)
    #expect(pieces == whole)
    #expect(throws: ModelFormatError.self) { try whole.decoded(count: 5) }
    #expect(throws: ModelFormatError.self) { try whole.decoded(count: 7) }
    #expect(throws: ModelFormatError.self) { try whole.decoded(count: Int.max) }
    #expect(throws: ModelFormatError.self) { try whole.decoded(count: -1) }
  }

  // MARK: From the file

  @Test func manySingleFloatsAreCopiedTogether() throws {
    let values = (0..<100).map { Float($0) / 3 }
    let bytes = ModelBuilder.network([
      ModelBuilder.smallConvolution(outputs: 100) { writer in
        for value in values { writer.float(1, value) }
      }
    ])
    let layer = try #require(try ModelBuilder.layers(of: bytes).first)
    guard case .convolution(let convolution) = layer.kind else {
      throw Missing(what: "a convolution")
    }
    #expect(convolution.weights.segments.count == 1)
    #expect(try convolution.weights.decoded(convolution.weightLayout) == values)
  }

  @Test func packedRunsAndSingleFloatsMix() throws {
    let bytes = ModelBuilder.network([
      ModelBuilder.smallConvolution(outputs: 6) { writer in
        writer.floats(1, [1, 2])
        writer.integer(50, 1)
        writer.float(1, 3)
        writer.floats(1, [])
        writer.floats(1, [4, 5, 6])
      }
    ])
    guard case .convolution(let convolution) = try ModelBuilder.layers(of: bytes)[0].kind else {
      throw Missing(what: "a convolution")
    }
    #expect(convolution.weights.segments.count == 3)
    #expect(try convolution.weights.decoded(count: 6) == [1, 2, 3, 4, 5, 6])
  }

  private func refuses(
    _ found: String, _ fill: @escaping (inout ProtobufWriter) -> Void
  ) throws {
    let bytes = ModelBuilder.network([ModelBuilder.smallConvolution(fill)])
    let error = try formatError { _ = try ModelDescription(bytes: bytes) }
    #expect(error.code == .invalidWeights)
    #expect(error.found.contains(found), "\(error)")
    #expect(error.fieldPath.hasPrefix("neuralNetwork.layers[0].convolution.weights"))
    #expect(error.layerName == "layer")
  }

  @Test func weightsThatContradictThemselvesAreRefused() throws {
    func quantization(
      _ bits: Int, _ fill: @escaping (inout ProtobufWriter) -> Void
    ) -> (inout ProtobufWriter) -> Void {
      {
        $0.integer(1, bits)
        fill(&$0)
      }
    }
    let table: (inout ProtobufWriter) -> Void = { $0.message(102) { $0.floats(1, [1, 2]) } }
    try refuses("no weights") { _ in }
    try refuses("floatValue and rawValue") {
      $0.floats(1, [1, 2])
      $0.data(30, [0])
    }
    try refuses("3 values") { $0.floats(1, [1, 2, 3]) }
    try refuses("1 values") { $0.data(2, [0, 0]) }
    try refuses("1 values (3 bytes, float16)") { $0.data(2, [0, 0, 0]) }
    try refuses("rawValue without quantization") { $0.data(30, [0]) }
    try refuses("codes of 0 bits") {
      $0.data(30, [0])
      $0.message(40, quantization(0, table))
    }
    try refuses("a table of 2 entries") {
      $0.data(30, [0])
      $0.message(40, quantization(2, table))
    }
    try refuses("no table and no scale") {
      $0.data(30, [0])
      $0.message(40, quantization(1) { _ in })
    }
    try refuses("0 scales") {
      $0.data(30, [0])
      $0.message(40, quantization(1) { $0.message(101) { _ in } })
    }
    try refuses("3 scales") {
      $0.data(30, [0])
      $0.message(40, quantization(1) { $0.message(101) { $0.floats(1, [1, 2, 3]) } })
    }
    try refuses("1 biases") {
      $0.data(30, [0])
      $0.message(
        40,
        quantization(1) {
          $0.message(101) {
            $0.floats(1, [1, 2])
            $0.floats(2, [1])
          }
        })
    }
    try refuses("int8RawValue") {
      $0.data(31, [0, 0])
      $0.message(40, quantization(8) { $0.message(101) { $0.floats(1, [1]) } })
    }
  }
}
