// Fovea - weights of float convolutions that stay the codes of the file.
// SPDX-License-Identifier: Apache-2.0
import CFovea
import FoveaTestSupport
import Testing

@Suite struct CodedWeightsTests {
  static let seeds = Array(UInt64(1)...(TestTier.isThorough ? 10 : 2))
    .prefix(NetworkVariety.largeSeeds.count)
  static let kinds = [RandomNetwork.Kind.mixed] + NetworkVariety.largeKinds
  static let threads = BuildConfiguration.isSwiftOptimized ? [1, 3, 8] : [3]

  /// What is looked up in every frame has the bits of what was looked up once, whatever shares the
  /// work: panels of a unit, panels that units share, and both with Winograd's tiles.
  @Test(arguments: seeds, kinds)
  func codesHaveTheBitsOfFloats(_ seed: UInt64, _ kind: RandomNetwork.Kind) throws {
    for coding in [RandomNetwork.Coding.table, .linear, .tables, .blocks] {
      let network = RandomNetwork(seed: seed, kind: kind, coding: coding)
      for set in NetworkVariety.instructionSets {
        for usesWinograd in [true, false] {
          let floats = try NetworkRun(
            network, .float32, instructionSet: set, usesWinograd: usesWinograd)
          for threads in Self.threads {
            let codes = try NetworkRun(
              network, .float32, threads: threads, instructionSet: set,
              usesWinograd: usesWinograd, keepsCodes: true, frames: 2)
            #expect(codes.bits == floats.bits, "\(coding), \(set), \(threads) threads")
            if kind == .deep { #expect(codes.weightBytes * 3 < floats.weightBytes) }
          }
          let compiled = try NetworkRun(
            network, .float32, instructionSet: set, usesWinograd: usesWinograd, keepsCodes: true,
            isCompiled: true)
          #expect(compiled.bits == floats.bits, "\(coding), \(set), compiled")
        }
      }
    }
  }

  @Test(arguments: seeds, [RandomNetwork.Coding.table, .linear, .tables, .blocks])
  func codesEqualTheReference(_ seed: UInt64, _ coding: RandomNetwork.Coding) throws {
    let network = RandomNetwork(seed: seed, kind: Self.kinds[Self.kinds.count - 1], coding: coding)
    let reference = try NetworkRun(network, .reference).outputs[0]
    let found = try NetworkRun(network, .float32, threads: 2, keepsCodes: true).outputs[0]
    let scale = reference.reduce(1) { max($0, abs($1)) }
    let worst = zip(found, reference).map { abs($0 - $1) }.max() ?? 0
    #expect(worst <= 5e-5 * scale)
  }

  /// int8 reads the numbers that codes stand for.
  @Test(arguments: seeds, [RandomNetwork.Coding.tables, .blocks])
  func integersComeFromTheNumbers(_ seed: UInt64, _ coding: RandomNetwork.Coding) throws {
    var network = RandomNetwork(seed: seed, coding: coding)
    let coded = try NetworkRun(network, .int8)
    network.isExpanded = true
    #expect(try NetworkRun(network, .int8).bits == coded.bits)
  }

  /// Weights that are floats in the file have no other form, and integers have their own.
  @Test func otherWeightsAreNotTouched() throws {
    let floats = RandomNetwork(seed: 5, kind: .deep)
    let coded = RandomNetwork(seed: 5, kind: .deep, coding: .table)
    for (network, backend) in [(floats, fov_backend.float32), (coded, .int8)] {
      let plain = try NetworkRun(network, backend)
      let kept = try NetworkRun(network, backend, keepsCodes: true)
      #expect(kept.weightBytes == plain.weightBytes && kept.bits == plain.bits)
    }
  }
}
