// Fovea - tests of fovea codes.
// SPDX-License-Identifier: Apache-2.0
import Foundation
import Fovea
import FoveaTestSupport
import Testing

@Suite struct CodesCommandTests {
  /// The bars of an EAN-8 with the digits 96385074: 1 for dark, from its specification.
  private static let bars: [Bool] = {
    let left = [
      "0001101", "0011001", "0010011", "0111101", "0100011", "0110001", "0101111", "0111011",
      "0110111", "0001011",
    ]
    func digits(_ digits: [Int]) -> String { digits.map { left[$0] }.joined() }
    let right = digits([5, 0, 7, 4]).map { $0 == "0" ? "1" : "0" }.joined()
    return ("101" + digits([9, 6, 3, 8]) + "01010" + right + "101").map { $0 == "1" }
  }()

  /// Where the code lies: bars of 4 x 100 pixels from (66, 50) on.
  private static let corners = [[66.0, 50], [334, 50], [334, 150], [66, 150]]

  private func picture(in folder: TemporaryFolder) throws -> String {
    var rgb = [UInt8](repeating: 240, count: 400 * 200 * 3)
    for row in 50..<150 {
      for column in 66..<334 where Self.bars[(column - 66) / 4] {
        for channel in 0..<3 { rgb[3 * (row * 400 + column) + channel] = 20 }
      }
    }
    let path = folder.path("code.png")
    try Image(width: 400, height: 200, rgb: rgb).write(to: path, as: .png)
    return path
  }

  @Test func codesAreWrittenAndDrawn() throws {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    let path = try picture(in: folder)
    let run = try CommandRun.fovea([
      "codes", path, folder.path("missing.png"), "--json", "--draw", folder.path("{}-found.png"),
    ])
    // One image of two fails.
    #expect(run.status == 1 && run.errors.contains("missing.png"))
    let document = try run.json()
    #expect((document["errors"] as? [[String: Any]])?.count == 1)
    let image = try #require((document["images"] as? [[String: Any]])?.first)
    #expect(image["image"] as? String == path)
    let codes = try #require(image["codes"] as? [[String: Any]])
    #expect(codes.count == 1)
    let code = try #require(codes.first)
    #expect(Set(code.keys) == ["payload", "symbology", "corners", "confidence"])
    #expect(code["payload"] as? String == "96385074" && code["symbology"] as? String == "ean8")
    #expect((0...1).contains(try #require(code["confidence"] as? Double)))
    let corners = try #require(code["corners"] as? [[Double]])
    for (found, expected) in zip(corners, Self.corners) {
      #expect(hypot(found[0] - expected[0], found[1] - expected[1]) < 3, "\(corners)")
    }
    // Sides of the code are orange, as codes are in the sample.
    let drawn = try Image(contentsOf: folder.path("code-found.png"))
    let orange = stride(from: 0, to: drawn.rgb.count, by: 3).count { at in
      drawn.rgb[at] > 220 && (120..<200).contains(drawn.rgb[at + 1]) && drawn.rgb[at + 2] < 90
    }
    #expect(drawn.width == 400 && orange > 400)
  }

  @Test func codesArePrinted() throws {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    let path = try picture(in: folder)
    let run = try CommandRun.fovea(["codes", path, "--symbology", "EAN8,qr", "--one", "--fast"])
    #expect(run.status == 0, "\(run.errors)")
    let lines = run.output.split(separator: "\n")
    #expect(lines.count == 2 && lines.first == Substring(path))
    #expect(lines.last?.hasPrefix("  ean8  ") == true && lines.last?.hasSuffix("96385074") == true)
    let others = try CommandRun.fovea(["codes", path, "--symbology", "aztec"])
    #expect(others.status == 0 && others.output == "\(path)\n")
  }

  @Test func wrongUsesAreExplained() throws {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    let path = try picture(in: folder)
    let uses: [(arguments: [String], status: Int32, text: String)] = [
      ([], 2, "IMAGE"),
      ([path, "--symbology", "ean9"], 2, "--symbology has \"ean9\""),
      ([path, "--symbology", "qr,"], 2, "--symbology has \"\""),
      ([path, "--roi", "0,0,2,1"], 2, "--roi"),
      ([path, "--orientation", "9"], 2, "--orientation"),
      ([path, "--draw", folder.path("found.gif")], 2, "--draw"),
      ([path, path, "--draw", folder.path("found.png")], 2, "{}"),
      ([folder.path("missing.png")], 1, "missing.png"),
    ]
    for (arguments, status, text) in uses {
      let run = try CommandRun.fovea(["codes"] + arguments)
      #expect(run.status == status, "\(arguments): \(run.errors)")
      #expect(run.errors.contains(text), "\(arguments): \(run.errors)")
      #expect(run.output.isEmpty)
    }
  }
}
