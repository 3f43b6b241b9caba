// Fovea - packages of Core ML, written whole.
// SPDX-License-Identifier: Apache-2.0
package import FoveaCore
internal import FoveaFiles
internal import FoveaModelFormat

/// The files of a Core ML package (`.mlpackage`).
package struct PackageFiles: Sendable {
  /// The model file.
  package var model: [UInt8]
  /// The files of constants by their paths beside the model file, such as "weights/weight.bin".
  package var constants: [String: [UInt8]]

  /// Creates the files.
  package init(model: [UInt8], constants: [String: [UInt8]]) {
    self.model = model
    self.constants = constants
  }

  /// The number of bytes of all files.
  package var byteCount: Int {
    model.count + encoding.bytes.count + constants.values.reduce(0) { $0 + $1.count }
  }

  /// Makes or replaces the package at a path; it is complete or as it was.
  ///
  /// - Throws: `.file`, also where something else than a package is there.
  package func write(to path: String) throws(FoveaError) {
    do throws(FileError) {
      let folder = try FolderReplacement(path, replacing: ModelPackage.manifestName)
      let manifest = encoding
      try folder.write(model, to: manifest.modelPath)
      for (name, bytes) in constants.sorted(by: { $0.key < $1.key }) {
        try folder.write(
          bytes, to: manifest.modelPath.dropLast() + name.split(separator: "/").map(String.init))
      }
      try folder.write(manifest.bytes, to: [ModelPackage.manifestName])
      try folder.commit()
    } catch {
      throw FoveaError(error, path: path)
    }
  }

  private var encoding: PackageManifestEncoding {
    PackageManifestEncoding(model: model, constants: constants)
  }
}
