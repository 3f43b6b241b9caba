// Fovea - the bytes of a model file, and what people hand over in its place.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaFiles
internal import FoveaModelFormat

/// The bytes of a model file.
package enum ModelFile {
  /// Lengths in a model file are 31 bits; no larger one can be described.
  private static let maximumByteCount = Int(clamping: Int64(1) << 31)

  /// What a model file holds.
  enum Content {
    case bytes([UInt8])
    case compiled(MappedBytes)
  }

  /// Maps a compiled file, and reads any other.
  static func open(_ path: String) throws(FoveaError) -> Content {
    do throws(FileError) {
      if let bytes = try MappedBytes.map(
        path, beginningWith: FileKind.compiledStart, maximumCount: .max)
      {
        return .compiled(bytes)
      }
    } catch .isDirectory {
      throw folder(path)
    } catch {
      throw FoveaError(error, path: path)
    }
    return .bytes(try read(path))
  }

  /// Bytes of a compiled file that came from elsewhere, such as a pipe.
  static func copy(_ bytes: [UInt8]) throws(FoveaError) -> MappedBytes {
    do throws(FileError) {
      return try MappedBytes(copying: bytes)
    } catch {
      throw FoveaError(.outOfMemory, "no memory for a compiled model of \(bytes.count) bytes")
    }
  }

  /// Reads a model file; folders that Core ML uses are named for what they are.
  package static func read(_ path: String) throws(FoveaError) -> [UInt8] {
    do throws(FileError) {
      return try FileBytes.read(path, maximumCount: maximumByteCount)
    } catch .isDirectory {
      throw folder(path)
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
