// Fovea - parameters of operations made of numbers.
// SPDX-License-Identifier: Apache-2.0

extension TensorProgram.Argument {
  /// One integer.
  package static func integer(_ value: Int) -> Self { .constant(.integers([value], shape: [])) }

  /// Integers along one dimension.
  package static func integers(_ values: [Int]) -> Self {
    .constant(.integers(values, shape: [values.count]))
  }

  /// One number.
  package static func float(_ value: Float) -> Self { .constant(.floats([value], shape: [])) }

  /// Numbers.
  package static func floats(_ values: [Float], shape: [Int]) -> Self {
    .constant(.floats(values, shape: shape))
  }

  /// One truth value.
  package static func boolean(_ value: Bool) -> Self { .constant(.booleans([value], shape: [])) }

  /// Truth values along one dimension.
  package static func booleans(_ values: [Bool]) -> Self {
    .constant(.booleans(values, shape: [values.count]))
  }

  /// A text.
  package static func string(_ value: String) -> Self {
    .constant(TensorConstant(element: .string, shape: [], content: .strings([value])))
  }
}
