// Fovea - marks of tests that some runs choose.
// SPDX-License-Identifier: Apache-2.0
public import Testing

extension Tag {
  /// The suite starts threads or tasks: `Scripts/test` runs its file's suites under the thread
  /// sanitizer, too.
  @Tag public static var startsThreads: Self
}
