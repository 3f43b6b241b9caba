// Fovea - models of Core ML, run by Fovea's sessions.
// SPDX-License-Identifier: Apache-2.0
public import FoveaApple
internal import FoveaRuntime
internal import FoveaVision

/// A model that is ready to run. Several threads may run it at the same time.
open class MLModel: NSObject {
  public let modelDescription: MLModelDescription
  public let configuration: MLModelConfiguration
  package let engine: MLModelEngine

  /// Loads a model: `.mlmodelc`, `.mlmodel`, `.mlpackage`, or of any format that Fovea reads.
  ///
  /// - Throws: `MLModelError`.
  public convenience init(contentsOf url: URL) throws {
    try self.init(contentsOf: url, configuration: MLModelConfiguration())
  }

  /// Loads a model for a configuration; as `init(contentsOf:)`.
  public convenience init(contentsOf url: URL, configuration: MLModelConfiguration) throws {
    do throws(FoveaError) {
      try self.init(
        MLModelEngine(contentsOf: url.path, function: configuration.functionName), configuration)
    } catch {
      throw MLModelError(error)
    }
  }

  private init(_ engine: MLModelEngine, _ configuration: MLModelConfiguration) {
    self.engine = engine
    modelDescription = MLModelDescription(engine.model)
    self.configuration = configuration.copy() as? MLModelConfiguration ?? configuration
    super.init()
  }

  // MARK: Loading elsewhere

  /// Loads a model on a thread of Fovea's.
  public class func load(
    contentsOf url: URL, configuration: MLModelConfiguration = MLModelConfiguration()
  ) async throws -> MLModel {
    let function = configuration.functionName
    let loaded = await InferenceThreads.shared.run {
      Result { () throws(FoveaError) in
        try MLModelEngine(contentsOf: url.path, function: function)
      }
    }
    do throws(FoveaError) {
      return MLModel(try loaded.get(), configuration)
    } catch {
      throw MLModelError(error)
    }
  }

  /// Loads a model on another thread, which then calls the handler.
  public class func load(
    contentsOf url: URL, configuration: MLModelConfiguration = MLModelConfiguration(),
    completionHandler handler: @escaping (Result<MLModel, any Error>) -> Void
  ) {
    nonisolated(unsafe) let (configuration, handler) = (configuration, handler)
    DispatchQueue.global().async {
      handler(Result { try MLModel(contentsOf: url, configuration: configuration) })
    }
  }

  // MARK: Prediction

  /// The outputs for some inputs. Arrays have the types that the file declares.
  ///
  /// - Throws: `MLModelError`: `featureType` for a value of the wrong kind or shape.
  public func prediction(from input: any MLFeatureProvider) throws -> any MLFeatureProvider {
    try prediction(from: input, options: MLPredictionOptions())
  }

  /// The outputs for some inputs, also written into the arrays that the options name.
  public func prediction(
    from input: any MLFeatureProvider, options: MLPredictionOptions
  ) throws -> any MLFeatureProvider {
    var values = try engine.outputs(of: input)
    for (name, backing) in options.outputBackings {
      guard let backing = backing as? MLMultiArray, let array = values[name]?.multiArrayValue,
        backing.sizes == array.sizes
      else {
        throw MLModelError(
          .featureType, "the backing of the output '\(name)' is no array of its shape")
      }
      array.transfer(to: backing)
      values[name] = MLFeatureValue(multiArray: backing)
    }
    return MLDictionaryFeatureProvider(values: values)
  }

  /// The outputs for some inputs, computed on a thread of Fovea's.
  public func prediction(
    from input: any MLFeatureProvider, options: MLPredictionOptions = MLPredictionOptions()
  ) async throws -> any MLFeatureProvider {
    nonisolated(unsafe) let (model, input, options) = (self, input, options)
    let outcome = await InferenceThreads.shared.run {
      PredictionOutcome(
        result: Result { () throws -> any MLFeatureProvider in
          try model.prediction(from: input, options: options)
        })
    }
    return try outcome.result.get()
  }

  /// The outputs for several inputs, one after another.
  public func predictions(
    from inputBatch: any MLBatchProvider, options: MLPredictionOptions
  ) throws -> any MLBatchProvider {
    MLArrayBatchProvider(
      array: try (0..<inputBatch.count).map {
        try prediction(from: inputBatch.features(at: $0), options: options)
      })
  }

  /// The outputs for several inputs, one after another.
  public func predictions(fromBatch inputBatch: any MLBatchProvider) throws -> any MLBatchProvider {
    try predictions(from: inputBatch, options: MLPredictionOptions())
  }
}

/// What a prediction gave, on its way back to who asked.
private struct PredictionOutcome: @unchecked Sendable {  // because it is handed over, not shared
  var result: Result<any MLFeatureProvider, any Error>
}
