// Fovea - tests of the overlap of two boxes.
// SPDX-License-Identifier: Apache-2.0
import FoveaGeometry
import FoveaTestSupport
import Foundation
import Testing

private struct StoredPair: Decodable {
  var a: [Double]
  var b: [Double]
  var iou: Double
}

@Suite struct IntersectionOverUnionTests {
  private func box(_ edges: [Double]) -> CornerBox {
    CornerBox(minX: edges[0], minY: edges[1], maxX: edges[2], maxY: edges[3])
  }

  @Test(.enabled(if: SharedData.isPresent))
  func equalsTheStoredPairs() throws {
    let data = try Data(contentsOf: SharedData.url("iou/pairs.json"))
    let pairs = try JSONDecoder().decode([StoredPair].self, from: data)
    #expect(pairs.count == 52)
    for pair in pairs {
      let (a, b) = (box(pair.a), box(pair.b))
      #expect(abs(a.intersectionOverUnion(with: b) - pair.iou) <= 1e-12)
      #expect(a.intersectionOverUnion(with: b) == b.intersectionOverUnion(with: a))
    }
  }

  @Test func closedForms() {
    let unit = box([0, 0, 1, 1])
    // Shifted by 0.3 on both axes: 0.49 / 1.51. Dividing by the hull would give 0.290.
    #expect(abs(unit.intersectionOverUnion(with: box([0.3, 0.3, 1.3, 1.3])) - 0.49 / 1.51) < 1e-15)
    #expect(unit.intersectionOverUnion(with: unit) == 1)
    #expect(unit.intersectionOverUnion(with: box([1, 0, 2, 1])) == 0)
    #expect(unit.intersectionOverUnion(with: box([0.5, 0, 1.5, 1])) == 1.0 / 3)
    let rect = NormalizedRect(x: 0, y: 0, width: 0.5, height: 1)
    #expect(rect.intersectionOverUnion(with: .fullImage) == 0.5)
  }

  @Test func whatCannotBeComparedHasZero() {
    let unit = box([0, 0, 1, 1])
    let strange: [CornerBox] =
      (0..<4).map { place in
        var edges = [0.0, 0, 1, 1]
        edges[place] = .nan
        return box(edges)
      } + [
        box([.nan, .nan, .nan, .nan]), box([-.infinity, -.infinity, .infinity, .infinity]),
        box([0, 0, .infinity, 0]), box([1, 1, 0, 0]), box([1, 0, 0, 1]), box([0.5, 0.5, 0.5, 0.5]),
      ]
    for first in strange {
      for second in strange + [unit] {
        #expect(first.intersectionOverUnion(with: second) == 0)
        #expect(second.intersectionOverUnion(with: first) == 0)
      }
    }
    let huge = box([-1e308, -1e308, 1e308, 1e308])
    #expect(huge.intersectionOverUnion(with: huge) == 0)
  }
}
