// Fovea - compiled models: folders that hold a model whole.
// SPDX-License-Identifier: Apache-2.0
public import FoveaApple
internal import FoveaModelValues
internal import FoveaRuntime
internal import FoveaVision

extension MLModel {
  /// Checks a model and puts it into a folder `NAME.mlmodelc` in the temporary directory.
  ///
  /// The folder is a package under another name: every command of Fovea reads it. A folder that is
  /// compiled already is copied.
  ///
  /// - Throws: `MLModelError` for a file that is missing, broken, or not supported.
  public class func compileModel(at modelURL: URL) throws -> URL {
    do throws(FoveaError) {
      _ = try MLModelEngine(contentsOf: modelURL.path, function: nil)
    } catch {
      throw MLModelError(error)
    }
    let manager = FileManager.default
    let folder = manager.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    let name = modelURL.deletingPathExtension().lastPathComponent
    let target = folder.appendingPathComponent(name + ".mlmodelc")
    do {
      try manager.createDirectory(at: folder, withIntermediateDirectories: true)
      var isFolder: ObjCBool = false
      _ = manager.fileExists(atPath: modelURL.path, isDirectory: &isFolder)
      if isFolder.boolValue {
        try manager.copyItem(at: modelURL, to: target)
      } else {
        let bytes = try ModelFile.source(of: modelURL.path).bytes
        try PackageFiles(model: bytes, constants: [:]).write(to: target.path)
      }
    } catch let error as FoveaError {
      throw MLModelError(error)
    } catch {
      throw MLModelError(.io, "\(target.path): \(error.localizedDescription)")
    }
    return target
  }

  /// Compiles a model on a thread of Fovea's; as the form that is not `async`.
  public class func compileModel(at modelURL: URL) async throws -> URL {
    let result = await InferenceThreads.shared.run { Result { try compiledNow(modelURL) } }
    return try result.get()
  }

  private class func compiledNow(_ url: URL) throws -> URL { try compileModel(at: url) }
}
