// Fovea - tests: folders of a model, in memory and of the shared data.
// SPDX-License-Identifier: Apache-2.0
import Foundation
import FoveaModelFormat
import FoveaTestSupport

/// Files by their paths.
struct FolderInMemory: ModelFolder {
  var files: [String: [UInt8]]

  init(_ files: [String: [UInt8]]) { self.files = files }

  func bytes(at path: ModelPath) throws(ModelFormatError) -> StoredBytes? {
    files[path.description].map { StoredBytes($0) }
  }
}

/// A folder of the shared data.
struct SharedFolder: ModelFolder {
  let path: String

  func bytes(at path: ModelPath) throws(ModelFormatError) -> StoredBytes? {
    let url = SharedData.url("\(self.path)/\(path)")
    return (try? Data(contentsOf: url)).map { StoredBytes([UInt8]($0)) }
  }
}

extension TensorProgram {
  /// The same program without places in a file, which differ between forms.
  var withoutPlaces: TensorProgram {
    var program = self
    for name in program.functions.keys {
      for index in program.functions[name]?.operations.indices ?? 0..<0 {
        program.functions[name]?.operations[index].byteOffset = nil
      }
    }
    return program
  }

  /// A program of one function "main", written in both versions of the text.
  static func main(
    _ operations: [String], inputs: String = "", outputs: String = "y",
    folder: any ModelFolder = EmptyFolder()
  ) throws -> TensorProgram {
    try TensorProgram(text: text(operations, inputs: inputs, outputs: outputs), folder: folder)
  }

  /// The text of such a program.
  static func text(
    _ operations: [String], inputs: String = "", outputs: String = "y"
  ) -> [UInt8] {
    Array(
      """
      program(1.3)
      {
          func main<ios18>(\(inputs)) {
              \(operations.joined(separator: "\n        "))
          } -> (\(outputs));
      }
      """.utf8)
  }

  /// The constant that an operation is given as "val".
  func constant(_ result: String) -> TensorConstant? {
    let operation = functions["main"]?.operations.first { $0.results[0].name == result }
    guard case .constant(let constant)? = operation?.arguments["val"]?.first else { return nil }
    return constant
  }
}
