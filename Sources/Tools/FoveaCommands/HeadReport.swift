// Fovea - how the outputs of a detector are read, in documents.
// SPDX-License-Identifier: Apache-2.0
internal import Fovea
internal import FoveaCommandLine

/// How the outputs of a detector are read that are not scores and boxes themselves, in documents.
struct HeadReport: Encodable {
  var name: String
  /// By what it was recognized. A compiled file no longer knows it.
  var because: String?
  /// What the outputs hold that is not reported; absent where that is nothing.
  var leftOut: String?

  /// `nil` for a model whose outputs are read as they are.
  init?(_ model: Model) {
    guard let head = model.head else { return nil }
    name = head.head.rawValue
    because = head.reason.isEmpty ? nil : head.reason
    leftOut = head.leftOut.isEmpty ? nil : head.leftOut
  }

  /// The same for people, as one line.
  var text: String {
    "head: \(name)" + (because.map { ", because \($0)" } ?? "")
      + (leftOut.map { "; left out: \($0)" } ?? "") + "\n"
  }
}
