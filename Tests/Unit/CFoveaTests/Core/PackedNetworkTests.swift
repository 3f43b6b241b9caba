// Fovea - the packed backends on random networks.
// SPDX-License-Identifier: Apache-2.0
import CFovea
import Testing

@Suite struct PackedNetworkTests {
  /// How far two results are apart, as a part of the second one's size: root of mean squares.
  static func relativeError(_ found: [Float], _ expected: [Float]) -> Double {
    var error = 0.0, power = 1e-12
    for (a, b) in zip(found, expected) {
      error += Double(a - b) * Double(a - b)
      power += Double(b) * Double(b)
    }
    return (error / power).squareRoot()
  }

  @Test(arguments: NetworkVariety.seeds) func floatEqualsTheReference(_ seed: UInt64) throws {
    let network = RandomNetwork(seed: seed)
    let reference = try NetworkRun(network, .reference)
    for set in NetworkVariety.instructionSets {
      let found = try NetworkRun(network, .float32, threads: 2, instructionSet: set, frames: 2)
      for (a, b) in zip(found.outputs, reference.outputs) {
        let scale = b.reduce(1) { max($0, abs($1)) }
        let worst = zip(a, b).map { abs($0 - $1) }.max() ?? 0
        #expect(worst <= 2e-5 * scale, "\(set)")
      }
    }
  }

  @Test(arguments: NetworkVariety.seeds) func integersAreTheSameEverywhere(_ seed: UInt64) throws {
    let network = RandomNetwork(seed: seed)
    let ranges = try NetworkRun(network, .float32, measures: true).ranges
    for ranges in [[], ranges] {
      let expected = try NetworkRun(network, .int8, instructionSet: .scalar, ranges: ranges)
      for set in NetworkVariety.instructionSets {
        for threads in [1, 2, 3, 8] {
          let found = try NetworkRun(
            network, .int8, threads: threads, instructionSet: set, ranges: ranges, frames: 2)
          #expect(found.bits == expected.bits, "\(set), \(threads) threads, \(ranges.count) ranges")
        }
      }
    }
  }

  /// 8 bits a value leave an error of about 1 % a layer.
  @Test(arguments: NetworkVariety.seeds) func integersAreNearTheReference(_ seed: UInt64) throws {
    let network = RandomNetwork(seed: seed)
    let reference = try NetworkRun(network, .reference)
    let ranges = try NetworkRun(network, .float32, measures: true).ranges
    for ranges in [[], ranges] {
      let found = try NetworkRun(network, .int8, ranges: ranges)
      for (a, b) in zip(found.outputs, reference.outputs) {
        #expect(Self.relativeError(a, b) < 0.08, "\(ranges.count) ranges")
      }
    }
  }

  /// The output's channels lie side by side among the ranges.
  @Test(arguments: [UInt64(3), 4, 5])
  func measuredRangesAreThoseOfTheReference(_ seed: UInt64) throws {
    let measured = try NetworkRun(RandomNetwork(seed: seed), .float32, measures: true)
    let output = try #require(measured.outputs.first)
    let shape = try #require(measured.shapes.first)
    let channels = shape[shape.count - 3], count = output.count / channels
    let expected = (0..<channels).map { output[$0 * count..<($0 + 1) * count] }
      .map { [$0.min()!, $0.max()!] }
    let found = measured.ranges.map { [$0.low, $0.high] }
    #expect((0...found.count - channels).contains { Array(found[$0..<$0 + channels]) == expected })
  }

  @Test func rangesOfAnotherGraphAreRefused() throws {
    let failure = #expect(throws: CoreFailure.self) {
      try NetworkRun(RandomNetwork(seed: 1), .int8, ranges: [fov_channel_summary()])
    }
    #expect(failure?.status == .invalid_argument)
  }

  @Test func instructionSetsOfOtherProcessorsAreRefused() throws {
    for raw in 0..<UInt32(FOV_INSTRUCTION_SET_COUNT) {
      let set = fov_instruction_set(rawValue: raw)!
      guard !fov_instruction_set_is_available(set) else { continue }
      let failure = #expect(throws: CoreFailure.self) {
        try NetworkRun(RandomNetwork(seed: 1), .float32, instructionSet: set)
      }
      #expect(failure?.status == .unsupported)
    }
  }

  #if !DEBUG
    /// Somewhere among the seeds every fusion and every channels-last operation happens.
    @Test func everyPackedOperationIsVisited() throws {
      var operations: Set<String> = []
      for seed in UInt64(1)...20 {
        let network = RandomNetwork(seed: seed)
        let ranges = try NetworkRun(network, .float32, measures: true).ranges
        operations.formUnion(try NetworkRun(network, .int8, ranges: ranges).operations)
        operations.formUnion(try NetworkRun(network, .int8).operations)
      }
      let expected: Set<String> = [
        "convolution", "pooling", "unary", "add", "concat", "resize", "to_channels_last",
        "to_planes", "quantize",
        "dequantize",
      ]
      #expect(operations.isSuperset(of: expected), "\(expected.subtracting(operations))")
    }
  #endif
}
