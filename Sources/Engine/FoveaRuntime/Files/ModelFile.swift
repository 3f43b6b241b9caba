// Fovea - model files, and what people hand over in their place.
// SPDX-License-Identifier: Apache-2.0
package import FoveaCore
internal import FoveaFiles
internal import FoveaGeometry
package import FoveaModelFormat

/// A model on a disk: a file of any format, a package, or a folder that Apple's compiler made.
package struct ModelFile {
  private let form: Form
  /// The number of bytes of all files.
  package let byteCount: Int

  private enum Form {
    /// A model file, its name, and the folder that it is in.
    case file([UInt8], name: String, any ModelFolder)
    /// A compiled model of Core ML (`.mlmodelc`).
    case compiledFolder(any ModelFolder)
  }

  /// A model file that stands alone.
  init(_ bytes: [UInt8]) {
    self.init(.file(bytes, name: "", EmptyFolder()), byteCount: bytes.count)
  }

  private init(_ form: Form, byteCount: Int) {
    self.form = form
    self.byteCount = byteCount
  }

  /// Reads the model. Some formats are read for a size of pictures; see `ModelDescription`.
  func read(_ options: Model.Options) throws(FoveaError) -> ModelDescription {
    let size = options.imageSizes.values.first ?? options.imageSize
    let limits = options.readingLimits
    do throws(ModelFormatError) {
      switch form {
      case .file(let bytes, let name, let folder):
        return try ModelDescription(
          anyFormat: bytes, fileName: name, folder: folder,
          imageSize: size.map { ImageFeature.Size(width: $0.width, height: $0.height) },
          limits: limits)
      case .compiledFolder(let folder):
        return try ModelDescription(compiled: folder, limits: limits)
      }
    } catch {
      throw FoveaError(error)
    }
  }

  /// The outline of the model for a compiled file, with the function that was compiled.
  ///
  /// - Parameter model: The model that was read. Other formats than Core ML's have no other outline.
  func outline(of model: ModelDescription, function: String?) throws(FoveaError) -> [UInt8] {
    do throws(ModelFormatError) {
      let outline: [UInt8]
      switch form {
      case .file where model.fileFormat != .coreML:
        return ModelEncoder.outline(of: model)
      case .file(let bytes, _, _): outline = try ModelOutline.bytes(of: bytes)
      case .compiledFolder(let folder):
        outline = try ModelOutline.outline(compiled: folder, limits: ReadingLimits())
      }
      guard let function else { return outline }
      return ModelOutline.choosing(function, in: outline)
    } catch {
      throw FoveaError(error)
    }
  }

  /// The format of the model file; that of Core ML for a compiled model.
  package var format: ModelFileFormat {
    if case .file(let bytes, _, _) = form { ModelFileFormat(of: bytes) } else { .coreML }
  }

  /// What people call the file.
  package var sourceName: String {
    if case .compiledFolder = form { "a compiled folder (.mlmodelc)" } else { format.name }
  }

  /// The bytes of the model file and the folder that it is in; `nil` for a compiled model.
  package var source: (bytes: [UInt8], folder: any ModelFolder)? {
    if case .file(let bytes, _, let folder) = form { (bytes, folder) } else { nil }
  }

  // MARK: Paths

  /// The model at a path, which a program wants to write again.
  ///
  /// - Throws: `.file`; `.unsupported` for compiled models and other formats.
  package static func source(
    of path: String
  ) throws(FoveaError) -> (bytes: [UInt8], folder: any ModelFolder, byteCount: Int) {
    if case .model(let file) = try content(of: path), let source = file.source {
      guard file.format == .coreML else {
        throw FoveaError(
          .unsupported,
          "\(path): is \(file.format.name); only Core ML models can be written again. Make one of it"
            + " first: fovea convert MODEL -o OUT.mlpackage")
      }
      return (source.bytes, source.folder, file.byteCount)
    }
    throw FoveaError(
      .unsupported, "\(path): the model is compiled; give the model that it was compiled from")
  }

  /// What a path leads to.
  enum Content {
    case model(ModelFile)
    case compiled(MappedBytes)
  }

  /// Lengths in a model file are 31 bits; no larger one can be described.
  private static let maximumByteCount = Int(clamping: Int64(1) << 31)

  /// Maps a compiled file, and reads any other: readers keep parts of the bytes and hand them on, and a
  /// file that is mapped must not change for as long as they do.
  static func content(of path: String) throws(FoveaError) -> Content {
    let content: FileContent
    do throws(FileError) {
      content = try FileContent(
        path, mappedIfBeginningWith: FileKind.compiledStart, maximumReadCount: maximumByteCount)
    } catch .isDirectory {
      return .model(try folder(path))
    } catch {
      throw FoveaError(error, path: path)
    }
    switch content {
    case .mapped(let bytes): return .compiled(bytes)
    // Pipes cannot be mapped.
    case .read(let bytes) where bytes.starts(with: FileKind.compiledStart):
      return .compiled(try copy(bytes))
    case .read(let bytes): return .model(file(bytes, at: path))
    }
  }

  /// The model file at a path, with what lies beside it.
  private static func file(_ bytes: [UInt8], at path: String) -> ModelFile {
    let parent = path.lastIndex(of: "/").map { String(path[...$0]) } ?? "."
    guard let folder = DiskFolder(parent) else { return ModelFile(bytes) }
    let name = path.split(separator: "/").last.map(String.init) ?? ""
    let partner = ModelFileFormat(of: bytes).partner(of: name)
    return ModelFile(
      .file(bytes, name: name, folder),
      byteCount: bytes.count + (partner.flatMap(folder.byteCount(of:)) ?? 0))
  }

  /// Bytes of a compiled file that came from elsewhere, such as a pipe.
  static func copy(_ bytes: [UInt8]) throws(FoveaError) -> MappedBytes {
    do throws(FileError) {
      return try MappedBytes(copying: bytes)
    } catch {
      throw FoveaError(.outOfMemory, "no memory for a compiled model of \(bytes.count) bytes")
    }
  }

  /// Whether a path leads to the folder of a model: a package, or what Apple's compiler makes.
  package static func isFolder(_ path: String) -> Bool {
    guard let folder = DiskFolder(path), folder.has(".") else { return false }
    return kind(of: folder, at: path) != nil
  }

  private enum FolderKind {
    case package
    case compiled
  }

  /// What a folder is, by its files and by its name.
  private static func kind(of folder: DiskFolder, at path: String) -> FolderKind? {
    let name = fileExtension(of: path)
    if folder.has(ModelPackage.manifestName) || name == "mlpackage" { return .package }
    return compiledNames.contains(where: folder.has) || name == "mlmodelc" ? .compiled : nil
  }

  /// Reads one file; folders are refused.
  package static func read(_ path: String) throws(FoveaError) -> [UInt8] {
    do throws(FileError) {
      return try FileBytes.read(path, maximumCount: maximumByteCount)
    } catch {
      throw FoveaError(error, path: path)
    }
  }

  /// Makes or replaces a model file; it is complete or as it was.
  package static func replace(_ path: String, with bytes: [UInt8]) throws(FoveaError) {
    do throws(FileError) {
      let file = try FileReplacement(path)
      var failure: FileError?
      bytes.withUnsafeBytes { bytes in
        do throws(FileError) { try file.write(bytes) } catch { failure = error }
      }
      if let failure { throw failure }
      try file.commit()
    } catch {
      throw FoveaError(error, path: path)
    }
  }

  /// The model in a folder: a package, or a compiled model of Core ML.
  private static func folder(_ path: String) throws(FoveaError) -> ModelFile {
    guard let folder = DiskFolder(path) else {
      throw FoveaError(.file, "\(path): the folder cannot be opened. Check its permissions.")
    }
    switch kind(of: folder, at: path) {
    case .package:
      do throws(ModelFormatError) {
        let package = try ModelPackage(folder)
        return ModelFile(
          .file(package.model, name: "", package.folder), byteCount: folder.byteCount)
      } catch {
        throw FoveaError(error).prefixed(by: path)
      }
    case .compiled: return ModelFile(.compiledFolder(folder), byteCount: folder.byteCount)
    case nil:
      let foreign = foreignFolders.first { folder.has($0.name) }
      throw FoveaError(
        .file,
        "\(path): is a directory\(foreign.map { ", \($0.words)" } ?? "");"
          + " \(FileKind.modelWords) was expected\(foreign.map { ". \($0.remedy)" } ?? "")")
    }
  }

  /// Folders of other programs, by a file in them.
  private static let foreignFolders: [(name: String, words: String, remedy: String)] = [
    (
      "saved_model.pb", "a SavedModel of TensorFlow",
      "Convert it to TensorFlow Lite in Python: tf.lite.TFLiteConverter.from_saved_model"
    ),
    (
      "model.ncnn.param", "a network of ncnn",
      "Take the model that it was made from, and export that to ONNX or Core ML"
    ),
    (
      "inference.pdmodel", "a network of Paddle",
      "Convert it to ONNX with the program paddle2onnx"
    ),
    ("data.pkl", "an unpacked PyTorch checkpoint", "Export the model to ONNX: torch.onnx.export"),
  ]

  /// What one finds in folders that Apple's compiler made.
  private static let compiledNames = ["coremldata.bin", "model.mil", "model.espresso.net"]

  private static func fileExtension(of path: String) -> String {
    let last = path.split(separator: "/").last ?? ""
    guard let dot = last.lastIndex(of: ".") else { return "" }
    return last[last.index(after: dot)...].lowercased()
  }

  /// The last part of a path without its extension.
  static func name(of path: String) -> String {
    let last = path.split(separator: "/").last ?? ""
    guard let dot = last.lastIndex(of: "."), dot != last.startIndex else { return String(last) }
    return String(last[..<dot])
  }
}
