// Fovea - the kinds of numbers that programs compute with.
// SPDX-License-Identifier: Apache-2.0

/// What kind of numbers elements are, from the one that holds least. All are floats in the core:
/// integers up to 2^24 are exact, truth values are 0 and 1. So a program's own precision does not
/// matter when it is run, but its kinds do.
package enum ElementClass: Int, Sendable, Comparable {
  case boolean
  case integer
  case float

  package static func < (left: ElementClass, right: ElementClass) -> Bool {
    left.rawValue < right.rawValue
  }

  /// The class of an element type; `nil` for texts.
  package init?(_ element: ElementType) {
    if element == .string { return nil }
    self = element.isFloat ? .float : element == .bool ? .boolean : .integer
  }

  /// The type of computed values of the class.
  package var element: ElementType {
    switch self {
    case .float: .float32
    case .integer: .int32
    case .boolean: .bool
    }
  }
}
