// Fovea - labels as clients know them.
// SPDX-License-Identifier: Apache-2.0

/// Labels as clients know them: programs for cameras stop at a label that is not on their list.
package struct LabelRenaming: Hashable, Sendable {
  private let names: [String: String]

  /// Renames the keys to the values.
  package init(_ names: [String: String] = [:]) { self.names = names }

  /// What clients read for a label of a model.
  func name(of label: String) -> String { names[label] ?? label }

  /// The labels of a model that clients read as `name`.
  func labels(named name: String, among labels: [String]) -> [String] {
    labels.filter { self.name(of: $0) == name }
  }
}
