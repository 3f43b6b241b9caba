// Fovea - the operations of several backends side by side.
// SPDX-License-Identifier: Apache-2.0
internal import Fovea

/// The operations of several backends side by side.
///
/// Backends fuse differently, so that one has an operation that another has not: operations are the
/// same when operation and label are, the first with the first, the second with the second.
enum OperationAlignment {
  /// What makes operations of two backends the same.
  struct Key: Hashable {
    var operation: String
    var label: String
    /// How many before it have the same operation and label.
    var occurrence: Int
  }

  /// A row: the operation, and its index in every list that has it.
  struct Row: Equatable {
    var key: Key
    var indices: [Int?]
  }

  /// Keys of a list of operations.
  static func keys(_ operations: [(operation: String, label: String)]) -> [Key] {
    var seen: [Key: Int] = [:]
    return operations.map { operation, label in
      let first = Key(operation: operation, label: label, occurrence: 0)
      defer { seen[first, default: 0] += 1 }
      return Key(operation: operation, label: label, occurrence: seen[first, default: 0])
    }
  }

  /// All operations in the order of the first list; what only later lists have follows the
  /// operation that it follows there.
  static func rows(_ lists: [[Key]]) -> [Row] {
    var rows: [Row] = []
    for (list, keys) in lists.enumerated() {
      var previous = -1
      for (index, key) in keys.enumerated() {
        if let found = rows.firstIndex(where: { $0.key == key }) {
          rows[found].indices[list] = index
          previous = found
        } else {
          var indices = [Int?](repeating: nil, count: lists.count)
          indices[list] = index
          previous += 1
          rows.insert(Row(key: key, indices: indices), at: previous)
        }
      }
    }
    return rows
  }
}
