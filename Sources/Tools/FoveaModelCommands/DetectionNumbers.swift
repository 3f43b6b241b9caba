// Fovea - options that are numbers of a detection.
// SPDX-License-Identifier: Apache-2.0
package import Fovea
package import FoveaCommandLine

/// What options say about some of the numbers of a detection.
package struct DetectionNumbers: Sendable {
  private var wanted: [(number: DetectionNumber, value: Double?)] = []

  /// The options of some numbers.
  package static func options(_ numbers: [DetectionNumber]) -> [CommandDescription.Option] {
    numbers.map { .init(name: $0.optionName, value: "0...1", help: $0.help) }
  }

  /// Reads the options.
  ///
  /// - Throws: `UsageError`.
  package init(_ numbers: [DetectionNumber], _ arguments: ArgumentList) throws(UsageError) {
    for number in numbers {
      wanted.append((number, try arguments.fraction(number.optionName)))
    }
  }

  /// Sets a number that the options leave open.
  package mutating func fill(_ name: String, with value: Double?) {
    for index in wanted.indices where wanted[index].number.name == name {
      wanted[index].value = wanted[index].value ?? value
    }
  }

  /// Sets what the options say; what they leave open the model says.
  package func apply(to request: inout DetectObjectsRequest) {
    for (number, value) in wanted { number.wanted(&request, value) }
  }

  /// Refinements as the beginning of a list; empty where objects stay what they are.
  package static func text(_ value: (DetectionNumber) -> Double) -> String {
    DetectionNumber.refinements.filter { value($0) != $0.idle }
      .map { "\($0.title) \(value($0)), " }.joined()
  }
}

extension DetectionNumber {
  fileprivate var optionName: String {
    "--" + name.split(separator: "_").joined(separator: "-")
  }

  /// The name in documents, such as "boxVoting".
  private var documentName: String {
    let words = name.split(separator: "_")
    return words.dropFirst().reduce(String(words[0])) { text, word in
      text + word.prefix(1).uppercased() + word.dropFirst()
    }
  }

  /// Numbers with their names, for documents.
  package static func document(
    _ numbers: [DetectionNumber], _ value: (DetectionNumber) -> Double
  ) -> [String: Double] {
    Dictionary(uniqueKeysWithValues: numbers.map { ($0.documentName, value($0)) })
  }
}
