// Fovea - the program behind the plugin CoreMLClasses: it makes the class of a model.
// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import FoveaModelClass

/// `CoreMLModelClass MODEL CLASS.swift FOLDER.mlmodelc...`
///
/// Fails with the message that `fovea inspect` has for the model.
@main enum CoreMLModelClass {
  static func main() {
    let arguments = CommandLine.arguments.dropFirst()
    guard arguments.count >= 3, let path = arguments.first else {
      fail("expected MODEL CLASS.swift FOLDER.mlmodelc...")
    }
    do {
      let model = try ModelInPackage(at: path)
      let text = ModelClass(model.description, name: model.name).text
      try Data(text.utf8).write(to: URL(fileURLWithPath: arguments[2]), options: .atomic)
      for folder in arguments.dropFirst(2) { try model.writeCompiled(to: folder) }
    } catch {
      fail("\(error)")
    }
  }

  private static func fail(_ message: String) -> Never {
    FileHandle.standardError.write(Data("error: \(message)\n".utf8))
    exit(1)
  }
}
