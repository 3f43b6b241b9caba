// Fovea - tests: damaged files end in an answer, never in a trap.
// SPDX-License-Identifier: Apache-2.0
import FoveaModelFormat
import FoveaTestSupport
import Testing

struct HostileModelTests {
  /// Reads a file and, if that works, decodes all that can be decoded.
  /// Returns whether the file was accepted.
  @discardableResult
  private func exercise(_ bytes: [UInt8]) throws -> Bool {
    do {
      let model = try ModelDescription(bytes: bytes)
      try decodeWeights(of: model)
      return true
    } catch let error as ModelFormatError {
      #expect(!error.description.isEmpty)
      return false
    }
  }

  private func decodeWeights(of model: ModelDescription) throws {
    switch model.body {
    case .pipeline(let pipeline):
      for stage in pipeline.stages { try decodeWeights(of: stage.model) }
    case .neuralNetwork(let network):
      for layer in network.layers {
        switch layer.kind {
        case .convolution(let layer):
          _ = try layer.weights.decoded(layer.weightLayout)
          _ = try layer.bias?.decoded(count: layer.outputChannels)
        case .loadConstant(let layer), .loadConstantND(let layer):
          _ = try layer.data.decoded(count: layer.count)
        default: break
        }
      }
    default: break
    }
  }

  /// A model with a bit of everything, small enough to damage in every place.
  private static let small: [UInt8] = {
    let convolution = ModelBuilder.layer(100, name: "c", outputs: ["c"]) {
      $0.integer(1, 2)
      $0.integer(2, 3)
      $0.integers(20, [1, 1])
      $0.message(50) {
        $0.message(1) { borders in
          for _ in 0..<2 { borders.message(10) { $0.integer(1, 1) } }
        }
      }
      $0.integer(70, 1)
      $0.message(90) {
        $0.data(30, [0x05, 0x3A, 0x77])
        $0.message(40) {
          $0.integer(1, 3)
          $0.message(102) { $0.floats(1, [0, 1, 2, 3, 4, 5, 6, 7]) }
        }
      }
      $0.message(91) {
        $0.data(30, [1, 2])
        $0.message(40) {
          $0.integer(1, 8)
          $0.message(101) {
            $0.floats(1, [0.5])
            $0.floats(2, [1])
          }
        }
      }
    }
    let constant = ModelBuilder.layer(290, name: "k", inputs: [], outputs: ["k"]) {
      $0.integers(1, [2, 1, 1])
      $0.message(2) { $0.data(2, [0, 0x3C, 0, 0xC0]) }
    }
    let add = ModelBuilder.layer(230, name: "s", inputs: ["c", "k"], outputs: ["s"])
    let slice = ModelBuilder.layer(350, name: "y", inputs: ["s"], outputs: ["y"]) {
      $0.integer(2, -1)
      $0.integer(3, 1)
    }
    let network = ModelBuilder.model(
      inputs: [ModelBuilder.image("x", width: 8, height: 8)],
      outputs: [ModelBuilder.feature("y") { $0.message(5) { $0.integers(1, [1, 8, 8]) } }],
      type: 500
    ) { writer in
      for layer in [convolution, constant, add, slice] { writer.data(1, layer) }
      writer.message(2) { $0.message(10) { $0.float(10, 0.004) } }
    }
    return ModelBuilder.model(
      inputs: [ModelBuilder.image("x", width: 8, height: 8)],
      outputs: [ModelBuilder.feature("y")], type: 202
    ) { $0.data(1, network) }
  }()

  @Test func theWholeModelIsAccepted() throws {
    #expect(try exercise(Self.small))
  }

  @Test func everyTruncationIsRefused() throws {
    for length in 0..<Self.small.count {
      #expect(try !exercise(Array(Self.small.prefix(length))), "\(length)")
    }
  }

  @Test func everyFlippedBitEnds() throws {
    for index in Self.small.indices {
      for bit in 0..<8 {
        var bytes = Self.small
        bytes[index] ^= 1 << UInt8(bit)
        try exercise(bytes)
      }
    }
  }

  @Test func everyByteAtItsExtremesEnds() throws {
    for index in Self.small.indices {
      for value: UInt8 in [0, 0x7F, 0x80, 0xFF] {
        var bytes = Self.small
        bytes[index] = value
        try exercise(bytes)
      }
    }
  }

  @Test func missingAndDoubledBytesEnd() throws {
    for index in Self.small.indices {
      var shorter = Self.small
      shorter.remove(at: index)
      try exercise(shorter)
      var longer = Self.small
      longer.insert(0xFF, at: index)
      try exercise(longer)
    }
  }

  @Test func randomBytesEnd() throws {
    var random = MMIXGenerator(state: 0x9E37_79B9_7F4A_7C15)
    for round in 0..<2000 {
      let bytes = (0..<round % 97).map { _ in UInt8(truncatingIfNeeded: random.next() >> 33) }
      try exercise(bytes)
      try exercise(Self.small + bytes)
    }
  }

  @Test(.enabled(if: SharedData.isPresent)) func damagedDetectorEnds() throws {
    let bytes = try SharedData.bytes("odd/valid-float32.mlmodel")
    for length in 0..<bytes.count {
      #expect(try !exercise(Array(bytes.prefix(length))), "\(length)")
    }
    for index in bytes.indices {
      var flipped = bytes
      flipped[index] ^= 0xFF
      try exercise(flipped)
    }
  }

  @Test func manyEmptyLayersAreRefusedEarly() throws {
    let network = [UInt8]((0..<400_000).flatMap { _ in [UInt8(0x0A), 0] })
    let bytes = ModelBuilder.model(type: 500) { $0.raw(network) }
    let error = try formatError { _ = try ModelDescription(bytes: bytes) }
    #expect(error.code == .limitExceeded)
  }

  @Test func manyPiecesOfOneMessageTakeLinearTime() throws {
    let isLinear = try growsLinearly(to: 100_000) { count in
      let layer = ProtobufWriter { writer in
        writer.string(2, "x")
        writer.string(3, "y")
        for _ in 0..<count { writer.message(175) { _ in } }
      }
      let layers = try ModelBuilder.layers(of: ModelBuilder.network([layer.bytes]))
      #expect(layers.map(\.kind) == [.softmax])
    }
    #expect(isLinear)
  }
}
