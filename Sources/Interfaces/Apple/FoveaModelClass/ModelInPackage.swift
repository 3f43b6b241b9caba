// Fovea - a model beside the sources of a package.
// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import FoveaFiles
package import FoveaModelFormat

/// A model beside the sources of a package: a file, or a folder `.mlpackage`.
package struct ModelInPackage {
  /// The name without the extension.
  package let name: String
  /// What the file says about the model.
  package let description: ModelDescription
  private let path: String
  /// The bytes of a file; `nil` for a package.
  private let file: [UInt8]?

  /// Reads a model.
  ///
  /// - Throws: `ModelInPackageError`, with the words of `fovea inspect`.
  package init(at path: String) throws(ModelInPackageError) {
    self.path = path
    name = URL(fileURLWithPath: path).deletingPathExtension().lastPathComponent
    do throws(ModelFormatError) {
      if let folder = PackageFolder(path) {
        let package = try ModelPackage(folder)
        file = nil
        description = try Self.read(package.model, package.folder)
      } else {
        let bytes = try Self.bytes(at: path)
        file = bytes
        let folder = URL(fileURLWithPath: path).deletingLastPathComponent().path
        description = try Self.read(bytes, PackageFolder(folder) ?? EmptyFolder())
      }
    } catch {
      throw ModelInPackageError("\(path): \(error)")
    }
  }

  private static func read(
    _ bytes: [UInt8], _ folder: any ModelFolder
  ) throws(ModelFormatError) -> ModelDescription {
    try ModelDescription(anyFormat: bytes, fileName: "", folder: folder)
  }

  private static func bytes(at path: String) throws(ModelFormatError) -> [UInt8] {
    do throws(FileError) {
      return try FileBytes.read(path, maximumCount: Int(Int32.max))
    } catch {
      throw ModelFormatError(
        .missingField, found: "no file that can be read", expected: "a model",
        remedy: "Check the file's permissions.")
    }
  }

  /// Makes or replaces a folder with the model, which `MLModel` opens as it is.
  ///
  /// - Throws: `ModelInPackageError`.
  package func writeCompiled(to folder: String) throws(ModelInPackageError) {
    do {
      if let file {
        try PackageWriting.write(file, to: folder)
      } else {
        let manager = FileManager.default
        // Another target may have a model of this name, and be built at the same time.
        let new = folder + "-\(ProcessInfo.processInfo.processIdentifier)"
        try? manager.removeItem(atPath: new)
        try manager.copyItem(atPath: path, toPath: new)
        try? manager.removeItem(atPath: folder)
        try manager.moveItem(atPath: new, toPath: folder)
      }
    } catch {
      throw ModelInPackageError("\(folder): cannot be written: \(error)")
    }
  }
}

/// Why there is no class for a model.
package struct ModelInPackageError: Error, CustomStringConvertible {
  /// What happened, in one line that begins with a path.
  package let description: String

  init(_ description: String) { self.description = description }
}

/// Writes a model file as a package.
private enum PackageWriting {
  static func write(_ model: [UInt8], to path: String) throws(FileError) {
    let manifest = PackageManifestEncoding(model: model, constants: [:])
    let folder = try FolderReplacement(path, replacing: ModelPackage.manifestName)
    try folder.write(model, to: manifest.modelPath)
    try folder.write(manifest.bytes, to: [ModelPackage.manifestName])
    try folder.commit()
  }
}

/// A folder on a disk whose files are read. No link leads out of it.
private struct PackageFolder: ModelFolder {
  private let root: String

  /// The folder at a path; `nil` if no folder is there.
  init?(_ path: String) {
    var isFolder: ObjCBool = false
    guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder), isFolder.boolValue,
      let root = FilePath.resolved(path)
    else { return nil }
    self.root = root + "/"
  }

  func bytes(at path: ModelPath) throws(ModelFormatError) -> StoredBytes? {
    let whole = root + path.description
    guard FilePath.exists(whole) else { return nil }
    guard let resolved = FilePath.resolved(whole), resolved.hasPrefix(root),
      FilePath.isFileOrFolder(resolved)
    else {
      throw ModelFormatError(
        .invalidValue, found: "a link that leads out of the model's folder at \(path)",
        expected: "a file inside",
        remedy: "Copy the folder with its links replaced by their files (cp -rL).")
    }
    do throws(FileError) {
      return StoredBytes(try FileBytes.read(resolved, maximumCount: .max))
    } catch {
      throw ModelFormatError(
        .missingField, found: "\(path), which cannot be read", expected: "a file",
        remedy: "Copy the model's folder whole.")
    }
  }
}
