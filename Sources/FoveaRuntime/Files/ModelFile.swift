// Fovea - the bytes of a model file, and what people hand over in its place.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaFiles

/// The bytes of a model file.
enum ModelFile {
  /// Lengths in a model file are 31 bits; no larger one can be described.
  private static let maximumByteCount = Int(clamping: Int64(1) << 31)

  /// Reads a model file; folders that Core ML uses are named for what they are.
  static func read(_ path: String) throws(FoveaError) -> [UInt8] {
    do throws(FileError) {
      return try FileBytes.read(path, maximumCount: maximumByteCount)
    } catch .isDirectory {
      throw folder(path)
    } catch {
      throw FoveaError(error, path: path)
    }
  }

  /// What to do with a folder in place of a model.
  private static func folder(_ path: String) -> FoveaError {
    switch fileExtension(of: path) {
    case "mlpackage":
      FoveaError(
        .unsupported,
        "\(path): is a Core ML package, which holds an ML Program; ML Programs cannot be read"
          + " yet. Export the model as a neural network (.mlmodel), for example with"
          + " convert_to=\"neuralnetwork\"")
    case "mlmodelc":
      FoveaError(
        .unsupported,
        "\(path): is a compiled model in a private layout of the system it was compiled for. Ask"
          + " for the .mlmodel it was made from")
    default:
      FoveaError(.file, "\(path): is a directory; an .mlmodel file was expected")
    }
  }

  /// The last part of a path without its extension.
  static func name(of path: String) -> String {
    let last = lastPart(of: path)
    guard let dot = last.lastIndex(of: "."), dot != last.startIndex else { return String(last) }
    return String(last[..<dot])
  }

  private static func fileExtension(of path: String) -> String {
    let last = lastPart(of: path)
    guard let dot = last.lastIndex(of: ".") else { return "" }
    return last[last.index(after: dot)...].lowercased()
  }

  private static func lastPart(of path: String) -> Substring {
    path.split(separator: "/").last ?? ""
  }
}
