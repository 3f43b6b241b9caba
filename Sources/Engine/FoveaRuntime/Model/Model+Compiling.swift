// Fovea - compiled models: writing them.
// SPDX-License-Identifier: Apache-2.0
internal import CFovea
public import FoveaCore
internal import FoveaFiles
internal import FoveaModelFormat

extension Model {
  /// Compiles a model file or a package: folds it, packs its weights, quantizes them for `int8`, and
  /// writes the result to a file that `init(contentsOf:options:)` maps without reading the weights.
  ///
  /// A detector or classifier that reads an array is given a picture in its place, which the compiled
  /// file reads then. The file serves every processor. What the options say is settled in it: backend, ranges of
  /// activations, last stage and sizes of images. It is complete or not there: an older one is
  /// replaced at the end.
  ///
  /// - Parameters:
  ///   - path: As for `init(contentsOf:options:)`, but for a compiled file.
  ///   - output: The file to write, by custom with the extension `fovea`.
  ///   - options: As for loading; the backend is `auto`, `float` or `int8`.
  /// - Returns: The number of bytes written.
  /// - Throws: As `init(contentsOf:options:)`; `unsupported` for a backend or a layer that no
  ///   compiled file can hold; `file` when the file cannot be written.
  @discardableResult
  public static func compile(
    contentsOf path: String, to output: String, options: Options = Options()
  ) throws(FoveaError) -> Int {
    guard case .model(let file) = try ModelFile.content(of: path) else {
      throw Compiling.isCompiled.prefixed(by: path)
    }
    do throws(FoveaError) {
      let compiling = try Compiling(file, name: ModelFile.name(of: path), options)
      return try compiling.write(to: output)
    } catch  where error.code == .file {
      throw error
    } catch {
      throw error.prefixed(by: path)
    }
  }

  /// Compiles the bytes of a model file to those of a compiled file.
  ///
  /// - Throws: As `compile(contentsOf:to:options:)`.
  public static func compile(
    bytes: [UInt8], options: Options = Options()
  ) throws(FoveaError) -> [UInt8] {
    guard !bytes.starts(with: FileKind.compiledStart) else { throw Compiling.isCompiled }
    var compiled: [UInt8] = []
    try Compiling(ModelFile(bytes), name: "model", options).save { part in
      compiled += part
      return true
    }
    return compiled
  }
}

/// A model that is to be written, and what is written beside its graph.
private struct Compiling {
  let model: Model
  let description: [UInt8]

  init(_ file: ModelFile, name: String, _ options: Model.Options) throws(FoveaError) {
    model = try Model(file, name: name, options: options)
    // A picture among the inputs is not in the file.
    var outline =
      model.picture == nil
      ? try file.outline(of: model.specification, function: options.function)
      : ModelEncoder.outline(of: model.specification)
    if let head = model.head {
      outline = ModelOutline.adding(head.head.rawValue, as: DetectorHead.metadataKey, to: outline)
    }
    description =
      CompiledDescription(
        outline: DetectorRecord(of: model).field + outline, lastStage: options.lastStage
      ).bytes
  }

  static var isCompiled: FoveaError {
    FoveaError(.unsupported, "is compiled already; compile the model it was made from")
  }

  func write(to path: String) throws(FoveaError) -> Int {
    let file: FileReplacement
    do throws(FileError) { file = try FileReplacement(path) } catch {
      throw FoveaError(error, path: path)
    }
    var failure: FileError?
    var count = 0
    do throws(FoveaError) {
      try save { bytes in
        do throws(FileError) { try file.write(bytes) } catch { failure = error }
        count += bytes.count
        return failure == nil
      }
    } catch {
      if let failure { throw FoveaError(failure, path: path) }
      throw error
    }
    do throws(FileError) { try file.commit() } catch { throw FoveaError(error, path: path) }
    return count
  }

  /// Hands the file's bytes over, piece by piece, until `take` returns false.
  func save(_ take: @escaping (UnsafeRawBufferPointer) -> Bool) throws(FoveaError) {
    let sink = ByteSink(take)
    try FoveaError.check { diagnostic in
      withExtendedLifetime(sink) {
        description.withUnsafeBytes { description in
          fov_model_save(
            model.core.pointer, description.baseAddress, description.count,
            { context, bytes, count in
              guard let context else { return false }
              return Unmanaged<ByteSink>.fromOpaque(context).takeUnretainedValue()
                .take(UnsafeRawBufferPointer(start: bytes, count: count))
            }, Unmanaged.passUnretained(sink).toOpaque(), diagnostic)
        }
      }
    }
  }
}

/// A function of Swift behind the pointer that the core hands back.
private final class ByteSink {
  let take: (UnsafeRawBufferPointer) -> Bool

  init(_ take: @escaping (UnsafeRawBufferPointer) -> Bool) { self.take = take }
}
