// Fovea - tests: odd and broken forms of annotations, with what a reader makes of them.
// SPDX-License-Identifier: Apache-2.0
import Foundation
import FoveaAnnotations
import FoveaTestSupport
import Testing

/// The 53 cases of the shared data, as they are expected.
@Suite struct OddAnnotationTests {
  private struct Case {
    var name: String
    var members: [String: Any]

    var folder: String { SharedData.url("training/odd-annotations/\(name)").path }

    var options: AnnotationOptions {
      var options = AnnotationOptions()
      let words = members["options"] as? [String: String] ?? [:]
      if let word = words["units"] { options.units = .init(rawValue: word) ?? .pixel }
      if let word = words["origin"] { options.origin = .init(rawValue: word) ?? .topLeft }
      if let word = words["anchor"] { options.anchor = .init(rawValue: word) ?? .center }
      return options
    }
  }

  private static func cases() throws -> [Case] {
    let document = try SharedData.json("training/odd-annotations/expected.json")
    let members = try #require(document as? [String: [String: Any]])
    return members.map { Case(name: $0, members: $1) }.sorted { $0.name < $1.name }
  }

  @Test(.enabled(if: SharedData.isPresent)) func allAreReadOrRefusedAsExpected() throws {
    let cases = try Self.cases()
    #expect(cases.count == 53)
    for item in cases {
      do throws(AnnotationError) {
        let set = try AnnotatedSet(pictures: item.folder, options: item.options)
        #expect(item.members["read"] as? Bool == true, "\(item.name) is read")
        expect(set, item)
      } catch {
        #expect(item.members["read"] as? Bool == false, "\(item.name): \(error)")
        let words = item.members["because"] as? String ?? ""
        #expect(error.description.hasPrefix(item.folder), "\(error)")
        for part in Self.parts(of: words) {
          #expect(error.description.contains(part), "\(item.name): \(error)")
        }
      }
    }
  }

  private func expect(_ set: AnnotatedSet, _ item: Case) {
    let expected = item.members["boxes"] as? [String: [[Any]]] ?? [:]
    #expect(set.pictures.map(\.name) == expected.keys.sorted(), "\(item.name)")
    for picture in set.pictures {
      let boxes = expected[picture.name] ?? []
      #expect(picture.boxes.count == boxes.count, "\(item.name): \(picture.boxes)")
      for (box, numbers) in zip(picture.boxes, boxes) {
        #expect(set.classes[box.classIndex] == numbers[0] as? String, "\(item.name)")
        let edges = numbers.dropFirst().compactMap { ($0 as? NSNumber)?.doubleValue }
        let differences = zip([box.x, box.y, box.maxX, box.maxY], edges).map { abs($0 - $1) }
        #expect(
          differences.count == 4 && differences.allSatisfy { $0 < 0.01 }, "\(item.name) \(box)")
      }
      let ignored = item.members["ignored"] as? [Int] ?? []
      #expect(
        picture.boxes.indices.filter { picture.boxes[$0].isIgnored } == ignored, "\(item.name)")
    }
    let findings = AnnotationCheck(set).findings.map(\.description)
    for words in item.members["check"] as? [String] ?? [] {
      #expect(findings.contains { $0.hasPrefix(words) }, "\(item.name): \(findings)")
    }
  }

  @Test(.enabled(if: SharedData.isPresent)) func sharesWithoutTheOptionAreSaid() throws {
    let folder = SharedData.url("training/odd-annotations/createml-normalized").path
    let set = try AnnotatedSet(pictures: folder)
    #expect(
      set.findings.map(\.description).contains(
        "every box is smaller than two pixels; say --units normalized"))
  }

  /// What an error must name, of the words for people.
  private static func parts(of words: String) -> [String] {
    switch words {
    case "a string where a number stands; name the file, the byte and the picture":
      ["a string where a number stands", "at byte ", "a.jpg"]
    case "labels/a.txt line 1: class 7, but data.yaml names 2":
      ["labels/a.txt: line 1: class 7, but data.yaml names 2"]
    default: [words]
    }
  }
}
