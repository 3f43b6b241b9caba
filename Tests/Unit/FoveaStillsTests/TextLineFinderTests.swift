// Fovea - tests of lines of text that are found by their ink.
// SPDX-License-Identifier: Apache-2.0
import FoveaGeometry
import FoveaStills
import Foundation
import Testing

@Suite struct TextLineFinderTests {
  /// A page of 400 x 300 units: five lines of letters that are drawn with bars.
  private struct Page {
    /// Left edges, feet and numbers of letters of the lines.
    static let lines: [(x: Double, feet: Double, letters: Int)] = [
      (40, 60, 20), (40, 100, 17), (60, 140, 15), (40, 190, 20), (40, 230, 9),
    ]
    static let pitch = 14.0

    /// Whether there is ink at a point of the page: letters with two strokes and a foot; each third one
    /// is high, each fifth one reaches below the feet; each sixth is a space.
    static func hasInk(_ p: SIMD2<Double>) -> Bool {
      for line in lines where p.y > line.feet - 20 && p.y < line.feet + 5 {
        let index = Int(((p.x - line.x) / pitch).rounded(.down))
        guard p.x >= line.x, index < line.letters, index % 6 != 5 else { continue }
        let x = p.x - line.x - Double(index) * pitch
        let up = line.feet - p.y
        let top = index % 3 == 0 ? 20.0 : 14.0
        let bottom = index % 5 == 1 ? -5.0 : 0.0
        if x < 3, up > bottom, up < top { return true }
        if x >= 7, x < 10, up > 0, up < 14 { return true }
        if x < 10, up > 0, up < 3 { return true }
      }
      return false
    }

    /// Where the ink of a line lies.
    static func corners(_ index: Int) -> [SIMD2<Double>] {
      let line = lines[index]
      let right = line.x + Double(line.letters - 1) * pitch + 10
      let (top, bottom) = (line.feet - 20, line.feet + 5)
      return [
        SIMD2(line.x, top), SIMD2(right, top), SIMD2(right, bottom), SIMD2(line.x, bottom),
      ]
    }
  }

  /// The page as a camera sees it whose corners lie at `corners`.
  private func picture(_ map: PerspectiveMap, light: Bool = false) throws -> GrayImage {
    let inverse = try #require(map.inverse)
    var pixels: [UInt8] = []
    for row in 0..<400 {
      for column in 0..<480 {
        var covered = 0
        for sample in 0..<4 {
          let point = SIMD2(
            Double(column) + Double(sample % 2) / 2 + 0.25,
            Double(row) + Double(sample / 2) / 2 + 0.25)
          if Page.hasInk(inverse(point)) { covered += 1 }
        }
        let level = 220 - covered * 45
        pixels.append(UInt8(light ? 255 - level : level))
      }
    }
    return GrayImage(width: 480, height: 400, pixels: pixels)
  }

  private func turned(_ degrees: Double) throws -> PerspectiveMap {
    let angle = degrees * .pi / 180
    let corners = [SIMD2(-200.0, -150), SIMD2(200, -150), SIMD2(200, 150), SIMD2(-200, 150)]
      .map { p in
        SIMD2(
          240 + p.x * cos(angle) - p.y * sin(angle), 200 + p.x * sin(angle) + p.y * cos(angle))
      }
    return try #require(PerspectiveMap(rectangle: 400, 300, to: corners))
  }

  private func check(_ map: PerspectiveMap, light: Bool = false) throws {
    let lines = try TextLineFinder(picture(map, light: light)).lines()
    #expect(lines.count == Page.lines.count)
    for (index, line) in lines.enumerated() where index < Page.lines.count {
      #expect(line.isLight == light)
      // The last line has few letters, and its strokes say little.
      let tolerance = index == 4 ? 4.5 : 3.5
      for (found, expected) in zip(line.quad.corners, Page.corners(index).map { map($0) }) {
        let miss = found - expected
        #expect((miss * miss).sum().squareRoot() < tolerance, "line \(index): \(miss)")
      }
    }
  }

  @Test(arguments: [-33.0, 0, 8]) func turnedLinesHaveTheirCorners(
    _ degrees: Double
  ) throws {
    try check(turned(degrees))
  }

  @Test func lightLinesAreFound() throws {
    try check(turned(5), light: true)
  }

  @Test func perspectiveIsFollowed() throws {
    let corners = [SIMD2(60.0, 50), SIMD2(450.0, 10), SIMD2(410.0, 370), SIMD2(30.0, 300)]
    try check(try #require(PerspectiveMap(rectangle: 400, 300, to: corners)))
  }

  @Test func picturesWithoutTextHaveNoLines() throws {
    for size in [1, 2, 7, 64] {
      let flat = GrayImage(
        width: size, height: size, pixels: [UInt8](repeating: 90, count: size * size))
      #expect(try TextLineFinder(flat).lines().isEmpty)
    }
    // One disc, and a ramp.
    let pixels = (0..<200 * 100).map { index -> UInt8 in
      let (x, y) = (index % 200 - 100, index / 200 - 50)
      return x * x + y * y < 900 ? 20 : UInt8(100 + index % 200 / 2)
    }
    let disc = GrayImage(width: 200, height: 100, pixels: pixels)
    #expect(try TextLineFinder(disc).lines().isEmpty)
  }

  @Test func reducedPicturesAreMeans() {
    let picture = GrayImage(width: 5, height: 3, pixels: (0..<15).map { UInt8($0 * 2) })
    #expect(picture.reduced(by: 2) == GrayImage(width: 2, height: 1, pixels: [6, 10]))
    #expect(picture.reduced(by: 1) == picture)
  }
}
