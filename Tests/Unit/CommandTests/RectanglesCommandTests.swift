// Fovea - tests of fovea rectangles and fovea rectify.
// SPDX-License-Identifier: Apache-2.0
import Foundation
import Fovea
import FoveaTestSupport
import Testing

@Suite struct RectanglesCommandTests {
  /// A sheet whose corners lie at (60, 40), (220, 40), (220, 160) and (60, 160), of four colors.
  private static let sheet = [60.0, 40, 220, 40, 220, 160, 60, 160]

  /// The color of a pixel: the sheet's quarters differ, the ground is dark and gets lighter.
  private static func color(_ x: Int, _ y: Int) -> [UInt8] {
    guard (60..<220).contains(x), (40..<160).contains(y) else {
      return [UInt8](repeating: UInt8(30 + x / 16), count: 3)
    }
    return switch (x < 140, y < 100) {
    case (true, true): [240, 200, 200]
    case (false, true): [200, 240, 200]
    case (true, false): [200, 200, 240]
    case (false, false): [235, 235, 170]
    }
  }

  private func picture() throws -> (folder: TemporaryFolder, path: String) {
    let folder = try TemporaryFolder()
    var rgb: [UInt8] = []
    for y in 0..<200 { for x in 0..<280 { rgb += Self.color(x, y) } }
    let path = folder.path("sheet.png")
    try Image(width: 280, height: 200, rgb: rgb).write(to: path, as: .png)
    return (folder, path)
  }

  @Test func cornersAreWrittenInPixels() throws {
    let (folder, picture) = try picture()
    defer { folder.remove() }
    let run = try CommandRun.fovea([
      "rectangles", picture, "--json", "--draw", folder.path("drawn-{}.png"),
    ])
    #expect(run.status == 0, "\(run.errors)")
    let image = try #require((try run.json()["images"] as? [[String: Any]])?.first)
    #expect(image["image"] as? String == picture)
    let found = try #require(image["rectangles"] as? [[String: Any]])
    let sheet = try #require(found.first)
    let corners = try #require(sheet["corners"] as? [[Double]])
    #expect(corners.count == 4)
    for (value, expected) in zip(corners.joined(), Self.sheet) {
      #expect(abs(value - expected) < 0.5, "\(corners)")
    }
    #expect((0.5...1).contains(try #require(sheet["confidence"] as? Double)))
    // The drawing is the picture, of which some pixels are painted over.
    let drawn = try Image(contentsOf: folder.path("drawn-sheet.png"))
    let original = try Image(contentsOf: picture)
    #expect(drawn.width == 280 && drawn.height == 200)
    let changed = zip(drawn.rgb, original.rgb).filter { $0 != $1 }.count
    #expect((1_000..<84_000).contains(changed))
  }

  @Test func tableHasALineForEachRectangle() throws {
    let (folder, picture) = try picture()
    defer { folder.remove() }
    let one = try CommandRun.fovea(["rectangles", picture, "--maximum", "1"])
    #expect(one.status == 0)
    let lines = one.output.split(separator: "\n")
    #expect(lines.count == 3 && lines.first == Substring(picture))
    #expect(lines.last?.contains("220.0, 160.0") == true, "\(one.output)")
    let none = try CommandRun.fovea(["rectangles", picture, "--minimum-size", "0.9"])
    #expect(none.status == 0 && none.output.split(separator: "\n").count == 2)
  }

  @Test func cornersBecomeAnUprightPicture() throws {
    let (folder, picture) = try picture()
    defer { folder.remove() }
    func rectify(_ options: [String]) throws -> Image {
      let output = folder.path("page.png")
      let run = try CommandRun.fovea(["rectify", picture, "-o", output] + options)
      #expect(run.status == 0, "\(run.errors)")
      return try Image(contentsOf: output)
    }
    let size = ["--width", "160", "--height", "120"]
    let corners = Self.sheet.map { "\($0)" }.joined(separator: ",")
    let page = try rectify(["--corners", corners] + size)
    let expected = (40..<160).flatMap { y in (60..<220).flatMap { x in Self.color(x, y) } }
    #expect(page.width == 160 && page.height == 120 && page.rgb == expected)
    // From the lower left corner of the image: turned by a quarter.
    let turned = try rectify(["--corners", "60,160,60,40,220,40,220,160", "--width", "120"])
    #expect(turned.width == 120 && abs(turned.height - 160) < 8)
    #expect(Array(turned.rgb[0..<3]) == Self.color(61, 159))
    // Without corners, the sheet is found: it has the ratio of its sides, and its colors inside.
    let found = try rectify([])
    #expect(abs(found.width - 160) < 8 && abs(found.height - 120) < 8)
    for (x, y) in [(20, 20), (140, 20), (20, 100), (140, 100)] {
      let at = 3 * (y * found.width + x)
      #expect(Array(found.rgb[at..<at + 3]) == Self.color(60 + x, 40 + y))
    }
  }

  @Test func wrongUsesAreExplained() throws {
    let (folder, picture) = try picture()
    defer { folder.remove() }
    let page = folder.path("page.png")
    let uses: [(arguments: [String], status: Int32, text: String)] = [
      (["rectangles"], 2, "IMAGE"),
      (["rectangles", picture, "--tolerance", "50"], 2, "0...45"),
      (["rectangles", picture, "--minimum-size", "2"], 2, "--minimum-size"),
      (["rectangles", picture, "--maximum", "65"], 2, "--maximum"),
      (["rectangles", folder.path("missing.png")], 1, "missing.png"),
      (["rectify", picture], 2, "-o"),
      (["rectify", picture, "-o", folder.path("page.svg")], 2, ".png"),
      (["rectify", picture, "-o", page, "--corners", "1,2,3"], 2, "eight numbers"),
      (["rectify", picture, "-o", page, "--corners", "0,0,9,9,9,0,0,9"], 1, "convex"),
      (["rectify", picture, "-o", page, "--width", "16385"], 2, "--width"),
      (["rectify", folder.path("missing.png"), "-o", page], 1, "missing.png"),
    ]
    for (arguments, status, text) in uses {
      let run = try CommandRun.fovea(arguments)
      #expect(run.status == status, "\(arguments): \(run.errors)")
      #expect(run.errors.contains(text), "\(arguments): \(run.errors)")
    }
    #expect(!FileManager.default.fileExists(atPath: page))
  }
}
