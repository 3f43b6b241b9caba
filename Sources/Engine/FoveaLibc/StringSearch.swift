// Fovea - whether one text is in another.
// SPDX-License-Identifier: Apache-2.0

extension String {
  /// Whether a text occurs in this one, which ends at a zero.
  ///
  /// `contains`, `replacing` and `split` of Swift would do, but with texts they bring the library of
  /// regular expressions, which has 1.3 MB.
  package func includes(_ text: String) -> Bool { strstr(self, text) != nil }
}
