// Fovea - an argument that is given as an option or comes first.
// SPDX-License-Identifier: Apache-2.0

/// An argument that is given as an option, or before all other operands: `detect --model M IMAGE` and
/// `detect M IMAGE` are one. Its words may be names of something else.
package struct LeadingArgument: Sendable {
  /// Where the command looks for it.
  package enum Place: Sendable {
    /// In the first operands, at most so many.
    case operands(atMost: Int)
    /// In the option. Other operands come first, too, and a test tells them apart.
    case option(isMeant: @Sendable (String) -> Bool)
  }

  /// The name of the option.
  package let option: String
  /// Where the command looks for it.
  package let place: Place
  /// What a word stands for.
  package let meaning: @Sendable (String) throws(CommandFailure) -> String

  /// Describes an argument.
  package init(
    option: String, place: Place,
    meaning: @escaping @Sendable (String) throws(CommandFailure) -> String
  ) {
    (self.option, self.place, self.meaning) = (option, place, meaning)
  }
}
