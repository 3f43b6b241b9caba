// Fovea - tests of the requests on text, on a page whose letters are drawn.
// SPDX-License-Identifier: Apache-2.0
import FoveaGeometry
import FoveaImaging
import FoveaStills
import FoveaTestSupport
import Testing

@Suite struct TextPageTests {
  private let page = DrawnText.sample
  /// In pixels: the feet of a few capitals leave the slope of a line uncertain.
  private let lineTolerance = 5.0
  private let texts = ["THE MAN WAITED", "TWELVE MEN TALK", "FIVE WHITE LAKE"]

  private func image(upsideDown: Bool = false) throws -> Image {
    try Image(
      width: page.width, height: page.height, rgb: upsideDown ? page.upsideDown : page.rgb)
  }

  /// Left, top, right and bottom of a thing, in pixels of the page from its upper left.
  private func box(_ thing: some QuadrilateralProviding) -> SIMD4<Double> {
    let box = thing.boundingBox
    let (width, height) = (Double(page.width), Double(page.height))
    return SIMD4(
      box.x * width, (1 - box.y - box.height) * height, (box.x + box.width) * width,
      (1 - box.y) * height)
  }

  /// Left, top, right and bottom of letters.
  private func box(_ letters: some Sequence<DrawnText.Letter>) -> SIMD4<Double> {
    letters.reduce(SIMD4(.infinity, .infinity, -.infinity, -.infinity)) { box, letter in
      SIMD4(
        min(box.x, letter.left), min(box.y, letter.top), max(box.z, letter.right),
        max(box.w, letter.bottom))
    }
  }

  private func farthest(_ a: SIMD4<Double>, _ b: SIMD4<Double>) -> Double {
    pointwiseMax(a - b, b - a).max()
  }

  private func strings(_ lines: [RecognizedTextObservation]) -> [String] {
    lines.map { $0.topCandidates(1).first?.string ?? "" }
  }

  @Test func linesAreReadAndTheirWordsFound() throws {
    let lines = try RecognizeTextRequest().perform(on: image())
    #expect(strings(lines) == texts)
    for (line, letters) in zip(lines, page.lines) {
      #expect(line.confidence > 0.8)
      #expect(farthest(box(line), box(letters)) < lineTolerance)
      let best = try #require(line.topCandidates(1).first)
      var first = 0
      for word in best.string.split(separator: " ") {
        let found = try #require(best.boundingBox(for: word.startIndex..<word.endIndex))
        #expect(farthest(box(found), box(letters[first..<first + word.count])) < 4, "\(word)")
        first += word.count
      }
    }
  }

  /// Nothing but the letters tells that a page is upside down.
  @Test func upsideDownPagesAreTurned() throws {
    var request = RecognizeTextRequest()
    let lines = try request.perform(on: image(upsideDown: true))
    #expect(strings(lines) == texts)
    let first = try #require(lines.first)
    // The upper left of the text is the lower right of the picture.
    #expect(abs(first.topLeft.x - (1 - 39.0 / 300)) < 0.02)
    #expect(abs(first.topLeft.y - 39.0 / 140) < 0.04)
    #expect(first.topRight.x < first.topLeft.x && first.bottomLeft.y > first.topLeft.y)
    request.recognitionLevel = .fast
    #expect(strings(try request.perform(on: image(upsideDown: true))) != texts)
  }

  @Test func regionsAndHeightsLeaveLinesOut() throws {
    var request = RecognizeTextRequest()
    request.regionOfInterest = NormalizedRect(x: 0, y: 0, width: 1, height: 0.55)
    let lines = try request.perform(on: image())
    #expect(strings(lines) == Array(texts.dropFirst()))
    #expect(farthest(box(try #require(lines.first)), box(page.lines[1])) < 4)
    request = RecognizeTextRequest()
    request.minimumTextHeightFraction = 0.3
    #expect(try request.perform(on: image()).isEmpty)
  }

  @Test func linesAreFoundWithBoxesOfCharacters() throws {
    var request = DetectTextRectanglesRequest()
    let plain = try request.perform(on: image())
    #expect(plain.count == 3 && plain.allSatisfy { $0.characterBoxes == nil })
    request.reportCharacterBoxes = true
    let lines = try request.perform(on: image())
    #expect(lines.count == 3)
    for (line, letters) in zip(lines, page.lines) {
      #expect(farthest(box(line), box(letters)) < lineTolerance)
      #expect((0...1).contains(line.confidence))
      let boxes = try #require(line.characterBoxes)
      #expect(boxes.count == letters.count)
      for (found, letter) in zip(boxes, letters) {
        #expect(farthest(box(found), box([letter])) < 3, "\(letter.text)")
      }
    }
  }
}
