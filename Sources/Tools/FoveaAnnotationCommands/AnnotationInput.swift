// Fovea - the set that the arguments of fovea annotations name.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaAnnotations
package import FoveaCommandLine

/// The set that the arguments name.
package struct AnnotationInput {
  /// What the user named.
  let name: String
  let set: AnnotatedSet

  /// Reads the set.
  ///
  /// - Throws: `UsageError`, `CommandFailure`.
  package init(_ arguments: ArgumentList) throws {
    let name = arguments.operands[1]
    self.name = name
    var options = AnnotationOptions()
    options.units = try arguments.choice("--units", AnnotationOptions.Units.self) ?? .pixel
    options.origin = try arguments.choice("--origin", AnnotationOptions.Origin.self) ?? .topLeft
    options.anchor = try arguments.choice("--anchor", AnnotationOptions.Anchor.self) ?? .center
    var folder = name
    var annotations = arguments.value("--annotations")
    if annotations == nil, SystemInterface.fileNames(in: name) == nil,
      !SystemInterface.isMissing(name)
    {
      // A file of annotations beside its pictures.
      annotations = name
      folder = name.lastIndex(of: "/").map { String(name[..<$0]) } ?? "."
    }
    do throws(AnnotationError) {
      set = try AnnotatedSet(
        pictures: folder, annotations: annotations, options: options)
    } catch {
      throw CommandFailure("\(error)")
    }
  }

  /// What was noticed while the set was read, on standard error.
  func reportFindings() {
    for line in AnnotationCheck.lines(of: set.findings) { SystemInterface.writeError(line + "\n") }
  }
}

extension ArgumentList {
  /// The path to write to.
  ///
  /// - Throws: `UsageError` where none is given.
  package func output() throws(UsageError) -> String {
    try required("-o", "name the file or folder to write")
  }
}
