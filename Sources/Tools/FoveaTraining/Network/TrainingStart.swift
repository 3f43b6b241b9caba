// Fovea - the detector that training begins with.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaCore
internal import FoveaGeometry
internal import FoveaLowering
internal import FoveaRuntime

/// The detector that training begins with: any that Fovea opens and whose operations have gradients.
package enum TrainingStart {
  /// Reads the network of the model at a path.
  ///
  /// - Parameter side: The side of the input. It is a wish unless `isForced`: a model of one size
  ///   keeps that.
  /// - Throws: `.unsuitableStart`.
  package static func network(
    contentsOf path: String, side: Int?, isForced: Bool
  ) throws(TrainingError) -> TrainableNetwork {
    do throws(TrainingError) {
      return try read(path, side: side)
    } catch {
      guard side != nil, !isForced else { throw error }
    }
    return try read(path, side: nil)
  }

  private static func read(_ path: String, side: Int?) throws(TrainingError) -> TrainableNetwork {
    var options = Model.Options()
    options.pictures = PictureInput()
    options.imageSize = side.map { ImageSize(width: $0, height: $0) }
    let model: LoweredModel
    do throws(FoveaError) {
      model = try ModelFile.lowered(contentsOf: path, options: options)
    } catch {
      // The message names the file.
      throw TrainingError(.unsuitableStart, error.message)
    }
    do throws(TrainingError) {
      return try NetworkReader.network(of: model)
    } catch {
      throw TrainingError(error.code, "\(path): \(error.message)")
    }
  }
}
