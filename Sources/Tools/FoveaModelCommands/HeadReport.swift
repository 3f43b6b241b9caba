// Fovea - how the outputs of a detector are read, in documents.
// SPDX-License-Identifier: Apache-2.0
package import Fovea
internal import FoveaCommandLine

/// How the outputs of a detector are read that are not scores and boxes themselves, in documents.
package struct HeadReport: Encodable {
  package var name: String
  /// By what it was recognized. A compiled file no longer knows it.
  package var because: String?
  /// What the outputs hold that is not reported; absent where that is nothing.
  package var leftOut: String?

  /// `nil` for a model whose outputs are read as they are.
  package init?(_ model: Model) {
    guard let head = model.head else { return nil }
    name = head.head.rawValue
    because = head.reason.isEmpty ? nil : head.reason
    leftOut = head.leftOut.isEmpty ? nil : head.leftOut
  }

  /// The same for people, as one line.
  package var text: String {
    "head: \(name)" + (because.map { ", because \($0)" } ?? "")
      + (leftOut.map { "; left out: \($0)" } ?? "") + "\n"
  }
}
