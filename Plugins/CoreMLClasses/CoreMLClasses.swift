// Fovea - a class for every model in a target, as Xcode makes them.
// SPDX-License-Identifier: Apache-2.0
import Foundation
import PackagePlugin

/// Makes a class for every `.mlmodel` and `.mlpackage` in a target, and a folder `NAME.mlmodelc`
/// that `Bundle.main` finds. A model that has not changed is left alone.
@main struct CoreMLClasses: BuildToolPlugin {
  func createBuildCommands(context: PluginContext, target: any Target) throws -> [Command] {
    guard let files = target.sourceModule?.sourceFiles else { return [] }
    let tool = try context.tool(named: "CoreMLModelClass").url
    let models = Self.models(of: files.map(\.url))
    let resources = "\(context.package.displayName)_\(target.name).\(Self.resourceExtension)"
    var names: [String: String] = [:]
    return try models.sorted { $0.key < $1.key }.map { path, parts in
      let name = URL(fileURLWithPath: path).deletingPathExtension().lastPathComponent
      if let other = names.updateValue(path, forKey: name) {
        throw SameName(first: other, second: path)
      }
      let work = context.pluginWorkDirectoryURL
      let source = work.appending(path: name + ".mlmodel.swift")
      let folder = work.appending(path: name + ".mlmodelc")
      return .buildCommand(
        displayName: "Generating the class of \(name)", executable: tool,
        arguments: [
          path, source.path, resources, folder.path,
          // Beside the program, which is where `Bundle.main` looks.
          tool.deletingLastPathComponent().appending(path: name + ".mlmodelc").path,
        ],
        inputFiles: parts, outputFiles: [source, folder])
    }
  }

  /// How the package manager calls the folder of a target's resources, beside the program.
  private static var resourceExtension: String {
    #if os(macOS)
      "bundle"
    #else
      "resources"
    #endif
  }

  /// The models by their paths, and the files that each consists of.
  private static func models(of files: [URL]) -> [String: [URL]] {
    var models: [String: [URL]] = [:]
    for file in files {
      let parts = file.pathComponents
      if let end = parts.firstIndex(where: { $0.hasSuffix(".mlpackage") }) {
        models["/" + parts[1...end].joined(separator: "/"), default: []].append(file)
      } else if file.pathExtension == "mlmodel" {
        models[file.path] = [file]
      }
    }
    return models
  }
}

/// Two models of a target that would become one class.
struct SameName: Error, CustomStringConvertible {
  var first: String
  var second: String

  var description: String {
    "\(first) and \(second) have one name; a class can be made for one of them. Rename the other."
  }
}
