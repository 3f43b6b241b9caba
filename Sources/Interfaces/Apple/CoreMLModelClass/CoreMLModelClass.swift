// Fovea - the program behind the plugin CoreMLClasses: it makes the class of a model.
// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import FoveaModelClass

/// `CoreMLModelClass MODEL CLASS.swift RESOURCES FOLDER.mlmodelc...`, where RESOURCES is the name of the
/// folder of the target's resources.
///
/// Fails with the message that `fovea inspect` has for the model.
@main enum CoreMLModelClass {
  static func main() {
    let arguments = CommandLine.arguments.dropFirst()
    guard arguments.count >= 4, let path = arguments.first else {
      fail("expected MODEL CLASS.swift RESOURCES FOLDER.mlmodelc...")
    }
    do {
      let model = try ModelInPackage(at: path)
      let text = ModelClass(
        model.description, name: model.name, resourceFolder: arguments[3]
      ).text
      try Data(text.utf8).write(to: URL(fileURLWithPath: arguments[2]), options: .atomic)
      for folder in arguments.dropFirst(3) { try model.writeCompiled(to: folder) }
    } catch {
      fail("\(error)")
    }
  }

  private static func fail(_ message: String) -> Never {
    FileHandle.standardError.write(Data("error: \(message)\n".utf8))
    exit(1)
  }
}
