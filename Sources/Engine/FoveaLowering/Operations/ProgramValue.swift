// Fovea - what operations read and write while a program is lowered.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaCore
internal import FoveaModelValues

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
