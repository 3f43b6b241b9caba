// Fovea - the description of a model file.
// SPDX-License-Identifier: Apache-2.0

/// A model as described by its file, in the terms of Core ML: interface, metadata and body.
///
/// A value of this type has passed all checks that need only the file. Shapes that depend on the
/// size of the input are checked when the network is built.
public struct ModelDescription: Sendable, Equatable {
  /// The version of the Core ML specification the file was written for, 1...10.
  public var specificationVersion: Int
  /// The features the model reads.
  public var inputs: [FeatureDescription]
  /// The features the model writes.
  public var outputs: [FeatureDescription]
  /// The output that holds a classifier's answer; empty when there is none.
  public var predictedFeatureName: String
  /// The output that holds a classifier's probability of every label; empty when there is none.
  public var predictedProbabilitiesName: String
  /// The author's description of the model.
  public var metadata: ModelMetadata
  /// The interfaces of a program's functions, where the file has several; the interface above is
  /// then that of the default one.
  public var functions: [FunctionInterface] = []
  /// The name of the function of a program that the interface above belongs to.
  public var functionName = "main"
  /// What the model does.
  public var body: Body
  /// The format of the file.
  package var fileFormat = ModelFileFormat.coreML

  /// What a model does.
  public indirect enum Body: Sendable, Equatable {
    /// Several models, each reading what the earlier ones wrote.
    case pipeline(Pipeline)
    /// A network of layers, also of a classifier or a regressor.
    case neuralNetwork(NeuralNetwork)
    /// A program of tensor operations.
    case program(TensorProgram)
    /// Suppression of boxes that overlap a better one.
    case nonMaximumSuppression(NonMaximumSuppression)
    /// A kind of model that is named but not read. It occurs only if the caller asks for such
    /// models to be described instead of refused.
    case unsupported(typeName: String)
  }

  /// Creates a model description.
  public init(
    specificationVersion: Int, inputs: [FeatureDescription], outputs: [FeatureDescription],
    predictedFeatureName: String = "", predictedProbabilitiesName: String = "",
    metadata: ModelMetadata = ModelMetadata(), body: Body
  ) {
    self.specificationVersion = specificationVersion
    self.inputs = inputs
    self.outputs = outputs
    self.predictedFeatureName = predictedFeatureName
    self.predictedProbabilitiesName = predictedProbabilitiesName
    self.metadata = metadata
    self.body = body
  }
}

/// The interface of one function of a program.
public struct FunctionInterface: Sendable, Hashable {
  /// The name.
  public var name: String
  /// The features the function reads.
  public var inputs: [FeatureDescription]
  /// The features the function writes.
  public var outputs: [FeatureDescription]
  /// The output that holds a classifier's answer; empty when there is none.
  public var predictedFeatureName = ""
  /// The output that holds a classifier's probability of every label; empty when there is none.
  public var predictedProbabilitiesName = ""

  /// Creates an interface.
  public init(name: String, inputs: [FeatureDescription], outputs: [FeatureDescription]) {
    self.name = name
    self.inputs = inputs
    self.outputs = outputs
  }
}

/// Models run one after another, wired by the names of their features.
public struct Pipeline: Sendable, Equatable {
  /// The models in the order in which they run; never empty.
  public var stages: [Stage]

  /// One model of a pipeline.
  public struct Stage: Sendable, Equatable {
    /// The name of the stage, or "model" and its index if the file has none.
    public var name: String
    /// The model that runs at this stage.
    public var model: ModelDescription

    /// Creates a stage.
    public init(name: String, model: ModelDescription) {
      self.name = name
      self.model = model
    }
  }

  /// Creates a pipeline.
  public init(stages: [Stage]) {
    self.stages = stages
  }
}

/// The author's description of a model.
public struct ModelMetadata: Sendable, Hashable {
  /// What the model is for.
  public var shortDescription: String
  /// The author's version of the model.
  public var version: String
  /// Who made the model.
  public var author: String
  /// The terms of use.
  public var license: String
  /// Other keys and values, such as "classes" with a comma-separated list.
  public var userDefined: [String: String]

  /// Creates metadata. Everything is empty by default.
  public init(
    shortDescription: String = "", version: String = "", author: String = "",
    license: String = "", userDefined: [String: String] = [:]
  ) {
    self.shortDescription = shortDescription
    self.version = version
    self.author = author
    self.license = license
    self.userDefined = userDefined
  }
}
