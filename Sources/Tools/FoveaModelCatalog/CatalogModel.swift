// Fovea - a model that its makers publish.
// SPDX-License-Identifier: Apache-2.0

/// A model that its makers publish, as the catalog describes it.
package struct CatalogModel: Sendable {
  /// What `--model` and `fovea get` call it.
  package var name: String
  /// Under what terms it may be used.
  package var license: String
  /// What it finds.
  package var classes: String
  /// Columns and rows of its picture.
  package var input: String
  /// Its average precision, or that nobody has measured it here.
  package var precision: String
  /// The time of a picture, or that nobody has measured it here.
  package var time: String
  /// Whose word the hashes are; `nil` where there are none.
  package var hashSource: String?
  /// The folder of its files, ended by a slash.
  package var folder: String
  /// Its files; the first one is what is opened.
  package var files: [File]
  /// Why a file has no hash.
  package var reason: String?

  /// A file of a model.
  package struct File: Sendable {
    package var name: String
    /// `nil` where nobody's word was at hand: such a file is not fetched.
    package var content: Content?
  }

  /// What is known of the bytes of a file.
  package struct Content: Sendable {
    package var byteCount: Int
    /// 64 digits in lower case.
    package var hash: String
  }

  /// The bytes of all files; `nil` where they are not known.
  package var byteCount: Int? {
    let counts = files.compactMap(\.content?.byteCount)
    return counts.count == files.count ? counts.reduce(0, +) : nil
  }
}
