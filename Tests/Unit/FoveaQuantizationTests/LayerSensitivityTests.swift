// Fovea - tests of choosing layers that stay in floats.
// SPDX-License-Identifier: Apache-2.0
import Fovea
import FoveaQuantization
import FoveaTestSupport
import Testing

@Suite struct LayerSensitivityTests {
  static func layers(_ numbers: [(String, Double, UInt64)]) -> [LayerSensitivity] {
    numbers.map { LayerSensitivity(layer: $0.0, noise: $0.1, multiplyAccumulates: $0.2) }
  }

  /// By loss a product: b 0.5, d 0.02, c 0.01, a 0.001; 5 % of 1000 products are 50.
  @Test func theDearestLayersAreKeptWithinTheBudget() {
    let all = Self.layers([
      ("a", 0.8, 800), ("b", 5, 10), ("c", 1, 100), ("d", 0.8, 40), ("e", 0, 50),
    ])
    #expect(LayerSensitivity.mostSensitive(of: all, share: 0.05).map(\.layer) == ["b", "d"])
    #expect(LayerSensitivity.mostSensitive(of: all, share: 0.049).map(\.layer) == ["b"])
    #expect(LayerSensitivity.mostSensitive(of: all, share: 0).isEmpty)
    #expect(LayerSensitivity.mostSensitive(of: all, share: 1).map(\.layer) == ["b", "d", "c", "a"])
  }

  /// Of 1000 products: depthwise ones in floats, dense ones in 16 bits, each within its share of all.
  @Test func denseLayersComputeIn16Bits() {
    var all = Self.layers([
      ("a", 0.8, 800), ("b", 5, 10), ("c", 1, 100), ("d", 0.8, 40), ("e", 0.1, 50),
    ])
    for index in [1, 4] { all[index].isDepthwise = true }
    func names(_ float: Double, _ int16: Double) -> [[String]] {
      let chosen = LayerSensitivity.selection(of: all, floatShare: float, int16Share: int16)
      return [chosen.float.map(\.layer), chosen.int16.map(\.layer)]
    }
    #expect(names(0.05, 0.14) == [["b"], ["d", "c"]])
    #expect(names(0.06, 0.13) == [["b", "e"], ["d"]])
    #expect(names(0, 1) == [[], ["d", "c", "a"]])
    #expect(names(0.05, 0) == [["b", "d"], []])
  }

  @Test func theOrderOfLayersDoesNotMatter() {
    let all = Self.layers([("a", 1, 10), ("b", 2, 20), ("c", 3, 30), ("d", 1, 40)])
    let expected = LayerSensitivity.mostSensitive(of: all, share: 0.3)
    #expect(LayerSensitivity.mostSensitive(of: all.reversed(), share: 0.3) == expected)
    #expect(expected.map(\.layer) == ["a", "b"])
  }
}
