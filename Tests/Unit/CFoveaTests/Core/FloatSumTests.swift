// Fovea - tests of sums that stay in floats between layers of 8 bits.
// SPDX-License-Identifier: Apache-2.0
import CFovea
import FoveaTestSupport
import Testing

@Suite struct FloatSumTests {
  /// A bottleneck's sum, and what is added, is not rounded: less is lost of what a later layer reads.
  @Test func streamOfABottleneckIsNotRounded() throws {
    let network = UnevenBottleneck(spread: 1)
    let exact = try NetworkRun(network, .reference).outputs[0]
    let ranges = try NetworkRun(network, .float32, measures: true).ranges
    let codes = try NetworkRun(network, .int8, ranges: ranges)
    let floats = try NetworkRun(network, .int8, ranges: ranges, floatSums: true)
    #expect(!codes.operations.contains("add") && floats.operations.contains("add"))
    func noise(_ found: NetworkRun) -> Double {
      zip(found.outputs[0], exact).reduce(0) { $0 + Double(($1.0 - $1.1) * ($1.0 - $1.1)) }
    }
    #expect(noise(floats) < 0.8 * noise(codes), "\(noise(floats)) of \(noise(codes))")
  }

  /// A convolution that does not make its input narrower: its sum is as wide as what it reads.
  @Test func wideSumsStayCodes() throws {
    let network = RandomNetwork(seed: 1, kind: .wide)
    let ranges = try NetworkRun(network, .float32, measures: true).ranges
    let expected = try NetworkRun(network, .int8, ranges: ranges)
    let found = try NetworkRun(network, .int8, ranges: ranges, floatSums: true)
    #expect(found.operations == expected.operations && found.bits == expected.bits)
  }

  @Test func nothingChangesWithoutRanges() throws {
    let network = UnevenBottleneck(spread: 8)
    let expected = try NetworkRun(network, .int8)
    #expect(try NetworkRun(network, .int8, floatSums: true).bits == expected.bits)
  }

  @Test(arguments: NetworkVariety.seeds)
  func bitsAreTheSameEverywhere(_ seed: UInt64) throws {
    try expectSameBits(RandomNetwork(seed: seed))
  }

  @Test func bottlenecksAreTheSameEverywhere() throws {
    try expectSameBits(UnevenBottleneck(spread: 8))
  }

  private func expectSameBits(_ network: some TestNetwork) throws {
    let ranges = try NetworkRun(network, .float32, measures: true).ranges
    let expected = try NetworkRun(
      network, .int8, instructionSet: .scalar, ranges: ranges, floatSums: true)
    for set in NetworkVariety.instructionSets {
      for isCompiled in [false, true] {
        let found = try NetworkRun(
          network, .int8, threads: 3, instructionSet: set, ranges: ranges, floatSums: true,
          isCompiled: isCompiled, frames: 2)
        #expect(found.bits == expected.bits, "\(set), compiled: \(isCompiled)")
      }
    }
  }
}
