// Fovea - models of any format on their way to Core ML files.
// SPDX-License-Identifier: Apache-2.0
package import FoveaCore
internal import FoveaLowering
package import FoveaModelFormat

/// A model as Core ML stores it, made of a model of any format that can be opened.
///
/// | source | what is written |
/// |---|---|
/// | a network of layers (`.mlmodel`) | the file's own layers, byte for byte |
/// | an ML Program, also compiled (`.mlmodelc`) | its operations, written anew |
/// | ONNX, TensorFlow Lite, Darknet | the operations of ML Programs that the model is run by |
///
/// Source and result run the same graph.
package struct ModelConversion: Sendable {
  /// The files of the model.
  package private(set) var files: PackageFiles
  /// The new names of inputs and outputs by the old ones, where Core ML does not allow these.
  package let renamed: [String: String]
  /// What people call the source's format.
  package let sourceFormat: String
  private let isPackage: Bool

  /// The size of the model in bytes.
  package var byteCount: Int { isPackage ? files.byteCount : files.model.count }

  /// Converts the model at a path.
  ///
  /// - Parameters:
  ///   - path: A model file, a package, or a folder that Apple's compiler made.
  ///   - options: The function to write, sizes of inputs, and what describes the model.
  /// - Throws: As `Model.init(contentsOf:options:)`; `.unsupported` for compiled files of Fovea.
  package init(
    contentsOf path: String, options: ConversionOptions = ConversionOptions()
  ) throws(FoveaError) {
    guard case .model(let file) = try ModelFile.content(of: path) else {
      throw FoveaError(
        .unsupported,
        "\(path): a compiled file has no operations any more; convert the model it was made from")
    }
    do throws(FoveaError) {
      try self.init(file, options)
    } catch {
      throw error.prefixed(by: path)
    }
  }

  /// Takes files that another writer made of a model.
  package init(_ files: PackageFiles, sourceFormat: String, isPackage: Bool) {
    (self.files, self.sourceFormat, self.isPackage) = (files, sourceFormat, isPackage)
    renamed = [:]
  }

  private init(_ file: ModelFile, _ options: ConversionOptions) throws(FoveaError) {
    sourceFormat = file.sourceName
    isPackage = options.isPackage
    var model = try ModelStages.choosing(
      options.loading.function, in: try file.read(options.loading))
    options.describe(&model)
    let isCoreML = file.format == .coreML
    if isCoreML { try Self.checkSizes(of: model, options) }
    if !isCoreML || options.suppression != nil || options.loading.changesInputs(of: model) {
      model = try ModelLowering.translated(
        model, options: options.loading, isCoreML: isCoreML, suppression: options.suppression)
    }
    do throws(ModelWritingError) {
      let written = try ModelEncoder.files(
        of: model, source: isCoreML && options.suppression == nil ? file.source?.bytes : nil,
        isPackage: isPackage)
      files = PackageFiles(model: written.model, constants: written.constants)
      renamed = written.renamed
    } catch {
      throw FoveaError(.unsupported, error.message)
    }
    // What was written must be a model to every reader.
    do throws(ModelFormatError) { _ = try files.read() } catch { throw FoveaError(error) }
  }
}

extension ModelConversion {
  /// Core ML's models keep the sizes that they allow; a suppression stage needs one.
  private static func checkSizes(
    of model: ModelDescription, _ options: ConversionOptions
  ) throws(FoveaError) {
    let loading = options.loading
    guard loading.imageSize == nil, loading.imageSizes.isEmpty, loading.arrayShapes.isEmpty else {
      throw FoveaError(
        .invalidArgument,
        "a Core ML model keeps the sizes that it allows; ask for none when it is converted")
    }
    guard options.suppression == nil || !model.inputs.contains(where: { $0.type.isFlexible })
    else {
      throw FoveaError(
        .unsupported,
        "the model allows several sizes; a suppression stage can be added to a model of one size")
    }
  }

  /// Takes files of the same model with other weights, such as quantized ones.
  package mutating func take(_ changed: PackageFiles) throws(FoveaError) {
    files = isPackage ? changed : try changed.inOneFile()
  }
}

extension Model.Options {
  /// Whether a picture may take the place of an array of a model, or an error has to say why not.
  fileprivate func changesInputs(of model: ModelDescription) -> Bool {
    guard let pictures else { return false }
    return pictures.isSpecific || PictureForm(of: model) != nil
  }
}

/// What a converted model is to be.
package struct ConversionOptions: Sendable {
  /// The function to write, and sizes of inputs.
  package var loading = Model.Options()
  /// Whether a package is wanted, whose large constants are in a file of their own.
  package var isPackage = true
  /// What is said about the model; keys beside "description", "author", "license" and "version" are
  /// user-defined. An empty text removes an entry.
  package var metadata: [String: String] = [:]
  /// The names of the classes; `nil` for those of the source.
  package var labels: [String]?
  /// A suppression stage to be added; `nil` for none.
  package var suppression: AddedSuppression?

  /// Creates options; by default everything stays as it is.
  package init() {}

  /// Writes what is said about a model into it.
  package func describe(_ model: inout ModelDescription) {
    for (key, value) in metadata {
      switch key {
      case "description": model.metadata.shortDescription = value
      case "author": model.metadata.author = value
      case "license": model.metadata.license = value
      case "version": model.metadata.version = value
      default: model.metadata.userDefined[key] = value.isEmpty ? nil : value
      }
    }
    if let labels {
      model.metadata.userDefined["classes"] = nil
      model.metadata.userDefined["names"] = ClassNames.text(labels)
    }
  }
}

extension PackageFiles {
  /// The same model as one file, which has no others beside it.
  package func inOneFile() throws(FoveaError) -> PackageFiles {
    if constants.isEmpty { return self }
    let description: ModelDescription
    do throws(ModelFormatError) { description = try read() } catch { throw FoveaError(error) }
    do throws(ModelWritingError) {
      let written = try ModelEncoder.files(of: description, source: model, isPackage: false)
      return PackageFiles(model: written.model, constants: [:])
    } catch {
      throw FoveaError(.unsupported, error.message)
    }
  }

  /// The model that a reader finds in the files.
  package func read() throws(ModelFormatError) -> ModelDescription {
    try ModelDescription(bytes: model, folder: WrittenFolder(constants))
  }
}

/// Files that are not on a disk yet.
package struct WrittenFolder: ModelFolder {
  private let files: [String: StoredBytes]

  /// Files by their paths.
  package init(_ files: [String: [UInt8]]) { self.files = files.mapValues { StoredBytes($0) } }

  package func bytes(at path: ModelPath) throws(ModelFormatError) -> StoredBytes? {
    files[path.description]
  }
}
