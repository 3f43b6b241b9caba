// Fovea - a model file and its weights, to be written again.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaModelFormat
internal import FoveaRuntime

/// A model file, the folder around it, and its weights that can become codes.
struct QuantizableModel {
  let bytes: [UInt8]
  /// The folder with the constants of programs.
  private let folder: any ModelFolder
  /// The bytes of all files.
  let byteCount: Int
  let file: ModelDescription
  let layers: [QuantizableLayer]
  /// Where the constants of programs stand.
  private let sites: [ProgramSite: WeightAddress]

  /// Whether the model is written as a package.
  let hasPrograms: Bool

  init(
    _ bytes: [UInt8], folder: any ModelFolder = EmptyFolder(), byteCount: Int
  ) throws(QuantizationError) {
    self.bytes = bytes
    self.folder = folder
    self.byteCount = byteCount
    do throws(ModelFormatError) { file = try ModelDescription(bytes: bytes, folder: folder) } catch
    {
      throw .unreadable(error)
    }
    let programs = try ProgramWeights(file)
    layers = try NetworkWeights(file).layers + programs.layers
    sites = programs.sites
    hasPrograms = !programs.paths.isEmpty
  }

  /// The model at a path: a model file or a package.
  init(contentsOf path: String) throws(QuantizationError) {
    let source: (bytes: [UInt8], folder: any ModelFolder, byteCount: Int)
    do throws(FoveaError) { source = try ModelFile.source(of: path) } catch { throw .file(error) }
    try self.init(source.bytes, folder: source.folder, byteCount: source.byteCount)
  }

  /// Whether the other model has the same weights.
  func isSame(as other: QuantizableModel) -> Bool {
    bytes == other.bytes && layers.count == other.layers.count
      && zip(layers, other.layers).allSatisfy { $0.weights == $1.weights }
  }

  /// The files with other weights.
  func rewritten(
    _ replacements: [WeightAddress: WrittenWeights]
  ) throws(ModelFormatError) -> PackageFiles {
    guard hasPrograms else {
      return PackageFiles(model: try WeightRewriter.rewrite(bytes, replacements), constants: [:])
    }
    let programs = ProgramRewriter(file, folder, sites: sites, layers: layers, replacements)
    let model = try WeightRewriter.rewrite(bytes, replacements, programs: programs)
    return PackageFiles(model: model, constants: programs.blobs.files)
  }
}
