// Fovea - the catalog of models that their makers publish.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaFiles
internal import FoveaLibc

/// Why a catalog, or a model of one, cannot be used; says the cause and the remedy.
package struct CatalogError: Error, CustomStringConvertible {
  package let description: String

  init(_ description: String) { self.description = description }
}

/// Models that their makers publish: `Models.txt`, or a file of the same form.
package struct ModelCatalog: Sendable {
  /// In the order of the file.
  package let models: [CatalogModel]

  /// The variable that names another catalog for all commands.
  package static let variable = "FOVEA_CATALOG"
  /// No catalog is longer.
  private static let greatestCount = 1 << 20

  /// The catalog in a file; without a path that of `FOVEA_CATALOG`, else the one inside.
  ///
  /// - Throws: `CatalogError`.
  package init(_ path: String? = nil) throws(CatalogError) {
    guard let path = path ?? EnvironmentVariable.value(Self.variable) else {
      models = try CatalogReader.models(in: PackageResources.Models_txt, name: "the catalog")
      return
    }
    let text: [UInt8]
    do throws(FileError) {
      text = try FileBytes.read(path, maximumCount: Self.greatestCount)
    } catch {
      throw CatalogError("\(path): \(error.explanation)")
    }
    models = try CatalogReader.models(in: text, name: path)
  }

  /// A model by its name.
  package subscript(name: String) -> CatalogModel? { models.first { $0.name == name } }

  /// A model by its name.
  ///
  /// - Throws: `CatalogError` with the names that were probably meant.
  package func model(_ name: String) throws(CatalogError) -> CatalogModel {
    if let model = self[name] { return model }
    let near = suggestion(for: name, among: models.map(\.name))
    throw CatalogError("there is no model '\(name)'" + (near.isEmpty ? namesWith(name) : near))
  }

  /// Words behind an error: the names that hold a part, or where all names stand.
  private func namesWith(_ part: String) -> String {
    let (part, most) = (part.lowercased(), 6)
    let names = models.map(\.name).filter { $0.lowercased().includes(part) }
    guard !part.isEmpty, (1...most).contains(names.count) else {
      return "; 'fovea get --list' names all"
    }
    return "; there is \(names.joined(separator: ", "))"
  }
}
