// Fovea - tests of fovea text.
// SPDX-License-Identifier: Apache-2.0
import Foundation
import Fovea
import FoveaTestSupport
import Testing

@Suite struct TextCommandTests {
  private let page = DrawnText.sample

  private func picture(in folder: TemporaryFolder) throws -> String {
    let path = folder.path("page.png")
    try Image(width: page.width, height: page.height, rgb: page.rgb).write(to: path, as: .png)
    return path
  }

  /// Whether four corners, the upper left first, are those of letters, to `tolerance` pixels.
  private func isAround(
    _ letters: some Collection<DrawnText.Letter>, _ corners: Any?, tolerance: Double
  ) -> Bool {
    guard let corners = corners as? [[Double]], corners.count == 4, let first = letters.first,
      let right = letters.map(\.right).max()
    else { return false }
    let expected = [
      [first.left, first.top], [right, first.top], [right, first.bottom],
      [first.left, first.bottom],
    ]
    return zip(corners, expected).allSatisfy { found, expected in
      found.count == 2 && hypot(found[0] - expected[0], found[1] - expected[1]) < tolerance
    }
  }

  @Test func linesAreWrittenWithWordsAndCharacters() throws {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    let path = try picture(in: folder)
    let run = try CommandRun.fovea(["text", path, folder.path("missing.png"), "--json"])
    // One image of two fails.
    #expect(run.status == 1 && run.errors.contains("missing.png"))
    let document = try run.json()
    #expect((document["errors"] as? [[String: Any]])?.count == 1)
    let image = try #require((document["images"] as? [[String: Any]])?.first)
    #expect(image["image"] as? String == path)
    let lines = try #require(image["lines"] as? [[String: Any]])
    #expect(
      lines.map { $0["text"] as? String } == [
        "THE MAN WAITED", "TWELVE MEN TALK", "FIVE WHITE LAKE",
      ])
    for (line, letters) in zip(lines, page.lines) {
      #expect(isAround(letters, line["corners"], tolerance: 5))
      #expect((0.8...1).contains(try #require(line["confidence"] as? Double)))
      let words = try #require(line["words"] as? [[String: Any]])
      var first = 0
      for word in words {
        let text = try #require(word["text"] as? String)
        #expect(isAround(letters[first..<first + text.count], word["corners"], tolerance: 5))
        let characters = try #require(word["characters"] as? [[String: Any]])
        #expect(characters.compactMap { $0["text"] as? String }.joined() == text)
        #expect(characters.allSatisfy { ($0["corners"] as? [[Double]])?.count == 4 })
        first += text.count
      }
      #expect(first == letters.count)
    }
  }

  @Test func textIsPrinted() throws {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    let path = try picture(in: folder)
    let run = try CommandRun.fovea(["text", path, "--roi", "0,0,1,0.35", "--level", "fast"])
    #expect(run.status == 0)
    #expect(run.output == "\(path)\n  FIVE WHITE LAKE\n")
  }

  @Test func wrongUsesAreExplained() throws {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    let path = try picture(in: folder)
    let uses: [(arguments: [String], status: Int32, text: String)] = [
      ([], 2, "IMAGE"),
      ([path, "--language", "xyz"], 1, "tesseract-ocr-xyz"),
      ([path, "--language", "eng+"], 2, "recognitionLanguages"),
      ([path, "--language", "../eng"], 2, "recognitionLanguages"),
      ([path, "--level", "best"], 2, "accurate"),
      ([path, "--min-height", "2"], 2, "--min-height"),
      ([path, "--word", ""], 2, "customWords"),
      ([path, "--dictionary", path], 2, "--recognizer"),
      ([path, "--recognizer", "r.onnx", "--word", "a"], 2, "--word is for Tesseract"),
      ([path, "--recognizer", folder.path("no.onnx")], 1, "no.onnx"),
      ([path, "--recognizer", path], 1, "page.png"),
      ([path, "--detector", path], 1, "page.png"),
    ]
    for (arguments, status, text) in uses {
      let run = try CommandRun.fovea(["text"] + arguments)
      #expect(run.status == status, "\(arguments): \(run.errors)")
      #expect(run.errors.contains(text), "\(arguments): \(run.errors)")
      #expect(run.output.isEmpty)
    }
  }
}
