// Fovea - tests of text that Tesseract reads.
// SPDX-License-Identifier: Apache-2.0
import FoveaGeometry
import FoveaImaging
import FoveaStills
import FoveaTestSupport
import Foundation
import Testing

@Suite struct TextReadingTests {
  /// The number of insertions, deletions and substitutions between two texts.
  private func distance(_ a: String, _ b: String) -> Int {
    let (a, b) = (Array(a), Array(b))
    var row = Array(0...b.count)
    for i in 0..<a.count {
      var corner = row[0]
      row[0] = i + 1
      for j in 0..<b.count {
        let value = min(row[j] + 1, row[j + 1] + 1, corner + (a[i] == b[j] ? 0 : 1))
        (corner, row[j + 1]) = (row[j + 1], value)
      }
    }
    return row[b.count]
  }

  private struct Truth: Decodable {
    struct Line: Decodable {
      var text: String
      var corners: [[Double]]
    }
    struct Picture: Decodable {
      var image: String
      var width: Double
      var height: Double
      var lines: [Line]
    }
    var images: [Picture]
  }

  /// Photographs of cards and labels that are seen from the side, which Tesseract alone reads badly.
  @Test(.enabled(if: SharedData.isPresent), arguments: ["text/005-card.jpg", "text/021-card.jpg"])
  func photographsAreRead(_ name: String) throws {
    let json = Data(try SharedData.bytes("stills/text.json"))
    let truth = try #require(
      try JSONDecoder().decode(Truth.self, from: json).images.first { $0.image == name })
    let image = try ImageFile(contentsOf: SharedData.url("stills/" + name).path)
    let lines = try RecognizeTextRequest().perform(on: image)
    var errors = 0
    for expected in truth.lines {
      let middle = expected.corners.reduce(SIMD2<Double>.zero) { $0 + SIMD2($1[0], $1[1]) } / 4
      let point = NormalizedPoint(x: middle.x / truth.width, y: 1 - middle.y / truth.height)
      let found = lines.first { line in
        let box = line.boundingBox
        return abs(box.x + box.width / 2 - point.x) < 0.05
          && abs(box.y + box.height / 2 - point.y) < 0.03
      }
      errors += distance(expected.text, found?.topCandidates(1).first?.string ?? "")
    }
    let characters = truth.lines.reduce(0) { $0 + $1.text.count }
    #expect(Double(errors) / Double(characters) < 0.05)
  }

  @Test func missingLanguagesNameTheirPackage() throws {
    let picture = try drawnPicture()
    for (language, package) in [("xyz", "tesseract-ocr-xyz"), ("abc_def", "tesseract-ocr-abc-def")]
    {
      var request = RecognizeTextRequest()
      request.recognitionLanguages = ["eng", language]
      let wanted = request
      #expect {
        try wanted.perform(on: picture)
      } throws: { error in
        if case StillError.libraryUnavailable(let text) = error {
          text.contains(package)
        } else {
          false
        }
      }
    }
  }

  @Test func invalidRequestsAreRefused() throws {
    let picture = try drawnPicture()
    func refuses(_ change: (inout RecognizeTextRequest) -> Void) {
      var request = RecognizeTextRequest()
      change(&request)
      let wanted = request
      #expect {
        try wanted.perform(on: picture)
      } throws: { error in
        if case StillError.invalidRequest = error { true } else { false }
      }
    }
    refuses { $0.recognitionLanguages = [] }
    refuses { $0.recognitionLanguages = ["e n"] }
    refuses { $0.recognitionLanguages = ["../eng"] }
    refuses { $0.customWords = ["two\nlines"] }
    refuses { $0.minimumTextHeightFraction = .nan }
    refuses { $0.regionOfInterest = NormalizedRect(x: 0.5, y: 0.5, width: 0.9, height: 0.1) }
  }

  private func drawnPicture() throws -> Image {
    try Image(width: 40, height: 30, rgb: [UInt8](repeating: 200, count: 3600))
  }

  @Test func answersOfTheProcessAreChecked() throws {
    func number(_ value: Int32) -> [UInt8] {
      withUnsafeBytes(of: value.littleEndian, Array.init)
    }
    func text(_ text: String) -> [UInt8] { number(Int32(text.utf8.count)) + Array(text.utf8) }
    let box = [-3, 2, 50, 9].flatMap { number($0) }
    let confidence = withUnsafeBytes(of: Float(96), Array.init)
    let word = number(1) + number(1) + box + confidence + text("Zo")
    let symbols = number(2) + box + text("Z") + number(2) + box + text("o")
    let answer = word + symbols + number(0)
    let words = try #require(TesseractWord.words(answer, width: 40, height: 30))
    #expect(words.map(\.text) == ["Zo"])
    #expect(words[0].box == SIMD4(0, 2, 40, 9))
    #expect(words[0].symbols.map(\.text) == ["Z", "o"])
    #expect(abs(words[0].confidence - 0.96) < 1e-6)
    // A part, bytes behind the end, and symbols without a word are no answer.
    for count in 0..<answer.count {
      #expect(TesseractWord.words(Array(answer.prefix(count)), width: 40, height: 30) == nil)
    }
    #expect(TesseractWord.words(answer + [0], width: 40, height: 30) == nil)
    #expect(TesseractWord.words(symbols + number(0), width: 40, height: 30) == nil)
    // Any other bytes are, or are not; nothing ends the process.
    var random = SplitMix(seed: 34)
    for _ in 0..<2000 {
      var mutant = answer
      for _ in 0..<Int.random(in: 1...4, using: &random) {
        mutant[Int.random(in: 0..<mutant.count, using: &random)] = .random(
          in: 0...255, using: &random)
      }
      for word in TesseractWord.words(mutant, width: 40, height: 30) ?? [] {
        #expect((0...1).contains(word.confidence) && word.box.max() <= 40 && word.box.min() >= 0)
      }
    }
  }
}
