// Fovea - convolutions by Winograd's algorithm in whole networks.
// SPDX-License-Identifier: Apache-2.0
import CFovea
import FoveaTestSupport
import Testing

@Suite(.tags(.startsThreads)) struct WinogradNetworkTests {
  /// Sets whose integer kernels have it.
  static let integerSets: [fov_instruction_set] = [.avx512_vnni, .avx2, .neon].filter(
    fov_instruction_set_is_available)

  @Test(arguments: NetworkVariety.largeSeeds, NetworkVariety.largeKinds)
  func integersHaveTheSameBits(_ seed: UInt64, _ kind: RandomNetwork.Kind) throws {
    let network = RandomNetwork(seed: seed, kind: kind)
    let ranges = try NetworkRun(network, .float32, measures: true).ranges
    for ranges in [[], ranges] {
      let direct = try NetworkRun(network, .int8, ranges: ranges, usesWinograd: false)
      for set in Self.integerSets {
        for threads in [1, 2, 3, 8] {
          let found = try NetworkRun(
            network, .int8, threads: threads, instructionSet: set, ranges: ranges, frames: 2)
          #expect(found.bits == direct.bits, "\(set), \(threads) threads, \(ranges.count) ranges")
          // Where bytes have dot products, it may not pay for few channels.
          if set == .avx512_vnni && kind == .wide { continue }
          #expect(found.workspaceBytes > direct.workspaceBytes, "Winograd was not used")
        }
      }
    }
  }

  @Test(arguments: NetworkVariety.largeSeeds, NetworkVariety.largeKinds)
  func floatsAreNearTheReferenceOnAnyThreads(_ seed: UInt64, _ kind: RandomNetwork.Kind) throws {
    let network = RandomNetwork(seed: seed, kind: kind)
    let reference = try NetworkRun(network, .reference).outputs[0]
    let scale = reference.reduce(1) { max($0, abs($1)) }
    let one = try NetworkRun(network, .float32)
    let worst = zip(one.outputs[0], reference).map { abs($0 - $1) }.max() ?? 0
    #expect(worst <= 5e-5 * scale)
    for threads in [2, 3, 8] {
      #expect(try NetworkRun(network, .float32, threads: threads).bits == one.bits)
    }
    let direct = try NetworkRun(network, .float32, usesWinograd: false)
    #expect(
      (one.workspaceBytes > direct.workspaceBytes) == (fov_instruction_set_best() != .scalar))
  }
}
