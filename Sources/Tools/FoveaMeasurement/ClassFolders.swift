// Fovea - images that lie in a folder for each class.
// SPDX-License-Identifier: Apache-2.0
package import FoveaCommandLine
package import FoveaEvaluation

/// Images that lie in a folder for each class: `images/cat/1.jpg`.
package struct ClassFolders {
  /// An image.
  package struct Entry {
    package var path: String
    /// The index of its class in the model.
    package var classIndex: Int
  }

  package let entries: [Entry]
  /// How folders and classes were matched.
  package let rule: CategoryMapping.Rule

  /// The images of a folder for a model with the classes `labels`. Folders and classes are matched
  /// by name, as categories are. Where no name matches, and there are as many folders as classes, the
  /// first folder is the first class, in the order of their names.
  ///
  /// - Throws: `CommandFailure`, also for a folder that is none of the classes.
  package init(_ folder: String, labels: [String]) throws(CommandFailure) {
    let names = (SystemInterface.fileNames(in: folder) ?? []).sorted().filter {
      !$0.hasPrefix(".") && SystemInterface.fileNames(in: folder + "/" + $0) != nil
    }
    guard !names.isEmpty else {
      throw CommandFailure(
        "\(folder): holds no folders; put the images of each class in a folder with its name")
    }
    let categories = names.enumerated().map { CocoInstances.Category(id: $0, name: $1) }
    let mapping = CategoryMapping(labels: labels, categories: categories)
    rule = mapping.rule
    guard rule == .name || names.count == labels.count else {
      throw CommandFailure(
        "\(folder): none of its \(names.count) folders has the name of one of the model's "
          + "\(labels.count) classes, such as '\(labels.first ?? "")'; rename them")
    }
    var entries: [Entry] = []
    for (place, name) in names.enumerated() {
      guard let index = mapping.categories.firstIndex(of: place) else {
        throw CommandFailure(
          "\(folder)/\(name): is no class of the model; rename the folder, or move it away")
      }
      entries += try ImageList.paths(in: folder + "/" + name)
        .map { Entry(path: $0, classIndex: index) }
    }
    self.entries = entries
  }
}
