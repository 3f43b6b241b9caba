// Fovea - tests of what networks of text give, and how it is read.
// SPDX-License-Identifier: Apache-2.0
import FoveaStills
import FoveaTestSupport
import Foundation
import Testing

@Suite struct TextNetworkTests {
  private let decoder = CTCDecoder(table: CharacterTable(characters: ["a", "b", " "]))

  private func decode(_ rows: [[Float]]) -> [CTCDecoder.Character] {
    rows.flatMap { $0 }.withUnsafeBufferPointer {
      decoder.characters(Span(_unsafeElements: $0), columns: rows.count)
    }
  }

  @Test func equalNeighborsAreOneCharacterAndBlanksPartThem() {
    let (blank, a, b): ([Float], [Float], [Float]) = (
      [0.9, 0.05, 0.05, 0], [0.1, 0.8, 0.1, 0], [0, 0.4, 0.6, 0]
    )
    let found = decode([blank, a, [0.05, 0.9, 0.05, 0], blank, a, b, b, blank])
    #expect(found.map(\.text) == ["a", "a", "b"])
    #expect(found.map(\.column) == [2, 4, 5])
    for (value, expected) in zip(found.map(\.confidence), [0.9, 0.8, 0.6]) {
      #expect(abs(value - expected) < 1e-6)
    }
    #expect(found[2].second == "a" && abs(found[2].secondConfidence - 0.4) < 1e-6)
    #expect(decode([blank, blank]).isEmpty)
    #expect(decode([]).isEmpty)
  }

  @Test func scoresThatAreNoProbabilitiesAreMadeSome() {
    // exp(2) of exp(0) + exp(2) + exp(-1) + exp(0).
    let found = decode([[0, 2, -1, 0]])
    #expect(found.map(\.text) == ["a"])
    let expected = exp(2.0) / (2 + exp(2.0) + exp(-1.0))
    #expect(abs((found.first?.confidence ?? 0) - expected) < 1e-6)
    // What is not finite ends nothing.
    _ = decode([[.nan, .nan, .nan, .nan], [.infinity, 0, 0, 0], [0, .infinity, 0, -.infinity]])
  }

  @Test func dictionariesHaveOneCharacterALine() {
    let lines = Array("x\r\ny\nä\n".utf8)
    #expect(CharacterTable(lines: lines, classes: 4)?.texts == ["", "x", "y", "ä"])
    #expect(CharacterTable(lines: lines, classes: 5)?.texts == ["", "x", "y", "ä", " "])
    #expect(CharacterTable(lines: lines, classes: 6) == nil)
    #expect(CharacterTable(lines: lines, classes: 3) == nil)
    #expect(CharacterTable(lines: [UInt8](), classes: 1)?.texts == [""])
  }

  @Test func inkPartsCharacters() {
    // Two letters with a gap, a space, and one more: columns 1-3, 5-6, 12-13; rows 2-4.
    var pixels = [UInt8](repeating: 235, count: 16 * 8)
    for column in [1, 2, 3, 5, 6, 12, 13] {
      for row in 2..<5 { pixels[row * 16 + column] = 10 }
    }
    let ink = InkColumns(GrayImage(width: 16, height: 8, pixels: pixels), level: 150)
    let bounds = ink.bounds(of: [2, 5.5, 9, 12], spaces: [false, false, true, false])
    #expect(bounds[0] == 1...4 && bounds[1] == 5...7 && bounds[3] == 12...14)
    #expect(ink.rows(in: 1...4) == 2...5)
    #expect(ink.rows(in: 8...10) == 0...8)
  }

  @Test func leastRectanglesAreTurnedAsTheirPoints() throws {
    for degrees in [-40.0, -3, 0, 10, 44] {
      let angle = degrees * .pi / 180
      let (along, across) = (SIMD2(cos(angle), sin(angle)), SIMD2(-sin(angle), cos(angle)))
      let points = (0...10).flatMap { i in
        [0.0, 3, 8].map { SIMD2(50.0, 40) + Double(i) * 6 * along + $0 * across }
      }
      let quad = try #require(TextRegions.leastRectangle(around: points))
      let expected = [
        SIMD2(50.0, 40), SIMD2(50.0, 40) + 60 * along, SIMD2(50.0, 40) + 60 * along + 8 * across,
        SIMD2(50.0, 40) + 8 * across,
      ]
      for (a, b) in zip(quad.corners, expected) {
        #expect(((a - b) * (a - b)).sum() < 1e-12)
      }
    }
    #expect(TextRegions.leastRectangle(around: [SIMD2(1, 1), SIMD2(2, 2)]) == nil)
  }

  @Test func regionsOfLikelyTextGrow() throws {
    // 60 x 8 pixels of likelihood 0.8; the growth is 1.6 * 480 / 136.
    var pixels = [UInt8](repeating: 0, count: 100 * 40)
    for row in 16..<24 { for column in 20..<80 { pixels[row * 100 + column] = 204 } }
    // Less likely, and left out.
    for row in 30..<36 { for column in 20..<80 { pixels[row * 100 + column] = 90 } }
    let quads = try TextRegions.quads(in: GrayImage(width: 100, height: 40, pixels: pixels))
    let grow = 1.6 * 480 / 136
    #expect(quads.count == 1)
    let corners = try #require(quads.first).corners
    for (a, b) in zip(
      corners,
      [
        SIMD2(20 - grow, 16 - grow), SIMD2(80 + grow, 16 - grow), SIMD2(80 + grow, 24 + grow),
        SIMD2(20 - grow, 24 + grow),
      ])
    {
      #expect(((a - b) * (a - b)).sum() < 1e-12)
    }
  }

  @Test func otherFilesAreRefused() throws {
    let path = "/no/such/folder/network.onnx"
    #expect(throws: StillError.self) { try TextRecognizer(contentsOf: path) }
    #expect(throws: StillError.self) { try TextDetector(contentsOf: path) }
  }
}
