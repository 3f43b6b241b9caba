// Fovea - tests of fovea inspect on stored ML Programs.
// SPDX-License-Identifier: Apache-2.0
import Foundation
import FoveaTestSupport
import Testing

@Suite(.enabled(if: SharedData.isPresent)) struct InspectProgramTests {
  private func json(_ name: String, _ options: String...) throws -> [String: Any] {
    let run = try CommandRun.fovea(["inspect", "--json", StoredCase(name).model] + options)
    #expect(run.status == 0, "\(name): \(run.errors)")
    return try run.json()
  }

  @Test func functionsAreListed() throws {
    let path = try StoredCase("multifunction").model
    let text = try CommandRun.fovea(["inspect", path, "--function", "small"])
    #expect(text.status == 0, "\(text.errors)")
    #expect(text.output.contains("shown here") && text.output.contains("--function large"))
    let document = try json("multifunction", "--function", "small")
    let functions = try #require(document["functions"] as? [[String: Any]])
    #expect(functions.compactMap { $0["name"] as? String }.sorted() == ["large", "small"])
    #expect(functions.first { $0["isShown"] as? Bool == true }?["name"] as? String == "small")
    let inputs = try #require(document["inputs"] as? [[String: Any]])
    #expect(inputs[0]["shape"] as? [Int] == [64, 64, 3])
  }

  @Test func otherSizesAreSaid() throws {
    let images = try json("flexible-enumerated-image", "--size", "64x64")
    let image = try #require((images["inputs"] as? [[String: Any]])?.first)
    #expect(image["shape"] as? [Int] == [64, 64, 3])
    #expect(image["allowed"] as? String == "128x96, 64x64, 96x128")
    let arrays = try json("flexible-range")
    let array = try #require((arrays["inputs"] as? [[String: Any]])?.first)
    #expect((array["allowed"] as? String)?.contains(" to ") == true)
  }

  @Test func operationsAreCounted() throws {
    for name in ["pipeline-yolov8-nms-agnostic", "ops-slices", "rtdetr-fp16-ios18"] {
      let info = try #require(try SharedData.json("mlprogram/\(name)/info.json") as? [String: Any])
      let expected = try #require(info["operations"] as? [String: Int])
        .filter { $0.key != "const" && !$0.key.hasPrefix("constexpr_") }
      let programs = try #require(try json(name)["programs"] as? [[String: Any]])
      #expect(programs.count == 1 && programs[0]["operations"] as? [String: Int] == expected)
    }
  }

  /// Cases and what their coded weights are called.
  static let encodings: [(String, String)] = [
    ("enc-fp16-ios16", "float16"), ("enc-palette8-ios16", "8-bit palette"),
    ("enc-palette1-ios16", "1-bit palette"), ("enc-palette6-ios16", "6-bit palette"),
    ("enc-palette3-grouped-ios18", "3-bit palette, "),
    ("enc-palette4-grouped-ios18", "4-bit palette, "),
    ("enc-palette-vector2-ios18", ", vectors of 2"),
    ("enc-palette4-int8-tables-ios18", "table in int8"),
    ("enc-palette4-scaled-ios18", "table in float16 per channel"),
    ("enc-int4-block-ios18", "int4 in blocks of "),
    ("enc-uint4-block-ios18", "uint4 in blocks of "),
    ("enc-int8-block-ios18", "int8 in blocks of "), ("enc-int8-ios18", "int8 per channel"),
    ("enc-w8-asymmetric-ios16", "int8 per "), ("enc-w8-symmetric-ios16", "int8 per "),
    ("enc-sparse-ios16", "sparse float16"), ("enc-sparse-int8-ios18", "sparse int8 per channel"),
    ("enc-sparse-palette4-ios18", "sparse 4-bit palette"),
    ("compiled-enc-palette4-ios16", "4-bit palette"),
  ]

  @Test(arguments: encodings)
  func encodingsAreNamed(_ name: String, _ words: String) throws {
    let document = try json(name)
    let programs = try #require(document["programs"] as? [[String: Any]])
    let rows = try #require(programs.first?["constants"] as? [[String: Any]])
    let names = rows.compactMap { $0["encoding"] as? String }
    #expect(names.contains { $0.contains(words) }, "\(name): \(names)")
    #expect(!names.contains { $0.contains("constexpr") })
    // What is stored fits into the files.
    let bytes = rows.compactMap { $0["bytes"] as? Int }.reduce(0, +)
    let fileBytes = try #require(document["fileBytes"] as? Int)
    #expect(bytes > 0 && bytes <= fileBytes)
  }
}
