// Fovea - what operations read and write while a program is lowered.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaModelFormat

/// A value of a program on its way into a graph.
enum ProgramValue {
  /// Known when the model is loaded.
  case constant(ConstantValue)
  /// Computed in every run.
  case computed(GraphValue, ElementClass)
  /// An image that is given as bytes. It becomes planes of floats when an operation reads it.
  case image(ImageValue)
  /// What only callers read, such as the label of a classifier.
  case answer

  /// The sizes, outermost first.
  var shape: [Int] {
    switch self {
    case .constant(let constant): constant.shape
    case .computed(let value, _): value.shape
    case .image(let image): image.shape
    case .answer: []
    }
  }

  /// What kind of numbers the elements are; `nil` for texts.
  var elementClass: ElementClass? {
    switch self {
    case .constant(let constant): ElementClass(constant.element)
    case .computed(_, let elementClass): elementClass
    case .image: .float
    case .answer: nil
    }
  }

  /// The constant, if the value is one.
  var constant: ConstantValue? {
    if case .constant(let constant) = self { constant } else { nil }
  }
}

/// What kind of numbers elements are. All are floats in the core: integers up to 2^24 are exact,
/// truth values are 0 and 1. So a program's own precision does not matter, but its kinds do.
enum ElementClass {
  case float
  case integer
  case boolean

  /// The class of an element type; `nil` for texts.
  init?(_ element: ElementType) {
    if element == .string { return nil }
    self = element.isFloat ? .float : element == .bool ? .boolean : .integer
  }

  /// The type of constants that were computed.
  var element: ElementType {
    switch self {
    case .float: .float32
    case .integer: .int32
    case .boolean: .bool
    }
  }
}
