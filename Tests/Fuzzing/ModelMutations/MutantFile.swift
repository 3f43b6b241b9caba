// Fovea - a model to be tried: a file, or a package in memory.
// SPDX-License-Identifier: Apache-2.0
import FoveaFiles
import FoveaLibc
import FoveaModelFormat
import FoveaRuntime

/// What is loaded.
enum MutantFile {
  case file([UInt8])
  case package([String: [UInt8]])

  /// Reads the description.
  func read() throws(ModelFormatError) -> ModelDescription {
    switch self {
    case .file(let bytes): return try ModelDescription(bytes: bytes)
    case .package(let files):
      let package = try ModelPackage(MemoryFolder(files: files))
      return try ModelDescription(bytes: package.model, folder: package.folder)
    }
  }

  /// Loads the model.
  func load(_ options: Model.Options) throws(FoveaError) -> Model {
    switch self {
    case .file(let bytes):
      return try Model(bytes: bytes, name: "mutant", options: options)
    case .package(let files):
      let model: ModelDescription
      do throws(ModelFormatError) { model = try read() } catch { throw FoveaError(error) }
      return try Model(
        file: model, name: "mutant", fileByteCount: files.values.reduce(0) { $0 + $1.count },
        options: options)
    }
  }

  /// Writes the model: a file of this name, or a folder.
  func keep(as path: String) throws {
    switch self {
    case .file(let bytes): try FileBytes.write(bytes, to: path)
    case .package(let files):
      for (name, bytes) in files {
        let parts = name.split(separator: "/")
        for count in parts.indices {
          mkdir(
            ([path + ".mlpackage"] + parts[..<count].map(String.init)).joined(separator: "/"), 0o777
          )
        }
        try FileBytes.write(bytes, to: "\(path).mlpackage/\(name)")
      }
    }
  }
}

/// Files in memory.
struct MemoryFolder: ModelFolder {
  var files: [String: [UInt8]]

  func bytes(at path: ModelPath) throws(ModelFormatError) -> StoredBytes? {
    files[path.description].map { StoredBytes($0) }
  }
}
