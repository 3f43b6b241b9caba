// Fovea - numbers in the text form of Prometheus.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaHTTP

/// Numbers in the text form of Prometheus, version 0.0.4.
struct MetricsText {
  /// What a number is.
  enum Kind: String {
    case counter, gauge, histogram
  }

  private var text = ""

  /// Adds a number that stands alone.
  mutating func add(_ name: String, _ kind: Kind, _ value: some Numeric) {
    add(name, kind, [("", "\(value)")])
  }

  /// Adds numbers of one name. Each has a suffix of the name with its labels, such as
  /// `{route="detect"}`.
  mutating func add(_ name: String, _ kind: Kind, _ values: [(suffix: String, value: String)]) {
    text += "# TYPE \(name) \(kind.rawValue)\n"
    for value in values { text += "\(name)\(value.suffix) \(value.value)\n" }
  }

  /// The value of a label, in quotes.
  static func quoted(_ text: String) -> String {
    var quoted = "\""
    for character in text {
      switch character {
      case "\\", "\"": quoted += "\\\(character)"
      case "\n", "\r\n": quoted += "\\n"
      default: quoted.append(character)
      }
    }
    return quoted + "\""
  }

  /// The answer with all of them.
  var response: HTTPResponse {
    HTTPResponse(type: "text/plain; version=0.0.4; charset=utf-8", Array(text.utf8))
  }
}
