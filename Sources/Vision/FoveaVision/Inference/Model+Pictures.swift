// Fovea - models that read arrays, as requests use them.
// SPDX-License-Identifier: Apache-2.0
package import FoveaRuntime

extension Model {
  /// The model as requests use it: with a picture in the place of the array that one can be in.
  ///
  /// - Throws: `.runtime` for a model that cannot be loaded again.
  package func readingPicturesForRequests() throws(DetectionError) -> Model {
    try DetectionError.translatingRuntime { () throws(FoveaError) in try readingPictures() }
  }
}
