// Fovea - Core ML packages: a model file and its weights in a folder.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaJSON
package import FoveaModelValues

/// A Core ML package (`.mlpackage`): a folder whose `Manifest.json` says where the model is.
///
///     Manifest.json
///     Data/com.apple.CoreML/model.mlmodel        as the manifest names it
///     Data/com.apple.CoreML/weights/weight.bin   as the program names it
package struct ModelPackage: Sendable {
  /// The bytes of the model file.
  package let model: [UInt8]
  /// The folder that the model file is in.
  package let folder: any ModelFolder

  /// The name of the file that makes a folder a package.
  package static let manifestName = "Manifest.json"

  /// Finds the model in a package.
  package init(_ package: any ModelFolder) throws(ModelFormatError) {
    guard let manifest = try package.bytes(at: ModelPath(Self.manifestName)) else {
      throw ModelFormatError(
        .notAModel, found: "a folder without \(Self.manifestName)",
        expected: "a Core ML package (.mlpackage)",
        remedy: "Give the package's own folder; copy it whole.")
    }
    let path = try within(Self.manifestName) { () throws(ModelFormatError) in
      try ModelPath("Data").appending(ModelPath(try PackageManifest(manifest).modelPath()))
    }
    guard let bytes = try package.bytes(at: path) else {
      throw ModelFormatError(
        .missingField, fieldPath: Self.manifestName, found: "no file \(path)",
        expected: "the model that the manifest names", remedy: "Copy the package whole.")
    }
    model = try bytes.copied(path.description)
    folder = ModelSubfolder(package, at: path.parent)
  }
}

/// The manifest of a package: entries by identifier, one of which is the model.
private struct PackageManifest {
  private var root: String?
  private var paths: [String: String] = [:]

  private static let greatestSize = 1 << 20

  init(_ bytes: StoredBytes) throws(ModelFormatError) {
    guard bytes.count <= Self.greatestSize else {
      throw ModelFormatError(
        .limitExceeded, found: "\(bytes.count) bytes", expected: "at most \(Self.greatestSize)")
    }
    var manifest = PackageManifest()
    do throws(JSONError) {
      try bytes.withBytes { bytes throws(JSONError) in
        var parser = JSONPullParser(bytes)
        try manifest.read(&parser)
        try parser.finish()
      }
    } catch {
      throw ModelFormatError(
        .malformedEncoding, byteOffset: error.offset,
        found: "no manifest of a package (\(error.reason))",
        expected: "a JSON object that names the model")
    }
    self = manifest
  }

  private init() {}

  private mutating func read(_ parser: inout JSONPullParser) throws(JSONError) {
    var (root, paths): (String?, [String: String]) = (nil, [:])
    try parser.readObject { parser, key throws(JSONError) in
      switch key {
      case "rootModelIdentifier": root = try parser.readText()
      case "itemInfoEntries":
        try parser.readObject { parser, identifier throws(JSONError) in
          guard let identifier = identifier.text else { return try parser.skipValue() }
          paths[identifier] = try Self.readPath(&parser)
        }
      default: try parser.skipValue()
      }
    }
    (self.root, self.paths) = (root, paths)
  }

  private static func readPath(_ parser: inout JSONPullParser) throws(JSONError) -> String? {
    var path: String?
    try parser.readObject { parser, key throws(JSONError) in
      if case "path" = key {
        path = try parser.readText()
      } else {
        try parser.skipValue()
      }
    }
    return path
  }

  /// The path of the model below the folder `Data`.
  func modelPath() throws(ModelFormatError) -> String {
    guard let root, let path = paths[root] else {
      throw ModelFormatError(
        .missingField, fieldPath: root == nil ? "rootModelIdentifier" : "itemInfoEntries",
        found: root == nil ? "nothing" : "no entry with a path for the model",
        expected: "the place of the model in the package")
    }
    return path
  }
}
