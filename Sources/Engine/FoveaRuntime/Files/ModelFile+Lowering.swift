// Fovea - what a model file is lowered to, before a model is made of it.
// SPDX-License-Identifier: Apache-2.0
package import FoveaCore
package import FoveaLowering
package import FoveaModelValues

extension ModelFile {
  /// The graph of the model at a path, with its interface.
  ///
  /// - Throws: As `Model.init(contentsOf:options:)`; `.unsupported` for compiled files of Fovea.
  package static func lowered(
    contentsOf path: String, options: Model.Options = Model.Options()
  ) throws(FoveaError) -> LoweredModel {
    let file = try operations(at: path)
    do throws(FoveaError) {
      let model = try ModelStages.choosing(options.function, in: file.read(options))
      return try HeadProbe.lower(model, name: name(of: path), options: options).model
    } catch {
      throw error.prefixed(by: path)
    }
  }

  /// The model at a path as Core ML stores it, with programs in the place of other formats.
  ///
  /// - Throws: As `lowered(contentsOf:options:)`.
  package static func translated(
    contentsOf path: String, options: Model.Options
  ) throws(FoveaError) -> ModelDescription {
    let file = try operations(at: path)
    do throws(FoveaError) {
      return try ModelLowering.translated(
        ModelStages.choosing(options.function, in: file.read(options)), options: options,
        isCoreML: file.format == .coreML)
    } catch {
      throw error.prefixed(by: path)
    }
  }

  /// The model at a path, which has operations.
  ///
  /// - Throws: `.file`, `.unreadable`; `.unsupported` for compiled files of Fovea.
  package static func operations(at path: String) throws(FoveaError) -> ModelFile {
    if case .model(let file) = try content(of: path) { return file }
    throw FoveaError(
      .unsupported,
      "\(path): a compiled file has no operations any more; give the model it was made from")
  }
}
