// Fovea - tests of affine maps.
// SPDX-License-Identifier: Apache-2.0
import FoveaGeometry
import FoveaTestSupport
import Foundation
import Testing

@Suite struct AffineMapTests {
  /// A turn by 90 degrees around (0, 0) and a step: (x, y) becomes (10 - y, 20 + x).
  let quarter = AffineMap(a: 0, b: -1, c: 1, d: 0, tx: 10, ty: 20)

  static func random(_ generator: inout SplitMix) -> AffineMap {
    let numbers = (0..<6).map { _ in Double.random(in: -8...8, using: &generator) }
    return AffineMap(
      a: numbers[0], b: numbers[1], c: numbers[2], d: numbers[3], tx: numbers[4], ty: numbers[5])
  }

  @Test func coefficientsStandWhereTheDocumentationSays() {
    let map = AffineMap(a: 2, b: 3, c: 5, d: 7, tx: 11, ty: 13)
    #expect(map(x: 1, y: 0) == (13, 18))
    #expect(map(x: 0, y: 1) == (14, 20))
    #expect(map(x: 0, y: 0) == (11, 13))
    #expect(AffineMap.identity(x: 3, y: 4) == (3, 4))
    #expect(AffineMap.scaling(x: 2, y: 3)(x: 5, y: 7) == (10, 21))
    #expect(AffineMap.translation(x: 2, y: 3)(x: 5, y: 7) == (7, 10))
  }

  @Test func thenDoesTheReceiverFirst() {
    let scaling = AffineMap.scaling(x: 2, y: 3)
    let step = AffineMap.translation(x: 10, y: 20)
    #expect(scaling.then(step)(x: 1, y: 1) == (12, 23))
    #expect(step.then(scaling)(x: 1, y: 1) == (22, 63))
    #expect(quarter.then(quarter)(x: 1, y: 2) == (10 - 21, 20 + 8))
  }

  @Test func compositionIsApplyingTwice() {
    var generator = SplitMix(seed: 1)
    for _ in 0..<1000 {
      let (first, second) = (Self.random(&generator), Self.random(&generator))
      let (x, y) = (Double.random(in: -9...9, using: &generator), 3.5)
      let between = first(x: x, y: y)
      #expect(distance(first.then(second)(x: x, y: y), second(x: between.x, y: between.y)) < 1e-11)
    }
  }

  @Test func inversesUndo() throws {
    var generator = SplitMix(seed: 2)
    for round in 0..<1000 {
      var map = Self.random(&generator)
      if round % 3 == 1 { (map.b, map.c) = (0, 0) }
      if round % 3 == 2 { (map.a, map.d) = (0, 0) }
      guard abs(map.a * map.d - map.b * map.c) > 0.01 else { continue }
      let inverse = try #require(map.inverse)
      let (x, y) = map(x: 1.25, y: -7.5)
      #expect(distance(inverse(x: x, y: y), (1.25, -7.5)) < 1e-10)
      #expect(map.exchangesAxes == (round % 3 == 2))
    }
    #expect(quarter.inverse == AffineMap(a: 0, b: 1, c: -1, d: 0, tx: -20, ty: 10))
    #expect(AffineMap.identity.inverse == .identity)
  }

  @Test func whatFallsTogetherHasNoInverse() {
    #expect(AffineMap(a: 1, b: 2, c: 2, d: 4, tx: 0, ty: 0).inverse == nil)
    #expect(AffineMap.scaling(x: 0, y: 1).inverse == nil)
    #expect(AffineMap(a: 0, b: 1, c: 0, d: 0, tx: 0, ty: 0).inverse == nil)
    #expect(AffineMap.scaling(x: .nan, y: 1).inverse == nil)
    #expect(AffineMap.scaling(x: .infinity, y: 1).inverse == nil)
    #expect(AffineMap.scaling(x: .leastNonzeroMagnitude, y: 1).inverse == nil)
    #expect(AffineMap.scaling(x: 0x1p-700, y: 0x1p-700).inverse == .scaling(x: 0x1p700, y: 0x1p700))
  }

  @Test func aBoxIsTheHullOfItsCorners() {
    var generator = SplitMix(seed: 3)
    for _ in 0..<1000 {
      let map = Self.random(&generator)
      let box = CornerBox(minX: -2, minY: 1, maxX: 3, maxY: 5)
      let corners = [(-2.0, 1.0), (3, 1), (-2, 5), (3, 5)].map { map(x: $0.0, y: $0.1) }
      let hull = map(box)
      #expect(abs(hull.minX - (corners.map(\.x).min() ?? .nan)) < 1e-12)
      #expect(abs(hull.maxX - (corners.map(\.x).max() ?? .nan)) < 1e-12)
      #expect(abs(hull.minY - (corners.map(\.y).min() ?? .nan)) < 1e-12)
      #expect(abs(hull.maxY - (corners.map(\.y).max() ?? .nan)) < 1e-12)
    }
    let box = CornerBox(minX: 1, minY: 2, maxX: 4, maxY: 8)
    #expect(quarter(box) == CornerBox(minX: 2, minY: 21, maxX: 8, maxY: 24))
    #expect(AffineMap.identity(box) == box)
    let inverted = CornerBox(minX: 4, minY: 2, maxX: 1, maxY: 8)
    #expect(AffineMap.scaling(x: -1, y: 1)(inverted).width == -3)
  }

  @Test func codableByName() throws {
    let data = try JSONEncoder().encode(quarter)
    #expect(try JSONDecoder().decode(AffineMap.self, from: data) == quarter)
    let object = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Double])
    #expect(object == ["a": 0, "b": -1, "c": 1, "d": 0, "tx": 10, "ty": 20])
  }
}
