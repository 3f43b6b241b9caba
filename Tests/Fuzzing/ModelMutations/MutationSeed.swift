// Fovea - the models that are changed.
// SPDX-License-Identifier: Apache-2.0
import FoveaExampleModel
import FoveaFiles
import FoveaTestSupport

/// A model to change.
struct MutationSeed {
  var name: String
  var tree: MessageTree
  var places: [[Int]]
  var catalog: MutationCatalog
  /// The files of a package; `nil` for a model file that stands alone.
  var files: [String: [UInt8]]?
  /// Whether the model was named, and is changed at random only: it has very many fields.
  var isStored = false
  /// Texts of other models, for changes at random.
  var strangers: [[UInt8]] = []

  init?(name: String, bytes: [UInt8]) {
    guard let tree = MessageTree(bytes[...]) else { return nil }
    (self.name, self.tree) = (name, tree)
    places = tree.places()
    catalog = MutationCatalog(texts: tree.texts())
  }

  init?(name: String, files: [String: [UInt8]]) {
    guard let model = files[ProgramExamples.modelPath] else { return nil }
    self.init(name: name, bytes: model)
    self.files = files
    catalog.isProgram = true
  }

  /// The seed as it is.
  var original: MutantFile { mutant(tree) }

  /// The seed with another model.
  func mutant(_ tree: MessageTree) -> MutantFile {
    guard var files else { return .file(tree.bytes) }
    files[ProgramExamples.modelPath] = tree.bytes
    return .package(files)
  }

  /// The seed with other constants or another manifest.
  var packageMutants: [MutantFile] {
    guard let files else { return [] }
    func replacing(_ path: String, _ contents: [[UInt8]]) -> [MutantFile] {
      contents.map { content in
        var copy = files
        copy[path] = content
        return .package(copy)
      }
    }
    let weights = files[ProgramExamples.weightsPath].map(PackageMutations.weights) ?? []
    return replacing(ProgramExamples.weightsPath, weights)
      + replacing(ProgramExamples.manifestPath, PackageMutations.manifests)
      + files.keys.sorted().map { path in .package(files.filter { $0.key != path }) }
  }

  // MARK: All

  /// Networks of one layer each, packages of one operation each, the squares of FoveaExample, and
  /// models by path, of which those that are folders are packages.
  static func all(paths: [String]) throws -> [MutationSeed] {
    var seeds = LayerNetworks.all.compactMap { MutationSeed(name: $0.name, bytes: $0.bytes) }
    seeds += [MutationSeed(name: "squares", bytes: ShapesDetector.modelBytes())].compactMap { $0 }
    seeds += ProgramExamples.all.compactMap { MutationSeed(name: $0.name, files: $0.files) }
    for path in paths {
      var seed =
        path.hasSuffix(".mlpackage")
        ? MutationSeed(name: path, files: try package(path))
        : MutationSeed(name: path, bytes: try FileBytes.read(path, maximumCount: .max))
      seed?.isStored = true
      guard let seed else { fatalError("\(path) is no message") }
      seeds.append(seed)
    }
    let strangers = Set(seeds.filter { $0.files != nil }.flatMap(\.catalog.texts))
    for index in seeds.indices where seeds[index].files != nil {
      seeds[index].strangers = strangers.sorted { $0.lexicographicallyPrecedes($1) }
    }
    return seeds
  }

  private static func package(_ path: String) throws -> [String: [UInt8]] {
    var files: [String: [UInt8]] = [:]
    let names = [
      ProgramExamples.manifestPath, ProgramExamples.modelPath, ProgramExamples.weightsPath,
    ]
    for name in names {
      files[name] = try? FileBytes.read("\(path)/\(name)", maximumCount: .max)
    }
    return files
  }
}
