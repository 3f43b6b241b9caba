// Fovea - the documentation lists the formats and operations that can be run.
// SPDX-License-Identifier: Apache-2.0
import FoveaLowering
import FoveaModelFormat
import FoveaRuntime
import FoveaTestSupport
import Foundation
import Testing

@Suite struct OperationTableTests {
  private static func document() throws -> String {
    try String(
      contentsOf: SharedData.packageRoot.appendingPathComponent(
        "Sources/Fovea/Fovea.docc/WhatFoveaReads.md"), encoding: .utf8)
  }

  /// The words in code of the rows of a table below a heading.
  private static func words(below heading: String) throws -> [String] {
    let sections = try document().components(separatedBy: "\n### ")
    let section = try #require(sections.first { $0.hasPrefix(heading + "\n") })
    return section.split(separator: "\n").filter { $0.hasPrefix("|") }.flatMap { row in
      row.split(separator: "`", omittingEmptySubsequences: false).enumerated()
        .filter { !$0.offset.isMultiple(of: 2) }.map { String($0.element) }
    }
  }

  @Test func documentListsAllOperations() throws {
    for (heading, names) in OperationLists.all {
      let listed = try Self.words(below: heading)
      #expect(listed.count == Set(listed).count, "\(heading)")
      let (missing, invented) = (Set(names).subtracting(listed), Set(listed).subtracting(names))
      #expect(missing.isEmpty, "\(heading): not listed are \(missing.sorted())")
      #expect(invented.isEmpty, "\(heading): cannot be run: \(invented.sorted())")
    }
  }

  @Test func documentListsAllFormats() throws {
    let listed = try Self.words(below: "What Fovea opens")
    for format in ModelFileFormat.allCases {
      for name in format.extensions { #expect(listed.contains(".\(name)"), "\(name)") }
    }
  }

  @Test func documentListsAllOperationsOfTensorFlowLite() throws {
    let listed = try Self.words(below: "Operations of TensorFlow Lite")
    #expect(listed.count == Set(listed).count)
    #expect(listed.sorted() == TensorFlowLiteKinds.all)
  }

  @Test func documentListsAllHeads() throws {
    let listed = try Self.words(below: "Detectors")
    for head in DetectorHead.allCases { #expect(listed.contains(head.rawValue), "\(head)") }
  }
}
