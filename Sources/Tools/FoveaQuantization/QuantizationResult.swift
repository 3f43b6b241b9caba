// Fovea - a quantized model on its way to the disk.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaModelFormat
package import FoveaRuntime

extension ModelQuantizer {
  /// A quantized model.
  public struct Result: Sendable {
    /// The files of the new model.
    package let files: PackageFiles
    private let hasPrograms: Bool
    /// The result for each layer with weights, in the order of the file.
    public var layers: [Layer]
    /// What has been written, by the names of layers and in the order of the model file.
    package let weights: [(layer: String, isBias: Bool, weights: WrittenWeights)]

    /// The content of the new model file.
    public var bytes: [UInt8] { files.model }
    /// The files of constants of a program, by their paths beside the model file.
    public var constants: [String: [UInt8]] { files.constants }
    /// The size of the model in bytes; of a package that of all its files.
    public var byteCount: Int { hasPrograms ? files.byteCount : files.model.count }

    init(
      _ source: QuantizableModel, _ replacements: [WeightAddress: WrittenWeights],
      layers: [Layer]
    ) throws(QuantizationError) {
      do throws(ModelFormatError) {
        files = try source.rewritten(replacements)
        // What was written must be a model to every reader.
        _ = try files.read()
      } catch {
        throw .unreadable(error)
      }
      hasPrograms = source.hasPrograms
      self.layers = layers
      weights = source.layers.flatMap { layer in
        [(layer.address, false), (layer.bias?.address ?? layer.address, layer.bias != nil)]
          .prefix(layer.bias == nil ? 1 : 2)
          .compactMap { address, isBias in
            replacements[address].map { (layer.name, isBias, $0) }
          }
      }
    }

    /// Creates or replaces the model at `path`. A model with programs becomes a package, and so does
    /// any other whose path ends in `.mlpackage`.
    ///
    /// - Throws: `.file`. An existing model is then unchanged.
    public func write(to path: String) throws(QuantizationError) {
      do throws(FoveaError) {
        guard hasPrograms || path.hasSuffix(".mlpackage") || path.hasSuffix(".mlpackage/") else {
          return try ModelFile.replace(path, with: files.model)
        }
        guard !path.hasSuffix(".mlmodel") else {
          throw FoveaError(
            .file, "\(path): ML Programs are folders; give a name that ends in .mlpackage")
        }
        try files.write(to: path)
      } catch {
        throw .file(error)
      }
    }
  }
}
