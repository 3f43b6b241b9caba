// Fovea - fovea inspect --plan.
// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@Suite struct PlanTests {
  private struct Block {
    var first, last, offset, bytes: Int
  }

  private func blocks(_ document: [String: Any]) throws -> (blocks: [Block], arena: Int) {
    let plan = try #require(document["plan"] as? [String: Any])
    let blocks = try #require(plan["blocks"] as? [[String: Any]]).map { block in
      Block(
        first: try #require(block["first"] as? Int), last: try #require(block["last"] as? Int),
        offset: try #require(block["offset"] as? Int), bytes: try #require(block["bytes"] as? Int))
    }
    return (blocks, try #require(plan["arenaBytes"] as? Int))
  }

  /// Results that are in use at the same time lie apart, except those that share one place from a
  /// first to a last byte: an operation that works in place.
  @Test(arguments: ["float", "int8", "blas", "reference"])
  func whatLivesAtTheSameTimeLiesApart(_ backend: String) throws {
    let files = try ExampleFiles()
    defer { files.remove() }
    let run = try CommandRun.fovea([
      "inspect", "--plan", "--json", "--backend", backend, files.model,
    ])
    #expect(run.status == 0)
    let (blocks, arena) = try blocks(run.json())
    #expect(blocks.count > 3)
    for (index, a) in blocks.enumerated() {
      #expect(a.offset >= 0 && a.offset + a.bytes <= arena && a.first <= a.last)
      for b in blocks.dropFirst(index + 1) where a.first <= b.last && b.first <= a.last {
        let apart = a.offset + a.bytes <= b.offset || b.offset + b.bytes <= a.offset
        #expect(apart || (a.offset == b.offset && a.bytes == b.bytes), "\(a) and \(b)")
      }
    }
  }

  @Test func theTableNamesThePeak() throws {
    let files = try ExampleFiles()
    defer { files.remove() }
    let run = try CommandRun.fovea(["inspect", "--plan", "--backend", "float", files.model])
    #expect(run.status == 0)
    #expect(run.output.contains("plan of the arena:"))
    #expect(run.output.contains("float32 channels last"))
    #expect(run.output.contains("live at a time"))
  }

  @Test func theDrawingHasARectangleForEveryResult() throws {
    let files = try ExampleFiles()
    defer { files.remove() }
    let drawing = files.model + ".svg"
    let run = try CommandRun.fovea(
      ["inspect", "--plan", "--json", "--plan-svg", drawing, "--backend", "float", files.model])
    #expect(run.status == 0)
    let svg = try String(contentsOfFile: drawing, encoding: .utf8)
    let count = try blocks(run.json()).blocks.count
    #expect(svg.hasPrefix("<svg ") && svg.hasSuffix("</svg>\n"))
    // One more is the ground.
    #expect(svg.components(separatedBy: "<rect ").count - 1 == count + 1)
  }

  @Test func aDrawingThatCannotBeWrittenFails() throws {
    let files = try ExampleFiles()
    defer { files.remove() }
    let run = try CommandRun.fovea(["inspect", "--plan-svg", "/nowhere/plan.svg", files.model])
    #expect(run.status == 1)
    #expect(run.errors.contains("/nowhere/plan.svg"))
  }
}
