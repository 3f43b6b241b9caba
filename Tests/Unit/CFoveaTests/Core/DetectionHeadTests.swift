// Fovea - the decoding of detector heads is recognized, and nothing else is.
// SPDX-License-Identifier: Apache-2.0
import CFovea
import Testing

@Suite struct DetectionHeadTests {
  typealias Head = DetectionGraph.Head

  static let one = [Head(anchors: 3, rows: 4, columns: 7)]
  static let two = [
    Head(anchors: 3, rows: 2, columns: 3), Head(anchors: 2, rows: 5, columns: 4),
  ]

  static let decodings = [
    DetectionGraph(heads: one, classes: 5),
    DetectionGraph(heads: one, classes: 5, copies: true),
    DetectionGraph(heads: one, classes: 5, scaled: false),
    DetectionGraph(heads: one, classes: 5, pixelsOutermost: true),
    DetectionGraph(heads: one, classes: 5, squares: .power),
    DetectionGraph(heads: one, classes: 5, squares: .product),
    DetectionGraph(heads: one, classes: 5, squares: .power, sigmoidFirst: true),
    DetectionGraph(heads: one, classes: 1),
    DetectionGraph(heads: one, classes: 1, copies: true),
    DetectionGraph(heads: one, classes: 4, coordinatesFirst: true),
    DetectionGraph(heads: [Head(anchors: 1, rows: 7, columns: 3)], classes: 2),
    DetectionGraph(heads: [Head(anchors: 1, rows: 1, columns: 1)], classes: 1),
    DetectionGraph(heads: two, classes: 3, coordinatesFirst: true),
    DetectionGraph(heads: two, classes: 3, copies: true, pixelsOutermost: true),
    DetectionGraph(
      heads: two + [Head(anchors: 3, rows: 9, columns: 8)], classes: 20, squares: .product),
    // The same shape twice.
    DetectionGraph(heads: [two[0], two[0], two[0]], classes: 2),
  ]

  @Test(arguments: decodings, [fov_backend.reference, .blas])
  func decodingsBecomeTwoOperations(_ graph: DetectionGraph, backend: fov_backend) throws {
    let layers = try graph.run(folds: false, backend: backend)
    let decoded = try graph.run(folds: true, backend: backend)
    #expect(layers.nodes > 10)
    #expect(decoded.nodes == 2)
    #expect(layers.confidence.count == graph.count * graph.classes)
    expectClose(
      DenseArray([layers.confidence.count], decoded.confidence),
      DenseArray([layers.confidence.count], layers.confidence), absolute: 1e-6)
    expectClose(
      DenseArray([layers.coordinates.count], decoded.coordinates),
      DenseArray([layers.coordinates.count], layers.coordinates), relative: 1e-6, absolute: 1e-6)
  }

  @Test(arguments: DetectionGraph.Defect.allCases, [false, true])
  func whatOnlyLooksLikeOneStays(_ defect: DetectionGraph.Defect, copies: Bool) throws {
    // Two heads of one shape, so that they can be mistaken for each other.
    var graph = DetectionGraph(
      heads: [Self.one[0], Self.one[0]], classes: 4, copies: copies, defect: defect)
    let plain = try graph.run(folds: false)
    let folded = try graph.run(folds: true)
    #expect(folded == plain)
    graph.defect = nil
    #expect(try graph.run(folds: true).nodes == 2)
  }

  @Test(arguments: [Float(0.1), 0.5, 0.9])
  func sessionsHaveAFloor(_ floor: Float) throws {
    let graph = DetectionGraph(heads: Self.two, classes: 3)
    let full = try graph.run(folds: true)
    let found = try graph.run(folds: true, floor: floor)
    var complete = 0
    for row in 0..<graph.count {
      let scores = row * 3..<row * 3 + 3
      let box = row * 4..<row * 4 + 4
      if found.confidence[scores].allSatisfy({ $0 == 0 }) {
        #expect(full.confidence[scores].allSatisfy { $0 < floor })
      } else {
        complete += 1
        #expect(found.confidence[scores] == full.confidence[scores])
        #expect(found.coordinates[box] == full.coordinates[box])
      }
    }
    #expect((1..<graph.count).contains(complete))
    #expect(try graph.run(folds: true, floor: 0) == full)
    // Layers know no floor.
    let layers = try graph.run(folds: false)
    #expect(try graph.run(folds: false, floor: floor) == layers)
  }
}
